"""Which variables can have a part on the device when a region starts.

In: a region and a local variable. Out: whether it is proved that no part of it is there: then a copy of its value is
the same to the kernel as a mapping. That takes two things. No construct of the unit names the variable, one of its
members or what these point to in a clause that maps, moves or looks up data, but other regions that are over when this
one starts, and ``target data`` around other code: with them what they have mapped is gone. Where a host thread executes
such a region at the same time, the program cannot know which of the two comes first, so it does not know whether the
variable is there. Of ``target data`` it can: other threads may execute the region while a thread is inside, and so may
the block itself where the region stands in a lambda. And nobody else can, for nobody has its address
(``kept_addresses``).
"""

from __future__ import annotations

from clang.cindex import LinkageKind

from rexcc.analysis.kept_addresses import DEPTH, LOOKING_UP, is_made_in_place, is_own, leads_away, listed
from rexcc.clang import library, types
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable

_OF_THREADS = frozenset({"parallel", "task", "taskloop", "teams"})
"""Leaves of constructs whose code other threads may execute than the one that comes to them."""


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
    return not all(_is_over(unit, other, region, variable) for other in others)


def _is_over(unit: ParsedUnit, other: Construct, region: tuple[Construct, ...], variable: Variable) -> bool:
    """Whether what a construct maps is gone where it is not executed, and a region is not inside of it. A function that
    is called inside of it could name a static variable."""
    if other.body is None or other.directive.has("nowait"):
        return False
    if any(variable in item.names for item in other.items(*LOOKING_UP[1:])):
        return False
    if other.directive.name == "target data":
        is_inside = any(above is other for above in region[0].around())
        if is_inside or library.has_global_storage(variable.cursor):
            return False
        declared = unit.tree.node(variable.cursor)
        return not any(_is_executed_anywhere(construct, declared) for construct in (other, region[0]))
    return other.directive.leaves[0] == "target"


def _is_executed_anywhere(construct: Construct, declared: Node) -> bool:
    """Whether a construct may be executed while code is that its text is not around: it stands in a lambda, or in a
    construct that several threads execute, and what is declared does not."""
    if any(above.kind == "LAMBDA_EXPR" and not declared.is_inside(above) for above in construct.node.ancestors()):
        return True
    shared = (c.node for c in construct.around() if not _OF_THREADS.isdisjoint(c.directive.leaves))
    return not all(declared.is_inside(node) for node in shared)
