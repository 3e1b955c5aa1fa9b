"""Packed folders: what was built, with inputs and one script, for a machine without network, compiler or rexcc.

In: a plan whose paths are absolute. Out: a folder with ``bench.py``, ``plan.json``, the executables, inputs and, where
CUPTI was found, the library that records GPU time; the paths of its plan are relative to it.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
from pathlib import Path

from rexcc.bench.packed import PLAN
from rexcc.bench.plan import Executable, Job, Plan, plan_to_json
from rexcc.bench.script import script
from rexcc.driver.command_line import UsageError

SCRIPT = "bench.py"
_OWN_FOLDERS = ("bin", "inputs", "lib")


def prepare(folder: Path) -> None:
    """Make the folder empty; refuse one that is not a packed folder."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--pack: '{folder}' is not a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / PLAN).is_file():
        raise UsageError(f"--pack: '{folder}' is not empty and no packed folder")
    for name in _OWN_FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def pack(plan: Plan, folder: Path) -> int:
    """Fill a prepared folder; return its size in bytes."""
    activity = _activity(Path(plan.activity), folder) if plan.activity else None
    jobs = tuple(_job(job, folder) for job in plan.jobs)
    packed = dataclasses.replace(plan, jobs=jobs, activity=activity, library_folders=())
    (folder / PLAN).write_text(json.dumps(plan_to_json(packed), indent=1) + "\n", encoding="utf-8")
    target = folder / SCRIPT
    target.write_text(script(), encoding="utf-8")
    target.chmod(0o755)
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _activity(library: Path, folder: Path) -> str:
    """Copy the recorder, and CUPTI's own library where it lies beside it."""
    for file in sorted(library.parent.glob("libcupti.so*")):
        _brought(file, folder, "lib")
    return _brought(library, folder, "lib")


def _job(job: Job, folder: Path) -> Job:
    expected = job.compare.expected
    compare = dataclasses.replace(
        job.compare, expected=_brought(Path(expected), folder, "inputs") if expected else None
    )
    return dataclasses.replace(
        job,
        executables=tuple(_executable(executable, folder) for executable in job.executables),
        inputs=tuple((_brought(Path(file), folder, "inputs"), name) for file, name in job.inputs),
        compare=compare,
    )


def _executable(executable: Executable, folder: Path) -> Executable:
    if executable.path is None:
        return executable
    source = Path(executable.path)
    known = (folder / "bin" / source.name).exists()
    path = _brought(source, folder, "bin")
    if not known:
        _strip(folder / path)
    return dataclasses.replace(executable, path=path)


def _brought(source: Path, folder: Path, below: str) -> str:
    """Copy a file into the packed folder, once; return its path there. Files of one name get numbers."""
    place = folder / below
    place.mkdir(exist_ok=True)
    number, target = 1, place / source.name
    while target.exists() and target.resolve() != source.resolve() and not _is_copy(target, source):
        number += 1
        target = place / f"{number}-{source.name}"
    if not target.exists():
        shutil.copy2(source, target)
    return str(target.relative_to(folder))


def _is_copy(target: Path, source: Path) -> bool:
    """Whether a file was copied from another, which may have been stripped since."""
    if target.parent.name == "bin":
        return True
    return target.stat().st_size == source.stat().st_size and target.read_bytes() == source.read_bytes()


def _strip(file: Path) -> None:
    program = shutil.which("strip")
    if program:
        subprocess.run((program, "--strip-unneeded", str(file)), capture_output=True, check=False)
