"""The device code that linked files have in common: which of them have to be linked together, and what is missing.

In: the section in which a linker has collected the records of all files that it took
(``codegen/registration/unit_parts.py``). Out: groups of parts, each of which becomes one image for each device; what
parts need and none has.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

from rexcc.codegen.registration.unit_parts import SECTION, Mention, UnitPart, records
from rexcc.source.records import dataclass, field
from rexcc.target import elf
from rexcc.target.known import CPU

_ELF = b"\x7fELF\x02\x01"
_HEAD = 64
_RELOCATABLE = 1

Device = tuple[str, str]
"""A target's name and an architecture's."""


@dataclass(eq=False)
class Part:
    """What one linked file has and needs, and its relocatable objects by device, with what they say to the link;
    ``library`` is the shared library that has the file, empty for what is linked itself. ``copies`` is how often the
    file is linked: more than once where its symbols were made local in two of the objects. ``lent`` are the functions
    of the host that its device code calls.
    """

    facts: UnitPart
    objects: dict[Device, tuple[bytes, tuple[str, ...]]] = field(default_factory=dict)
    library: str = ""
    copies: int = 1
    lent: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Missing:
    """What a part needs and none has: the call, and a note that says why, as far as that is known, with its place."""

    need: Mention
    place: str = ""
    why: str = ""


def parts_of(path: Path, library: str = "") -> list[Part]:
    """Return the parts in a linked program or library, which is a ``library`` of a program with a name; none in what is
    to be linked again (``-r``)."""
    return parts_in(section_of(path, SECTION.encode()), library)


def parts_of_objects(paths: Iterable[Path]) -> list[Part] | None:
    """Return the parts in files that the linker will take as they are; None where one is no object of the host's."""
    found: list[Part] = []
    for path in paths:
        if _kind_of(path) != _RELOCATABLE:
            return None
        found += parts_in(section_of(path, SECTION.encode(), is_object=True))
    return found


def parts_in(section: bytes, library: str = "") -> list[Part]:
    """Return the parts that the records of a section tell of."""
    found: dict[str, Part] = {}
    objects = []
    for facts, data in records(section):
        if facts.objects:
            objects.append((facts, data))
        elif facts.module in found:
            found[facts.module].copies += 1
        else:
            found[facts.module] = Part(facts, library=library)
    for facts, data in objects:
        for made in facts.objects:
            found[facts.module].objects[made.target, made.architecture] = (data, made.terms)
    return list(found.values())


def _kind_of(path: Path) -> int:
    """Return the type of an ELF file, 0 for other files."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return int(struct.unpack_from("<H", head, 16)[0]) if head.startswith(_ELF) and len(head) == _HEAD else 0


def section_of(path: Path, wanted: bytes, is_object: bool = False) -> bytes:
    """Return the bytes of a section of a linked program or library, empty where the file has none; or of an
    object that is to be linked, if it is known to be one.

    Only what is asked for is read: a program may be large.
    """
    if _kind_of(path) in (0, _RELOCATABLE) and not is_object:
        return b""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        found = next(elf.named(data, wanted), None)
        return data[found.offset : found.offset + found.length] if found is not None else b""


def with_libraries(parts: Sequence[Part], offered: Sequence[Part]) -> list[Part]:
    """Return parts with those of shared libraries that they need, directly or through others."""
    taken, waiting = list(parts), list(parts)
    while waiting:
        for need in waiting.pop().facts.needs:
            if any(need.symbol in part.facts.has for part in taken):
                continue
            owner = next((part for part in offered if need.symbol in part.facts.has), None)
            if owner is not None and not _not_taken(owner, taken):
                taken.append(owner)
                waiting.append(owner)
    return taken


def _not_taken(part: Part, others: Iterable[Part]) -> str:
    """Return why device code of a shared library cannot be linked with that of a program, empty where it can."""
    again = "link its objects, or an archive of them"
    if part.facts.state:
        names = ", ".join(f"'{name}'" for name in part.facts.state)
        return f"is in '{part.library}', a shared library, with {names}, of which a device would have two; {again}"
    both = next((name for other in others for name in other.facts.has if name in part.facts.has), None)
    if both is not None:
        return f"is in '{part.library}', a shared library, which has another '{both}' than a file that is linked"
    return ""


def missing(parts: Sequence[Part], offered: Sequence[Part] = ()) -> list[Missing]:
    """Return what parts need and none has for each of their devices, each symbol once; ``offered`` are those of shared
    libraries, of which ``parts`` has what can be taken."""
    found: dict[str, Missing] = {}
    having: dict[str, list[Part]] = {}
    for part in parts:
        for symbol in part.facts.has:
            having.setdefault(symbol, []).append(part)
    for part in parts:
        for need in part.facts.needs:
            named = having.get(need.symbol, [])
            owners = [owner for owner in named if _fits(need, owner)]
            lacking = part.objects.keys() - {device for other in owners for device in other.objects}
            if lacking and need.symbol not in found and need.symbol not in part.lent:
                others = named if not owners else []
                found[need.symbol] = _otherwise(need, others) or _missing(need, parts, owners, min(lacking), offered)
    return list(found.values())


def borrow(parts: Iterable[Part], wanted: Iterable[Missing], functions: frozenset[str]) -> None:
    """Let parts for the CPU device alone call ``functions`` of the host, where they want them: that device is the
    host's processor, in the program's process. Those of ``declare target`` are not meant: devices have variables of
    their own for them."""
    names = functions.intersection(lack.need.symbol for lack in wanted if not lack.why)
    for part in parts:
        if all(target == CPU.name for target, _ in part.objects):
            part.lent = names.intersection(need.symbol for need in part.facts.needs)


def _fits(need: Mention, part: Part) -> bool:
    """Whether what a part has of a name can be what a call means."""
    return all(called.fits(need.called) for symbol, called in part.facts.called if symbol == need.symbol)


def _otherwise(need: Mention, others: Sequence[Part]) -> Missing | None:
    """Return that the definitions of a name have another type than the call's declaration; None without such."""
    for other in others:
        has = next(called.type for symbol, called in other.facts.called if symbol == need.symbol)
        what = f"its definition is '{has}', and the call is compiled for '{need.called.type}'"
        return Missing(need, other.facts.source, f"{what}; compile the file of the call again if a header has changed")
    return None


