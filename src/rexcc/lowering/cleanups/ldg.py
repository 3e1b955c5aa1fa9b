"""Read-only loads go through the read-only cache, by the target's word for it, such as ``__ldg``.

In: a kernel's body, after the other passes. Out: loads of memory that nothing writes while the kernel runs. Before::

    z[i] = where[i].lat + table[index[i]];

after::

    z[i] = __ldg(&where[i].lat) + __ldg(&table[__ldg(&index[i])]);

A load is rewritten only when all of this holds:

* it reads an element of mapped memory through a subscript, a member or a dereference, and its value is all that is used
  (no address, no reference, no ``sizeof``, no atomic);
* its type is one that the target has such a load for, and not volatile, a bit-field, or in a packed structure;
* it is no member of an object that is aligned more strictly: the compiler would not know that any more, and load the
  members of such an object one by one;
* everything it may point to is known, is global memory of the device, and is provably apart from everything that the
  kernel may write, results of reductions included (:mod:`.alias`). REX trusts ``const`` alone; a pointer to const
  may point to what another pointer writes;
* its text is its own, no macro's.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Kind
from rexcc.clang import types
from rexcc.clang.members import is_bit_field, is_packed
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import Places
from rexcc.lowering.cleanups.restrict_read_only import read_only_pointers
from rexcc.lowering.cleanups.syntax import is_evaluated, is_exact, is_load, is_wrappable
from rexcc.program.optimisations import Optimisation

_GLOBAL = frozenset({Kind.MAPPED, Kind.MAPPED_IMPLICITLY, Kind.POINTER, Kind.DEVICE_POINTER, Kind.DEVICE_ADDRESS})


def rewrite_read_only_loads(context: CleanupContext) -> None:
    """Rewrite every load that qualifies; a macro's argument that is used twice has to qualify in each use."""
    wanted: dict[tuple[int, int], Node] = {}
    refused: set[tuple[int, int]] = set()
    for node in context.scope.walk():
        if _is_access(node):
            place = (context.body.start(node), context.body.end(node))
            if is_load(node) and is_evaluated(node):
                wanted.setdefault(place, node)
            else:
                refused.add(place)
    wrapped: dict[str, Node] = {}
    for (start, end), node in wanted.items():
        if (start, end) not in refused and is_wrappable(context.body, start, end) and is_read_only(context, node):
            wrapped.setdefault(_owner(context, node), node)
            _wrap(context, node)
    told = {v.name for v in read_only_pointers(context)} if context.explains else set()
    for name, node in wrapped.items():
        if name not in told:
            context.tell(f"loads of '{name}' use the read-only cache: nothing writes it while the kernel runs", node)


def _owner(context: CleanupContext, node: Node) -> str:
    """Return the name of the variable that a load belongs to."""
    places = context.memory.provenance.place(node) or frozenset()
    return min(memory.variable.name for memory in places if memory.variable is not None)


def load_text(context: CleanupContext, node: Node) -> str:
    """Return the text of a load that another pass makes of an expression."""
    text = context.body.original(node)
    return f"{_load(context)}(&{text})" if is_read_only(context, node) else text


def _load(context: CleanupContext) -> str:
    return context.kernel.region.unit.target.words.read_only_load


def is_read_only(context: CleanupContext, node: Node) -> bool:
    """Whether an expression is memory that the read-only cache may serve."""
    unit = context.kernel.region.unit
    if Optimisation.READ_ONLY in context.kernel.region.left_out:
        return False
    kind, loaded = types.canonical(node.type), unit.target.capabilities.read_only_types
    if types.kind_name(kind) not in loaded or types.is_volatile(kind) or is_bit_field(node) or is_packed(node):
        return False
    if not is_exact(context.body, node) or _is_in_aligned_object(node):
        return False
    places = context.memory.provenance.place(node)
    if all(memory.variable in context.kernel.read_only for memory in places or ()):
        return False  # the parameter's qualifier says it
    return bool(places) and _is_global(context, places) and context.memory.all_apart(places, context.memory.written)


def _is_in_aligned_object(node: Node) -> bool:
    """Whether an expression is a member, or a member's member, of an object with a stricter alignment."""
    alignment, inner = types.canonical(node.type).get_align(), node
    while inner.kind == "MEMBER_REF_EXPR" and inner.referenced is not None:
        if inner.referenced.semantic_parent.type.get_align() > alignment:
            return True
        inner = inner.children[0].bare() if inner.children else inner.tree.node(inner.referenced)
    return False


def _is_access(node: Node) -> bool:
    return node.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") or (node.is_dereference)


def _is_global(context: CleanupContext, places: Places) -> bool:
    """Whether all that an expression may be is memory of the device: an object whose value travels is none."""
    carried = {a.parameter.carries for a in context.kernel.arguments if a.parameter is not None}
    for memory in places or ():
        if memory.variable in carried and not memory.pointee:
            return False
        attribute = context.kernel.data.of(memory.variable) if memory.variable is not None else None
        if attribute is None or attribute.kind not in _GLOBAL:
            return False
    return True


def _wrap(context: CleanupContext, node: Node) -> None:
    """Put the target's function around a load: ``__ldg(&a[i])``, ``__ldg(p)`` for ``*p``, else ``__ldg(p + i)``."""
    body, load = context.body, _load(context)
    if node.kind != "UNARY_OPERATOR":
        body.wrap(node, f"{load}(&", ")")
        return
    start, operand = body.start(node), node.children[0]
    if operand.kind == "PAREN_EXPR" and body.text[start + 1 : start + 2] == "(":
        body.edits.replace(start, start + 1, load)
        return
    body.edits.replace(start, start + 1, f"{load}(")
    body.edits.after(start, body.end(node), ")")
