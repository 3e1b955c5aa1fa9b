"""The constructs inside of a kernel or of a function that kernels call.

In: constructs with the team that executes the code they stand in. Out: edits, and for the writer of a region the code
around one construct's statement. A combined construct is the sequence of its leaves, one inside the other. A parallel
inside of another, or in a function, is executed by the thread that encounters it. A construct needs no barrier of its
own where the next thing that its team does is to wait anyway: at an explicit barrier, or at the end of the parallel.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.clang.tree import Node
from rexcc.kernel.code import in_block
from rexcc.kernel.ir import Code
from rexcc.lowering.atomics import lower_atomic, lower_update
from rexcc.lowering.atomics.forms import Form
from rexcc.lowering.constructs.api import answer_calls
from rexcc.lowering.constructs.blocks import BLOCK_LEAVES, Leaf, final_copies, level_copies, own_parallel, serialised
from rexcc.lowering.constructs.context import Context, unsupported
from rexcc.lowering.constructs.copies import Copies
from rexcc.lowering.constructs.critical_sections import update_of
from rexcc.lowering.constructs.group_sums import group_sum
from rexcc.lowering.constructs.loops import LOOP_LEAVES, inner_context, lower_loop, sharers
from rexcc.lowering.constructs.sections import lower_sections
from rexcc.lowering.constructs.sharing import implicit_copies
from rexcc.lowering.constructs.standalone import lower_silent, lower_standalone
from rexcc.lowering.loops.induction import check_inductions
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_construct, place_directive
from rexcc.lowering.text.team import CALLER, SEQUENTIAL, Team, nested_in
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import do_each
from rexcc.source.records import replace

Leaves = tuple[str, ...]


def lower_inside(
    body: DeviceBody,
    constructs: Iterable[Construct],
    team: Team,
    code: Sequence[Node],
    is_pattern: bool = False,
) -> None:
    """Lower constructs, all that is in them, and OpenMP's routines in the code around them.

    ``team`` executes the code; with the grid or the league it is the body of a loop that they share. ``code`` are the
    statements that the constructs stand in. ``is_pattern``: the text is a template's, whose types vary.
    """
    context = _context(body, team, is_pattern)
    given = list(constructs)
    answer_calls(context, code or [c.node.children[0] for c in given if c.body is not None], given)
    do_each(given, lambda construct: _lower(context, construct))
    for node in code:
        lower_silent(body, body.start(node), body.end(node))


def lower_calls(body: DeviceBody, code: Iterable[Node], team: Team) -> None:
    """Answer OpenMP's routines in code that a team executes, but for constructs that have been lowered."""
    answer_calls(_context(body, team, False), code, ())


def lower_leaves(body: DeviceBody, construct: Construct, leaves: Leaves, team: Team, joined: bool) -> Code:
    """Return the code around a construct's statement for some of its leaves, outermost first; lower what is inside.

    ``team`` executes the leaves; a ``parallel`` among them is the one that it forms. ``joined``: a barrier of the team
    follows anyway.
    """
    context = replace(_context(body, team, False), team=team)
    if leaves[:1] == ("parallel",):
        leaf = own_parallel(context, construct)
        inner = _leaves(leaf.inside, construct, leaves[1:], True)
        return (*leaf.around(inner), *(() if joined else context.barrier()))
    return _leaves(context, construct, leaves, joined)


def _context(body: DeviceBody, team: Team, is_pattern: bool) -> Context:
    if team.is_grid:
        return Context(body, team.of_block, is_pattern)
    return Context(body, SEQUENTIAL if team.is_league else team, is_pattern)


def _lower(context: Context, construct: Construct) -> None:
    leaves = construct.directive.leaves
    if _is_in_lambda(construct):
        context = context.of_team(CALLER)
    if construct.body is None:
        lower_standalone(context, construct)
    elif leaves == ("atomic",):
        _atomic(context, construct)
    elif leaves == ("critical",) and (done := update_of(context, construct)) is not None:
        _update(context, construct, done)
    else:
        place_construct(context.body, construct, _leaves(context, construct, leaves, is_joined(construct)))


def _atomic(context: Context, construct: Construct) -> None:
    """Lower an ``atomic`` construct."""
    assert construct.body is not None
    place_directive(context.body, construct.probe.site, (), context.body.start(construct.body))
    answer_calls(context, [construct.body], ())
    lower_atomic(context.body, construct)


