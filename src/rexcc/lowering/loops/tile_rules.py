"""Which loops over the grid are tiled: each thread takes several iterations side by side (the form is in ``tiles``).

In: a kernel whose body has been cleaned up. Out: why its loop is not tiled, or None. A tile evaluates all values of its
iterations before it stores the first, so that their loads are under way together, and what does not depend on the
iteration is computed once (docs/decisions/026-tiles.md).

That needs no proof that loads and stores are apart. Threads execute the iterations of a worksharing loop in any order,
and at the same time, so in a conforming program none reads what another writes: its accesses would race. What orders
iterations, or lets them meet (``ordered``, ``safelen``, atomics, locks, barriers, calls with effects), is not tiled,
and neither is a loop that one thread may execute alone, because the program chooses teams and threads. Inside an
iteration the order stays, but loads may come before stores of the same iteration: they must be apart from those.

It pays where an iteration is light: no branches and loops, a few loads, no functions that need many registers.
"""

from __future__ import annotations

from rexcc.analysis.nests import inner_headers
from rexcc.analysis.references import is_written
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import NOWHERE, OWN, Places, parts, union
from rexcc.lowering.cleanups.syntax import is_plain_scalar
from rexcc.lowering.model.remarks import Reason
from rexcc.source.records import dataclass

MOST_LOADS = 8
"""Loads of an iteration; with more of them one iteration keeps the memory busy, and four need too many registers."""

_GRID = ("target", "teams", "distribute", "parallel", "for")
_ORDERING = ("ordered", "safelen", "linear", "lastprivate")
ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
_STEPS = frozenset({"++", "--", "p++", "p--", "&"})
ELEMENTS = frozenset(
    {
        "BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "LONGLONG",
        "ULONGLONG", "FLOAT", "DOUBLE",
    }
)  # fmt: skip

LIGHT = frozenset(
    {
        "COMPOUND_STMT", "DECL_STMT", "NULL_STMT", "VAR_DECL", "PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR",
        "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "CALL_EXPR",
        "COMPOUND_ASSIGNMENT_OPERATOR", "CONDITIONAL_OPERATOR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR",
        "DECL_REF_EXPR", "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR",
        "TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF", "MEMBER_REF", "CXX_UNARY_EXPR", "CXX_THIS_EXPR",
    }
)  # fmt: skip
"""What an iteration may consist of."""

_MORE = "there is more than declarations and assignments in it"

_FUNCTIONS = ("sqrt", "rsqrt", "fabs", "fma", "fmin", "fmax", "min", "max", "floor", "ceil", "trunc", "rint", "round",
              "copysign", "exp", "exp2", "log", "log2", "log10", "pow")  # fmt: skip
LIGHT_CALLS = frozenset({"abs", "labs", "llabs", *(f"{n}{s}" for n in _FUNCTIONS for s in ("", "f"))})
"""Functions of a few instructions, and those that are long but need no local memory."""


@dataclass(frozen=True)
class TileRules:
    """The statements of an iteration: ``stores`` are those that assign to memory, in order, the others come before."""

    stores: tuple[Node, ...]


def tile_rules(context: CleanupContext, numbered: bool, threads_meet: bool) -> TileRules | Reason:
    """Return the stores of a loop that is tiled, or why it is not."""
    refused = refused_by_form(context, numbered, threads_meet)
    if refused:
        return Reason(refused)
    statements = statements_of(context.scope)
    for statement in statements:
        reason = heavy_statement(context, statement)
        if reason is not None:
            return reason
    stores = tuple(s for s in statements if is_store(context, s))
    if not stores and not context.stored:
        return Reason("it stores nothing")
    for store in stores:
        if not _is_element(store.bare().children[0]):
            return Reason("what is stored here is no number", store)
    if _loads(context, statements) > MOST_LOADS:
        return Reason(f"an iteration has more than {MOST_LOADS} loads")
    overtaken = _overtaken(context, statements)
    if overtaken is not None:
        return Reason("what this reads may be what the iteration has stored before", overtaken)
    return TileRules(stores)


