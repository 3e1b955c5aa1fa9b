"""A long run over the programs of a series: ``python -m generator.run --count 5000 --seed 1 --jobs 2``.

It is started in the folder ``tests``, and goes on where it was stopped. Programs go to the compiler several at a time,
in one translation unit; when that fails, one by one. Programs that the compiler refuses with an error of its own are
counted by message; every other failure is kept and reduced.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic

from random_programs.compilers import COMPILERS, SUFFIXES, Compiler, Outcome, examine, source_of
from random_programs.series import B, Series

FINE = ("same", "left out")


@dataclass
class Tally:
    """What came of the programs so far."""

    done: dict[str, str] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)

    def show(self) -> str:
        """Return a summary."""
        kinds = Counter(self.done.values())
        parts = [f"{len(self.done)} programs: " + ", ".join(f"{n} {k}" for k, n in kinds.most_common())]
        parts += [f"  refused {n:5} {message}" for message, n in self.refused.most_common()]
        parts += [f"  FAILED {n:5} {message}" for message, n in self.failed.most_common()]
        return "\n".join(parts)


class Run(Generic[B]):
    """A run over a series of programs with one compiler; its folder keeps what is done."""

    def __init__(self, folder: Path, compiler: Compiler, series: Series[B], seconds: float, reductions: int) -> None:
        folder = folder.resolve()  # compilers are started in a folder of theirs
        self.folder, self.compiler, self.series = folder, compiler, series
        self.seconds, self.reductions = seconds, reductions
        self.tally = Tally()
        self.lock = threading.Lock()
        self.log = folder / "done.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "failures").mkdir(exist_ok=True)
        if self.log.exists():
            for text in self.log.read_text().splitlines():
                self._count(json.loads(text))

    def _count(self, entry: dict[str, str]) -> None:
        self.tally.done[entry["name"]] = entry["kind"]
        if entry["kind"] == "refused":
            self.tally.refused[entry["detail"]] += 1
        elif entry["kind"] not in FINE:
            self.tally.failed[entry["detail"]] += 1

    def record(self, name: str, kind: str, detail: str = "") -> None:
        """Remember what came of a program."""
        entry = {"name": name, "kind": kind, "detail": detail}
        with self.lock:
            self._count(entry)
            with self.log.open("a") as log:
                log.write(json.dumps(entry) + "\n")

    # ---- one batch

    def batch(self, numbers: list[int]) -> None:
        """Compile and run the programs of these numbers, of one language."""
        numbers = [n for n in numbers if f"p{n}" not in self.tally.done]
        language = self.series.language(numbers[0]) if numbers else ""
        programs = {f"p{n}": self.series.make(n, language) for n in numbers}
        self.together(programs, language)

    def together(self, programs: dict[str, list[B]], language: str) -> None:
        """Judge programs in one unit; those to blame stand aside, or are looked for by halving."""
        if not programs:
            return
        if len(programs) == 1:
            self.alone(*next(iter(programs.items())), language)
            return
        every = [block for blocks in programs.values() for block in blocks]
        outcome = self.judge(f"b{next(iter(programs))}", every, language)
        if outcome.kind == "same":
            for name in programs:
                self.record(name, "same")
            return
        bad = {b.name for b in self.refused(every, outcome)} | set(outcome.blamed)
        aside = {n: blocks for n, blocks in programs.items() if any(b.name in bad for b in blocks)}
        for name, blocks in aside.items():
            self.alone(name, blocks, language)
        rest = [(n, blocks) for n, blocks in programs.items() if n not in aside]
        middle = len(rest) if aside else len(rest) // 2
        self.together(dict(rest[:middle]), language)
        self.together(dict(rest[middle:]), language)

    def judge(self, name: str, blocks: Sequence[B], language: str) -> Outcome:
        """Return what comes of a unit of blocks."""
        place = self.folder / f"work{threading.get_ident()}"
        source = source_of(place, name, self.series.text(blocks), language)
        try:
            expected, complaint = self.series.expected(place, source, blocks)
            if expected is None:
                return Outcome("plain", complaint) if complaint else Outcome("left out")
            return examine(self.compiler, place, source, expected, self.series.flags, self.series.read)
        finally:
            for path in place.glob(f"*{name}*"):
                path.unlink(missing_ok=True)

    def refused(self, blocks: Sequence[B], outcome: Outcome) -> list[B]:
        """Return the blocks in which a unit's errors stand."""
        found, line = [], 1
        for at, part in enumerate(self.series.parts(blocks)):
            lines = part.count("\n") + 1
            if 0 < at <= len(blocks) and any(line <= n < line + lines for n in outcome.lines):
                found.append(blocks[at - 1])
            line += lines
        return found

    def alone(self, name: str, blocks: list[B], language: str) -> None:
        """Judge one program: without the blocks that are refused, if there are others."""
        outcome, kept, refusal = Outcome("left out"), list(blocks), ""
        while kept:
            outcome = self.judge(name, kept, language)
            if outcome.kind != "refused":
                break
            refusal = refusal or outcome.signature.removeprefix("refused: ")
            bad = self.refused(kept, outcome)
            kept = [b for b in kept if b not in bad] if bad else []
        if kept and outcome.kind not in FINE:
            self.keep(name, language, outcome, kept)
            self.record(name, outcome.kind, outcome.signature)
        elif refusal:
            self.record(name, "refused", refusal)
        else:
            self.record(name, outcome.kind)

    def keep(self, name: str, language: str, outcome: Outcome, blocks: list[B]) -> None:
        """Write a failing program down, reduced if few like it have been seen."""
        path = self.folder / "failures" / f"{self.compiler.name}_{name}"
        suffix = SUFFIXES[language]
        path.with_name(path.name + "_whole" + suffix).write_text(self.series.text(blocks))
        if self.tally.failed[outcome.signature] < self.reductions:
            kind = outcome.signature

            def fails(candidate: list[B]) -> bool:
                return self.judge(name + "r", candidate, language).signature == kind

            blocks = self.series.reduced(blocks, fails, time.monotonic() + self.seconds)
            outcome = self.judge(name + "r", blocks, language)
        head = "".join(f"// {text}\n" for text in f"{outcome.kind}: {outcome.detail}".split("\n")[:20])
        path.with_name(path.name + suffix).write_text(head + self.series.text(blocks))


