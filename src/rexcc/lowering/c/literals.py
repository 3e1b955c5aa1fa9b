"""Compound literals that are more than values.

In: a compound literal of C, an object that lives to the end of its block. Out: where its address is used, or it is an
array, a named object at the start of the block, and an assignment to it at the literal's place: C++'s temporary would
be gone at the end of the expression.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, Node
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.frontend.statements import statement_range
from rexcc.lowering.c.editing import CEdits
from rexcc.source.diagnostics import error
from rexcc.source.edits import Content, content

_TYPES = frozenset({"STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "TYPEDEF_DECL"})
_BRANCHES = LOOP_KINDS | {"IF_STMT", "SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT", "LABEL_STMT"}


def name_literal(edits: CEdits, node: Node, top: Node) -> None:
    """Give a compound literal a name where it has to live on; raises CompileError where there is no place for it."""
    values = node.children[-1] if node.children else None
    if values is None or values.kind != "INIT_LIST_EXPR":
        return
    if _is_initial(node) and edits.is_reachable(node, inside=True):
        edits.replace(node, edits.body.quoted(values))
        return
    if is_value(node) or not edits.is_reachable(node, inside=True):
        return
    body = edits.body
    made = spelling.spell(_plain(node.type))
    if is_unevaluated(node):
        if _gives_address(node):
            edits.replace(node, f"(*(std::add_pointer_t<{made}>)0)")
        return
    name = f"rex_literal_{body.start(node)}"
    variable = _static_holder(node)
    block = block_of(node, top)
    if block is None:
        message = "a compound literal that is used by its address has no place in the device's code here yet; name it"
        raise error("unsupported-type", message, body.span(node))
    if not is_place(edits, block):
        return
    given = ("{", body.quoted(values), "}")
    declared = content(f" rex_made<{made}> {name};")
    use = content(f"rex_make({name}, ", given, ")")
    if variable is not None:
        declared = content(f" static rex_made<{made}> {name} = ", given, ";")
        use = (f"{name}.value",)
    if edits.is_first(node, name):
        place_in_block(edits, block, node, declared)
    edits.replace(node, use)


def is_place(edits: CEdits, block: Node) -> bool:
    """Whether a declaration can be put at the start of a block: it is none that a macro's body makes."""
    return edits.is_reachable(block, inside=True) and (block.kind == "COMPOUND_STMT" or edits.has_own_place(block))


def place_in_block(edits: CEdits, block: Node, node: Node, declared: Content) -> None:
    """Put a declaration that an expression needs at the start of its block, behind the types that the block declares in
    front of the expression; a statement that is its block becomes one."""
    body = edits.body
    if block.kind != "COMPOUND_STMT":
        body.edits.wrap(*statement_range(body.file, block), content("{", declared, " "), " }")
        return
    before = [c for c in block.children if c.kind == "DECL_STMT" and c.end <= node.start]
    typed = [c for c in before if any(part.kind in _TYPES for part in c.children)]
    if typed:
        body.edits.after(*statement_range(body.file, typed[-1]), declared)
    else:
        body.edits.before(body.start(block) + 1, body.end(block) - 1, declared)


def is_value(node: Node) -> bool:
    """Whether nothing but the value of a compound literal, or of a member of it, is used."""
    if types.is_array(node.type):
        return False
    top = node
    while (above := top.parent) is not None:
        if above.kind == "PAREN_EXPR" or (above.kind == "MEMBER_REF_EXPR" and not _points(above)):
            top = above
        elif above.kind == "ARRAY_SUBSCRIPT_EXPR" and top.kind == "UNEXPOSED_EXPR" and above.children[0] is top:
            top = above  # an element of a member, read at once
        elif above.kind == "UNEXPOSED_EXPR" and types.is_array(top.type):
            subscript = above.parent
            if subscript is None or subscript.kind != "ARRAY_SUBSCRIPT_EXPR" or subscript.children[0] is not above:
                return False
            top = above
        else:
            break
    if types.is_array(top.type):
        return False
    return above is not None and (above.kind == "UNEXPOSED_EXPR" or above.kind in ("INIT_LIST_EXPR", "VAR_DECL"))


def _gives_address(node: Node) -> bool:
    """Whether a literal's address is taken, or it is an array that becomes a pointer to its first element."""
    above = next((above for above in node.ancestors() if above.kind != "PAREN_EXPR"), None)
    if above is None or above.kind == "UNEXPOSED_EXPR":
        return above is not None and types.is_array(node.type)
    return above.kind == "UNARY_OPERATOR" and above.operator == "&"


def _points(member: Node) -> bool:
    """Whether a member is one of what a pointer points to."""
    return bool(member.children) and types.is_pointer(member.children[0].type)


def _is_initial(node: Node) -> bool:
    """Whether a literal of array type is the initial value of an array (GNU C)."""
    return types.is_array(node.type) and node.parent is not None and node.parent.kind in ("VAR_DECL", "INIT_LIST_EXPR")


def _plain(kind: Type) -> Type:
    """Return a type without qualifiers of the object."""
    found = library.canonical_type(kind)
    return found.get_unqualified_type() if hasattr(found, "get_unqualified_type") else found


def _static_holder(node: Node) -> Node | None:
    for above in node.ancestors():
        if above.kind == "VAR_DECL":
            return above if above.cursor.storage_class.name == "STATIC" else None
        if above.kind.endswith("_STMT"):
            return None
    return None


def block_of(node: Node, top: Node) -> Node | None:
    """Return the block, or the statement that is one, in which a literal lives."""
    below = node
    for above in node.ancestors():
        if below is top:
            break
        if above.kind == "COMPOUND_STMT":
            return above
        if (
            above.kind in _BRANCHES
            and below.kind.endswith(("_STMT", "OPERATOR", "CALL_EXPR"))
            and _is_branch(above, below)
        ):
            return below
        if above.kind in FUNCTION_KINDS:
            return None
        below = above
    return top if below is top and top.kind not in FUNCTION_KINDS and top.kind != "VAR_DECL" else None


def _is_branch(above: Node, below: Node) -> bool:
    """Whether a node is a statement inside of another, not a part of its header."""
    if above.kind in ("LABEL_STMT", "CASE_STMT", "DEFAULT_STMT"):
        return False
    if above.kind == "DO_STMT":
        return above.children[0] is below
    if above.kind == "IF_STMT":
        return below in above.children[1:]
    return above.children[-1] is below
