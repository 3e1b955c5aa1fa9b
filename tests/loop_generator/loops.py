"""Loops over the grid: all types of indices, run-time bounds, relations and steps, ends of types, no iterations."""

from __future__ import annotations

from dataclasses import dataclass, field

from loop_generator.kinds import INDICES, LIKELY, Maker, literal

_FEW = (0, 1, 2, 3, 7, 31, 32, 33, 64)


@dataclass
class Loop:
    """A loop's header. ``slot`` is an expression from 0 up to below ``extent``, different in each iteration; ``before``
    are declarations that stand before the directive."""

    index: str
    type: str
    header: str
    slot: str
    extent: int
    before: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Range:
    low: int
    step: int
    count: int
    up: bool

    @property
    def first(self) -> int:
        return self.low if self.up else self.low + self.step * max(self.count - 1, 0)

    @property
    def after(self) -> int:
        """The index's value after the last iteration."""
        return self.first + self.step * self.count * (1 if self.up else -1)


def make_loop(m: Maker, most: int, bounds: tuple[str, ...] = ()) -> Loop:
    """Return a loop of at most ``most`` slots; ``bounds`` are expressions that are small numbers: 0 to 9."""
    name, kind = m.name("i"), m.pick(LIKELY)
    shape = _range(m, kind, most)
    relation, bound = _relation(m, shape, kind)
    before: list[str] = []
    first = _written(m, shape.first, kind, before)
    limit = _written(m, bound, kind, before)
    if bounds and shape.up and relation == "<" and shape.low == 0 and shape.step == 1 and m.chance(0.2):
        limit = m.pick(bounds)
        shape = _Range(0, 1, 10, True)
    declared = f"{kind} {name}"
    if m.chance(0.1):
        before.append(f"{kind} {name};")
        declared = name
    test = f"{name} {relation} {limit}"
    if m.chance(0.1):
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}[relation]
        test = f"{limit} {mirrored} {name}"
    header = f"for ({declared} = {first}; {test}; {_increment(m, name, shape, kind, relation, before)})"
    extent = shape.step * max(shape.count - 1, 0) + 1
    return Loop(name, kind, header, _slot(shape.low, name, kind), extent, before)


def _range(m: Maker, kind: str, most: int) -> _Range:
    low, high = INDICES[kind]
    step = m.pick((1, 1, 1, 1, 2, 3, 5, 17)) if m.chance(0.9) else m.number(1, 40)
    room = min(most, high - low - 2 * step)
    largest = max(1, (room - 1) // step)
    count = m.pick(_FEW) if m.chance(0.35) else m.number(0, largest)
    count = min(count, largest)
    length = step * (count + 1)
    ends = [0, 0, 0, 0, 0, 1, m.number(0, 20)]
    if low < 0:
        ends += [-m.number(1, 60), low + step]
    if m.chance(0.3):
        ends += [high - length - m.number(0, 3)]
        if high > 1 << 33:
            ends += [(1 << 31) - length // 2, (1 << 32) - length // 2]
        if high > 1 << 63:
            ends += [(1 << 63) - length // 2]
    start = m.pick(ends)
    up = m.chance(0.7)
    start = start if up or start - step >= low else start + step
    if not low <= start - (0 if up else step) or start + length > high:
        start, up, count = 0, True, min(count, high // step - 1)
    return _Range(start, step, count, up)


def _relation(m: Maker, shape: _Range, kind: str) -> tuple[str, int]:
    """Return a relation and its bound. A step beyond the bound stays in the type."""
    low, high = INDICES[kind]
    sign = 1 if shape.up else -1
    last = shape.after - sign * shape.step
    choices = [("<" if shape.up else ">", m.number(1, shape.step))]
    if not (kind.startswith("unsigned") and shape.count == 0):
        choices.append(("<=" if shape.up else ">=", m.number(0, shape.step - 1)))
    if shape.step == 1:
        choices.append(("!=", 1))
    relation, distance = m.pick(choices)
    bound = last + sign * distance
    return (relation, bound) if low <= bound <= high else ("<" if shape.up else ">", shape.after)


def _written(m: Maker, value: int, kind: str, before: list[str]) -> str:
    """Return a number as a literal, a variable, or a sum of one."""
    shape = m.number(0, 9)
    if shape < 4:
        return literal(value, kind)
    name = m.name("n")
    held = kind
    if m.chance(0.3) and -(1 << 31) <= value < 1 << 31:
        held = m.pick(("int", "long", "short")) if -(1 << 15) <= value < 1 << 15 else m.pick(("int", "long"))
        if kind.startswith("unsigned") and value < 0:
            held = kind
    if shape < 8:
        before.append(f"{held} {name} = {literal(value, held)};")
        return name if shape < 7 else f"({name})"
    if INDICES[kind][0] <= value - 1 and shape == 8:
        before.append(f"{kind} {name} = {literal(value - 1, kind)};")
        return f"{name} + 1"
    before.append(f"{kind} {name} = {literal(value, kind)};")
    return f"({kind}){name}"


def _increment(m: Maker, name: str, shape: _Range, kind: str, relation: str, before: list[str]) -> str:
    plus, minus = ("+", "-") if shape.up else ("-", "+")
    if shape.step == 1 and m.chance(0.8):
        return m.pick((f"{name}{plus}{plus}", f"{plus}{plus}{name}"))
    step = str(shape.step)
    if m.chance(0.4) and relation != "!=":
        variable = m.name("n")
        if m.chance(0.3) and not kind.startswith("unsigned"):
            before.append(f"int {variable} = {shape.step if shape.up else -shape.step};")
            return f"{name} += {variable}"
        before.append(f"{m.pick(('int', kind))} {variable} = {step};")
        step = variable
    if m.chance(0.15) and not kind.startswith("unsigned") and step.isdigit():
        return f"{name} {minus}= -{step}"
    forms = [f"{name} {plus}= {step}", f"{name} {plus}= {step}", f"{name} = {name} {plus} {step}"]
    if shape.up:
        forms.append(f"{name} = {step} + {name}")
    return m.pick(forms)


def _slot(low: int, name: str, kind: str) -> str:
    if low == 0:
        return name
    return (
        f"{name} - {literal(low, kind)}"
        if low > 0
        else f"{name} + {literal(-low, kind)}"
        if low > -(1 << 31)
        else f"{name} - {literal(low, kind)}"
    )
