"""The mappers that a unit declares, with clang's view of their types and list items.

In: the probes of all files and clang's tree. Out: :class:`DeclaredMapper`, one for each directive. In a
template it has the types of all instantiations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.tree import Node, Tree
from rexcc.frontend.declared_probes import MapperProbe
from rexcc.frontend.declared_reductions import Roots, UsedProbes, block_around, is_unknown
from rexcc.frontend.probe import ProbedFile, nodes_at, probed_expressions
from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.declared import MapperParts
from rexcc.openmp.model import Directive, Expression
from rexcc.source.records import dataclass
from rexcc.source.text import Span


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
        return any(is_unknown(types.canonical(n.type)) for n in found)

    @property
    def directive(self) -> Directive:
        """The directive."""
        return self.probe.directive

    @property
    def span(self) -> Span:
        """The directive's place in the user's text."""
        return self.probe.directive.span


def declared_mappers(
    tree: Tree, files: Iterable[ProbedFile], declarations: Iterable[Node], instances: Sequence[Node]
) -> tuple[DeclaredMapper, ...]:
    """Return the declared mappers of a unit in the order of the text; ``instances`` are functions made from
    templates."""
    declared, made, used = Roots(declarations), Roots(instances), UsedProbes(tree, instances)
    found: list[DeclaredMapper] = []
    for file in files:
        for probe in file.mappers:
            patterns = declared.declared(probe, file)
            nodes = made.declared(probe, file) or used.of(probe) or patterns
            pairs = [(n, v) for n in nodes if (v := _variable(n, probe)) is not None]
            if pairs:
                found.append(_mapper(file, probe, pairs, (patterns or nodes)[0]))
    return tuple(found)


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
