"""Structured blocks: one statement, entered at its top and left at its end (OpenMP 5.2, 1.2.3 and 4.1).

In: the constructs of a unit. Out: errors for a declaration where a statement must stand, and for each ``return``,
``break``, ``continue``, ``goto`` or ``case`` that leaves or enters a region. A kernel cannot do any of these, and a
data region would keep its data on the device. Lambdas are functions of their own; ``throw`` and ``exit`` are no exits.
"""

from __future__ import annotations

from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.loop_rules import EXIT_MESSAGES
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, Node
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_CODE = "omp-structured-block"
_BLOCKS = frozenset(
    {"parallel", "teams", "for", "distribute", "loop", "simd", "task", "taskloop", "taskgroup", "sections", "section",
     "single", "ordered", "scope"}
)  # fmt: skip
"""Constructs of the host that no statement may leave; some compilers do not see it."""
_HELD = frozenset({"critical", "masked", "master"})
"""Constructs of the host that a statement may seem to leave: compilers let it, and a lock stays closed."""
_LOOP_LEAVES = frozenset({"distribute", "for", "simd", "loop"})
_FLAG = "set a flag in the region and test it after the region"


def _is_block(construct: Construct) -> bool:
    return is_ours(construct) or not (_BLOCKS | _HELD).isdisjoint(construct.directive.leaves)


def _is_held(construct: Construct) -> bool:
    return not is_ours(construct) and _HELD.issuperset(construct.directive.leaves)


def _is_looked_at(construct: Construct) -> bool:
    """Whether a construct has findings of its own; what leaves a lock inside a region leaves the region too."""
    in_block = any(_is_block(c) and not _is_held(c) for c in construct.around())
    return _is_block(construct) and not (_is_held(construct) and in_block)


@dataclass(frozen=True)
class _Around:
    """What statements inside a region may leave or belong to without leaving the region."""

    loop: bool = False
    switch: bool = False


def check_structured_blocks(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Report what makes the statement of a device construct no structured block."""
    for function in unit.functions:
        ours = [c for c in function.walk() if _is_looked_at(c) and c.body is not None]
        for construct in ours:
            _Exits(unit, construct, sink).run()
        if ours:
            _check_jumps(unit, function, ours, sink)


class _Exits:
    """The statements of one region, without those of our constructs inside it, which are looked at on their own."""

    def __init__(self, unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
        self.unit = unit
        self.construct = construct
        self.sink = sink
        self.inner = {id(c.node): c for c in construct.descendants()}

    def run(self) -> None:
        body = self.construct.body
        assert body is not None
        if body.kind == "DECL_STMT":
            self._report(body, f"a declaration cannot be the body of '{self._name}'", "put the statements in braces")
            return
        alone = next((c for c in self.construct.children if c.body is None and c.probe.offset == body.start), None)
        if alone is not None:
            message = f"'{alone.directive.name}' is no statement and cannot be the body of '{self._name}'"
            _report(self.sink, alone.directive.span, message, "put it in braces", self.construct)
            return
        stack = [(body, _Around())]
        while stack:
            node, around = stack.pop()
            self._check(node, around)
            stack += reversed([(child, _inside(node, around)) for child in self._below(node)])

    @property
    def _name(self) -> str:
        return self.construct.directive.name

    def _below(self, node: Node) -> tuple[Node, ...]:
        """Return the statements below a node that belong to the region."""
        if node.kind == "LAMBDA_EXPR" or node.kind in FUNCTION_KINDS:
            return ()
        inner = self.inner.get(id(node))
        if inner is None:
            return node.children
        return () if _is_looked_at(inner) or inner.body is None else (inner.body,)

    def _check(self, node: Node, around: _Around) -> None:
        if node.kind == "RETURN_STMT":
            self._check_return(node)
        elif node.kind == "BREAK_STMT" and not (around.loop or around.switch):
            self._report(node, f"'break' leaves the '{self._name}' region", _FLAG)
        elif node.kind == "CONTINUE_STMT" and not around.loop:
            self._report(node, f"'continue' leaves the '{self._name}' region", _FLAG)
        elif node.kind in ("CASE_STMT", "DEFAULT_STMT") and not around.switch:
            word = "case" if node.kind == "CASE_STMT" else "default"
            self._report(
                node, f"'{word}' enters the '{self._name}' region from outside", "put the switch in the region"
            )

    def _check_return(self, node: Node) -> None:
        if self.construct.directive.leaves[-1] in _LOOP_LEAVES:  # one error with the loop's own check
            self.sink.error("omp-loop-form", EXIT_MESSAGES["return"], self.unit.span(node))
            return
        self._report(node, f"'return' leaves the '{self._name}' region", _FLAG)

    def _report(self, node: Node, message: str, way_out: str) -> None:
        _report(self.sink, self.unit.span(node), message, way_out, self.construct)


def _inside(node: Node, around: _Around) -> _Around:
    if node.kind == "SWITCH_STMT":
        return _Around(around.loop, True)
    return _Around(True, around.switch) if node.kind in LOOP_KINDS else around


def _report(sink: DiagnosticSink, place: Span | None, message: str, way_out: str, construct: Construct) -> None:
    report = sink.warning if _is_held(construct) else sink.error
    report(_CODE, f"{message}; {way_out}", place, Note("the region starts here", construct.span))


def _check_jumps(
    unit: ParsedUnit, function: ConstructFunction, constructs: list[Construct], sink: DiagnosticSink
) -> None:
    """Report each ``goto`` whose label is on the other side of a region's border."""
    nodes = list(function.node.walk())
    labels = {int(n.cursor.hash): n for n in nodes if n.kind == "LABEL_STMT"}
    for jump in (n for n in nodes if n.kind == "GOTO_STMT"):
        label = labels.get(int(jump.referenced.hash)) if jump.referenced is not None else None
        crossed = _crossed(jump, label, constructs) if label is not None else None
        if crossed is None or label is None:
            continue
        verb = "leaves" if _is_in(jump, crossed) else "enters"
        message = f"'goto {label.spelling}' {verb} the '{crossed.directive.name}' region"
        way_out = _FLAG if verb == "leaves" else "a region is entered at its top only"
        _report(sink, unit.span(jump), message, way_out, crossed)


def _crossed(jump: Node, label: Node, constructs: list[Construct]) -> Construct | None:
    """Return the innermost construct that has just one of the two."""
    return next((c for c in reversed(constructs) if _is_in(jump, c) != _is_in(label, c)), None)


def _is_in(node: Node, construct: Construct) -> bool:
    return node is construct.body or any(above is construct.body for above in node.ancestors())
