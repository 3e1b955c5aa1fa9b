"""Statements that the compiler makes in a kernel: what stages ask about them is a field, never their text.

In: nothing; these are values made by the lowering. Out: what :mod:`rexcc.kernel.printer` prints. Types, names and
expressions are texts of the target's language; the user's own statement stands in the tree as his text with code in
the places of constructs inside of it (:class:`User`).
"""

from __future__ import annotations

from enum import Enum

from rexcc.kernel.layout import Layout, Place
from rexcc.kernel.reductions import PrefixSum, Reduce, Value
from rexcc.source.records import dataclass


class Storage(Enum):
    """Who has a variable."""

    THREAD = "each thread has its own"
    TEAM = "the threads of a team have one together"


@dataclass(frozen=True)
class Declare:
    """The declaration of a variable: ``declared`` is its type and name, as C writes them, ``value`` its initialiser.

    A variable of a team has no initialiser: :func:`of_team` makes an assignment of it, to what ``assignable`` declares
    where that is not the same. ``alignment`` is in bytes, 0 for that of the type. ``arguments`` are, in place of a
    value, those of its class's constructor.
    """

    declared: str
    name: str
    value: Value | None = None
    assignable: str = ""
    storage: Storage = Storage.THREAD
    alignment: int = 0
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class DeclareAll:
    """One declaration of several variables of a type; ``declared`` of each is without that type."""

    type: str
    variables: tuple[Declare, ...]


@dataclass(frozen=True)
class Bind:
    """The declaration of a reference, ``declared`` with its type, to something that exists already."""

    declared: str
    name: str
    value: str


@dataclass(frozen=True)
class Assign:
    """``target = value``."""

    target: str
    value: Value


@dataclass(frozen=True)
class Atomic:
    """An operation that no other thread comes in between: a function of the device headers and its arguments.

    The first one is the address of what changes; ``result``, if any, gets the value, converted by ``cast``.
    """

    function: str
    arguments: tuple[str, ...]
    result: str = ""
    cast: str = ""


@dataclass(frozen=True)
class CopyBytes:
    """Copy ``size`` bytes between two addresses; ``by_block``: the threads of a block do it together, a part each."""

    target: str
    source: str
    size: str
    by_block: bool = False


@dataclass(frozen=True)
class Do:
    """A statement about which no stage asks anything, and which declares no variable. It may have several lines."""

    text: str


@dataclass(frozen=True)
class If:
    """Statements under a condition, on one line."""

    condition: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class ByFirst:
    """Statements that the first thread of a block executes alone.

    ``in_lines``: each on a line of its own; ``bare``: one statement, without braces; ``condition``: only where that
    holds too.
    """

    body: tuple[Stmt, ...]
    in_lines: bool = False
    bare: bool = False
    condition: str = ""


@dataclass(frozen=True)
class Barrier:
    """All threads of the block wait for each other; those of another team do by what ``call`` says."""

    call: str = ""


@dataclass(frozen=True)
class For:
    """The header of a loop that counts: from ``start``, as long as ``index relation bound`` holds, and ``also`` too.

    ``declared`` is the index with its type, ``step`` what is done to it behind an iteration: ``++``, ``+= 4``.
    """

    declared: str
    index: str
    start: str
    relation: str
    bound: str
    step: str
    also: str = ""


@dataclass(frozen=True)
class Block:
    """Statements in a block behind ``head``: a loop's header, a lambda; ``behind`` is what follows its closing brace.

    ``bare``: one statement behind a header, without braces. ``has_neighbours``: it is a loop of which a thread
    takes neighbouring iterations together.
    """

    head: str | For
    body: tuple[Stmt, ...]
    behind: str = ""
    bare: bool = False
    has_neighbours: bool = False


@dataclass(frozen=True)
class Guard:
    """Statements for those threads of a team for which a condition holds; ``bare``: one statement without braces."""

    condition: str
    body: tuple[Stmt, ...]
    bare: bool = False


@dataclass(frozen=True)
class Critical:
    """Statements that one thread at a time executes; ``lock`` is the variable that says whether one does.

    ``test`` is a condition without which they do nothing, which may change while a thread waits; empty where none is
    known.
    """

    lock: str
    body: tuple[Stmt, ...]
    test: str = ""


@dataclass(frozen=True)
class IfElse:
    """Statements under a condition, and others where it does not hold."""

    condition: str
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@dataclass(frozen=True)
class Assigned:
    """``target`` gets a value of which the user's expression is a part, between ``before`` and ``behind``."""

    target: str
    body: tuple[Stmt, ...]
    before: str = ""
    behind: str = ""


@dataclass(frozen=True)
class Noted:
    """The user's expression, in front of whose evaluation a variable gets a value."""

    note: Assign
    body: tuple[Stmt, ...]


@dataclass(frozen=True)
class Applied:
    """A function of the device headers with the user's expression as its first argument."""

    function: str
    body: tuple[Stmt, ...]
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class FromFirst:
    """The user's expression, which the first thread of a block alone evaluates; all threads get its value.

    ``type`` is the value's where it is not the expression's own, ``is_truth``: only whether it holds is asked for,
    ``is_step``: nothing is, ``is_place``: the object that it names is, which all threads can reach.
    """

    body: tuple[Stmt, ...]
    type: str = ""
    is_truth: bool = False
    is_step: bool = False
    is_place: bool = False


@dataclass(frozen=True)
class UserSlot:
    """The place of the user's statement in the form of a loop."""


@dataclass(frozen=True)
class Inside:
    """Code in the place of a part of the user's text; what of that stays is a :class:`User` in the code.

    ``start`` is where the lines before it stand, ``end`` where those behind it do. ``comment`` is the user's directive,
    ``dropped`` the line breaks that went with his text in front of what stays, ``dropped_behind`` those behind it.
    """

    code: tuple[Stmt, ...]
    layout: Layout
    start: Place
    end: Place
    comment: str = ""
    dropped: str = ""
    dropped_behind: str = ""


@dataclass(frozen=True)
class User:
    """The user's statement with the edits that device code needs; it begins in a ``line`` of the file ``path``.

    ``is_block``: it is a compound statement in a loop, which loses its braces, unless its closing one ``closes`` the
    loop; ``indent`` and ``end_indent`` are the indentations of its last statement and of that brace. ``stored`` is what
    is done at its end.
    """

    parts: tuple[str | Inside, ...]
    line: int
    path: str
    is_block: bool = False
    closes: bool = False
    indent: str = ""
    end_indent: str = ""
    stored: tuple[Stmt, ...] = ()


Stmt = (
    Declare | DeclareAll | Bind | Assign | Atomic | CopyBytes | Do | Reduce | PrefixSum | Barrier | UserSlot | User
    | If | ByFirst | Block | IfElse | Guard | Critical | Assigned | Noted | Applied | FromFirst
)  # fmt: skip
AroundExpression = Assigned | Noted | Applied | FromFirst
AroundUser = ByFirst | Block | Guard | Critical | AroundExpression
Around = If | IfElse | AroundUser
Code = tuple[Stmt, ...]

UNROLL, ONE_BY_ONE = Do("#pragma unroll"), Do("#pragma unroll 1")
"""What the compiler is told of the loop that follows."""


def unrolled(iterations: int) -> Do:
    """Return what has so many iterations of the loop that follows stand one behind the other."""
    return Do(f'_Pragma("unroll {iterations}")')


UNROLLED = Do('_Pragma("unroll")')
"""What has all iterations of the loop that follows do so."""


BREAK = Do("break;")
CONTINUE = Do("continue;")
"""What ends the loop around it."""