def refused_by_form(
    context: CleanupContext, numbered: bool, threads_meet: bool, allowed: tuple[str, ...] = (), groups: bool = False
) -> str:
    """Return why no thread can take several iterations of a loop side by side, whatever they do, empty for nothing.

    ``allowed`` are the constructs that may stand in an iteration. ``groups``: it is asked for groups of threads, which
    may reduce and be those of ``simd``.
    """
    region, shape = context.kernel.region, context.kernel.geometry
    if tuple(leaf for leaf in region.leaves if leaf != "simd" or not groups) != _GRID:
        return "its threads are not those of all teams"
    if shape.reduces and not groups:
        return "it reduces"
    if shape.teams is not None or shape.teams_if:
        return "the program chooses its teams"
    ordering = next((p.clause.name for p in region.clauses(*_ORDERING)), "")
    if ordering or numbered:
        return f"of '{ordering or 'lastprivate'}'"
    inside = region.constructs[-1].descendants()
    if threads_meet and (unknown := context.unknown_functions()):
        return f"it calls '{unknown[0]}', which another file defines"
    if threads_meet or any(c.directive.name not in allowed for c in inside):
        return "its threads meet"
    if region.sequential or inner_headers(region.loops) or not all(x.is_integer for x in region.loops):
        return "of the form of its loops"
    return ""


def statements_of(scope: Node) -> list[Node]:
    """Return the statements of an iteration."""
    return list(scope.children) if scope.kind == "COMPOUND_STMT" else [scope]


def heavy_statement(context: CleanupContext, statement: Node) -> Reason | None:
    """Return what makes an iteration more than a few instructions, or hides what it does."""
    top = statement.bare()
    if top.kind == "IF_STMT":
        return _heavy_choice(context, top)
    if top.kind == "COMPOUND_STMT":
        return Reason(_MORE, statement)
    if top.operator in ASSIGNMENTS:
        reason = next((r for r in (heavy_part(context, child) for child in top.children) if r is not None), None)
    else:
        reason = heavy_part(context, statement)
    if reason is not None:
        return reason
    if top.kind in ("NULL_STMT", "DECL_STMT") or top.operator in ASSIGNMENTS:
        return None
    return Reason("this statement assigns nothing", statement)


def _heavy_choice(context: CleanupContext, statement: Node) -> Reason | None:
    """Return what keeps an ``if`` from being a choice among values: its branches may assign to locals alone."""
    condition, *branches = statement.children
    reason = heavy_part(context, condition)
    for inner in (s for branch in branches for s in statements_of(branch)):
        reason = reason or heavy_statement(context, inner)
        if reason is None and is_store(context, inner):
            reason = Reason("this is stored under a condition", inner)
    return reason


def heavy_part(context: CleanupContext, part: Node, inside: bool = False) -> Reason | None:
    """Return what makes an expression or a declaration more than a few instructions, or hides what it does.

    ``inside``: its order among the others of its iteration stays, so it may change what it likes; parts that others
    are in are looked at one by one.
    """
    for node in [part] if inside else part.walk():
        if node.kind not in LIGHT:
            return Reason(_MORE, node)
        if node.kind == "CALL_EXPR" and not _is_light_call(context, node):
            return Reason("this call is not one of the few that are known to be light", node)
        if not inside and (node.operator in ASSIGNMENTS or _is_step(node)):
            return Reason("this changes a value or takes an address inside an expression", node)
        if types.is_volatile(node.type):
            return Reason("this is volatile", node)
        if node.kind == "VAR_DECL" and not _is_light_variable(node):
            return Reason("this variable is no number or pointer of the iteration alone", node)
    return None


def leads_to_element(node: Node) -> bool:
    """Whether a node names a number in memory through a subscript or a pointer."""
    leads = node.kind == "ARRAY_SUBSCRIPT_EXPR" or (node.kind == "UNARY_OPERATOR" and node.operator == "*")
    return leads and types.is_scalar(node.type)


