"""Variables of the slice: constants, ``declare target`` variables, pointers to those that it has no storage of.

In: variables that kernels name. Out: their pieces, and the variables that the runtime has to know.
"""

from __future__ import annotations

import re
from itertools import pairwise

from clang.cindex import Cursor, Type

from rexcc.analysis.constant_values import has_constant_value, is_lambda, is_repeatable
from rexcc.analysis.linked_variables import Linked, Way, is_of_unit_alone, is_static_member
from rexcc.analysis.member_constants import is_initialised_outside
from rexcc.clang import library, locations, spelling, types
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.codegen.closure.reachability import outermost_record
from rexcc.codegen.places.macro_declarations import expand_hidden
from rexcc.codegen.places.packing import definition_end
from rexcc.codegen.places.scopes import namespaces_written
from rexcc.codegen.registration.globals import DeviceVariable
from rexcc.codegen.registration.own_namespaces import NO_NAMESPACES, OwnNamespaces
from rexcc.codegen.slice.edits import aligned_range, mark_lambdas, qualifier_place, semicolon, type_name
from rexcc.codegen.slice.group_variables import check_together
from rexcc.codegen.slice.member_objects import defined_outside
from rexcc.codegen.slice.pieces import Piece, SliceContext, in_front_of_block
from rexcc.codegen.slice.specifiers import drop_specifiers, is_declared_before
from rexcc.lowering.c.dialect import lower_c
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.case_ranges import spread_case_ranges
from rexcc.lowering.text.constant_questions import answer_questions
from rexcc.lowering.text.definitions import mark_methods
from rexcc.lowering.text.element_addresses import write_element_addresses
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.line_directives import line_directive


def variable_piece(context: SliceContext, node: Node) -> Piece | None:
    """Return the piece of a constant or ``declare target`` variable."""
    if node.file not in context.unit.files:
        return None
    check_together(context, _together(context, node))
    body = context.body(node)
    start, end = aligned_range(body, node)
    if _is_only_named(context, node):
        declared = spelling.declare(node.type, node.spelling)
        return context.piece(node, start, f"extern {context.unit.target.words.device} {declared};")
    expand_hidden(body, node)
    for declarator in _together(context, node):
        _lower_value(context, body, declarator)
    _drop_repeated(context, body, node)
    device_word = f"{context.unit.target.words.device} "
    is_template = node.kind == "UNEXPOSED_DECL"
    if is_template or start < body.start(node):  # attributes of the declaration stand in front of its specifiers
        at = qualifier_place(body, node) if is_template else body.start(node)
        body.edits.before(at, body.end(node), device_word)
        device_word = ""
    drop_specifiers(context, body, node, _together(context, node))
    text, start = _without_type(context, body, node, start, end)
    text = semicolon(_without_others(context, body, node) or text)
    return context.piece(node, start, f"{device_word}{text}")


def _is_only_named(context: SliceContext, node: Node) -> bool:
    """Whether code of the host makes a constant object, to which functions that kernels call have a pointer: none of
    them is, then, but templates that are not called for any type may name it."""
    if node.kind != "VAR_DECL" or not types.is_constant(node.type) or not types.is_record(node.type):
        return False
    is_known = library.is_constexpr(node.cursor) or is_lambda(node.cursor) or has_constant_value(node.cursor)
    return not is_known and Variable(node.cursor) not in context.declared.variables


def _together(context: SliceContext, node: Node) -> tuple[Node, ...]:
    """Return a declarator and the others of its declaration, whose text they share."""
    others = context.declarators.get((node.file, node.start), ())
    return (node, *(other for other in others if other.cursor != node.cursor))


def _drop_repeated(context: SliceContext, body: DeviceBody, node: Node) -> None:
    """Leave out what a declaration of C declares once more, without a value: ``int a, b, a;``."""
    every = sorted(context.declarators.get((node.file, node.start), ()), key=lambda n: n.end)
    for before, declarator in pairwise(every):
        start, end = body.end(before), body.end(declarator)
        known = any(n.spelling == declarator.spelling for n in every if n.end < declarator.end)
        if known and "=" not in body.text[start:end]:
            body.edits.rewrite(start, end, "")


def _lower_value(context: SliceContext, body: DeviceBody, declarator: Node) -> None:
    """Make device code of a declarator with its first value."""
    if not context.unit.is_cplusplus:
        lower_c(body, declarator)
    write_element_addresses(body, declarator)
    if mark_lambdas(body, declarator):
        context.reach(body, declarator)
        context.look_up(body, declarator)
        mark_methods(body, declarator)
        spread_case_ranges(body, [declarator])
        answer_questions(body, [declarator])


def _without_others(context: SliceContext, body: DeviceBody, node: Node) -> str:
    """Return the declaration of a constant alone where its text has others that device code cannot define."""
    if not types.is_constant(node.type):
        return ""
    others = context.declarators.get((node.file, node.start), ())
    if all(n.end >= node.end or n.cursor == node.cursor or is_repeatable(n.cursor) for n in others):
        return ""
    start = context.unit.files[node.file].original(locations.file_location(node.cursor.location, node.tree.names)[1])
    value = re.compile(r"\w+\s*(?:\[[^\]]*\]\s*)*(?=[={(])").match(body.text, start, body.end(node))
    declared = spelling.declare(node.type, node.spelling)
    return f"{declared} {context.finished(body, value.end(), body.end(node))}" if value is not None else ""


