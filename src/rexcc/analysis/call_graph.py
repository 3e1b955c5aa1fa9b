"""Which functions lead to others by what they call.

In: functions, and what is looked for. Out: whether one of them calls such a function, directly or through others. A
template's overloads are taken for what it calls. Most functions of a library's headers are never asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rexcc.analysis.reachable_functions import Place, directly_called
from rexcc.clang import library
from rexcc.clang.tree import Node, Tree


class CallGraph:
    """The functions that were asked about, and those that they reach, with the answers."""

    def __init__(self, tree: Tree, is_wanted: Callable[[Place, Node], bool]) -> None:
        self._tree = tree
        self._is_wanted = is_wanted
        self._called: dict[Node, tuple[tuple[Place, Node], ...]] = {}
        self._leading: dict[Node, bool] = {}

    def leads(self, function: Node) -> bool:
        """Whether a function calls a wanted one, directly or through others."""
        if function in self._leading:
            return self._leading[function]
        callers: dict[Node, Node | None] = {function: None}
        waiting = [function]
        while waiting:
            caller = waiting.pop()
            for place, called in self._calls(caller):
                if self._leading.get(called, False) or self._is_wanted(place, called):
                    self._note(caller, callers)
                    return True
                if called not in callers and called not in self._leading:
                    callers[called] = caller
                    waiting.append(called)
        self._leading |= dict.fromkeys(callers, False)
        return False

    def _note(self, leading: Node, callers: Mapping[Node, Node | None]) -> None:
        """Note that a function leads to a wanted one, and those through which it was reached."""
        caller: Node | None = leading
        while caller is not None:
            self._leading[caller] = True
            caller = callers[caller]

    def _calls(self, caller: Node) -> tuple[tuple[Place, Node], ...]:
        """Return the definitions of the functions that one calls itself, with the places of what the user wrote."""
        if caller not in self._called:
            self._called[caller] = (*directly_called(self._tree, caller), *self._overloads(caller))
        return self._called[caller]

    def _overloads(self, caller: Node) -> list[tuple[Place, Node]]:
        found: list[tuple[Place, Node]] = []
        references = (n for n in caller.walk() if n.kind == "OVERLOADED_DECL_REF")
        for function in (f for n in references for f in library.overloads(n.cursor)):
            definition = function.get_definition() or function
            if not library.in_system_header(definition):
                node = self._tree.node(definition)
                found.append(((node.file, node.start), node))
        return found
