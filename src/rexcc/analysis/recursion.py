"""Device code that calls itself.

In: the parts of regions that devices execute. Out: whether functions that they reach call themselves, directly or
through others: how much stack a thread needs then, no compiler knows. Instantiations of templates that call others of
the same template are no recursion; libclang shows both alike, so templates are left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.linked_variables import is_lone
from rexcc.analysis.reachable_functions import directly_called
from rexcc.clang import library
from rexcc.clang.tree import Node, Tree, kind_of


def calls_itself(tree: Tree, parts: Iterable[Node]) -> bool:
    """Whether a function that these parts reach is one of those that it calls, directly or through others."""
    finished: set[Node] = set()
    return any(_finds_itself(tree, part, finished) for part in parts)


def _finds_itself(tree: Tree, part: Node, finished: set[Node]) -> bool:
    """Whether a call below a part is of a function that is being looked at; ``finished`` are those without one."""
    path = [part]
    waiting = [[body for _, body in directly_called(tree, part)]]
    open_now = {part}
    while path:
        if not waiting[-1]:
            waiting.pop()
            open_now.discard(path[-1])
            finished.add(path.pop())
            continue
        called = waiting[-1].pop()
        if called in open_now and _is_one_function(called):
            return True
        if called in finished or called in open_now:
            continue
        path.append(called)
        open_now.add(called)
        waiting.append([body for _, body in directly_called(tree, called)])
    return False


def _is_one_function(definition: Node) -> bool:
    """Whether a definition is no pattern, of which there are as many functions as instantiations."""
    cursor = definition.cursor
    is_pattern = kind_of(cursor) == "FUNCTION_TEMPLATE" or library.template_of(cursor) is not None
    return not is_pattern and is_lone(cursor)
