"""Values that depend on who asks for them: ``std::is_constant_evaluated``, ``if consteval``, ``__builtin_constant_p``.

In: an expression or a variable. Out: whether its value may be another one where the language asks for a constant than
where the program runs: libclang answers neither as the one nor as the other. Functions of the library have the same
value in both.
"""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

_ASKING = frozenset({"is_constant_evaluated", "__builtin_is_constant_evaluated", "__builtin_constant_p", "consteval"})


def depends_on_constancy(cursor: Cursor) -> bool:
    """Whether a value may depend on whether a constant is asked for."""
    return _depends(cursor, set())


def _depends(cursor: Cursor, seen: set[int]) -> bool:
    if cursor.kind == CursorKind.CALL_EXPR and _asks(cursor.referenced, seen):
        return True
    return any(_depends(child, seen) for child in cursor.get_children())


def _asks(function: Cursor | None, seen: set[int]) -> bool:
    """Whether a function of the program, or one that it calls, asks."""
    if function is None or function.location.is_in_system_header:
        return function is not None and str(function.spelling) in _ASKING
    if str(function.spelling) in _ASKING:
        return True
    definition = function.get_definition()
    if definition is None or definition.hash in seen:
        return False
    seen.add(definition.hash)
    words = (str(token.spelling) for token in definition.get_tokens())
    return any(word in _ASKING for word in words) or _depends(definition, seen)
