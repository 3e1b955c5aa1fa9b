"""Constructs in copied text that belong to no function of the unit's: device code must not have it without them.

In: a text that is copied to device code. Out: an error for a directive that stands where libclang shows no statements,
as in the initialiser of a variable's template.
"""

from __future__ import annotations

from rexcc.clang.tree import Tree
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.parsing import is_active
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error


class _Seen:
    """The probes of a unit's constructs, by file and offset, but for those in lambdas that each instantiation of a
    class template has of its own."""

    def __init__(self, _: Tree) -> None:
        self._places: set[tuple[str, int]] | None = None

    def places(self, unit: ParsedUnit) -> set[tuple[str, int]]:
        """Return the places, which are looked for once."""
        if self._places is None:
            functions = (f for f in unit.functions if not (f.unused and f.node.kind == "LAMBDA_EXPR"))
            constructs = (construct for function in functions for construct in function.walk())
            self._places = {(c.file.scan.source.path, c.probe.offset) for c in constructs}
        return self._places


def refuse_unseen(body: DeviceBody, start: int, end: int) -> None:
    """Raise CompileError for a construct in a range that no function of the unit's has."""
    unit, path = body.unit, body.file.scan.source.path
    inside = [p for p in body.file.probes if start <= p.site.start and p.site.end <= end]
    for probe in inside:
        if form_of(probe.directive) is Form.BLANK or not is_active(probe.directive.span, unit.skipped):
            continue
        if (path, probe.offset) not in unit.tree.once(_Seen).places(unit):
            message = (
                f"'{probe.directive.name}' cannot be lowered here yet: in the initialiser of a variable's template "
            )
            message += (
                "or of a class template's member, in a template's default argument, or in an alias; put the code "
            )
            message += "into a function, and call that"
            raise error("unsupported-construct", message, probe.directive.span)
