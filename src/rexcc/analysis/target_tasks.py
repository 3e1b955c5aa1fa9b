"""Whether target tasks of a unit may be deferred (OpenMP 5.2, 13.8 and 15.6): then libomp needs threads for them.

In: a parsed unit. Out: whether one of its device constructs has a ``nowait`` clause.
"""

from __future__ import annotations

from rexcc.analysis.device_constructs import all_constructs
from rexcc.program.unit import ParsedUnit


def may_defer_tasks(unit: ParsedUnit) -> bool:
    """Whether a construct that makes a target task has a ``nowait`` clause."""
    directives = (construct.directive for construct in all_constructs(unit))
    return any(d.name.startswith("target") and d.has("nowait") for d in directives)
