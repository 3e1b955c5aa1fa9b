"""Functions of the slice, and the constructs in them.

In: functions that kernels call, as their definitions or declarations. Out: their pieces, and the locks of their
``critical`` constructs.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import StorageClass

from rexcc.analysis.calls import asks_for_team, is_block_uniform, is_block_uniform_alone
from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.local_methods import LocalMethods
from rexcc.analysis.rules.facts import critical_name
from rexcc.clang import library, locations
from rexcc.clang.hidden_types import hiding
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.closure.uncalled_constructs import comes_with_objects
from rexcc.codegen.slice.edits import qualifier, qualifier_place, semicolon
from rexcc.codegen.slice.pieces import Piece, SliceContext, in_front_of_block
from rexcc.lowering.c.declarations import complete_prototype, declare_as_called
from rexcc.lowering.c.dialect import lower_c
from rexcc.lowering.c.half_choices import cast_half_choices
from rexcc.lowering.c.inner_types import move_result, name_result
from rexcc.lowering.constructs.lower import lower_inside
from rexcc.lowering.generic.team_calls import together_name
from rexcc.lowering.generic.team_functions import TeamFunction, write_together
from rexcc.lowering.loops.walks import lower_walks
from rexcc.lowering.text.alignment import lower_allocations
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.case_ranges import spread_case_ranges
from rexcc.lowering.text.constant_questions import answer_questions
from rexcc.lowering.text.definitions import mark_methods
from rexcc.lowering.text.local_declarations import drop_declarations
from rexcc.lowering.text.runtime_arrays import lower_runtime_arrays
from rexcc.lowering.text.team import CALLER, block
from rexcc.program.constructs import Construct, ConstructFunction


def first_prototype(context: SliceContext, node: Node) -> Piece | None:
    """Keep the first declaration too where it stands before the definition."""
    first = context.unit.tree.node(node.cursor.canonical)
    if first.cursor == node.cursor or first.file not in context.unit.files or first.start == node.start:
        return None
    if kind_of(first.cursor.lexical_parent) in RECORD_KINDS:
        return None
    pattern = library.template_of(node.cursor)
    if pattern is not None and first.is_inside(context.unit.tree.node(pattern)):
        return None  # what libclang shows as a specialisation's first declaration is its template
    return prototype_piece(context, first, node)


def prototype_piece(context: SliceContext, node: Node, definition: Node | None = None) -> Piece:
    """Return the piece of a function's declaration, without a body that it may have."""
    body = context.body(node)
    block = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
    start, end = body.start(node), body.end(node) if block is None else body.start(block)
    place = name_result(body, node) if not context.unit.is_cplusplus else 0
    body.edits.before(qualifier_place(body, node), body.end(node), qualifier(node, context.unit.target.words))
    lower_runtime_arrays(body, node)
    if not context.unit.is_cplusplus:
        complete_prototype(body, node, definition or node)
        lower_c(body, node)
    text = semicolon(context.finished(body, start, end).rstrip())
    return in_front_of_block(context, node, context.piece(node, max(start, place), text))


def function_piece(context: SliceContext, node: Node, together: TeamFunction | None = None) -> Piece:
    """Return the piece of a function: its definition, or its declaration where another unit defines it; ``together``:
    the form that all threads of a team call together."""
    with hiding(node):
        return _function_piece(context, node, together)


def _function_piece(context: SliceContext, node: Node, together: TeamFunction | None) -> Piece:
    body = context.body(node)
    start, end = body.start(node), body.end(node)
    if not context.unit.is_cplusplus:
        move_result(body, node)
        called = context.closure.undefined.get(int(node.cursor.canonical.hash))
        if called is not None:
            declare_as_called(body, node, called[1])
    words = "static " if together is not None and node.cursor.storage_class != StorageClass.STATIC else ""
    words += qualifier(node, context.unit.target.words)
    body.edits.before(qualifier_place(body, node), body.end(node), words)
    drop_declarations(body, node.children)
    lower_allocations(body, node)
    lower_runtime_arrays(body, node)
    spread_case_ranges(body, [node])
    cast_half_choices(body, [node])
    answer_questions(body, [node])
    context.reach(body, node)
    if not context.unit.is_cplusplus:
        lower_c(body, node)
    context.look_up(body, node)
    mark_methods(body, node)
    if together is not None:
        _lower_together(context, body, together)
    else:
        lower_constructs(context, body, node)
        _name_team(context, body, node)
        lower_walks(body, node)
    text = context.finished(body, start, end)
    has_body = body.text[end - 1] == "}"
    if not has_body and node.cursor.is_default_method():
        text += " = default"  # which clang's range leaves out
    return context.piece(node, start, text if has_body else semicolon(text))


