"""Compare our analysis with clang's code: ``python compare.py FILE… [-- FLAG…]``.

In: files and compiler flags. Out: counts of constructs and variables, and each difference with its place; differences
that are meant have a reason and are counted by it. The exit status tells whether any is left.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clang_maps import ClangError, clang_sides
from clang_sharing import sharing_sides
from our_maps import our_sides, parse
from our_sharing import sharing_of_unit
from verdicts import (
    ABSENT,
    BOUND,
    CAPTURED,
    COMBINED,
    CONST,
    CONSTANT,
    DEFAULTED,
    FIRSTPRIVATE,
    FIRSTPRIVATE_POINTER,
    GLOBAL,
    INDEX,
    LAST,
    MEASURED,
    MEMBER_ON_DEVICE,
    OUTSIDE,
    POINTER,
    REDUCED,
    SHAPED,
    TASKS,
    UNUSED,
    Side,
)

from rexcc.source.diagnostics import CompileError, DiagnosticSink

CLANG = "clang-19"

_ELEMENT = re.compile(r"(?:__)?rex_\w+_\d+")
"""The name of an element of a parameter pack."""

EXPLAINED = (
    (ABSENT, "", CONSTANT, "a constant: the kernel knows it, clang passes it where its address is needed"),
    ("shared", ABSENT, CONSTANT, "a constant: clang takes its value"),
    ("shared", ABSENT, GLOBAL, "a global variable: shared, so clang captures nothing"),
    (ABSENT, "", "declare target", "a declare target variable that a clause inside names: clang passes it too"),
    (ABSENT, FIRSTPRIVATE, "the iteration variable", "an iteration variable, private: clang passes a value"),
    (ABSENT, FIRSTPRIVATE, "'", "private on a construct joined with target: clang passes a value"),
    (ABSENT, FIRSTPRIVATE, "traits", "traits of an allocator: read on the host, clang passes the array too"),
    (
        "",
        ABSENT,
        "declare target makes",
        "a declare target variable in other storage: an argument; clang has a pointer",
    ),
    (ABSENT, "", "memory allocator", "an allocator of the region: made by the host"),
    ("lambda", "", "lambda", "a lambda: defined again in the kernel, clang passes its captures"),
    ("map(tofrom)", FIRSTPRIVATE, LAST, "lastprivate or linear: mapped tofrom by 5.2, 5.8.1; clang does not"),
    ("map(from)", "map(tofrom)", LAST, "the index of simd under defaultmap(from): clang maps it tofrom"),
    ("map(tofrom)", ABSENT, LAST, "the index of loop is lastprivate (5.2, 5.1.1); clang keeps it private"),
    ("map(to)", "map(tofrom)", CONST, "a const object needs no way back; clang copies it back"),
    ("", "map(tofrom)", REDUCED, "what is mapped, or its object, is reduced there (17.2); clang maps it twice"),
    ("map(tofrom)", "map(alloc)", SHAPED, "a member with a shape: clang passes the place, but copies nothing"),
    ("", ABSENT, MEASURED, "a variable of which only the size or the type is asked for"),
    ("map(alloc)", POINTER, "", "implicitly map(alloc): its bits are those of a zero-length section"),
    (FIRSTPRIVATE, "", FIRSTPRIVATE_POINTER, "a first-private pointer keeps its value; clang looks it up"),
    ("", "", CAPTURED, "a lambda: defined again in the kernel, clang passes its captures"),
    ("shared", FIRSTPRIVATE, COMBINED, "taskloop combined with parallel: shared in the parallel, so in the tasks"),
    (ABSENT, "", BOUND, "only in headers of a combined construct's loops: the host evaluates them; clang maps it too"),
    (ABSENT, FIRSTPRIVATE, UNUSED, "a first-private variable that the region does not use: clang passes it"),
    (ABSENT, FIRSTPRIVATE, OUTSIDE, "a variable in a clause of a construct joined with target: read on the host"),
    ("", "shared", DEFAULTED, "default on a part of target: clang's tree tells no parts apart"),
    ("", ABSENT, TASKS, "a global variable that only tasks of the region use: clang forgets to pass it"),
    ("", "shared", INDEX, "an iteration variable: predetermined, clang captures it"),
    (ABSENT, "", MEMBER_ON_DEVICE, "a member that is on the device: an argument of its own; clang maps *this for it"),
    (ABSENT, "", "a private clause inside", "hidden by a private clause inside: clang passes what is mapped"),
    (ABSENT, "", INDEX, "an iteration variable: private, clang's tree does not say so"),
    ("", ABSENT, INDEX, "an iteration variable: predetermined, clang's tree does not say so"),
)
"""Differences that are meant: our verdict, clang's, the start of our remark (each may be anything), and why."""


