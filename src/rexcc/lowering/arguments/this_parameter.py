"""How a kernel of a method receives ``this``, with the copies that it has of members.

In: a region in a method. Out: the parameter, the arguments that the copies need, and what all teams join.
"""

from __future__ import annotations

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.lowering.arguments.private_members import private_member_code
from rexcc.lowering.model.launch import Argument, Parameter
from rexcc.lowering.reductions.member_reductions import member_reductions
from rexcc.lowering.reductions.partials import Joined
from rexcc.lowering.text.team import Combine
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class ThisParameter:
    """The ``parameter`` of ``this``, the ``arguments`` besides, and the reductions of members that are ``joined``."""

    parameter: Parameter
    arguments: tuple[Argument, ...]
    joined: tuple[Joined, ...]


def this_parameter(region: TargetRegion, combine: Combine) -> ThisParameter:
    """Return the parameter of ``this``; raises CompileError in methods of classes that a function declares."""
    record = region.owner.node.cursor.semantic_parent
    if kind_of(record) not in RECORD_KINDS:
        message = (
            "a target construct that uses members of a class inside of a function cannot be lowered yet: declare "
            "the class outside of functions"
        )
        raise error("unsupported-construct", message, region.construct.directive.span)
    made = member_reductions(region, combine)
    first_values, copies = private_member_code(region)
    opening = (*made.opening, *copies)
    is_constant = region.owner.node.cursor.is_const_method()
    kind = f"{'const ' if is_constant else ''}{spelling.pointer_to(record.type)}"
    parameter = Parameter(kind, "__rex_this", opening, made.closing, is_this=True)
    return ThisParameter(parameter, (*made.arguments, *first_values), made.joined)
