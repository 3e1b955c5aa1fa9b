"""What a unit's object file tells the link of device code, and how it is written there.

In: the functions that device code of several units has in common. Out: :class:`UnitPart`, which the host file embeds as
records in a section that is never loaded (``rex_module.h``): one of what the unit has and needs, one for each
relocatable object. :func:`records` reads them again from the section of a linked program.

A record is :data:`MAGIC`, the sizes of two pieces, and these: lines of words with tabs between them, an object. Its
first line names the unit's module, by which the records of a unit find each other.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from rexcc.source.line_directives import c_string
from rexcc.source.records import dataclass

SECTION = ".rex_device_parts"
MAGIC = "rexpart5"
WEAK_FUNCTIONS = b".rex_weak_functions"
"""The section with the weak functions of device code (:mod:`.weak_functions`)."""
_SIZES = struct.Struct("<QQ")
_MODULE, _SOURCE, _HAS, _NEEDS, _KEEPS, _STATE = "module", "source", "has", "needs", "keeps", "state"
_FINDS, _ASKS, _DEVICE, _KERNELS, _TEAM, _CALLED = "finds", "asks", "device", "kernels", "team", "called"
_SHARES, _CALLS = "shares", "calls"


@dataclass(frozen=True)
class Called:
    """How a function is called (``clang/call_forms.py``), and its type in the user's words; empty where unknown."""

    form: str = ""
    type: str = ""

    def fits(self, other: Called) -> bool:
        """Whether a call and a definition may be of one function."""
        return self.form == other.form or not self.form or not other.form


@dataclass(frozen=True)
class Mention:
    """A function's symbol, a place in the user's file, and words: for what a unit needs the place of a call and the
    user's name of the function, for what it keeps from others the place and the cause. ``caller`` is the user's name of
    the function around a call, ``called`` how it is called."""

    symbol: str
    place: str
    words: str
    caller: str = ""
    called: Called = Called()


@dataclass(frozen=True)
class PartObject:
    """A relocatable object: for which target and architecture, its file, and what it says to its link."""

    target: str
    architecture: str
    file: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnitPart:
    """``has`` are the symbols that other units may use, ``needs`` those of other units, ``keeps`` those in ``declare
    target`` that are no device code. ``state`` are its variables, of which a program has one for each
    device. ``asks`` are functions that it calls and the link makes, of what all units have for their names: ``finds``
    are the names and symbols of what this one has. ``kernels`` is a word in the names of its kernels and of no others,
    empty where it has none; ``uses_team`` tells that its functions have constructs or call routines of OpenMP.
    ``shares`` are variables that it has and every other file with their functions, of which a program has one.
    ``called`` is how those that it has are called, where their symbols do not tell that. ``is_more_alone`` tells that
    its device file says more where it is compiled as if there were no other unit. ``calls`` are the functions that lead
    from those it has to those it needs, each with what it calls behind it; numbers stand for what only it has."""

    module: str
    source: str
    has: tuple[str, ...] = ()
    needs: tuple[Mention, ...] = ()
    keeps: tuple[Mention, ...] = ()
    objects: tuple[PartObject, ...] = ()
    state: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    finds: tuple[tuple[str, str], ...] = ()
    kernels: str = ""
    uses_team: bool = False
    called: tuple[tuple[str, Called], ...] = ()
    is_more_alone: bool = False
    shares: tuple[str, ...] = ()
    calls: tuple[tuple[str, ...], ...] = ()

    def host_lines(self) -> list[str]:
        """Return the lines of the host file that embed the part."""
        words: list[tuple[str, ...]] = [(_SOURCE, self.source), *((_HAS, name) for name in self.has)]
        words += [(_NEEDS, m.symbol, m.place, m.words, m.caller, m.called.form, m.called.type) for m in self.needs]
        words += [(_KEEPS, m.symbol, m.place, m.words) for m in self.keeps]
        words += [(_STATE, name) for name in self.state]
        words += [(_ASKS, name) for name in self.asks]
        words += [(_FINDS, name, own) for name, own in self.finds]
        words += [(_KERNELS, self.kernels)] if self.kernels else []
        words += [(_TEAM,)] if self.uses_team else []
        words += [(_CALLED, name, called.form, called.type) for name, called in self.called]
        words += [(_SHARES, name) for name in self.shares]
        words += [(_CALLS, *names) for names in self.calls]
        lines = [f"REX_MODULE_NAME({self.module})"] if self.objects else []
        lines.append(f"REX_DEVICE_FACTS({self._rows(*words)})")
        for made in self.objects:
            rows = self._rows((_DEVICE, made.target, made.architecture, *made.terms))
            lines.append(f'REX_DEVICE_PART("{made.file}",{rows})')
        return lines

    def _rows(self, *lines: tuple[str, ...]) -> str:
        every = ((_MODULE, self.module), *lines)
        return "".join(f"\n    REX_PART_LINE({c_string(assembler_text(*words))})" for words in every)


def assembler_text(*words: str) -> str:
    """Return the words of a line as they stand between the quotes of an assembler's string."""
    plain = (" ".join(word.split()).replace("\\", "\\\\").replace('"', '\\"') for word in words)
    return "\\t".join(plain)


def records(section: bytes) -> Iterator[tuple[UnitPart, bytes]]:
    """Yield the records of a section: what each says, and its object, empty for none. The files of objects are gone."""
    magic = MAGIC.encode()
    at = section.find(magic)
    while at >= 0:
        text, size = _SIZES.unpack_from(section, at + len(magic))
        start = at + len(magic) + _SIZES.size
        lines = section[start : start + text].decode("utf-8", "surrogateescape").splitlines()
        yield _read([line.split("\t") for line in lines]), section[start + text : start + text + size]
        at = section.find(magic, start + text + size)


def weak_functions(section: bytes) -> Iterator[tuple[str, ...]]:
    """Yield the symbols, names and places of weak functions in their section of a linked program."""
    for line in section.decode("utf-8", "surrogateescape").splitlines():
        yield tuple(line.split("\t"))


def _read(lines: list[list[str]]) -> UnitPart:
    found: dict[str, list[list[str]]] = {}
    for kind, *words in lines:
        found.setdefault(kind, []).append(words)
    ((module,),) = found[_MODULE]
    return UnitPart(
        module,
        next((words[0] for words in found.get(_SOURCE, [])), ""),
        tuple(words[0] for words in found.get(_HAS, [])),
        tuple(Mention(s, p, w, by, Called(form, kind)) for s, p, w, by, form, kind in found.get(_NEEDS, [])),
        tuple(Mention(name, place, why) for name, place, why in found.get(_KEEPS, [])),
        tuple(PartObject(target, arch, "", tuple(terms)) for target, arch, *terms in found.get(_DEVICE, [])),
        tuple(words[0] for words in found.get(_STATE, [])),
        tuple(words[0] for words in found.get(_ASKS, [])),
        tuple((name, own) for name, own in found.get(_FINDS, [])),
        next((words[0] for words in found.get(_KERNELS, [])), ""),
        _TEAM in found,
        tuple((name, Called(form, kind)) for name, form, kind in found.get(_CALLED, [])),
        shares=tuple(words[0] for words in found.get(_SHARES, [])),
        calls=tuple(map(tuple, found.get(_CALLS, []))),
    )
