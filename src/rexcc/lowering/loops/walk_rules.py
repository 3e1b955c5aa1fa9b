"""Which loops walk along memory with a pointer (the form, and why it cannot be noticed, is in ``walks``).

In: a function that is device code, or a loop. Out: the loops that walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.library import has_global_storage
from rexcc.clang.tree import Node, kind_of
from rexcc.frontend.macros import macro_table
from rexcc.lowering.cleanups.context import Walk
from rexcc.lowering.cleanups.early_loads import LOADED
from rexcc.lowering.cleanups.pure_values import computes_value
from rexcc.lowering.cleanups.syntax import is_exact
from rexcc.lowering.loops.counted_headers import counted_header
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.patterns import regex

_CONSTANT = frozenset({"constexpr", "consteval"})
_WORD = regex(r"[A-Za-z_]\w*")
_MOVED_BY = frozenset({"+", "-"})
_INCREMENTS = frozenset({"++", "--", "p++", "p--"})
_LITERALS = frozenset({"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR"})
_CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR"})
_VALUES = _LITERALS | _CASTS | {"UNEXPOSED_EXPR", "PAREN_EXPR", "BINARY_OPERATOR", "UNARY_OPERATOR", "DECL_REF_EXPR",
                                "CONDITIONAL_OPERATOR", "TYPE_REF", "NAMESPACE_REF"}  # fmt: skip
_BODY = _VALUES | {"CALL_EXPR", "COMPOUND_STMT", "COMPOUND_ASSIGNMENT_OPERATOR", "DECL_STMT", "VAR_DECL", "NULL_STMT"}
_OPAQUE = frozenset({"LAMBDA_EXPR", "GCC_ASM_STMT", "ASM_STMT", "MS_ASM_STMT", "LABEL_STMT", "INDIRECT_GOTO_STMT"})
_MOST_NODES = 200


def walks_of(body: DeviceBody, function: Node) -> Iterator[Walk]:
    """Yield the loops of a function that walk."""
    loops = [node for node in function.walk() if node.kind == "FOR_STMT"]
    if not loops or any(node.kind in _OPAQUE for node in function.walk()) or _may_be_constant(body, function):
        return
    for statement in loops:
        walk = walk_of(body, statement, partial(_are_own, function))
        if walk is not None:
            yield walk


def walk_of(body: DeviceBody, statement: Node, are_own: Callable[[set[Variable]], bool]) -> Walk | None:
    """Return a loop that walks, None for another; ``are_own``: whether no pointer leads to some variables."""
    loop = counted_header(body.unit, statement) if _stands_alone(body, statement) else None
    walk = _walk(loop, are_own) if loop is not None else None
    return walk if walk is not None and _is_written_out(body, walk) else None


def _may_be_constant(body: DeviceBody, function: Node) -> bool:
    """Whether a function may be evaluated by the compiler, for which its code must be plain."""
    return not body.unit.kept(_constant_words).isdisjoint(_WORD.findall(body.original(function)))


def _constant_words(unit: ParsedUnit) -> frozenset[str]:
    """Return the words that let functions be evaluated by the compiler, and the macros that stand for them."""
    return macro_table(file.scan for file in unit.files.values()).users({*_CONSTANT})


def _is_written_out(body: DeviceBody, walk: Walk) -> bool:
    """Whether the loads and the move are their own text: a macro may make more of it than the one, or of another."""
    move, uses = walk.move, (node for node in body.unit.declarations if node.kind == "MACRO_INSTANTIATION")
    is_written = not any(use.file == move.file and use.start < move.end and move.start < use.end for use in uses)
    return is_written and all(is_exact(body, load) for load in walk.loads)


def _stands_alone(body: DeviceBody, statement: Node) -> bool:
    """Whether a loop is the program's text, unchanged, and no directive in front of it or in it is about it."""
    start, end = body.start(statement), body.end(statement)
    before = body.text[:start].rstrip().rpartition("\n")[2].lstrip()
    in_macro = body.unit.macro_uses.holds(body.file.scan.source.path, start, start + 1)
    is_text = body.text.startswith("for", start) and not in_macro and body.edits.is_free(start, end)
    return is_text and not before.startswith(("#", "_Pragma", "[[")) and not body.file.scan.pragmas_in(start, end)


