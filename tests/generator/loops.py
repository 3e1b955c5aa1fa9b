"""Canonical loops of many shapes: up, down, strided, empty, near the ends of their type, with bounds in variables."""

from __future__ import annotations

from dataclasses import dataclass

from generator.kinds import INT
from generator.maker import Maker
from generator.places import Item, Level, Slot
from generator.tree import fixed

SIZES = (1, 2, 3, 3, 4, 5, 5, 7, 8, 10, 13, 16, 17, 24, 31, 32, 33, 40, 50, 64, 65, 100, 127, 130, 200, 257, 400, 1000)
TYPES = ("int", "int", "int", "int", "unsigned", "long", "size_t", "long long", "unsigned long long", "short")
UNSIGNED = ("unsigned", "size_t", "unsigned long long")

# Lowest values at which 64-bit and 32-bit loops go astray when they are counted in a type too narrow.
FAR = (
    ("long long", "-9223372036854775807ll"),
    ("long long", "4294967290ll"),
    ("long", "-4294967299l"),
    ("unsigned long long", "18446744073709550000ull"),
    ("unsigned long long", "9223372036854775800ull"),
    ("unsigned", "4294960000u"),
    ("unsigned", "2147483640u"),
    ("int", "-2147483647"),
    ("int", "2147480000"),
    ("short", "-32768"),
    ("signed char", "-128"),
    ("unsigned char", "100"),
)


@dataclass(frozen=True)
class Loop:
    """A loop header in parts; ``index`` is below ``extent`` in each of the ``trips`` iterations."""

    variable: str
    type: str
    start: str
    test: str
    step: str
    index: str
    extent: int
    trips: int
    dense: bool

    def header(self, declared: bool = True) -> str:
        """Return the head of the loop statement."""
        return f"for ({self.type + ' ' if declared else ''}{self.variable} = {self.start}; {self.test}; {self.step})"

    def slot(self, *covers: Slot) -> Slot:
        """Return the slot of the loop's iterations."""
        return Slot(self.index, self.extent, covers, self.dense)


def make_loop(m: Maker, most: int, stem: str = "i", empty: bool = True) -> Loop:
    """Return a loop of up to ``most`` iterations, with an index of up to the same extent."""
    trips = m.pick([s for s in SIZES if s <= max(1, most)])
    variable = m.name(stem)
    shape = m.weighted((40, _plain), (20, _up), (15, _down), (8, _unequal), (7, _far), (4 if empty else 0, _empty))
    return shape(m, variable, trips, max(1, most))


def bound(m: Maker, number: int) -> str:
    """Return an expression for a bound: a literal, or a variable that the host sets."""
    if number < 0 or m.chance(0.5):
        return str(number)
    old = [i for i in m.host.items if i.constant and not i.printed]
    if old and m.chance(0.5):
        item = m.pick(old)
        known = int(item.name.split("_")[-1])
        return item.name if known == number else f"{item.name} {'+' if number > known else '-'} {abs(number - known)}"
    name = f"{m.name('n')}_{number}"
    item = Item(name, INT, constant=True, printed=False)
    m.host.heads.append(fixed(f"int {name} = {number};"))
    assert m.host.level is Level.HOST
    return m.add(item, m.host).name


def _plain(m: Maker, variable: str, trips: int, most: int) -> Loop:
    kind = m.pick(TYPES)
    test = f"{variable} < {bound(m, trips)}" if m.chance(0.8) else f"{variable} <= {bound(m, trips - 1)}"
    step = m.pick(
        (f"{variable}++", f"{variable}++", f"++{variable}", f"{variable} += 1", f"{variable} = {variable} + 1")
    )
    return Loop(variable, kind, "0", test, step, variable, trips, trips, dense=True)


