"""Which variables can have a part on the device when a region starts.

In: a region and a local variable. Out: whether it is proved that no part of it is there: then a copy of its value is
the same to the kernel as a mapping. That takes two things. No construct of the unit names the variable, one of its
members or what these point to in a clause that maps, moves or looks up data, but other regions that are over when this
one starts, and ``target data`` around other code: with them what they have mapped is gone. Where a host thread executes
such a region at the same time, the program cannot know which of the two comes first, so it does not know whether the
variable is there. And nobody else can, for nobody has its address (``kept_addresses``).
"""

from __future__ import annotations

from clang.cindex import LinkageKind

from rexcc.analysis.kept_addresses import DEPTH, LOOKING_UP, is_made_in_place, is_own, leads_away, listed
from rexcc.clang import library, types
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable


def is_provably_absent(
    unit: ParsedUnit, function: ConstructFunction, constructs: tuple[Construct, ...], variable: Variable
) -> bool:
    """Whether no part of a local variable can be on the device when a region starts, that of some constructs."""
    owner, cursor = function.node, variable.cursor
    if not is_own(unit, owner, cursor):
        return False
    if _is_listed_before(unit, variable, constructs) or is_made_in_place(unit, cursor):
        return False
    return not leads_away(unit, owner, variable, DEPTH)


def is_static_and_absent(unit: ParsedUnit, constructs: tuple[Construct, ...], variable: Variable) -> bool:
    """Whether a number with static storage, which only this unit can name, is in no way on the device when a region
    starts; it is no variable of the device itself."""
    cursor = variable.cursor
    if cursor.linkage not in (LinkageKind.INTERNAL, LinkageKind.NO_LINKAGE) or types.is_volatile(cursor.type):
        return False
    if not library.has_global_storage(cursor) or _is_listed_before(unit, variable, constructs):
        return False
    written = (node for node in unit.declarations if node.file in unit.files)
    return not any(leads_away(unit, node, variable, DEPTH) for node in written)


def _is_listed_before(unit: ParsedUnit, variable: Variable, region: tuple[Construct, ...]) -> bool:
    """Whether a construct may have mapped a variable that is still there when a region starts, that of some
    constructs, or has looked for it."""
    others = (c for c in unit.kept(listed).get(variable, ()) if c not in region)
    return not all(_is_over(other, region, variable) for other in others)


def _is_over(other: Construct, region: tuple[Construct, ...], variable: Variable) -> bool:
    """Whether what a construct maps is gone where it is not executed, and a region is not inside of it. A function that
    is called inside of it could name a static variable."""
    if other.body is None or other.directive.has("nowait"):
        return False
    if any(variable in item.names for item in other.items(*LOOKING_UP[1:])):
        return False
    if other.directive.name == "target data":
        is_inside = any(above is other for above in region[0].around())
        return not is_inside and not library.has_global_storage(variable.cursor)
    return other.directive.leaves[0] == "target"
