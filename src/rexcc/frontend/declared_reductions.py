"""The reductions that a unit declares, with clang's view of their types and expressions.

In: the probes of all files and clang's tree. Out: :class:`DeclaredReduction`, one for each type of each directive. In a
template it has the types of all instantiations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, Tree, kind_of
from rexcc.frontend.declared_probes import BODY, MapperProbe, ReductionProbe
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.declared import DeclaredParts
from rexcc.openmp.model import Expression
from rexcc.source.records import dataclass

UNKNOWN_TYPES = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID", "AUTO"})
"""The kinds of types that only an instantiation knows."""
_PATTERNS = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})


@dataclass(frozen=True, eq=False)
class DeclaredReduction:
    """A user-defined reduction for one type.

    ``nodes`` are its probes, as it is written and for each instantiation around it, ``kinds`` their types; ``scope`` is
    the namespace, class or file that it is declared in. ``block`` is the range of the block around it, in the user's
    offsets, None outside of functions.
    """

    file: ProbedFile
    probe: ReductionProbe
    nodes: tuple[Node, ...]
    kinds: tuple[Type, ...]
    scope: Cursor
    block: tuple[int, int] | None

    @property
    def site(self) -> PragmaSite:
        """The directive's place."""
        return self.probe.site

    @property
    def pattern(self) -> Node:
        """Its probe as it is written."""
        return self.nodes[0]

    @property
    def is_dependent(self) -> bool:
        """Whether its type is known in no instantiation of the template around it."""
        return all(is_unknown(kind) for kind in self.kinds)

    @property
    def parts(self) -> DeclaredParts:
        """The directive's parts."""
        return self.probe.parts

    @property
    def written_type(self) -> Expression:
        """The type as the user wrote it."""
        return self.parts.types[self.probe.index]


def is_unknown(kind: Type) -> bool:
    """Whether only an instantiation knows a type, such as a class that is a member of a template."""
    if types.kind_name(kind) in UNKNOWN_TYPES:
        return True
    around: Cursor | None = kind.get_declaration()
    while around is not None and kind_of(around) in RECORD_KINDS:
        if kind_of(around) in _PATTERNS:
            return True
        around = around.semantic_parent
    return False


def declared_reductions(
    tree: Tree, files: Iterable[ProbedFile], declarations: Iterable[Node], instances: Sequence[Node]
) -> tuple[DeclaredReduction, ...]:
    """Return the declared reductions of a unit; ``instances`` are functions made from templates."""
    roots, used = Roots([*declarations, *instances]), UsedProbes(tree, instances)
    found: list[DeclaredReduction] = []
    for file in files:
        for probe in file.reductions:
            nodes = [*roots.declared(probe, file), *used.of(probe)]
            kinds = [kind for n in nodes if (kind := _type(n)) is not None]
            if nodes and len(kinds) == len(nodes):
                scope = nodes[0].cursor.semantic_parent
                around = block_around(nodes[0], file)
                found.append(DeclaredReduction(file, probe, tuple(nodes), tuple(kinds), scope, around))
    return tuple(found)


def sites_in_functions(file: ProbedFile, declarations: Iterable[Node]) -> frozenset[int]:
    """Return the places of the directives that stand inside functions."""
    bodies = [n for n in _functions(declarations) if n.file == file.scan.source.path]
    places = [(file.original(n.start), file.original(n.end)) for n in bodies]
    return frozenset(s.start for s in file.scan.pragmas if any(a < s.start < b for a, b in places))


def _functions(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        if node.kind in FUNCTION_KINDS:
            yield node
        elif node.kind == "LINKAGE_SPEC":
            yield from _functions(node.children)


class Roots:
    """Declarations and functions below which probes are looked for."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = nodes

    @cached_property
    def _of_files(self) -> dict[str, list[Node]]:
        found: dict[str, list[Node]] = {}
        for node in self._nodes:
            found.setdefault(node.file, []).append(node)
        return found

    def declared(self, probe: ReductionProbe | MapperProbe, file: ProbedFile) -> list[Node]:
        """Return the declarations of a probe, one below each of the roots that has it."""
        roots = self._of_files.get(file.scan.source.path, ())
        return [node for root in roots if (node := _at(root, probe)) is not None]


class UsedProbes:
    """The functions of class templates' probes that functions made from templates use."""

    def __init__(self, tree: Tree, instances: Iterable[Node]) -> None:
        self._tree = tree
        self._instances = instances

    @cached_property
    def _of_names(self) -> dict[str, dict[int, Node]]:
        found: dict[str, dict[int, Node]] = {}
        for node in (node for instance in self._instances for node in instance.walk()):
            used = node.referenced if node.kind == "DECL_REF_EXPR" and node.spelling == BODY else None
            if used is not None and used.semantic_parent is not None:
                of_name = found.setdefault(str(used.semantic_parent.spelling), {})
                of_name.setdefault(int(used.canonical.hash), self._tree.node(used))
        return found

    def of(self, probe: ReductionProbe | MapperProbe) -> list[Node]:
        """Return those of a probe."""
        return list(self._of_names.get(probe.name, {}).values())


def block_around(node: Node, file: ProbedFile) -> tuple[int, int] | None:
    """Return the range of the block that a declaration stands in, in the user's offsets; None outside functions."""
    block = next((a for a in node.ancestors() if a.kind == "COMPOUND_STMT"), None)
    return (file.original(block.start), file.original(block.end)) if block is not None else None


def _at(root: Node, probe: ReductionProbe | MapperProbe) -> Node | None:
    """Return the declaration of a probe below a node of the same file."""
    node: Node | None = root if root.start <= probe.offset < root.end else None
    while node is not None and node.spelling != probe.name:
        node = next((c for c in node.children if c.start <= probe.offset < c.end), None)
    return node


def _type(node: Node) -> Type | None:
    """Return the type of ``omp_out``."""
    found = next((n for n in node.walk() if n.spelling == "omp_out" and n.kind in ("PARM_DECL", "VAR_DECL")), None)
    return types.canonical(found.type) if found is not None else None
