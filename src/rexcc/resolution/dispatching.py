"""``dispatch`` becomes a call of the function it chooses (OpenMP 5.2, 7.6).

In: a ``dispatch`` construct and what the calls of the unit mean. Out: the text that stands instead of directive and
statement. With ``novariants`` or ``nocontext`` that the running program decides::

    /* #pragma omp dispatch novariants(n < 9) */
    if (n < 9)
      add(p);
    else
      add_on_device((int *)omp_get_mapped_ptr(p, omp_get_default_device()));
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.clang.spelling import spell
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.openmp.contexts import Value
from rexcc.openmp.model import Directive, ExpressionClause, ListClause, ListItem
from rexcc.openmp.unparse import clauses_text, expression_text
from rexcc.program.constructs import Construct
from rexcc.resolution.calls import Call, Meaning, meaning
from rexcc.resolution.choices import Surroundings, common_value
from rexcc.resolution.rewriting import Range, Replacement
from rexcc.resolution.variants import Variant
from rexcc.source.diagnostics import error
from rexcc.source.lexical import BLOCK_COMMENT
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_ROUTINES = {"mapped": "omp_get_mapped_ptr", "default": "omp_get_default_device", "set": "omp_set_default_device"}
_SIMPLE = regex(r"&?[\w.\[\]>\s-]+")


@dataclass(frozen=True)
class _Way:
    """One way to execute the statement: when a condition holds (None: otherwise) the call means a variant or not."""

    condition: str | None
    variant: Variant | None


def dispatched(around: Surroundings, construct: Construct, calls: list[Call], value: Value) -> Replacement:
    """Return the text of a ``dispatch`` construct; raises CompileError.

    ``calls`` are those in its statement, ``value`` evaluates the conditions of variants.
    """
    assert construct.body is not None
    site, file = construct.probe.site, construct.file
    end = statement_end(file, construct.body)
    target = _target(construct.body)
    if target is None:
        raise error("omp-dispatch-call", "'dispatch' needs a call, or the assignment of one, behind it", construct.span)
    call = next((c for c in calls if c.node.start == target.start and c.node.end == target.end), None)
    if any(c is not call for c in calls):
        raise error("unsupported-variant", "an argument of this call has variants too", construct.span)
    ways = _ways(around, construct, call, value)
    start = file.original(construct.body.start)
    parts: list[str | Range] = [f"/* {site.original.replace('/*', '/ *').replace('*/', '* /')} */", (site.end, start)]
    parts += _around(construct, _branches(construct, call, ways, (start, end)))
    return Replacement(site.start, end, tuple(parts))


def _target(body: Node) -> Node | None:
    """Return the call of a function-dispatch structured block."""
    node = body.bare()
    if node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and node.operator == "=":
        node = node.children[1].bare()
    return node if node.kind == "CALL_EXPR" else None


def _ways(around: Surroundings, construct: Construct, call: Call | None, value: Value) -> list[_Way]:
    """Return the ways to execute the statement, the last one without condition."""
    if call is None:
        return [_Way(None, None)]
    ways: list[_Way] = []
    constant = common_value([construct])
    without = _variant(construct, _meaning(around, call, construct.parent, value))
    for name, variant in (("novariants", None), ("nocontext", without)):
        condition = construct.directive.expression(name)
        if condition is None:
            continue
        known = constant(condition)
        if known is None:
            ways.append(_Way(expression_text(condition), variant))
        elif known:
            return [*ways, _Way(None, variant)]
    return [*ways, _Way(None, _variant(construct, _meaning(around, call, construct, value)))]


def _meaning(around: Surroundings, call: Call, construct: Construct | None, value: Value) -> Meaning:
    found = meaning(around, call, construct, value)
    return found if found is not None else Meaning(None, None)


def _variant(construct: Construct, found: Meaning) -> Variant | None:
    """Return what host code calls; device code has to call the same."""
    variant = found.host
    in_region = any(above.directive.leaves[0] == "target" for above in construct.around())
    if in_region and found.device is not found.host:
        message = "this 'dispatch' would choose differently on host and device"
        raise error("unsupported-variant", message, construct.span)
    if variant is not None and variant.appends:
        message = "'append_args' needs interop objects, which rexcc does not make yet"
        raise error("unsupported-variant", message, variant.span)
    return variant


def _branches(construct: Construct, call: Call | None, ways: list[_Way], statement: Range) -> list[str | Range]:
    """Return the statement once for each way."""
    parts: list[str | Range] = []
    for number, way in enumerate(ways):
        if way.condition is not None:
            parts.append(f"{'else ' if number else ''}if ({way.condition}) ")
        elif number:
            parts.append("else ")
        parts += _statement(construct, call, way.variant, statement)
        if number < len(ways) - 1:
            parts.append("\n")
    return parts


def _statement(construct: Construct, call: Call | None, variant: Variant | None, whole: Range) -> Iterator[str | Range]:
    """Yield the statement with a call of the variant."""
    if call is None or variant is None:
        yield whole
        return
    at = whole[0]
    changes = [(call.start, call.end, variant.text), *_adjustments(construct, call, variant)]
    for start, end, text in sorted(changes):
        yield (at, start)
        yield text
        at = end
    yield (at, whole[1])


def _adjustments(construct: Construct, call: Call, variant: Variant) -> Iterator[tuple[int, int, str]]:
    """Yield the arguments that become device pointers, as ``use_device_ptr`` does it."""
    file, directive = construct.file, construct.directive
    given = {item.whole.text.strip() for item in _listed(directive, "is_device_ptr", "has_device_addr")}
    device = directive.expression("device")
    number = expression_text(device) if device is not None else f"{_ROUTINES['default']}()"
    arguments = call.node.children[1:]
    for index in variant.adjusted:
        if index >= len(arguments):
            continue
        start, end = file.original(arguments[index].start), file.original(arguments[index].end)
        text = file.scan.source.text[start:end]
        if text in given:
            continue
        if not _SIMPLE.fullmatch(text):
            raise error("unsupported-variant", f"the argument '{text}' is no simple pointer", call.span)
        kind = spell(list(variant.function.get_arguments())[index].type)
        mapped = f"{_ROUTINES['mapped']}({text}, {number})"
        yield start, end, f"({kind})({mapped} ? {mapped} : (void *)({text}))"


def _listed(directive: Directive, *names: str) -> Iterator[ListItem]:
    for clause in directive.of_type(ListClause):
        if clause.name in names:
            yield from clause.items


def _around(construct: Construct, statement: list[str | Range]) -> list[str | Range]:
    """Return a statement with what ``depend`` and ``device`` put around it."""
    directive = construct.directive
    depends = directive.named("depend")
    waits = clauses_text([*depends, *directive.named("nowait")])
    before = f"\n#pragma omp taskwait {waits}\n" if depends else ""
    device = next((c for c in directive.of_type(ExpressionClause) if c.name == "device"), None)
    if device is None:
        return [f"{{{before}", *statement, " }"] if before else statement
    number = expression_text(device.expression)
    opening = f"{{ const int __rex_device = {_ROUTINES['default']}(); {_ROUTINES['set']}({number});"
    return [f"{opening}{before or ' '}", *statement, f" {_ROUTINES['set']}(__rex_device); }}"]


def missing_routines(around: Surroundings, replacement: Replacement) -> str:
    """Return the OpenMP routine that a text calls and the unit does not declare, or nothing."""
    text = "".join(part for part in replacement.parts if isinstance(part, str))
    declared = {n.spelling for n in _declared(around)}
    used = (name for name in _ROUTINES.values() if f"{name}(" in re.sub(BLOCK_COMMENT, "", text))
    return next((name for name in used if name not in declared), "")


def _declared(around: Surroundings) -> Iterator[Node]:
    for cursor in around.unit.tree.unit.cursor.get_children():
        yield from _with_linkage(around.unit.tree.node(cursor))


def _with_linkage(node: Node) -> Iterator[Node]:
    """Yield a declaration, and those in an ``extern "C"``, which may have others inside."""
    yield node
    if node.kind in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
        for child in node.children:
            yield from _with_linkage(child)
