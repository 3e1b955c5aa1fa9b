"""Methods of classes that functions declare, and lambdas in the initialisers of such classes' members: their constructs
are found as those of the function around them.

In: a unit. Out: each such method as a function with constructs of its own, for device code has such a class apart from
the function.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit


class LocalMethods:
    """The methods of local classes, and their lambdas, that hold constructs, with the functions around them."""

    def __init__(self, unit: ParsedUnit) -> None:
        patterns: dict[tuple[str, int], Node] = {}
        self.all = tuple((owner, method) for owner in unit.functions for method in _methods(owner, patterns))
        written = (method.template or method.node for _, method in self.all)
        self.places = frozenset((node.file, node.start) for node in written)


def _methods(owner: ConstructFunction, patterns: dict[tuple[str, int], Node]) -> Iterator[ConstructFunction]:
    found: dict[int, tuple[Node, list[Construct]]] = {}
    for construct in owner.walk():
        method = _method_of(construct.node, owner.node)
        if method is not None and (construct.parent is None or not construct.parent.node.is_inside(method)):
            found.setdefault(method.start, (method, []))[1].append(construct)
    for method, constructs in found.values():
        written = _pattern(owner, method, patterns)
        yield ConstructFunction(method, written, tuple(constructs), owner.unused, owner.place)


def _method_of(node: Node, owner: Node) -> Node | None:
    """Return the innermost method around a node inside of a function, or the lambda in a member's initialiser, None
    where the function itself has it."""
    called: Node | None = None
    for above in node.ancestors():
        if above.kind == "LAMBDA_EXPR":
            called = above
        if above.kind == "FIELD_DECL":
            return called
        if above.kind in FUNCTION_KINDS:
            is_own = (above.file, above.start) == (owner.file, owner.start)
            is_method = above.parent is not None and above.parent.kind in RECORD_KINDS
            return above if is_method and not is_own else None
    return None


def _pattern(owner: ConstructFunction, method: Node, patterns: dict[tuple[str, int], Node]) -> Node | None:
    """Return a method as a template around it has it, the same for all instantiations."""
    place = (method.file, method.start)
    if owner.template is None:
        return None
    if place not in patterns:
        walked = (n for n in owner.template.walk() if n.kind == method.kind)
        patterns[place] = next((n for n in walked if (n.file, n.start) == place), method)
    return patterns[place]
