"""Addresses and sizes of map rows, as expressions of the host and what the compiler knows of them.

In: texts of the user's, and types. Out: :class:`Pointer` and :class:`Size`. What stages ask about them is a field;
their texts are only printed.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.loops import literal_value
from rexcc.clang import types
from rexcc.clang.classes import has_own_address
from rexcc.openmp.model import Expression
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Pointer:
    """An expression of pointer type.

    ``is_unary``: a cast may stand in front of it without parentheses. ``is_untyped``: it is a ``void *`` already.
    """

    text: str
    is_unary: bool = False
    is_untyped: bool = False

    @property
    def operand(self) -> str:
        """The expression as the operand of a cast."""
        return self.text if self.is_unary else f"({self.text})"

    @property
    def untyped(self) -> str:
        """The expression as a ``void *``."""
        return self.text if self.is_untyped else f"(void *){self.operand}"

    @property
    def evaluated(self) -> str:
        """The expression as a ``void *`` that no compiler takes for a constant."""
        return self.text if self.is_untyped else f"rex_address({self.text})"


def may_name_private_copies(construct: Construct) -> bool:
    """Whether names around a construct may mean private copies on the host: inside of the host's constructs, and in the
    task of ``in_reduction``. An array of addresses must be no constant there (``rex_address``)."""
    host = any(not around.directive.leaves[0].startswith("target") for around in construct.around())
    return host or construct.directive.has("in_reduction")


def pointer(text: str) -> Pointer:
    """Return the value of a name, or another unary expression, of pointer or array type."""
    return Pointer(text, True)


def address(lvalue: str, kind: Type | None) -> Pointer:
    """Return the address of an lvalue, a postfix expression; ``kind`` None: of no class."""
    return Pointer(address_text(lvalue, kind), True)


def address_text(lvalue: str, kind: Type | None) -> str:
    """Return the address of an lvalue as a text: classes may have an operator of their own that is written as that."""
    is_own = kind is not None and has_own_address(types.innermost(types.without_reference(kind)))
    return f"__builtin_addressof({lvalue})" if is_own else f"&{lvalue}"


def address_of(lvalue: str, kind: Type) -> Pointer:
    """Return where an object of some type begins; an array is such an address itself."""
    return pointer(lvalue) if types.is_array(types.without_reference(kind)) else address(lvalue, kind)


def behind(place: Pointer) -> Pointer:
    """Return the address behind an object."""
    return Pointer(f"{place.text} + 1")


def packed(name: str) -> Pointer:
    """Return the bytes of a variable in place of an address."""
    return Pointer(f"rex_pack(&{name}, sizeof {name})", is_untyped=True)


def number(value: str) -> Pointer:
    """Return an integer, an operand of a cast, in place of an address."""
    return Pointer(f"(void *)(__UINTPTR_TYPE__){value}", is_untyped=True)


@dataclass(frozen=True)
class Number:
    """How many teams or threads there are, as an expression; ``is_literal``: it is an integer literal."""

    text: str
    is_literal: bool = False

    @property
    def as_int(self) -> str:
        """The number as an ``int``."""
        return self.text if self.is_literal else f"(int)({self.text})"


def asked_for(text: str) -> Number:
    """Return the number that the user's expression in a clause asks for."""
    return Number(text, literal_value(text) is not None)


@dataclass(frozen=True)
class Size:
    """A number of bytes or elements; ``value`` is None where only the run knows it. Texts with a value are constant.

    ``is_literal``: the text is an integer literal, which has the runtime's type without a cast. ``is_postfix``: it may
    stand beside operators without parentheses.
    """

    text: str
    value: int | None = None
    is_literal: bool = False
    is_postfix: bool = False

    @property
    def operand(self) -> str:
        """The number as an operand."""
        return self.text if self.is_literal or self.is_postfix else f"({self.text})"


NOTHING = Size("0", 0, True)
ONE = Size("1", 1, True)
POINTER_SIZE = Size("sizeof(void *)", 8)


def written(construct: Construct, expression: Expression | None, default: Size = NOTHING) -> Size:
    """Return a number that the user wrote in a clause, ``default`` where he left it out."""
    if expression is None:
        return default
    text, node = expression.text.strip(), construct.node_of(expression)
    value = literal_value(text)
    return Size(text, value, value is not None, value is None and node is not None and node.is_postfix)


def size_of(text: str, kind: Type | None) -> Size:
    """Return the size of an object, of which the text is a unary expression; ``kind`` None: of unknown type."""
    return Size(f"sizeof {text}", _bytes(kind))


def size_of_word(name: str) -> Size:
    """Return the size of an integer type of eight bytes."""
    return Size(f"sizeof({name})", 8)


def times(size: Size, factor: Size, cast: str = "") -> Size:
    """Return a multiple of a size."""
    known = None if size.value is None or factor.value is None else size.value * factor.value
    return Size(f"{size.text} * {cast}{factor.operand}", known)


def total(sizes: list[Size]) -> Size:
    """Return the sum of sizes."""
    if len(sizes) == 1:
        return sizes[0]
    known = [size.value for size in sizes]
    value = None if None in known else sum(v for v in known if v is not None)
    return Size(" + ".join(size.text for size in sizes), value)


def _bytes(kind: Type | None) -> int | None:
    """Return the bytes of an object of a type, None where they are not constant."""
    if kind is None or types.is_variable_length(found := types.canonical(kind)):
        return None
    size = int(found.get_size())
    return size if size > 0 else None
