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
    EACH = "each thread adds its own"
    ALONE = "there is one thread"


@dataclass(frozen=True)
class Team:
    """Expressions of the running thread's number and the team's size, and what synchronises them.

    ``level`` is the number of enclosing parallel regions as an expression; ``known`` tells that all this is known where
    the code stands (false in a function, which asks the runtime). ``outer`` is the team that encountered the parallel
    region, None for the outermost one. ``words`` are the target's where the team is made of its blocks;
    ``is_league``: it is the initial threads of all teams.
    """

    thread: str
    threads: str
    barrier: str
    first: str
    combine: Combine
    level: str = "1"
    known: bool = True
    outer: Team | None = None
    words: Words | None = None
    is_league: bool = False

    @property
    def is_alone(self) -> bool:
        """Whether the team is one thread, known when the code is written."""
        return self.combine is Combine.ALONE

    @property
    def is_grid(self) -> bool:
        """Whether the team is all threads of all teams."""
        return self.thread == "_dev_thread_id"

    @property
    def size(self) -> str:
        """The team's threads as a routine's argument; 0 where the runtime knows them."""
        if not self.known:
            return "0"
        return self.as_int(self.threads)

    @property
    def is_block(self) -> bool:
        """Whether the team is all threads of the block."""
        return self.words is not None and self.threads == self.words.threads

    def as_int(self, number: str) -> str:
        """Return the team's number or size as an ``int``, which those of a block are not."""
        is_word = self.words is not None and number in (self.words.thread, self.words.threads)
        return f"(int){number}" if is_word else number

    @property
    def of_block(self) -> Team:
        """The part of the team that is in one block: what its threads are a team of, for all but sharing a loop."""
        return self.outer if self.is_grid and self.outer is not None else self


SEQUENTIAL = Team("0", "1", "", "true", Combine.ALONE, level="0")
"""The initial thread outside of any parallel region."""

CALLER = Team(
    "omp_get_thread_num()", "omp_get_num_threads()", "rex_barrier();", "omp_get_thread_num() == 0", Combine.EACH,
    level="omp_get_level()", known=False,
)  # fmt: skip
"""The team of whoever calls the function."""


@functools.cache
def block(words: Words) -> Team:
    """Return the team of all threads of the block."""
    return Team(
        words.thread, words.threads, words.barrier, words.is_first, Combine.BLOCK, outer=SEQUENTIAL, words=words
    )  # fmt: skip


@functools.cache
def league(words: Words) -> Team:
    """Return the initial threads of all teams (``distribute``)."""
    return Team(
        words.block, words.blocks, "", f"{words.block} == 0", Combine.EACH, level="0", words=words, is_league=True
    )  # fmt: skip


def grid(words: Words) -> Team:
    """Return the team of all threads of all teams (``distribute parallel for``)."""
    return grid_of(block(words))


def part_of_block(words: Words, threads: str) -> Team:
    """Return the team of the block's first threads; ``threads`` names a variable with their number."""
    barrier = f"rex_barrier({threads});"
    return Team(words.thread, threads, barrier, words.is_first, Combine.EACH, outer=SEQUENTIAL, words=words)


def grid_of(team: Team) -> Team:
    """Return the team of all threads of all teams of which one executes a parallel inside of ``distribute``."""
    number, size = "_dev_thread_id", "_dev_thread_num"
    return Team(number, size, "", f"{number} == 0", team.combine, outer=team, words=team.words)


def nested_in(team: Team) -> Team:
    """Return the team of a parallel region that a thread of a team executes on its own."""
    level = str(int(team.level) + 1) if team.level.isdigit() else team.level
    return Team("0", "1", "", "true", Combine.ALONE, level, outer=team)
