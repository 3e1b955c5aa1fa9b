"""Scalarise accesses by the outer index.

In: a distributed loop. Out: an element that its body uses more than once lives in a local. Before::

    for (long long __rex_i = …) { int i = (int)__rex_i;
      z[i] = 0;
      for (int k = 0; k < n; k++) z[i] += a[i] * x[k]; …

after::

      const float __rex_cached_a = a[i];  float __rex_cached_z;
      __rex_cached_z = 0;
      for (int k = 0; k < n; k++) __rex_cached_z += __rex_cached_a * x[k];
      z[i] = __rex_cached_z; …

An array is taken only when all of this holds:

* every use of it in the region is ``a[i]``, spelled so, with ``i`` the index of the one distributed loop, and none has
  its address taken, is bound to a reference or stands in an atomic;
* its elements are scalars and not volatile, it is mapped memory, and its variable does not change;
* it pays: the element is used at least twice or inside an inner loop, and where it is written some write is in every
  iteration or in an inner loop (the write at the end is in every iteration);
* the load at the start reads nothing that could not be read: some use runs in every iteration, or the construct maps
  ``a[0:n]`` and the loop runs to ``n``. A first statement ``a[i] = …`` makes the load needless;
* written elements: no ``continue`` or ``goto`` of the loop can pass the write at the end, nothing else in the iteration
  can read or write the element. Elements only read: nothing can write them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import UsedVariable, is_written
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Declare
from rexcc.lowering.cleanups.context import CleanupContext, StoredElement
from rexcc.lowering.cleanups.effects import CALLING
from rexcc.lowering.cleanups.ldg import load_text
from rexcc.lowering.cleanups.memory import OWN, Memory, Places, union
from rexcc.lowering.cleanups.missed_reasons import overlap
from rexcc.lowering.cleanups.syntax import (
    is_evaluated,
    is_exact,
    is_free,
    is_load,
    is_plain_scalar,
    is_unconditional,
    subscript_around,
    value_type,
)
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class _Element:
    """An array with the uses ``a[i]`` of its element, in source order."""

    variable: Variable
    uses: list[Node]
    written: bool

    @property
    def stores_first(self) -> bool:
        """Whether the iteration gives the element a value before it looks at it: ``a[i] = e;`` as a statement."""
        first = self.uses[0]
        statement = first.parent
        if statement is None or statement.kind != "BINARY_OPERATOR" or statement.operator != "=":
            return False
        later_inside = any(statement.start <= u.start < statement.end for u in self.uses[1:])
        return statement.children[0] is first and not later_inside


def scalarize_outer_accesses(context: CleanupContext) -> None:
    """Give each element that qualifies a local."""
    loop = context.loop
    if loop is None or len(context.kernel.region.loops) != 1 or not loop.is_integer:
        return
    if context.memory.provenance.changes(loop.index).exposed:
        return
    for attribute in context.kernel.data.attributes:
        element = _element(context, loop, attribute.variable)
        if element is None:
            continue
        reason = element if isinstance(element, Reason) else _first_failed(context, element)
        if isinstance(element, _Element) and reason is None:
            _replace(context, loop, element)
            text = f"'{element.variable.name}[{loop.name}]' lives in a local during an iteration"
            context.tell(text, element.uses[0])
        elif context.explains:
            _explain(context, loop, attribute.variable, reason)


def _element(context: CleanupContext, loop: CanonicalLoop, variable: UsedVariable) -> _Element | Reason | None:
    """Return an array whose every use is exactly its element at the loop's index, or why it is no such array; None
    where no number is found at that index."""
    if not variable.uses or types.is_scalar(variable.cursor.type) or types.is_record(variable.cursor.type):
        return None
    accesses = [_access(context, loop, use) for use in variable.uses]
    uses = [a for a in accesses if a is not None]
    if not uses or not is_plain_scalar(uses[0].type):
        return None
    other = next((use for use, access in zip(variable.uses, accesses, strict=True) if access is None), None)
    if other is not None:
        return Reason(f"this is another use of '{variable.name}'", other)
    if spelling.is_unnamed(uses[0].type) or not all(is_load(u) or _is_store(u) for u in uses):
        return Reason("its address is taken, or its type has no local copy", uses[0])
    return _Element(variable, uses, any(is_written(u) for u in uses))


def _access(context: CleanupContext, loop: CanonicalLoop, use: Node) -> Node | None:
    """Return the subscript ``a[i]`` around a use of ``a``, where it is spelled so in the loop's body."""
    access = subscript_around(use)
    if access is None:
        return None
    position = access.children[1].bare()
    if named_variable(position) != loop.index:
        return None
    body = context.body
    start, end = body.start(access), body.end(access)
    inside = body.start(loop.body) <= start and end <= body.end(loop.body) and is_evaluated(access)
    return access if inside and is_exact(body, access) and is_free(body, start, end) else None


def _is_store(use: Node) -> bool:
    """Whether a use is written and its value, where it is looked at, is read at once."""
    return is_written(use) and use.parent is not None and use.parent.kind != "CALL_EXPR"


def _pays(context: CleanupContext, element: _Element) -> bool:
    repeated = [context.nearest_loop(u) is not None for u in element.uses]
    writes = [
        r or is_unconditional(context, u, context.scope)
        for u, r in zip(element.uses, repeated, strict=True)
        if is_written(u)
    ]
    return (len(element.uses) > 1 or any(repeated)) and (not element.written or any(writes))


def _is_shadowed(context: CleanupContext, element: _Element) -> bool:
    """Whether the names in ``a[i]`` may mean something else where the body ends."""
    index = context.loop.index if context.loop is not None else None
    names = {element.variable.name, *([index.name] if index is not None and element.written else [])}
    return any(v.name in names for v in context.memory.provenance.declared if v != index)


