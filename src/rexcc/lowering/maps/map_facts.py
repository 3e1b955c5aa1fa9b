"""What the lowering of maps asks of a whole unit.

In: the unit's variables on the device and its declared mappers. Out: :class:`MapFacts`, the same for all constructs.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.linked_variables import Way
from rexcc.openmp.model import Expression
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

Mapped = Expression | Variable | None
"""A list item, or a variable that a region maps implicitly, None for ``this``."""


@dataclass(frozen=True, eq=False)
class MapFacts:
    """``links`` are the pointers to which ``link`` variables are attached when they are mapped, ``residents``
    the variables that are always on the device, ``mappers`` the host functions of the mappers of what constructs map.
    """

    links: Mapping[Variable, str]
    residents: frozenset[Variable]
    mappers: Mapping[Construct, Mapping[Mapped, str]]

    def mapper(self, construct: Construct, mapped: Mapped) -> str:
        """Return the host function of the mapper of what a construct maps, empty without one."""
        return self.mappers.get(construct, {}).get(mapped, "")


def map_facts(declared: DeclareTarget, mappers: Mapping[Construct, Mapping[Mapped, str]]) -> MapFacts:
    """Return the facts of a unit with these variables on the device."""
    links = {variable: linked.name for variable, linked in declared.linked.items() if linked.way is Way.MAPPED}
    return MapFacts(links, frozenset(declared.variables.keys() - links.keys()), mappers)