def _walk(loop: CanonicalLoop, are_own: Callable[[set[Variable]], bool]) -> Walk | None:
    """Return a loop that counts as one that walks, None for another."""
    nodes = list(loop.body.walk())
    if loop.body.kind != "COMPOUND_STMT" or len(nodes) > _MOST_NODES or not all(map(_is_plain, nodes)):
        return None
    moves = [statement for statement in loop.body.children if _moved(statement) is not None]
    pointer = _moved(moves[0]) if len(moves) == 1 else None
    if pointer is None or types.kind_name(types.canonical(types.canonical(pointer.type).get_pointee())) not in LOADED:
        return None
    return _with_accesses(loop, pointer, moves[0]) if _is_known(loop, pointer, moves[0], are_own) else None


def _is_known(loop: CanonicalLoop, pointer: Variable, move: Node, are_own: Callable[[set[Variable]], bool]) -> bool:
    """Whether a loop's iterations are known when it begins, and its pointer moves by the same distance in each."""
    header = [node for part in (loop.lower, loop.bound) for node in part.walk()]
    if not all(node.kind in _VALUES and not _is_change(node) for node in header) or _dereferences(header):
        return False
    nodes = list(loop.body.walk())
    variables = {variable for node in (*nodes, *header) if (variable := named_variable(node)) is not None}
    if not are_own(variables | {loop.index}) or len({one.name for one in variables}) != len(variables):
        return False
    changed = {variable for node in nodes if is_written(node) and (variable := named_variable(node)) is not None}
    declared = {Variable(node.cursor) for node in nodes if node.kind == "VAR_DECL"}
    moves_by, bound = _named(move) - {pointer}, _named(loop.bound)
    return (
        changed.isdisjoint(bound | moves_by | {loop.index})
        and declared.isdisjoint(moves_by - {pointer})
        and (loop.index not in moves_by)
    )


def _with_accesses(loop: CanonicalLoop, pointer: Variable, move: Node) -> Walk | None:
    """Return the walk if each other use of the pointer is for its element, which is read before it is written."""
    uses = [n for n in loop.body.walk() if named_variable(n) == pointer and not n.is_inside(move)]
    elements = [element for use in uses if (element := _element(use)) is not None]
    accesses = _dereferences(list(loop.body.walk()))
    stores = [element for element in elements if is_written(element)]
    if len(elements) != len(uses) or len(accesses) != len(elements) or len(stores) != 1:
        return None
    top = loop.body.children
    at = {element: next(k for k, statement in enumerate(top) if element.is_inside(statement)) for element in elements}
    store, loads = stores[0], [element for element in elements if element not in stores]
    assignment = store.in_parentheses().parent
    if assignment is None or assignment.operator != "=" or top[at[store]] is not assignment:
        return None
    behind = [load for load in loads if at[load] > at[store]]
    moved = top.index(move)
    sides = {place > moved for place in at.values()}
    if not loads or behind or len(sides) != 1:
        return None
    return Walk(loop, pointer, move, tuple(loads), sides.pop())


def _element(use: Node) -> Node | None:
    """Return ``*p`` around a use of ``p``, None where the use is another."""
    above = use.parent
    while above is not None and above.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        above = above.parent
    return above if above is not None and above.is_dereference else None


def _dereferences(nodes: list[Node]) -> list[Node]:
    return [node for node in nodes if node.kind == "UNARY_OPERATOR" and node.operator in ("*", "&")]


