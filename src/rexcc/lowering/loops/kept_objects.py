"""Objects of each iteration's own that an inner loop gives to functions, which change them.

In: the inner loops of an iteration. Out: a loop with the object in a local. Before and after::

    for (int s = 0; s < steps; s++) step(f[i], &y[i]);

    if (rex_tripcount_lt(0, steps, 1) > 0) {
      auto __rex_own_y = rex_keep<double>(y[i]);
      for (int s = 0; s < steps; s++) step(f[i], &__rex_own_y.object);
      __rex_own_y.put_back(y[i]);
    }

The device's compiler stores what a loop changes in each iteration, and where neighbouring threads have an object each,
an access of a warp is one to as many lines of the cache. A local is in registers (``rex_device_kept.h``).

It cannot be noticed. In the loop nothing else leads to the memory that the pointer leads to, by the proofs of
:mod:`rexcc.lowering.cleanups.alias`: what is accessed besides is apart from it, and so is all that the functions called
access, but through the parameters that are given the object. These are named for elements and members alone, or given
on in the same way, so nothing keeps or compares where the object is. No thread waits for another in the loop, and what
one thread changes no other may access meanwhile, for that would be a race. What the thread does not change is not
stored: numbers whose bits are the same. The object is there, whole: a construct around maps whole ones, and the
loop's first iteration accesses it for sure; where the loop has none, it stays as it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.function_facts import function_facts
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.analysis.references import is_written
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.kernel.ir import Block, Declare, Do, UserSlot
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import Memory, is_pointer_variable
from rexcc.lowering.cleanups.syntax import is_evaluated, is_exact, is_free, is_load
from rexcc.lowering.loops.given_objects import accesses_surely, arguments_given, is_sure, is_used_by_parts
from rexcc.lowering.loops.loop_forms import Text
from rexcc.lowering.loops.turn_rules import counting_loop
from rexcc.lowering.model.geometry import tripcount
from rexcc.lowering.model.topics import Topic
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related

_LEAVING = frozenset(
    {"BREAK_STMT", "CONTINUE_STMT", "RETURN_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT", "SWITCH_STMT"}
)
_NUMBERS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})
_SUBSCRIPTS = frozenset({"BINARY_OPERATOR", "INTEGER_LITERAL", "PAREN_EXPR", "UNEXPOSED_EXPR", "DECL_REF_EXPR"})
_MOST = 128
"""Bytes of an object: a local of it, and what it was, are in registers."""


def keep_objects(context: CleanupContext, text: Text) -> None:
    """Put the objects that qualify into locals while their loops run; ``text`` writes the loops' bounds."""
    region = context.kernel.region
    is_plain = region.is_worksharing and not region.constructs[-1].children
    if not is_plain or Optimisation.ELEMENTS in region.left_out:
        return
    for loop in context.inner_loops():
        is_free_loop = loop not in context.guarded and loop not in context.turns and loop not in context.before
        if is_free_loop and context.nearest_loop(loop) is None and loop is not context.shared_loop:
            _keep(context, loop, text)


def _keep(context: CleanupContext, loop: Node, text: Text) -> None:
    nodes = list(loop.walk())
    given = [n for n in nodes if _is_object(n) and any(_may_change(p) for _, p in arguments_given(n))]
    if not given or any(n.kind in _LEAVING or n.is_called_code or types.is_volatile(n.type) for n in nodes):
        return
    counted = counting_loop(context, loop, may_be_short=True)
    if counted is None or _synchronises(context, loop):
        return
    for variable in dict.fromkeys(named_variable(n.children[0].bare()) for n in given):
        uses = _uses(context, nodes, variable) if variable is not None else []
        if variable is not None and uses and _qualifies(context, loop, variable, uses):
            trips = tripcount(counted, text(counted.lower), text(counted.bound))
            _put_into_local(context, counted, trips, variable, uses)
            return


def _qualifies(context: CleanupContext, loop: Node, variable: Variable, uses: list[Node]) -> bool:
    tree = context.memory.tree
    is_there = any(is_sure(use, loop.children[-1]) and accesses_surely(tree, use) for use in uses)
    return is_there and _is_alone(context, loop, variable, uses)


def _put_into_local(
    context: CleanupContext, loop: CanonicalLoop, trips: str, variable: Variable, uses: list[Node]
) -> None:
    body, number = context.body, _number(uses[0].type)
    if number is None:
        return
    place, name = body.original(uses[0]), context.name(related("own", variable.name))
    own = Declare(f"auto {name}", name, f"rex_keep<{spelling.spell_bare(number)}>({place})")
    context.guarded[loop.statement] = (Block(f"if ({trips} > 0)", (own, UserSlot(), Do(f"{name}.put_back({place});"))),)
    for use in uses:
        body.edits.replace(body.start(use), body.end(use), f"{name}.object")
    context.tell(f"'{place}' is in a local while this loop runs", loop.statement, topic=Topic.MEMORY)


def _may_change(parameter: Cursor) -> bool:
    """Whether a function may change what a parameter leads to."""
    kind = (
        types.without_reference(parameter.type) if types.is_reference(parameter.type) else parameter.type.get_pointee()
    )
    return not types.is_constant(kind)


def _is_object(node: Node) -> bool:
    """Whether a node is an element of what a pointer leads to that consists of a few numbers of one type."""
    if node.kind != "ARRAY_SUBSCRIPT_EXPR":
        return False
    variable = named_variable(node.children[0].bare())
    if variable is None or not is_pointer_variable(variable) or not types.is_record(node.type):
        return False
    return _number(node.type) is not None


