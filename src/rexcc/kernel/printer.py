"""The text of statements that the compiler has made, with the user's statements in them.

In: code of :mod:`rexcc.kernel.ir` and the words of a target. Out: lines of the device
language. The user's statements keep their own lines behind a ``#line`` that leads to them.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.kernel.ir import (
    Assign,
    Barrier,
    Bind,
    Block,
    ByFirst,
    Code,
    CopyBytes,
    Declare,
    Do,
    If,
    IfElse,
    Line,
    Stmt,
    Storage,
    User,
    UserSlot,
)
from rexcc.source.line_directives import OWN, line_directive
from rexcc.target.model import Words

_STEP = "  "


def lines(code: Code, words: Words, indent: str = "") -> tuple[str, ...]:
    """Return the lines of statements."""
    return tuple(line for s in code for line in _lines(s, words, indent))


def texts(parts: Iterable[str | Stmt], words: Words) -> tuple[str, ...]:
    """Return the lines of statements, some of which are text already."""
    return tuple(line for part in parts for line in ((part,) if isinstance(part, str) else lines((part,), words)))


def on_one_line(code: Code, words: Words) -> str:
    """Return statements one behind the other."""
    return " ".join(lines(code, words))


def _lines(statement: Stmt, words: Words, indent: str) -> tuple[str, ...]:
    match statement:
        case Do(text):
            return tuple(f"{indent}{line}" for line in text.split("\n"))
        case ByFirst(body, True):
            return (f"{indent}if ({words.is_first}) {{", *lines(body, words, indent + _STEP), f"{indent}}}")
        case Block():
            return _nest(statement, words, indent)
        case IfElse(condition, body, otherwise):
            inside = indent + _STEP
            then = (f"{indent}if ({condition}) {{", *lines(body, words, inside))
            return (*then, f"{indent}}} else {{", *lines(otherwise, words, inside), f"{indent}}}")
        case User():
            return _user(statement, words, indent)
        case _:
            return (f"{indent}{_line(statement, words)}",)


def _line(statement: Stmt, words: Words) -> str:
    match statement:
        case Declare(declared, _, value, _, storage, alignment):
            memory = f"{words.team_memory} " if storage is Storage.TEAM else ""
            aligned = f"alignas({alignment}) " if alignment else ""
            return f"{aligned}{memory}{declared}{_initial(value)};"
        case Bind(declared, _, value):
            return f"{declared} = {value};"
        case Assign(target, value):
            return f"{target} = {value};"
        case CopyBytes(target, source, size, by_block):
            return f"{'rex_copy_by_block' if by_block else '__builtin_memcpy'}({target}, {source}, {size});"
        case If(condition, body):
            return f"if ({condition}) {on_one_line(body, words)}"
        case ByFirst(body, _, bare, condition):
            test = f"{words.is_first} && ({condition})" if condition else words.is_first
            return f"if ({test}) {on_one_line(body, words) if bare else f'{{ {on_one_line(body, words)} }}'}"
        case Line(body):
            return on_one_line(body, words)
        case Barrier():
            return words.barrier
        case Do() | Block() | IfElse() | UserSlot() | User():
            raise AssertionError(f"not a statement of one line: {statement}")


def _initial(value: str | None) -> str:
    return "" if value is None else f" = {value}"


def _nest(nest: Block, words: Words, indent: str) -> tuple[str, ...]:
    """Return the lines of a block; the braces of a user's statement at its end serve for its own."""
    head = f"{nest.head} {{".replace("\n", f"\n{indent}")
    last = nest.body[-1] if nest.body else None
    closed = isinstance(last, User) and last.is_block and last.closes
    return (f"{indent}{head}", *lines(nest.body, words, indent + _STEP), *(() if closed else (f"{indent}{nest.end}",)))


def _user(user: User, words: Words, indent: str) -> tuple[str, ...]:
    """Return a user's statement behind a ``#line``; of a block what is in it, and its last brace if that serves."""
    stored = lines(user.stored, words)
    if not user.is_block:
        own = (OWN, *(f"{indent}{line}" for line in stored))
        return (line_directive(user.line, user.path), f"{indent}{user.text}", *own)
    line, text = user.line, user.text[1:]
    if text.startswith("\n"):
        line, text = line + 1, text[1:]
    if not user.closes:
        return (line_directive(line, user.path), text[:-1].rstrip(), OWN)
    if stored:
        text = "\n".join([text[:-1].rstrip(), OWN, *(f"{user.indent}{s}" for s in stored), f"{user.end_indent}}}"])
    return (line_directive(line, user.path), text, OWN)
