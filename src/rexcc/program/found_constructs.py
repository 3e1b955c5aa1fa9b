"""Constructs of a unit's functions, found by the probe statements in clang's tree.

In: the user's declarations, the instantiations of templates, and files with probes. Out: each function with its
outermost constructs; these have their parts below. A construct of a template is found once per instantiation, because
only there do its types have names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rexcc.clang.scopes import scope_of
from rexcc.clang.tree import BODIES, FUNCTION_KINDS, Node, kind_of
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.instance_places import InstancePlaces
from rexcc.frontend.instances import Instances, take_places
from rexcc.frontend.probe import Probe, ProbedFile, nodes_at, probed_expressions
from rexcc.program.constructs import Construct, ConstructFunction

_NESTING_KINDS = frozenset({"FRIEND_DECL", "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})

_INITIALISED = frozenset({"VAR_DECL", "FIELD_DECL", "TYPE_ALIAS_DECL", "TYPEDEF_DECL"})
"""What has lambdas outside of functions: initialisers, and types that are asked of an expression. Of the specialisation
of a variable's template the expression alone is shown."""

_OF_BODIES = frozenset({"WHILE_STMT"})
PROBE_KINDS = _OF_BODIES | {"BINARY_OPERATOR", "CSTYLE_CAST_EXPR"}
"""What the nodes of constructs can be."""


def functions_with_constructs(
    declarations: tuple[Node, ...], made: Instances, files: dict[str, ProbedFile], is_whole: bool
) -> tuple[ConstructFunction, ...]:
    """Return every function that holds a construct, those that templates make once per instantiation.

    ``is_whole``: the base language has no errors, with which instantiations may lack what their template has.
    """
    patterns = [n for top in declarations for n in _function_definitions(top) if _probes_in(n, files)]
    places = InstancePlaces(made, declarations, files)
    found: list[ConstructFunction] = []
    for pattern in patterns:
        if not _is_dependent(pattern):
            found.append(ConstructFunction(pattern, None, _constructs(pattern, files)))
            continue
        instances, outermost = made.of(pattern.cursor), _constructs(pattern, files)
        has_packs = "..." in files[pattern.file].buffer[pattern.start : pattern.end]
        for instance in instances:
            if has_packs:
                take_places(instance, pattern)
            constructs = _constructs(instance, files)
            if is_whole:
                _require_all(outermost, constructs, instance, has_packs)
            found.append(ConstructFunction(instance, pattern, constructs, place=places.of(instance)))
        if instances:
            outermost = tuple(_discarded_by_all(outermost, instances))
        if outermost or not instances:
            found.append(ConstructFunction(pattern, pattern, outermost, unused=True))
    return tuple(found)


def _require_all(written: Iterable[Construct], made: Iterable[Construct], instance: Node, has_packs: bool) -> None:
    """Fail where an instantiation has a construct of its template that was not found there: it must not get lost."""
    known = {construct.probe.offset for top in made for construct in top.walk()}
    for construct in (inner for top in written for inner in top.walk()):
        offset = construct.probe.offset
        if offset in known or (has_packs and _may_be_expanded(construct)):
            continue
        if any(above.kind.startswith("TEMPLATE_") for above in construct.node.ancestors()):
            continue  # a default argument of the template's, which lowering refuses
        if not _is_discarded(instance, offset):
            where = construct.directive.span.place
            raise LookupError(f"'{construct.directive.name}' at {where} is not found in an instantiation")


def _may_be_expanded(construct: Construct) -> bool:
    """Whether a construct may stand in the expansion of a pack, in a lambda: of an empty one nothing is made."""
    text = construct.file.buffer
    for above in construct.node.ancestors():
        if above.kind == "LAMBDA_EXPR":
            statement = above
            while statement.parent is not None and statement.parent.kind not in ("COMPOUND_STMT", *FUNCTION_KINDS):
                statement = statement.parent
            if "..." in text[statement.start : above.start] + text[above.end : statement.end]:
                return True
    return False


