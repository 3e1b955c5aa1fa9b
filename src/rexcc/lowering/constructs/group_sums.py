"""Reductions of inner loops that neighbouring threads make together where a block has more threads than iterations.

In: a loop whose iterations the threads of a block share, each with one loop of a ``reduction`` inside. Out: which loop
that is, its form, and how the iterations are dealt out to groups of threads. Before and after::

    for (long t = threadIdx.x; t < n; t += blockDim.x) {
      float s = 0;
      for (int i = 0; i < m; i++) s += a[i] * b[t * m + i];        // parallel for reduction(+ : s), or simd
      y[t] = s;
    }

    const int width = rex_width_in_warp(n), member = rex_member(threadIdx.x, width);
    for (long t = rex_groups(threadIdx.x, width); t < n; t += rex_groups(blockDim.x, width)) {
      float s = 0;
      rex_each_of_group(member, width, 0, m, [&](int i) { s += a[i] * b[t * m + i]; });
      rex_join_group_add(s, width);
      if (member == 0) { y[t] = s; }
    }

With as many iterations as threads a group is one thread, which does what it did before.

It cannot be noticed. OpenMP leaves open in which order a ``reduction`` joins values, and how many threads a parallel
inside of another one has; neighbours of a group have the same values in all that comes before the inner loop, for that
only declares and computes variables of the iteration. They all have left the inner loop when one of them goes on, and
what follows is executed by that one alone. Which thread executes an iteration is known to a program only by a
schedule, by what threads keep from one loop to the next, or by asking, and such loops stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.calls import asks_for_team
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import collapse_depth, effective_leaves
from rexcc.analysis.tuned_kernels import left_out_of
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import header_end, statement_end, statement_range, statement_start
from rexcc.kernel.ir import Block, Code, Do, For
from rexcc.kernel.reductions import Reduce
from rexcc.lowering.constructs.context import Context, reductions
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, LIGHT, LIGHT_CALLS
from rexcc.lowering.loops.loop_forms import LoweredLoop, constant
from rexcc.lowering.text.placing import USER, guarded, place_around, place_header
from rexcc.lowering.text.team import Team
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass, replace

_OUTER = frozenset({"num_threads", "default", "shared", "private", "proc_bind"})
_INNER = frozenset({"reduction", "num_threads", "simdlen", "private", "shared"})
_INNER_LEAVES = (("parallel", "for"), ("parallel", "for", "simd"), ("simd",))
_OPERATORS = frozenset({"+", "*", "max", "min", "&", "|", "^", "&&", "||"})
_REDUCED = frozenset({"FLOAT", "DOUBLE", "INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_INDICES = frozenset({"SCHAR", "CHAR_S", "SHORT", "INT"})
_STEPS = frozenset({"++", "--", "p++", "p--"})

_WIDTH, _MEMBER = "__rex_group_width", "__rex_group_member"


@dataclass(frozen=True)
class GroupSum:
    """The construct of an inner loop that the threads of a group share, and the statements behind it."""

    construct: Construct
    rest: tuple[Node, ...]


def group_sum(context: Context, construct: Construct, team: Team | None) -> GroupSum | None:
    """Return the inner loop of an iteration that neighbouring threads can share, None where there is none."""
    if team is None or not team.is_block or not team.known or context.is_pattern:
        return None
    inside = list(construct.descendants())
    if len(inside) != 1 or inside[0] not in construct.children:
        return None
    if Optimisation.GROUPS in left_out_of(context.unit, construct) or not _are_combined(construct, inside[0]):
        return None
    outer, inner = _loop_of(context, construct), _loop_of(context, inside[0])
    if outer is None or inner is None or not outer.is_from_zero or outer.body.kind != "COMPOUND_STMT":
        return None
    if inside[0].node.parent != outer.body or not (inner.declares or "simd" not in effective_leaves(inside[0])):
        return None
    if not _has_indices_only(construct, {outer.index, inner.index}) or asks_for_team(context.unit, outer.body):
        return None
    end = statement_end(context.body.file, inner.statement)
    before = [s for s in outer.body.children if s.start < inside[0].node.start]
    rest = tuple(s for s in outer.body.children if context.body.start(s) >= end)
    own = declared_in(before)
    summed = reduced_numbers(inside[0])
    if not summed or not summed <= own or not changes_only(before, own):
        return None
    if not changes_only([inner.body], declared_in([inner.body]) | summed):
        return None
    return GroupSum(inside[0], rest)


def _are_combined(construct: Construct, inner: Construct) -> bool:
    """Whether the two make their threads and share out their loops at once, and no clause tells who gets what."""
    leaves = tuple(leaf for leaf in effective_leaves(construct) if leaf != "simd")
    if leaves != ("parallel", "for") or effective_leaves(inner) not in _INNER_LEAVES:
        return False
    default = construct.default("parallel")
    if default is not None and default.keyword in ("private", "firstprivate"):
        return False
    if any(c.name not in _OUTER for c in construct.directive.clauses):
        return False
    return all(c.name in _INNER for c in inner.directive.clauses) and collapse_depth(inner) == 1


def _loop_of(context: Context, construct: Construct) -> CanonicalLoop | None:
    """Return the only loop of a construct if it counts a small number upwards by one."""
    if construct.body is None or collapse_depth(construct) != 1 or alone(construct.body).kind != "FOR_STMT":
        return None
    try:
        (loop,) = loop_nest(context.unit, construct.body, 1)
    except CompileError:
        return None
    kind = types.kind_name(loop.index_type.get_canonical())
    counts = loop.increasing and loop.step.value == 1 and loop.relation == "<"
    bounds = (n for bound in (loop.lower, loop.bound) for n in bound.walk())
    return loop if counts and kind in _INDICES and not any(map(_acts, bounds)) else None


def _acts(node: Node) -> bool:
    """Whether a part of an expression may do more than to give a value."""
    return node.kind == "CALL_EXPR" or node.operator in ASSIGNMENTS or node.operator in _STEPS


def _has_indices_only(construct: Construct, indices: set[Variable]) -> bool:
    """Whether all that threads have of their own is made in an iteration."""
    return all(item.whole_variable in indices for item in construct.items("private"))


def reduced_numbers(construct: Construct) -> frozenset[Variable]:
    """Return the numbers that the inner loop's clauses join by operators of the language, none if there are others."""
    found = set()
    for clause in reductions(construct.directive.clauses):
        if clause.operator not in _OPERATORS or clause.modifiers:
            return frozenset()
        for item in construct.items_of(clause):
            variable = item.whole_variable
            if variable is None or types.kind_name(types.canonical(variable.type)) not in _REDUCED:
                return frozenset()
            found.add(variable)
    return frozenset(found)


