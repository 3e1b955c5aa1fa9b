"""The tree of a kernel's statements as text, for people who work on rexcc.

In: code of :mod:`rexcc.kernel.ir`. Out: lines, one for each node with its fields; what is inside stands further in.
"""

from __future__ import annotations

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
from rexcc.kernel.reductions import Identity, Operand, PrefixSum, Reduce, Value
from rexcc.kernel.statement_texts import header

_STEP = "  "


def dump(code: Code, indent: str = "") -> tuple[str, ...]:
    """Return the lines of statements and those inside of them."""
    return tuple(line for statement in code for line in _node(statement, indent))


def _node(statement: Stmt, indent: str) -> tuple[str, ...]:
    inside = indent + _STEP
    match statement:
        case ByFirst(body, _, _, condition):
            return (f"{indent}by the first thread{_if(condition)}:", *dump(body, inside))
        case If(condition, body):
            return (f"{indent}if {condition}:", *dump(body, inside))
        case IfElse(condition, body, otherwise):
            return (f"{indent}if {condition}:", *dump(body, inside), f"{indent}else:", *dump(otherwise, inside))
        case Block(head, body):
            return (*_text("block", header(head), indent), *dump(body, inside))
        case Guard(condition, body):
            return (f"{indent}by threads for which {condition}:", *dump(body, inside))
        case Critical(lock, body):
            return (f"{indent}one thread at a time, by {lock}:", *dump(body, inside))
        case Assigned(target, body, before, behind):
            return (f"{indent}assign {target} = {before}…{behind}", *dump(body, inside))
        case Noted(note, body):
            return (f"{indent}{_line(note)}, and then", *dump(body, inside))
        case Applied(function, body, others):
            return (f"{indent}{function}({', '.join(('…', *others))})", *dump(body, inside))
        case FromFirst(body, _, _, is_step, is_place):
            return (
                f"{indent}{'' if is_step else 'place ' if is_place else 'value '}by the first thread:",
                *dump(body, inside),
            )
        case User():
            return _user(statement, indent)
        case Do(text):
            return _text("do", text, indent)
        case Reduce(operands, among, given):
            who = f"{among.value}, with {given}" if given else among.value
            return (f"{indent}reduce {who}:", *(f"{inside}{_operand(operand)}" for operand in operands))
        case _:
            return (f"{indent}{_line(statement)}",)


def _user(user: User, indent: str) -> tuple[str, ...]:
    """Return the lines of a user's statement, with code in it where that stands."""
    inside = indent + _STEP
    found = [f"{indent}user {user.path}:{user.line}"]
    for part in user.parts:
        if isinstance(part, str):
            found += [f"{inside}| {line}" for line in part.strip("\n").split("\n") if line.strip()]
        else:
            found += [
                f"{inside}{' '.join(part.comment.split()) or 'in place of his'}",
                *dump(part.code, inside + _STEP),
            ]
    behind = (f"{indent}behind it:", *dump(user.stored, inside)) if user.stored else ()
    return (*found, *behind)


def _operand(operand: Operand) -> str:
    elements = f"{operand.count} elements of " if operand.count else ""
    return f"{elements}{operand.value} into *({operand.target}) by {operand.operator}"


def _line(statement: Declare | DeclareAll | Bind | Assign | Atomic | CopyBytes | PrefixSum | Barrier | UserSlot) -> str:
    match statement:
        case Declare(declared, _, _, _, storage, alignment):
            of = "team" if storage is Storage.TEAM else "thread"
            return f"declare {of} {declared}{_made(statement)}{f' align {alignment}' if alignment else ''}"
        case DeclareAll(kind, variables):
            return f"declare thread {kind} {', '.join(f'{one.declared}{_made(one)}' for one in variables)}"
        case Bind(declared, _, value):
            return f"bind {declared}{_is(value)}"
        case Assign(target, value):
            return f"assign {target}{_is(value)}"
        case Atomic(function, arguments, result, cast):
            return f"atomic {f'{result} = {cast}' if result else ''}{function}({', '.join(arguments)})"
        case CopyBytes(target, source, size, by_block):
            return f"copy {size} bytes from {source} to {target}{' by the block' if by_block else ''}"
        case PrefixSum(value, carry, operator, is_exclusive, threads, of_teams):
            kind, of = "exclusive" if is_exclusive else "inclusive", f", of {threads} threads" if threads else ""
            of += " by all teams" if of_teams else ""
            return f"{kind} prefix sums of {value} by {operator}, carried in {carry}{of}"
        case Barrier(call):
            return f"barrier {call}".rstrip()
        case UserSlot():
            return "here"


def _made(variable: Declare) -> str:
    return f" of ({', '.join(variable.arguments)})" if variable.arguments else _is(variable.value)


def _is(value: Value | None) -> str:
    if isinstance(value, Identity):
        return f" = identity of {value.operator} ({value.type})"
    return "" if value is None else f" = {value}"


def _if(condition: str) -> str:
    return f" if {condition}" if condition else ""


def _text(word: str, text: str, indent: str) -> tuple[str, ...]:
    """Return a text of several lines, those behind the first below it."""
    first, *others = text.split("\n")
    return (f"{indent}{word} {first}", *(f"{indent}{' ' * len(word)} {line.strip()}" for line in others))
