"""What the stages tell of a region's lowering: what was done, what was not, and why.

In: facts of the stages and of the clean-up passes. Out: :class:`Remark`, and the diagnostics that ``-Rrex`` shows. A
remark that something was not done names the first precondition that failed, with the code that prevents it.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.lowering.model.topics import Topic
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import Diagnostic, Note, Severity
from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True, eq=False)
class Reason:
    """Why something is so, and the code or clause because of which it is."""

    text: str
    place: Node | Span | None = None


@dataclass(frozen=True, eq=False)
class Remark:
    """One thing that was done with a region, or was not; ``node`` is the code it is about, None for the region."""

    topic: Topic
    message: str
    node: Node | None = None
    reasons: tuple[Reason, ...] = ()

    @property
    def is_missed(self) -> bool:
        """Whether it tells that something was not done: then it has a reason, and so have those that tell what is."""
        return self.topic in (Topic.LOOP, Topic.MEMORY, Topic.QUEUE) and bool(self.reasons)


def remark_diagnostics(unit: ParsedUnit, remarks: Iterable[Remark], region: Span) -> list[Diagnostic]:
    """Return the remarks of a region, whose directive stands at ``region``, as findings."""
    return [
        Diagnostic(
            Severity.REMARK,
            remark.topic.value,
            remark.message,
            span_of(unit, remark.node) or region,
            tuple(Note(reason.text, span_of(unit, reason.place)) for reason in remark.reasons),
        )
        for remark in remarks
    ]


def span_of(unit: ParsedUnit, place: Node | Span | None) -> Span | None:
    """Return where a remark or a reason points."""
    return unit.span(place) if isinstance(place, Node) else place