def declared_in(statements: Iterable[Node]) -> frozenset[Variable]:
    """Return the variables that statements declare."""
    return frozenset(Variable(n.cursor) for s in statements for n in s.walk() if n.kind == "VAR_DECL")


def changes_only(statements: Iterable[Node], own: frozenset[Variable]) -> bool:
    """Whether statements do no more than to compute, and change none but these variables."""
    for node in (n for s in statements for n in s.walk()):
        if not _is_plain(node):
            return False
        if node.operator in ASSIGNMENTS or node.operator in _STEPS:
            if named_variable(node.children[0].bare()) not in own:
                return False
        elif node.operator == "&" and len(node.children) == 1 and node.children[0].bare().kind == "DECL_REF_EXPR":
            return False
    return True


def _is_plain(node: Node) -> bool:
    if types.is_volatile(node.type):
        return False
    if node.kind == "CALL_EXPR":
        callee = node.referenced
        return callee is not None and library.in_system_header(callee) and callee.spelling in LIGHT_CALLS
    if node.kind == "VAR_DECL":
        is_one = types.is_scalar(node.type) or types.is_pointer(node.type)
        if types.is_reference(node.type) and not types.is_constant(node.type):
            return False  # another name of what others have, too
        return is_one and not library.has_global_storage(node.cursor)
    return node.kind in LIGHT or node.kind == "IF_STMT"


def for_groups(lowered: LoweredLoop, team: Team) -> LoweredLoop:
    """Return a loop's form with its iterations dealt out to groups of threads."""
    header = lowered.headers[-1]
    assert isinstance(header, For) and header.start == team.thread and header.step == f"+= {team.threads}"
    opening = (
        constant(_WIDTH, f"rex_width_in_warp({header.bound})", "int"),
        constant(_MEMBER, f"rex_member({team.thread}, {_WIDTH})", "int"),
    )
    start, step = (f"rex_groups({what}, {_WIDTH})" for what in (team.thread, team.threads))
    counted = replace(header, start=start, step=f"+= {step}")
    return replace(lowered, before=(*lowered.before, *opening), headers=(*lowered.headers[:-1], counted))


def place_rest(context: Context, found: GroupSum) -> None:
    """Let the first thread of a group alone execute what stands behind the inner loop."""
    if found.rest:
        body = context.body
        start, end = statement_start(body.file, found.rest[0]), statement_end(body.file, found.rest[-1])
        place_around(body, start, end, guarded(f"{_MEMBER} == 0", (Block("", USER),)))


def place_inner(context: Context, construct: Construct) -> None:
    """Let the threads of a group take the iterations of the inner loop in turn."""
    loop = _loop_of(context, construct)
    assert loop is not None
    body, statement = context.body, loop.statement
    first = f"rex_each_of_group<{_index_type(loop)}>({_MEMBER}, {_WIDTH}, "
    head = f"{first}{context.text(loop.lower)}, {context.text(loop.bound)}, [&]({_index_type(loop)} {loop.name})"
    start, end = statement_range(body.file, statement)
    place_header(body, start, header_end(body.file, statement), Block(head, USER, ");"), loop.body, end)


def _index_type(loop: CanonicalLoop) -> str:
    return spelling.spell_value(types.without_reference(loop.index_type))


def joined(closing: Code) -> Iterator[Do]:
    """Yield the statements that give each thread of a group what all of them have summed up."""
    for node in closing:
        assert isinstance(node, Reduce)
        for operand in node.operands:
            yield Do(f"rex_join_group_{operand.operator.name}({operand.value}, {_WIDTH});")
