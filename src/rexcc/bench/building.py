"""Building the variants of all programs.

In: a manifest and variants. Out: a :class:`Plan` whose executables lie in a folder. A program that fails to build is a
row with the compiler's first error, not an end; what needs no new build keeps its executable when that is asked for.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rexcc.bench.manifest import Manifest, Program
from rexcc.bench.plan import OURS, Executable, Job
from rexcc.bench.variants import Variant, command
from rexcc.driver.commands.processors import usable_cpus
from rexcc.target.nvptx_image import with_old_headers_inside

Say = Callable[[str], None]
_TIMEOUT_SECONDS = 900.0
_SHOWN = 300


@dataclass(frozen=True)
class Build:
    """Builds programs of a manifest into ``folder``; with ``reuse`` peers that are up to date stay as they are."""

    manifest: Manifest
    folder: Path
    variants: tuple[Variant, ...]
    reuse: bool
    say: Say

    def jobs(self) -> tuple[Job, ...]:
        """Build everything, and return one job for each run of each program."""
        self.folder.mkdir(parents=True, exist_ok=True)
        pairs = [(program, variant) for program in self.manifest.programs for variant in self._of(program)]
        with ThreadPoolExecutor(usable_cpus()) as pool:
            built = list(pool.map(lambda pair: self._build(*pair), pairs))
        found: dict[str, list[Executable]] = {}
        for (program, _), executable in zip(pairs, built, strict=True):
            found.setdefault(program.name, []).append(executable)
        return tuple(job for program in self.manifest.programs for job in jobs_of(program, found[program.name]))

    def _of(self, program: Program) -> list[Variant]:
        """Return the variants that a program has."""
        return [variant for variant in self.variants if _has(program, variant)]

    def _build(self, program: Program, variant: Variant) -> Executable:
        output = self.folder.resolve() / f"{program.name}.{variant.name}"
        reason = variant.missing or self._made(program, variant, output)
        if reason:
            self.say(f"{program.name}: {variant.name} was not built: {reason}")
        return Executable(variant.name, None if reason else str(output), reason, variant.environment)

    def _made(self, program: Program, variant: Variant, output: Path) -> str:
        """Make an executable; return why that failed, or nothing."""
        argv = command(variant, program, self.manifest.folder, output)
        if self.reuse and variant.name != OURS and _is_up_to_date(program, argv, output):
            return ""
        output.unlink(missing_ok=True)
        reason = _compiled(argv, self.manifest.folder)
        if reason:
            return reason
        if not output.is_file():
            return "the compiler made no executable"
        if variant.old_headers:
            relabel(output)
        _note_of(output).write_text(json.dumps(argv), encoding="utf-8")
        return ""


def _has(program: Program, variant: Variant) -> bool:
    if variant.name == "cuda":
        return bool(program.cuda_sources)
    return variant.name != "host" or program.compare.reference == "host"


def _note_of(output: Path) -> Path:
    return output.with_name(f"{output.name}.command")


def _is_up_to_date(program: Program, argv: Sequence[str], output: Path) -> bool:
    """Whether an executable is of the same command and newer than every file beside the sources."""
    note = _note_of(output)
    if not output.is_file() or not note.is_file() or json.loads(note.read_text(encoding="utf-8")) != list(argv):
        return False
    folders = {source.parent for source in (*program.sources, *program.cuda_sources)}
    newest = max(file.stat().st_mtime for folder in folders for file in folder.iterdir() if file.is_file())
    return output.stat().st_mtime > newest


def _compiled(argv: Sequence[str], folder: Path) -> str:
    try:
        done = subprocess.run(
            argv, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=_TIMEOUT_SECONDS, check=False
        )
    except OSError as problem:
        return f"cannot run {argv[0]}: {problem.strerror}"
    except subprocess.TimeoutExpired:
        return f"the compiler took more than {_TIMEOUT_SECONDS:g} s"
    if done.returncode == 0:
        return ""
    return first_error((done.stderr + done.stdout).decode(errors="replace"), done.returncode)


def first_error(text: str, status: int) -> str:
    """Return the line of a compiler's output that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines[-1:]
    return telling[0][:_SHOWN] if telling else f"the compiler ended with status {status}"


def relabel(file: Path) -> None:
    """Give the cubins in an executable the header that old libomptargets read."""
    old = file.read_bytes()
    new = with_old_headers_inside(old)
    if new != old:
        times = file.stat()
        file.write_bytes(new)
        os.utime(file, (times.st_atime, times.st_mtime))


def jobs_of(program: Program, executables: Sequence[Executable]) -> list[Job]:
    """Return the jobs of a program: one for each of its runs."""
    job = Job(
        name=program.name,
        executables=tuple(executables),
        cuda_arguments=program.cuda_arguments,
        inputs=tuple((str(file), name) for file, name in program.inputs),
        environment=dict(program.environment),
        compare=dataclasses.replace(program.compare, expected=str(program.expected) if program.expected else None),
        printed=program.printed,
        ignore_kernels=program.ignore_kernels,
        decides=program.decides,
        note=program.note,
    )
    return [
        dataclasses.replace(job, name=f"{program.name}/{run}" if run else program.name, arguments=arguments)
        for run, arguments in program.runs
    ]
