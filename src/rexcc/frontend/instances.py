"""Find the instantiations of function templates and of methods of class templates.

In: the user's top-level declarations. Out: for each pattern, its instantiated definitions with typed bodies, in the
order in which the program reaches them. libclang does not list instantiations; calls and friends lead to them (explicit
instantiations have a friend declaration in the parsed buffer).
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of
from rexcc.frontend.written_instances import start_of_instance

_REFERENCES = frozenset({"CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR"})
_DEPENDENT = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})


def instantiations(tree: Tree, declarations: Sequence[Node]) -> dict[int, tuple[Node, ...]]:
    """Return the instantiations by the hash of their pattern's canonical cursor."""
    found: dict[int, list[Node]] = {}
    seen: set[str] = set()
    waiting: list[Node] = [n for n in declarations if not n.kind.startswith(("MACRO", "INCLUSION"))]
    while waiting:
        for instance, pattern in _referenced_instances(waiting.pop(0), tree):
            name = identity(instance.cursor)
            if name in seen:
                continue
            seen.add(name)
            found.setdefault(int(pattern.canonical.hash), []).append(instance)
            waiting.append(instance)
    return {key: tuple(nodes) for key, nodes in found.items()}


def identity(instance: Cursor) -> str:
    """Return a text that tells the instances of all templates apart."""
    return f"{instance.get_usr()} {instance.mangled_name}"


def written_instances(declarations: Sequence[Node]) -> dict[str, Node]:
    """Return, by identity, the structs that stand after explicit instantiations in the parsed buffer."""
    found: dict[str, Node] = {}
    waiting = list(declarations)
    while waiting:
        node = waiting.pop()
        if node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            waiting += node.children
        if node.kind == "STRUCT_DECL" and start_of_instance(node.spelling) is not None:
            functions = [f.cursor for c in node.children for f in c.children if f.kind in FUNCTION_KINDS]
            functions += [n.referenced for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None]
            found |= {identity(f.get_definition() or f): node for f in functions}
    return found


def _referenced_instances(top: Node, tree: Tree) -> list[tuple[Node, Cursor]]:
    found: list[tuple[Node, Cursor]] = []
    stack = [top]
    while stack:
        node = stack.pop()
        if node.kind in _DEPENDENT:
            continue
        if node.kind == "FRIEND_DECL":
            for friend in node.children:
                _add_instance(friend.cursor, tree, found)
        if node.kind in _REFERENCES and (target := node.referenced) is not None:
            _add_instance(target, tree, found)
        stack.extend(reversed(node.children))
    return found


def _add_instance(target: Cursor, tree: Tree, found: list[tuple[Node, Cursor]]) -> None:
    if kind_of(target) not in FUNCTION_KINDS:
        return
    pattern = _pattern(target)
    if pattern is None or library.in_system_header(pattern):
        return
    instance = target.get_definition() or target
    if _place(instance) in (_place(pattern), _place(pattern.get_definition() or pattern)):
        found.append((tree.node(instance), pattern))


def _pattern(instance: Cursor) -> Cursor | None:
    """Return the template that the program's text has: a member template of a class template is instantiated twice."""
    pattern = library.template_of(instance)
    while pattern is not None and (outer := library.template_of(pattern)) is not None:
        pattern = outer
    return pattern


def _place(cursor: Cursor) -> tuple[str, int]:
    """Return where a name is declared: an instance's is its template's, a specialisation has a place of its own."""
    return str(cursor.location.file), int(cursor.location.offset)
