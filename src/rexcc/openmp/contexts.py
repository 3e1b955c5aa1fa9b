"""OpenMP contexts, and which context selectors fit them best (OpenMP 5.2, 7.1 and 7.3).

In: a :class:`Context`, what is known at a place of the program, and the selectors of the candidates. Out: for each
that fits its score and the conditions that only the running program knows; the order in which candidates are tried.

What is the implementation's to define: the vendor is ``llvm``, whose runtime executes the program; ``dispatch`` is in
the construct set; ``target_device`` speaks of the devices that the program is compiled for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rexcc.openmp.model import Expression
from rexcc.openmp.selectors import ContextSelector, TraitSelector
from rexcc.source.records import dataclass
from rexcc.target.known import CPU
from rexcc.target.model import Target

VENDOR = "llvm"
_EXTENSIONS = frozenset({"match_all", "match_any", "match_none"})
_REQUIREMENTS = frozenset(
    {"unified_address", "unified_shared_memory", "self_maps", "reverse_offload", "dynamic_allocators"}
)


@dataclass(frozen=True)
class Device:
    """The traits of a device: kinds, architectures, instruction sets."""

    kinds: frozenset[str]
    arch: frozenset[str]
    isa: frozenset[str]


def device(target: Target, architectures: Sequence[str] = ()) -> Device:
    """Return the traits of a target's devices; of several architectures no one has all instruction sets."""
    traits = target.traits
    isa = frozenset(architectures) if len(architectures) == 1 else frozenset[str]()
    return Device(traits.kinds, traits.arch, traits.isa | isa)


CPU_DEVICE = device(CPU)
HOST = Device(frozenset({"host", "cpu", "any"}), CPU_DEVICE.arch, CPU_DEVICE.isa)


Value = Callable[[Expression], "int | None"]
"""The value of an expression that is constant, None for another."""


@dataclass(frozen=True)
class Context:
    """What holds at a place: the enclosing constructs, outermost first, the device that executes it, the unit's
    requirements (``atomic_default_mem_order(…)`` with its argument), the devices of the build, constant values."""

    constructs: tuple[str, ...]
    device: Device
    requirements: frozenset[str]
    devices: tuple[Device, ...]
    value: Value


@dataclass(frozen=True)
class Condition:
    """What only the running program knows: a condition of the user's, or, with ``on_host``, whether the device of that
    number is the host (True) or not (False)."""

    expression: Expression
    on_host: bool | None = None


@dataclass(frozen=True)
class Match:
    """A selector that fits: its score, and the conditions that have to hold too."""

    score: int
    conditions: tuple[Condition, ...] = ()


def match(selector: ContextSelector, context: Context) -> Match | None:
    """Return how well a selector fits a context, None when it does not."""
    mode = _mode(selector)
    places = _places(selector, context)
    active: list[bool] = [place is not None for place in places]
    conditions: list[Condition] = []
    for trait in selector.traits:
        if trait.set == "construct":
            continue
        found = _is_active(trait, selector, context)
        if isinstance(found, Condition):
            conditions.append(found)
        elif found is not None:
            active.append(found)
    if not _fits(mode, active, bool(conditions)):
        return None
    return Match(_score(selector, context, places), tuple(conditions))


def _mode(selector: ContextSelector) -> str:
    named = [p for t in selector.traits if t.name == "extension" for p in t.properties if p in _EXTENSIONS]
    return named[0] if named else "match_all"


def _fits(mode: str, active: list[bool], open_conditions: bool) -> bool:
    if mode == "match_any":
        return any(active) or open_conditions or not active
    if mode == "match_none":
        return not any(active)
    return all(active)


def _places(selector: ContextSelector, context: Context) -> list[int | None]:
    """Return the position in the construct set of each selected construct, innermost first choice; None for none.

    The last traits in the same order have the highest value.
    """
    found: list[int | None] = []
    before = len(context.constructs)
    for trait in reversed(selector.of("construct")):
        places = (i for i in reversed(range(before)) if context.constructs[i] == trait.name)
        at = next(places, None) if not trait.properties else None  # what 'simd' has in clauses is not in the context
        found.append(at)
        before = at if at is not None else before
    return found[::-1]