def _number(kind: Type) -> Type | None:
    """Return the type of the numbers of which an object consists, None for what consists of others."""
    found = list(_numbers(types.canonical(kind)))
    names = {str(number.spelling) for number in found}
    if len(names) != 1 or types.is_constant(kind) or not 1 < kind.get_size() // found[0].get_size() <= _MOST:
        return None
    is_fixed = types.is_volatile(found[0]) or types.is_constant(found[0])
    is_number = types.kind_name(found[0]) in _NUMBERS and not is_fixed
    return found[0] if is_number and kind.get_size() <= _MOST else None


def _numbers(kind: Type) -> Iterator[Type]:
    """Yield the types of an object's scalars; what is no plain class or array yields itself."""
    plain = types.canonical(kind)
    element = types.element_of(plain)
    if element is not None and types.constant_extent(plain) is not None:
        yield from _numbers(element)
    elif types.is_record(plain) and _is_plain_class(plain):
        for member in plain.get_fields():
            yield from _numbers(member.type)
    else:
        yield plain


def _is_plain_class(kind: Type) -> bool:
    record = kind.get_declaration()
    bases = any(kind_of(child) == "CXX_BASE_SPECIFIER" for child in record.get_children())
    fields = list(kind.get_fields())
    return bool(fields) and kind.is_pod() and not bases and not any(f.is_bitfield() for f in fields)


def _uses(context: CleanupContext, nodes: list[Node], variable: Variable) -> list[Node]:
    """Return the uses of the object, empty where something names the pointer for anything else."""
    named = [n for n in nodes if n.kind == "DECL_REF_EXPR" and named_variable(n) == variable]
    uses = [_element_around(n) for n in named]
    found = [use for use in uses if use is not None]
    texts = {context.body.original(use) for use in found}
    if len(found) != len(named) or len(texts) != 1:
        return []
    return found if all(_may_be_local(context, use) for use in found) else []


def _element_around(name: Node) -> Node | None:
    base = name if name.parent is None or name.parent.kind != "UNEXPOSED_EXPR" else name.parent
    element = base.parent
    is_base = element is not None and element.kind == "ARRAY_SUBSCRIPT_EXPR" and element.children[0] is base
    return element if is_base else None


def _may_be_local(context: CleanupContext, use: Node) -> bool:
    body = context.body
    is_text = is_free(body, body.start(use), body.end(use)) and is_exact(body, use) and is_evaluated(use)
    return is_text and _is_fixed(context, use) and is_used_by_parts(context.memory.tree, use)


def _is_fixed(context: CleanupContext, use: Node) -> bool:
    """Whether a subscript is the same in all of an iteration, in which no other variable has the names in it."""
    for node in use.children[1].walk():
        if node.kind not in _SUBSCRIPTS:
            return False
        if node.kind == "DECL_REF_EXPR" and not _is_same(context, named_variable(node)):
            return False
    pointer = named_variable(use.children[0].bare())
    return pointer is not None and _has_name_alone(context, pointer)


def _is_same(context: CleanupContext, variable: Variable | None) -> bool:
    if variable is None or not types.is_scalar(variable.type) or types.is_reference(variable.type):
        return False
    is_index = any(loop.index == variable for loop in context.kernel.region.loops)
    return (is_index or context.memory.provenance.is_constant(variable)) and _has_name_alone(context, variable)


def _has_name_alone(context: CleanupContext, variable: Variable) -> bool:
    declared = (n for n in context.scope.walk() if n.kind == "VAR_DECL" and n.spelling == variable.name)
    return all(Variable(n.cursor) == variable for n in declared)


def _is_alone(context: CleanupContext, loop: Node, variable: Variable, uses: list[Node]) -> bool:
    """Whether a construct maps whole objects, and nothing in a loop leads to them but their uses."""
    memory = frozenset({Memory(variable, True)})
    if context.memory.provenance.target(uses[0].children[0]) != memory or not context.memory.maps_whole(variable):
        return False
    given = {argument for use in uses for argument, _ in arguments_given(use)}
    own = {node for use in uses for node in (*use.walk(), *_parts_of(use))}
    for node in loop.walk():
        if node in own:
            continue
        effects = context.memory.of_node_without(node, frozenset(given))
        apart = (context.memory.all_apart(memory, places) for places in (effects.written, effects.read))
        if not all(apart):
            return False
    return True


def _parts_of(use: Node) -> Iterator[Node]:
    """Yield what takes a part of an object, up to the value or the argument, and what assigns to the part."""
    for above in use.ancestors():
        if is_written(above):
            yield above
            yield from itertools.islice(above.in_parentheses().ancestors(), 1)
            return
        is_part = above.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")
        is_address = above.kind == "UNARY_OPERATOR" and above.operator == "&"
        if not is_part and not is_address and not _is_data(above):
            return
        yield above
        if is_load(above):
            return


def _is_data(node: Node) -> bool:
    callee: Cursor | None = node.referenced if node.kind == "CALL_EXPR" else None
    return callee is not None and node.spelling == "data" and library.in_system_header(callee)


def _synchronises(context: CleanupContext, loop: Node) -> bool:
    """Whether a function that a loop reaches has a construct, or is another file's, or has volatile objects."""
    unit = context.kernel.region.unit
    facts = function_facts(unit)
    for function in facts.reached(loop):
        if library.in_system_header(function):
            continue
        node = unit.tree.node(function)
        if lacks_definition(function) or facts.constructs_in(node):
            return True
        if any(types.is_volatile(n.type) for n in node.walk()):
            return True
    return False
