"""Optimisations that a user may leave out, by their names on the command line (``--rex-opt``).

Each only changes how long a program takes, so a program computes the same without them; its generated text is plainer.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Optimisation(Enum):
    """An optimisation by its name."""

    ELEMENTS = "elements"
    """Elements that an iteration uses again are in locals."""
    HOISTING = "hoisting"
    """What an inner loop reads again is read in front of it."""
    NEIGHBOURS = "neighbours"
    """Neighbouring elements are loaded and stored together."""
    READ_ONLY = "read-only"
    """Memory that no thread writes is read as such."""
    RESTRICT = "restrict"
    """Parameters whose memory no other reaches say so."""
    RECIPROCALS = "reciprocals"
    """Divisions by one value are multiplications, where the flags allow that."""
    SINES = "sines"
    """Sine and cosine of one value are computed together."""
    ROOTS = "roots"
    """Numbers are divided by square roots in one step."""
    DIVISIONS = "divisions"
    """The host makes multipliers of the divisors of a launch."""
    TILES = "tiles"
    """A thread takes several iterations side by side."""
    GROUPS = "groups"
    """Neighbouring threads share an inner loop."""
    LIGHT_LOOPS = "light-loops"
    """Loops of a block that do little are unrolled."""
    BINS = "bins"
    """Blocks add to elements that many threads change, or reduce, in their own memory first."""
    COLUMNS = "columns"
    """Small arrays of an iteration whose elements only the run finds lie in the block's memory."""
    MATH_LOOPS = "math-loops"
    """Loops of math functions are unrolled."""
    SMALL_GRIDS = "small-grids"
    """Kernels have a second form for grids that leave half of the GPU idle, and wide blocks where teams are few."""
    CRITICAL = "critical"
    """Critical sections are atomic updates, or look whether they have anything to do before they take their lock."""
    TEAM_FUNCTIONS = "team-functions"
    """All threads of a team call functions with parallels together."""
    WARP_TEAMS = "warp-teams"
    """Several teams of a warp, or of a part of one, are a block."""
    QUEUES = "queues"
    """The host does not wait for kernels where nothing can tell."""


NAMES = tuple(one.value for one in Optimisation)


def names_of(optimisations: frozenset[Optimisation]) -> tuple[str, ...]:
    """Return the names of optimisations, in their order."""
    return tuple(one.value for one in Optimisation if one in optimisations)


def left_out(words: Iterable[str]) -> frozenset[Optimisation]:
    """Return what is left out by ``all``, ``0`` (which leaves out all), names and ``no-`` names, each in its turn.

    Raises ``ValueError`` with a word that is none of these.
    """
    found: set[Optimisation] = set()
    for word in words:
        name = word.removeprefix("no-")
        if word in ("all", "0"):
            found = set() if word == "all" else set(Optimisation)
        elif name not in NAMES:
            raise ValueError(word)
        elif name == word:
            found.discard(Optimisation(name))
        else:
            found.add(Optimisation(name))
    return frozenset(found)