def _is_active(trait: TraitSelector, selector: ContextSelector, context: Context) -> bool | Condition | None:
    """Whether a trait holds; None for one that says nothing, the condition for one that the program decides."""
    if trait.set == "user":
        assert trait.expression is not None
        value = context.value(trait.expression)
        return Condition(trait.expression) if value is None else bool(value)
    if trait.set == "implementation":
        return _is_implemented(trait, context)
    if trait.set == "device":
        return _has(context.device, trait)
    return _is_target_device(trait, selector, context)


def _has(device: Device, trait: TraitSelector) -> bool:
    known = {"kind": device.kinds, "arch": device.arch, "isa": device.isa}[trait.name]
    return known.issuperset(trait.properties)


def _is_target_device(trait: TraitSelector, selector: ContextSelector, context: Context) -> bool | Condition | None:
    """Whether a trait of ``target_device`` holds for the device that is named, or for those of the build.

    Without a number it speaks of the default device, which may be any that the program was compiled for.
    """
    number = next((t.expression for t in selector.of("target_device") if t.name == "device_num"), None)
    if trait.name == "device_num":
        return None
    there = all(_has(device, trait) for device in context.devices) and bool(context.devices)
    if number is None or there == _has(HOST, trait):
        return there
    return Condition(number, on_host=not there)


def _is_implemented(trait: TraitSelector, context: Context) -> bool | None:
    if trait.name == "vendor":
        return all(name == VENDOR for name in trait.properties)
    if trait.name == "extension":
        return None if _EXTENSIONS.issuperset(trait.properties) else False
    if trait.name == "requires":
        return context.requirements.issuperset(name.replace(" ", "") for name in trait.properties)
    if trait.name in _REQUIREMENTS:
        return trait.name in context.requirements
    return all(f"{trait.name}({order})" in context.requirements for order in trait.properties)


def _score(selector: ContextSelector, context: Context, places: list[int | None]) -> int:
    """Return the sum of the values of all traits, plus one."""
    total = 1 + sum(1 << place for place in places if place is not None)
    size = len(context.constructs)
    for trait in selector.traits:
        if trait.score is not None:
            total += context.value(trait.score) or 0
        elif trait.set == "device":
            total += 1 << size + ("kind", "arch", "isa").index(trait.name)
    return total


def _is_part_of(selector: ContextSelector, other: ContextSelector) -> bool:
    """Whether a selector is a strict subset of another one."""
    mine, theirs = _traits(selector), _traits(other)
    return mine < theirs


def _traits(selector: ContextSelector) -> frozenset[tuple[str, str, str]]:
    found: set[tuple[str, str, str]] = set()
    for trait in selector.traits:
        values = trait.properties or (trait.expression.text if trait.expression else "",)
        found |= {(trait.set, trait.name, value) for value in values}
    return frozenset(found)


@dataclass(frozen=True)
class Candidate:
    """A candidate's index in the list that was given, and the conditions under which it is chosen."""

    index: int
    conditions: tuple[Condition, ...]


def candidates(selectors: Sequence[ContextSelector], context: Context) -> tuple[Candidate, ...]:
    """Return the candidates in the order to try them, the first without conditions last; none may fit.

    A selector that is a part of another one that fits has no value; of equals the first counts.
    """
    fitting = {i: found for i, s in enumerate(selectors) if (found := match(s, context)) is not None}
    score = {
        i: 0 if any(_is_part_of(selectors[i], selectors[j]) for j in fitting if j != i) else found.score
        for i, found in fitting.items()
    }
    tried: list[Candidate] = []
    for index in sorted(fitting, key=lambda i: (-score[i], i)):
        tried.append(Candidate(index, fitting[index].conditions))
        if not fitting[index].conditions:
            break
    return tuple(tried)
