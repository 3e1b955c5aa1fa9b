"""What the variables of data-sharing clauses must be (OpenMP 5.2, 5.1, 5.4 and 5.5).

In: a construct. Out: errors for variables that are const where they are assigned, thread-private where they are shared
already, loop variables whose attribute is predetermined, and types that a clause has no meaning for.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.declared_scopes import find_declared
from rexcc.analysis.rules.facts import in_target, is_known, named, shown
from rexcc.analysis.rules.loop_heads import associated_loops, loop_variable
from rexcc.clang import locations, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, kind_of
from rexcc.openmp.clauses import REDUCTION_OPERATORS
from rexcc.openmp.distribution import PRIVATIZING
from rexcc.openmp.model import Clause, ListItem, MapClause, ReductionClause
from rexcc.openmp.tables import named_construct
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note

_TYPE = "omp-list-item-type"
_WRITING = (
    "private",
    "lastprivate",
    "linear",
    "induction",
    "reduction",
    "in_reduction",
    "task_reduction",
    "copyprivate",
)
_SHARING = (*PRIVATIZING, "shared")
_MOVING = ("map", "to", "from", "use_device_ptr", "use_device_addr", "is_device_ptr", "has_device_addr")
_PREDETERMINED = {
    "shared": "it is private",
    "firstprivate": "it starts with the value that the loop gives it",
    "reduction": "the loop assigns it",
    "induction": "its steps are those of the loop",
}
_MEMBER_BITS = "a bit-field has no address that could be mapped"


def check_const(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A variable that a clause assigns, or of which a copy without a value is made, is not const (5.1.1, 5.4.3)."""
    for clause, item, variable in named(construct, *_WRITING):
        kind = variable.type
        if not is_known(kind) or not types.is_constant(kind) or _has_mutable(kind):
            continue
        advice = "firstprivate keeps its value" if clause.name == "private" else "it can never change"
        sink.error("omp-const-item", f"{shown(item)} is const and cannot be in '{clause.name}'; {advice}",
                   item.whole.span, *_declared_note(unit, variable))  # fmt: skip


def _has_mutable(kind: Type) -> bool:
    record = types.canonical(kind).get_declaration() if types.is_record(kind) else None
    return record is not None and any(c.is_mutable_field() for c in record.get_children())


def _declared_note(unit: ParsedUnit, variable: Variable) -> tuple[Note, ...]:
    name, offset = locations.file_location(variable.cursor.location, unit.tree.names)
    file = unit.files.get(name)
    if file is None:
        return ()
    start = file.original(offset)
    return (Note("it is declared here", file.scan.source.span(start, start + len(variable.name))),)


def is_threadprivate(unit: ParsedUnit, variable: Variable) -> bool:
    """Whether each thread has a variable of its own in the whole program."""
    names = (i.whole.text.strip() for _, d in unit.declaratives if d.name == "threadprivate" for i in d.items)
    found = any(name.rpartition("::")[2] == variable.name for name in names)
    return variable.cursor.tls_kind.name != "NONE" or (found and variable.is_global)