def _update(context: Context, construct: Construct, form: Form) -> None:
    """Lower a ``critical`` construct that changes a variable as an ``atomic`` one does."""
    assert construct.body is not None
    place_directive(context.body, construct.probe.site, (), context.body.start(construct.body))
    answer_calls(context, [construct.body], ())
    lower_update(context.body, construct, form)


def _is_in_lambda(construct: Construct) -> bool:
    """Whether a construct stands in a lambda or a method of the code around it, which may be called anywhere."""
    around = construct.parent.body if construct.parent is not None else None
    for above in (construct.node, *construct.node.ancestors()):
        if around is not None and (above.start, above.end, above.kind) == (around.start, around.end, around.kind):
            return False
        if above.is_called_code:
            return True
    return False


def _leaves(context: Context, construct: Construct, leaves: Leaves, joined: bool) -> Code:
    """Return the code around a construct's statement for a sequence of leaves."""
    if not leaves:
        _lower_children(context, construct)
        return USER
    leaf = leaves[0]
    if leaf in LOOP_LEAVES:
        return _loop(context, construct, leaves, joined)
    if leaf == "parallel":
        return _serialised(context, construct, leaves[1:])
    if leaf == "sections":
        assert construct.body is not None
        answer_calls(context, [construct.body], construct.children)
        for child in construct.children:
            _lower_section(context, child)
        return lower_sections(context, construct, joined)
    make = BLOCK_LEAVES.get(leaf)
    if make is None:
        raise unsupported(construct)
    made = make(context, construct, joined)
    return made.around(_leaves(made.inside, construct, leaves[1:], False))


def _lower_section(context: Context, construct: Construct) -> None:
    """Lower what a section holds; its directive and its condition are the business of ``sections``."""
    if construct.directive.leaves == ("section",):
        _lower_children(context, construct)
    else:
        _lower(context, construct)


def _serialised(context: Context, construct: Construct, rest: Leaves) -> Code:
    leaf = serialised(context, construct)
    inner, asked = _observed(leaf.inside, construct, rest)
    level = level_copies(context, construct, asked)
    return Leaf(leaf.inside, level + leaf.copies).around(inner)


def _observed(context: Context, construct: Construct, rest: Leaves) -> tuple[Code, bool]:
    """Return the code of what is inside and whether it asks the runtime for its team."""
    needs = context.body.needs
    before, needs.state = needs.state, False
    inner = _leaves(context, construct, rest, True)
    asked, needs.state = needs.state, needs.state or before
    return inner, asked


def _loop(context: Context, construct: Construct, leaves: Leaves, joined: bool) -> Code:
    check_inductions(construct)
    team = sharers(context, construct, leaves)
    inside = inner_context(context, team, leaves)
    level = Copies()
    if "parallel" in leaves and (team is None or not team.is_grid):
        inside = context.of_team(nested_in(context.team))
        _, asked = _observed(inside, construct, ())
        level = level_copies(context, construct, asked)
    else:
        grouped = group_sum(context, construct, team)
        _lower_children(replace(inside, grouped=grouped.construct) if grouped else inside, construct)
    if leaves[0] == "taskloop":
        level += final_copies(context, construct, "taskloop") + implicit_copies(context, construct, "taskloop")
    return in_block(level.opening, lower_loop(context, construct, leaves, joined), level.closing)


def _lower_children(context: Context, construct: Construct) -> None:
    assert construct.body is not None
    answer_calls(context, [construct.body], construct.children)
    do_each(construct.children, lambda child: _lower(context, child))


def is_joined(construct: Construct) -> bool:
    """Whether a barrier of the same team follows right behind a construct."""
    node = construct.node
    while True:
        above = node.parent
        if above is None:
            return False
        if above.kind != "COMPOUND_STMT":
            return _ends_parallel(construct, node)
        follower = _next(above, node)
        if follower is not None:
            return _is_barrier(construct, follower)
        node = above


def _next(block: Node, statement: Node) -> Node | None:
    """Return the statement behind another one in a block."""
    starts = [child for child in block.children if child.start > statement.start]
    return starts[0] if starts else None


def _is_barrier(construct: Construct, statement: Node) -> bool:
    siblings = construct.parent.children if construct.parent is not None else []
    return any(c.directive.name == "barrier" and c.node.start == statement.start for c in siblings)


def _ends_parallel(construct: Construct, body: Node) -> bool:
    """Whether a node is the whole body of the parallel around a construct."""
    around = construct.parent
    if around is None or around.body is None or around.directive.leaves[-1] != "parallel":
        return False
    return (around.body.start, around.body.end) == (body.start, body.end)
