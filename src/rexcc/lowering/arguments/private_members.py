"""Private copies of members of ``*this``: clang and gcc let clauses in methods name members like variables.

In: a region in a method, with ``private`` and ``firstprivate`` of members on its own constructs. Out: the declarations
of the copies ``__rex_member_<name>``, the arguments that bring their first values, and the names by which the region's
body knows these members. Only what the region's text names is the copy: methods that it calls have the object's member.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.library import key_of
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Code, Declare
from rexcc.lowering.model.host_values import packed, size_of
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import LITERAL
from rexcc.lowering.text.variables import variable
from rexcc.program.components import own_member
from rexcc.program.constructs import ResolvedItem
from rexcc.source.diagnostics import error
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

CLAUSES = ("private", "firstprivate")


@dataclass(frozen=True)
class PrivateMember:
    """A member with a copy in the kernel: its field by hash, its name and type, and the item that names it."""

    key: int
    name: str
    kind: Type
    item: ResolvedItem

    @property
    def local(self) -> str:
        """The name of the copy."""
        return related("member", self.name)

    @property
    def access(self) -> str:
        """Its name behind an object."""
        return self.item.member_name

    @property
    def is_from_host(self) -> bool:
        """Whether the target construct itself makes the copy: its first value is the host's (OpenMP 5.2, 5.4.4)."""
        return self.item.clause.name == "firstprivate" and "target" in self.item.construct.directive.leaves


def private_member_names(region: TargetRegion) -> dict[int, str]:
    """Return the names of the copies, by the hash of the field."""
    return {member.key: member.local for member in _members(region)}


def private_member_code(region: TargetRegion) -> tuple[tuple[Argument, ...], Code]:
    """Return the arguments with first values, and the declarations of the copies.

    Raises CompileError for copies that threads would have to share, and for types that are not numbers, pointers or
    arrays of them (``unsupported-item``).
    """
    arguments: list[Argument] = []
    code: Code = ()
    for member in _members(region):
        _check(region, member)
        if member.is_from_host:
            arguments.append(_first_value(member))
        else:
            has_value = member.item.clause.name == "firstprivate"
            code += (variable(member.kind, member.local, f"__rex_this->{member.access}" if has_value else None),)
    return tuple(arguments), code


def _members(region: TargetRegion) -> Iterator[PrivateMember]:
    done: set[int] = set()
    for item in sorted(region.items(*CLAUSES), key=lambda each: each.clause.name != "firstprivate"):
        member: Node | None = item.own_member
        if member is None or member.referenced is None or key_of(member.referenced) in done:
            continue
        done.add(key_of(member.referenced))
        kind = types.without_reference(member.type)
        yield PrivateMember(key_of(member.referenced), str(member.referenced.spelling), kind, item)


def _check(region: TargetRegion, member: PrivateMember) -> None:
    what, place = f"'{member.item.clause.name}' of the member '{member.name}'", member.item.item.whole.span
    if region.has_inner_parallel or "parallel" not in member.item.construct.directive.leaves:
        message = f"{what} on a construct without 'parallel' cannot be lowered yet; use a variable of the function"
        raise error("unsupported-item", message, place)  # the host version has copies where a parallel makes them
    if region.owner.template is not None:  # clang 19 makes no copy there in the host version
        message = f"{what} in a template cannot be lowered yet; use a variable of the function"
        raise error("unsupported-item", message, place)
    has_values = types.is_scalar(member.kind) or types.is_pointer(member.kind)
    is_array = types.is_array(member.kind) and not types.is_record(types.innermost(member.kind))
    if not (has_values or (is_array and member.item.clause.name == "private")):
        message = f"{what} cannot be lowered yet; use a variable of the function"
        raise error("unsupported-item", message, place)
    for part in region.device_parts:
        _check_lambdas(region, member, part)


def _check_lambdas(region: TargetRegion, member: PrivateMember, part: Node) -> None:
    """Refuse lambdas that name a member with a copy: what they capture is ``this``, and compilers differ in what the
    name means there."""
    for node in part.walk():
        own = own_member(node) if node.kind == "MEMBER_REF_EXPR" else None
        if own is None or own.referenced is None or key_of(own.referenced) != member.key:
            continue
        if any(above.kind == "LAMBDA_EXPR" and above.is_inside(part) for above in node.ancestors()):
            message = f"the lambda names the member '{member.name}', of which the construct has copies; "
            message += "use a variable of the function, or give it to the lambda as an argument"
            raise error("unsupported-item", message, region.unit.span(node))


def _first_value(member: PrivateMember) -> Argument:
    host, parameter = f"this->{member.access}", f"{member.local}_"
    place = packed(host)
    row = MapRow(place, place, size_of(host, member.kind), LITERAL, member.name)
    bare = spelling.spell_bare(member.kind)
    declared = Declare(
        spelling.declare_bare(member.kind, member.local), member.local, f"rex_unpack<{bare}>({parameter})"
    )
    return Argument(row, Parameter("rex_literal", parameter, (declared,)))
