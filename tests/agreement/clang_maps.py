"""What clang passes to a target region, read from the host code that it generates.

In: a file and flags. Out: one :class:`Side` per target construct. A construct's map-type array has a row for each
captured variable, in the order of the parameters of the outlined function, whose names are the variables'; rows that
follow without ``TARGET_PARAM`` are further parts of the variable before them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from verdicts import FIRSTPRIVATE, POINTER, Side, mapped

_WORDS = {
    0x1: "to", 0x2: "from", 0x4: "always", 0x8: "delete", 0x400: "close", 0x1000: "present", 0x2000: "ompx_hold",
}  # fmt: skip
_PARAM, _PRIVATE, _LITERAL, _IMPLICIT = 0x20, 0x80, 0x100, 0x200
QUIET = ("-Wno-everything", "-Wextra-tokens", "-fno-crash-diagnostics")
"""Clang says nothing but where it ignores the rest of a directive, and writes no reports where it crashes."""
_EXTRA = re.compile(r":(\d+):\d+: warning: extra tokens at the end of '#pragma omp")
_OPTIONS = (
    "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "--offload-host-only", "-S", "-emit-llvm", "-O0", *QUIET,
    "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-gline-tables-only", "-o", "-",
)  # fmt: skip
_TYPES = re.compile(r"^@(\.offload_maptypes[.\d]*) = .*?\[\d+ x i64\] (?:\[(.*)\]|zeroinitializer)")
_NAMES = re.compile(r"^@(\.offload_mapnames[.\d]*) = .*?\[(ptr .*)\]")
_STRING = re.compile(r'^@([\w.]+) = .* c";(.*?);[^"]*"')
_STORED = re.compile(r"store ptr @(\.offload_map(?:types|names)[.\d]*),")
_CALLED = re.compile(r"@__tgt_target_kernel\(.*ptr @\.(__omp_offloading_\w+)\.region_id")
_KERNEL = re.compile(r"^define .*@(__omp_offloading_[\w]+)\((.*)\) ")
_PLACE = re.compile(r"__omp_offloading_[0-9a-f]+_[0-9a-f]+_(.*)_l(\d+)(?:_\d+)?$")
_EXTENT = re.compile(r"vla\d*")
"""The name that clang gives to extents of arrays, which may be the name of a variable as well."""
_PARAMETER = re.compile(r"%([\w.]+)(?=,|$)")


@dataclass(frozen=True)
class _Row:
    flags: int
    item: str


class ClangError(Exception):
    """Clang rejects the program."""


def clang_sides(clang: str, path: str, flags: Sequence[str]) -> list[Side]:
    """Return the target constructs of a file, in the order of clang's code."""
    command = [clang, *_OPTIONS, *flags, path]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise ClangError(done.stderr.strip().splitlines()[:1] or [f"status {done.returncode}"])
    partial = ignored_lines(done.stderr)
    return [replace(side, partial=side.line in partial) for side in _sides(done.stdout.splitlines())]


def ignored_lines(messages: str) -> set[int]:
    """Return the lines of directives of which clang ignores the rest."""
    return {int(number) for number in _EXTRA.findall(messages)}


def _sides(lines: list[str]) -> Iterator[Side]:
    strings = {m[1]: m[2] for line in lines if (m := _STRING.match(line))}
    types = {m[1]: _numbers(m[2]) for line in lines if (m := _TYPES.match(line))}
    names = {
        m[1]: [strings.get(p, "") for p in re.findall(r"@([\w.]+)", m[2])] for x in lines if (m := _NAMES.match(x))
    }
    parameters = {m[1]: _parameters(m[2]) for line in lines if (m := _KERNEL.match(line))}
    stored: dict[str, str] = {}
    for line in lines:
        if found := _STORED.search(line):
            stored["types" if "types" in found[1] else "names"] = found[1]
        elif found := _CALLED.search(line):
            flags = types.get(stored.get("types", ""), [])
            items = names.get(stored.get("names", ""), [""] * len(flags))
            rows = [_Row(f, i) for f, i in zip(flags, items, strict=True)]
            yield _side(found[1], parameters.get(found[1], []), rows)
            stored = {}


def _numbers(text: str | None) -> list[int]:
    return [int(n) for n in re.findall(r"i64 (-?\d+)", text or "")]


def _parameters(text: str) -> list[str]:
    """Return the names in a parameter list; attributes have commas only inside of parentheses."""
    flat = re.sub(r"\([^()]*\)", "", text)
    return [re.sub(r"\.addr$", "", n) for n in _PARAMETER.findall(flat) if n != "dyn_ptr"]


def _side(kernel: str, parameters: list[str], rows: list[_Row]) -> Side:
    place = _PLACE.match(kernel)
    assert place is not None, kernel
    groups: dict[str, list[_Row]] = {}
    waiting = iter(parameters)
    current = ""
    for row in rows:
        if row.flags & _PARAM:
            current = next(waiting)
            if _EXTENT.fullmatch(current):
                current = ".extent" if row.flags & _LITERAL else "vla"
        elif not row.flags >> 48 and row.item != "unknown" and (root := _root(row.item)) != current:
            current = root
        groups.setdefault(current, []).append(row)
    return Side(int(place[2]), place[1], {n: _verdict(r) for n, r in groups.items() if not n.startswith(".")})


def _root(item: str) -> str:
    found = re.search(r"[^\W\d]\w*", item)
    return found[0] if found else item


def _verdict(rows: list[_Row]) -> str:
    first = rows[0].flags
    if first & (_LITERAL | _PRIVATE):
        return FIRSTPRIVATE
    words = [word for bit, word in _WORDS.items() for row in rows if row.flags & bit]
    return POINTER if not words and first & _IMPLICIT else mapped(words)
