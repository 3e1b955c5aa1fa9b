"""The text of a single statement that the compiler has made, and what stands around the statements in one.

In: a statement of :mod:`rexcc.kernel.ir` and the words of a target. Out: its text. What has statements in it is put
together by the printer.
"""

from __future__ import annotations

from rexcc.kernel.folding import WIDTH
from rexcc.kernel.ir import (
    Applied,
    Assign,
    Assigned,
    Atomic,
    Barrier,
    Bind,
    Block,
    ByFirst,
    Code,
    CopyBytes,
    Critical,
    Declare,
    DeclareAll,
    Do,
    For,
    FromFirst,
    Guard,
    If,
    IfElse,
    Noted,
    Stmt,
    Storage,
    User,
    UserSlot,
)
from rexcc.kernel.reduction_code import value_text
from rexcc.kernel.reductions import PrefixSum, Reduce, Value
from rexcc.source.records import dataclass
from rexcc.target.model import Words


@dataclass(frozen=True)
class AroundBody:
    """The text in front of the ``body`` of a statement and, if there is any, behind it."""

    opening: str
    body: Code
    end: str


def simple_statement(statement: Stmt, words: Words) -> str:
    """Return a statement without others in it."""
    match statement:
        case Declare(_, _, _, _, storage, alignment):
            memory = f"{words.team_memory} " if storage is Storage.TEAM else ""
            aligned = f"alignas({alignment}) " if alignment else ""
            return f"{aligned}{memory}{_declarator(statement)};"
        case DeclareAll(kind, variables):
            return f"{kind} {', '.join(map(_declarator, variables))};"
        case Bind(declared, _, value):
            return f"{declared} = {value};"
        case Assign(target, value):
            return f"{target}{_initial(value)};"
        case Atomic(function, arguments, result, cast):
            return f"{f'{result} = {cast}' if result else ''}{function}({', '.join(arguments)});"
        case CopyBytes(target, source, size, by_block):
            return f"{'rex_copy_by_block' if by_block else '__builtin_memcpy'}({target}, {source}, {size});"
        case Barrier(call):
            return call or words.barrier
        case Do() | Reduce() | PrefixSum() | Block() | If() | IfElse() | ByFirst() | Guard() | Critical():
            raise AssertionError(f"printed as lines: {statement}")
        case UserSlot() | User():
            raise AssertionError(f"printed as lines: {statement}")
        case Assigned() | Noted() | Applied() | FromFirst():
            raise AssertionError(f"an expression around the user's: {statement}")


def first_thread(condition: str, words: Words) -> str:
    """Return the condition under which the first thread executes a statement."""
    return f"{words.is_first} && ({condition})" if condition else words.is_first


def _declarator(made: Declare) -> str:
    """Return a variable with its value, or with what its constructor gets."""
    given = f"({', '.join(made.arguments)})" if made.arguments else _initial(made.value)
    return f"{made.declared}{given}"


def _initial(value: Value | None) -> str:
    return "" if value is None else f" = {value_text(value)}"


def header(head: str | For) -> str:
    """Return what stands in front of a block, a long header of a loop on several lines."""
    if isinstance(head, str):
        return head
    test = f"{head.index} {head.relation} {head.bound}{f' && {head.also}' if head.also else ''}"
    step = f"{head.index}{'' if head.step in ('++', '--') else ' '}{head.step}"
    lines = [f"for ({head.declared} = {head.start};"]
    for part in (f"{test};", f"{step})"):
        if len(lines[-1]) + len(part) < WIDTH:
            lines[-1] = f"{lines[-1]} {part}"
        else:
            lines.append(f"     {part}")
    return "\n".join(lines)


def is_closed(block: Block) -> bool:
    """Whether the brace at the end of the user's statement closes a block."""
    last = block.body[-1] if block.body else None
    return isinstance(last, User) and last.is_block and last.closes


def around_body(statement: Stmt, words: Words) -> AroundBody:
    """Return what stands around the user's statement in another one."""
    match statement:
        case Assigned(target, body, opening, end):
            return AroundBody(f"{target} = {opening}", body, end)
        case Noted(note, body):
            return AroundBody(f"({note.target}{_initial(note.value)}, ", body, ")")
        case Applied(function, body, others):
            return AroundBody(f"{function}(", body, f"{''.join(f', {one}' for one in others)})")
        case FromFirst(body):
            opening, end = _from_first(statement)
            return AroundBody(opening, body, end)
        case Block(head, body, rest, bare):
            around = _braced(header(head), body, bare)
            end = rest.lstrip() if is_closed(statement) else f"{around.end}{rest}"
            return AroundBody(around.opening.lstrip(), body, "" if bare else end)
        case Guard(condition, body, bare):
            return _braced(f"if ({condition})", body, bare)
        case ByFirst(body, _, bare, condition):
            return _braced(f"if ({first_thread(condition, words)})", body, bare)
        case Critical(lock, body, test):
            entered = f"REX_CRITICAL_IF({lock}, {test})" if test else f"REX_CRITICAL({lock})"
            return _braced(entered, body, len(body) == 1)
        case _:
            raise AssertionError(f"no statement around the user's: {statement}")


def _braced(head: str, body: Code, bare: bool) -> AroundBody:
    return AroundBody(head, body, "") if bare else AroundBody(f"{head} {{", body, "}")


def _from_first(value: FromFirst) -> tuple[str, str]:
    """Return what stands around an expression that the first thread evaluates."""
    if value.is_step:
        return "rex_first([&] { ", "; })"
    if value.is_place:
        return "*rex_from_first([&] { return __builtin_addressof(", "); })"  # classes may have their own &
    if value.type:
        return f"rex_from_first([&]() -> {value.type} {{ return ", "; })"
    return f"rex_from_first([&] {{ return {'(bool)' if value.is_truth else ''}(", "); })"
