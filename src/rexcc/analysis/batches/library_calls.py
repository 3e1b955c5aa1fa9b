"""Which calls of the system's functions see nothing but what they are given.

In: a call in the host program. Out: whether it does nothing but compute, or only tells of a container itself: neither
looks at memory that a kernel may write. Or whether it is what ``assert`` calls when it fails, in whose place a host
file calls a function of ours that waits first (``rex_assert_fail``): then nobody can tell either.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.clang import library, types
from rexcc.clang.standard_library import is_method_of_std, is_of_std
from rexcc.clang.tree import Node, kind_of

_ARITHMETIC = frozenset(
    {
        "pow", "sqrt", "cbrt", "fabs", "abs", "floor", "ceil", "round", "lround", "trunc", "fmod", "exp", "exp2", "log",
        "log2", "log10", "sin", "cos", "tan", "atan", "atan2", "min", "max", "clamp", "fmin", "fmax",
        "powf", "sqrtf", "fabsf", "floorf", "ceilf", "expf", "logf", "log2f", "sinf", "cosf", "fminf", "fmaxf",
    }
)  # fmt: skip
"""Functions of the system that do nothing but compute."""

_NUMBERS = frozenset({"omp_get_default_device", "omp_get_initial_device", "omp_get_num_devices"})
"""Routines of OpenMP that do nothing but tell a number."""

_SIZES = frozenset({"size", "empty", "length", "capacity", "data"})
"""Methods of the library's containers that tell how many elements there are, or where."""


_HINTS = frozenset({"__builtin_is_constant_evaluated", "__builtin_unreachable", "__builtin_expect"})
"""What compilers are told, or asked for, in the library's assertions, where nothing is executed for it."""


def only_computes(callee: Cursor, arguments: Iterable[Node]) -> bool:
    """Whether a function of the system computes a number of the numbers that it is given, or tells the compiler one."""
    if callee.spelling in _HINTS:
        return True
    return callee.spelling in _ARITHMETIC and all(types.is_scalar(a.type) for a in arguments)


def passes_on(callee: Cursor) -> bool:
    """Whether a function of the library only casts the reference that it is given."""
    return callee.spelling in ("forward", "move") and is_of_std(callee) and len(list(callee.get_arguments())) == 1


def asks_runtime(callee: Cursor) -> bool:
    """Whether a function is a routine of OpenMP that tells a number of the calling thread's, or of the program's."""
    is_routine = callee.spelling in _NUMBERS and kind_of(callee) == "FUNCTION_DECL"
    return is_routine and callee.get_definition() is None and callee.mangled_name == callee.spelling


def tells_size(call: Node, method: Cursor) -> bool:
    """Whether a call asks a container of the library, which is a variable by its name, for its size, or for the address
    of its elements, which it does not look at."""
    if method.spelling not in _SIZES or len(call.children) != 1:
        return False
    if not is_method_of_std(method):  # another library's may ask another thread
        return False
    member = call.children[0].bare()
    container = member.children[0].bare() if member.kind == "MEMBER_REF_EXPR" and member.children else member
    target = container.referenced if container.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) != "VAR_DECL" or library.is_made_at_first_use(target):
        return False
    return types.is_record(target.type) and not types.is_reference(target.type) and not types.is_volatile(target.type)


_ASSERTION = ("const char *", "const char *", "unsigned int", "const char *")
"""What glibc's ``__assert_fail`` is given."""
_LITERALS = frozenset({"STRING_LITERAL", "INTEGER_LITERAL", "UNEXPOSED_EXPR", "PAREN_EXPR", "UNARY_OPERATOR"})


def fails_assertion(call: Node, callee: Cursor) -> bool:
    """Whether a call is that of an ``assert`` that has failed (C11 7.2.1.1)."""
    if callee.spelling != "__assert_fail" or not library.in_system_header(callee):
        return False
    if tuple(str(p.spelling) for p in library.argument_types(callee.type)) != _ASSERTION:
        return False
    return all(n.kind in _LITERALS for argument in call.children[1:] for n in argument.walk())
