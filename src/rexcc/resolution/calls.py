"""Calls of functions that have variants (OpenMP 5.2, 7.5.1).

In: a parsed unit, its variants, what surrounds each place. Out: for each call which function it means on the host and
in device code. A function outside target regions may be compiled for both, so the text has the device's name there and
the host gets its own; inside target regions the host's name is for the host's version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.contexts import HOST, Value, candidates
from rexcc.program.constructs import Construct
from rexcc.resolution.choices import Surroundings
from rexcc.resolution.variants import Variant, Variants, key
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a base function: the place of its name, the innermost construct around it, its function."""

    node: Node
    file: ProbedFile
    start: int
    end: int
    construct: Construct | None
    function: int
    variants: list[Variant]

    @property
    def span(self) -> Span:
        """The place of the name."""
        return Span(self.file.scan.source, self.start, self.end)


@dataclass(frozen=True)
class Meaning:
    """What a call means: None for the base function."""

    host: Variant | None
    device: Variant | None


def calls(around: Surroundings, variants: Variants, sink: DiagnosticSink) -> Iterator[Call]:
    """Yield the calls of base functions in the user's files, in source order."""
    bodies = _bodies(around)
    names, seen = variants.names(), set[tuple[str, int, int]]()
    for top in around.unit.declarations:
        for node, function in _walk(top, 0):
            found = variants.of(node.referenced) if node.kind == "CALL_EXPR" else []
            file = around.unit.files.get(node.file)
            unknown = node.kind == "CALL_EXPR" and node.referenced is None and _named(node) in names
            place = (node.file, node.start, node.end)  # a class that a variable is declared with is there twice
            if file is None or not (found or unknown) or place in seen:
                continue
            seen.add(place)
            call = None if unknown else _call(node, file, function, bodies, found)
            if call is not None:
                yield call
            else:
                start = file.original(node.start)
                message = f"this call of '{_named(node)}', which has variants, cannot be renamed"
                sink.error("unsupported-variant", message, Span(file.scan.source, start, start + 1))


def meaning(around: Surroundings, call: Call, construct: Construct | None, value: Value) -> Meaning | None:
    """Return what a call means in a construct; None where the surroundings are not known yet."""
    found: list[Variant | None] = []
    for on_device in (False, True):
        constructs = around.around(call.function, construct, on_device)
        if constructs is None:
            return None
        context = around.context(constructs, around.devices[0] if on_device else HOST, value)
        tried = candidates([v.selector for v in call.variants], context)
        found.append(call.variants[tried[0].index] if tried else None)
    return Meaning(*found)


def differs_among_devices(around: Surroundings, call: Call, meant: Meaning, value: Value) -> bool:
    """Whether a call in a target region means another function on a device of the build that is not the main one."""
    constructs = around.around(call.function, call.construct, True) or ()
    if call.construct is None or "target" not in (around.constructs(call.construct, False) or ()):
        return False
    for device in around.devices[1:]:
        tried = candidates([v.selector for v in call.variants], around.context(constructs, device, value))
        if (call.variants[tried[0].index] if tried else None) is not meant.device:
            return True
    return False


def _named(call: Node) -> str:
    """Return the name that a call names its function by, also where a template leaves the function open."""
    if call.spelling or not call.children:
        return call.spelling
    callee = call.children[0].bare()
    return callee.spelling or next((n.spelling for n in callee.walk() if n.spelling), "")


def _walk(node: Node, function: int) -> Iterator[tuple[Node, int]]:
    """Yield the nodes below a declaration, each with the function it is in."""
    stack = [(node, function)]
    while stack:
        current, inside = stack.pop()
        if current.kind in FUNCTION_KINDS:
            inside = key(current.cursor)
        yield current, inside
        stack.extend((child, inside) for child in reversed(current.children))


def _bodies(around: Surroundings) -> dict[str, list[tuple[int, int, Construct]]]:
    found: dict[str, list[tuple[int, int, Construct]]] = {}
    for function in around.unit.functions:
        for construct in function.walk():
            if construct.body is not None:
                place = (construct.body.start, construct.body.end, construct)
                found.setdefault(construct.body.file, []).append(place)
    return found


def _call(
    node: Node, file: ProbedFile, function: int, bodies: dict[str, list[tuple[int, int, Construct]]],
    variants: list[Variant],
) -> Call | None:  # fmt: skip
    callee = node.children[0].bare() if node.children else node
    first = file.original(callee.start)
    written = file.scan.source.text[first : file.original(callee.end)]
    name = re.search(rf"\b{re.escape(callee.spelling)}(?=\s*(?:<[\s\S]*>)?$)", written)
    if callee.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") or name is None:
        return None
    start, end = first + name.start(), first + name.end()
    inside = [(e - s, c) for s, e, c in bodies.get(node.file, []) if s <= node.start < e]
    innermost = min(inside, key=lambda pair: pair[0], default=(0, None))[1]
    return Call(node, file, start, end, innermost, function, variants)
