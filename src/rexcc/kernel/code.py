"""What stages ask of code and make of it, whatever statements it has.

In: code of a kernel (:mod:`rexcc.kernel.ir`). Out: facts about it, and code with another form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rexcc.kernel.ir import (
    Around,
    AroundUser,
    Assign,
    Barrier,
    Bind,
    Block,
    ByFirst,
    Code,
    CopyBytes,
    Declare,
    DeclareAll,
    For,
    IfElse,
    Stmt,
    Storage,
    UserSlot,
)
from rexcc.kernel.reductions import Among, Reduce
from rexcc.source.records import replace


def in_place(code: Code, found: Code) -> Code:
    """Return code in which other code stands in the place of :class:`UserSlot`."""
    made: Code = ()
    for statement in code:
        if isinstance(statement, UserSlot):
            made += found
        elif isinstance(statement, AroundUser):
            made += (replace(statement, body=in_place(statement.body, found)),)
        else:
            made += (statement,)
    return made


def of_team(code: Code) -> Code:
    """Return code that declares a thread's copy of a variable, such that the team has one copy.

    The declaration comes first; shared memory has no initialisers, so the first thread assigns, and what follows the
    declaration is its work too.
    """
    declaration, *others = code
    assert isinstance(declaration, Declare)
    made: Code = tuple(others)
    if declaration.value is not None:
        made = (Assign(declaration.name, declaration.value), *made)
    declared = declaration.assignable or declaration.declared
    shared = replace(declaration, declared=declared, value=None, storage=Storage.TEAM)
    return (shared, *((ByFirst(made),) if made else ()))


def walk(code: Code) -> Iterator[Stmt]:
    """Yield statements and those inside of them."""
    for statement in code:
        yield statement
        if isinstance(statement, Around):
            yield from walk(statement.body)
        if isinstance(statement, IfElse):
            yield from walk(statement.otherwise)


def declared(code: Code) -> Iterator[str]:
    """Yield the names that the statements of a block declare in it, not those of blocks inside of it."""
    for statement in code:
        match statement:
            case Declare(_, name) | Bind(_, name):
                yield name
            case DeclareAll(_, variables):
                yield from declared(variables)


def in_block(opening: Code, inner: Code, closing: Code = ()) -> Code:
    """Return statements with others around them, in a block of their own if there are any."""
    return (Block("", (*opening, *inner, *closing)),) if opening or closing else inner


def straight(code: Code) -> Code:
    """Return code in which what all threads get is joined by straight code (:attr:`.Among.FOR_ALL_STRAIGHT`)."""
    return tuple(
        replace(s, among=Among.FOR_ALL_STRAIGHT) if isinstance(s, Reduce) and s.among is Among.FOR_ALL else s
        for s in code
    )


def elements(count: str, code: Code, index: str = "unsigned long") -> Code:
    """Return a loop over the elements of an array, which ``__rex_e`` numbers; ``index`` is its type."""
    return (Block(For(f"{index} __rex_e", "__rex_e", "0", "<", count, "++"), code, bare=True),)


def gives_team_values(code: Code) -> bool:
    """Whether some threads of a block give a value to what all of them have: a barrier has to follow."""
    return any(isinstance(s, ByFirst) or (isinstance(s, CopyBytes) and s.by_block) for s in walk(code))


def waits(code: Code) -> bool:
    """Whether the threads of a block wait for each other here."""
    return any(isinstance(s, Barrier) for s in walk(code))


def aligned(code: Code, alignments: Mapping[str, int]) -> Code:
    """Return code in which the declarations of some variables, by name, ask for their alignment."""
    if not alignments:
        return code
    return tuple(
        replace(s, alignment=alignments[s.name]) if isinstance(s, Declare) and s.name in alignments else s for s in code
    )
