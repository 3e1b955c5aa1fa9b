"""Whether anybody but the code that declares a variable can have its address, or that of something in it.

In: a function and a variable that it names. Out: whether the address leads nowhere: neither by ``&``, an array that
decays, a reference or a capture, nor by the variable's constructor or a function that made it where it lies. A function
of the unit that gets it by reference is looked into; any other may keep the address, as may a construct that maps it.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.held_parts import element_type, makers, may_be_called, may_hold
from rexcc.analysis.library_numbers import computes_with_numbers
from rexcc.analysis.references import collect, is_written
from rexcc.clang import classes, library, locations, types
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.clang.unevaluated import leaves_unevaluated
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable

LOOKING_UP = ("map", "to", "from", "use_device_ptr", "use_device_addr", "has_device_addr", "is_device_ptr")
"""Clauses with list items that get a part to the device, or say that it is there."""
_STATEMENTS = frozenset(
    {
        "COMPOUND_STMT", "FOR_STMT", "IF_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT",
        "LABEL_STMT", "CXX_FOR_RANGE_STMT",
    }
)  # fmt: skip
"""What stands around an expression whose value nobody uses."""
DEPTH = 8
"""How many calls a reference is followed through."""
_METHODS = 3
"""The same of ``this``, of which each method has many uses."""


def is_own(unit: ParsedUnit, owner: Node, cursor: Cursor) -> bool:
    """Whether a variable is a function's own."""
    if kind_of(cursor) not in VARIABLE_KINDS or library.has_global_storage(cursor) or types.is_reference(cursor.type):
        return False
    declared = unit.tree.node(cursor)
    return declared.file == owner.file and owner.start <= declared.start < owner.end


def keeps_address(unit: ParsedUnit, function: ConstructFunction, variable: Variable) -> bool:
    """Whether a variable is a function's own and nobody else gets its address, or that of something in it, there."""
    owner, cursor = function.node, variable.cursor
    if not is_own(unit, owner, cursor):
        return False
    if types.is_record(cursor.type) and _gives_itself_away(unit, types.canonical(cursor.type)):
        return False
    return not leads_away(unit, owner, variable, DEPTH)


def listed(unit: ParsedUnit) -> dict[Variable, list[Construct]]:
    """Return the variables that list items of the unit name, each with the constructs."""
    found: dict[Variable, list[Construct]] = {}
    for construct in all_constructs(unit):
        for name in (name for item in construct.items(*LOOKING_UP) for name in item.names):
            found.setdefault(name, []).append(construct)
    return found


def _is_listed(unit: ParsedUnit, variable: Variable) -> bool:
    return bool(unit.kept(listed).get(variable))


def leads_away(unit: ParsedUnit, function: Node, variable: Variable, depth: int) -> bool:
    """Whether somebody else may get the address of a variable that a function names, or of something in it."""
    uses = (n for n in function.walk() if named_variable(n) == variable)
    return any(_exposes(unit, innermost_part(use), depth) for use in uses)


def innermost_part(use: Node) -> Node:
    """Return the innermost member or element that an expression means, also of a class that the object is derived
    from."""
    part, above = use, use.parent
    while above is not None:
        if above.kind == "MEMBER_REF_EXPR" or _is_element(part, above):
            part = above
        elif above.kind != "PAREN_EXPR" and not _is_same(part, above):
            break
        above = above.parent
    return part


def _is_element(part: Node, above: Node) -> bool:
    """Whether an expression is an element of an array."""
    return types.is_array(part.type) and above.kind == "ARRAY_SUBSCRIPT_EXPR" and part.is_inside(above.children[0])


def _is_same(part: Node, above: Node) -> bool:
    """Whether an implicit conversion is of an object to its base, or of an array whose element is meant."""
    if above.kind != "UNEXPOSED_EXPR":
        return False
    if types.is_record(above.type):
        return True
    subscript = above.in_parentheses().parent
    return types.is_pointer(above.type) and subscript is not None and _is_element(part, subscript)