def _missing(
    need: Mention, parts: Sequence[Part], owners: Sequence[Part], device: Device, offered: Sequence[Part]
) -> Missing:
    if owners:
        why = f"its definition is not compiled for '{device[1]}', as the call is"
        return Missing(need, owners[0].facts.source, why)
    for owner in (part for part in offered if need.symbol in part.facts.has):
        return Missing(need, owner.facts.source, f"its definition {_not_taken(owner, parts)}")
    kept = next((keep for part in parts for keep in part.facts.keeps if keep.symbol == need.symbol), None)
    return Missing(need, kept.place, f"its definition {kept.words}") if kept is not None else Missing(need)


def groups(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts that need each other, directly or through others, in the order in which they were linked.

    Some part has each symbol that is needed (:func:`missing`). What asks for a table needs all that have a part of it;
    of several definitions of a function the program has one, so that those who have it need each other, and so has it
    of variables in functions that several have (``shares``).
    """
    owner = {symbol: index for index, part in enumerate(parts) for symbol in part.facts.has}
    leader, sharing = list(range(len(parts))), dict[str, int]()

    def lead(index: int) -> int:
        while leader[index] != index:
            leader[index] = index = leader[leader[index]]
        return index

    def join(index: int, other: int) -> None:
        first, second = sorted((lead(index), lead(other)))
        leader[second] = first

    for index, part in enumerate(parts):
        for need in part.facts.needs:
            join(index, index if need.symbol in part.lent else owner[need.symbol])
        for symbol in part.facts.has:
            join(index, owner[symbol])
        for symbol in part.facts.shares:
            join(index, sharing.setdefault(symbol, index))
    for asking, name in [(index, name) for index, part in enumerate(parts) for name in part.facts.asks]:
        for index, part in enumerate(parts):
            if any(known == name for known, _ in part.facts.finds):
                join(asking, index)
    found: dict[int, list[Part]] = {}
    for index, part in enumerate(parts):
        found.setdefault(lead(index), []).append(part)
    return [group for group in found.values() if len(group) > 1 or group[0].lent]


def defined_twice(parts: Iterable[Part]) -> tuple[str, Part, Part] | None:
    """Return a symbol that two of some parts have, of which one is weak, with these; None where there is none."""
    seen: dict[str, Part] = {}
    for part in parts:
        for symbol in part.facts.has:
            if symbol in seen:
                return symbol, seen[symbol], part
            seen[symbol] = part
    return None


def any_shared(parts: Iterable[Part]) -> bool:
    """Whether two parts have a variable in common."""
    shared = [symbol for part in parts for symbol in part.facts.shares]
    return len(set(shared)) < len(shared)


def devices_of(group: Sequence[Part]) -> list[Device]:
    """Return the devices that all parts of a group are compiled for, in the order of the first."""
    return [device for device in group[0].objects if all(device in part.objects for part in group)]
