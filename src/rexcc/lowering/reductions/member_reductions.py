"""Reductions of members of ``*this`` (OpenMP 5.2, 5.5.5): a method may name them like variables.

In: a region in a method. Out: the private copy ``__rex_member_<name>`` of each member that its clauses reduce, and the
names by which the region's body then knows these members.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.library import key_of
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.reductions.array_reductions import first_element, section_code
from rexcc.lowering.reductions.reduction_clauses import (
    WITHOUT_ORIGINAL,
    reduction_copy,
    reduction_operation,
    unsupported,
)
from rexcc.lowering.reductions.region_reductions import KernelCopy, kernel_copy
from rexcc.lowering.reductions.section_bounds import Bounds, section_elements, section_size
from rexcc.lowering.text.team import Combine
from rexcc.openmp.model import ListItem, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, replace


@dataclass(frozen=True)
class OwnMember:
    """A member that a region reduces: its field by hash, its name and type, the item that names it, and ``access``, its
    name behind an object."""

    key: int
    name: str
    kind: Type
    construct: Construct
    clause: ReductionClause
    item: ListItem
    access: str

    @property
    def local(self) -> str:
        """The name of the private copy."""
        return related("member", self.name)


def member_names(region: TargetRegion) -> dict[int, str]:
    """Return the names of the private copies, by the hash of the field."""
    return {member.key: member.local for member in _members(region)}


def member_reductions(region: TargetRegion, combine: Combine) -> KernelCopy:
    """Return the lines of all members that a region reduces; raises CompileError where that is not possible."""
    found = KernelCopy((), (), ())
    for member in _members(region):
        made = _reduction(region, member, combine)
        found = KernelCopy(
            found.arguments + made.arguments, found.opening + made.opening, found.closing + made.closing,
            joined=found.joined + made.joined,
        )  # fmt: skip
    return found


def _members(region: TargetRegion) -> Iterator[OwnMember]:
    done: set[int] = set()
    for item in region.items("reduction"):
        member, clause = item.own_member, item.clause
        if member is None or member.referenced is None or key_of(member.referenced) in done:
            continue
        assert isinstance(clause, ReductionClause)
        key = key_of(member.referenced)
        done.add(key)
        kind = types.without_reference(member.type)
        yield OwnMember(key, str(member.referenced.spelling), kind, item.construct, clause, item.item, item.member_name)


def _reduction(region: TargetRegion, member: OwnMember, combine: Combine) -> KernelCopy:
    place = member.item.whole.span
    if region.has_inner_parallel:
        hint = "reduce a local variable, and give the member its value behind the region"
        raise unsupported(f"a reduction of the member '{member.name}' around parallel constructs", place, hint)
    is_whole = not member.item.sections and not types.is_array(member.kind)
    element = member.kind if is_whole else types.shape_of(member.kind).element
    operation = reduction_operation(region.unit, element, member.name, member.clause.operator, place)
    if operation.reads_original:
        what = f"a member reduced with '{member.clause.operator}', whose initializer reads omp_orig,"
        raise unsupported(what, place, WITHOUT_ORIGINAL)
    original = f"__rex_this->{member.access}"
    if not member.item.sections:
        target, operator = address_text(original, member.kind), member.clause.operator
        copy = reduction_copy(region.unit, member.kind, member.local, operator, target, place)
        (operand,) = copy.operands
        operand = replace(operand, is_named=False)
        return kernel_copy((), (copy.opening, operand), combine, f"sizeof this->{member.access}")
    bounds = Bounds(member.name, member.construct, region.unit.target.words)
    elements, storage = section_elements(bounds, member.item, member.kind, f"this->{member.access}", False)
    base = first_element(member.kind, original if types.is_pointer(member.kind) else f"&{original}")
    made = section_code(member.local, member.kind, elements, operation, base, storage)
    size = section_size(member.construct, member.item, member.kind, f"this->{member.access}")
    return kernel_copy(tuple(bounds.arguments), made, combine, size)
