"""Private copies of variables: the data-sharing clauses of a construct (OpenMP 5.2, 5.4 and 5.5).

In: the clauses of a leaf. Out: :class:`Copies`, code that opens and closes a block around the construct's statement. A
copy takes the name of its original, so the statement stays as it is::

    { const int __rex_x = x; int x = __rex_x; …            firstprivate(x)
    { auto &__rex_y = y; int y; … if (…) __rex_y = y; }    lastprivate(y)
"""

from __future__ import annotations

import re

from rexcc.analysis.aliased_variables import is_aliased
from rexcc.analysis.allocators import alignments
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.code import aligned
from rexcc.kernel.ir import (
    Barrier,
    ByFirst,
    Code,
    CopyBytes,
    If,
    Stmt,
    Storage,
)
from rexcc.lowering.constructs.context import Context, listed, reductions
from rexcc.lowering.constructs.copied_variables import (
    Listed,
    array_copy,
    assignment,
    bound_original,
    declared_copy,
    is_adjusted,
    is_runtime_copy,
    plain_copy,
    runtime_assignment,
    runtime_copy,
    value_copy,
)
from rexcc.lowering.loops.conditional_lastprivate import ConditionalItem
from rexcc.lowering.loops.scan import NO_LOOP, is_inscan
from rexcc.lowering.reductions.reduction_clauses import inner_reductions
from rexcc.lowering.text.alignment import own_alignments
from rexcc.lowering.text.team import Combine
from rexcc.lowering.text.variables import is_made, team_object
from rexcc.openmp.model import Clause, ListItem, ReductionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass, replace
from rexcc.source.text import Span


@dataclass(frozen=True)
class Copies:
    """Code that opens and closes a block. ``meets``: a barrier belongs between the two, for originals are read by all
    threads and then written by one: by what closes the block, or in it under another name."""

    opening: Code = ()
    closing: Code = ()
    meets: bool = False

    def __add__(self, other: Copies) -> Copies:
        return Copies(self.opening + other.opening, self.closing + other.closing, self.meets or other.meets)


NO_COPIES = Copies()
"""No variable is copied."""


def listed_variable(context: Context, found: ResolvedItem) -> Listed:
    """Return the variable of a list item; raises CompileError for what cannot be copied under its own name."""
    construct, item, variable = found.construct, found.item, found.whole_variable
    if variable is None:
        message = f"'{found.clause.name}' of '{item.whole.text.strip()}' cannot be lowered yet"
        raise error("unsupported-clause", message, item.whole.span)
    kind = types.without_reference(variable.type)
    if construct.body is not None:
        use_bare_name(context, construct.body, variable)
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
    indices: frozenset[Variable] = frozenset(),
    conditional: tuple[ConditionalItem, ...] = (),
) -> Copies:
    """Return the copies that the clauses of a leaf ask for.

    ``last`` is the condition under which a thread has executed the last iteration or section, empty for always;
    ``indices`` are loop variables, which the loop itself takes care of; ``conditional`` the variables whose
    assignments are noted.
    """
    kept = {item.variable: item.condition(context.team.size) for item in conditional}
    found = Copies()
    firstprivate = {item.whole_variable for item in listed(construct, clauses, "firstprivate")}
    lastprivate = {item.whole_variable for item in listed(construct, clauses, "lastprivate")}
    done = set(indices)
    for item in listed(construct, clauses, "private", "firstprivate", "lastprivate"):
        made = listed_variable(context, item)
        variable = made.variable
        if variable not in done:
            done.add(variable)
            found += _copy(context, made, variable in firstprivate, variable in lastprivate, kept.get(variable, last))
    if conditional:
        found = replace(found, opening=(*(item.declaration for item in conditional), *found.opening))
        context.body.needs.synchronises = True
    found += reduction_copies(context, construct, clauses, combine)
    return replace(found, opening=aligned(found.opening, _alignments(context, construct, clauses)))


def _alignments(context: Context, construct: Construct, clauses: tuple[Clause, ...]) -> dict[str, int]:
    """Return the alignments of copies by name: their originals', and those that ``allocate`` clauses ask for."""
    items = listed(construct, clauses, "private", "firstprivate", "lastprivate", "reduction")
    found = own_alignments(context.unit, (i.whole_variable for i in items if i.whole_variable is not None))
    for name, alignment in alignments(construct).items():
        found[name] = max(alignment, found.get(name, 0))
    return found


def reduction_copies(context: Context, construct: Construct, clauses: tuple[Clause, ...], combine: Combine) -> Copies:
    """Return the copies that the reduction clauses of a leaf ask for."""
    reducing = reductions(clauses)
    for clause in reducing:
        if is_inscan(clause):
            raise error("omp-scan", NO_LOOP, clause.span)
        check_dependent(context, construct, clause)
        _use_bare_names(context, construct, clause)
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
                "function that a kernel calls cannot be lowered yet; reduce a variable whose type is written out",
                item.whole.span,
            )


