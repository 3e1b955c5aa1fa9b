"""The check as a command: ``scripts/check_tokens [FLAG…] FILE…`` or ``scripts/check_tokens compile_commands.json``.

Each file is translated with the flags and compared; of a compilation database each command, in its folder. Nothing is
built or run, and no GPU is needed. What differs is printed with its place in the user's file, its place in the
generated one and the tokens of both; at the end stands what could not be compared, and why. The exit status is 1 where
something differs or a copy could not be followed.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tokens.checking import Checked, check

_SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|C|c\+\+)$")
_SHOWN = 5


@dataclass(frozen=True)
class Job:
    """A file with its flags, and the folder in which the command runs."""

    name: str
    arguments: tuple[str, ...]
    folder: str


def jobs_of(words: Sequence[str]) -> list[Job]:
    """Return what a command line asks for."""
    databases = [word for word in words if word.endswith(".json")]
    if databases:
        return [job for path in databases for job in _of_database(Path(path))]
    sources = [word for word in words if _SOURCE.search(word) and not word.startswith("-")]
    flags = tuple(word for word in words if word not in sources)
    return [Job(source, (*flags, source), ".") for source in sources]


def _of_database(path: Path) -> Iterator[Job]:
    for entry in json.loads(path.read_text(encoding="utf-8")):
        words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
        yield Job(entry["file"], tuple(_without_output(words[1:])), entry["directory"])


def _without_output(words: Sequence[str]) -> Iterator[str]:
    rest = iter(words)
    for word in rest:
        if word == "-o":
            next(rest, None)
        elif word != "-c":
            yield word


def run(job: Job) -> Checked:
    """Check one file."""
    try:
        return check(job.arguments, job.folder)
    except Exception as problem:  # one file must not end the run
        return Checked(f"failed: {type(problem).__name__}: {problem}")


def _report(job: Job, found: Checked) -> None:
    state = found.problem or ("different" if found.differences else "lost" if found.lost else "same")
    copied = ", ".join(f"{count} tokens of {name}" for name, count in found.copied.items())
    print(f"{job.name}: {state}{f' ({copied})' if copied and not found.problem else ''}")
    for difference in found.differences[:_SHOWN]:
        print(f"  {difference}")
    if len(found.differences) > _SHOWN:
        print(f"  … and {len(found.differences) - _SHOWN} more")
    for text in found.lost[:_SHOWN]:
        print(f"  not followed: {text}")


def main(words: Sequence[str]) -> int:
    """Check what a command line names and say what was found."""
    jobs = jobs_of(words)
    if not jobs:
        print(__doc__)
        return 2
    kinds: Counter[str] = Counter()
    bad = 0
    with ProcessPoolExecutor(min(len(jobs), os.cpu_count() or 1)) as pool:
        for job, found in zip(jobs, pool.map(run, jobs), strict=True):
            _report(job, found)
            kinds[found.problem.partition(":")[0] or "compared"] += 1
            bad += bool(found.differences or found.lost or found.problem.startswith("failed"))
    print(f"{len(jobs)} files: {', '.join(f'{n} {kind}' for kind, n in kinds.items())}; {bad} with differences")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
