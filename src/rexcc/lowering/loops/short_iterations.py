"""Iterations that are short: how much an iteration of a nest executes, with the functions that it calls.

In: a region whose loops are collapsed. Out: how many nodes its iteration has, where it executes each of them once or,
in loops with constant bounds and few turns, a few times; None where it may be longer than it looks. A function of the
user's counts at each call as if it stood there, which is what nvcc makes of it; it has to be in the file and have no
loops. One that may call itself, a virtual one and one behind a pointer may be of any length. Functions of the libraries
are what they are called for.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, Node, Tree, kind_of
from rexcc.lowering.model.geometry import SHORT_LOOPS, iteration_turns
from rexcc.source.records import dataclass, field

_BUILTIN = "__builtin_"


def length_of_iteration(region: TargetRegion) -> int | None:
    """Return the number of an iteration's nodes, None where it may execute more than they show."""
    turns = iteration_turns(region)
    return _Lengths(region.unit.tree, turns is not None and turns <= SHORT_LOOPS).of(region.iteration)


@dataclass(eq=False)
class _Lengths:
    """The lengths of code. ``is_unrolled``: loops with ``for`` in an iteration are no longer than they look."""

    tree: Tree
    is_unrolled: bool
    _functions: dict[Node, int | None] = field(default_factory=dict)

    def of(self, code: Node, in_function: bool = False) -> int | None:
        """Return the nodes of some code with those of the functions that it calls, None for an unknown number."""
        count = 0
        for node in code.walk():
            is_loop = node.kind in LOOP_KINDS and (in_function or not self.is_unrolled or node.kind != "FOR_STMT")
            if is_loop or node.is_called_code:
                return None
            below = self._of_call(node) if node.kind == "CALL_EXPR" else 0
            if below is None:
                return None
            count += 1 + below
        return count

    def _of_call(self, call: Node) -> int | None:
        callee = call.referenced
        if callee is None or kind_of(callee) not in FUNCTION_KINDS or library.is_virtual_call(call.cursor):
            return None
        if library.in_system_header(callee) or callee.is_default_method() or _is_builtin(callee):
            return 0
        definition = callee.get_definition()
        return self._of_function(self.tree.node(definition)) if definition is not None else None

    def _of_function(self, function: Node) -> int | None:
        if function not in self._functions:
            self._functions[function] = None  # what a function that calls itself sees
            bodies = [child for child in function.children if child.kind == "COMPOUND_STMT"]
            self._functions[function] = self.of(function, in_function=True) if bodies else None
        return self._functions[function]


def _is_builtin(function: Cursor) -> bool:
    """Whether a function is the compiler's own, as those are that ``INFINITY`` and ``NAN`` stand for."""
    return str(function.spelling).startswith(_BUILTIN) and function.get_definition() is None
