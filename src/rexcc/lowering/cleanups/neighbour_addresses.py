"""Where neighbouring elements are loaded, and by which address it is known whether they are aligned.

In: the loop over some neighbours (:mod:`.neighbours`), and the address of the first. Out: the outermost loop around it
in front of which the same elements can be loaded, and an address that is aligned if and only if the first element's is
and that changes less often. Before::

    for (int k = 0; k < 16; k++) {
      rex_load_neighbours(__rex_near_p, &p[i * 4]);
      rex_load_neighbours(__rex_near_c, &c[k * 4]);

after::

    rex_load_neighbours(__rex_near_p, &p[i * 4], p);
    for (int k = 0; k < 16; k++) {
      rex_load_neighbours(__rex_near_c, &c[k * 4], c);

The device's compiler asks for ``c`` once and then has a loop for each answer, but would ask for ``&c[k * 4]`` in each
iteration; a load that depends on an answer it leaves in the loop.

A load moves in front of a loop only if nothing in that loop changes the address or may write the elements, and if the
loop surely gets to the load: it counts between constants, at least once, is left nowhere else, and no condition stands
in between. So no memory is touched that would not be, and the same values are read.

The alignment of ``&c[e]`` is that of ``c`` where ``e`` is a multiple of as many elements as make a piece. That number
is a power of two, so sums that wrap around keep it.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VALUE_CASTS, Node, kind_of
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import Places, initialiser
from rexcc.lowering.cleanups.syntax import can_precede, is_unconditional
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.program.variables import Variable, named_variable

_LEAVING = frozenset(
    {
        "BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "RETURN_STMT", "LABEL_STMT", "SWITCH_STMT",
        "CXX_THROW_EXPR",
    }
)  # fmt: skip
"""What may leave a loop or skip a part of it."""


def may_leave(node: Node) -> bool:
    """Whether a node may leave a loop or skip a part of it, or is code that runs elsewhere."""
    return node.kind in _LEAVING or node.is_called_code


_INTEGERS = frozenset(
    {"CHAR_U", "UCHAR", "CHAR_S", "SCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"}
)
_IN_ALL = 127
"""The greatest number that all types of integers have."""

FARTHEST = 64
"""The greatest power of two that is looked for."""


def values_of_address(element: Node) -> Iterator[Node]:
    """Yield the values that make the address of an element: a pointer, the subscripts of an array in arrays."""
    yield from values_of_base(element.children[0])
    yield element.children[1]


def values_of_base(base: Node) -> Iterator[Node]:
    """Yield the values that make the address of an array or what a pointer points to."""
    bare = base.bare()
    if not types.is_array(bare.type):
        yield bare
    elif bare.kind == "ARRAY_SUBSCRIPT_EXPR":
        yield from values_of_address(bare)
    elif bare.kind != "DECL_REF_EXPR":
        yield bare


def loop_to_precede(context: CleanupContext, loop: Node, address: tuple[Node, ...], places: Places) -> Node:
    """Return the outermost loop in front of which elements can be loaded that an innermost loop visits.

    ``address`` are the values that make the address of the first, ``places`` where the elements are.
    """
    found = loop
    while (above := context.nearest_loop(found)) is not None:
        if not _surely_gets_to(context, above, found) or not _stays_in(context, above, address, places):
            break
        found = above
    return found


def _surely_gets_to(context: CleanupContext, loop: Node, inner: Node) -> bool:
    """Whether a loop executes a statement of its body at least once, and lines can be put in front of it."""
    if loop is context.shared_loop or not can_precede(context, loop):
        return False
    if loop.kind != "FOR_STMT" or len(loop.children) != 4 or not _runs(loop):
        return False
    return is_unconditional(context, inner, loop.children[-1]) and not any(map(may_leave, loop.walk()))


def _runs(loop: Node) -> bool:
    """Whether a loop's test holds for the constant that its index begins with."""
    declared = [n for n in loop.children[0].walk() if n.kind == "VAR_DECL"]
    first = initialiser(declared[0]) if len(declared) == 1 else None
    test = loop.children[1].bare()
    if first is None or test.operator not in ("<", "<=", ">", ">=", "!=") or not _is_integer(declared[0].type):
        return False
    if named_variable(test.children[0].bare()) != Variable(declared[0].cursor):
        return False
    low, high = evaluate_integer(first.cursor), evaluate_integer(test.children[1].cursor)
    if low is None or high is None or not (0 <= low <= _IN_ALL and 0 <= high <= _IN_ALL):
        return False
    holds = {"<": low < high, "<=": low <= high, ">": low > high, ">=": low >= high, "!=": low != high}
    return holds[test.operator]


