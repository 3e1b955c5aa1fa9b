"""Private copies of variables: the data-sharing clauses of a construct (OpenMP 5.2, 5.4 and 5.5).

In: the clauses of a leaf. Out: :class:`Copies`, lines that open and close a block around the construct's statement. A
copy takes the name of its original, so the statement stays as it is::

    { const int __rex_x = x; int x = __rex_x; …            firstprivate(x)
    { auto &__rex_y = y; int y; … if (…) __rex_y = y; }    lastprivate(y)
"""

from __future__ import annotations

import re
from dataclasses import replace

from clang.cindex import Cursor, Type

from rexcc.analysis.allocators import alignments
from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.alignment import aligned
from rexcc.lowering.conditional import ConditionalItem
from rexcc.lowering.constructs.context import Context, listed, reductions
from rexcc.lowering.constructs.team import Combine
from rexcc.lowering.extents import element_of, is_runtime_array
from rexcc.lowering.reductions import inner_reductions
from rexcc.lowering.runtime_arrays import array_name, named_array
from rexcc.lowering.scan import NO_LOOP, is_inscan
from rexcc.lowering.team_objects import is_made, object_lines
from rexcc.openmp.model import Clause, ListItem, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True)
class Copies:
    """Lines that open and close a block. ``meets``: a barrier belongs between the two, for originals are read by all
    threads and then written by one."""

    opening: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    meets: bool = False

    def __add__(self, other: Copies) -> Copies:
        return Copies(self.opening + other.opening, self.closing + other.closing, self.meets or other.meets)


NO_COPIES = Copies()
"""No variable is copied."""


@dataclass(frozen=True)
class Listed:
    """A variable in a clause's list: its declaration, its type without reference, how the clause spells it."""

    variable: Cursor
    kind: Type
    text: str
    place: Span

    @property
    def name(self) -> str:
        """The variable's name, which the copy has too."""
        return str(self.variable.spelling)

    @property
    def original(self) -> str:
        """The name of the original inside the block."""
        return f"__rex_{self.name}"


def listed_variable(context: Context, construct: Construct, item: ListItem, what: str) -> Listed:
    """Return the variable of a list item; raises CompileError for what cannot be copied under its own name."""
    node = construct.expressions.get(item.base)
    bare = node.bare() if node is not None else None
    if bare is None or bare.kind != "DECL_REF_EXPR" or bare.referenced is None:
        raise error(
            "unsupported-clause", f"'{what}' of '{item.whole.text.strip()}' cannot be lowered yet", item.whole.span
        )
    variable = bare.referenced
    kind = types.without_reference(variable.type)
    if construct.body is not None:
        _use_bare_name(context, construct.body, variable)
    return Listed(variable, kind, item_text(context, construct, item), item.whole.span)


def item_text(context: Context, construct: Construct, item: ListItem) -> str:
    """Return how device code names the variable of a list item; a scope in front of it may have gone."""
    text = item.base.text.strip()
    return context.expression(construct, item.base) if "::" in text else text


def copies_of(
    context: Context,
    construct: Construct,
    clauses: tuple[Clause, ...],
    combine: Combine,
    last: str = "",
    indices: frozenset[int] = frozenset(),
    conditional: tuple[ConditionalItem, ...] = (),
) -> Copies:
    """Return the copies that the clauses of a leaf ask for.

    ``last`` is the condition under which a thread has executed the last iteration or section, empty for always;
    ``indices`` are loop variables, by key, which the loop itself takes care of; ``conditional`` the variables whose
    assignments are noted.
    """
    kept = {item.key: item.condition(context.team.size) for item in conditional}
    found = Copies()
    firstprivate = _keys(construct, clauses, "firstprivate")
    lastprivate = _keys(construct, clauses, "lastprivate")
    done = set(indices)
    for clause, item in listed(clauses, "private", "firstprivate", "lastprivate"):
        made = listed_variable(context, construct, item, clause.name)
        key = variable_key(made.variable)
        if key not in done:
            done.add(key)
            found += _copy(context, made, key in firstprivate, key in lastprivate, kept.get(key, last))
    if conditional:
        found = replace(found, opening=(*(item.declaration for item in conditional), *found.opening))
        context.body.needs.synchronises = True
    found += reduction_copies(context, construct, clauses, combine)
    return replace(found, opening=aligned(found.opening, alignments(construct)))


def reduction_copies(context: Context, construct: Construct, clauses: tuple[Clause, ...], combine: Combine) -> Copies:
    """Return the copies that the reduction clauses of a leaf ask for."""
    reducing = reductions(clauses)
    for clause in reducing:
        if is_inscan(clause):
            raise error("omp-scan", NO_LOOP, clause.span)
        check_dependent(context, construct, clause)
    size = context.team.size
    found = inner_reductions(
        context.unit, construct, reducing, combine, size, lambda e: context.expression(construct, e)
    )
    return Copies(found.opening, found.closing, found.meets)


