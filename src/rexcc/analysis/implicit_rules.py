"""Implicit attributes: what a variable is in a target region whose clauses do not name it (OpenMP 5.2, 5.8.1).

In: a variable and its region. Out: its :class:`Attribute`: by ``defaultmap`` for its category, else a scalar is
first-private, a pointer the base of a zero-length section, anything else mapped ``tofrom``.
"""

from __future__ import annotations

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.attributes import Attribute, Kind, Origin, Reason
from rexcc.analysis.constant_addresses import uses_of_addresses
from rexcc.analysis.constant_values import is_repeatable
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.initial_addresses import begins_with_hosts_address
from rexcc.analysis.known_arrays import known_values
from rexcc.analysis.needed_constants import needed_values
from rexcc.analysis.ownership import is_told
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.unchanged_locals import unchanged_value
from rexcc.clang import classes, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import FUNCTION_KINDS
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, Note, error

_NO_INTEGERS = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "COMPLEX", "POINTER"})
_DEFINITION = Reason(Origin.IMPLICIT, "a constant whose definition the kernel repeats", "5.8.1")
_KNOWN = Reason(Origin.IMPLICIT, "a constant, first-private, whose value the compiler knows", "5.8.1")
_KNOWN_ARRAY = Reason(Origin.IMPLICIT, "a constant array whose values the compiler knows", "5.8.1")
_NEEDED = Reason(Origin.IMPLICIT, "a constant that stands where the language asks for one", "5.8.1")
_SCALAR = Reason(Origin.IMPLICIT, "a scalar is first-private", "5.8.1")
_POINTER = Reason(Origin.IMPLICIT, "a pointer is mapped as the base of a zero-length section", "5.8.1")
_AGGREGATE = Reason(Origin.IMPLICIT, "what is neither scalar nor pointer is mapped tofrom", "5.8.1")


def category(variable: Variable) -> str:
    """Return the ``defaultmap`` category of a variable; a reference is what it refers to."""
    kind = variable.cursor.type
    if types.is_pointer(kind) or variable.decays:
        return "pointer"
    return "scalar" if types.is_scalar(kind) else "aggregate"


def fits_value(variable: Variable) -> bool:
    """Whether a first-private variable can be passed in an argument of eight bytes."""
    kind = variable.cursor.type
    if types.is_pointer(kind) or variable.decays:
        return True
    return types.is_scalar(kind) and 0 < types.canonical(kind).get_size() <= 8


def implicit_attribute(
    region: TargetRegion, declared: DeclareTarget, variable: UsedVariable, operator: str
) -> Attribute:
    """Return the attribute of a variable that no clause names; ``operator`` of a reduction inside the region.

    Raises CompileError where ``defaultmap(none)`` asks for a clause (``omp-attribute``).
    """
    constant = _constant(region, declared, variable)
    if constant is not None and not operator:
        return constant
    found = (construct.defaultmap(category(variable)) for construct in region.constructs)
    clause = next((clause for clause in found if clause is not None), None)
    behavior = clause.behavior if clause is not None else "default"
    if behavior == "none":
        message = f"defaultmap(none) asks for an explicit attribute of '{variable.name}'"
        raise attribute_error(region, variable, message)
    said = Reason(Origin.IMPLICIT, f"defaultmap({behavior}) for its category, {category(variable)}", "5.8.7", clause)
    if clause is not None and clause.maps:
        return Attribute(variable, Kind.MAPPED_IMPLICITLY, said, reduction=operator, map_type=behavior)
    if behavior == "firstprivate":
        return _firstprivate(region, variable, operator, said)
    if category(variable) == "scalar":
        return _firstprivate(region, variable, operator, _SCALAR)
    if category(variable) == "pointer":
        return Attribute(variable, Kind.POINTER, _POINTER, reduction=operator)
    values = known_values(variable) if _is_of_function(variable) and not operator else ""
    if values:
        return Attribute(variable, Kind.CONSTANT_ARRAY, _KNOWN_ARRAY, values=values)
    return implicitly_mapped(variable, _AGGREGATE, operator)


