"""Conversions that C makes by itself and C++ only when told to.

In: implicit conversions of clang's tree. Out: casts: between pointers to different things, from ``void *``, between
pointers and integers, from string literals to ``char *``, those that braces of C++ refuse, and arguments of library
functions, of which C++ has one for each type.
"""

from __future__ import annotations

import re

from clang.cindex import Type

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.c.complex_numbers import becomes_complex, is_chosen
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.extents import is_runtime_pointer
from rexcc.source.patterns import regex

_POSTFIX = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "PAREN_EXPR",
                      "INTEGER_LITERAL", "UNARY_OPERATOR", "CSTYLE_CAST_EXPR", "STRING_LITERAL"})  # fmt: skip
_FLOATS = {"FLOAT16": 11, "HALF": 11, "FLOAT": 24, "DOUBLE": 53, "LONGDOUBLE": 64, "FLOAT128": 113}
"""Bits of the mantissa."""
_INTEGERS = frozenset({"BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128",
                       "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128", "ENUM"})  # fmt: skip
_UNSIGNED = frozenset(
    {"BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128"}
)
_NULL = regex(r"0[xX]?0*|NULL|nullptr|__null")
_VARIABLE_ARGUMENTS = regex(r"\b__va_list(?:_tag)?\b")
_IN_FLOAT = regex(r"(?:sqrt|fabs|floor|ceil|trunc|rint|nearbyint|round|fmin|fmax|copysign)$")
"""Library functions whose result for floats, rounded to one, is the same in either precision."""


def is_written_out(wanted: Type, given: Type) -> bool:
    """Whether a conversion that C makes by itself between pointers, numbers and complex numbers gets a cast."""
    to, of = types.kind_name(types.canonical(wanted)), types.kind_name(types.canonical(given))
    if to == of == "POINTER":
        return not converts_pointer(types.canonical(given), types.canonical(wanted))
    return "POINTER" in (to, of) or (of == "COMPLEX" and to != "COMPLEX")


def convert(edits: CEdits, node: Node) -> None:
    """Write down an implicit conversion that C++ would not make, or not to this type."""
    child = node.children[0]
    wanted, given = types.canonical(node.type), types.canonical(child.type)
    to, of = types.kind_name(wanted), types.kind_name(given)
    if of == "POINTER" and _VARIABLE_ARGUMENTS.search(str(given.spelling)):
        return  # ``va_arg``, whose value is converted as another expression
    if to == "POINTER":
        _convert_to_pointer(edits, node, child)
    elif of == "POINTER" and to in ("INCOMPLETEARRAY", "CONSTANTARRAY"):  # a parameter that is written as an array
        element = types.element_of(node.type)
        if element is not None and not _points_to(given, element) and not _is_null(edits, child):
            cast(edits, child, spelling.declare_pointer_to(written(element), ""))
    elif of == "POINTER" and to in _INTEGERS and to != "BOOL":
        edits.wrap(child, f"({spelling.spell(node.type)})(unsigned long)(", ")")
    elif _is_told(node, wanted, given):
        cast(edits, child, node.type)


def _convert_to_pointer(edits: CEdits, node: Node, child: Node) -> None:
    wanted, given = types.canonical(node.type), types.canonical(child.type)
    of = types.kind_name(given)
    if of == "POINTER":
        by_itself = converts_pointer(given, wanted) or is_runtime_pointer(given) or is_runtime_pointer(wanted)
        needed = not by_itself and not _is_null(edits, child)
    elif of in _INTEGERS:
        needed = not _is_null(edits, child)
        if needed and given.get_size() != wanted.get_size():
            edits.wrap(child, f"({spelling.spell(node.type)})(long)(", ")")
            return
    else:
        needed = child.kind == "STRING_LITERAL" and not wanted.get_pointee().is_const_qualified()
    if needed:
        cast(edits, child, node.type)


def _is_told(node: Node, wanted: Type, given: Type) -> bool:
    """Whether C++ asks for a cast where C converts to a number or a complex one."""
    to, of = types.kind_name(wanted), types.kind_name(given)
    if of == "COMPLEX" and to != "COMPLEX":
        return to != "VOID"
    if to == "COMPLEX":
        is_same = of == to and library.canonical_type(given).spelling == library.canonical_type(wanted).spelling
        return is_chosen(node) and not is_same
    if to == "ENUM" and of != "ENUM" and library.in_system_header(wanted.get_declaration()):
        return True  # the user's own are integers in device text
    if to in _FLOATS and becomes_complex(node) and _names_enumerator(node.children[0]):
        return True
    if to not in _INTEGERS and to not in _FLOATS:
        return False
    return (_is_in_braces(node) and _narrows(node, to)) or (_is_library_argument(node) and _chooses(node, to))


def cast(edits: CEdits, node: Node, kind: Type | str) -> None:
    """Put a cast in front of an expression; ``kind`` is the type or its text."""
    text = f"({kind if isinstance(kind, str) else spelling.spell(written(kind))})"
    if _is_base(node):
        edits.wrap(node, f"({text}", ")")
    elif node.kind in _POSTFIX:
        edits.insert(node, text)
    else:
        edits.wrap(node, f"{text}(", ")")


def _is_base(node: Node) -> bool:
    """Whether an index, a member or arguments follow an expression, which bind more tightly than a cast."""
    inner = node
    while inner.parent is not None and inner.parent.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        inner = inner.parent
    above = inner.parent
    return (
        above is not None
        and above.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR")
        and above.children[0] is inner
    )


