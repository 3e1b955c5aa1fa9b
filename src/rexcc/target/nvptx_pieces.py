"""Device code of many files for an NVIDIA GPU, linked in pieces, so that a change costs what it changes.

nvJitLink takes time for all code that it optimises, in each link. In: the relocatable objects of the files, with what
each has and needs. Out: pieces that are linked on their own, each to a relocatable cubin that can be kept; the cubins
are linked to the image as they are. A piece is of one of two kinds:

* the kernels of a file, with copies of the functions that they call, of the nearest files;
* the functions of a file, and its kernels if these are in no other piece: for calls that the copies leave.

A variable is in one piece only, so that functions of files with variables are not copied. So is the state of a team: a
kernel with copies has its own, and must not call functions outside of it that use their team's. Files that have a
variable in common, which nvJitLink would make each piece's own, are linked at once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from rexcc.source.records import dataclass
from rexcc.target import elf
from rexcc.target.commands import Arguments, LinkError, LinkInput, LinkPlan, Piece

_KERNEL_FILES, _FILES = 32, 128
"""So many files, of which so many have kernels, are linked at once, which lets functions of all be inlined into each
other. The link's time is that of the kernels."""
_COPIED = 8
"""The files, at most, whose code is in a piece with kernels."""

_RELOCATABLE, _KERNELS = "-Xptxas=-c", "-kernels-used="
_KEEPING = "-Xnvvm=--force-device-c"
"""nvcc's own option for code that others may call: nvJitLink takes a file for a whole program."""
FUNCTIONS = (_RELOCATABLE, _KEEPING, "-maxrregcount=64")
"""As many registers as a block of 1024 threads has for each, for kernels of any file may call the functions."""

_PIECE = "-piece="
_SYMBOLS, _SYMBOL_SIZE = 2, 24
_LOCAL, _GLOBAL, _WEAK = 0, 1, 2
_FUNCTION, _ENTRY = 2, 0x10


def pieces_of(parts: Sequence[LinkInput]) -> tuple[Piece, ...]:
    """Return the pieces of a link; none where one link of all files is better, or needed."""
    if len(parts) <= _FILES and sum(bool(part.kernels) for part in parts) <= _KERNEL_FILES:
        return ()
    shared = [symbol for part in parts for symbol in part.shares]
    if len(set(shared)) < len(shared):
        return ()
    graph = _Graph(parts)
    kernels = [Piece(copies_for(parts[n].kernels), graph.copied[n]) for n in graph.kernels]
    return (*kernels, *(Piece(FUNCTIONS, (n,)) for n in sorted(graph.functions)))


def copies_for(kernels: str) -> Arguments:
    """Return the options of a piece with the kernels that have a word in their names."""
    return (_RELOCATABLE, f"{_KERNELS}{kernels}")


@dataclass(frozen=True, eq=False)
class _Graph:
    """Which files call which, by their numbers."""

    parts: Sequence[LinkInput]

    @cached_property
    def _called(self) -> list[list[int]]:
        """The files that each calls."""
        owner = {symbol: n for n, part in enumerate(self.parts) for symbol in part.has}
        return [list(dict.fromkeys(owner[s] for s in part.needs if s in owner)) for part in self.parts]

    @cached_property
    def _callers(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.parts]
        for n, called in enumerate(self._called):
            for other in called:
                found[other].append(n)
        return found

    @cached_property
    def _sharing(self) -> set[int]:
        """The files whose functions use the state of their team, or call such functions."""
        return _reached((n for n, part in enumerate(self.parts) if part.uses_team), self._callers)

    def _nearest(self, number: int) -> tuple[int, ...]:
        """Return a file and those nearest to it whose functions can be copied into its kernels."""
        found = dict.fromkeys([number])
        waiting = [number]
        for at in waiting:
            for called in self._called[at]:
                if called not in found and len(found) < _COPIED and self.parts[called].is_plain:
                    found[called] = None
                    waiting.append(called)
        return tuple(found)

    @cached_property
    def copied(self) -> dict[int, tuple[int, ...]]:
        """The files with kernels that may be in a piece with copies, each with the files in it."""
        roots = (n for n, part in enumerate(self.parts) if part.kernels and not part.is_asked)
        return {n: self._nearest(n) for n in roots}

    @cached_property
    def _left(self) -> dict[int, set[int]]:
        """The files of the functions that the kernels of each file still call."""
        return {root: {c for n in inside for c in self._called[n]} - {*inside} for root, inside in self.copied.items()}

    @cached_property
    def functions(self) -> set[int]:
        """The files in pieces of functions: those that something is called of, those with variables, but for kernels
        with copies that have their own file's, and those whose kernels share their team's state with others."""
        first = {n for n, part in enumerate(self.parts) if not part.is_plain or part.is_asked} - self.copied.keys()
        first |= {n for n, left in self._left.items() if not left.isdisjoint(self._sharing)}
        return _reached(first.union(*self._left.values()), self._called)

    @cached_property
    def kernels(self) -> list[int]:
        """The files with kernels in pieces with copies: a variable, and the state of a team, are in one piece only."""
        apart = (n for n, left in self._left.items() if left.isdisjoint(self._sharing))
        return [n for n in apart if self.parts[n].is_plain or n not in self.functions]


