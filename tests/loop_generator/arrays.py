"""Arrays with all their names, and unsigned expressions of what an iteration may read."""

from __future__ import annotations

from dataclasses import dataclass, field

from loop_generator.kinds import Kind, Maker


@dataclass(frozen=True)
class Name:
    """A name of an array that begins ``shift`` elements into it; ``section`` is how to list it in a map clause."""

    text: str
    shift: int
    section: str

    def index(self, at: str) -> str:
        """Return the index of an element by its number in the array."""
        return at if self.shift == 0 else f"(long)({at}) - {self.shift}"


@dataclass
class Array:
    """An array of numbers; ``names`` all lead to it."""

    kind: Kind
    size: int
    names: list[Name]
    heap: bool


@dataclass
class Use:
    """An array as a region uses it: under one name or several, elements from ``low`` to below ``high``.

    ``slot``: the only element that an iteration may write or read, in terms of the array; None where all is only read.
    """

    array: Array
    low: int
    high: int
    names: list[Name]
    slots: list[str] | None = None

    def element(self, m: Maker, at: str, name: Name | None = None) -> str:
        """Return an element by its number in the array."""
        found = name or m.pick(self.names)
        index = found.index(at)
        if m.chance(0.08):
            return f"(*({found.text} + ({index})))"
        return f"{found.text}[{index}]"


@dataclass
class Scope:
    """What an iteration may read and write."""

    m: Maker
    uses: list[Use]
    indices: list[str]
    scalars: list[str] = field(default_factory=list)
    depth: int = 0
    divisors: tuple[str, ...] = ()

    def inside(self, *scalars: str, indices: tuple[str, ...] = ()) -> Scope:
        """Return the scope of a block in this one."""
        both = [*self.scalars, *scalars]
        return Scope(self.m, self.uses, [*self.indices, *indices], both, self.depth + 1, self.divisors)

    def number(self, depth: int = 2) -> str:
        """Return an unsigned expression."""
        m = self.m
        if depth <= 0 or m.chance(0.2):
            return self._leaf()
        one, other, shape = self.number(depth - 1), self.number(depth - 1), m.number(0, 11)
        if shape == 0:
            return f"({one} >> {m.number(1, 9)})"
        if shape == 1:
            return f"({one} % {m.number(2, 60)}u)"
        if shape == 2:
            return f"({self.condition()} ? {one} : {other})"
        if shape == 3:
            return f"mixed({one}, {other})"
        if shape == 5 and self.divisors and m.chance(0.6):
            return self._quotient(one, m.pick(self.divisors))
        if shape == 4 and m.has_globals and m.chance(0.4):
            return f"of_words({one})"
        return f"({one} {m.pick(('+', '+', '*', '-', '^', '|', '&'))} {other})"

    def _quotient(self, number: str, by: str) -> str:
        """Return a division by a number of the host's, of numbers of either sign."""
        m = self.m
        divisor = m.pick((by, by, f"({by} * 3)", f"({by} + 4000)"))
        number = m.pick((f"(int)({number} % 20011u)", f"((int)({number} % 20011u) - 9000)"))
        return f"(unsigned)({number} {m.pick(('/', '%'))} {divisor})"

    def condition(self) -> str:
        """Return a condition that is true now and then."""
        period = self.m.number(2, 7)
        text = f"{self._leaf()} % {period}u {self.m.pick(('==', '!=', '<'))} {self.m.number(1, period - 1)}u"
        if self.m.chance(0.15):
            return f"({text} {self.m.pick(('&&', '||'))} {self._leaf()} % 5u > 1u)"
        return f"({text})"

    def _leaf(self) -> str:
        m = self.m
        shape = m.number(0, 9)
        if shape < 4 and self.uses:
            return self.read(m.pick(self.uses))
        if shape < 6 and self.scalars:
            return f"(unsigned)({m.pick(self.scalars)})"
        if shape < 8 and self.indices:
            return f"(unsigned)({m.pick(self.indices)})"
        return f"{m.number(0, 99)}u"

    def read(self, use: Use) -> str:
        """Return an unsigned expression of an element that may be read."""
        m = self.m
        if use.slots is not None:
            return use.array.kind.read(use.element(m, m.pick(use.slots)))
        room = use.high - use.low
        spread = (
            f"((unsigned)({m.pick(self.indices)}) * {m.number(1, 9)}u + {m.number(0, 9)}u) % {room}u"
            if (self.indices)
            else str(m.number(0, room - 1))
        )
        at = spread if use.low == 0 else f"{use.low} + {spread}"
        return use.array.kind.read(use.element(m, at))