def check_dependent(context: Context, construct: Construct, clause: ReductionClause) -> None:
    """Refuse a reduction of variables whose types the text of a template does not say."""
    for item in clause.items:
        if context.is_pattern and _depends(context, construct, item):
            raise error(
                "unsupported-reduction",
                f"a reduction of '{item.whole.text.strip()}', whose type depends on template arguments, in a "
                "function that a kernel calls cannot be lowered yet",
                item.whole.span,
            )


def declaration(context: Context, made: Listed) -> str:
    """Return the declaration of a copy, without semicolon; the original is still known by the user's spelling."""
    if _is_spelled(context, made):
        return types.declare(made.kind, made.name)
    return f"{type_text(context, made)} {made.name}"


def type_text(context: Context, made: Listed) -> str:
    """Return the type of a copy; where it has no spelling here, by the original."""
    if _is_spelled(context, made):
        return types.spell_value(made.kind)
    if not context.unit.is_cplusplus:
        return "auto"  # C code has no decltype: the copy takes its type from its first value
    return f"std::remove_cv_t<std::remove_reference_t<decltype({made.text})>>"


def _is_spelled(context: Context, made: Listed) -> bool:
    return not context.is_pattern and not types.is_unnamed(made.kind) and not _is_adjusted(made)


def plain_copy(context: Context, made: Listed) -> tuple[str, ...]:
    """Return the lines of a copy without a value of its own."""
    if is_runtime_copy(made):
        return runtime_copy(context, made)
    declared = declaration(context, made)
    return value_copy(context, made) if declared.startswith("auto ") else (f"{declared};",)


def value_copy(context: Context, made: Listed) -> tuple[str, ...]:
    """Return the lines of a copy with its original's value."""
    if is_runtime_copy(made):
        return (*runtime_copy(context, made), runtime_assignment(made, False))
    declared = declaration(context, made)
    if types.is_array(made.kind) and not _is_adjusted(made):
        return f"auto &{made.original} = {made.text};", *_array_copy(context, made)
    simple = types.is_scalar(made.kind) or types.is_pointer(made.kind)
    kept = f"const auto {made.original} = {made.text};" if simple else f"auto &{made.original} = {made.text};"
    return kept, f"{declared} = {made.original};"


def _array_copy(context: Context, made: Listed) -> tuple[str, ...]:
    """Return the lines that declare an array with its original's values, known under another name by now.

    The elements of a class are copied as a structure around the array copies them: by their constructor.
    """
    element = types.shape_of(made.kind).element
    if not context.is_pattern and (not types.is_record(element) or types.is_copied_as_bytes(element)):
        return f"{declaration(context, made)};", f"__builtin_memcpy({made.name}, {made.original}, sizeof {made.name});"
    holder = f"_dev_copy_of_{made.name}"
    return (
        f"struct {holder} {{ std::remove_reference_t<decltype({made.original})> value; }};",
        f"{holder} _dev_{made.name}(reinterpret_cast<{holder} &>({made.original}));",
        f"auto &{made.name} = _dev_{made.name}.value;",
    )


def assignment(context: Context, made: Listed, target: str, source: str) -> str:
    """Return the statement that copies the value of a variable of this type."""
    if not types.is_array(made.kind) or _is_adjusted(made):
        return f"{target} = {source};"
    element = types.shape_of(made.kind).element
    if not context.is_pattern and (not types.is_record(element) or types.is_copied_as_bytes(element)):
        return f"__builtin_memcpy({target}, {source}, sizeof {target});"
    pointer = f"std::remove_all_extents_t<std::remove_reference_t<decltype({target})>> *"
    each = f"for (unsigned long __rex_e = 0; __rex_e < sizeof {target} / sizeof *({pointer}){target}; __rex_e++)"
    return f"{each} (({pointer}){target})[__rex_e] = (({pointer}){source})[__rex_e];"


def is_runtime_copy(made: Listed) -> bool:
    """Whether a copy is an array whose extents only the run knows."""
    return is_runtime_array(made.kind) and made.variable.kind.name != "PARM_DECL"


def runtime_copy(context: Context, made: Listed, is_shared: bool = False) -> tuple[str, ...]:
    """Return the lines that declare an array with the extents of its original, of the thread or of its block."""
    if context.is_pattern:
        message = f"a copy of the variable-length array '{made.name}' in a template cannot be lowered yet"
        raise error("unsupported-clause", message, made.place)
    element, dimensions = element_of(made.kind)
    kind = f"{types.spell(element)}, {dimensions}" if dimensions > 1 else types.spell(element)
    name = array_name(made.name)
    holder, memory = ("rex_team_array", "__rex_memory, ") if is_shared else ("rex_thread_array", "")
    return (
        f"const rex_array<{kind}> &{made.original} = {name};",
        f"{holder}<{kind}> {name}({memory}{made.original});",
        f"{named_array(made.name, element, dimensions)};",
    )


def runtime_assignment(made: Listed, is_back: bool) -> str:
    """Return the statement that copies the elements of an original to its copy, or back."""
    ends = (f"{made.original}.data", f"{array_name(made.name)}.data")
    target, source = ends if is_back else reversed(ends)
    return f"__builtin_memcpy({target}, {source}, {made.original}.bytes);"


