"""What loop forms are made of: who shares the iterations, and the new headers and body of a loop.

In: a team; a canonical loop. Out: :class:`Share` and :class:`LoweredLoop`, with the declarations and headers that all
forms have.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.code import in_place
from rexcc.kernel.ir import (
    Code,
    Declare,
    DeclareAll,
    For,
    Stmt,
    UserSlot,
)
from rexcc.lowering.text.team import Team
from rexcc.source.records import dataclass, replace
from rexcc.target.model import Words


def number_of_threads(words: Words, in_block: str = "") -> Declare:
    """Return the declaration of how many threads all blocks have, of which each has the given number."""
    return constant("_dev_thread_num", f"(long long){words.blocks} * {in_block or words.threads}")


def number_of_thread(words: Words, in_block: str) -> Declare:
    """Return the declaration of the running thread's number among them."""
    return constant("_dev_thread_id", f"(long long){words.number_in_grid(in_block)}")


def constant(name: str, value: str, kind: str = "long long") -> Declare:
    """Return the declaration of a constant."""
    return Declare(f"const {kind} {name}", name, value)


def counting(index: str, start: str, bound: str, step: str, also: str = "", kind: str = "long long") -> For:
    """Return the header of a loop that counts upwards."""
    return For(f"{kind} {index}", index, start, "<", bound, step, also)


Text = Callable[[Node], str]
"""Gives the device text of an expression node."""


class IterationOrder(Enum):
    """What a form knows of who gets which iteration."""

    BY_INDEX = "the index steps by the number of threads"
    BY_NUMBER = "__rex_trips iterations have numbers, which are dealt out one by one"
    IN_CHUNKS = "the same in chunks of __rex_chunk_size"


@dataclass(frozen=True)
class LoweredLoop:
    """The form of a loop: what stands before it, its new headers, outermost first, and its body.

    The body has :class:`UserSlot` in place of the user's statement; ``behind`` is what follows its closing brace.
    """

    before: Code
    headers: tuple[str | For, ...]
    body: Code
    order: IterationOrder = IterationOrder.BY_INDEX
    behind: str = ""

    @property
    def opening(self) -> Code:
        """What opens the body of a form whose last statement is the user's."""
        assert isinstance(self.body[-1], UserSlot)
        return self.body[:-1]

    def opened_with(self, *code: Stmt) -> LoweredLoop:
        """Return the form with further code in front of the user's statement."""
        return replace(self, body=in_place(self.body, (*code, UserSlot())))


WIDE = "long long"
"""The type of numbers of iterations that serves all loops."""

_UNSIGNED = frozenset({"ULONG", "ULONGLONG"})


@dataclass(frozen=True)
class Share:
    """Who shares iterations: the running thread's number, how many there are, and the lines that declare these.

    ``in_block``: they are the threads of one block, so both are small 32-bit numbers; otherwise they may be large.
    ``is_narrow``: they have 32 bits, whatever their values.
    """

    number: str
    count: str
    before: Code = ()
    in_block: bool = True
    is_narrow: bool = False

    @staticmethod
    def of(team: Team) -> Share:
        """Return the share of a team's threads."""
        if team.is_grid:
            return _of_grid(team)
        if not team.known:
            number, count = "__rex_team_thread", "__rex_team_threads"
            both = (Declare(number, number, team.thread), Declare(count, count, team.threads))
            return Share(number, count, (DeclareAll("const int", both),))
        return Share(team.thread, team.threads, in_block=not team.is_league, is_narrow=True)

    @staticmethod
    def of_grid(words: Words, number: str) -> Share:
        """Return the share of the threads of all teams, with numbers of a type that is enough for them."""
        numbers = (
            constant("_dev_thread_num", f"({number}){words.blocks} * {words.threads}", number),
            constant("_dev_thread_id", f"({number}){words.number_in_grid()}", number),
        )
        return Share("_dev_thread_id", "_dev_thread_num", numbers, in_block=False)

    def wide(self, name: str) -> str:
        """Return the number or the count as a 64-bit integer."""
        return f"(long long){name}" if self.in_block or self.is_narrow else name

    def times(self, name: str, step: Step, is_wide: bool = False) -> str:
        """Return a multiple of the number or the count that cannot overflow; ``is_wide``: it has 64 bits already."""
        if step.is_one:
            return name
        small = self.in_block and step.value is not None and step.value < 1 << 16
        return f"{name if small or is_wide else self.wide(name)} * {step.text}"


def _of_grid(team: Team) -> Share:
    assert team.words is not None
    threads = team.of_block.threads
    numbers = (number_of_threads(team.words, threads), number_of_thread(team.words, threads))
    return Share("_dev_thread_id", "_dev_thread_num", numbers, in_block=False)


def declare_index(loop: CanonicalLoop, value: str, is_name: bool = False) -> Declare:
    """Return the declaration of an index; its value is a counting variable, or made of one, and has 64 bits."""
    bare = loop.type_text or spelling.spell_value(types.without_reference(loop.index_type))
    cast = value if bare in ("long long", "long", "int64_t") else f"({bare}){value if is_name else f'({value})'}"
    return Declare(f"{bare} {loop.name}", loop.name, cast)


def signed_bound(loop: CanonicalLoop, text: Text) -> str:
    """The bound; as a signed value where comparing with it would make the counting variable unsigned."""
    limit = loop.value(loop.bound, text)
    unsigned = types.kind_name(types.canonical(loop.bound.bare().type)) in _UNSIGNED
    return f"(long long)({limit})" if unsigned or loop.type_text else limit


def declarator(loop: CanonicalLoop) -> str:
    """Return the declaration of a loop's index in the user's type, without a value."""
    if loop.type_text:
        return f"{loop.type_text} {loop.name}"
    return spelling.declare(types.without_reference(loop.index_type), loop.name)
