"""Edits around expressions of C code, and what of it macros hide.

In: nodes that need an edit. Out: the edit, or a note that the use of a macro has to be expanded first: tokens of a
macro's body have no place in the user's text.
"""

from __future__ import annotations

from bisect import bisect_left

from rexcc.clang import locations
from rexcc.clang.tree import TRANSPARENT, Node
from rexcc.frontend.use_places import UsePlace
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.edits import Content, Quote
from rexcc.source.records import dataclass, field


@dataclass(eq=False)
class CEdits:
    """Edits of one piece of C code; each is made once, however often a macro repeats its argument."""

    body: DeviceBody
    _made: set[tuple[int, int, str]] = field(default_factory=set)

    def wrap(self, node: Node, before: str, after: str) -> bool:
        """Put text around an expression; calls for outer nodes must come first."""
        if not self.is_reachable(node):
            return False
        if self._is_new(node, before):
            self.body.wrap(node, before, after)
        return True

    def replace(self, node: Node, text: str | Quote | Content) -> bool:
        """Put another text in an expression's place; ``text`` quotes the parts that stay."""
        if not self.is_reachable(node):
            return False
        self.body.edits.rewrite(self.body.start(node), self.body.end(node), text)
        return True

    def insert(self, node: Node, text: str) -> bool:
        """Put text in front of an expression."""
        if not self.is_reachable(node):
            return False
        if self._is_new(node, text):
            self.body.edits.before(self.body.start(node), self.body.end(node), text)
        return True

    def is_reachable(self, node: Node, inside: bool = False) -> bool:
        """Whether an expression's text is all its own, also ``inside`` of it; a macro that hides it is noted."""
        use = self.hiding(node, inside)
        if use is not None:
            self._note(use, node)
        return use is None

    def has_own_place(self, node: Node) -> bool:
        """Whether a statement may become a block: it stands in no macro's use; one around it is noted."""
        use = next((use for use in self._uses(node) if use.start <= node.start and node.end <= use.end), None)
        if use is not None:
            self._note(use, node)
        return use is None

    def is_first(self, node: Node, purpose: str) -> bool:
        """Whether nothing was done for a purpose at a node's place yet: a macro may repeat its argument."""
        return self._is_new(node, purpose)

    def _note(self, use: UsePlace, node: Node) -> None:
        if locations.file_location(use.definition.location, node.tree.names)[0] in self.body.unit.files:
            self.body.expand(self.body.file.original(use.start))

    def hiding(self, node: Node, inside: bool) -> UsePlace | None:
        """Return the use of a macro in whose body an expression begins or ends; what it is all of, for its inside."""
        for use in self._uses(node):
            begins, ends = use.start <= node.start < use.end, use.start < node.end <= use.end
            if begins and node.start == node.end:
                return use  # the body of another macro, which is used in an argument of this one
            if begins and ends and use.start < node.start and node.end < use.end:
                continue  # in an argument
            if (use.start, use.end) == (node.start, node.end) and not inside and _is_all_of(node):
                continue
            if (begins and use.start < node.start) or (ends and node.end < use.end):
                return use
            if (use.start, use.end) == (node.start, node.end):
                return use
        return None

    def _uses(self, node: Node) -> list[UsePlace]:
        """Return the uses that share a part with a node; what a macro in another's body makes is at its start."""
        every = self.body.unit.use_places.get(node.file, ())
        stop = bisect_left(every, max(node.end, node.start + 1), key=lambda use: use.start)
        return [use for use in every[:stop] if use.end > node.start]

    def _is_new(self, node: Node, text: str) -> bool:
        key = (node.start, node.end, text)
        known = key in self._made
        self._made.add(key)
        return not known


def _is_all_of(node: Node) -> bool:
    """Whether an expression is all that the macro at its place expands to: nothing else around it has its range."""
    current = node
    while (above := current.parent) is not None and (above.start, above.end) == (node.start, node.end):
        if above.kind not in TRANSPARENT:
            return False
        current = above
    beside = current.parent.children if current.parent is not None else ()
    return sum((b.start, b.end) == (node.start, node.end) for b in beside) < 2
