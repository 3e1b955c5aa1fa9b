"""The threads that execute a piece of device code together, in the target's words.

In: a target. Out: :class:`Team`, by which the constructs of a kernel write their thread numbers, barriers and
reductions. OpenMP's binding thread set: the block, a part of it, one thread alone, or whatever team the caller of a
function is in.
"""

from __future__ import annotations

import functools
from enum import Enum

from rexcc.source.records import dataclass
from rexcc.target.model import Words


class Combine(Enum):
    """How the threads of a team join the private copies of a reduction."""

    GRID = "values are folded over all blocks and the last one adds the outcome, elements as with BLOCK"
    ORDERED = "folded over all blocks in order, elements too"
    LEAGUE = "the teams' own values are folded over all blocks in order, each team adds its elements"
    TEAMS = "the teams' own are folded over all blocks in order, elements too"
    BLOCK = "folded in the block, one thread adds the outcome"
    FOR_ALL = "folded in the block, every thread adds the outcome to an original of its own"
    KEPT = "every thread adds its own to an original of its own"
    EACH = "each thread adds its own"
    ALONE = "there is one thread"


class Members(Enum):
    """Which threads are a team."""

    BLOCK = "all threads of a block"
    PART = "the first threads of a block"
    GRID = "all threads of all teams"
    LEAGUE = "the initial threads of all teams"
    OTHER = "one thread, or the team of whoever calls"


@dataclass(frozen=True)
class Team:
    """Expressions of the running thread's number and the team's size, and what synchronises them.

    ``level`` is the number of enclosing parallel regions, None where only the runtime knows it; ``known`` tells that
    all this is known where the code stands (false in a function, which asks the runtime). ``outer`` is the team that
    encountered the parallel region, None for the outermost one. ``words`` are the target's where the team is made of
    its blocks.
    """

    thread: str
    threads: str
    barrier: str
    first: str
    combine: Combine
    level: int | None = 1
    known: bool = True
    outer: Team | None = None
    words: Words | None = None
    members: Members = Members.OTHER

    @property
    def is_alone(self) -> bool:
        """Whether the team is one thread, known when the code is written."""
        return self.combine is Combine.ALONE

    @property
    def is_grid(self) -> bool:
        """Whether the team is all threads of all teams."""
        return self.members is Members.GRID

    @property
    def is_league(self) -> bool:
        """Whether the team is the initial threads of all teams."""
        return self.members is Members.LEAGUE

    @property
    def size(self) -> str:
        """The team's threads as a routine's argument; 0 where the runtime knows them."""
        return self.int_size if self.known else "0"

    @property
    def is_block(self) -> bool:
        """Whether the team is all threads of the block."""
        return self.members is Members.BLOCK

    @property
    def int_number(self) -> str:
        """The running thread's number as an ``int``, which that in a block is not."""
        return f"(int){self.thread}" if self.members in (Members.BLOCK, Members.PART) else self.thread

    @property
    def int_size(self) -> str:
        """The team's size as an ``int``, which that of a block is not."""
        return f"(int){self.threads}" if self.is_block else self.threads

    @property
    def of_block(self) -> Team:
        """The part of the team that is in one block: what its threads are a team of, for all but sharing a loop."""
        return self.outer if self.is_grid and self.outer is not None else self


SEQUENTIAL = Team("0", "1", "", "1", Combine.ALONE, level=0)
"""The initial thread outside of any parallel region."""

CALLER = Team(
    "omp_get_thread_num()", "omp_get_num_threads()", "rex_barrier();", "omp_get_thread_num() == 0", Combine.EACH,
    level=None, known=False,
)  # fmt: skip
"""The team of whoever calls the function."""


@functools.cache
def block(words: Words) -> Team:
    """Return the team of all threads of the block."""
    return Team(
        words.thread, words.threads, words.barrier, words.is_first, Combine.BLOCK, outer=SEQUENTIAL, words=words,
        members=Members.BLOCK,
    )  # fmt: skip


@functools.cache
def league(words: Words) -> Team:
    """Return the initial threads of all teams (``distribute``)."""
    return Team(
        words.block, words.blocks, "", f"{words.block} == 0", Combine.EACH, level=0, words=words,
        members=Members.LEAGUE,
    )  # fmt: skip


def grid(words: Words) -> Team:
    """Return the team of all threads of all teams (``distribute parallel for``)."""
    return grid_of(block(words))


def part_of_block(words: Words, threads: str) -> Team:
    """Return the team of the block's first threads; ``threads`` names a variable with their number."""
    barrier = f"rex_barrier({threads});"
    return Team(
        words.thread, threads, barrier, words.is_first, Combine.EACH, outer=SEQUENTIAL, words=words,
        members=Members.PART,
    )  # fmt: skip


def grid_of(team: Team) -> Team:
    """Return the team of all threads of all teams of which one executes a parallel inside of ``distribute``."""
    number, size = "_dev_thread_id", "_dev_thread_num"
    return Team(number, size, "", f"{number} == 0", team.combine, outer=team, words=team.words, members=Members.GRID)


def nested_in(team: Team) -> Team:
    """Return the team of a parallel region that a thread of a team executes on its own."""
    level = None if team.level is None else team.level + 1
    return Team("0", "1", "", "1", Combine.ALONE, level, outer=team)
