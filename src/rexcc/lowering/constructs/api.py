"""OpenMP's routines about teams, in code whose team is known when it is written.

In: code and the team that executes it. Out: edits: ``omp_get_thread_num()`` becomes the thread's number in the
block or whatever the construct around the call makes of it, so that simple kernels keep no state. A call whose answer
is not known here, or that comes out of a macro, stays, and the kernel keeps the state that the runtime answers from.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.calls import is_answerable
from rexcc.analysis.team_routines import IN_FINAL, OF_LEVEL, TEAM_ROUTINES, called_by
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.text.team import CALLER, SEQUENTIAL, Team
from rexcc.program.constructs import Construct


def answer_calls(context: Context, code: Iterable[Node], constructs: Iterable[Construct]) -> None:
    """Write the answers into pieces of code, but for the bodies of the constructs in them."""
    bodies = {(c.body.start, c.body.end) for c in constructs if c.body is not None}
    waiting = [(node, context) for node in code]
    while waiting:
        node, here = waiting.pop()
        if node.parent is not None and node.parent.kind == "WHILE_STMT" and (node.start, node.end) in bodies:
            continue
        if node.is_called_code:
            here = here.of_team(CALLER)  # it may be called anywhere
        if node.kind == "DECL_REF_EXPR" and node.spelling in TEAM_ROUTINES:
            _answer(here, node)
        waiting += [(child, here) for child in node.children]


def _answer(context: Context, name: Node) -> None:
    body = context.body
    if body.start(name) in body.needs.answered:
        return
    body.needs.answered.add(body.start(name))
    call = called_by(name)
    text = answer(context, call) if call is not None and is_answerable(context.unit, name) else None
    if call is None or text is None:
        body.needs.state = True
        return
    body.edits.rewrite(body.start(call), body.end(call), text)


def answer(context: Context, call: Node) -> str | None:
    """Return what a routine answers in a team as text, None where that is not known here."""
    team = context.team
    if call.spelling == IN_FINAL:
        return "0"  # is_answerable: there are no final tasks
    if not team.known:
        return None
    here = SEQUENTIAL if team.is_league else team.of_block
    name = call.spelling
    if name in OF_LEVEL:
        return _of_level(here, call)
    return {
        "omp_get_thread_num": here.int_number,
        "omp_get_num_threads": here.int_size,
        "omp_get_max_threads": f"(int){context.unit.target.words.threads}" if here.level == 0 else "1",
        "omp_get_level": None if here.level is None else str(here.level),
        "omp_in_parallel": _active(here),
        "omp_get_active_level": _active(here),
    }[name]


def _active(team: Team) -> str | None:
    """Return whether a parallel region around has more than one thread; only the outermost one can."""
    current: Team | None = team
    while current is not None:
        if not current.known:
            return None
        if not current.is_alone:
            return f"({current.threads} > 1)"
        current = current.outer
    return "0"


def _of_level(team: Team, call: Node) -> str | None:
    """Return the thread number, or the size, of the team at a constant level."""
    arguments = call.children[1:]
    level = evaluate_integer(arguments[0].cursor) if len(arguments) == 1 else None
    if level is None or team.level is None:
        return None
    current: Team | None = team
    for _ in range(team.level - level):
        current = current.outer if current is not None else None
    if level < 0 or level > team.level:
        return "-1"
    if current is None or not current.known:
        return None
    return current.int_number if call.spelling == "omp_get_ancestor_thread_num" else current.int_size