def check_threadprivate(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A thread-private variable has its attribute; only ``copyin`` and ``copyprivate`` may name it (5.2)."""
    listed = {i.whole.text.strip().rpartition("::")[2]: i for _, d in unit.declaratives if d.name == "threadprivate"
              for i in d.items}  # fmt: skip
    for clause, item, variable in named(construct, *_SHARING, *_MOVING) if listed else ():
        where = listed.get(variable.name)
        if where is not None and variable.is_global:
            message = f"{shown(item)} is threadprivate and cannot be in '{clause.name}'"
            sink.error("omp-threadprivate", message, item.whole.span, Note("made so here", where.whole.span))
    for loop in associated_loops(construct) if listed else ():
        index = loop_variable(loop)
        if index is not None and index.name in listed and index.is_global:
            message = f"the loop variable '{index.name}' is threadprivate, and each thread needs one of its own"
            note = Note("made so here", listed[index.name].whole.span)
            sink.error("omp-threadprivate", message, unit.span(loop.children[0]), note)
    for _, item, variable in named(construct, "copyin"):
        if not (variable.name in listed and variable.is_global):
            message = f"'copyin' is for threadprivate variables, and {shown(item)} is none; use firstprivate"
            sink.error("omp-threadprivate", message, item.whole.span)


def check_loop_variables(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The variable of an associated loop is private, or linear in ``simd`` (5.1.1); ``loop`` keeps no other (11.7)."""
    loops = list(associated_loops(construct))
    indices = {v for loop in loops if (v := loop_variable(loop)) is not None}
    is_simd = construct.directive.leaves[-1] == "simd" and len(loops) == 1
    names = (*_PREDETERMINED, *(() if is_simd else ("linear",)))
    for clause, item, variable in named(construct, *names) if indices else ():
        if variable not in indices or named_construct(clause):
            continue
        why = _PREDETERMINED.get(clause.name, "its steps are those of the loop")
        message = f"{shown(item)} is the variable of the loop and cannot be in '{clause.name}': {why}"
        sink.error("omp-loop-variable", message, item.whole.span)
    is_loop = len(indices) == construct.depth and "loop" in construct.directive.leaves
    for _, item, variable in named(construct, "lastprivate") if is_loop else ():
        if variable not in indices:
            others = "'loop' keeps the last values of no others, 'for' and 'distribute' do"
            message = f"{shown(item)} is no variable of the loop; {others}"
            sink.error("omp-loop-variable", message, item.whole.span)
    is_distributed = len(indices) == construct.depth and "distribute" in construct.directive.leaves
    for _, item, variable in named(construct, "linear") if is_distributed else ():
        if variable not in indices and is_known(variable.type):
            message = f"{shown(item)} is no variable of the loop; with 'distribute' only that can be linear"
            sink.error("omp-loop-variable", message, item.whole.span)


def check_types(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report variables of types that a clause has no meaning for."""
    for found in construct.items(*_WANTED):
        item, kind = found.item, _type_of(found)
        wanted, is_right = _WANTED[found.clause.name]
        if kind is not None and is_known(kind) and not is_right(kind):
            message = f"{shown(item)} has type '{spelling.spell(kind)}'; '{found.clause.name}' is for {wanted}"
            sink.error(_TYPE, message, item.whole.span)


def _type_of(found: ResolvedItem) -> Type | None:
    """Return the type of a variable or of a member of ``*this``, None for sections and other items."""
    if found.item.sections:
        return None
    variable, member = found.whole_variable, found.own_member
    if variable is not None:
        return types.declared_type(variable.cursor)
    return member.type if member is not None else None


def _is_linear(kind: Type) -> bool:
    scalar = types.is_scalar(kind) and types.kind_name(types.canonical(kind)) not in _FLOATING
    return scalar or types.is_pointer(kind)


def _is_address(kind: Type) -> bool:
    return types.is_pointer(kind) or types.is_array(kind)


_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "COMPLEX"})
_WANTED = {
    "linear": ("integers and pointers", _is_linear),
    "aligned": ("pointers and arrays", _is_address),
    "use_device_ptr": ("pointers", types.is_pointer),
}


def check_bit_fields(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A bit-field has no storage of its own (5.8.3)."""
    for found in construct.items("map", "to", "from", "depend", "reduction"):
        named, item = found.named, found.item
        field = named.referenced if named is not None and named.kind == "MEMBER_REF_EXPR" else None
        if field is not None and field.is_bitfield():
            sink.error(_TYPE, f"{shown(item)} is a bit-field; {_MEMBER_BITS}", item.whole.span)


def check_incomplete(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """What is copied or mapped has a size."""
    for _, item, variable in named(construct, *_SHARING[:-1], "map", "to", "from"):
        kind = types.canonical(variable.type)
        record = kind.get_declaration() if types.is_record(kind) else None
        unfinished = record is not None and record.get_definition() is None
        if (unfinished or types.kind_name(kind) == "INCOMPLETEARRAY") and variable.cursor.kind.name != "PARM_DECL":
            message = f"{shown(item)} has the incomplete type '{spelling.spell(variable.type)}', whose size is unknown"
            sink.error(_TYPE, message, item.whole.span)


def check_mapped_privates(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """On ``target`` alone a variable is mapped or private, not both (5.8.3)."""
    _check_device_pointers(construct, sink)
    if construct.directive.name != "target":
        return
    first: dict[Variable, tuple[Clause, ListItem]] = {}
    for clause, item, variable in named(construct, "private", "firstprivate", "is_device_ptr", "has_device_addr"):
        first.setdefault(variable, (clause, item))
    for clause, item, variable in named(construct, "map"):
        found = first.get(variable)
        if found is not None and isinstance(clause, MapClause):
            message = f"{shown(item)} is mapped and in '{found[0].name}'; leave it in one of them"
            sink.error("omp-mapped-private", message, item.whole.span,
                       Note(f"'{found[0].name}' has it here", found[1].whole.span))  # fmt: skip


def _check_device_pointers(construct: Construct, sink: DiagnosticSink) -> None:
    """What ``is_device_ptr`` names leads to memory of the device, of which the host can map no part (5.4.7, 5.8.3).

    On ``target`` alone it has no other data-sharing attribute either.
    """
    given = {v: item for _, item, v in named(construct, "is_device_ptr")}
    others = ("private", "firstprivate", "has_device_addr") if construct.directive.name == "target" else ()
    for clause, item, variable in named(construct, *others) if given else ():
        found = given.get(variable)
        if found is not None:
            message = f"{shown(item)} is in '{clause.name}' and in 'is_device_ptr'; leave it in one of them"
            sink.error("omp-data-sharing", message, item.whole.span,
                       Note("'is_device_ptr' has it here", found.whole.span))  # fmt: skip
    for mapped in construct.items("map") if given else ():
        item, found = mapped.item, given.get(mapped.variable) if mapped.variable is not None else None
        if found is not None and (mapped.whole_variable is None or item.sections):
            message = f"{shown(item)} is memory of the device and cannot be mapped"
            sink.error("omp-mapped-private", message, item.whole.span,
                       Note("'is_device_ptr' says so here", found.whole.span))  # fmt: skip


def check_shared_originals(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """What a worksharing construct reduces or copies out is shared in the parallel region around it (5.5.5)."""
    if construct.directive.leaves[0] not in ("for", "sections", "scope", "single") or in_target(construct):
        return
    outer = next((c for c in construct.around() if "parallel" in c.directive.leaves), None)
    if outer is None:
        return
    private = dict(_privates(outer))
    for clause, item, variable in named(construct, "reduction", "lastprivate", "firstprivate"):
        found = private.get(variable)
        note = Note(f"'{found[0].name}' makes it private here", found[1].whole.span) if found is not None else None
        if note is None and is_declared_in(unit, variable, outer):
            note = next(iter(_declared_note(unit, variable)), None)
        if note is not None:
            message = f"{shown(item)} in '{clause.name}' has to be shared by the threads of the parallel region around"
            sink.error("omp-private-original", message, item.whole.span, note)


def is_declared_in(unit: ParsedUnit, variable: Variable, outer: Construct) -> bool:
    """Whether each thread of a region has a variable of its own because the region declares it."""
    body = outer.body
    name, offset = locations.file_location(variable.cursor.location, unit.tree.names)
    inside = body is not None and name == body.file and body.start <= offset < body.end
    return inside and not variable.is_global and not types.is_reference(variable.type)


def _privates(construct: Construct) -> Iterator[tuple[Variable, tuple[Clause, ListItem]]]:
    for clause, item, variable in named(construct, "private", "firstprivate", "reduction"):
        if not (isinstance(clause, ReductionClause) and any(m.name == "task" for m in clause.modifiers)):
            yield variable, (clause, item)


def check_this(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``this`` is a value and no variable; the object that it points to has a section (5.8.3)."""
    for found in construct.items("map", "to", "from", "use_device_ptr", "use_device_addr", *_SHARING):
        if found.item.whole.text.strip() == "this" and unit.is_cplusplus:
            message = "'this' is a value and has no storage; 'this[:1]' is the object that it points to"
            sink.error(_TYPE, message, found.item.whole.span)


def check_functions(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A function has no storage that could be mapped, moved or copied (3.2.1)."""
    for found in construct.items("map", "to", "from", "use_device_ptr", "use_device_addr", *_SHARING):
        target = found.named.referenced if found.named is not None and found.named.kind == "DECL_REF_EXPR" else None
        if target is not None and kind_of(target) in FUNCTION_KINDS:
            message = f"{shown(found.item)} is a function, which has no storage; 'declare target' puts it there"
            sink.error(_TYPE, message, found.item.whole.span)


def check_joined_reductions(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """What tasks take part in is a reduction that is declared for the type (5.5.9, 5.5.10)."""
    for clause, item, variable in named(construct, "in_reduction", "task_reduction"):
        if not isinstance(clause, ReductionClause) or not is_known(variable.type):
            continue
        kind = types.without_reference(variable.type)
        kind = types.shape_of(kind).element if types.is_array(kind) else kind
        known = clause.operator in REDUCTION_OPERATORS
        if not known and find_declared(unit, clause.operator, kind, item.whole.span) is None:
            message = f"no reduction '{clause.operator}' is declared for {shown(item)} of type '{spelling.spell(kind)}'"
            sink.error("omp-unknown-reduction", message, item.whole.span)


def check_reduced_types(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """An operator reduces numbers that it is defined for; those of target regions are looked at where lowered."""
    if in_target(construct):
        return
    for clause, item, variable in named(construct, "reduction", "in_reduction", "task_reduction"):
        if not isinstance(clause, ReductionClause) or not is_known(variable.type):
            continue
        kind = types.shape_of(variable.type).element if types.is_array(variable.type) else variable.type
        if clause.operator not in REDUCTION_OPERATORS or find_declared(unit, clause.operator, kind, item.whole.span):
            continue
        name = types.kind_name(types.canonical(kind))
        if types.is_pointer(kind) or (clause.operator in "&|^" and name in _FLOATING):
            message = f"'{clause.operator}' does not reduce {shown(item)}, which has type '{spelling.spell(kind)}'"
            sink.error("omp-reduction-type", message, item.whole.span)
        elif types.is_record(kind) and not unit.is_cplusplus:
            message = f"no reduction '{clause.operator}' is declared for {shown(item)} of type '{spelling.spell(kind)}'"
            sink.error("omp-unknown-reduction", message, item.whole.span)
