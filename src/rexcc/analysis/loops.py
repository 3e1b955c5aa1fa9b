"""The canonical loop model (OpenMP 5.2, 4.4.1): one model for the kernel's rewrite and the host's trip count.

:class:`CanonicalLoop` is what `loop_reader.py` makes of a ``for`` statement. Bounds keep the user's spelling; the
relation keeps its inclusiveness, so nothing is added to a bound and nothing can overflow there.
"""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Type

from rexcc.analysis.compared_bounds import Conversions
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

_INTEGER_KINDS = frozenset(
    {
        "BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG",
        "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "ENUM",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """The positive amount by which a loop's index goes in the loop's direction.

    ``written`` is the user's expression, or a name of its value; ``value`` the number where it is a literal.
    ``is_grouped``: it has parentheses around it; ``is_opposite``: the amount has the other sign.
    """

    written: str
    value: int | None = None
    is_grouped: bool = False
    is_opposite: bool = False

    @property
    def text(self) -> str:
        """The amount as an operand of a product."""
        text = f"({self.written})" if self.is_grouped else self.written
        return f"(-{text})" if self.is_opposite else text

    @property
    def is_one(self) -> bool:
        """Whether the amount is the literal 1."""
        return self.value == 1


@dataclass(frozen=True, eq=False)
class CanonicalLoop:
    """A loop ``for (index = lower; index relation bound; index += step)``.

    ``relation`` is one of ``<``, ``<=``, ``>``, ``>=`` with the index on the left; ``step`` is the positive
    increment; ``increasing`` its direction. ``declares`` tells whether the loop declares its index, ``index_type`` is
    the index's type, ``type_text`` how to write it where it has no one spelling (a template's text), else empty.
    ``lower`` and ``bound`` are the nodes of the bounds, ``lower_value`` and ``bound_value`` the numbers where these are
    literals; ``grouped`` are those of them that need parentheses beside operators. ``lower_brackets`` and
    ``bound_brackets``, ``()`` or ``{}``, are those in which the class of an iterator is given the expression that it is
    made of; empty where the expression has the index's type. ``converted`` are the types in which a loop over integers
    counts and compares, where they make other numbers of the bounds.
    """

    statement: Node
    index: Variable
    index_type: Type
    declares: bool
    lower: Node
    relation: str
    bound: Node
    step: Step
    step_node: Node | None
    increasing: bool
    body: Node
    lower_value: int | None = None
    bound_value: int | None = None
    type_text: str = ""
    grouped: frozenset[Node] = frozenset()
    lower_brackets: str = ""
    bound_brackets: str = ""
    converted: Conversions = Conversions()

    def value(self, bound: Node, text: Callable[[Node], str]) -> str:
        """Return one of the bounds, whose text ``text`` gives, as a value that operators of the index's class take, or
        as the number that the loop counts from or to."""
        kind = self._conversion(bound)
        if kind:
            return f"({kind})({text(bound)})" if bound in self.grouped else f"({kind}){text(bound)}"
        brackets = self.lower_brackets if bound is self.lower else self.bound_brackets
        if not brackets or bound not in (self.lower, self.bound):
            return text(bound)
        kind = self.type_text or spelling.spell_value(types.without_reference(self.index_type))
        return f"{kind}{brackets[0]}{text(bound)}{brackets[1]}"

    def operand(self, bound: Node, text: Callable[[Node], str]) -> str:
        """Return one of the bounds, whose text ``text`` gives, as an operand."""
        value = self.value(bound, text)
        return f"({value})" if bound in self.grouped and not self._conversion(bound) else value

    def _conversion(self, bound: Node) -> str:
        if bound is self.lower:
            return self.converted.lower
        return self.converted.bound if bound is self.bound else ""

    @property
    def name(self) -> str:
        """The index's name."""
        return self.index.name

    @property
    def is_from_zero(self) -> bool:
        """Whether the index goes up from the literal 0."""
        return self.increasing and self.lower_value == 0

    @property
    def is_pointer(self) -> bool:
        """Whether the index is a pointer."""
        return bool(types.kind_name(self.index_type.get_canonical()) == "POINTER")

    @property
    def is_integer(self) -> bool:
        """Whether the index has an integer type."""
        return types.kind_name(self.index_type.get_canonical()) in _INTEGER_KINDS

    @property
    def is_wide(self) -> bool:
        """Whether the index is as wide as 64 bits."""
        return bool(self.index_type.get_canonical().get_size() >= 8)


def literal_value(text: str) -> int | None:
    """Return the number that the user's text of an expression is, None for any other expression."""
    return int(text, 8 if text.startswith("0") else 10) if text.isdigit() else None
