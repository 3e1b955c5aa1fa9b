"""What the host knows of a team's parallel loops where their region begins: bounds, and numbers of iterations.

In: a region with its attributes, an expression or a parallel of its team code. Out: the expression as one of the host
that has the same value there, and the iterations as a host expression.

The host evaluates what the region may never come to, so nothing of it may fail there: nothing that a pointer or an
index leads to. A division by what may be zero is a call that gives 0 then, which is as good as any value::

    num_threads(n / m)        (int)rex_safe_quotient(n, m)
"""

from __future__ import annotations

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.references import collect
from rexcc.analysis.regions import TargetRegion, collapse_depth, effective_leaves
from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import TRANSPARENT, Node
from rexcc.lowering.model.geometry import tripcount
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, replace

_DIVISIONS = {"/": "quotient", "%": "remainder"}
_OF_LONG_LONG = frozenset({"INT", "LONG", "LONGLONG", "UINT"})
"""The types of quotients whose values, and those of the operands, ``long long`` has."""
_CAME_BY_VALUE = frozenset({Kind.VALUE, Kind.CONSTANT})


@dataclass(frozen=True)
class Count:
    """The loops of a parallel, and how many iterations they have together, as a host expression."""

    loops: tuple[CanonicalLoop, ...]
    text: str


def iterations_of(region: TargetRegion, data: RegionData, construct: Construct) -> Count | None:
    """Return the iterations of a parallel loop, None for other parallels and where the host cannot count them."""
    leaves = [leaf for leaf in effective_leaves(construct) if leaf != "simd"]
    if leaves != ["parallel", "for"] or construct.body is None:
        return None
    loops = loop_nest(region.unit, construct.body, collapse_depth(construct))
    counts: list[str] = []
    for loop in loops:
        texts = {n: host_text(region, data, n) for n in (loop.lower, loop.bound)}
        is_step_known = loop.step_node is None or _is_known_before(region, data, loop.step_node)
        if not loop.is_integer or not is_step_known or not all(texts.values()):
            return None
        lower, upper = (loop.value(n, texts.__getitem__) for n in (loop.lower, loop.bound))
        counts.append(tripcount(_with_a_step(loop), lower, upper))
    text = counts[0]
    for count in counts[1:]:
        text = f"rex_collapse({text}, {count})"
    return Count(loops, text)


def _with_a_step(loop: CanonicalLoop) -> CanonicalLoop:
    """Return a loop whose step is not zero, which one of the run's may be where nothing comes to the loop."""
    if loop.step.value is not None:
        return loop
    return replace(loop, step=Step(f"rex_max({loop.step.text}, 1)"))


def host_text(region: TargetRegion, data: RegionData, node: Node) -> str:
    """Return an expression as the host can evaluate it where the region begins, empty where it cannot, or where its
    value there may be another one."""
    if not _has_value_before(region, data, node):
        return ""
    if not any(map(_may_fail, node.walk())):
        return region.unit.user_text(node)
    return _safe_text(region.unit, node) if _is_as_written(region.unit, node) else ""


def _is_known_before(region: TargetRegion, data: RegionData, node: Node) -> bool:
    """Whether the host can evaluate an expression as it is written."""
    return _has_value_before(region, data, node) and not any(map(_may_fail, node.walk()))


def _safe_text(unit: ParsedUnit, node: Node) -> str:
    """Return an expression of numbers in which no division fails."""
    inner = node.bare()
    if not any(map(_may_fail, inner.walk())):
        return unit.user_text(inner)
    operands = [_safe_text(unit, operand) for operand in inner.children]
    if not _may_fail(inner):
        left, right = map(_in_parentheses, inner.children, operands)
        return f"{left} {inner.operator} {right}"
    cast = f"({spelling.spell_value(inner.type)})"
    is_unsigned = types.kind_name(types.canonical(inner.type)) == "UINT"
    given = [f"{cast}({operand})" for operand in operands] if is_unsigned else operands
    return f"{cast}rex_safe_{_DIVISIONS[inner.operator]}({', '.join(given)})"


def _in_parentheses(operand: Node, text: str) -> str:
    inner = operand.bare()
    is_operation = inner.kind == "BINARY_OPERATOR" and not _may_fail(inner)
    return f"({text})" if is_operation else text


def _is_as_written(unit: ParsedUnit, node: Node) -> bool:
    """Whether an expression is one of names and numbers without macros, whose quotients ``long long`` has."""
    for inner in node.walk():
        match inner.kind:
            case "DECL_REF_EXPR":
                known = unit.user_text(inner) == inner.spelling
            case "INTEGER_LITERAL":
                known = unit.user_text(inner)[:1].isdigit()
            case "BINARY_OPERATOR" if inner.operator != ",":
                is_number = types.kind_name(types.canonical(inner.type)) in _OF_LONG_LONG
                written = _between(unit, *inner.children).strip("() \t")
                known = written == inner.operator and (is_number or not _may_fail(inner))
            case kind:
                known = kind in TRANSPARENT and len(inner.children) == 1
        if not known:
            return False
    return True


def _between(unit: ParsedUnit, left: Node, right: Node) -> str:
    """Return what is written between two expressions of the user's."""
    first, last = unit.span(left), unit.span(right)
    return first.source.text[first.end : last.start] if first and last and first.source is last.source else ""


def _has_value_before(region: TargetRegion, data: RegionData, node: Node) -> bool:
    """Whether an expression names what has the same value on the host where the region begins."""
    body = region.construct.body
    assert body is not None
    if any(_is_declared_in(body, n) for n in node.walk()):
        return False
    for variable in collect([node]).variables.values():
        attribute = data.of(variable)
        if (
            attribute is not None
            and attribute.kind not in _CAME_BY_VALUE
            and not types.is_constant(variable.cursor.type)
        ):
            return False
        if attribute is not None and (attribute.variable.written or attribute.variable.exposed):
            return False
    return True


def _may_fail(node: Node) -> bool:
    """Whether to evaluate an expression may fail where the program does not do so: it calls, divides, or follows a
    pointer or an index."""
    match node.kind:
        case "CALL_EXPR":
            return True
        case "UNARY_OPERATOR":
            return node.operator == "*"
        case "BINARY_OPERATOR" if node.operator in _DIVISIONS:
            return evaluate_integer(node.children[1].cursor) in (None, 0, -1)
        case "ARRAY_SUBSCRIPT_EXPR":
            array, index = node.children
            return not types.is_array(array.bare().type) or evaluate_integer(index.cursor) is None
        case "MEMBER_REF_EXPR":
            return any(types.is_pointer(n.type) and n.bare().kind != "CXX_THIS_EXPR" for n in node.children)
        case _:
            return False


def _is_declared_in(body: Node, node: Node) -> bool:
    """Whether a name means what a region itself declares: a variable, a type or a constant."""
    return node.referenced is not None and body.tree.node(node.referenced).is_inside(body)
