"""What clang's tree says of the variables of each construct: clauses, implicit ones too, and what is captured.

In: a file and flags. Out: one :class:`Side` per construct with a captured statement. A captured variable that no clause
names is shared, or is what it was around the construct. The dump repeats a construct wherever it is part of a captured
declaration; its address tells that it is the same.
"""

from __future__ import annotations

import re
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile

from clang_maps import QUIET, ClangError, ignored_lines
from verdicts import Side

_OPTIONS = ("-fopenmp", "-fsyntax-only", "-Xclang", "-ast-dump", "-fno-color-diagnostics", *QUIET)
_PLACE = re.compile(r"<(?!col:|line:)(?P<file>[^<>\s,][^<>,]*?):(?P<first>\d+):\d+|(?:<|, |> )line:(?P<line>\d+):\d+")
_NODE = re.compile(r"(?P<indent>[ |`-]*)(?P<kind>[A-Z]\w+) (?P<address>0x[0-9a-f]+)")
_CLAUSE = re.compile(r"OMP(\w+)Clause")
_NAME = re.compile(r" (?:Var|ParmVar|Binding|Decomposition) 0x[0-9a-f]+ '([^']+)'")
_WORDS = frozenset(
    {"private", "firstprivate", "lastprivate", "shared", "linear", "reduction", "in_reduction", "task_reduction",
     "copyin", "map", "is_device_ptr", "has_device_addr", "use_device_ptr", "use_device_addr"}
)  # fmt: skip
_FEW = {"c": 2, "c++": 6}
"""So many functions are dumped one by one, each by a process."""
_REMEMBERED = 10_000
"""So many lines of a tree are looked through for the last one with a place."""
_PASSED = frozenset({"map", "is_device_ptr", "has_device_addr"})
"""Clauses of ``target`` that tell how a variable is passed; what is implicitly first-private there does so too."""


@dataclass
class _Open:
    """A construct whose lines are being read: where it is, and the part that is open."""

    depth: int
    line: int
    kind: str
    names: dict[str, set[str]] = field(default_factory=dict)
    captured: set[str] = field(default_factory=set)
    clause: str = ""
    item: bool = False
    statement: bool = False


def sharing_sides(clang: str, path: str, flags: Sequence[str], functions: Iterable[str]) -> list[Side]:
    """Return the constructs in these functions, in the order of clang's tree; ``function`` is the directive's kind.

    A few functions are dumped one by one, for a C++ file's whole tree has millions of lines and that of a C file some
    thousand; none means all of it, which instantiations of templates need.
    """
    names = sorted(set(functions))
    few = _FEW["c" if path.endswith(".c") else "c++"]
    filters = [("-Xclang", f"-ast-dump-filter={name}") for name in names] if 0 < len(names) <= few else [()]
    found: list[Side] = []
    for words in filters:
        found += _dumped([clang, *_OPTIONS, *words, *flags, path])
    return found


def _dumped(command: list[str]) -> list[Side]:
    with (
        TemporaryFile("w+") as messages,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages, text=True, errors="replace") as process,
    ):
        assert process.stdout is not None
        found = list(_sides(process.stdout))
        status = process.wait()
        messages.seek(0)
        text = messages.read()
    if status != 0:
        raise ClangError(text.strip().splitlines()[:1])
    partial = ignored_lines(text)
    return [replace(side, partial=side.line in partial) for side in found]


def _sides(lines: Iterable[str]) -> Iterator[Side]:
    stack: list[_Open] = []
    seen: set[str] = set()
    line = 0
    before: deque[str] = deque(maxlen=_REMEMBERED)
    for text in lines:
        if not stack and "OMP" not in text:  # most of a tree is the system headers'
            before.append(text)
            continue
        line = _line_behind(before, line)
        place = _PLACE.search(text)
        node = _NODE.match(text)
        if place is not None:
            line = int(place["first"] or place["line"])
        if node is None:
            continue
        depth, kind = len(node["indent"]), node["kind"]
        while stack and stack[-1].depth >= depth:
            yield _side(stack.pop())
        if kind.startswith("OMP") and kind.endswith("Directive"):
            if node["address"] not in seen:
                stack.append(_Open(depth, line, kind[3:-9]))
            seen.add(node["address"])
        elif stack:
            _read(stack[-1], depth - stack[-1].depth, kind, text)
        for later in _PLACE.finditer(text, place.end()) if place is not None else ():
            line = int(later["first"] or later["line"])
    while stack:
        yield _side(stack.pop())


def _line_behind(texts: deque[str], line: int) -> int:
    """Return the line that the last of these lines of a tree is in, and forget them."""
    while texts:
        places = list(_PLACE.finditer(texts.pop()))
        if places:
            texts.clear()
            return int(places[-1]["first"] or places[-1]["line"])
    return line


def _read(top: _Open, below: int, kind: str, text: str) -> None:
    """Read a line inside of a construct, so many columns further in: a clause, an item of it, or what is captured.

    The first variable of an item is what it is about; others are bounds.
    """
    if below == 2:
        clause = _CLAUSE.fullmatch(kind)
        top.clause = clause[1].lower() if clause is not None and clause[1].lower() in _WORDS else ""
        implicit = top.clause == "firstprivate" and "<implicit>" in text
        if top.kind.startswith("Target") and (top.clause in _PASSED or implicit):
            top.clause = ""
        top.statement = kind == "CapturedStmt"
    elif below == 4:
        top.item = True
    name = _NAME.search(text) if kind == "DeclRefExpr" else None
    if name is None:
        return
    if top.clause and top.item and below > 2:
        top.names.setdefault(name[1], set()).add(top.clause)
        top.item = False
    elif top.statement and below == 4:
        top.captured.add(name[1])


def _side(top: _Open) -> Side:
    verdicts = {name: " and ".join(sorted(words)) for name, words in top.names.items()}
    for name in top.captured:
        verdicts.setdefault(name, "shared")
    return Side(top.line, top.kind, {n: v for n, v in verdicts.items() if not n.startswith(".")})
