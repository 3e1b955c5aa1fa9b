"""The long run: ``python -m generator.run --count 5000 --seed 1 --jobs 2``, in the folder ``tests``; it can be resumed.

Programs go to the compiler several at a time, in one translation unit; when that fails, one by one. Programs that the
compiler refuses with an error of its own are counted by message; every other failure is kept and reduced.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from generator.peers import COMPILERS, Compiler, Outcome, examine, plain_output, source_of
from generator.program import Block, make_program, unit_parts
from generator.reduce import Reducer


class Named(Protocol):
    """A block: a function of this name, which prints it first."""

    @property
    def name(self) -> str:
        """The name."""


B = TypeVar("B", bound=Named)
BATCH = 20
"""Programs that go to the compiler together."""


class Series(Protocol[B]):
    """Programs by number: how they are made, what they must print, how they are reduced."""

    def make(self, number: int, language: str) -> list[B]:
        """Return the blocks of a program."""

    def parts(self, blocks: Sequence[B]) -> list[str]:
        """Return a unit's text in parts: those of the blocks, one before and one after."""

    def expected(self, place: Path, source: Path, blocks: Sequence[B]) -> tuple[str | None, str]:
        """Return what a unit must print, or None and the reason."""

    def read(self, output: str) -> str:
        """Return of an output what is compared."""

    def reduced(self, blocks: list[B], fails: Callable[[list[B]], bool], seconds: float) -> list[B]:
        """Return fewer and smaller blocks that still fail."""


@dataclass(frozen=True)
class Regions:
    """Programs of target regions, which print the same without OpenMP."""

    seed: int
    level: str

    def make(self, number: int, language: str) -> list[Block]:
        """Return the blocks of a program."""
        return make_program(self.seed, number, language).blocks

    def parts(self, blocks: Sequence[Block]) -> list[str]:
        """Return a unit's text in parts."""
        return unit_parts(blocks)

    def expected(self, place: Path, source: Path, blocks: Sequence[Block]) -> tuple[str | None, str]:
        """Return what a unit prints without OpenMP."""
        return plain_output(place, source, self.level)

    def read(self, output: str) -> str:
        """Return the output."""
        return output

    def reduced(self, blocks: list[Block], fails: Callable[[list[Block]], bool], seconds: float) -> list[Block]:
        """Return fewer and smaller blocks that still fail."""
        return Reducer(blocks, fails, seconds).run()


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

    def __init__(
        self, folder: Path, compiler: Compiler, series: Series[B], seconds: float, reductions: int, level: str = "-O1"
    ) -> None:
        self.folder, self.compiler, self.series = folder, compiler, series
        self.seconds, self.reductions, self.level = seconds, reductions, level
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
        elif entry["kind"] != "same":
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
        if not numbers:
            return
        language = language_of(numbers[0])
        self.together({f"p{n}": self.series.make(n, language) for n in numbers}, language)

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
        source = source_of(place, name, "\n".join(self.series.parts(blocks)), language)
        try:
            expected, complaint = self.series.expected(place, source, blocks)
            if expected is None:
                return Outcome("plain", complaint)
            return examine(self.compiler, place, source, expected, self.level, self.series.read)
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
        kept, refusal = list(blocks), ""
        while kept:
            outcome = self.judge(name, kept, language)
            if outcome.kind != "refused":
                break
            refusal = refusal or outcome.signature.removeprefix("refused: ")
            bad = self.refused(kept, outcome)
            kept = [b for b in kept if b not in bad] if bad else []
        if kept and outcome.kind != "same":
            self.keep(name, language, outcome, kept)
            self.record(name, outcome.kind, outcome.signature)
        elif refusal:
            self.record(name, "refused", refusal)
        else:
            self.record(name, "same")

    def keep(self, name: str, language: str, outcome: Outcome, blocks: list[B]) -> None:
        """Write a failing program down, reduced if few like it have been seen."""
        seen = self.tally.failed[outcome.signature]
        path = self.folder / "failures" / f"{self.compiler.name}_{name}"
        suffix = ".c" if language == "c" else ".cpp"
        path.with_name(path.name + "_whole" + suffix).write_text("\n".join(self.series.parts(blocks)))
        if seen < self.reductions:
            kind = outcome.signature

            def fails(candidate: list[B]) -> bool:
                return self.judge(name + "r", candidate, language).signature == kind

            blocks = self.series.reduced(blocks, fails, self.seconds)
            outcome = self.judge(name + "r", blocks, language)
        head = "".join(f"// {text}\n" for text in f"{outcome.kind}: {outcome.detail}".split("\n")[:20])
        path.with_name(path.name + suffix).write_text(head + "\n".join(self.series.parts(blocks)))


def language_of(number: int) -> str:
    """Return the language of a program: one batch of five is C++."""
    return "c++" if number // BATCH % 5 == 4 else "c"


def command_line(description: str | None, name: str, series: Callable[[argparse.Namespace], Series[B]]) -> int:
    """Run the command line over a series of programs."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--compiler", choices=sorted(COMPILERS), default="rexcc")
    parser.add_argument("--command", default="", help="how to call the compiler, instead of this installation's rexcc")
    parser.add_argument("--folder", type=Path, default=None, help="where the run's state and failures are kept")
    parser.add_argument("--seconds", type=float, default=120, help="for reducing one failure")
    parser.add_argument("--reductions", type=int, default=2, help="how many failures of a kind are reduced")
    parser.add_argument("--level", default="-O1", help="of optimisation, for both sides")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after that time")
    given = parser.parse_args()
    folder = given.folder or Path("/tmp") / f"{name}_{given.compiler}_{given.seed}"
    os.nice(10)
    compiler = COMPILERS[given.compiler]
    if given.command:
        compiler = replace(compiler, commands=dict.fromkeys(compiler.commands, tuple(given.command.split())))
    run = Run(folder, compiler, series(given), given.seconds, given.reductions, given.level)
    until = time.monotonic() + 60 * given.minutes
    last = given.first + given.count

    def batch(start: int) -> None:
        if time.monotonic() < until:
            run.batch([n for n in range(start, start + BATCH) if n < last])

    with ThreadPoolExecutor(given.jobs) as pool:
        for at, _ in enumerate(pool.map(batch, range(given.first, last, BATCH))):
            if at % 5 == 4:
                print(run.tally.show(), flush=True)
    print(run.tally.show())
    return 1 if run.tally.failed else 0


def main() -> int:
    """Run the command line."""
    return command_line(__doc__, "generator", lambda given: Regions(given.seed, given.level))


if __name__ == "__main__":
    sys.exit(main())
