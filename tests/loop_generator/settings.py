"""What a region finds around it, and what it puts there."""

from __future__ import annotations

from dataclasses import dataclass, field

from loop_generator.arrays import Array
from loop_generator.kinds import Maker


@dataclass
class Setting:
    """What regions of a block find: ``present`` data is on the device already; ``scalars`` are named variables of the
    host, ``divisors`` those that are never 0, ``records`` and ``counters`` arrays."""

    m: Maker
    arrays: list[Array]
    present: bool
    scalars: list[str] = field(default_factory=list)
    records: str = ""
    counters: str = ""
    divisors: tuple[str, ...] = ()


@dataclass
class Region:
    """What a region has around its loops: declarations, what shows its results, clauses; and how many slots."""

    setting: Setting
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    extent: int = 0
