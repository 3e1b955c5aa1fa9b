"""The table of mapping shapes: our map arrays beside clang's, entry by entry.

``python -m maps.table`` from ``tests`` prints it: a line for each shape, ``=`` where both builds hand the runtime the
same entries, ``~`` where they differ on purpose, with the reason, ``!`` where nobody has explained why. ``--open``
prints the latter in the form that ``differences.txt`` wants.

In: the programs, the differences that are meant. Out: :class:`Row`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from maps.builds import NAMES, PROGRAMS, build_recorder, clang_shapes, our_shapes
from maps.records import Shape, difference

DIFFERENCES = Path(__file__).with_name("differences.txt")
_SHAPE = re.compile(r'(?:shape|begin|in_template<.*>)\(\s*"([^"]+)"')
_PRAGMA = re.compile(r"^[ \t]*#pragma omp (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Difference:
    """A difference that is meant: the names of its reasons, and the lines that only one side has."""

    reasons: tuple[str, ...]
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A shape with its directives, and what is different: nothing, something explained, or something open.

    ``faults`` are what goes wrong in our build when it runs, ``their_faults`` in clang's.
    """

    shape: str
    directives: str
    found: Difference
    reasons: tuple[str, ...]
    faults: tuple[str, ...]
    their_faults: tuple[str, ...]

    @property
    def state(self) -> str:
        """``=`` equal, ``~`` explained, ``!`` open."""
        return "=" if not (self.found.ours or self.found.theirs) else "~" if self.reasons else "!"

    def lines(self) -> list[str]:
        """Return the row in the form of ``differences.txt``."""
        mine, theirs = [f"  ours  {x}" for x in self.found.ours], [f"  clang {x}" for x in self.found.theirs]
        return [self.shape, f"  why   {', '.join(self.found.reasons) or '?'}", *mine, *theirs]


def read_differences(text: str) -> tuple[dict[str, str], dict[str, Difference]]:
    """Return the reasons by name and the differences by shape."""
    reasons: dict[str, str] = {}
    found: dict[str, Difference] = {}
    for block in re.split(r"\n\s*\n", text.strip()):
        head, *lines = [line for line in block.splitlines() if not line.startswith("#")] or [""]
        if head.startswith("["):
            name, _, reason = head[1:].partition("]")
            reasons[name] = " ".join([reason.strip(), *(line.strip() for line in lines)])
        elif head:
            parts = [line.strip().partition(" ") for line in lines]
            named = [tuple(p[2].strip() for p in parts if p[0] == word) for word in ("why", "ours", "clang")]
            found[head] = Difference(tuple(w.strip() for w in named[0][0].split(",")), named[1], named[2])
    return reasons, found


def directives(source: str) -> dict[str, str]:
    """Return, for each shape of a program, the directives that stand between it and the next shape."""
    starts = [(m.start(), m[1]) for m in _SHAPE.finditer(source)]
    ends = [*(at for at, _ in starts[1:]), len(source)]
    return {
        name: "; ".join(m[1].strip() for m in _PRAGMA.finditer(source, at, end))
        for (at, name), end in zip(starts, ends, strict=True)
    }


def rows(name: str, folder: Path, recorder: Path) -> list[Row]:
    """Return the rows of a program."""
    known = read_differences(DIFFERENCES.read_text())[1]
    clauses = directives((PROGRAMS / name).read_text())
    ours, theirs = our_shapes(name, folder, recorder), clang_shapes(name, folder, recorder)
    assert list(ours) == list(theirs)
    named = {shape: clauses[shape] or "the directive of a template" for shape in ours}
    return [_row(shape, named[shape], ours[shape], theirs[shape], known) for shape in ours]


def _row(shape: str, clauses: str, ours: Shape, theirs: Shape, known: dict[str, Difference]) -> Row:
    mine, other = difference(ours, theirs)
    meant = known.get(shape)
    reasons = meant.reasons if meant is not None and (meant.ours, meant.theirs) == (mine, other) else ()
    return Row(shape, clauses, Difference(reasons, mine, other), reasons, tuple(ours.faults), tuple(theirs.faults))


def table(names: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
    """Yield the programs with their rows."""
    with tempfile.TemporaryDirectory() as scratch:
        recorder = build_recorder(Path(scratch))
        for name in names:
            folder = Path(scratch) / name
            folder.mkdir()
            yield name, rows(name, folder, recorder)


def main(arguments: Sequence[str]) -> int:
    """Print the table of all programs, or of those named."""
    reasons = read_differences(DIFFERENCES.read_text())[0]
    count = {"=": 0, "~": 0, "!": 0}
    only_open = "--open" in arguments
    for name, found in table([a for a in arguments if a != "--open"] or NAMES):
        print(f"# {name}" if only_open else f"{name}:")
        for row in found:
            count[row.state] += 1
            if only_open and row.state == "!":
                print("\n".join(["", *row.lines()]))
            if not only_open:
                print(f"{row.state} {row.shape}\n      {row.directives}")
                print("".join(f"      {reasons[r]}\n" for r in row.reasons), end="")
                print("".join(f"      OURS IS WRONG: {f}\n" for f in row.faults), end="")
                print("".join(f"      clang's build: {f}\n" for f in row.their_faults), end="")
    total = sum(count.values())
    print(f"# {total} shapes, {count['=']} equal, {count['~']} explained, {count['!']} open")
    return 1 if count["!"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
