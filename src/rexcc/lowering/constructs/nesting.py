"""What must not stand directly in what (OpenMP 5.2, 17.1 Nesting of Regions).

In: a construct and where it stands. Out: an error for a barrier or a worksharing construct at which not all threads of
the team arrive, and for a lock that its own thread already holds. On a device they would wait for ever.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.frontend.unit import Construct
from rexcc.lowering.constructs.context import Context
from rexcc.openmp.model import Directive
from rexcc.source.diagnostics import Note, error

_MEETING = frozenset({"for", "sections", "single", "scope", "barrier"})
_SELECTING = frozenset({"masked", "master"})
_NOT_AROUND_SELECTING = frozenset({"for", "loop", "sections", "single", "task", "taskloop"})


def check_nesting(context: Context, construct: Construct, leaves: Iterable[str]) -> None:
    """Report a construct that must not stand here."""
    leaf = next(iter(leaves), "")
    if leaf == "critical":
        _check_critical(construct)
    if not context.apart or context.team.is_alone:
        return
    wrong = leaf in _MEETING or (leaf in _SELECTING and context.apart in _NOT_AROUND_SELECTING)
    if wrong:
        name = construct.directive.name
        message = f"'{name}' must not stand in '{context.apart}': not all threads of the team arrive here"
        raise error("omp-nesting", message, construct.span)


def critical_name(directive: Directive) -> str:
    """Return the name of a ``critical`` construct, empty for none."""
    return directive.argument.text.strip() if directive.argument is not None else ""


def _check_critical(construct: Construct) -> None:
    above = construct.parent
    while above is not None and above.directive.leaves[0] != "target":
        same = critical_name(above.directive) == critical_name(construct.directive)
        if above.directive.leaves == ("critical",) and same:
            raise error(
                "omp-nesting",
                "'critical' inside a 'critical' of the same name waits for itself",
                construct.span,
                Note("the outer one is here", above.span),
            )
        above = above.parent