def _discarded_by_all(constructs: Iterable[Construct], instances: Sequence[Node]) -> Iterator[Construct]:
    """Yield the outermost of a template's constructs that stand in statements which every instantiation discards."""
    for construct in constructs:
        if all(_is_discarded(instance, construct.probe.offset) for instance in instances):
            yield construct
        else:
            yield from _discarded_by_all(construct.children, instances)


def _is_discarded(instance: Node, offset: int) -> bool:
    """Whether an instantiation has nothing at a place: ``if constexpr`` leaves an empty block there."""
    node: Node | None = instance
    inside = instance
    while node is not None:
        inside, node = node, node.child_at(offset)
    return inside.kind == "COMPOUND_STMT" and not inside.children


def _function_definitions(node: Node) -> Iterator[Node]:
    if node.kind in FUNCTION_KINDS:
        if any(c.kind in BODIES for c in node.children):
            yield node
        return
    if node.kind in _NESTING_KINDS or node.kind.endswith(("STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "CLASS_TEMPLATE")):
        for child in node.children:
            yield from _function_definitions(child)
    if node.kind in ("CLASS_TEMPLATE_PARTIAL_SPECIALIZATION",):
        for child in node.children:
            yield from _function_definitions(child)
    if node.kind in _INITIALISED or node.cursor.kind.is_expression():
        yield from (inner for inner in node.walk() if inner.kind == "LAMBDA_EXPR")


def _is_dependent(function: Node) -> bool:
    if function.kind == "FUNCTION_TEMPLATE":
        return True
    cursor = scope_of(function.cursor)
    while cursor is not None and not cursor.kind.is_translation_unit():
        if kind_of(cursor) in ("CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"):
            return True
        cursor = cursor.semantic_parent
    return False


def _probes_in(node: Node, files: dict[str, ProbedFile]) -> list[Probe]:
    file = files.get(node.file)
    if file is None:
        return []
    start, end = node.start, node.end
    return [p for p in file.probes if start <= p.offset < end]


def _constructs(function: Node, files: dict[str, ProbedFile]) -> tuple[Construct, ...]:
    file = files[function.file]
    outermost: list[Construct] = []
    open_constructs: list[Construct] = []
    for probe in _probes_in(function, files):
        while open_constructs and _has_ended(open_constructs[-1], probe.offset):
            open_constructs.pop()
        made = _construct(function, file, probe, open_constructs)
        if made is None:
            continue  # inactive code
        (made.parent.children if made.parent else outermost).append(made)
        open_constructs.append(made)
    return tuple(outermost)


def _has_ended(construct: Construct, offset: int) -> bool:
    return construct.body is None or construct.body.end <= offset


def _construct(function: Node, file: ProbedFile, probe: Probe, before: list[Construct]) -> Construct | None:
    parent = next((c for c in reversed(before) if c.body and c.body.start <= probe.offset < c.body.end), None)
    standalone = form_of(probe.directive) is Form.STANDALONE
    node = _descend(parent.body if parent and parent.body else function, probe.offset, standalone)
    if node is None:
        return None
    body = None if standalone else node.children[-1]
    expressions = dict(
        zip(probed_expressions(probe.directive), _expression_nodes(node, probe, standalone), strict=True)
    )
    resolved = {e: n for e, n in expressions.items() if n is not None}
    return Construct(probe.directive, probe, file, node, body, function, resolved, parent)


def _descend(top: Node, offset: int, standalone: bool) -> Node | None:
    """Return the probe statement that starts at an offset."""
    node = top
    while True:
        if node.start == offset and node.kind in (PROBE_KINDS if standalone else _OF_BODIES):
            return node
        inside = node.child_at(offset)
        if inside is None:
            return None
        node = inside


def _expression_nodes(node: Node, probe: Probe, standalone: bool) -> list[Node | None]:
    """Return the outermost node at the place of each probed expression."""
    top = node if standalone or not node.children else node.children[0]
    return nodes_at(top, probe.places)
