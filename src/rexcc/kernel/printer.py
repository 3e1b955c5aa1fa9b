"""The text of statements that the compiler has made.

In: code of :mod:`rexcc.kernel.ir`. Out: lines of CUDA C++, without indentation.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.kernel.ir import Assign, Barrier, Bind, ByFirst, Code, CopyBytes, Declare, Do, If, Line, Stmt, Storage

BARRIER = "__syncthreads();"
FIRST_THREAD = "threadIdx.x == 0"
_MEMORY_OF_TEAM = "__shared__ "


def lines(code: Code) -> tuple[str, ...]:
    """Return the lines of statements."""
    return tuple(line for statement in code for line in _lines(statement))


def texts(parts: Iterable[str | Stmt]) -> tuple[str, ...]:
    """Return the lines of statements, some of which are text already."""
    return tuple(line for part in parts for line in ((part,) if isinstance(part, str) else _lines(part)))


def on_one_line(code: Code) -> str:
    """Return statements one behind the other."""
    return " ".join(lines(code))


def _lines(statement: Stmt) -> tuple[str, ...]:
    match statement:
        case Do(text):
            return tuple(text.split("\n"))
        case ByFirst(body, True):
            return (f"if ({FIRST_THREAD}) {{", *(f"  {line}" for line in lines(body)), "}")
        case _:
            return (_line(statement),)


def _line(statement: Stmt) -> str:
    match statement:
        case Declare(declared, _, value, _, storage, alignment):
            memory = _MEMORY_OF_TEAM if storage is Storage.TEAM else ""
            aligned = f"alignas({alignment}) " if alignment else ""
            return f"{aligned}{memory}{declared}{_initial(value)};"
        case Bind(declared, _, value):
            return f"{declared} = {value};"
        case Assign(target, value):
            return f"{target} = {value};"
        case CopyBytes(target, source, size, by_block):
            return f"{'rex_copy_by_block' if by_block else '__builtin_memcpy'}({target}, {source}, {size});"
        case If(condition, body):
            return f"if ({condition}) {on_one_line(body)}"
        case ByFirst(body, _, bare, condition):
            test = f"{FIRST_THREAD} && ({condition})" if condition else FIRST_THREAD
            return f"if ({test}) {on_one_line(body) if bare else f'{{ {on_one_line(body)} }}'}"
        case Line(body):
            return on_one_line(body)
        case Barrier():
            return BARRIER
        case Do(text):
            return text


def _initial(value: str | None) -> str:
    if value is None:
        return ""
    return f" = {value}"
