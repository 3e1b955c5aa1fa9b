"""The form of the loops that belong to a directive (OpenMP 5.2, 4.4.1 and 4.4.2).

In: a construct. Out: errors by the rule that is broken. Loops of target regions are read, and refused, by
:mod:`rexcc.analysis.loop_reader` where they are lowered; here are those of the host, and what concerns several loops.
"""

from __future__ import annotations

from rexcc.analysis.loop_reader import check_loop_head
from rexcc.analysis.references import collect
from rexcc.analysis.rules.facts import in_target
from rexcc.analysis.rules.loop_heads import associated_loops, is_loop_construct, loop_variable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.openmp.model import ExpressionClause
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, DiagnosticSink, Note
from rexcc.source.own_names import is_related

CODE = "omp-loop-form"
_PARTS = 4
"""What a complete ``for`` statement is made of."""
_LOOPS = frozenset({"FOR_STMT", "CXX_FOR_RANGE_STMT"})


def check_heads(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The loops of the host have heads that can be counted, and nothing leaves them."""
    if not is_loop_construct(construct) or in_target(construct):
        return
    first = alone(construct.body) if construct.body is not None else None
    is_short = first is not None and first.kind == "FOR_STMT" and len(first.children) != _PARTS
    for loop in [first] if first is not None and is_short else associated_loops(construct):
        try:
            check_loop_head(unit, loop)
        except CompileError as problem:
            sink.add(problem.diagnostic)


def check_loops_are_there(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A loop follows a directive of the host that is about one, and as many as its clauses say."""
    if not is_loop_construct(construct) or construct.body is None:
        return
    first = alone(construct.body)
    if in_target(construct):  # the lowering looks at the loops, but for those that only 'ordered' counts
        if construct.directive.expression("ordered") is not None and first.kind in _LOOPS:
            _check_depth(unit, construct, first, sink)
        return
    if any(c.node is first for c in construct.children) or _out_of_macro(first):
        return
    if first.kind not in _LOOPS:
        place = unit.span(first)
        note = Note("for this directive", construct.span)
        sink.error(CODE, "the statement after this directive must be a for loop", place, note)
        return
    _check_depth(unit, construct, first, sink)


def _out_of_macro(node: Node) -> bool:
    return node.kind in _LOOPS and bool(node.children) and node.children[0].start <= node.start


def _check_depth(unit: ParsedUnit, construct: Construct, first: Node, sink: DiagnosticSink) -> None:
    wanted, there = construct.depth, _most_nested(first)
    clause = next(
        (c for c in construct.directive.of_type(ExpressionClause)
         if (c.name in ("collapse", "ordered", "sizes") and (construct.value_of(c.expression) or 0) > there)
         or (c.name == "sizes" and len(c.expressions) > there)),
        None,
    )  # fmt: skip
    if wanted > there and clause is not None:
        message = f"'{clause.name}' needs {wanted} nested loops, and here is {there}"
        sink.error(CODE, message, clause.span, Note("the outermost one is here", unit.span(first)))


def _most_nested(loop: Node) -> int:
    """Return how many loops stand one in the other at most; what is none of this language's counts as many."""
    below = loop.children[-1] if loop.children else loop
    inner = [n for n in below.walk() if n.kind in _LOOPS]
    if any(n.kind == "WHILE_STMT" for n in below.walk()):
        return _MANY
    return 1 + max((_most_nested(n) for n in inner if n is not loop), default=0)


_IN_TILE = (
    "'collapse' takes {0} of these loops at most: the next one, which 'tile' or 'unroll partial' makes, has the "
    "iterations of one tile; write 'collapse({0})'"
)
_MANY = 99
"""More loops than a clause asks for: a directive in between may make some."""


def check_non_rectangular(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The bounds of an inner loop depend on at most one outer variable, as ``a * i + b`` (4.4.2)."""
    loops = list(associated_loops(construct))
    outer: set[Variable] = set()
    for loop in loops:
        variable = loop_variable(loop)
        if variable is None:
            return
        for part in loop.children[:2] if outer else ():
            if any(is_related("tile_of", v.name) for v in collect([part]).variables.values() if v in outer):
                sink.error(CODE, _IN_TILE.format(len(outer)), construct.span)
                return
            uses = [u for v in collect([part]).variables.values() if v in outer for u in v.uses if _is_plain(u, part)]
            if len(uses) > 1 and types.is_scalar(variable.type):
                message = (
                    "a bound may depend on one outer loop variable, in the form 'a * i + b'; this is its second use"
                )
                sink.error(CODE, f"not a canonical loop: {message}", unit.span(uses[1]),
                           Note("the first one is here", unit.span(uses[0])))  # fmt: skip
                return
        outer.add(variable)


def _is_plain(use: Node, part: Node) -> bool:
    """Whether a use takes part in the arithmetic of a bound; what stands in an index or a call is not looked at."""
    for above in use.ancestors():
        if above is part:
            return True
        if above.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR"):
            return False
    return True
