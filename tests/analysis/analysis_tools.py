"""Analyse the regions of a text."""

from __future__ import annotations

from front_tools import parsed

import support
from rexcc.analysis.attributes import Attribute, RegionData
from rexcc.analysis.declare_target import declare_target
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import TargetRegion, build_region
from rexcc.analysis.sharing import region_data
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, DiagnosticSink


def _targets(unit: ParsedUnit) -> list[tuple[ConstructFunction, Construct]]:
    found = [(f, c) for f in unit.functions for top in f.constructs for c in (top, *top.descendants())]
    return [(f, c) for f, c in found if c.directive.leaves[0] == "target" and c.body is not None]


def regions(source: str, name: str = "t.c") -> list[TargetRegion]:
    """Return the target regions of a program."""
    found = parsed(source, name)
    assert found.problems == []
    return [build_region(found.unit, f, c) for f, c in _targets(found.unit)]


def sharing(source: str, name: str = "t.c") -> RegionData:
    """Return the attributes of a program's only region."""
    (region,) = regions(source, name)
    return region_data(region, declare_target(region.unit, DiagnosticSink()))


def attributes(source: str, name: str = "t.c") -> dict[str, Attribute]:
    """Return the attributes of a program's only region by variable."""
    return {a.variable.name: a for a in sharing(source, name).attributes}


def kinds(source: str, name: str = "t.c") -> dict[str, str]:
    """Return the kinds of a region's variables."""
    return {name: a.kind.name for name, a in attributes(source, name).items()}


def nest(source: str, name: str = "t.c", depth: int = 1) -> tuple[ParsedUnit, tuple[CanonicalLoop, ...]]:
    """Return the loops associated with the program's only construct."""
    found = parsed(source, name)
    assert found.problems == []
    ((_, construct),) = _targets(found.unit)
    assert construct.body is not None
    return found.unit, loop_nest(found.unit, construct.body, depth)


def loop_problem(source: str, name: str = "t.c", depth: int = 1) -> tuple[str, str]:
    """Return message and marked characters of the error that a loop gives; the error's place must be the mark."""
    text, line, column, token = support.marked(source)
    try:
        nest(text, name, depth)
    except CompileError as problem:
        diagnostic = problem.diagnostic
        assert diagnostic.code == "omp-loop-form"
        assert diagnostic.span is not None
        assert (diagnostic.span.line, diagnostic.span.column) == (line, column), diagnostic.span.place
        return diagnostic.message, token
    raise AssertionError("the loop was accepted")
