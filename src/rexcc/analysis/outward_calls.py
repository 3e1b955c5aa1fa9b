"""The calls by which device code of one file gets to functions of others.

In: the functions that a unit has for other files, and those of other files that it calls. Out: which of its functions
lead from the first to the second, and what they call: the link finds by this what calls itself through several files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clang.cindex import Cursor

from rexcc.analysis.reachable_functions import called_bodies, directly_called, functions_called
from rexcc.clang.tree import Node, Tree

Calls = tuple[tuple[str, ...], ...]
"""Names of functions, each with the names of those that it calls behind it."""


def outward_calls(tree: Tree, exported: Mapping[str, Cursor], imported: Mapping[str, Cursor]) -> Calls:
    """Return the functions that lead from exported ones to imported ones. Those are known by the names that the
    mappings give them, the unit's other functions by numbers."""
    if not exported or not imported:
        return ()
    elsewhere = {int(function.canonical.hash): name for name, function in imported.items()}
    names = {tree.node(function.get_definition() or function): name for name, function in exported.items()}
    for body in called_bodies(tree, (), also=exported.values()):
        names.setdefault(body, str(len(names)))
    calls = {name: _called(tree, body, names, elsewhere) for body, name in names.items()}
    leading = _leading_to(elsewhere.values(), calls)
    return tuple((name, *(other for other in calls[name] if other in leading)) for name in calls if name in leading)


def _called(tree: Tree, body: Node, names: Mapping[Node, str], elsewhere: Mapping[int, str]) -> tuple[str, ...]:
    here = [names[called] for _, called in directly_called(tree, body) if called in names]
    keys = (int(function.canonical.hash) for function in functions_called(tree, body))
    return tuple(dict.fromkeys((*here, *(elsewhere[key] for key in keys if key in elsewhere))))


def _leading_to(ends: Iterable[str], calls: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the functions that call some, directly or through others, and these."""
    callers: dict[str, list[str]] = {}
    for name, called in calls.items():
        for other in called:
            callers.setdefault(other, []).append(name)
    found = set(ends)
    waiting = list(found)
    while waiting:
        new = [name for name in callers.get(waiting.pop(), ()) if name not in found]
        found.update(new)
        waiting += new
    return found