def _stays_in(context: CleanupContext, loop: Node, address: tuple[Node, ...], places: Places) -> bool:
    """Whether a loop changes neither an address nor the elements there."""
    memory = context.memory
    if not memory.all_apart(places, memory.effects(loop).written):
        return False
    declared = {Variable(n.cursor) for n in loop.walk() if n.kind == "VAR_DECL"}
    if any(named_variable(n) in declared for part in address for n in part.walk()):
        return False
    return not any(True for part in address for _ in value_changes(memory, part, [loop], frozenset()))


def aligned_alike(context: CleanupContext, base: Node, position: Node | None, piece: int) -> Node | None:
    """Return an array or a pointer that is a multiple of ``piece`` bytes if and only if ``&base[position]`` is.

    None where that is known of no other address.
    """
    bare = base.bare()
    size = types.canonical(types.pointee_of(base.type)).get_size()
    if position is not None and factor(context, position) * size % piece:
        return None
    row = _array_of(context, bare, piece)
    return bare if row is bare and position is not None else (row if row is not bare else None)


def known_alignment(context: CleanupContext, base: Node, position: Node | None) -> int:
    """Return a power of two that the address of ``base[position]`` is a multiple of by its type, 1 for none.

    An array in a class has one, because objects of the class are aligned as their most demanding member wants. To use
    an object at any other address is an error of the program's: a GPU faults where it loads that member.
    """
    bare = base.bare()
    if bare.kind != "MEMBER_REF_EXPR" or not types.is_array(bare.type):
        return 1
    size = int(types.canonical(types.element_of(bare.type)).get_size())
    inside = factor(context, position) * size if position is not None else FARTHEST
    return min(_alignment_of_part(bare), inside)


def _alignment_of_part(top: Node) -> int:
    """Return what the address of a part of an object is a multiple of; packed classes give parts less."""
    found, part = FARTHEST, top
    while part.kind in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") and part.children:
        inner = part.children[0].bare()
        if part.kind == "MEMBER_REF_EXPR":
            found = min(found, _alignment_in_class(part, inner))
        if types.is_pointer(inner.type):
            return found
        part = inner
    return found if part.kind == "DECL_REF_EXPR" else 1


def _alignment_in_class(member: Node, whole: Node) -> int:
    """Return what the address of a member is a multiple of where its object is aligned as its class wants it.

    1 for a member of a base: a packed class between may have the base at any address.
    """
    field = member.referenced
    if field is None or kind_of(field) != "FIELD_DECL":
        return 1
    kind = types.pointee_of(whole.type) if types.is_pointer(whole.type) else whole.type
    if types.canonical(kind).get_declaration() != field.semantic_parent:
        return 1
    bits, wanted = int(field.get_field_offsetof()), min(kind.get_align(), field.semantic_parent.type.get_align())
    if bits < 0 or bits % 8 or wanted <= 0:
        return 1
    offset = bits // 8
    return min(int(wanted), offset & -offset or int(wanted))


def _array_of(context: CleanupContext, row: Node, piece: int) -> Node:
    """Return the array of arrays that is aligned as a row of it, the row itself where it is none."""
    if row.kind != "ARRAY_SUBSCRIPT_EXPR" or not types.is_array(row.type):
        return row
    if factor(context, row.children[1]) * types.canonical(row.type).get_size() % piece:
        return row
    return _array_of(context, row.children[0].bare(), piece)


def factor(context: CleanupContext, node: Node) -> int:
    """Return a power of two that divides an integer; 1 where nothing is known of it."""
    bare = node.bare()
    if not _is_integer(bare.type):
        return 1
    value = evaluate_integer(bare.cursor)
    if value is not None:
        return min(value & -value, FARTHEST) if value else FARTHEST
    if bare.kind in VALUE_CASTS:
        return factor(context, bare.children[-1])
    if bare.kind == "BINARY_OPERATOR" and bare.operator in ("*", "+", "-"):
        one, other = (factor(context, child) for child in bare.children)
        return min(one * other, FARTHEST) if bare.operator == "*" else min(one, other)
    return _factor_of_local(context, bare)


def _is_integer(kind: Type) -> bool:
    return types.kind_name(types.canonical(kind)) in _INTEGERS


def _factor_of_local(context: CleanupContext, name: Node) -> int:
    """Return the factor of a local that never changes behind its declaration; of one that begins with itself nothing is
    known."""
    variable = named_variable(name)
    declaration = context.memory.provenance.declared.get(variable) if variable is not None else None
    value = initialiser(declaration) if declaration is not None and variable is not None else None
    if value is None or variable is None or not context.memory.provenance.is_constant(variable):
        return 1
    if variable not in context.factors:
        context.factors[variable] = 1
        is_number = not types.is_reference(variable.type) and not variable.is_global
        context.factors[variable] = factor(context, value) if is_number else 1
    return context.factors[variable]
