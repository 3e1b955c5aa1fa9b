"""What every kernel's statements must keep to, whatever stages have made them.

In: code of :mod:`rexcc.kernel.ir`. Out: what is wrong with it, in words for the people who work on rexcc. The tests ask
this of every kernel that they translate; no user ever sees it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.kernel.code import walk
from rexcc.kernel.ir import (
    Applied,
    Assigned,
    Barrier,
    Bind,
    Block,
    ByFirst,
    Code,
    CopyBytes,
    Critical,
    Declare,
    DeclareAll,
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
from rexcc.kernel.reductions import BY_BLOCK, PrefixSum, Reduce


def problems(code: Code) -> Iterator[str]:
    """Yield what is wrong with the statements of a whole kernel."""
    yield from _in_block(code, divided="")
    yield from _unseen(code)
    users = [statement for statement in _every(code) if isinstance(statement, User)]
    if len(users) > 1:
        yield f"the user's statement stands there {len(users)} times"
    for user in users:
        yield from _inside(user, "")


def _in_block(code: Code, divided: str) -> Iterator[str]:
    """Check the statements of one block; ``divided`` says why not all threads of the block execute it, if so."""
    names: set[str] = set()
    joined: set[str] = set()
    for statement in _flat(code):
        if isinstance(statement, UserSlot):
            yield "no statement was put in the place for the user's"
        if isinstance(statement, Declare | Bind):
            if statement.name in names:
                yield f"'{statement.name}' is declared twice in one block"
            names.add(statement.name)
        if isinstance(statement, Declare):
            yield from _declared(statement)
        for value in (o.value for o in statement.operands) if isinstance(statement, Reduce) else ():
            if value in joined:
                yield f"'{value}' is joined twice in one block"
            joined.add(value)
        together = _needs_all_threads(statement)
        if divided and together:
            yield f"{together} stands {divided}"
        for body, reason in _bodies(statement):
            yield from _in_block(body, reason or divided)


def _inside(user: User, divided: str) -> Iterator[str]:
    """Check the code inside of a user's statement; ``divided`` as above."""
    for part in user.parts:
        if isinstance(part, str):
            continue
        yield from _in_block(part.code, divided)
        yield from _unseen(part.code)
        users = list(_users(part.code, divided))
        if len(users) > 1:
            yield f"what stays of the user's statement stands there {len(users)} times"
        for inner, reason in users:
            yield from _inside(inner, reason)


def _users(code: Code, divided: str) -> Iterator[tuple[User, str]]:
    """Yield the users' statements in code, each with the reason why not all threads of the block execute it, if so."""
    for statement in _flat(code):
        if isinstance(statement, User):
            yield statement, divided
        for body, reason in _bodies(statement):
            yield from _users(body, reason or divided)


def _declared(declaration: Declare) -> Iterator[str]:
    if declaration.storage is Storage.TEAM and declaration.value is not None:
        yield f"'{declaration.name}' is a team's and has an initialiser, which such memory cannot have"
    if declaration.alignment & (declaration.alignment - 1):
        yield f"'{declaration.name}' asks for the alignment {declaration.alignment}, which is no power of two"


def _needs_all_threads(statement: Stmt) -> str:
    """Return what a statement is, if all threads of a block have to execute it."""
    if isinstance(statement, Barrier) and not statement.call:
        return "a barrier"
    if isinstance(statement, Reduce) and statement.among in BY_BLOCK:
        return "a reduction by the block"
    if isinstance(statement, FromFirst):
        return "a value from the first thread"
    if isinstance(statement, PrefixSum) and not statement.threads:
        return "a scan by the block"
    return "a copy by all threads" if isinstance(statement, CopyBytes) and statement.by_block else ""


def _bodies(statement: Stmt) -> Iterator[tuple[Code, str]]:
    match statement:
        case ByFirst(body) | FromFirst(body):
            yield body, "where only the first thread is"
        case Assigned(_, body) | Noted(_, body) | Applied(_, body):
            yield body, ""
        case If(_, body):
            yield body, ""
        case IfElse(_, body, otherwise):
            yield from ((body, ""), (otherwise, ""))
        case Block(_, body):
            yield body, ""
        case Guard(_, body):
            yield body, "where only some threads are"
        case Critical(_, body):
            yield body, "where one thread at a time is"
        case User():
            yield statement.stored, ""


def _flat(code: Code) -> Iterator[Stmt]:
    """Yield the statements of a block; each variable counts for itself."""
    for statement in code:
        if isinstance(statement, DeclareAll):
            yield from statement.variables
        else:
            yield statement


def _every(code: Code) -> Iterator[Stmt]:
    for statement in _flat(code):
        yield statement
        for body, _ in _bodies(statement):
            yield from _every(body)


def _unseen(code: Code) -> Iterator[str]:
    """Check that a barrier stands between what some threads give the team, and the user's statement."""
    owed = False
    for statement in _every(code):
        by_first = isinstance(statement, ByFirst) and not any(isinstance(s, User) for s in walk(statement.body))
        if by_first or (isinstance(statement, CopyBytes) and statement.by_block):
            owed = True
        elif isinstance(statement, Barrier):
            owed = False
        elif isinstance(statement, User) and owed:
            yield "the user's statement follows what some threads give the team, and no barrier is between"
