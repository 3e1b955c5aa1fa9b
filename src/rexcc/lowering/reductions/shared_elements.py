"""Private elements of reduced arrays in shared memory, each thread's in a room of its own.

In: an array that a region reduces, of a size that is known when compiling. Out: the lines of its room, or none where
the elements stay the thread's own variable::

    __shared__ int __rex_room_h[256 * 9];                                  // reduction(+ : h), int h[8]
    int (&h)[8] = *(int (*)[8])(__rex_room_h + threadIdx.x * 9);

An index that only the run knows (a histogram's) keeps an array out of registers. A thread's local memory interleaves
the lanes of a warp, so that lanes with different indices need an access each; in shared memory, the rooms an odd number
of elements apart, they meet in few banks. Constant indices and those of inner loops, which are unrolled, leave the
array in registers, where it is better off.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.kernel.ir import Code, Declare, Do, Storage
from rexcc.lowering.model.geometry import launch_bound
from rexcc.program.variables import Variable, named_variable, variable_of
from rexcc.source.own_names import related

_LEAVES = ("target", "teams", "distribute", "parallel", "for")
_WORDS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})


def room(region: TargetRegion, variable: Variable, kind: Type, count: int | None) -> tuple[Code, str]:
    """Return the declaration of an array's room and a pointer to the thread's elements; empty where it gets none.

    ``kind`` is the variable's type, ``count`` the number of elements that are reduced.
    """
    element, threads = types.shape_of(kind).element, launch_bound(region)
    if count is None or count < 2 or types.kind_name(types.canonical(element)) not in _WORDS:
        return (), ""
    apart = count | 1
    most = region.unit.target.limits.resident_bytes
    if threads < 1 or threads * apart * types.canonical(element).get_size() > most:
        return (), ""
    if region.leaves != _LEAVES or region.constructs[-1].children or any(region.clauses("allocate")):
        return (), ""
    if array_rows(region) != 1 or not is_indexed_by_values(region, variable):
        return (), ""
    name = related("room", variable.name)
    declared = Declare(f"{spelling.spell_bare(element)} {name}[{threads} * {apart}]", name, storage=Storage.TEAM)
    told = Do(f"/* Each thread's elements of '{variable.name}', which begin in different banks. */")
    return (told, declared), f"{name} + {region.unit.target.words.thread} * {apart}"


def element_count(kind: Type) -> int | None:
    """Return the number of elements of a whole array, None where only the run knows it."""
    count, current = 1, types.canonical(kind)
    while types.kind_name(current) == "CONSTANTARRAY":
        count *= current.element_count
        current = types.canonical(current.get_array_element_type())
    return None if types.is_array(current) else count


def array_rows(region: TargetRegion) -> int:
    """Return how many list items of the region's clauses are more than single values."""
    items = region.items("reduction")
    return sum(1 for i in items if i.node is None or i.item.sections or types.is_array(i.node.type))


def is_indexed_by_values(region: TargetRegion, variable: Variable) -> bool:
    """Whether an index of the array depends on a variable that is not the counter of an inner loop."""
    counters = {
        variable_of(n.referenced or n.cursor)
        for loop in region.body.walk()
        if loop.kind in LOOP_KINDS and loop is not region.body
        for part in loop.children[:-1]
        for n in part.walk()
        if n.kind in ("DECL_REF_EXPR", "VAR_DECL")
    }
    return any(
        n.kind == "ARRAY_SUBSCRIPT_EXPR" and _array(n) == variable and _values(n.children[1], counters)
        for n in region.body.walk()
    )


def _array(subscript: Node) -> Variable | None:
    """Return the variable of which a subscript, perhaps of several, finds an element."""
    node = subscript
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        node = node.children[0].bare()
    return named_variable(node)


def _values(index: Node, counters: set[Variable | None]) -> bool:
    found = [n.referenced for n in index.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None]
    changing = [t for t in found if t.kind.name in ("VAR_DECL", "PARM_DECL") and not types.is_constant(t.type)]
    return any(Variable(t) not in counters for t in changing)
