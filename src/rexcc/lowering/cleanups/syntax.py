"""Questions about single expressions that the passes share.

In: nodes of a kernel's body. Out: whether a node's range is its exact text, is free to be edited, is a plain load,
always runs; how a variable's type is spelled for a local.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.patterns import regex

_LOOP = regex(r"(?:for|while|do)\b")
_LOOP_PRAGMA = regex(r"^#\s*pragma\s+(?!omp\b)|_Pragma\s*\([^\n]*\)$")
_ALWAYS = frozenset(
    {
        "COMPOUND_STMT", "DECL_STMT", "VAR_DECL", "PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "UNARY_OPERATOR",
        "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR", "ARRAY_SUBSCRIPT_EXPR",
        "MEMBER_REF_EXPR", "CALL_EXPR", "INIT_LIST_EXPR",
    }
)  # fmt: skip
"""What evaluates everything below it, once it is reached itself."""


def is_exact(body: DeviceBody, node: Node) -> bool:
    """Whether a node's range holds its own text: no part of its outline comes from a macro."""
    if node.file != body.file.scan.source.path:
        return False
    text, inner = body.original(node), parts(node)
    match node.kind:
        case "DECL_REF_EXPR":
            return text == node.spelling
        case "UNEXPOSED_EXPR" if len(inner) == 1:
            return is_exact(body, inner[0])
        case "PAREN_EXPR":
            return _encloses(text, "()")
        case "ARRAY_SUBSCRIPT_EXPR":
            index = body.text[body.end(inner[0]) : body.end(node)].lstrip()
            return inner[0].start == node.start and is_exact(body, inner[0]) and _encloses(index, "[]")
        case "MEMBER_REF_EXPR":
            return text.endswith(node.spelling) and bool(inner) and is_exact(body, inner[0])
        case "CSTYLE_CAST_EXPR":
            return text.startswith("(") and inner[-1].end == node.end and is_exact(body, inner[-1])
        case "UNARY_OPERATOR" if node.operator in ("*", "++", "--"):
            return text.startswith(node.operator) and is_exact(body, inner[0])
        case "UNARY_OPERATOR" if node.operator in ("p++", "p--"):
            return text.endswith(node.operator[1:]) and is_exact(body, inner[0])
        case _:
            return False


def _encloses(text: str, pair: str) -> bool:
    """Whether a text begins with a bracket whose partner is its last character."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == pair[0]) - (character == pair[1])
        if depth == 0:
            return at == len(text) - 1 and at > 0
    return False


def is_free(body: DeviceBody, start: int, end: int) -> bool:
    """Whether a range can be replaced: no edit touches its inside."""
    return body.edits.is_free(start, end)


def is_wrappable(body: DeviceBody, start: int, end: int) -> bool:
    """Whether text can be put around a range: every replacement there lies inside it and leaves some of it."""
    if body.unit.is_cplusplus and body.edits.has_insertion(start):
        return False  # '__rex_this->' belongs to the expression
    replaced = body.edits.replaced_in(start, end)
    return all(start <= low and high <= end and (low, high) != (start, end) for low, high in replaced)


def is_load(node: Node) -> bool:
    """Whether an expression's value is read, and nothing else is done with the object: clang converts it to a value."""
    above = node.in_parentheses().parent
    if above is None or above.kind != "UNEXPOSED_EXPR" or types.is_constant(above.type):
        return False
    return types.kind_name(above.type.get_canonical()) == types.kind_name(node.type.get_canonical())


def is_read_through(node: Node) -> bool:
    """Whether all that is done with an aggregate, down its members and elements, is to read a value."""
    top = node
    while not is_load(top):
        above = top.parent
        if above is None or not _leads_on(above, top):
            return False
        top = above
    return True


def _leads_on(above: Node, below: Node) -> bool:
    if above.kind == "MEMBER_REF_EXPR":
        return above.referenced is not None and kind_of(above.referenced) == "FIELD_DECL"
    if above.kind == "UNEXPOSED_EXPR":
        return types.is_array(below.type)
    return above.kind == "PAREN_EXPR" or (above.kind == "ARRAY_SUBSCRIPT_EXPR" and above.children[0] is below)


def subscript_around(node: Node) -> Node | None:
    """Return ``e[…]`` around an expression ``e``, None where that is no subscript's base."""
    base = node.parent if node.parent is not None and node.parent.kind == "UNEXPOSED_EXPR" else node
    access = base.parent
    is_base = access is not None and access.kind == "ARRAY_SUBSCRIPT_EXPR" and access.children[0] is base
    return access if is_base else None


def can_precede(context: CleanupContext, loop: Node) -> bool:
    """Whether lines can be put in front of a loop: it begins in the user's text, no jump or pragma of it is there."""
    body = context.body
    start = body.start(loop)
    if loop.file != body.file.scan.source.path or not _LOOP.match(body.text, start):
        return False
    if any(j.kind in ("GOTO_STMT", "INDIRECT_GOTO_STMT") or j.is_called_code for j in context.jumps):
        return False
    before = body.text[:start].rstrip()
    line = before[before.rfind("\n") + 1 :].lstrip()
    return not _LOOP_PRAGMA.search(line)


def is_evaluated(node: Node) -> bool:
    """Whether an expression is evaluated where it stands: no operand of ``sizeof`` and the like, and no choice of
    several."""
    return not is_unevaluated(node) and not any(a.kind == "GENERIC_SELECTION_EXPR" for a in node.ancestors())


def is_unconditional(context: CleanupContext, node: Node, top: Node) -> bool:
    """Whether a node is evaluated at least once whenever ``top`` runs to its end."""
    below = node
    while below is not top:
        above = below.parent
        if above is None or not _always_evaluates(context, above, below):
            return False
        below = above
    return True


def _always_evaluates(context: CleanupContext, above: Node, below: Node) -> bool:
    position = above.children.index(below)
    if above.kind in _ALWAYS:
        return position == 0 or above.kind != "UNEXPOSED_EXPR"  # `c ?: x` is one with several parts
    match above.kind:
        case "BINARY_OPERATOR":
            return position == 0 or above.operator not in ("&&", "||")
        case "WHILE_STMT" if context.is_directive(above):
            return below is above.children[-1]
        case "CONDITIONAL_OPERATOR" | "IF_STMT" | "SWITCH_STMT" | "WHILE_STMT":
            return position == 0 and below.kind != "DECL_STMT"
        case "FOR_STMT":
            return len(above.children) == 4 and position < 2
        case _:
            return False


def value_type(kind: Type, cplusplus: bool) -> str:
    """Return the spelling of a type for a local that holds a value of it; C++ names are spelled out in full."""
    bare = types.without_reference(kind)
    text = spelling.spell(bare.get_canonical() if cplusplus else bare)
    if types.is_constant(next(spelling.named_types(bare))) or types.is_constant(bare):
        text = spelling.spell_value(bare.get_canonical())
    return text


def is_plain_scalar(kind: Type) -> bool:
    """Whether a type is a scalar that a local can hold for its object: not volatile, not complex."""
    found = types.canonical(kind)
    return types.is_scalar(kind) and not types.is_volatile(found) and types.kind_name(found) != "COMPLEX"
