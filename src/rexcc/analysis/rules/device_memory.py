"""Storage that the device has never got: legal, and a fault or an error when it runs.

In: how a function uses its variables. Out: warnings, where the function itself shows that nothing maps the storage: a
local variable whose address goes nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.references import is_written
from rexcc.analysis.rules.results import is_in_region, regions
from rexcc.analysis.rules.uses import FunctionUses, element
from rexcc.clang import types
from rexcc.clang.tree import NAME_KINDS, Node
from rexcc.openmp.model import MotionClause
from rexcc.program.constructs import ResolvedItem
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note

_ALLOCATING = frozenset({"malloc", "calloc", "realloc", "aligned_alloc", "memalign"})
_HARMLESS = frozenset({"free", "memset", "memcpy", "memmove", "printf", "fprintf", "fread", "fwrite", "fgets"})
_UNIFIED = frozenset({"unified_shared_memory", "unified_address", "self_maps"})


def check_unmapped_pointers(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of a pointer to memory of the host that a region follows, which nothing in the function maps."""
    if has_one_memory(facts):
        return
    for region in regions(facts):
        for variable in variables_around(facts, region.body):
            listed = facts.listed.get(variable, ())
            if region.body is None or not types.is_pointer(variable.type) or not all(map(_maps_pointer, listed)):
                continue
            used = next((u for u in facts.inside(variable, region.body) if element(u) is not u.in_parentheses()), None)
            origin = _host_memory(facts, variable) if used is not None else None
            if used is None or origin is None:
                continue
            name = variable.name
            missed = f"'map({name})' maps the pointer without that" if listed else "nothing maps that"
            message = f"'{name}' points to memory of the host, and {missed}; map({name}[0 : n]) does"
            note = Note("it gets its value here", facts.unit.span(origin))
            sink.warning("omp-unmapped-pointer", message, facts.unit.span(used), note)


def _maps_pointer(entry: ResolvedItem) -> bool:
    """Whether a clause maps a pointer itself, and nothing of what it points to."""
    return entry.clause.name == "map" and entry.item.whole.text.strip().isidentifier()


def variables_around(facts: FunctionUses, body: Node | None) -> Iterator[Variable]:
    """Yield the variables that a region uses, without its own: these get memory of the device."""
    for variable in facts.used_in(body) if body is not None else ():
        if body is not None and not facts.unit.tree.node(variable.cursor).is_inside(body):
            yield variable


def has_one_memory(facts: FunctionUses) -> bool:
    """Whether host and device share their memory."""
    return any(c.name in _UNIFIED for _, d in facts.unit.declaratives if d.name == "requires" for c in d.clauses)


def _host_memory(facts: FunctionUses, variable: Variable) -> Node | None:
    """Return where a local pointer gets memory of the host, None unless it can have no other and goes nowhere."""
    if variable.is_global or variable.cursor.kind.name != "VAR_DECL" or types.is_reference(variable.type):
        return None
    found = allocation(initial_value(facts, variable))
    for use in facts.of(variable):
        if is_written(use):
            parent = use.in_parentheses().parent
            plain = parent is not None and parent.kind == "BINARY_OPERATOR" and parent.operator == "="
            origin = allocation(parent.children[1]) if plain and parent is not None else None
            if origin is None or is_in_region(facts, use):
                return None
            found = found or origin
        elif element(use) is use.in_parentheses() and not is_harmless(use):
            return None
    return found


def initial_value(facts: FunctionUses, variable: Variable) -> Node | None:
    """Return what a variable of the function is initialised with."""
    for node in facts.function.node.walk():
        if node.kind == "VAR_DECL" and Variable(node.cursor) == variable:
            values = [c for c in node.children if c.kind not in NAME_KINDS]
            return values[-1] if values else None
    return None


def allocation(value: Node | None) -> Node | None:
    """Return an expression if it is new memory of the host."""
    node = value.bare() if value is not None else None
    while node is not None and node.kind in ("CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR"):
        node = node.children[-1].bare() if node.children else None
    if node is None:
        return None
    if node.kind == "CXX_NEW_EXPR":
        return node
    return node if node.kind == "CALL_EXPR" and node.spelling in _ALLOCATING else None


def is_harmless(use: Node) -> bool:
    """Whether the use of a pointer itself tells nobody else of it: a test, ``free``, ``delete``, output."""
    for above in use.ancestors():
        if above.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR"):
            continue
        if above.kind == "CALL_EXPR":
            return above.spelling in _HARMLESS
        is_test = above.kind == "BINARY_OPERATOR" and above.operator in ("==", "!=", "&&", "||")
        return is_test or above.kind in ("CXX_DELETE_EXPR", "IF_STMT") or above.operator == "!"
    return False


def check_unmapped_updates(facts: FunctionUses, sink: DiagnosticSink) -> None:
    """Warn of an update of a local variable that no construct of the function maps and that goes nowhere else."""
    for variable, entries in facts.listed.items():
        if any(e.clause.name in ("map", "enter", "link") for e in entries) or variable not in facts.uses:
            continue
        update = next((e for e in entries if isinstance(e.clause, MotionClause)
                       and e.construct.directive.name == "target update"), None)  # fmt: skip
        if update is None or not update.item.base.text.strip().isidentifier():
            continue
        if update.construct.directive.has("device") or not _stays_here(facts, variable):
            continue
        if any(m.name == "present" for m in getattr(update.clause, "modifiers", ())):
            continue
        message = f"'{variable.name}' is on no device: nothing in this function maps it, so this moves nothing"
        sink.warning("omp-unmapped-update", message, update.item.whole.span)


def _stays_here(facts: FunctionUses, variable: Variable) -> bool:
    """Whether a local variable, or what it points to, is known to nobody outside of the function."""
    if variable.is_global or variable.cursor.kind.name != "VAR_DECL" or types.is_reference(variable.type):
        return False
    if types.is_pointer(variable.type):
        return _host_memory(facts, variable) is not None
    if types.is_array(variable.type):
        return all(element(u) is not u.in_parentheses() or is_harmless(u) for u in facts.of(variable))
    return types.is_scalar(variable.type) and not any(_is_address(u) for u in facts.of(variable))


def _is_address(use: Node) -> bool:
    parent = use.in_parentheses().parent
    if parent is None:
        return True
    return parent.operator == "&" or parent.kind in ("CALL_EXPR", "VAR_DECL", "INIT_LIST_EXPR", "LAMBDA_EXPR")
