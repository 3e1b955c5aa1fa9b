"""Find the instantiations of function templates and of methods of class templates.

In: the user's top-level declarations. Out: for each pattern, its instantiated definitions with typed bodies, in the
order in which the program reaches them. libclang does not list instantiations; calls lead to them.
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of

_REFERENCES = frozenset({"CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR"})
_DEPENDENT = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})


def instantiations(tree: Tree, declarations: Sequence[Node]) -> dict[int, tuple[Node, ...]]:
    """Return the instantiations by the hash of their pattern's canonical cursor."""
    found: dict[int, list[Node]] = {}
    seen: set[str] = set()
    waiting: list[Node] = [n for n in declarations if not n.kind.startswith(("MACRO", "INCLUSION"))]
    while waiting:
        for instance, pattern in _referenced_instances(waiting.pop(0), tree):
            name = f"{instance.cursor.get_usr()} {instance.cursor.mangled_name}"
            if name in seen:
                continue
            seen.add(name)
            found.setdefault(int(pattern.canonical.hash), []).append(instance)
            waiting.append(instance)
    return {key: tuple(nodes) for key, nodes in found.items()}


def _referenced_instances(top: Node, tree: Tree) -> list[tuple[Node, Cursor]]:
    found: list[tuple[Node, Cursor]] = []
    stack = [top]
    while stack:
        node = stack.pop()
        if node.kind in _DEPENDENT:
            continue
        if node.kind in FUNCTION_KINDS and node is top:
            _add_instance(node.cursor, tree, found)  # an explicit instantiation
        if node.kind in _REFERENCES and (target := node.referenced) is not None:
            _add_instance(target, tree, found)
        stack.extend(reversed(node.children))
    return found


def _add_instance(target: Cursor, tree: Tree, found: list[tuple[Node, Cursor]]) -> None:
    if kind_of(target) not in FUNCTION_KINDS:
        return
    pattern = library.template_of(target)
    if pattern is None or library.in_system_header(pattern):
        return
    found.append((tree.node(target), pattern))