def implicitly_mapped(variable: UsedVariable, reason: Reason, operator: str = "", last: bool = False) -> Attribute:
    """Return the attribute of a variable mapped ``tofrom``; nothing but what is mutable is written back to a const
    object, or to one that is known by a reference to a constant and that no cast changes."""
    kind = types.without_reference(variable.cursor.type)
    is_fixed = types.is_constant(kind) and not (types.is_record(kind) and classes.has_mutable_part(kind))
    if is_fixed and types.is_reference(variable.cursor.type):
        is_fixed = not (variable.changed_by_lambda or any(map(may_be_changed, variable.uses)))
    map_type = "to" if is_fixed else "tofrom"
    return Attribute(variable, Kind.MAPPED_IMPLICITLY, reason, reduction=operator, last=last, map_type=map_type)


def attribute_error(region: TargetRegion, variable: UsedVariable, message: str) -> CompileError:
    """Return an error at a variable's first use."""
    place = region.unit.span(variable.uses[0]) if variable.uses else region.construct.span
    return error("omp-attribute", message, place)


def _firstprivate(region: TargetRegion, variable: UsedVariable, operator: str, reason: Reason) -> Attribute:
    """A first-private scalar is passed by value unless the threads may share what is written to it, or nothing changes
    the value that it is declared with."""
    value = unchanged_value(region.unit, region.owner, variable) if not operator else None
    if value is not None:
        return Attribute(variable, Kind.CONSTANT, reason, value=value)
    shared = operator != "" or is_told(region, variable)
    several = region.has_teams or region.has_parallel
    if fits_value(variable) and not (shared and several):
        return Attribute(variable, Kind.VALUE, reason)
    return Attribute(variable, Kind.FIRSTPRIVATE, reason, reduction=operator)


def _constant(region: TargetRegion, declared: DeclareTarget, variable: UsedVariable) -> Attribute | None:
    """A const variable with a constant value, or a const global, needs no transport, unless it holds an address of the
    host's."""
    kind = variable.cursor.type
    if not types.is_constant(kind) or types.is_reference(kind):
        return None
    if region.unit.is_cplusplus and _is_of_function(variable):
        values = needed_values(region.unit.user_text(region.construct.node), variable)
        if values:
            return Attribute(variable, Kind.NEEDED_CONSTANT, _NEEDED, values=values)
    if types.is_array(kind) and not variable.is_global:
        return None
    if variable.is_global and not _is_of_function(variable) and is_repeatable(variable.cursor):
        if begins_with_hosts_address(variable.cursor, declared.in_image) or _holds_hosts_addresses(region, variable):
            return None
        return Attribute(variable, Kind.DEVICE_GLOBAL, _DEFINITION)
    value = evaluate_integer(variable.cursor) if types.is_scalar(kind) else None
    if value is not None and types.kind_name(types.canonical(kind)) not in _NO_INTEGERS:
        return Attribute(variable, Kind.CONSTANT, _KNOWN, value=value)
    return None


def _holds_hosts_addresses(region: TargetRegion, variable: UsedVariable) -> bool:
    """Whether a constant of the file has to hold the host's addresses: the region keeps one (``out[i] = names[i]``).

    Raises CompileError where the region follows one too, which takes the device's (``unsupported-capture``).
    """
    if not types.holds_pointers(variable.cursor.type):
        return False
    kept, followed = uses_of_addresses(region, variable)
    if kept is not None and followed is not None:
        message = (
            f"an address that the constant '{variable.name}' holds is kept, and is the host's therefore; here the "
        )
        message += "region follows one, which takes the device's"
        advice = Note("do the one in another region, or write a number of the table's entry instead of its address")
        kept_here = Note("an address is kept here", region.unit.span(kept))
        raise error("unsupported-capture", message, region.unit.span(followed), kept_here, advice)
    return kept is not None


def _is_of_function(variable: UsedVariable) -> bool:
    """Whether a variable is declared in a function, also one that lasts as long as the program."""
    return variable.cursor.semantic_parent.kind.name in FUNCTION_KINDS
