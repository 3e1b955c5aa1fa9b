"""Types of the slice: classes, unions, enumerations, aliases.

In: a type's node. Out: its piece: methods have qualifiers, and no bodies where the host alone executes them.
"""

from __future__ import annotations

from rexcc.analysis.library_overrides import overrides_library
from rexcc.analysis.member_constants import is_initialised_outside, member_key
from rexcc.clang import spelling
from rexcc.clang.library import canonical_type
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.codegen.closure.reachability import is_made_by_host
from rexcc.codegen.closure.tables import is_local
from rexcc.codegen.places.macro_declarations import expand_hidden
from rexcc.codegen.places.packing import definition_end, size_enumerations
from rexcc.codegen.slice.edits import (
    alias_end,
    drop_body,
    drop_first_value,
    end_of_member,
    mark_friend,
    mark_lambdas,
    open_record,
    qualifier_place,
    semicolon,
)
from rexcc.codegen.slice.functions import lower_constructs
from rexcc.codegen.slice.member_objects import declare_function
from rexcc.codegen.slice.pieces import Piece, SliceContext
from rexcc.frontend.declared_probes import is_declared_probe
from rexcc.frontend.statements import statement_end
from rexcc.lowering.c.dialect import lower_c_types
from rexcc.lowering.c.half_choices import cast_half_choices
from rexcc.lowering.instances.conditions import resolve_conditions
from rexcc.lowering.loops.walks import lower_walks
from rexcc.lowering.text.alignment import lower_allocations
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.case_ranges import spread_case_ranges
from rexcc.lowering.text.constant_questions import answer_questions
from rexcc.lowering.text.definitions import name_unnamed, takes_qualifiers
from rexcc.lowering.text.qualified import qualify_members
from rexcc.lowering.text.runtime_arrays import lower_runtime_arrays
from rexcc.source.diagnostics import error

ALIASES = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_METHODS = FUNCTION_KINDS - {"FUNCTION_DECL"}


def record_piece(context: SliceContext, node: Node, made: Node | None) -> Piece:
    """Return the piece of a class, union or enumeration; ``made`` is an instantiation's form of a template's."""
    body = context.body(node)
    if made is not None:
        resolve_conditions(body, [made])
    if is_local(node.cursor):
        qualify_members(body, node)
    _mark_members(context, node, body)
    lower_allocations(body, node)
    lower_runtime_arrays(body, node)
    spread_case_ranges(body, [node])
    cast_half_choices(body, [node])
    answer_questions(body, [node])
    context.reach(body, node)
    context.look_up(body, node)
    if int(node.cursor.canonical.hash) in context.options.opened:
        for record in (n for n in node.walk() if n.kind in RECORD_KINDS):
            open_record(record, body)
    name_unnamed(node, body)
    if context.unit.is_cplusplus:
        size_enumerations(node, body)
    else:
        lower_c_types(body, node)
    lower_constructs(context, body, node)
    lower_walks(body, node)
    start, end = body.start(node), definition_end(node, body)
    return context.piece(node, start, semicolon(context.finished(body, start, end)))


def alias_piece(context: SliceContext, node: Node, made: Node | None, in_full: bool = False) -> Piece:
    """Return the piece of an alias, or of what else names types: a concept, a using declaration.

    ``made`` is an instantiation's form of a template's alias; ``in_full`` it is the type itself that has the name.
    """
    if node.kind in ALIASES and (in_full or names_local(node)):
        known = (made or node).cursor.underlying_typedef_type
        named = spelling.declare(canonical_type(known), node.spelling)
        if "(lambda" in named:
            message = f"'{node.spelling}' has the type of a lambda, which has no name in a kernel"
            message += "; write the lambda in the alias, or give it to a function template with a region"
            raise error("unsupported-declaration", message, context.unit.span(node))
        return context.piece(node, context.body(node).start(node), f"typedef {named};")
    body = context.body(node)
    _mark_members(context, node, body)
    mark_lambdas(body, node)
    if is_local(node.cursor):
        qualify_members(body, node)
    for child in node.children if node.kind in ALIASES else ():
        if child.kind in RECORD_KINDS:
            name_unnamed(child, body)
    if context.unit.is_cplusplus:
        size_enumerations(node, body)
    else:
        lower_c_types(body, node)
    lower_constructs(context, body, node)
    start, end = body.start(node), alias_end(body, statement_end(body.file, node))
    return context.piece(node, start, semicolon(context.finished(body, start, end)))


def _mark_members(context: SliceContext, node: Node, body: DeviceBody) -> None:
    """Put qualifiers on the methods and friends of classes, and what devices need behind their members."""
    for inner in node.walk():
        parent = inner.cursor.lexical_parent
        in_record = parent is not None and kind_of(parent) in RECORD_KINDS
        if in_record and is_declared_probe(str(parent.spelling)):
            continue  # not the user's
        if inner.kind in _METHODS and in_record and inner.start < inner.end and takes_qualifiers(inner):
            expand_hidden(body, inner)
            if not overrides_library(inner):  # as the function of the library, which has no qualifiers
                body.edits.before(qualifier_place(body, inner), body.end(inner), f"{context.unit.target.words.both} ")
            drop_body(inner, body, context.options.host)
            member = context.options.members.get((inner.file, inner.start))
            if member is not None:
                body.edits.insert(end_of_member(body, inner), member)
        elif inner.kind == "FRIEND_DECL":
            mark_friend(inner, body, context.closure.has_function)
            for function in inner.children:
                drop_body(function, body, context.options.host)
        elif is_made_by_host(inner):
            drop_first_value(inner, body)
        elif in_record and context.options.objects.has(inner):
            outside = (n for n in context.closure.members.values() if is_initialised_outside(context.unit, n))
            definitions = {member_key(n.cursor, n) for n in outside}
            declare_function(body, inner, member_key(inner.cursor, inner) in definitions)


def names_local(alias: Node) -> bool:
    """Whether a type is that of a variable of its function, which its kernels' names do not mean yet."""
    own = {int(n.cursor.canonical.hash) for n in alias.walk() if n.kind in VARIABLE_KINDS}
    named = [c for n in alias.walk() if n.kind == "DECL_REF_EXPR" and (c := n.referenced) is not None]
    return any(kind_of(c) in VARIABLE_KINDS and is_local(c) and int(c.canonical.hash) not in own for c in named)
