"""The text of statements that the compiler has made, with the user's statements in them.

In: code of :mod:`rexcc.kernel.ir` and the words of a target. Out: lines of the device language. The user's statements
keep their own lines behind a ``#line`` that leads to them, and so do the parts of a statement around code in their
middle. Code has one statement in a line; a condition may stand in the line of the user's one statement that it is for,
and what a directive becomes in the directive's. :mod:`rexcc.source.line_directives` leaves out what needs no ``#line``.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.kernel.code import walk
from rexcc.kernel.folding import WIDTH, folded
from rexcc.kernel.ir import (
    Block,
    ByFirst,
    Code,
    Critical,
    Do,
    Guard,
    If,
    IfElse,
    Inside,
    Stmt,
    User,
)
from rexcc.kernel.layout import Layout, Place
from rexcc.kernel.reduction_code import reduction_code
from rexcc.kernel.reductions import PrefixSum, Reduce
from rexcc.kernel.statement_texts import around_body, first_thread, header, is_closed, simple_statement
from rexcc.source.edits import separated
from rexcc.source.line_directives import OWN, line_directive
from rexcc.source.patterns import regex
from rexcc.target.model import Words

_STEP = "  "
_SHORT = 80
"""How much code may stand behind a directive: it counts as its line."""
_STEP_OF_TEXT = 20
"""What a line leaves for the indentation of the user's text."""
_NO_CODE = regex(r"[\s{}();]*(?:while \(false\);)?")

_Rows = list[tuple[int, str]]
"""Lines with the number of steps that they are indented by."""


def lines(code: Code, words: Words, indent: str = "") -> tuple[str, ...]:
    """Return the lines of statements."""
    return tuple(line for s in code for line in _lines(s, words, indent))


def on_one_line(code: Code, words: Words) -> str:
    """Return statements one behind the other."""
    return " ".join(line.strip() for line in lines(code, words))


def _lines(statement: Stmt, words: Words, indent: str) -> tuple[str, ...]:
    match statement:
        case Do(text):
            return _folded(text, indent)
        case ByFirst(body, _, False) if statement.in_lines or len(body) > 1:
            return (
                f"{indent}if ({first_thread(statement.condition, words)}) {{",
                *lines(body, words, indent + _STEP),
                f"{indent}}}",
            )
        case Block():
            return _nest(statement, words, indent)
        case IfElse(condition, body, otherwise):
            inside = indent + _STEP
            then = (f"{indent}if ({condition}) {{", *lines(body, words, inside))
            return (*then, f"{indent}}} else {{", *lines(otherwise, words, inside), f"{indent}}}")
        case User():
            return _user(statement, words, indent)
        case Reduce() | PrefixSum():
            return lines(reduction_code(statement), words, indent)
        case Guard() | Critical():
            before, _, behind = _opened(statement, words, 0)
            return tuple(f"{indent}{_STEP * depth}{text}" for depth, text in (*before, *behind))
        case If(condition, body):
            return _folded(f"if ({condition}) {on_one_line(body, words)}", indent)
        case ByFirst(body, _, bare, condition):
            inner = on_one_line(body, words)
            return _folded(f"if ({first_thread(condition, words)}) {inner if bare else f'{{ {inner} }}'}", indent)
        case _:
            return _folded(simple_statement(statement, words), indent)


def _folded(text: str, indent: str) -> tuple[str, ...]:
    """Return the lines of a text, the long ones folded."""
    return tuple(part for line in text.split("\n") for part in folded(f"{indent}{line}"))


def _nest(nest: Block, words: Words, indent: str) -> tuple[str, ...]:
    """Return the lines of a block; the braces of a user's statement at its end serve for its own."""
    opening = f"{header(nest.head)}{'' if nest.bare else ' {'}".lstrip()
    head = _folded(opening, indent)
    if nest.bare:
        inner = lines(nest.body, words, indent)
        if len(inner) > 1:
            return (*head, *inner)
        is_long = len(head[-1]) + len(inner[0].strip()) >= WIDTH
        return (*head, f"{_STEP}{inner[0]}") if is_long else (*head[:-1], f"{head[-1]} {inner[0].strip()}")
    end = () if is_closed(nest) else (f"{indent}}}{nest.behind}",)
    return (*head, *lines(nest.body, words, indent + _STEP), *end)


def _user(user: User, words: Words, indent: str) -> tuple[str, ...]:
    """Return a user's statement behind a ``#line``; of a block what is in it, and its last brace if that serves."""
    stored = lines(user.stored, words)
    if not user.is_block:
        own = (OWN, *(f"{indent}{line}" for line in stored))
        return (line_directive(user.line, user.path), f"{indent}{user_text(user, words)}", *own)
    line, text = user.line, user_text(user, words)[1:]
    if text.startswith("\n"):
        line, text = line + 1, text[1:]
    if not user.closes:
        return (line_directive(line, user.path), text[:-1].rstrip(), OWN, *(f"{indent}{line}" for line in stored))
    if stored:
        text = "\n".join([text[:-1].rstrip(), OWN, *(f"{user.indent}{s}" for s in stored), f"{user.end_indent}}}"])
    return (line_directive(line, user.path), text, OWN)


def user_text(user: User, words: Words) -> str:
    """Return the text of a user's statement, with the code in it."""
    return "".join(separated(part if isinstance(part, str) else inside_text(part, words) for part in user.parts))


