"""What a light iteration consists of: kinds of nodes, operators, functions and element types."""

from __future__ import annotations

ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
STEPS = frozenset({"++", "--", "p++", "p--", "&"})
"""Operators that change a value, or take an address by which others may."""

ELEMENTS = frozenset(
    {
        "BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "LONGLONG",
        "ULONGLONG", "FLOAT", "DOUBLE",
    }
)  # fmt: skip

LIGHT = frozenset(
    {
        "COMPOUND_STMT", "DECL_STMT", "NULL_STMT", "VAR_DECL", "PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR",
        "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "CALL_EXPR",
        "COMPOUND_ASSIGNMENT_OPERATOR", "CONDITIONAL_OPERATOR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR",
        "DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR",
        "TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF", "MEMBER_REF", "CXX_UNARY_EXPR", "CXX_THIS_EXPR",
    }
)  # fmt: skip
"""What an iteration may consist of."""

_SHORT = ("sqrt", "rsqrt", "fabs", "fma", "fmin", "fmax", "min", "max", "floor", "ceil", "trunc", "rint", "round",
          "copysign")  # fmt: skip
_LONG = ("exp", "exp2", "log", "log2", "log10", "pow")
LONG_CALLS = frozenset(f"{n}{s}" for n in _LONG for s in ("", "f"))
"""Functions that are long but need no local memory."""
_OF_ALL_TYPES = frozenset({"abs", "clamp", "labs", "llabs"})
LIGHT_CALLS = _OF_ALL_TYPES | LONG_CALLS | {f"{n}{s}" for n in _SHORT for s in ("", "f")}
"""Functions of a few instructions, and those."""