def _exposes(unit: ParsedUnit, part: Node, depth: int) -> bool:
    """Whether what is done with a part may take its address further."""
    if part.kind == "MEMBER_REF_EXPR" and part.referenced is not None and kind_of(part.referenced) == "CXX_METHOD":
        call = part.parent
        if call is not None and call.kind == "CALL_EXPR" and computes_with_numbers(call, part.referenced):
            return types.is_reference(part.referenced.result_type) and _exposes_value(unit, call, depth)
        return depth == 0 or _is_kept_by_method(unit, part.referenced, min(depth, _METHODS) - 1)
    if not (types.is_scalar(part.type) or types.is_pointer(part.type) or types.is_record(part.type)):
        return True  # an array decays; a conversion gets ``this``
    return _exposes_value(unit, part, depth) if unit.is_cplusplus else is_exposed(part) or _is_operand(part)


def _is_operand(part: Node) -> bool:
    """Whether an ``asm`` statement has a part as its operand: it may be the part's memory."""
    above = part.in_parentheses().parent
    return above is not None and above.kind.endswith("ASM_STMT")


def _exposes_value(unit: ParsedUnit, part: Node, depth: int) -> bool:
    """In C++, where references bind without a sign of it: only what is known to read, or to assign, is harmless."""
    above = part.in_parentheses().parent
    if above is None or leaves_unevaluated(above, part):
        return False
    if above.kind in _STATEMENTS:
        return above.kind == "CXX_FOR_RANGE_STMT" and above.children[-1] is not part.in_parentheses()
    if above.kind == "UNEXPOSED_EXPR":  # the part as a constant or as its base; a value has no qualifiers
        is_same = types.is_constant(above.type) or types.is_record(above.type)
        return is_same and _exposes_value(unit, above, depth)
    if above.kind == "CSTYLE_CAST_EXPR":
        kind = above.type
        return types.kind_name(kind) != "VOID" and not types.has_runtime_extent(kind)
    if above.kind in VARIABLE_KINDS and types.is_array(above.type) and not types.is_reference(above.type):
        return False  # the extent of an array
    if is_written(part) and above.kind != "CALL_EXPR" and above.operator not in ("p++", "p--"):
        return _exposes_value(unit, above, depth)  # an assignment is the variable again
    if above.operator in ("p++", "p--"):
        return False
    if above.kind == "CONDITIONAL_OPERATOR":
        return _exposes_value(unit, above, depth)
    return above.kind != "CALL_EXPR" or _keeps_argument(unit, above, part, depth)


def _keeps_argument(unit: ParsedUnit, call: Node, argument: Node, depth: int) -> bool:
    """Whether a function may keep the address of what it gets by reference."""
    callee = call.referenced
    if callee is None:
        return True
    if kind_of(callee) == "CONSTRUCTOR" and (callee.is_copy_constructor() or callee.is_move_constructor()):
        return not (callee.is_default_method() and classes.is_made_of_bytes(argument.type))
    if callee.spelling == "operator=" and types.is_record(argument.type) and classes.is_copied_as_bytes(argument.type):
        return _exposes_value(unit, call, depth)  # of such a class it copies bytes
    if computes_with_numbers(call, callee):  # it may return a reference to what it was given
        return types.is_reference(callee.result_type) and _exposes_value(unit, call, depth)
    definition = callee.get_definition()
    if definition is None or depth == 0 or library.in_system_header(definition):
        return True
    number = position_in_call(call, argument)
    parameters = [p for p in definition.get_arguments() if p is not None]
    if number is not None and _is_methods_operator(call, callee, parameters):
        if number == 0:  # the object itself
            return _takes_this(unit, definition, depth)
        number -= 1
    if number is None or number >= len(parameters) or kind_of(callee) not in ("FUNCTION_DECL", "CXX_METHOD"):
        return True
    parameter = Variable(parameters[number])
    if _is_listed(unit, parameter) or leads_away(unit, unit.tree.node(definition), parameter, depth - 1):
        return True
    result = definition.result_type
    return types.is_reference(result) and _exposes_value(unit, call, depth - 1)


def _is_methods_operator(call: Node, callee: Cursor, parameters: list[Cursor]) -> bool:
    """Whether a call is one of an operator that is a method: its object is an argument like the others."""
    arguments = [a for a in call.cursor.get_arguments() if a is not None]
    return kind_of(callee) == "CXX_METHOD" and len(arguments) == len(parameters) + 1