def index_declaration(context: Context, index: Cursor) -> str:
    """Return the declaration of a private loop variable that the loop does not declare."""
    made = Listed(index, types.without_reference(index.type), str(index.spelling), _no_place(context))
    return " ".join(plain_copy(context, made))


def _no_place(context: Context) -> Span:
    return Span(context.body.file.scan.source, 0, 0)


def _copy(context: Context, made: Listed, first: bool, last: bool, condition: str) -> Copies:
    if variable_key(made.variable) in context.together:
        return _copy_of_block(context, made, first, last, condition)
    if not last:
        return Copies(value_copy(context, made) if first else plain_copy(context, made))
    if is_runtime_copy(made):
        back = runtime_assignment(made, True)
        opening = value_copy(context, made) if first else plain_copy(context, made)
        return Copies(opening, (f"if ({condition}) {back}" if condition else back,), meets=first)
    kept, declared = f"auto &{made.original} = {made.text};", declaration(context, made)
    given: tuple[str, ...] = (f"{declared};",)
    if first and types.is_array(made.kind) and not _is_adjusted(made):
        given = _array_copy(context, made)
    elif first or declared.startswith("auto "):
        given = (f"{declared} = {made.original};",)
    back = assignment(context, made, made.original, made.name)
    return Copies((kept, *given), (f"if ({condition}) {back}" if condition else back,), meets=first)


def _copy_of_block(context: Context, made: Listed, first: bool, last: bool, condition: str) -> Copies:
    """Return the lines of a copy that the threads of a block have together."""
    if is_runtime_copy(made):
        return _runtime_copy_of_block(context, made, first, last, condition)
    declared = declaration(context, made)
    if declared.startswith("auto "):
        raise error("unsupported-clause", f"'{made.text}' has a type without name and cannot be copied yet", made.place)
    kept = () if not first and not last else (f"auto &{made.original} = {made.text};",)
    is_object = not context.is_pattern and is_made(made.kind)
    if not is_object and not kept:
        return Copies((f"__shared__ {declared};",))
    opening = [*kept, *([] if is_object else [f"__shared__ {declared};"])]
    if is_object:
        lines = object_lines(made.kind, made.name, made.original if first else "")
        opening += [*lines, "__syncthreads();"]
    elif first:
        value = assignment(context, made, made.name, made.original)
        if value.startswith("__builtin_memcpy"):
            opening.append(f"{value.replace('__builtin_memcpy', 'rex_copy_by_block')} __syncthreads();")
        else:
            opening.append(f"if (threadIdx.x == 0) {{ {value} }} __syncthreads();")
    back = assignment(context, made, made.original, made.name)
    return Copies(tuple(opening), (f"if (threadIdx.x == 0 && ({condition})) {{ {back} }}",) if last else ())


def _runtime_copy_of_block(context: Context, made: Listed, first: bool, last: bool, condition: str) -> Copies:
    context.body.needs.team_memory = True
    opening = runtime_copy(context, made, is_shared=True)
    if first:
        copy = f"rex_copy_by_block({array_name(made.name)}.data, {made.original}.data, {made.original}.bytes);"
        opening = (*opening, f"{copy} __syncthreads();")
    back = runtime_assignment(made, True)
    return Copies(opening, (f"if (threadIdx.x == 0 && ({condition})) {back}",) if last else ())


def _is_adjusted(made: Listed) -> bool:
    """Whether a variable's type in a kernel is not what clang says: array parameters, pointers to run-time arrays."""
    is_parameter = made.variable.kind.name == "PARM_DECL" and types.is_array(made.kind)
    is_reference = types.is_reference(made.variable.type)
    return (is_parameter and not is_reference) or types.has_runtime_extent(made.kind)


def _keys(construct: Construct, clauses: tuple[Clause, ...], name: str) -> set[int]:
    nodes = (construct.expressions.get(item.base) for _, item in listed(clauses, name))
    targets = (n.bare().referenced for n in nodes if n is not None)
    return {variable_key(t) for t in targets if t is not None}


def _depends(context: Context, construct: Construct, item: ListItem) -> bool:
    """Whether an item's type differs between the instantiations of the function that a construct is in."""
    node = construct.expressions.get(item.base)
    here = (construct.function.file, construct.function.start)
    spelled: set[str] = set()
    for function in context.unit.functions:
        if (function.node.file, function.node.start) != here:
            continue
        for top in function.constructs:
            for other in (top, *top.descendants()):
                same = other.expressions.get(item.base) if other.probe is construct.probe else None
                if same is not None:
                    spelled.add(types.spell(types.canonical(same.type)))
    return node is None or len(spelled) > 1


def _use_bare_name(context: Context, code: Node, variable: Cursor) -> None:
    """Make the uses of a variable that name its scope mean the copy."""
    name = str(variable.spelling)
    qualified = re.compile(rf".*::\s*{re.escape(name)}", re.S)
    for use in code.walk():
        if use.kind != "DECL_REF_EXPR" or use.referenced is None:
            continue
        if variable_key(use.referenced) == variable_key(variable) and qualified.fullmatch(context.body.original(use)):
            context.body.edits.replace(context.body.start(use), context.body.end(use), name)
