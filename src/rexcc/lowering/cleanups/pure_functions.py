"""Functions of libraries that compute a value from values.

In: a call. Out: whether it is one of such a function. Functions of the user's that have their names are others, also
where another file defines them.
"""

from __future__ import annotations

from rexcc.analysis.reachable_functions import is_library_function
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of

_MATH = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "cospi",
    "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "hypot",
    "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "max", "min",
    "nearbyint", "pow", "rint", "round", "rsqrt", "scalbn", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tgamma",
    "trunc",
)  # fmt: skip
_PLAIN = (
    "abs", "clamp", "labs", "llabs", "isnan", "isinf", "isfinite", "isnormal", "signbit", "lowest", "epsilon",
    "infinity", "quiet_NaN", "omp_get_thread_num", "omp_get_num_threads", "omp_get_team_num", "omp_get_num_teams",
    "omp_is_initial_device",
)  # fmt: skip
PURE = frozenset([*(f"{n}{s}" for n in _MATH for s in ("", "f", "l")), *_PLAIN])
"""Functions of the C and C++ libraries and of OpenMP that touch no memory."""

_BITS = ("bitreverse", "clrsb", "clz", "ctz", "ffs", "parity", "popcount")
_SIZES = ("", "l", "ll", "g", "8", "16", "32", "64")
PURE_BUILTINS = frozenset(
    [*(f"__builtin_{n}{s}" for n in _BITS for s in _SIZES), *(f"__builtin_bswap{s}" for s in (16, 32, 64)),
     *(f"__builtin_rotate{way}{s}" for way in ("left", "right") for s in (8, 16, 32, 64)),
     "__builtin_expect", "__builtin_expect_with_probability"]
)  # fmt: skip
"""The compilers' own functions that compute a value from values. Their names are reserved: no program has others."""

THROUGH_ARGUMENTS = frozenset(f"{n}{s}" for n in ("sincos", "frexp", "modf", "remquo") for s in ("", "f", "l"))
"""Library functions that write only where their pointer arguments point."""


def computes(call: Node) -> bool:
    """Whether a call is one of a function of the library that computes a value from values, but for what it calls
    because of its arguments' types (:mod:`rexcc.analysis.implicit_calls`)."""
    callee = call.referenced
    name = str(callee.spelling) if callee is not None else ""
    if callee is None or name.removeprefix("__builtin_") not in PURE:
        return False
    if kind_of(callee) != "FUNCTION_DECL" and not (kind_of(callee) == "CXX_METHOD" and callee.is_static_method()):
        return False
    definition = callee.get_definition()
    if definition is not None and not library.in_system_header(definition):
        return False
    if not name.startswith("__builtin_") and not library.in_system_header(callee) and not is_library_function(callee):
        return False  # a function of that name of another file
    return not any(types.is_pointer(types.without_reference(kind)) for kind in library.argument_types(callee.type))