@dataclass
class Report:
    """What a comparison found; ``differences`` are those without an explanation."""

    constructs: int = 0
    variables: int = 0
    agreed: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def add(self, other: Report) -> None:
        """Add the numbers of another file."""
        self.constructs += other.constructs
        self.variables += other.variables
        self.agreed += other.agreed
        self.explained += other.explained
        self.differences += other.differences
        self.skipped += other.skipped

    def lines(self) -> list[str]:
        """Return the report as text."""
        found = [f"{self.constructs} constructs, {self.variables} variables, {self.agreed} agree"]
        found += [f"  {n:5} explained: {why}" for why, n in self.explained.most_common()]
        found += [f"  {n:5} constructs not compared: {why}" for why, n in self.skipped.most_common()]
        return [*found, *self.differences]


def compare_file(path: str, flags: Sequence[str]) -> Report:
    """Compare one file, what regions get and what each construct shares; flags are those of a compiler command."""
    report = Report()
    unit = parse(path, flags, DiagnosticSink())
    if unit is None:
        return report
    plain = all(f.template is None for f in unit.functions)
    functions = [f.node.spelling for f in unit.functions] if plain else []
    try:
        passed, shared = _clang(path, flags, functions)
    except ClangError as problem:
        report.skipped[f"clang rejects the file: {problem}"] += 1
        return report
    compare_sides(path, our_sides(unit), passed, report)
    compare_sides(path, sharing_of_unit(unit), shared, report)
    return report


def _clang(path: str, flags: Sequence[str], functions: list[str]) -> tuple[list[Side], list[Side]]:
    """Return what clang passes and shares; what it rejects as OpenMP 5.1 may be 5.2."""
    try:
        return clang_sides(CLANG, path, flags), sharing_sides(CLANG, path, flags, functions)
    except ClangError as problem:
        newer = [*flags, "-fopenmp-version=52"]
        try:
            return clang_sides(CLANG, path, newer), sharing_sides(CLANG, path, newer, functions)
        except ClangError:
            raise problem from None


def compare_sides(path: str, ours: Iterable[Side | CompileError], theirs: list[Side], report: Report) -> None:
    """Compare constructs with those of the same line and function, or kind, in order."""
    waiting: dict[tuple[int, str], list[Side]] = {}
    for side in theirs:
        waiting.setdefault((side.line, side.function), []).append(side)
    for mine in ours:
        if isinstance(mine, CompileError):
            report.skipped[f"we refuse it: {mine.diagnostic.code}: {path}: {mine.diagnostic.message}"] += 1
            continue
        partners = waiting.get((mine.line, mine.function), [])
        if not partners:
            if mine.verdicts:
                report.skipped["clang has nothing at that line: a pragma in a macro, or code that it leaves out"] += 1
            continue
        partner = max(partners, key=lambda other: _agreements(mine, other))
        if len(partners) > 1:
            partners.remove(partner)
        if any(_ELEMENT.fullmatch(name) for name in mine.verdicts):
            report.skipped["elements of parameter packs: each side has names of its own for them"] += 1
        elif partner.partial:
            report.skipped["clang ignores a part of the directive"] += 1
        else:
            _compare(path, mine, partner, report)


def _agree(mine: str, other: str) -> bool:
    """Whether verdicts are the same; what a construct has no rule for is as around it, which clang takes as shared."""
    return mine == other or (mine, other) == (ABSENT, "shared")


def _agreements(ours: Side, theirs: Side) -> int:
    names = ours.verdicts.keys() & theirs.verdicts.keys()
    return sum(_agree(ours.verdicts[name], theirs.verdicts[name]) for name in names)


def _compare(path: str, ours: Side, theirs: Side, report: Report) -> None:
    report.constructs += 1
    for name in sorted(ours.verdicts.keys() | theirs.verdicts.keys()):
        mine, other = ours.verdicts.get(name, ABSENT), theirs.verdicts.get(name, ABSENT)
        report.variables += 1
        if _agree(mine, other):
            report.agreed += 1
        elif why := explanation(mine, other, ours.notes.get(name, "")):
            report.explained[why] += 1
        else:
            report.differences.append(f"{path}:{ours.line}: {name}: ours {mine}, clang {other}")


def explanation(mine: str, other: str, note: str) -> str:
    """Return why a difference is meant, or an empty string."""
    for ours, theirs, notes, why in EXPLAINED:
        if ours in ("", mine) and theirs in ("", other) and (not notes or note.startswith(notes)):
            return why
    return ""


def main(arguments: list[str]) -> int:
    """Compare the files of a command line."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    total = Report()
    for path in arguments[:at]:
        total.add(compare_file(path, arguments[at + 1 :]))
    print("\n".join(total.lines()))
    return 1 if total.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
