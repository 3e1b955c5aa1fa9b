"""The mappers that a unit declares, with clang's view of their types and list items.

In: the probes of all files and clang's tree. Out: :class:`DeclaredMapper`, one for each directive. In a
template it has the types of all instantiations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.library import template_of
from rexcc.clang.tree import Node, Tree
from rexcc.frontend.declared_probes import MapperProbe
from rexcc.frontend.declared_reductions import block_around, declared_nodes
from rexcc.frontend.probe import ProbedFile, nodes_at, probed_expressions
from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.declared import MapperParts
from rexcc.openmp.model import Directive, Expression
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_UNKNOWN_TYPES = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID", "AUTO"})


@dataclass(frozen=True, eq=False)
class DeclaredMapper:
    """A user-defined mapper.

    ``pattern`` is its probe as it is written, ``nodes`` are its probes, one for each instantiation around it, ``kinds``
    their types, ``variables`` what stands for the variable in them and ``expressions`` clang's view of what the clauses
    name; ``scope`` is the namespace, class or file that it is declared in. ``block`` is the range of the block around
    it, in the user's offsets, None outside of functions.
    """

    file: ProbedFile
    probe: MapperProbe
    pattern: Node
    nodes: tuple[Node, ...]
    kinds: tuple[Type, ...]
    variables: tuple[Node, ...]
    expressions: tuple[dict[Expression, Node], ...]
    scope: Cursor
    block: tuple[int, int] | None

    @property
    def site(self) -> PragmaSite:
        """The directive's place."""
        return self.probe.site

    @property
    def parts(self) -> MapperParts:
        """The directive's parts."""
        return self.probe.parts

    @property
    def is_dependent(self) -> bool:
        """Whether its types are known in no instantiation of the template around it."""
        found = [*self.variables, *(n for expressions in self.expressions for n in expressions.values())]
        return any(types.kind_name(types.canonical(n.type)) in _UNKNOWN_TYPES for n in found)

    @property
    def directive(self) -> Directive:
        """The directive."""
        return self.probe.directive

    @property
    def span(self) -> Span:
        """The directive's place in the user's text."""
        return self.probe.directive.span


class Instance(Protocol):
    """A function with constructs; ``template`` is the pattern that it was made from."""

    @property
    def node(self) -> Node:
        """Its definition."""

    @property
    def template(self) -> Node | None:
        """Its pattern."""


def declared_mappers(
    tree: Tree, files: Iterable[ProbedFile], declarations: Iterable[Node], instances: Sequence[Node]
) -> tuple[DeclaredMapper, ...]:
    """Return the declared mappers of a unit in the order of the text; ``instances`` are functions made from
    templates."""
    found: list[DeclaredMapper] = []
    for file in files:
        for probe in file.mappers:
            patterns = declared_nodes(declarations, probe, file)
            nodes = declared_nodes(instances, probe, file) or _used(tree, probe, instances) or patterns
            pairs = [(n, v) for n in nodes if (v := _variable(n, probe)) is not None]
            if pairs:
                found.append(_mapper(file, probe, pairs, (patterns or nodes)[0]))
    return tuple(found)


def uses_in_templates(mappers: Iterable[DeclaredMapper], functions: Sequence[Instance]) -> dict[str, dict[int, str]]:
    """Return statements that use the mappers of class templates, for each file by the offset.

    Put into the members of these classes, they make clang give the probes types, which only functions that are used
    have.
    """
    found: dict[str, dict[int, str]] = {}
    for mapper in mappers:
        if not mapper.is_dependent or mapper.block is not None:
            continue
        for function in functions:
            body = _body(function)
            if body is not None and body.file == mapper.pattern.file and _is_member(function.node.cursor, mapper.scope):
                texts = found.setdefault(body.file, {})
                start = mapper.file.original(body.start) + 1
                use = f" (void)&{mapper.probe.name}::f; "
                if use not in texts.get(start, ""):
                    texts[start] = texts.get(start, "") + use
    return found


def _body(function: Instance) -> Node | None:
    """Return the body of the pattern that a function was made from, None for other functions."""
    pattern = function.template
    if pattern is None or pattern is function.node:
        return None
    return next((c for c in pattern.children if c.kind == "COMPOUND_STMT"), None)


def _is_member(function: Cursor, pattern: Cursor) -> bool:
    scope = function.semantic_parent
    while scope is not None and not scope.kind.is_translation_unit():
        made_from = template_of(scope)
        if made_from is not None and made_from.canonical == pattern.canonical:
            return True
        scope = scope.semantic_parent
    return False


def _used(tree: Tree, probe: MapperProbe, instances: Iterable[Node]) -> list[Node]:
    """Return the probes that functions made from templates use."""
    found: dict[int, Node] = {}
    for instance in instances:
        for node in instance.walk():
            used = node.referenced if node.kind == "DECL_REF_EXPR" and node.spelling == "f" else None
            if used is not None and used.semantic_parent is not None and used.semantic_parent.spelling == probe.name:
                found.setdefault(int(used.canonical.hash), tree.node(used))
    return list(found.values())


def _mapper(file: ProbedFile, probe: MapperProbe, pairs: list[tuple[Node, Node]], pattern: Node) -> DeclaredMapper:
    nodes, variables = zip(*pairs, strict=True)
    wanted = probed_expressions(probe.directive)
    resolved = [zip(wanted, nodes_at(n, probe.places), strict=True) for n in nodes]
    expressions = tuple({e: found for e, found in pairs if found is not None} for pairs in resolved)
    kinds = tuple(_type(v) for v in variables)
    scope, block = pattern.cursor.semantic_parent, block_around(pattern, file)
    return DeclaredMapper(file, probe, pattern, nodes, kinds, variables, expressions, scope, block)


def _variable(node: Node, probe: MapperProbe) -> Node | None:
    name = probe.parts.variable.text.strip()
    return next((n for n in node.walk() if n.spelling == name and n.kind in ("PARM_DECL", "VAR_DECL")), None)


def _type(variable: Node) -> Type:
    return types.canonical(variable.type)
