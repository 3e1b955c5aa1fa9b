"""Questions about the host program's statements and expressions, of those who look for what can see kernels' work.

In: a node, or a construct. Out: which construct it is, what a call is given, what a directive evaluates on the host,
whether an initialiser runs code that the tree does not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.host_bounds import reads_objects
from rexcc.clang import classes, library, types
from rexcc.clang.tree import FUNCTION_KINDS, NAME_KINDS, RECORD_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.found_constructs import PROBE_KINDS
from rexcc.program.unit import ParsedUnit

QUIET_STATEMENTS = frozenset(
    {"COMPOUND_STMT", "DECL_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "NULL_STMT", "SWITCH_STMT"}
)  # fmt: skip
QUIET_TYPE_DECLARATIONS = RECORD_KINDS | {
    "ENUM_DECL", "TYPE_ALIAS_DECL", "STATIC_ASSERT", "USING_DECLARATION", "USING_DIRECTIVE",
}  # fmt: skip
QUIET_EXPRESSIONS = frozenset(
    {
        "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "STRING_LITERAL", "CXX_BOOL_LITERAL_EXPR",
        "GNU_NULL_EXPR", "CXX_NULL_PTR_LITERAL_EXPR", "PAREN_EXPR", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR",
        "CONDITIONAL_OPERATOR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR",
        "CXX_REINTERPRET_CAST_EXPR", "CXX_CONST_CAST_EXPR", "INIT_LIST_EXPR", "UNARY_OPERATOR", "UNEXPOSED_EXPR",
        "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF",
    }
)  # fmt: skip
"""What a node may be that does nothing but what is in it: a statement, a declaration, an expression."""

NAMES = NAME_KINDS | {"MEMBER_REF"}
"""Children that name something and are no expressions."""


def key_of(node: Node) -> tuple[int, int]:
    """Return what tells nodes apart in all trees of a unit."""
    return int(node.cursor.hash), node.start


def construct_at(constructs: Mapping[tuple[int, int], Construct], node: Node) -> Construct | None:
    """Return the construct that a node is."""
    return constructs.get(key_of(node)) if node.kind in PROBE_KINDS else None


def uses_this(body: Node) -> bool:
    """Whether the body of a lambda may use the object of the method around it."""
    return any(n.kind == "CXX_THIS_EXPR" or is_part_of_this(n) for n in body.walk())


def is_part_of_this(node: Node) -> bool:
    """Whether an expression names a member, or a method, of an object that it does not name."""
    if node.kind != "MEMBER_REF_EXPR" or any(child.kind not in NAMES for child in node.children):
        return False
    return node.referenced is None or kind_of(node.referenced) != "VAR_DECL"


def lambda_of(unit: ParsedUnit, kind: Type) -> Node | None:
    """Return the lambda expression of which a class is, or one refers to; None for another class, and where no function
    has it."""
    record = types.canonical(types.without_reference(kind)).get_declaration()
    around = record.semantic_parent
    if not is_class_of_lambda(record) or around is None or kind_of(around) not in FUNCTION_KINDS:
        return None
    inside = (node for node in unit.tree.node(around).walk() if node.kind == "LAMBDA_EXPR")
    return next((node for node in inside if types.canonical(node.type) == record.type), None)


def is_class_of_lambda(record: Cursor) -> bool:
    """Whether a class is that of a lambda."""
    return str(record.type.spelling).startswith("(lambda at ")


def may_be_held(made: Node, named: Node) -> bool:
    """Whether an expression in a lambda's body may name a variable around it, which it holds."""
    target = named.referenced
    if target is None:
        return True
    if kind_of(target) in FUNCTION_KINDS | {"ENUM_CONSTANT_DECL"} or library.has_global_storage(target):
        return False
    declared = made.tree.node(target)
    return declared.file != made.file or not made.start <= declared.start < made.end


def given_to(call: Node) -> Iterator[Node]:
    """Yield what a call is given, with the function's own name: of default arguments their expressions."""
    callee = call.referenced
    parameters = list(callee.get_arguments()) if callee is not None else []
    given = [child for child in call.children if child.kind not in NAMES]
    for place, child in enumerate(given, len(parameters) - len(given)):
        is_default = child.kind == "UNEXPOSED_EXPR" and not child.children and place >= 0
        of_place = parameters[place].get_children() if is_default else ()
        values = [c for c in of_place if kind_of(c) not in NAMES]
        yield call.tree.node(values[0]) if len(values) == 1 else child


def evaluated_by_host(construct: Construct) -> Iterator[Node]:
    """Yield what the host may evaluate of the headers of a combined construct's loops before it launches the kernel."""
    statement, deeper = construct.body, construct.directive.has("collapse")
    while statement is not None:
        while statement.kind == "COMPOUND_STMT" and len(statement.children) == 1:
            statement = statement.children[0]
        if statement.kind != "FOR_STMT" or len(statement.children) != 4:
            return
        for part in statement.children[:3]:
            values = part.children[0].children if part.kind == "DECL_STMT" else part.children
            yield from (value for value in values if reads_objects(value))
        statement = statement.children[3] if deeper else None


def is_filled_quietly(values: Node) -> bool:
    """Whether a list calls nothing that the tree, which has lists as they are written, does not show."""
    if any(types.is_record(child.type) and classes.may_convert(child.type) for child in values.children):
        return False
    return classes.is_filled_without_code(types.innermost(values.type))


def names_variable(node: Node) -> bool:
    """Whether a list item is a variable of any type, which the directive itself only looks up."""
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) not in VARIABLE_KINDS:
        return False
    return not types.is_reference(target.type) and not types.is_volatile(target.type)


def is_automatic(cursor: Cursor) -> bool:
    """Whether a variable that a function declares is not static, and not declared elsewhere."""
    return cursor.storage_class.name not in ("STATIC", "EXTERN")


def is_volatile_counter(unit: ParsedUnit, variable: Cursor) -> bool:
    """Whether a variable is a volatile number of the function's own of which nobody has the address."""
    given = variable.type
    if kind_of(variable) != "VAR_DECL" or not types.is_volatile(given) or not types.is_scalar(given):
        return False
    if library.has_global_storage(variable):
        return False
    function = unit.tree.node(variable.semantic_parent)
    uses = (n for n in function.walk() if n.kind == "DECL_REF_EXPR" and n.referenced == variable)
    return not any(map(is_exposed, uses))