def index_declaration(context: Context, index: Variable) -> Code:
    """Return the declaration of a private loop variable that the loop does not declare."""
    made = Listed(index, types.without_reference(index.type), index.name, _no_place(context))
    return plain_copy(context, made)


def index_copy(context: Context, index: Variable, is_last: bool) -> Copies:
    """Return the copy of a loop variable; with ``is_last`` its original has its value behind the loops, too."""
    made = Listed(index, types.without_reference(index.type), index.name, _no_place(context))
    return _copy(context, made, False, is_last, "")


def _no_place(context: Context) -> Span:
    return Span(context.body.file.scan.source, 0, 0)


def _copy(context: Context, made: Listed, first: bool, last: bool, condition: str) -> Copies:
    if made.variable in context.together:
        return _copy_of_block(context, made, first, last, condition)
    if not last:
        opening = value_copy(context, made) if first else plain_copy(context, made)
        return Copies(opening, meets=first and is_aliased(context.unit, made.variable))
    if is_runtime_copy(made):
        opening = value_copy(context, made) if first else plain_copy(context, made)
        return Copies(opening, _under(condition, runtime_assignment(made, True)), meets=first)
    given: Code = (declared_copy(context, made),)
    if first and types.is_array(made.kind) and not is_adjusted(made):
        given = array_copy(context, made)
    elif first:
        given = (declared_copy(context, made, made.original),)
    back = assignment(context, made, made.original, made.name)
    return Copies((bound_original(made), *given), _under(condition, back), meets=first)


def _under(condition: str, statement: Stmt) -> Code:
    return (If(condition, (statement,)),) if condition else (statement,)


def _copy_of_block(context: Context, made: Listed, first: bool, last: bool, condition: str) -> Copies:
    """Return the code of a copy that the threads of a block have together."""
    if is_runtime_copy(made):
        return _runtime_copy_of_block(context, made, first, last, condition)
    kept = () if not first and not last else (bound_original(made),)
    is_object = not context.is_pattern and is_made(made.kind)
    shared = replace(declared_copy(context, made), storage=Storage.TEAM)
    if not is_object and not kept:
        return Copies((shared,))
    if is_object:
        opening: Code = (*kept, *team_object(made.kind, made.name, made.original if first else ""), Barrier())
    else:
        opening = (*kept, shared, *(_value_of_block(context, made) if first else ()))
    back = assignment(context, made, made.original, made.name)
    return Copies(opening, (ByFirst((back,), condition=condition),) if last else ())


def _value_of_block(context: Context, made: Listed) -> Code:
    """Return the code that gives a copy of the block the value of its original."""
    value = assignment(context, made, made.name, made.original)
    by_block = replace(value, by_block=True) if isinstance(value, CopyBytes) else ByFirst((value,))
    return (by_block, Barrier())


def _runtime_copy_of_block(context: Context, made: Listed, first: bool, last: bool, condition: str) -> Copies:
    context.body.needs.team_memory = True
    opening = runtime_copy(context, made, is_shared=True)
    if first:
        opening = (*opening, replace(runtime_assignment(made, False), by_block=True), Barrier())
    back = runtime_assignment(made, True)
    return Copies(opening, (ByFirst((back,), bare=True, condition=condition),) if last else ())


def _depends(context: Context, construct: Construct, item: ListItem) -> bool:
    """Whether an item's type differs between the instantiations of the function that a construct is in."""
    node = construct.node_of(item.base)
    here = (construct.function.file, construct.function.start)
    spelled: set[str] = set()
    for function in context.unit.functions:
        if (function.node.file, function.node.start) != here:
            continue
        for other in function.walk():
            same = other.node_of(item.base) if other.probe is construct.probe else None
            if same is not None:
                spelled.add(spelling.spell(types.canonical(same.type)))
    return node is None or len(spelled) > 1


def _use_bare_names(context: Context, construct: Construct, clause: ReductionClause) -> None:
    for item in construct.items_of(clause):
        if construct.body is not None and item.whole_variable is not None:
            use_bare_name(context, construct.body, item.whole_variable)


def use_bare_name(context: Context, code: Node, variable: Variable) -> None:
    """Make the uses of a variable that name its scope mean the copy."""
    name = variable.name
    qualified = re.compile(rf".*::\s*{re.escape(name)}", re.S)
    for use in code.walk():
        if named_variable(use) == variable and qualified.fullmatch(context.body.original(use)):
            context.body.edits.replace(context.body.start(use), context.body.end(use), name)