def _without_type(context: SliceContext, body: DeviceBody, node: Node, start: int, end: int) -> tuple[str, int]:
    """Return a variable's text and place; a type that it defines has a piece of its own, before it."""
    for kind in context.closure.declarations.values():
        defines = kind.kind in RECORD_KINDS or kind.kind == "ENUM_DECL"
        if defines and kind.file == node.file and node.start <= kind.start and kind.end <= node.end:
            before = context.finished(body, start, body.start(kind))
            behind = definition_end(kind, body)
            after = context.finished(body, behind, end)
            return f"{before} {type_name(kind, body)} {after.lstrip()}".lstrip(), behind
    return context.finished(body, start, end), start


def member_piece(context: SliceContext, node: Node) -> Piece | None:
    """Keep what device code needs of a constant member's definition outside of its class."""
    body = context.body(node)
    needs_object = context.options.objects.has(node) and is_initialised_outside(context.unit, node)
    text = defined_outside(body, node, needs_object)
    return context.piece(node, aligned_range(body, node)[0], text) if text else None


def first_declaration(context: SliceContext, node: Node) -> Piece | None:
    """Keep the first declaration of a variable too where it stands before the definition."""
    first = context.unit.tree.node(node.cursor.canonical)
    if Variable(node.cursor) in context.declared.groups:
        return None  # its piece stands there
    if first.file not in context.unit.files or not is_declared_before(context.unit, node):
        return None
    declared = spelling.declare(node.type, node.spelling)
    text = f"extern {context.unit.target.words.device} {declared};"
    return in_front_of_block(context, first, context.piece(first, context.body(first).start(first), text))


def pointer_piece(context: SliceContext, cursor: Cursor, linked: Linked) -> Piece | None:
    """Return the pointer through which functions reach a variable that the image has no storage of."""
    node = context.unit.tree.node(cursor)
    if node.file not in context.unit.files:
        return None
    start, file = context.body(node).start(node), context.unit.files[node.file]
    pointer = spelling.declare_pointer_to(node.type, linked.name)
    place = line_directive(file.scan.source.users_line(start), file.scan.source.users_path(start))
    merged = "REX_MERGED " if context.options.mark and not is_of_unit_alone(cursor) else ""
    declared = f'extern "C" {{ {merged}{context.unit.target.words.device} {pointer}; }}\n'
    if not is_static_member(cursor):
        return Piece(context.places.key(node.file, start), f"{place}\n{declared}")
    outer = context.unit.tree.node(outermost_record(cursor))
    if not _is_ahead_of_class(context, cursor):
        message = f"'{node.spelling}' cannot be on the device yet: its type is a member of its class as well"
        raise error("unsupported-static-member", message, context.unit.span(node))
    if types.innermost(node.type).get_declaration().canonical == outer.cursor.canonical:
        heads = namespaces_written(outer.cursor)
        word = "class" if outer.kind == "CLASS_DECL" else "union" if outer.kind == "UNION_DECL" else "struct"
        forward = "".join(f"{h} {{ " for h in heads) + f"{word} {outer.spelling};" + " }" * len(heads)
        declared = f"{forward} {declared}"
    return Piece(context.places.key(outer.file, max(context.body(outer).start(outer) - 1, 0)), f"{place}\n{declared}")


def _is_ahead_of_class(context: SliceContext, member: Cursor) -> bool:
    """Whether a pointer to a static member can be declared in front of the class, whose functions name it."""
    outer = context.unit.tree.node(outermost_record(member))
    return outer.file in context.unit.files and not _names_member(member.type, member.semantic_parent)


def _names_member(kind: Type, record: Cursor) -> bool:
    """Whether a type is a member of a class, or made of one."""
    for named in spelling.named_types(kind):
        at = named.get_declaration().semantic_parent
        while at is not None:
            if at.canonical == record.canonical:
                return True
            at = at.semantic_parent
    return False


def device_variables(context: SliceContext, namespaces: OwnNamespaces = NO_NAMESPACES) -> list[DeviceVariable]:
    """Return the ``declare target`` variables of the device file, in source order, once it has its pieces."""
    linked = context.declared.linked
    local = context.declared.local
    known = ((v, c) for v, c in context.declared.variables.items() if v not in context.declared.groups)
    found = [DeviceVariable(c, linked.get(v), namespaces, v in local) for v, c in known]
    return [v for v in found if _is_needed(context, v)]


def _is_needed(context: SliceContext, variable: DeviceVariable) -> bool:
    own = Variable(variable.cursor)
    if variable.linked is not None and variable.linked.way is Way.COPIED and own in context.options.variables:
        return True  # or each region would copy it
    if variable.linked is not None:
        is_offered = variable.linked.is_looked_for and _can_be_offered(context, variable.cursor)
        return variable.linked.way is Way.MAPPED or is_offered or own in context.reached
    is_here = own.key in context.closure.variables
    return is_here and (not types.is_constant(variable.cursor.type) or _is_looked_for(context, variable.cursor))


def _is_looked_for(context: SliceContext, constant: Cursor) -> bool:
    """Whether other units look for a constant of this one because they cannot have a copy: one that holds pointers, or
    that its first declaration gives no size, and that is declared, as ``extern``, in front of its definition."""
    node = context.unit.tree.node(constant)
    is_shared = not is_of_unit_alone(constant) and not is_static_member(constant)
    has_no_copies = types.holds_pointers(constant.type) or constant.canonical.type.get_size() <= 0
    return is_shared and has_no_copies and is_declared_before(context.unit, node)


def _can_be_offered(context: SliceContext, cursor: Cursor) -> bool:
    """Whether other units may have a variable of this one, whose own device code may not name it."""
    if context.unit.tree.node(cursor).file not in context.unit.files:
        return False
    return not is_static_member(cursor) or _is_ahead_of_class(context, cursor)