def written(kind: Type) -> Type:
    """Return a type that can be written in C++: ``typeof`` means what it stands for."""
    return library.canonical_type(kind) if re.search(r"\btypeof|\bauto\b|__auto_type", str(kind.spelling)) else kind


def _names_enumerator(value: Node) -> bool:
    """Whether a value is an enumerator, or computed from some, and so may be of an enumeration's type in C++."""
    named = (n.referenced for n in value.walk() if n.kind == "DECL_REF_EXPR")
    return any(n is not None and kind_of(n) == "ENUM_CONSTANT_DECL" for n in named)


def _is_null(edits: CEdits, node: Node) -> bool:
    """Whether an expression is a null pointer in C++ as well."""
    return bool(_NULL.fullmatch(edits.body.original(node)))


def converts_pointer(given: Type, wanted: Type) -> bool:
    """Whether C++ converts a pointer by itself."""
    return _points_to(given, wanted.get_pointee())


def _points_to(given: Type, pointee: Type) -> bool:
    """Whether C++ converts a pointer by itself to one to ``pointee``."""
    source, target = given.get_pointee().get_canonical(), pointee.get_canonical()
    added = (
        (not source.is_const_qualified() or target.is_const_qualified())
        and (not types.is_volatile(source) or types.is_volatile(target))
    )  # fmt: skip
    if types.kind_name(target) == "VOID":
        return added and not types.kind_name(source).startswith("FUNCTION")
    return added and unqualified(source) == unqualified(target)


def unqualified(kind: Type) -> str:
    """Return the spelling of a type without the qualifiers of the object itself."""
    text = str(library.canonical_type(kind).spelling)
    if text.endswith("*") or "*" not in text:
        return re.sub(r"^(?:(?:const|volatile|restrict)\s+)+", "", text) if "*" not in text else text
    return re.sub(r"\*\s*(?:(?:const|volatile|restrict)\s*)+$", "*", text)


def _is_in_braces(node: Node) -> bool:
    above = node.parent
    if above is not None and above.kind == "UNEXPOSED_EXPR" and types.kind_name(above.type) == "VOID":
        above = above.parent  # behind designators
    return above is not None and above.kind == "INIT_LIST_EXPR"


def _narrows(node: Node, to: str) -> bool:
    """Whether a conversion may lose something of the value, in the sense of C++'s braces."""
    source = node.bare()
    kind = types.canonical(source.type)
    of = types.kind_name(kind)
    if of == to:
        return False
    if of in _FLOATS:
        if to in _INTEGERS:
            return True
        return _FLOATS[of] > _FLOATS[to] and not _is_literal(source)
    if of not in _INTEGERS:
        return of in ("POINTER", "COMPLEX")
    value = library.evaluate_integer(source.cursor)
    if to in _FLOATS:
        return value is None or abs(value) >= 1 << _FLOATS[to]
    wanted = types.canonical(node.type)
    if value is None:
        return not _holds_all(wanted, kind)
    low, high = _range(wanted)
    if of in ("ULONG", "ULONGLONG") and value < 0:
        value += 1 << 64
    return not low <= value <= high


def _is_literal(node: Node) -> bool:
    bare = node.bare()
    if bare.kind == "UNARY_OPERATOR" and bare.operator in ("-", "+"):
        return _is_literal(bare.children[0])
    return bare.kind == "FLOATING_LITERAL"


def _range(kind: Type) -> tuple[int, int]:
    name, bits = types.kind_name(kind), 8 * int(kind.get_size())
    if name == "ENUM":
        return _range(types.canonical(kind.get_declaration().enum_type))
    if name == "BOOL":
        return 0, 1
    return (0, (1 << bits) - 1) if name in _UNSIGNED else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


def _holds_all(wanted: Type, given: Type) -> bool:
    (low, high), (least, most) = _range(wanted), _range(given)
    return low <= least and most <= high


def _is_library_argument(node: Node) -> bool:
    call = node.parent
    if call is None or call.kind != "CALL_EXPR" or not call.children or call.children[0] is node:
        return False
    called = call.referenced
    return called is not None and library.in_system_header(called)


def _chooses(node: Node, to: str) -> bool:
    """Whether C++ could choose another function of a name by the argument that C converts."""
    of = types.kind_name(types.canonical(node.bare().type))
    if of == to or (of in _INTEGERS and to == "DOUBLE"):
        return False  # for integers the functions of C++ are those for double
    if of == "FLOAT" and to == "DOUBLE" and node.parent is not None:
        return not _is_rounded(node.parent)
    return of in _FLOATS or of == "COMPLEX" or (to in _INTEGERS and of in _INTEGERS)


def _is_rounded(call: Node) -> bool:
    """Whether a function of floats, whose result becomes a float at once, gives the same in single precision."""
    above = call.in_parentheses().parent
    if above is None or above.kind not in ("UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR") or not _IN_FLOAT.match(call.spelling):
        return False
    arguments = [types.kind_name(types.canonical(a.bare().type)) for a in call.children[1:]]
    return types.kind_name(types.canonical(above.type)) == "FLOAT" and all(kind == "FLOAT" for kind in arguments)


def is_plain(node: Node) -> bool:
    """Whether a node is an implicit conversion of one expression."""
    return node.kind == "UNEXPOSED_EXPR" and len(node.children) == 1 and node.start < node.end