def _always_used(context: CleanupContext, element: _Element) -> bool:
    barrier = min((j.start for j in context.jumps), default=context.scope.end)
    return any(u.start < barrier and is_unconditional(context, u, context.scope) for u in element.uses)


def _is_mapped_whole(context: CleanupContext, element: _Element) -> bool:
    """Whether the target construct maps ``a[0:n]`` and the loop goes from a constant up to the same ``n``."""
    loop, attribute = context.loop, context.kernel.data.of(element.variable)
    if loop is None or attribute is None or len(attribute.map_items) != 1:
        return False
    if loop.relation != "<" or not context.body.original(loop.lower).isdigit():
        return False
    _, item, construct = attribute.map_items[0]
    section = item.sections[0] if len(item.sections) == 1 else None
    if construct is not context.kernel.region.construct or section is None or section.length is None:
        return False
    starts_at_0 = section.lower is None or section.lower.text.strip() == "0"
    same = section.length.text.split() == context.body.original(loop.bound).split()
    return starts_at_0 and same and _is_fixed(context, loop.bound)


def _is_fixed(context: CleanupContext, bound: Node) -> bool:
    """Whether an expression has one value from the launch to the end: it names values that the region never changes."""
    used = [
        n for n in bound.walk() if n.kind in ("DECL_REF_EXPR", "CALL_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR")
    ]
    return all(
        (variable := named_variable(n)) is not None
        and context.memory.provenance.place(n) == frozenset({OWN})
        and context.memory.provenance.is_constant(variable)
        for n in used
    )


def _is_alone(context: CleanupContext, element: _Element) -> bool:
    """Whether nothing else in an iteration can change the element or, where it is written, look at it."""
    memory = context.memory
    places = memory.provenance.place(element.uses[0])
    if places is None or OWN in places or len(places) != 1:
        return False
    own: set[Memory] = set(places)
    effects = memory.effects(memory.region.body)
    if effects.written is None or (element.written and effects.read is None):
        return False
    others = effects.written - own if not element.written else (effects.written | (effects.read or frozenset())) - own
    calling = (node for node in memory.region.body.walk() if node.kind in CALLING)
    if any(_reaches(context, node, element, places) for node in calling):
        return False
    return memory.provenance.is_constant(element.variable) and memory.all_apart(places, others)


def _reaches(context: CleanupContext, call: Node, element: _Element, places: Places) -> bool:
    """Whether a called function gets to the array by itself, as an array of ``declare target link``: it would see, or
    change, an element whose value lives in a local."""
    effects = context.memory.of_node(call)
    touched = union(effects.written, effects.read) if element.written else effects.written
    return not context.memory.all_apart(places, touched)


def _explain(context: CleanupContext, loop: CanonicalLoop, variable: UsedVariable, reason: Reason | None) -> None:
    """Tell why an element that an iteration uses more than once stays in memory."""
    found = [access for use in variable.uses if (access := _access(context, loop, use)) is not None]
    if reason is not None and (len(found) > 1 or _is_repeated(context, found[0])):
        context.tell(f"'{variable.name}[{loop.name}]' is not kept in a local during an iteration", found[0], reason)


def _is_repeated(context: CleanupContext, access: Node) -> bool:
    """Whether an inner loop executes an access more than once: what begins a loop is executed in front of it."""
    loop = context.nearest_loop(access)
    while loop is not None and loop.kind == "FOR_STMT" and access.is_inside(loop.children[0]):
        loop = context.nearest_loop(loop)
    return loop is not None


def _first_failed(context: CleanupContext, element: _Element) -> Reason | None:
    """Return the first precondition that does not hold for an element, None where all do."""
    if not _pays(context, element):
        return Reason("it would be stored in iterations that do not store it now")
    if element.written and context.jumps:
        return Reason("this may leave the iteration before its end", context.jumps[0])
    if _is_shadowed(context, element):
        return Reason("a name in it means something else where the iteration ends")
    if not (_always_used(context, element) or _is_mapped_whole(context, element)):
        return Reason("no use runs in every iteration, so that reading it early might read what is not there")
    if _is_alone(context, element):
        return None
    places = context.memory.provenance.place(element.uses[0])
    other = next(_foreign(context, element, places), None) if places is not None and context.explains else None
    unknown = f"it is not known where '{element.variable.name}' points to, or the iteration reads it in another way"
    return other or Reason(unknown)


def _foreign(context: CleanupContext, element: _Element, places: frozenset[Memory]) -> Iterator[Reason]:
    """Yield the first access of an iteration, not one of the element's uses, that may write the element."""
    own = {id(use) for use in element.uses}
    top = context.memory.region.body
    for node in context.memory.writers(places, top):
        inside = any(id(below) in own for below in node.walk())
        if not inside:
            yield overlap(context, places, node, element.variable.name)
            return


def _replace(context: CleanupContext, loop: CanonicalLoop, element: _Element) -> None:
    name = context.name(related("cached", element.variable.name))
    first = element.uses[0]
    kind = value_type(first.type, context.body.unit.is_cplusplus)
    needs_no_load = element.stores_first and is_unconditional(context, first, context.scope)
    value = None if needs_no_load else load_text(context, first)
    context.opening.append(Declare(f"{'' if element.written else 'const '}{kind} {name}", name, value))
    if element.written:
        place = f"{element.variable.name}[{loop.name}]"
        context.stored.append(StoredElement(place, element.variable.name, name, kind))
    for use in element.uses:
        start, end = context.body.start(use), context.body.end(use)
        context.body.edits.replace(start, end, name)
        context.in_locals[start, end] = name
