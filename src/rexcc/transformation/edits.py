"""The edits of one transformation: its directive becomes a comment, the headers of its loops are written anew.

In: a construct. Out: replacements of ranges of the user's text; everything between the headers stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.frontend.statements import statement_end
from rexcc.openmp.model import Expression, ExpressionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.resolution.rewriting import Replacement
from rexcc.source.diagnostics import error
from rexcc.source.own_names import related
from rexcc.transformation.headers import LoopText, backwards, in_tile, tiles
from rexcc.transformation.nest import AffectedLoop, affected_loops

Edits = list[Replacement]


def commented(construct: Construct) -> Replacement:
    """Return the edit that makes a directive a comment."""
    site = construct.probe.site
    original = site.original.replace("/*", "/ *").replace("*/", "* /")
    return Replacement(site.start, site.end, (f"/* {original} */",))


def transformed(unit: ParsedUnit, construct: Construct, of_template: bool) -> Edits:
    """Return the edits of a transformation.

    Raises CompileError where the loops have not the form that it needs.
    """
    return [commented(construct), *_MAKERS[construct.directive.name](unit, construct, of_template)]


def _reverse(unit: ParsedUnit, construct: Construct, of_template: bool) -> Edits:
    (affected,) = affected_loops(unit, construct, 1, of_template)
    header, first = backwards(LoopText(unit, affected))
    found = [Replacement(affected.start, affected.close, (header,))]
    return [*found, *_opened(construct, affected, [first] if first else [])]


def _tile(unit: ParsedUnit, construct: Construct, of_template: bool) -> Edits:
    return _tiled(unit, construct, of_template, _amounts(construct, "sizes"))


def _unroll(unit: ParsedUnit, construct: Construct, of_template: bool) -> Edits:
    """The loop that another directive takes counts tiles of as many iterations as the factor says (9.2); 1 if none."""
    factors = _amounts(construct, "partial")
    return _tiled(unit, construct, of_template, factors) if factors else []


def _tiled(unit: ParsedUnit, construct: Construct, of_template: bool, sizes: list[str]) -> Edits:
    every = affected_loops(unit, construct, len(sizes), of_template)
    texts = [LoopText(unit, affected) for affected in every]
    is_narrow = all(text.is_narrow for text in texts)
    pairs = list(zip(texts, sizes, strict=True))
    headers = [in_tile(text, size, is_narrow) for text, size in pairs]
    line = _new_line(construct, every[0].start)
    headers[0] = line.join([*(tiles(text, size, is_narrow) for text, size in pairs), headers[0]])
    found = [Replacement(a.start, a.close, (header,)) for a, header in zip(every, headers, strict=True)]
    values = (
        [] if is_narrow else [f"{text.declaration(text.numbered(related('number', text.name)))};" for text in texts]
    )
    return [*found, *_opened(construct, every[-1], values)]


def _interchange(unit: ParsedUnit, construct: Construct, of_template: bool) -> Edits:
    order = _permutation(construct)
    every = affected_loops(unit, construct, len(order), of_template)
    return [_header_for(unit, old, every[new]) for old, new in zip(every, order, strict=True)]


def _header_for(unit: ParsedUnit, place: AffectedLoop, header: AffectedLoop) -> Replacement:
    """Return the edit that puts a loop's header at the place of another one."""
    if header.loop.declares or not header.declares:
        return Replacement(place.start, place.close, ((header.start, header.close),))
    text = LoopText(unit, header)
    first = text.declaration(unit.user_text(header.loop.lower))
    begin, end = header.init
    return Replacement(place.start, place.close, ((header.start, begin), first, (end, header.close)))


def _permutation(construct: Construct) -> list[int]:
    """Return for each loop, outermost first, which of the loops takes its place."""
    clause = next((c for c in construct.directive.of_type(ExpressionClause) if c.name == "permutation"), None)
    if clause is None:
        return [1, 0]
    values = [construct.value_of(expression) for expression in clause.expressions]
    if sorted(v for v in values if v is not None) != list(range(1, len(values) + 1)):
        message = f"'permutation' has to name each of the loops 1 to {len(values)} once, by constants"
        raise error("omp-clause-value", message, clause.span)
    return [value - 1 for value in values if value is not None]


def _amounts(construct: Construct, name: str) -> list[str]:
    """Return the expressions of a clause as operands."""
    clauses = (c for c in construct.directive.of_type(ExpressionClause) if c.name == name)
    return [_operand(construct, e) for clause in clauses for e in clause.expressions]


def _operand(construct: Construct, expression: Expression) -> str:
    text, node = " ".join(expression.text.split()), construct.node_of(expression)
    return text if node is not None and node.is_postfix else f"({text})"


def _opened(construct: Construct, affected: AffectedLoop, lines: list[str]) -> Edits:
    """Return the edits that put lines at the start of a loop's body, in its braces or in new ones."""
    if not lines:
        return []
    file, body = construct.file, affected.loop.body
    outer = _new_line(construct, affected.start)
    inside = "".join(f"{outer}  {line}" for line in lines)
    start = file.original(body.start)
    if body.kind == "COMPOUND_STMT" and file.scan.source.text[start : start + 1] == "{":
        return [Replacement(start + 1, start + 1, (inside,))]
    text, end = file.scan.source.text, statement_end(file, body)
    behind = text[affected.close : text.find("\n", affected.close)]
    last = f"{outer} " if behind.strip() else ""
    return [
        Replacement(affected.close, affected.close, (f" {{{inside}{last}",)),
        Replacement(end, end, (f"{outer}}}",)),
    ]


def _new_line(construct: Construct, offset: int) -> str:
    """Return a line's end and the blanks with which the line of an offset begins."""
    text = construct.file.scan.source.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return "\n" + line[: len(line) - len(line.lstrip())]


_MAKERS: dict[str, Callable[[ParsedUnit, Construct, bool], Edits]] = {
    "reverse": _reverse,
    "tile": _tile,
    "interchange": _interchange,
    "unroll": _unroll,
}