def _up(m: Maker, variable: str, trips: int, most: int) -> Loop:
    kind, low, stride = m.pick(TYPES), m.number(0, 12), m.number(1, 5)
    last = low + (trips - 1) * stride
    over = last + m.number(1, stride)
    test = f"{variable} < {bound(m, over)}" if m.chance(0.6) else f"{variable} <= {bound(m, over - 1)}"
    start, stride_text = bound(m, low), bound(m, stride)
    step = m.pick(
        (f"{variable} += {stride_text}", f"{variable} = {variable} + {stride}", f"{variable} = {stride} + {variable}")
    )
    index, extent, dense = _index(m, variable, str(low), stride, low, last, trips, most)
    return Loop(variable, kind, start, test, step, index, extent, trips, dense)


def _index(
    m: Maker, variable: str, low_text: str, stride: int, low: int, last: int, trips: int, most: int
) -> tuple[str, int, bool]:
    if low >= 0 and last < most and m.chance(0.5):
        return variable, last + 1, low == 0 and stride == 1
    shifted = variable if low_text == "0" else f"({variable} - {low_text})"
    return (shifted if stride == 1 else f"{shifted} / {stride}"), trips, True


def _down(m: Maker, variable: str, trips: int, most: int) -> Loop:
    kind, stride = m.pick(TYPES), m.number(1, 4)
    last = m.number(stride, stride + 6)
    first = last + (trips - 1) * stride
    under = last - m.number(1, stride)
    if kind not in UNSIGNED and m.chance(0.5):
        first, last, under = first - last, 0, under - last
    test = f"{variable} > {bound(m, under)}" if m.chance(0.5) else f"{variable} >= {bound(m, under + 1)}"
    steps = [
        f"{variable} -= {stride}",
        f"{variable} = {variable} - {stride}",
        *([f"{variable}--"] if stride == 1 else []),
    ]
    index, extent, dense = _index(m, variable, str(last), stride, last, first, trips, most)
    return Loop(variable, kind, bound(m, first), test, m.pick(steps), index, extent, trips, dense)


def _unequal(m: Maker, variable: str, trips: int, most: int) -> Loop:
    kind, low = m.pick(TYPES[:-1]), m.number(0, 9)
    if m.chance(0.6):
        index, extent, dense = _index(m, variable, str(low), 1, low, low + trips - 1, trips, most)
        test, step = (
            f"{variable} != {bound(m, low + trips)}",
            m.pick((f"{variable}++", f"++{variable}", f"{variable} += 1")),
        )
        return Loop(variable, kind, str(low), test, step, index, extent, trips, dense)
    start, test = bound(m, low + trips), f"{variable} != {bound(m, low)}"
    step = m.pick((f"{variable}--", f"--{variable}", f"{variable} -= 1"))
    return Loop(variable, kind, start, test, step, f"({variable} - {low} - 1)", trips, trips, dense=True)


def _far(m: Maker, variable: str, trips: int, most: int) -> Loop:
    kind, low = m.pick(FAR)
    trips = min(trips, 100)
    stride = m.pick((1, 1, 2, 5)) if kind in ("long long", "unsigned long long", "long") else 1
    high = bound(m, trips * stride)
    if low.startswith("-"):
        low = f"({low})"
    if m.chance(0.7):
        test, step = f"{variable} < {low} + {high}", f"{variable} += {stride}"
        start = low
    else:
        start, test, step = f"{low} + ({high} - {stride})", f"{variable} >= {low} + {stride}", f"{variable} -= {stride}"
        trips -= 1
        if trips == 0:
            return _plain(m, variable, 1, most)
        index = f"({variable} - {low} - {stride}) / {stride}"
        return Loop(variable, kind, start, test, step, index, trips, trips, dense=True)
    index = f"({variable} - {low})" if stride == 1 else f"({variable} - {low}) / {stride}"
    return Loop(variable, kind, start, test, step, index, trips, trips, dense=True)


def _empty(m: Maker, variable: str, trips: int, most: int) -> Loop:
    low, high, kind = m.number(3, 20), m.number(0, 3), m.pick(TYPES)
    if m.chance(0.5):
        return Loop(
            variable, kind, bound(m, low), f"{variable} < {bound(m, high)}", f"{variable}++", variable, 1, 0, False
        )
    return Loop(
        variable, kind, bound(m, high), f"{variable} > {bound(m, low)}", f"{variable} -= 2", variable, 1, 0, False
    )
