"""Directives without a statement: ``barrier``, ``flush``, ``taskwait``, ``error``, ``nothing`` and others.

In: a stand-alone construct, or the directives in a range that are none for clang. Out: the edit that puts its code, if
any, behind the directive as a comment.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.frontend.scan import PragmaSite
from rexcc.kernel.ir import Block, Code, Do
from rexcc.lowering.constructs.context import Context, unsupported
from rexcc.lowering.loops.scan import is_inscan
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import place_directive
from rexcc.openmp.model import Directive, ExpressionClause
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error

_WITHOUT_EFFECT = frozenset({"taskwait", "taskyield", "ordered", "cancel", "cancellation point"})
"""Tasks are executed at once, ordered loops by one thread; cancellation is never activated on a device."""


def lower_standalone(context: Context, construct: Construct) -> None:
    """Lower a stand-alone construct; raises CompileError for one that is not known in device code."""
    name = construct.directive.name
    if name == "barrier":
        code = context.barrier()
    elif name == "flush":
        code = (Do(context.unit.target.words.fence),)
    elif name in _WITHOUT_EFFECT:
        code = ()
    elif name == "scan":
        _check_scan(construct)
        return
    else:
        raise unsupported(construct)
    if not code and construct.node.parent is not None and construct.node.parent.kind != "COMPOUND_STMT":
        code = (Do(";"),)
    place_directive(context.body, construct.probe.site, code, _beside(context, construct))


def _check_scan(construct: Construct) -> None:
    """Report a ``scan`` that no loop around it splits its body at."""
    loop = construct.parent
    if loop is None or not any(is_inscan(c) for c in loop.directive.clauses):
        message = "'scan' must stand in the body of a loop that has a reduction with 'inscan'"
        raise error("omp-scan", message, construct.span)


def _beside(context: Context, construct: Construct) -> int | None:
    """Return where a neighbour of the directive stands, whose indentation it gets: a statement, for the text of other
    directives often begins in the first column."""
    above = construct.node.parent
    directives = {site.start for site in context.body.file.scan.pragmas}
    found = [context.body.start(n) for n in above.children if n is not construct.node] if above is not None else []
    found = [start for start in found if start not in directives]
    before = [start for start in found if start < context.body.start(construct.node)]
    return (before or found)[-1] if found else None


def lower_silent(body: DeviceBody, start: int, end: int) -> None:
    """Lower the directives in a range that are no statements for clang: ``error`` and ``nothing``."""
    for site, directive in _silent(body, start, end):
        is_said = directive.name == "error" and directive.keyword("at") == "execution"
        place_directive(body, site, _message(directive, site) if is_said else ())


def _silent(body: DeviceBody, start: int, end: int) -> Iterator[tuple[PragmaSite, Directive]]:
    named = ("error", "nothing")
    found = [d for file, d in body.unit.declaratives if file is body.file and d.name in named]
    if not found:
        return
    for site in body.file.scan.pragmas:
        if start <= site.start and site.end <= end:
            inside = (d for d in found if site.text.origin.start <= d.span.start and d.span.end <= site.end)
            yield from ((site, d) for d in inside)


def _message(directive: Directive, site: PragmaSite) -> Code:
    """Return the statements that say a message and, unless it is a warning, end the program."""
    path = site.source.users_path(site.start).replace("\\", "\\\\").replace('"', '\\"')
    line = site.source.users_line(site.start)
    clause = next((c for c in directive.of_type(ExpressionClause) if c.name == "message"), None)
    text = clause.expression.text.strip() if clause is not None else '"error directive"'
    warning = directive.keyword("severity") == "warning"
    said = Do(f'printf("%s:%d: {"warning" if warning else "error"}: %s\\n", "{path}", {line}, {text});')
    return (said,) if warning else (Block("", (said, Do("__trap();"))),)
