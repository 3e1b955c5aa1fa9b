"""The OpenMP tree: constructs in their functions, leaf by leaf, with the attribute of each variable and why.

In: a parsed unit and its device declarations. Out: :class:`OpenMPTree`. On ``target`` the attributes say how a variable
reaches the region, on the other leaves what it is there; what ``target data`` and its relatives map or move is listed
with them. All of it is the analysis that lowering builds on.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.attributes import Attribute, Kind, Origin, Reason
from rexcc.analysis.data_sharing import DataSharing, data_sharing
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.references import collect
from rexcc.analysis.regions import build_region
from rexcc.analysis.sharing import region_data
from rexcc.clang.library import has_global_storage
from rexcc.clang.template_arguments import template_argument
from rexcc.inspection.model import ConstructNode, DirectiveNode, FunctionNode, LeafNode, OpenMPTree, VariableNode
from rexcc.inspection.pragmas import clause_nodes, place_of, pragma_list, statement_of
from rexcc.openmp.model import Clause, MapClause, MotionClause
from rexcc.openmp.unparse import clause_text, expression_text
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import replace

_WORDS = {
    Kind.MAPPED: "map", Kind.MAPPED_IMPLICITLY: "map", Kind.POINTER: "map", Kind.VALUE: "firstprivate",
    Kind.FIRSTPRIVATE: "firstprivate", Kind.DEVICE_POINTER: "is_device_ptr", Kind.DEVICE_ADDRESS: "has_device_addr",
    Kind.PRIVATE: "private", Kind.CONSTANT: "constant", Kind.CONSTANT_ARRAY: "constant",
    Kind.NEEDED_CONSTANT: "constant", Kind.DEVICE_GLOBAL: "device",
    Kind.ALLOCATOR: "uses_allocators", Kind.CLOSURE: "firstprivate",
}  # fmt: skip
_MOVED = {"map": "5.8.3", "to": "5.9.1", "from": "5.9.2"}
_THIS = "the object of a member function is mapped tofrom"
_INHERITING = frozenset({"for", "sections", "single", "scope", "simd", "distribute", "loop", "masked", "critical",
                         "atomic", "taskgroup", "ordered", "section"})  # fmt: skip
_INSIDE = Reason(Origin.PREDETERMINED, "declared inside, with automatic storage", "5.1.1")
_STATIC_INSIDE = Reason(Origin.PREDETERMINED, "declared inside, with static storage", "5.1.1")
_NO_TYPES = "a template without instantiations has no types"


def openmp_tree(unit: ParsedUnit, declared: DeclareTarget) -> OpenMPTree:
    """Return the tree of a unit."""
    declarative = (node for top in pragma_list(unit).directives for node in _declarative(top))
    functions = (_function(unit, declared, function) for function in unit.functions if function.constructs)
    return OpenMPTree(unit.main, tuple(declarative), tuple(functions))


def _declarative(node: DirectiveNode) -> Iterator[DirectiveNode]:
    """Yield the directives that are no constructs, without nesting."""
    if node.active and not node.executable:
        yield replace(node, children=())
    for child in node.children:
        yield from _declarative(child)


def _function(unit: ParsedUnit, declared: DeclareTarget, function: ConstructFunction) -> FunctionNode:
    constructs = tuple(_construct(unit, declared, function, top) for top in function.constructs)
    is_instantiation = function.template is not None and not function.unused
    return FunctionNode(
        _name(function.node.cursor), unit.span(function.template or function.node), is_instantiation, constructs
    )


def _name(cursor: Cursor) -> str:
    """Return a function's name with parameter types, an instantiation's with template arguments too."""
    count = max(0, cursor.get_num_template_arguments())
    arguments = ", ".join(template_argument(cursor, index)[1] for index in range(count))
    return str(cursor.displayname).replace("<>", f"<{arguments}>" if arguments else "", 1) or "a lambda"


def _construct(
    unit: ParsedUnit, declared: DeclareTarget, function: ConstructFunction, construct: Construct
) -> ConstructNode:
    variables: dict[str, list[VariableNode]] = {}
    problem = _NO_TYPES if function.unused else ""
    if not problem:
        try:
            variables = _variables(unit, declared, function, construct)
        except CompileError as found:
            problem = f"{found.diagnostic.message} [{found.diagnostic.code}]"
    return ConstructNode(
        construct.directive.name,
        place_of(construct.probe.site),
        construct.probe.site.resolved.host.text.strip() if construct.probe.site.resolved is not None else "",
        clause_nodes(construct.directive),
        statement_of(unit, construct),
        tuple(_leaf(construct, leaf, variables.get(leaf, [])) for leaf in construct.directive.leaves),
        () if problem else _others(construct, variables),
        () if problem else tuple(_inside(unit, construct)),
        problem,
        tuple(_construct(unit, declared, function, child) for child in construct.children),
    )


def _leaf(construct: Construct, leaf: str, variables: list[VariableNode]) -> LeafNode:
    names = frozenset(index.name for index in construct.environment.indices)
    clauses = construct.clauses_of(leaf, names)
    return LeafNode(leaf, tuple(clause_text(clause) for clause in clauses), tuple(variables))


def _variables(
    unit: ParsedUnit, declared: DeclareTarget, function: ConstructFunction, construct: Construct
) -> dict[str, list[VariableNode]]:
    """Return the attributes on each leaf of a construct."""
    leaves = construct.directive.leaves
    found: dict[str, list[VariableNode]] = {leaf: [] for leaf in leaves}
    found[leaves[0]] += _moved(unit, construct)
    for attribute in data_sharing(unit, construct):
        found[attribute.leaf].append(_shared(unit, attribute))
    if leaves[0] == "target" and construct.body is not None:
        data = region_data(build_region(unit, function, construct), declared)
        found["target"] = [_reaching(unit, attribute) for attribute in data.attributes]
        if data.uses_this:
            found["target"].append(_implicit("this", "map", "map(tofrom: this[0:1])", _THIS, "5.8.1"))
    return found


def _others(construct: Construct, variables: dict[str, list[VariableNode]]) -> tuple[str, ...]:
    """Return the variables that a construct without implicit rules uses and does not name."""
    if construct.body is None or not set(construct.directive.leaves) <= _INHERITING:
        return ()
    named = {node.name for nodes in variables.values() for node in nodes}
    used = (v for v in collect([construct.body]).variables.values() if v.uses)
    return tuple(dict.fromkeys(v.name for v in used if v.name not in named))


def _inside(unit: ParsedUnit, construct: Construct) -> Iterator[VariableNode]:
    """Yield the variables that a construct declares, those of constructs further in and of lambdas left out."""
    further = {child.node.start for child in construct.children}
    waiting = [construct.body] if construct.body is not None else []
    while waiting:
        node = waiting.pop()
        if node.start in further or node.kind == "LAMBDA_EXPR":
            continue
        if node.kind == "VAR_DECL" and node.spelling:
            is_static = has_global_storage(node.cursor)
            word, reason = ("shared", _STATIC_INSIDE) if is_static else ("private", _INSIDE)
            yield _node(unit, Variable(node.cursor), word, word, reason)
        waiting += reversed(node.children)


def _reaching(unit: ParsedUnit, attribute: Attribute) -> VariableNode:
    return _node(unit, attribute.variable, _WORDS[attribute.kind], _detail(attribute), attribute.reason)


def _detail(attribute: Attribute) -> str:
    """Return what the region does with a variable, in the words of clauses."""
    words = [_WORDS[attribute.kind]]
    if attribute.kind is Kind.MAPPED:
        words = list(dict.fromkeys(f"map({c.map_type}: {expression_text(i.whole)})" for c, i, _ in attribute.map_items))
    elif attribute.kind is Kind.MAPPED_IMPLICITLY:
        words = [f"map({attribute.map_type}: {attribute.variable.name})"]
    elif attribute.kind is Kind.POINTER:
        words = [f"map(alloc: {attribute.variable.name}[:0])"]
    elif attribute.kind is Kind.CONSTANT:
        words = [f"constant {attribute.value}"]
    elif attribute.kind in (Kind.CONSTANT_ARRAY, Kind.NEEDED_CONSTANT):
        words = [f"constant {attribute.values}"]
    if attribute.reduction:
        words.append(f"reduction({attribute.reduction})")
    if attribute.copied and attribute.kind not in (Kind.VALUE, Kind.FIRSTPRIVATE):
        words.append("firstprivate")
    return ", ".join([*words, *(["lastprivate"] if attribute.last else [])])


def _shared(unit: ParsedUnit, attribute: DataSharing) -> VariableNode:
    word = attribute.sharing.value
    return _node(unit, attribute.variable, word, word, attribute.reason)


def _moved(unit: ParsedUnit, construct: Construct) -> Iterator[VariableNode]:
    """Yield the items that ``target data`` and its relatives map, and ``target update`` moves."""
    if construct.directive.leaves[0] == "target":
        return
    for clause in construct.directive.clauses:
        if not isinstance(clause, MapClause | MotionClause) or clause.name not in _MOVED:
            continue
        kind = clause.map_type if isinstance(clause, MapClause) else clause.name
        for found in construct.items_of(clause):
            text = expression_text(found.item.whole)
            detail = f"map({kind}: {text})" if isinstance(clause, MapClause) else f"{kind}({text})"
            yield _listed(unit, clause, text, detail, found.variable)


def _listed(unit: ParsedUnit, clause: Clause, text: str, detail: str, variable: Variable | None) -> VariableNode:
    reason = Reason(Origin.EXPLICIT, f"named in '{clause.name}'", _MOVED[clause.name], clause)
    if variable is None:
        return VariableNode(text, "", clause.name, detail, "explicit", reason.rule, reason.section, clause.span, None)
    return _node(unit, variable, clause.name, detail, reason)


def _implicit(name: str, word: str, detail: str, rule: str, section: str) -> VariableNode:
    return VariableNode(name, "", word, detail, Origin.IMPLICIT.value, rule, section, None, None)


def _node(unit: ParsedUnit, variable: Variable, word: str, detail: str, reason: Reason) -> VariableNode:
    return VariableNode(
        variable.name,
        str(variable.cursor.type.spelling),
        word,
        detail,
        reason.origin.value,
        reason.rule,
        reason.section,
        reason.clause.span if reason.clause is not None else None,
        unit.span(unit.tree.node(variable.cursor)),
    )