def inside_text(inside: Inside, words: Words) -> str:
    """Return code in the place of a part of a user's text, and what stays of that."""
    before, user, behind = _around(inside.code, words, 0)
    text = "" if user is None else user_text(user, words)
    match inside.layout:
        case Layout.LINE if user is None:
            resumed = f"\n{line_directive(inside.start.line, inside.start.path)}\n{inside.start.indent}"
            return resumed.join(f"{_STEP * depth}{line}" for depth, line in before) + inside.dropped_behind
        case Layout.LINE:
            rows, opening, closing, rest = _beside(before, text, behind)
            start = f"{_in_front(rows, inside.start, inside.start.indent)}{opening}"
            end = f"{closing}{_placed(rest, inside.end, bool(rest))}"
            return "".join(separated((start, text, end, inside.dropped_behind)))
        case Layout.EXPRESSION:
            around = [row for _, row in before], [row for _, row in behind]
            return "".join(separated((*around[0], text, *around[1], inside.dropped_behind)))
        case Layout.BEFORE:
            return _in_front(before, inside.start, inside.start.indent)
        case Layout.BEHIND:
            return _placed(before, inside.end)
        case Layout.LINES:
            start = _in_front(before, inside.start, inside.end.indent)
            return "".join(separated((start, text, _placed(behind, inside.end))))
        case Layout.DIRECTIVE:
            is_short = len(before) == 1 and len(before[0][1]) <= _SHORT
            start = f"{inside.comment}{f' {before[0][1]}' if is_short else _placed(before, inside.start)}"
        case Layout.HEADER:
            start = _header(inside, before, user is not None and user.is_block)
            text = text[1:] if user is not None and user.is_block else text
    return "".join(separated((start, text, _placed(behind, inside.end), inside.dropped_behind)))


def _header(inside: Inside, before: _Rows, has_brace: bool) -> str:
    """Return a header and its brace in the place of the user's, with the code behind it."""
    head = [text for depth, text in before if depth == 0]
    opening = [row for row in before if row[0]]
    is_long = len(head) > 1 or bool(opening)
    behind = _placed(opening, inside.start, is_long, depth=1)
    kept = "" if is_long else inside.dropped
    return "".join((f"\n{inside.start.indent}".join(head), behind, kept, "" if has_brace else " "))


def _beside(before: _Rows, text: str, behind: _Rows) -> tuple[_Rows, str, str, _Rows]:
    """Return the lines in front of a user's statement, what stands in its line on both sides, and the lines behind it.

    A condition is in the line of a statement that has one.
    """
    opening = before[-1][1] if before else ""
    is_condition = opening.startswith("if (") and len(opening) + len(text) <= WIDTH - _STEP_OF_TEXT
    if "\n" in text or not (is_condition or _NO_CODE.fullmatch(opening)):
        return before, "", "", behind
    closes = bool(behind) and behind[0][1] == "}" and opening.endswith("{")
    return before[:-1], f"{opening} ".lstrip(), " }" if closes else "", behind[closes:]


def _in_front(rows: _Rows, place: Place, margin: str) -> str:
    """Return lines to stand in front of a place; what follows in the user's line stands behind a margin."""
    if not rows:
        return ""
    first = rows[0][1] if rows[0][1] == ";" else ""  # it ends what stands in front
    own = _own_lines(rows[bool(first) :], place)
    return "\n".join([first, OWN, *own, line_directive(place.line, place.path), margin])


def _own_lines(rows: _Rows, place: Place) -> Iterator[str]:
    for steps, text in rows:
        yield from folded(f"{place.indent}{_STEP * steps}{text}")


def _placed(rows: _Rows, place: Place, is_long: bool = False, depth: int = 0) -> str:
    """Return lines to stand behind a place: braces on the same line, all else on lines of their own.

    What follows in the user's line is indented by ``depth`` steps.
    """
    if not rows and not is_long:
        return ""
    if not is_long and all(_NO_CODE.fullmatch(text) for _, text in rows):
        closing = " ".join(text.strip() for _, text in rows)
        return closing if closing.startswith(")") else f" {closing}"
    own = _own_lines(rows, place)
    if place.is_end:
        return "\n".join(["", OWN, *own, line_directive(place.line + 1, place.path)])
    return "\n".join(["", OWN, *own, line_directive(place.line, place.path), place.indent + _STEP * depth])


def _around(code: Code, words: Words, depth: int) -> tuple[_Rows, User | None, _Rows]:
    """Return the lines before the user's statement in code, that statement, and the lines behind it."""
    user: User | None = None
    before: _Rows = []
    behind: _Rows = []
    for statement in code:
        if isinstance(statement, User):
            user = statement
        elif any(isinstance(inner, User) for inner in walk((statement,))):
            first, user, last = _opened(statement, words, depth)
            before, behind = before + first, behind + last
        else:
            rows = before if user is None else behind
            rows += [(depth, line) for line in lines((statement,), words)]
    return before, user, behind


def _opened(statement: Stmt, words: Words, depth: int) -> tuple[_Rows, User | None, _Rows]:
    """Return the same of a statement around others."""
    around = around_body(statement, words)
    before, user, behind = _around(around.body, words, depth + 1)
    first = [(depth, line) for line in around.opening.split("\n")]
    last = [(depth, around.end)] if around.end else []
    return [*first, *before], user, [*behind, *last]
