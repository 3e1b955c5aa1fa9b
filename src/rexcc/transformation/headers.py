"""The headers of transformed loops as text.

In: affected loops. Out: text. A loop is written with its own values where a 64-bit counter holds all of them and one
step beyond: an index of at most 32 bits. Otherwise a counter numbers its iterations, whose values the body computes::

    for (long long __rex_tile_of_i = 0; __rex_tile_of_i < n; __rex_tile_of_i += 4)
    for (int i = (int)__rex_tile_of_i; i < (__rex_tile_of_i + 4 < n ? __rex_tile_of_i + 4 : n); i++)

Bounds keep the comparison of the user's types; a bound of another type is converted to the index's as his test does it.
"""

from __future__ import annotations

import re

from rexcc.analysis.loops import literal_value
from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.program.unit import ParsedUnit
from rexcc.source.own_names import related
from rexcc.transformation.nest import AffectedLoop

_UNSIGNED = frozenset({"BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG"})
_NARROW = 4
"""Bytes of the widest index whose values, and a step beyond them, a 64-bit counter holds."""


class LoopText:
    """The texts of one loop's parts."""

    def __init__(self, unit: ParsedUnit, affected: AffectedLoop) -> None:
        self.unit = unit
        self.affected = affected
        self.loop = affected.loop
        self.name = affected.loop.name
        self.is_narrow = (
            not affected.of_template
            and self.loop.is_integer
            and self.loop.index_type.get_canonical().get_size() <= _NARROW
        )

    @property
    def type(self) -> str:
        """How the index's type is written."""
        if not self.affected.of_template:
            return spelling.spell(self.loop.index_type)
        if not self.loop.declares:
            return f"__typeof__({self.name})"
        text = self.affected_text(self.affected.init[0], self.affected.init[1])
        return text[: re.search(rf"\b{self.name}\b", text).start()].strip()  # type: ignore[union-attr]

    def affected_text(self, start: int, end: int) -> str:
        """Return a part of the user's text in the loop's file."""
        return self.unit.files[self.loop.statement.file].scan.source.text[start:end]

    def declaration(self, value: str) -> str:
        """Return what gives the index a value: its declaration, or an assignment to a variable from outside."""
        if not self.affected.declares:
            return f"{self.name} = {value}"
        if self.affected.of_template:
            return f"{self.type} {self.name} = {value}"
        return f"{spelling.declare(self.loop.index_type, self.name)} = {value}"

    @property
    def lower(self) -> str:
        """The first value, of the index's type."""
        return self._value(self.loop.lower)

    @property
    def bound(self) -> str:
        """The bound, of the index's type; the first value where C's conversions make it one that is not reached."""
        value = self._value(self.loop.bound)
        if not self.loop.converted.order or "=" in self.loop.relation:
            return value
        first, last = (self._compared(node) for node in (self.loop.lower, self.loop.bound))
        return f"({first} {self.loop.relation} {last} ? {value} : {self.lower})"

    def _operand(self, node: Node) -> str:
        return self.loop.operand(node, self.unit.user_text)

    def _value(self, node: Node) -> str:
        text = self._operand(node)
        converted = self.loop.converted.lower if node is self.loop.lower else self.loop.converted.bound
        return text if converted or self._has_its_type(node) else f"({self.type}){text}"

    def _compared(self, node: Node) -> str:
        """Return a bound as the loop compares it, which is not of the index's type where that one is signed."""
        return f"({self.loop.converted.order}){self._operand(node)}" if self.loop.converted.order else self._value(node)

    def _has_its_type(self, node: Node) -> bool:
        if self.loop.is_pointer:
            return True
        if self.affected.of_template:
            return False
        own, other = types.canonical(self.loop.index_type), types.canonical(node.bare().type)
        if types.kind_name(own) == types.kind_name(other):
            return True
        value = evaluate_integer(node.cursor)
        return value is not None and 0 <= value < 1 << (8 * own.get_size() - 1)

    def constants(self) -> tuple[int, int, int] | None:
        """Return first value, bound and step where all are known and the index's type changes none of them."""
        if self.affected.of_template or not self.loop.is_integer:
            return None
        step = evaluate_integer(self.loop.step_node.cursor) if self.loop.step_node is not None else 1
        lower, bound = evaluate_integer(self.loop.lower.cursor), evaluate_integer(self.loop.bound.cursor)
        if lower is None or bound is None or step is None or not step:
            return None
        if self.is_unsigned and min(lower, bound) < 0:
            return None
        return lower, bound, abs(step)

    def known_count(self) -> int | None:
        """Return the number of iterations where it is known."""
        found = self.constants()
        if found is None:
            return None
        lower, bound, step = found
        distance = (bound - lower) * (1 if self.loop.increasing else -1)
        return max(0, -(-distance // step) if self.loop.relation in ("<", ">") else distance // step + 1)

    @property
    def is_unsigned(self) -> bool:
        """Whether the index is unsigned."""
        return types.kind_name(types.canonical(self.loop.index_type)) in _UNSIGNED

    def count(self) -> str:
        """Return the number of iterations, of type ``long long``."""
        loop, step = self.loop, self.loop.step.text
        known = self.known_count()
        if known is not None:
            return str(known)
        low, high = (loop.lower, loop.bound) if loop.increasing else (loop.bound, loop.lower)
        strict = loop.relation in ("<", ">")
        if loop.is_pointer:
            more = f"{step} - 1" if strict else step
            distance = f"({self._value(high)} - {self._value(low)})"
            plain = distance if strict else f"({distance} + 1)"
            return f"(long long){plain}" if loop.step.is_one else f"((long long){distance} + {more}) / {step}"
        from_zero = literal_value(self.unit.user_text(low)) == 0 and not self.affected.of_template
        if strict and loop.step.is_one and from_zero:
            return f"(long long){self._value(high)}"
        distance = f"{self._unsigned(high)} - {self._unsigned(low)}{' - 1' if strict else ''}"
        number = f"{distance} + 1" if loop.step.is_one else f"({distance}) / {step} + 1"
        first, last = (self._compared(node) for node in (loop.lower, loop.bound))
        return f"(long long)({first} {loop.relation} {last} ? {number} : 0)"

    def _unsigned(self, node: Node) -> str:
        """Return a value of the index's type as an unsigned number that holds all distances."""
        text = self._operand(node)
        if self._has_its_type(node):
            return text if literal_value(text) is not None else f"(unsigned long long){text}"
        is_long = types.kind_name(self.loop.index_type) == "ULONG"  # which has the same values
        return f"(unsigned long long){text if is_long else f'({self.type}){text}'}"

    def numbered(self, number: str) -> str:
        """Return the value of the index in an iteration."""
        distance = number if self.loop.step.is_one else f"{number} * {self.loop.step.text}"
        sign = "+" if self.loop.increasing else "-"
        if self.loop.is_pointer:
            return f"{self.lower} {sign} {distance}"
        if self.loop.is_from_zero and not self.affected.of_template:
            return f"({self.type}){distance if distance == number else f'({distance})'}"
        return f"({self.type})({self.lower} {sign} {distance})"


def tiles(text: LoopText, size: str, is_narrow: bool) -> str:
    """Return the header of the loop over the tiles of a loop."""
    loop, tile = text.loop, related("tile_of", text.name)
    if not is_narrow:
        return f"for (long long {tile} = 0; {tile} < {text.count()}; {tile} += {size})"
    change = "+=" if loop.increasing else "-="
    step = _tile_step(text, size)
    return f"for (long long {tile} = {text.lower}; {tile} {loop.relation} {text.bound}; {tile} {change} {step})"


def in_tile(text: LoopText, size: str, is_narrow: bool) -> str:
    """Return the header of the loop over the iterations of a tile."""
    loop, tile, number = text.loop, related("tile_of", text.name), related("number", text.name)
    if not is_narrow:
        end, count = f"{tile} + {size}", text.count()
        return f"for (long long {number} = {tile}; {number} < ({end} < {count} ? {end} : {count}); {number}++)"
    forth, back = ("+", "-") if loop.increasing else ("-", "+")
    end = f"{tile} {forth} {_tile_step(text, size)}"
    if loop.relation in ("<=", ">="):
        end += f" {back} {loop.step.text}"
    less = loop.relation[0]
    first = text.declaration(f"({text.type}){tile}")
    change = f"{text.name}{forth * 2}" if loop.step.is_one else f"{text.name} {forth}= {loop.step.text}"
    bound = text.bound
    return f"for ({first}; {text.name} {loop.relation} ({end} {less} {bound} ? {end} : {bound}); {change})"


def _tile_step(text: LoopText, size: str) -> str:
    step = text.loop.step
    if step.value is not None and size.isdecimal():
        return str(step.value * int(size))
    return size if step.is_one else f"(long long){step.text} * {size}"


def backwards(text: LoopText) -> tuple[str, str]:
    """Return the header of a loop that runs from the last iteration to the first, and what its body begins with."""
    plain = _plain_backwards(text)
    if plain:
        return plain, ""
    loop = text.loop
    if not text.is_narrow or not loop.step.is_one:
        number = related("number", text.name)
        header = f"for (long long {number} = {text.count()} - 1; {number} >= 0; {number}--)"
        return header, f"{text.declaration(text.numbered(number))};"
    value = related("reverse", text.name)
    far = f"(long long){text.bound}"
    if loop.relation in ("<", ">"):
        far += " - 1" if loop.increasing else " + 1"
    relation, change = (">=", "--") if loop.increasing else ("<=", "++")
    header = f"for (long long {value} = {far}; {value} {relation} {text.lower}; {value}{change})"
    return header, f"{text.declaration(f'({text.type}){value}')};"


def _plain_backwards(text: LoopText) -> str:
    """Return the header where the loop's own index can count backwards: all values, and one beyond, are known."""
    found = text.constants()
    if found is None:
        return ""
    lower, bound, step = found
    loop = text.loop
    sign = 1 if loop.increasing else -1
    distance = (bound - lower) * sign - (1 if loop.relation in ("<", ">") else 0)
    limit = 1 << (8 * types.canonical(loop.index_type).get_size() - 1)
    least = 0 if text.is_unsigned else -limit
    last, beyond = lower + distance // step * step * sign, lower - step * sign
    if distance < 0 or not least <= beyond < limit or not least <= last < limit:
        return ""
    written = str(last)
    if loop.step.is_one:
        written = f"{text.bound} {'-' if loop.increasing else '+'} 1" if loop.relation in ("<", ">") else text.bound
    relation, change = (">=", "-") if loop.increasing else ("<=", "+")
    amount = f"{text.name}{change * 2}" if loop.step.is_one else f"{text.name} {change}= {loop.step.text}"
    return f"for ({text.declaration(written)}; {text.name} {relation} {text.lower}; {amount})"