def _is_plain(node: Node) -> bool:
    """Whether a node of a body only computes with numbers, or declares one."""
    if node.kind not in _BODY or types.is_volatile(node.type) or node.operator in ("&&", "||", ","):
        return False
    if node.kind == "VAR_DECL":
        return types.is_scalar(node.type) and not has_global_storage(node.cursor)
    if node.kind == "CALL_EXPR":
        return computes_value(node)
    return node.kind != "DECL_REF_EXPR" or named_variable(node) is not None or _is_constant_or_called(node)


def _is_constant_or_called(name: Node) -> bool:
    """Whether a name that is no variable's is an enumerator's, or that of a function in its call."""
    if name.referenced is not None and kind_of(name.referenced) == "ENUM_CONSTANT_DECL":
        return True
    above = name.parent
    if above is not None and above.kind == "UNEXPOSED_EXPR":
        above = above.parent
    return above is not None and above.kind == "CALL_EXPR" and name.is_inside(above.children[0])


def _is_change(node: Node) -> bool:
    return (node.kind == "BINARY_OPERATOR" and node.operator == "=") or node.operator in _INCREMENTS


def _moved(statement: Node) -> Variable | None:
    """Return the pointer that a statement moves by a distance, None where it does something else."""
    bare = statement.bare()
    if bare.kind == "UNARY_OPERATOR" and bare.operator in _INCREMENTS:
        return _pointer(bare.children[0])
    if bare.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and bare.operator in ("+=", "-="):
        pointer = _pointer(bare.children[0])
        return pointer if pointer is not None and _is_number(bare.children[1]) else None
    if bare.kind != "BINARY_OPERATOR" or bare.operator != "=":
        return None
    pointer = _pointer(bare.children[0])
    return pointer if pointer is not None and _is_from(bare.children[1], pointer) else None


def _is_from(value: Node, pointer: Variable) -> bool:
    """Whether a value is a pointer's, by casts to other pointers and a distance."""
    bare = value.bare()
    if not types.is_pointer(bare.type):
        return False
    if bare.kind in _CASTS:
        return _is_from(bare.children[-1], pointer)
    if bare.kind == "BINARY_OPERATOR" and bare.operator in _MOVED_BY:
        first, second = bare.children
        if bare.operator == "+" and types.is_pointer(second.type):
            first, second = second, first
        return _is_from(first, pointer) and _is_number(second)
    return named_variable(bare) == pointer


def _is_number(node: Node) -> bool:
    """Whether a distance is made of numbers alone, and changes nothing."""
    nodes = list(node.walk())
    are_values = all(n.kind in _VALUES and not _is_change(n) for n in nodes) and not _dereferences(nodes)
    return are_values and types.is_scalar(node.type)


def _pointer(node: Node) -> Variable | None:
    """Return the pointer that an expression names; its elements are no constants, and not volatile."""
    variable = named_variable(node.bare())
    kind = types.canonical(variable.type) if variable is not None else None
    if variable is None or kind is None or not types.is_pointer(kind) or types.is_volatile(kind):
        return None
    pointee = kind.get_pointee()
    return None if types.is_constant(pointee) or types.is_volatile(pointee) else variable


def _named(node: Node) -> set[Variable]:
    return {variable for inner in node.walk() if (variable := named_variable(inner)) is not None}


def _are_own(function: Node, variables: set[Variable]) -> bool:
    """Whether variables are a function's own numbers and pointers, to which no pointer leads."""
    uses = (node for node in function.walk() if node.kind == "DECL_REF_EXPR" and named_variable(node) in variables)
    return all(map(is_own_number, variables)) and not any(map(address_leaves, uses))


def is_own_number(variable: Variable) -> bool:
    """Whether a variable is a local number or pointer, or a constant number."""
    is_number = types.is_scalar(variable.type) or types.is_pointer(variable.type)
    if not is_number or types.is_reference(variable.type) or types.is_volatile(variable.type):
        return False
    if has_global_storage(variable.cursor) and not types.is_constant(variable.type):
        return False
    return kind_of(variable.cursor) in ("VAR_DECL", "PARM_DECL") and variable.is_named
