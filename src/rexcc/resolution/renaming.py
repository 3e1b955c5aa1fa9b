"""Calls get the names of the functions that they mean.

In: a unit with its variants. Out: the new texts of its files, in which device code calls its variants, and the words
that the host reads instead where it calls others; ``dispatch`` constructs as calls.
"""

from __future__ import annotations

from rexcc.frontend.scan import HostWord
from rexcc.openmp.contexts import Value
from rexcc.program.constructs import Construct
from rexcc.resolution.calls import Call, calls, differs_among_devices, meaning
from rexcc.resolution.choices import Surroundings
from rexcc.resolution.dispatching import dispatched, missing_routines
from rexcc.resolution.rewriting import Replacement, moved
from rexcc.resolution.variants import Variant, Variants
from rexcc.source.diagnostics import CompileError, DiagnosticSink, error
from rexcc.source.records import dataclass, field


@dataclass(eq=False)
class Renaming:
    """Replacements by file, and the host's own words at the places of some of them."""

    replacements: dict[str, list[Replacement]] = field(default_factory=dict)
    words: dict[str, list[tuple[Replacement, str]]] = field(default_factory=dict)

    def host_words(self, path: str) -> tuple[HostWord, ...]:
        """Return the host's words of a file at their places in the new text."""
        every = self.replacements.get(path, [])
        found = []
        for replacement, text in self.words.get(path, []):
            start = moved(every, replacement.start)
            length = sum(len(part) for part in replacement.parts if isinstance(part, str))
            found.append(HostWord(start, start + length, text))
        return tuple(found)


def rename_calls(around: Surroundings, variants: Variants, value: Value, sink: DiagnosticSink) -> Renaming:
    """Return what changes in the texts of the unit's files."""
    found = Renaming()
    every = list(calls(around, variants, sink))
    for construct in _dispatches(around):
        inside = [c for c in every if c.construct is construct or _same_place(c.construct, construct)]
        every = [c for c in every if c not in inside]
        try:
            made = dispatched(around, construct, inside, value)
            routine = missing_routines(around, made)
            if routine:
                raise error("omp-missing-header", f"this needs '{routine}': include <omp.h>", construct.span)
            found.replacements.setdefault(construct.probe.site.source.path, []).append(made)
        except CompileError as problem:
            sink.add(problem.diagnostic)
    for call in every:
        _rename(found, around, call, value, sink)
    return found


def _name(call: Call, variant: Variant | None, written: str) -> str:
    """Return what a call names a variant by, behind the scope that the user wrote."""
    if variant is None:
        return written
    scoped = call.file.scan.source.text[: call.start].rstrip().endswith("::")
    return str(variant.function.spelling) if scoped else variant.text


def _same_place(one: Construct | None, other: Construct) -> bool:
    return one is not None and one.probe.site is other.probe.site


def _dispatches(around: Surroundings) -> list[Construct]:
    """Return the ``dispatch`` constructs, those of templates once."""
    found: dict[tuple[str, int], Construct] = {}
    for function in around.unit.functions:
        for construct in function.walk():
            if construct.directive.name == "dispatch" and construct.body is not None:
                site = construct.probe.site
                found.setdefault((site.source.path, site.start), construct)
    return list(found.values())


def _rename(found: Renaming, around: Surroundings, call: Call, value: Value, sink: DiagnosticSink) -> None:
    meant = meaning(around, call, call.construct, value)
    if meant is None or (meant.host is None and meant.device is None):
        return
    for variant in {meant.host, meant.device} - {None}:
        assert variant is not None
        if variant.appends:
            message = "'append_args' needs interop objects, which rexcc does not make yet"
            sink.error("unsupported-variant", message, variant.span)
    if differs_among_devices(around, call, meant, value):
        message = "this call is resolved for the GPU; the CPU device executes the same kernel"
        sink.warning("variant-of-the-gpu", message, call.span)
    path, written = call.file.scan.source.path, call.file.scan.source.text[call.start : call.end]
    on_device, on_host = _name(call, meant.device, written), _name(call, meant.host, written)
    if any(site.start <= call.start < site.end for site in call.file.scan.pragmas):
        on_device = on_host  # the host evaluates the clauses
    replacement = Replacement(call.start, call.end, (on_device,))
    found.replacements.setdefault(path, []).append(replacement)
    if on_host != on_device:
        found.words.setdefault(path, []).append((replacement, on_host))
