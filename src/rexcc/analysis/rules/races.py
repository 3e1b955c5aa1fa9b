"""Threads that change one scalar together, without anything that keeps them apart.

In: how a function uses its variables. Out: a warning where a loop that threads share adds to (or otherwise reads and
writes) a variable that they share too. Plain assignments are not looked at: often all threads write the same value.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.references import is_written
from rexcc.analysis.rules.items import is_declared_in, is_threadprivate
from rexcc.analysis.rules.loop_heads import associated_loops
from rexcc.analysis.rules.uses import FunctionUses, is_assigned_only, is_index
from rexcc.clang import library, types
from rexcc.clang.tree import Node
from rexcc.openmp.model import ExpressionClause, KeywordClause, MapClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import DiagnosticSink, Note

_SHARED_LOOPS = frozenset({"for", "distribute", "loop"})
_APART = frozenset(
    {"atomic", "critical", "ordered", "single", "masked", "master", "section", "sections", "task", "taskloop", "scope"}
)
_SHARING = frozenset({"shared", "map"})


def check_races(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of the first change of a shared scalar in each shared loop."""
    for loop in facts.constructs:
        if _SHARED_LOOPS.isdisjoint(loop.directive.leaves) or loop.body is None or _calls_lock(loop.body):
            continue
        team = _team(loop)
        for variable in facts.used_in(loop.body) if team is not None else ():
            place = _change(facts, loop, variable)
            if place is None or team is None or _runs_once(loop) or not _is_shared(facts, loop, team, variable):
                continue
            name = variable.name
            message = (
                f"threads change '{name}' at the same time: it is shared, and nothing keeps them apart; "
                f"a 'reduction' of it or 'atomic' does"
            )
            note = Note("they share this loop", loop.span)
            sink.warning("omp-race", message, facts.unit.span(place), note)


def _team(loop: Construct) -> Construct | None:
    """Return the construct whose threads or teams share a loop, None where it is not seen or is one thread."""
    construct: Construct | None = loop
    while construct is not None and {"parallel", "teams"}.isdisjoint(construct.directive.leaves):
        construct = construct.parent
    if construct is None or any(_is_one(construct, c) for c in construct.directive.of_type(ExpressionClause)):
        return None
    return construct


def _is_one(construct: Construct, clause: ExpressionClause) -> bool:
    return clause.name == "if" or (clause.name == "num_threads" and construct.value_of(clause.expression) == 1)


def _change(facts: FunctionUses, loop: Construct, variable: Variable) -> Node | None:
    """Return the first place where the iterations of a loop read and write a scalar, all of them."""
    kind = variable.type
    if loop.body is None or not types.is_scalar(kind) or types.is_reference(kind) or types.is_volatile(kind):
        return None
    for use in facts.inside(variable, loop.body):
        if is_written(use) and _reads_too(use, variable) and not _is_kept_apart(loop, use):
            return use
    return None


def _reads_too(use: Node, variable: Variable) -> bool:
    if not is_assigned_only(use):
        return True
    parent = use.in_parentheses().parent
    return parent is not None and any(named_variable(n) == variable for n in parent.children[1].walk())


def _is_kept_apart(loop: Construct, use: Node) -> bool:
    """Whether another construct, a lambda or a test that few iterations pass stands around a change."""
    for inner in loop.descendants():
        if inner.body is not None and inner.body.start <= use.start < inner.body.end:
            return True
    for above in use.ancestors():
        if above is loop.body:
            return False
        if above.is_called_code or above.kind == "SWITCH_STMT":
            return True
        if above.kind in ("IF_STMT", "CONDITIONAL_OPERATOR") and _asks_for_one(above.children[0]):
            return True
    return False


def _asks_for_one(condition: Node) -> bool:
    """Whether a test is one for a certain iteration, or for an error, which should not happen."""
    return any(n.operator in ("==", "!=", "!") for n in condition.walk())


def _runs_once(construct: Construct) -> bool:
    """Whether the outermost loop of a construct has at most one iteration, as constants tell."""
    loop = next(iter(associated_loops(construct)), None)
    if loop is None:
        return False
    init, test = loop.children[0], loop.children[1].bare()
    declared = init.children[0] if init.kind == "DECL_STMT" and init.children else init.bare()
    ends = [part[0].cursor for part in (declared.children[-1:], test.children[-1:]) if part]
    values = [library.evaluate_integer(end) for end in ends]
    return len(values) == len(("first", "last")) and None not in values and abs((values[1] or 0) - (values[0] or 0)) < 2


def _calls_lock(body: Node) -> bool:
    return any(n.kind == "CALL_EXPR" and "lock" in n.spelling.lower() for n in body.walk())


def _is_shared(facts: FunctionUses, loop: Construct, team: Construct, variable: Variable) -> bool:
    """Whether the threads that share a loop share a variable, as far as the constructs around tell."""
    if is_index(loop, variable) or is_threadprivate(facts.unit, variable) or is_declared_in(facts.unit, variable, team):
        return False
    names = [entry for c in _chain(loop, team) for entry in facts.names(variable, c)]
    if any(entry.clause.name not in _SHARING for entry in names):
        return False
    words = [c for t in _chain(loop, team) for c in t.directive.of_type(KeywordClause) if c.name == "default"]
    if any(c.keyword in ("private", "firstprivate") for c in words):
        return False
    region = next((c for c in _upwards(team) if c.directive.leaves[0] == "target"), None)
    if region is None:
        return all(_APART.isdisjoint(c.directive.leaves) for c in _chain(loop, team))
    return any(isinstance(entry.clause, MapClause) for entry in facts.names(variable, region))


def _chain(loop: Construct, team: Construct) -> Iterator[Construct]:
    """Yield the constructs from a loop to the one whose threads share it."""
    for construct in _upwards(loop):
        yield construct
        if construct is team:
            return


def _upwards(construct: Construct) -> Iterator[Construct]:
    current: Construct | None = construct
    while current is not None:
        yield current
        current = current.parent