def command_line(description: str | None) -> argparse.ArgumentParser:
    """Return a command line that names the programs of a seed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main(kind: type[Series[B]]) -> int:
    """Run the command line of a series."""
    parser = command_line(kind.__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--compiler", choices=sorted(COMPILERS), default="rexcc")
    parser.add_argument("--command", default="", help="how to call the compiler, instead of this installation's rexcc")
    parser.add_argument("--folder", type=Path, default=None, help="where the run's state and failures are kept")
    parser.add_argument("--seconds", type=float, default=120, help="for reducing one failure")
    parser.add_argument("--reductions", type=int, default=2, help="how many failures of a kind are reduced")
    parser.add_argument("--level", default="-O1", help="of optimisation, for both sides")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after that time")
    given = parser.parse_args()
    folder = given.folder or Path("/tmp") / f"{kind.__name__.lower()}_{given.compiler}_{given.seed}"
    os.nice(10)
    compiler = COMPILERS[given.compiler]
    if given.command:
        compiler = replace(compiler, commands=dict.fromkeys(compiler.commands, tuple(given.command.split())))
    run = Run(folder, compiler, kind(given.seed, given.level), given.seconds, given.reductions)
    until = time.monotonic() + 60 * given.minutes
    last = given.first + given.count

    def batch(start: int) -> None:
        if time.monotonic() < until:
            run.batch([n for n in range(start, start + kind.batch) if n < last])

    with ThreadPoolExecutor(given.jobs) as pool:
        for at, _ in enumerate(pool.map(batch, range(given.first, last, kind.batch))):
            if at % 5 == 4:
                print(run.tally.show(), flush=True)
    print(run.tally.show())
    return 1 if run.tally.failed else 0