def _is_step(node: Node) -> bool:
    return node.kind == "UNARY_OPERATOR" and node.operator in _STEPS


def _is_light_call(context: CleanupContext, call: Node) -> bool:
    callee = call.referenced
    if callee is None:
        return False
    definition = callee.get_definition()
    if definition is not None and not library.in_system_header(definition):
        return _is_formula(context.kernel.region.unit.tree.node(definition))
    return call.spelling.removeprefix("__builtin_") in LIGHT_CALLS


def _is_formula(function: Node) -> bool:
    """Whether a function does no more than to compute with its parameters: ``return i * n + j;``."""
    body = next((child for child in function.children if child.kind == "COMPOUND_STMT"), None)
    if function.kind != "FUNCTION_DECL" or body is None or [s.kind for s in body.children] != ["RETURN_STMT"]:
        return False
    return all(_is_arithmetic(node) for statement in body.children for node in statement.walk())


def _is_arithmetic(node: Node) -> bool:
    if node.kind == "DECL_REF_EXPR":
        return node.referenced is not None and kind_of(node.referenced) == "PARM_DECL" and is_plain_scalar(node.type)
    if node.operator in ASSIGNMENTS or _is_step(node) or node.operator == ",":
        return False
    is_access = node.kind in ("CALL_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR")
    is_access |= node.kind == "UNARY_OPERATOR" and node.operator == "*"
    return not is_access and (node.kind in LIGHT or node.kind == "RETURN_STMT")


def _is_light_variable(variable: Node) -> bool:
    kind = variable.type
    if library.has_global_storage(variable.cursor):
        return False
    return is_plain_scalar(types.without_reference(kind)) or types.is_pointer(kind)


def is_store(context: CleanupContext, statement: Node) -> bool:
    """Whether a statement assigns to memory; an element that lives in a local is none."""
    top = statement.bare()
    if top.operator not in ASSIGNMENTS:
        return False
    target = top.children[0]
    if context.memory.provenance.place(target) == frozenset({OWN}):
        return False
    return not context.is_in_local(target)


def _is_element(target: Node) -> bool:
    kind = types.canonical(target.type)
    return types.kind_name(kind) in ELEMENTS and not types.is_volatile(kind) and not is_bit_field(target.bare())


def _loads(context: CleanupContext, statements: list[Node]) -> int:
    """Count the elements that an iteration reads; one that is written twice the same way is read once."""
    own = frozenset({OWN})
    found: set[str] = {element.place for element in context.stored}
    for statement in statements:
        for node in statement.walk():
            if leads_to_element(node) and not is_written(node) and not context.is_in_local(node):
                found.add("" if context.memory.provenance.place(node) == own else context.body.original(node))
    return len(found - {""})


def _overtaken(context: CleanupContext, statements: list[Node]) -> Node | None:
    """Return a statement that reads what one before it may have stored; in a tile stores come last."""
    written: Places = NOWHERE
    for statement in statements:
        if not context.memory.all_apart(_read(context, statement), written):
            return statement
        if is_store(context, statement):
            written = union(written, context.memory.provenance.place(statement.bare().children[0]))
    return None


def _read(context: CleanupContext, statement: Node) -> Places:
    """Return what a statement reads; an assignment does not read its target, a compound one does."""
    top = statement.bare()
    if top.operator != "=":
        return context.memory.effects(statement).read
    target, value = top.children
    return union(context.memory.effects(value).read, _read_for_address(context, target.bare()))


def _read_for_address(context: CleanupContext, target: Node) -> Places:
    """Return what is read to find an object: indices, and pointers on the way; not the arrays and objects it is in."""
    inner = parts(target)
    if not inner:
        return NOWHERE
    below = inner[0].bare()
    is_inside = types.is_array(below.type) or types.is_record(below.type)
    walks_on = target.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") and is_inside
    found = _read_for_address(context, below) if walks_on else context.memory.effects(inner[0]).read
    for part in inner[1:]:
        found = union(found, context.memory.effects(part).read)
    return found
