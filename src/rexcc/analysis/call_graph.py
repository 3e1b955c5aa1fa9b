"""Which of some functions lead to others by what they call.

In: functions. Out: those of them that call one at some places, or one of some others, directly or through others. A
template's overloads are taken for what it calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rexcc.analysis.reachable_functions import Place, directly_called
from rexcc.clang import library
from rexcc.clang.tree import Node, Tree


class CallGraph:
    """The functions that some functions reach, these among them, with what calls each."""

    def __init__(self, tree: Tree, functions: Iterable[Node]) -> None:
        self._roots = tuple(functions)
        self._callers: dict[Node, list[Node]] = {}
        self._calling: dict[Place, list[Node]] = {}
        self.nodes: dict[Node, None] = {}
        waiting = list(self._roots)
        while waiting:
            caller = waiting.pop()
            if caller in self.nodes:
                continue
            self.nodes[caller] = None
            for place, called in _called(tree, caller):
                self._callers.setdefault(called, []).append(caller)
                self._calling.setdefault(place, []).append(caller)
                waiting.append(called)

    def leading_to(self, places: Collection[Place]) -> list[Node]:
        """Return those of the functions that call one at some places, directly or through others."""
        return self._above({caller for place in places for caller in self._calling.get(place, ())})

    def leading_to_nodes(self, nodes: Collection[Node]) -> list[Node]:
        """Return those of the functions that call one of some others, directly or through others."""
        return self._above({caller for node in nodes for caller in self._callers.get(node, ())})

    def _above(self, callers: set[Node]) -> list[Node]:
        waiting = list(callers)
        while waiting:
            more = [node for node in self._callers.get(waiting.pop(), ()) if node not in callers]
            callers.update(more)
            waiting += more
        return [function for function in self._roots if function in callers]


def _called(tree: Tree, caller: Node) -> list[tuple[Place, Node]]:
    """Return the definitions of the functions that one calls directly, each with the place of what the user wrote."""
    found = list(directly_called(tree, caller))
    references = (n for n in caller.walk() if n.kind == "OVERLOADED_DECL_REF")
    for function in (f for n in references for f in library.overloads(n.cursor)):
        definition = function.get_definition() or function
        if not library.in_system_header(definition):
            node = tree.node(definition)
            found.append(((node.file, node.start), node))
    return found