def lower_constructs(context: SliceContext, body: DeviceBody, node: Node) -> None:
    """Rewrite the constructs of the functions in a declaration that kernels call; other directives are comments.

    This comes last, for constructs take along the text of expressions as it has become.
    """
    context.blank(body, body.start(node), body.end(node))
    done: set[int] = set()
    for holder in _holders(context, node):
        written = holder.template or holder.node
        if written.file != node.file or not node.start <= written.start < node.end or written.start in done:
            continue
        done.add(written.start)
        if _is_executed(context, holder, written.start == node.start):
            is_pattern = holder.template is not None
            team = block(context.unit.target.words) if is_block_uniform(context.unit, written) else CALLER
            lower_inside(body, _constructs(context, holder), team, [written], is_pattern)
    for function in (n for n in node.walk() if n.kind in FUNCTION_KINDS):
        if function.start not in done and is_block_uniform(context.unit, function):
            done.add(function.start)
            lower_inside(body, (), block(context.unit.target.words), [function])


def _holders(context: SliceContext, node: Node) -> Iterator[ConstructFunction]:
    """Yield the functions with constructs, and the methods of classes of a function that is not in the declaration."""
    yield from context.unit.functions
    for owner, method in context.unit.kept(LocalMethods).all:
        if not (owner.template or owner.node).is_inside(node):
            yield method


def _lower_together(context: SliceContext, body: DeviceBody, function: TeamFunction) -> None:
    """Let all threads of a block walk through a function; its form for them has a name of its own."""
    node = function.node
    context.blank(body, body.start(node), body.end(node))
    write_together(body, function, asks_for_team(context.unit, node))
    _, name = locations.file_location(node.cursor.location, node.tree.names)
    at = body.file.original(name)
    body.edits.replace(at, at + len(node.spelling), together_name(node.spelling))


def _name_team(context: SliceContext, body: DeviceBody, node: Node) -> None:
    """Let a function know its team in an image of the unit alone."""
    statement = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
    if statement is None or not is_block_uniform_alone(context.unit, node):
        return
    start = body.start(statement)
    body.edits.after(start, start + 1, " REX_TEAM_OF_BLOCK")


def _constructs(context: SliceContext, holder: ConstructFunction) -> tuple[Construct, ...]:
    """Return the outermost constructs of a function; of a template, those that some instantiation does not discard,
    each as the one has it that discards least of it."""
    if holder.template is None:
        return holder.constructs
    found: dict[int, Construct] = {}
    functions = (*context.unit.functions, *(method for _, method in context.unit.kept(LocalMethods).all))
    for other in (f for f in functions if f.template is holder.template and not f.unused):
        for construct in other.constructs:
            known = found.get(construct.probe.offset)
            if known is None or len([*known.descendants()]) < len([*construct.descendants()]):
                found[construct.probe.offset] = construct
    return tuple(found[offset] for offset in sorted(found))


def _is_executed(context: SliceContext, function: ConstructFunction, is_alone: bool = False) -> bool:
    """Whether the constructs of a function are code of the device: kernels call it, or may without a word for it. One
    that stands alone, not in a class, is device code only because something there names or may call it."""
    written = function.template or function.node
    place = (written.file, written.start)
    if place in context.options.called or place in context.options.host:
        return place in context.options.called
    if any(is_ours(construct) for construct in function.walk()):
        return False  # which speak to devices, from the host
    if is_alone and written.kind in FUNCTION_KINDS:
        return True
    return comes_with_objects(function)


def _is_in_lambda(construct: Construct) -> bool:
    """Whether a construct stands in a lambda, which regions may call."""
    return any(above.kind == "LAMBDA_EXPR" for above in construct.node.ancestors())


def locks_of(context: SliceContext) -> set[str]:
    """Return the names of the ``critical`` constructs in device code."""
    found: set[str] = set()
    local = (method for _, method in context.unit.kept(LocalMethods).all)
    for function in (*context.unit.functions, *local):
        called = _is_executed(context, function)
        for construct in function.walk():
            in_device = called or is_ours(construct) or _is_in_lambda(construct)
            if "critical" in construct.directive.leaves and in_device:
                found.add(critical_name(construct.directive))
    return found
