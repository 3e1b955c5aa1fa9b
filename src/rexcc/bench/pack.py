"""Packed folders: what was built, with inputs and one script, for a machine without network, compiler or rexcc.

In: a plan whose paths are absolute. Out: a folder with ``bench.py``, ``plan.json``, the executables, inputs and, where
CUPTI was found, the library that records GPU time; the paths of its plan are relative to it.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rexcc.bench.packed import PLAN
from rexcc.bench.plan import Executable, Job, Plan, plan_to_json
from rexcc.bench.script import script
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.tools.toolchain import OpenMPRuntime, output_of

SCRIPT = "bench.py"
_RUNTIME = "runtime"
_OWN_FOLDERS = ("bin", "inputs", "lib", _RUNTIME)
_EVERYWHERE = re.compile(r"(?:libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|linux-vdso|ld-linux[\w-]*)\.so")
"""Libraries that each machine has; another machine's would not work."""


def prepare(folder: Path) -> None:
    """Make the folder empty; refuse one that is not a packed folder."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--pack: '{folder}' is not a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / PLAN).is_file():
        raise UsageError(f"--pack: '{folder}' is not empty and no packed folder")
    for name in _OWN_FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def pack(plan: Plan, folder: Path, libraries: Sequence[Path] = ()) -> int:
    """Fill a prepared folder; return its size in bytes."""
    packed = _Packing(folder, {}).plan(plan, libraries)
    (folder / PLAN).write_text(json.dumps(plan_to_json(packed), indent=1) + "\n", encoding="utf-8")
    target = folder / SCRIPT
    target.write_text(script(), encoding="utf-8")
    target.chmod(0o755)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


@dataclass(frozen=True)
class _Packing:
    """Copies files into a folder, each once; ``brought`` says where they are there."""

    folder: Path
    brought: dict[Path, str]

    def plan(self, plan: Plan, libraries: Sequence[Path]) -> Plan:
        jobs = tuple(self._job(job) for job in plan.jobs)
        activity = self._activity(Path(plan.activity)) if plan.activity else None
        for library in libraries:
            self._bring(library, _RUNTIME)
        folders = (_RUNTIME,) if libraries else ()
        return dataclasses.replace(plan, jobs=jobs, activity=activity, library_folders=folders)

    def _activity(self, library: Path) -> str:
        """Bring the recorder, and CUPTI's own library where it lies beside it."""
        for file in sorted(library.parent.glob("libcupti.so*")):
            self._bring(file, "lib")
        return self._bring(library, "lib")

    def _job(self, job: Job) -> Job:
        expected = job.compare.expected
        there = self._bring(Path(expected), "inputs") if expected else None
        return dataclasses.replace(
            job,
            executables=tuple(self._executable(executable) for executable in job.executables),
            inputs=tuple((self._bring(Path(file), "inputs"), name) for file, name in job.inputs),
            compare=dataclasses.replace(job.compare, expected=there),
        )

    def _executable(self, executable: Executable) -> Executable:
        if executable.path is None:
            return executable
        source = Path(executable.path)
        is_new = source not in self.brought
        path = self._bring(source, "bin")
        if is_new:
            _strip(self.folder / path)
        return dataclasses.replace(executable, path=path)

    def _bring(self, source: Path, below: str) -> str:
        """Copy a file; return its path in the folder. Of two files with one name the second gets a number."""
        if source not in self.brought:
            place = self.folder / below
            place.mkdir(exist_ok=True)
            number, target = 1, place / source.name
            while target.exists():
                number += 1
                target = place / f"{number}-{source.name}"
            shutil.copy2(source, target)
            self.brought[source] = str(target.relative_to(self.folder))
        return self.brought[source]


def runtime_libraries(runtime: OpenMPRuntime) -> tuple[Path, ...]:
    """Return libomptarget and libomp by the names that programs look for, and what they need beyond the C library."""
    found: dict[str, Path] = {}
    for library in (runtime.omptarget, runtime.omp):
        name = re.search(r"SONAME\s+(\S+)", output_of("objdump", "-p", library))
        path = Path(library).with_name(name[1]) if name else Path(library)
        found.setdefault(path.name, path)
        for needed, where in re.findall(r"^\s*(\S+) => (/\S+)", output_of("ldd", str(path)), re.MULTILINE):
            if not _EVERYWHERE.match(needed):
                found.setdefault(needed, Path(where))
    return tuple(found.values())


def _strip(file: Path) -> None:
    program = shutil.which("strip")
    if program:
        subprocess.run((program, "--strip-unneeded", str(file)), capture_output=True, check=False)