def position_in_call(call: Node, argument: Node) -> int | None:
    """Return which argument of a call an expression is, None where it is none or not seen to be one."""
    arguments = [a for a in call.cursor.get_arguments() if a is not None]
    places = [locations.range_of(a, call.tree.names) for a in arguments]
    inside = [n for n, place in enumerate(places) if place[1] <= argument.start and argument.end <= place[2]]
    return inside[0] if len(inside) == 1 else None


def is_made_in_place(unit: ParsedUnit, cursor: Cursor) -> bool:
    """Whether a constructor, or a function whose result a variable is, may have mapped it where it lies."""
    kind = types.canonical(cursor.type)
    if not unit.is_cplusplus or not types.is_record(kind):
        return False
    if _gives_itself_away(unit, kind):
        return True
    return any(_may_map_result(unit, call, DEPTH) for call in makers(unit.tree.node(cursor), kind))


def _may_map_result(unit: ParsedUnit, call: Node, depth: int) -> bool:
    """Whether a function may have mapped the object that it returns, or given its address away.

    An object that it returns may be one of its own variables (copy elision), or what another function returned to it.
    """
    definition = call.referenced.get_definition() if call.referenced is not None else None
    if definition is None or depth == 0:
        return True
    kind = types.canonical(call.type)
    if library.in_system_header(definition):
        return any(may_be_called(a, kind) for a in call.cursor.get_arguments() if a is not None)
    maker = unit.tree.node(definition)
    if not any(child.kind == "COMPOUND_STMT" for child in maker.children):
        return True  # what a template or a lambda is made of is not seen
    own = (n for n in maker.walk() if n.kind == "VAR_DECL" and may_hold(kind, types.canonical(n.type)))
    if any(_is_listed(unit, v) or leads_away(unit, maker, v, depth - 1) for v in (Variable(n.cursor) for n in own)):
        return True
    return any(_may_map_result(unit, inner, depth - 1) for inner in makers(maker, kind))


def _gives_itself_away(unit: ParsedUnit, kind: Type) -> bool:
    """Whether an object of a class takes its own address when it is made, or one of its parts does."""
    record = types.canonical(kind).get_declaration()
    pattern = library.template_of(record)
    members = library.children(record) or (library.children(pattern) if pattern is not None else [])
    for member in members:
        name = kind_of(member)
        if name == "CONSTRUCTOR" and not member.is_default_method() and not library.in_system_header(member):
            if _is_defined(member, pattern) and _takes_this(unit, member, DEPTH):
                return True
        elif name in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            part = element_type(member.type)
            if not types.is_reference(member.type) and types.is_record(part) and _gives_itself_away(unit, part):
                return True
            if any(_is_more_than_member(unit, use, DEPTH) for use in collect([unit.tree.node(member)]).this_uses):
                return True  # the default member initialiser
    return False


def _is_defined(constructor: Cursor, pattern: Cursor | None) -> bool:
    """Whether a constructor does anything: one of a template that is not instantiated does not."""
    return pattern is None or constructor.get_definition() is not None


def _is_kept_by_method(unit: ParsedUnit, method: Cursor, depth: int) -> bool:
    """Whether a method may keep the address of its object."""
    definition = method.get_definition()
    if method.is_static_method():
        return False
    return definition is None or library.in_system_header(definition) or _takes_this(unit, definition, depth)


def _takes_this(unit: ParsedUnit, function: Cursor, depth: int) -> bool:
    """Whether a constructor or method does anything with ``this`` but to read and assign members, or to call methods
    that do no more."""
    definition = function.get_definition()
    if definition is None:
        return True
    body = unit.tree.node(definition)
    places = ((c.node.file, c.node.start) for c in all_constructs(unit))
    if any(file == body.file and body.start <= start < body.end for file, start in places):
        return True
    return any(_is_more_than_member(unit, use, depth) for use in collect([body]).this_uses)


def _is_more_than_member(unit: ParsedUnit, use: Node, depth: int) -> bool:
    if use.kind == "CXX_THIS_EXPR" and (use.parent is None or use.parent.kind != "MEMBER_REF_EXPR"):
        return True
    return _exposes(unit, innermost_part(use), depth)