def _reached(first: Iterable[int], following: Sequence[Sequence[int]]) -> set[int]:
    """Return some numbers and those that follow them, directly or through others."""
    found = set(first)
    waiting = list(found)
    while waiting:
        further = set(following[waiting.pop()]) - found
        found |= further
        waiting += further
    return found


def piece_word(piece: Piece) -> str:
    """Return a piece as a word of the linker's command."""
    return f"{_PIECE}{','.join(piece.options)}:{','.join(map(str, piece.inputs))}"


def plan_of(options: Sequence[str]) -> LinkPlan:
    """Return the plan in the words of the linker's command: cubins are linked without options but the architecture."""
    pieces = []
    for word in options:
        if word.startswith(_PIECE):
            words, _, inputs = word.removeprefix(_PIECE).rpartition(":")
            pieces.append(Piece(tuple(words.split(",")), tuple(map(int, inputs.split(",")))))
    for_pieces = tuple(word for word in options if not word.startswith(_PIECE))
    return LinkPlan(tuple(pieces), tuple(word for word in for_pieces if word.startswith("-arch=")), for_pieces)


def finished(options: Sequence[str], data: bytes) -> bytes:
    """Return what nvJitLink has made by some options: of a piece of functions, kernels give way to those of the same
    names in other pieces. Raises LinkError for a piece without the kernels that it is for."""
    word = next((option.removeprefix(_KERNELS) for option in options if option.startswith(_KERNELS)), "")
    if word and not any(found.is_kernel and word in found.name for found in _defined(data)):
        raise LinkError(f"no kernel has '{word}' in its name")
    return _with_weak_kernels(data) if _KEEPING in options else data


def _with_weak_kernels(data: bytes) -> bytes:
    patched = bytearray(data)
    for found in _defined(data):
        if found.is_kernel and found.info >> 4 == _GLOBAL:
            patched[found.at + 4] = _WEAK << 4 | _FUNCTION
    return bytes(patched)


def defined_twice(cubins: Iterable[bytes]) -> str:
    """Return the symbol that two cubins define, none of them weakly; empty where there is none. nvJitLink would end the
    process."""
    seen: set[str] = set()
    for data in cubins:
        strong = {found.name for found in _defined(data) if found.info >> 4 == _GLOBAL}
        if both := strong & seen:
            return min(both)
        seen |= strong
    return ""


@dataclass(frozen=True)
class _Symbol:
    """A symbol that a cubin defines, and where it stands in it (ELF, 64 bits, little endian)."""

    at: int
    name: str
    info: int
    other: int

    @property
    def is_kernel(self) -> bool:
        """Whether it is a kernel's."""
        return self.info & 15 == _FUNCTION and bool(self.other & _ENTRY)


def _defined(data: bytes) -> Iterator[_Symbol]:
    sections, _ = elf.sections(data)
    for table in sections:
        for at in range(table.offset, table.offset + table.length, _SYMBOL_SIZE) if table.kind == _SYMBOLS else ():
            name, info, other, section = struct.unpack_from("<IBBH", data, at)
            if section and info >> 4 != _LOCAL:
                start = sections[table.link].offset + name
                yield _Symbol(at, data[start : data.index(b"\0", start)].decode(), info, other)
