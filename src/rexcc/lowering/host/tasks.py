"""The host's ``task`` directives of target constructs: ``nowait``, ``depend`` and ``in_reduction`` (OpenMP 5.2, 5.5.10,
13.8 and 15.9.5).

In: a kernel whose construct has these clauses. Out: the directive in front of the host version, which runs as a task of
the host compiler's where the device refuses the region. With ``in_reduction`` it stands in front of the whole block:
a variable of that clause means, inside the task, the private copy of the thread that executes it; so this is what the
block maps, and what its host version adds to. What is passed by address is shared, everything else first-private, and
lambdas that nothing can change: they are mostly parameters, which end before the task does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.lambda_values import is_lambda_object, is_mutable
from rexcc.clang import classes, types
from rexcc.clang.tree import VARIABLE_KINDS, kind_of
from rexcc.lowering.model.dependences import host_clauses, is_task
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.extents import is_runtime_array
from rexcc.lowering.text.qualified import host_name
from rexcc.openmp.model import DependClause, Directive, ReductionClause
from rexcc.openmp.unparse import clauses_text
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.own_names import own_name
from rexcc.source.records import replace

_BY_ADDRESS = frozenset({Kind.MAPPED, Kind.MAPPED_IMPLICITLY, Kind.DEVICE_ADDRESS})
_ONE_VALUE = frozenset({Kind.VALUE, Kind.POINTER, Kind.FIRSTPRIVATE})


def is_inside_task(kernel: Kernel) -> bool:
    """Whether the whole block is one task of the host's: it maps private copies of a host task, needs the first value
    that a variable has when the task runs, not when it is made, or has more calls than the launch, or that of another
    instantiation of its template does."""
    directive = kernel.region.construct.directive
    if _reductions(directive) or kernel.in_task:
        return True
    return is_task(directive) and (bool(kernel.ahead) or any(p.is_first_value for p in kernel.parameters))


def is_deferrable(kernel: Kernel) -> bool:
    """Whether a kernel is launched by a target task."""
    return is_task(kernel.region.construct.directive) and not is_inside_task(kernel)


def is_waiting_itself(kernel: Kernel) -> bool:
    """Whether the host version waits for what it depends on and then runs at once, because no task of the host's can
    have it: clang-19 captures no structured bindings and copies no variable-length arrays; gcc before 13 does not know
    the dependences of OpenMP 5.1."""
    clauses = list(kernel.region.construct.directive.of_type(DependClause))
    if any(c.depend_type == "inoutset" or i.base.text.strip() == "omp_all_memory" for c in clauses for i in c.items):
        return True
    return any(_is_no_item_of_tasks(attribute) for attribute in kernel.data.attributes)


def _is_no_item_of_tasks(attribute: Attribute) -> bool:
    """Whether no ``firstprivate`` of a host's task takes a variable: a structured binding, a variable-length array."""
    cursor = attribute.variable.cursor
    is_copied_array = attribute.kind in _ONE_VALUE and is_runtime_array(types.without_reference(cursor.type))
    return is_copied_array or kind_of(cursor) not in VARIABLE_KINDS


def task_directive(kernel: Kernel) -> str:
    """Return the ``task`` directive of a kernel's block, or of its host version; empty where no clause asks for one."""
    construct = kernel.region.construct
    directive = construct.directive
    reductions = _reductions(directive)
    if not reductions and not is_task(directive):
        return ""
    parts = ["#pragma omp task"]
    depends = [_with_objects(construct, clause) for clause in directive.of_type(DependClause)]
    taken = [*reductions, *depends]
    if taken:
        parts.append(clauses_text(taken))
    reduced = {item.variable for item in construct.items_of(*reductions)}
    reduced |= _macros(kernel)
    attributes = [a for a in kernel.data.attributes if a.variable not in reduced]
    attributes = [a for a in attributes if a.variable.name not in kernel.varying]
    held = (own_name(name) for name in kernel.varying)
    copied, shared = _copied(kernel, attributes), _shared(kernel, attributes)
    for clause, names in (("firstprivate", chain(copied, held)), ("shared", shared)):
        if listed := ", ".join(names):
            parts.append(f"{clause}({listed})")
    return " ".join([*parts, host_clauses(directive)]).rstrip()


def copied_by_task(kernel: Kernel) -> set[str]:
    """Return the names of the variables that a kernel's task copies."""
    return set(_copied(kernel, list(kernel.data.attributes))) if task_directive(kernel) else set()


def shared_by_task(kernel: Kernel) -> set[str]:
    """Return the names of the variables that a kernel's task shares."""
    return set(_shared(kernel, list(kernel.data.attributes))) if task_directive(kernel) else set()


def _with_objects(construct: Construct, clause: DependClause) -> DependClause:
    """Return a clause whose members have their object: gcc takes no others there, but in sections the others only."""
    items = []
    for found in construct.items_of(clause):
        item, root = found.item, found.this
        text = item.whole.text.lstrip()
        is_bare = root is not None and root.kind == "MEMBER_REF_EXPR" and text.startswith(root.spelling)
        if is_bare and not item.is_section:
            base = replace(item.base, text=f"this->{item.base.text.lstrip()}")
            item = replace(item, whole=replace(item.whole, text=f"this->{text}"), base=base)
        items.append(item)
    return replace(clause, items=tuple(items))


def _macros(kernel: Kernel) -> set[Variable | None]:
    """Return the variables that, in C, an enclosing ``use_device_addr`` makes macros: a task copies their pointers."""
    above = [] if kernel.region.unit.is_cplusplus else list(kernel.region.construct.around())
    return {item.variable for construct in above for item in construct.items("use_device_addr")}


def _copied(kernel: Kernel, attributes: list[Attribute]) -> Iterator[str]:
    """Yield the variables that have, in the task, the value of when it was made."""
    for a in attributes:
        is_pointer = types.is_pointer(types.without_reference(a.variable.cursor.type))
        if a.kind in _ONE_VALUE or (is_pointer and _is_value(a)) or _is_lasting(kernel, a):
            yield host_name(a.variable)


def _shared(kernel: Kernel, attributes: list[Attribute]) -> Iterator[str]:
    for a in attributes:
        if a.kind in _BY_ADDRESS and not a.variable.is_global and not _is_value(a) and not _is_lasting(kernel, a):
            yield a.variable.name


def _is_lasting(kernel: Kernel, attribute: Attribute) -> bool:
    """Whether a variable is a lambda that nothing can change: the task may have a copy, which lasts as long as it."""
    kind = types.without_reference(attribute.variable.cursor.type)
    is_object = attribute.kind is Kind.MAPPED_IMPLICITLY and is_lambda_object(kernel.region.unit, kind)
    return is_object and not is_mutable(kind) and classes.is_copied_as_bytes(kind)


def _is_value(attribute: Attribute) -> bool:
    """Whether only what a pointer points to is mapped, or it is a device address itself."""
    if attribute.kind is Kind.DEVICE_POINTER:
        return True
    pointer = types.is_pointer(types.without_reference(attribute.variable.cursor.type))
    items = (item.whole.text.rpartition("::")[2].strip() for _, item, _ in attribute.map_items)
    return pointer and attribute.kind is Kind.MAPPED and attribute.variable.name not in items


def _reductions(directive: Directive) -> list[ReductionClause]:
    """Return the clauses by which the task takes part in a reduction."""
    return [clause for clause in directive.of_type(ReductionClause) if clause.name == "in_reduction"]
