"""The threads that execute a piece of device code together, in CUDA's words.

In: nothing. Out: :class:`Team`, by which the constructs of a kernel write their thread numbers, barriers and
reductions. OpenMP's binding thread set: the block, a part of it, one thread alone, or whatever team the caller of a
function is in.
"""

from __future__ import annotations

from enum import Enum

from rexcc.source.records import dataclass


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
    region, None for the outermost one.
    """

    thread: str
    threads: str
    barrier: str
    first: str
    combine: Combine
    level: str = "1"
    known: bool = True
    outer: Team | None = None

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
        return "(int)blockDim.x" if self.threads == "blockDim.x" else self.threads

    @property
    def of_block(self) -> Team:
        """The part of the team that is in one block: what its threads are a team of, for all but sharing a loop."""
        return self.outer if self.is_grid and self.outer is not None else self


SEQUENTIAL = Team("0", "1", "", "true", Combine.ALONE, level="0")
"""The initial thread outside of any parallel region."""

BLOCK = Team("threadIdx.x", "blockDim.x", "__syncthreads();", "threadIdx.x == 0", Combine.BLOCK, outer=SEQUENTIAL)
"""All threads of the block."""

CALLER = Team(
    "omp_get_thread_num()", "omp_get_num_threads()", "rex_barrier();", "omp_get_thread_num() == 0", Combine.EACH,
    level="omp_get_level()", known=False,
)  # fmt: skip
"""The team of whoever calls the function."""

LEAGUE = Team("blockIdx.x", "gridDim.x", "", "blockIdx.x == 0", Combine.EACH, level="0")
"""The initial threads of all teams (``distribute``)."""

GRID = Team("_dev_thread_id", "_dev_thread_num", "", "_dev_thread_id == 0", Combine.BLOCK, outer=BLOCK)
"""All threads of all teams (``distribute parallel for``)."""


def part_of_block(threads: str) -> Team:
    """Return the team of the block's first threads; ``threads`` names a variable with their number."""
    return Team(
        "threadIdx.x", threads, f"rex_barrier({threads});", "threadIdx.x == 0", Combine.EACH, outer=SEQUENTIAL
    )  # fmt: skip


def grid_of(team: Team) -> Team:
    """Return the team of all threads of all teams of which one executes a parallel inside of ``distribute``."""
    if team is BLOCK:
        return GRID
    return Team("_dev_thread_id", "_dev_thread_num", "", "_dev_thread_id == 0", team.combine, outer=team)


def nested_in(team: Team) -> Team:
    """Return the team of a parallel region that a thread of a team executes on its own."""
    level = str(int(team.level) + 1) if team.level.isdigit() else team.level
    return Team("0", "1", "", "true", Combine.ALONE, level, outer=team)


NESTED = nested_in(BLOCK)
"""A parallel region inside of another: one thread."""
