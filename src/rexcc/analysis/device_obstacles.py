"""May a function be device code?

In: functions that no region has to call, and the targets that are compiled for. Out: nothing, or an
:class:`Obstacle`: what keeps one, or a function that it calls, on the host. What a region calls is checked with the
region, where each of these is an error (``host_only_functions``, ``device_types``, ``codegen/closure/device_closure``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.device_types import unknown_type
from rexcc.analysis.host_only_functions import first_problem
from rexcc.analysis.host_variables import host_uses, library_use, reach_of
from rexcc.analysis.reachable_functions import called_bodies, is_elsewhere, is_library_function
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.clang import library
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass
from rexcc.source.text import Span
from rexcc.target.model import Target


@dataclass(frozen=True, eq=False)
class Obstacle:
    """What is in the way, as a verb with its object (``uses 'count', a variable of the host``), and where: ``span``, or
    else that of ``node``."""

    why: str
    node: Node
    span: Span | None = None

    def place(self, unit: ParsedUnit) -> str:
        """Return where it stands, as messages have it."""
        span = self.span or unit.span(self.node)
        return span.place if span is not None else unit.main


def obstacle(
    unit: ParsedUnit, functions: Iterable[Cursor], declared: DeclareTarget, standard: int, targets: Iterable[Target]
) -> Obstacle | None:
    """Return why one of some definitions cannot be code of one of the targets, None where all can.

    ``standard`` is that of C++ in which the unit was parsed, as ``17``.
    """
    bodies = list(called_bodies(unit.tree, (), also=functions))
    found = _region_in(unit, bodies) or variable_obstacle(unit, bodies, declared)
    for target in targets if found is None else ():
        if not target.capabilities.are_hosts:
            found = found or library_obstacle(bodies) or _lack_of(unit, bodies, target, standard)
            found = found or _unknown_function(bodies)
    return found


def variable_obstacle(unit: ParsedUnit, bodies: Iterable[Node], declared: DeclareTarget) -> Obstacle | None:
    """Return the use of a variable of the host that device code cannot reach."""
    unified = requirements(unit) & UNIFIED_SHARED_MEMORY != 0
    for variable, node in host_uses(bodies, declared):
        reach = reach_of(variable, unified)
        if reach.code:
            return Obstacle(f"uses '{variable.spelling}', {reach.what}", node)
    return None


def library_obstacle(bodies: Iterable[Node]) -> Obstacle | None:
    """Return the use of a variable of the system's libraries."""
    node = library_use(bodies)
    return Obstacle(f"uses '{node.spelling}', a variable of the host", node) if node is not None else None


def call_elsewhere(bodies: Iterable[Node]) -> Obstacle | None:
    """Return a call of a function that this unit does not define."""
    for node in (n for body in bodies for n in body.walk() if n.kind == "CALL_EXPR"):
        if node.referenced is not None and is_elsewhere(node.referenced):
            return Obstacle(f"calls '{node.referenced.spelling}', which is not defined in this file", node)
    return None


def _region_in(unit: ParsedUnit, bodies: Iterable[Node]) -> Obstacle | None:
    """Return a target or data construct: only the host begins regions."""
    places = {(body.file, body.start) for body in bodies}
    for function in unit.functions:
        if (function.node.file, function.node.start) in places:
            for construct in filter(is_ours, function.walk()):
                return Obstacle(f"has '{construct.directive.name}', which only the host executes", construct.node)
    return None


def _unknown_function(bodies: Iterable[Node]) -> Obstacle | None:
    """Return a call of a function of C, of some library of the system, of which nobody knows that devices have it."""
    for node in (n for body in bodies for n in body.walk() if n.kind == "CALL_EXPR"):
        called = node.referenced
        if called is None or kind_of(called) != "FUNCTION_DECL" or not library.in_system_header(called):
            continue
        name, header = str(called.spelling), PurePath(str(called.location.file)).name
        known = is_library_function(called) or name.startswith(("_", "omp_")) or "math" in header
        if not known and called.mangled_name == name and called.get_definition() is None:
            return Obstacle(f"calls '{name}', a function of the host", node)
    return None


def _lack_of(unit: ParsedUnit, bodies: Sequence[Node], target: Target, standard: int) -> Obstacle | None:
    """Return what a target's language or library has not."""
    problem = first_problem(unit, bodies, standard, target.capabilities)
    for node in (n for body in bodies for n in body.walk()):
        problem = problem or unknown_type(unit, node, target)
    if problem is None:
        return None
    return Obstacle(f"is not for {target.title}: {problem.diagnostic.message}", bodies[0], problem.diagnostic.span)
