"""``sections``: each section is executed by a thread of its own, as far as there are any.

In: a ``sections`` construct. Out: a condition around each section, and the code around them all. The sections go to
different warps where the team has several, for within a warp they would run one after the other.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end, statement_start
from rexcc.kernel.code import in_block
from rexcc.kernel.ir import Code, Guard
from rexcc.lowering.constructs.context import Context, has
from rexcc.lowering.constructs.copies import copies_of
from rexcc.lowering.constructs.sharing import check_original
from rexcc.lowering.loops.conditional_lastprivate import conditional_items, in_order, mark_assignments
from rexcc.lowering.text.placing import USER, place_around, place_directive, place_statements
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error


def lower_sections(context: Context, construct: Construct, joined: bool) -> Code:
    """Lower a ``sections`` leaf; what is in the sections has been lowered."""
    clauses = construct.clauses_of("sections")
    parts = _parts(context, construct)
    alone = context.team.is_alone
    if alone:
        _comment(context, construct)
        copies = copies_of(context, construct, in_order(construct, clauses), context.team.combine)
        return in_block(copies.opening, USER, copies.closing)
    context.ask()
    check_original(context, construct, clauses)
    conditional = conditional_items(construct, clauses)
    mine = _mine(context, len(parts) - 1)
    copies = copies_of(context, construct, clauses, context.team.combine, mine, conditional=conditional)
    for number, (directive, statements) in enumerate(parts):
        for statement in statements:
            mark_assignments(context.body, construct, statement, conditional, str(number))
        _guard(context, directive, statements, _mine(context, number))
    meets = context.barrier() if copies.meets else ()
    barrier = () if joined or has(clauses, "nowait") else context.barrier()
    return (*in_block((*copies.opening, *meets), USER, copies.closing), *barrier)


def _mine(context: Context, number: int) -> str:
    """Return the condition that the running thread executes a section."""
    if number == 0:
        return context.team.first
    return f"{context.team.thread} == {number * context.unit.target.limits.warp} % {context.team.threads}"


def _parts(context: Context, construct: Construct) -> list[tuple[Construct | None, list[Node]]]:
    """Return the sections: the directive of each, None for a first one without, and its statements."""
    body = construct.body
    assert body is not None
    if body.kind != "COMPOUND_STMT" or not context.body.text.startswith("{", context.body.start(body)):
        raise error("omp-sections", "the sections must stand in braces", construct.span)
    directives = {(c.node.start, c.node.end): c for c in construct.children if c.directive.leaves == ("section",)}
    parts: list[tuple[Construct | None, list[Node]]] = []
    for statement in body.children:
        directive = directives.get((statement.start, statement.end))
        if directive is not None or not parts:
            parts.append((directive, [statement]))
        else:
            parts[-1][1].append(statement)
    return parts


def _comment(context: Context, construct: Construct) -> None:
    for child in construct.children:
        if child.directive.leaves == ("section",):
            place_directive(context.body, child.probe.site)


def _guard(context: Context, directive: Construct | None, statements: list[Node], condition: str) -> None:
    body = context.body
    code, end = (Guard(condition, USER),), statement_end(body.file, statements[-1])
    if directive is not None:
        place_statements(body, directive, code, end)
    else:
        place_around(body, statement_start(body.file, statements[0]), end, code)
