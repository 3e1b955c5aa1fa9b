"""Arrays of an iteration whose elements only the run finds lie in shared memory, each thread's in a room of its own.

In: a region whose loop all threads of all teams share. Out: edits of the declarations of such arrays, and the memory
that a block has for them::

    __shared__ int __rex_room_h[256 * 9];
    …
        int (&h)[8] = *(int (*)[8])(__rex_room_h + threadIdx.x * 9);       // int h[8];

An index that differs from thread to thread keeps an array out of registers. A thread's local memory interleaves the
lanes of a warp, so that lanes with different indices need an access each; in shared memory, the rooms an odd number of
words apart, they meet in few banks. Where the loops that are unrolled leave constants alone as indices, the array is in
registers, and better off (docs/decisions/019-private-storage.md).

It cannot be noticed: nobody but subscripts names the array, so nothing depends on where it lies, and an iteration that
has no constructs is one thread's, which executes one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.references import is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.kernel.ir import Code, Declare, Storage
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import name_end
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

_LEAVES = ("target", "teams", "distribute", "parallel", "for")
_PARTS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "BOOL"})
_WORDS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})
_JUMPS = frozenset({"LABEL_STMT", "SWITCH_STMT", "INDIRECT_GOTO_STMT", "GOTO_STMT"})
_AROUND = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR"})
_VALUES = frozenset({"INIT_LIST_EXPR", "CALL_EXPR", "STRING_LITERAL"})
_WORD = 4
_FEWEST = 5
"""Elements of an array, of which fewer are chosen from registers by comparisons."""
_USUAL = 256
"""Threads of the blocks of which the most memory is told that lets as many of them run at a time as without."""


@dataclass(frozen=True)
class _Room:
    """What a block has for an array: elements of ``kind``, for each thread so many as its own are ``apart``."""

    kind: str
    apart: int
    bytes: int


def rooms(region: TargetRegion, body: DeviceBody, threads: int) -> Code:
    """Edit the declarations of the arrays and return their memory; ``threads`` is the most that a block has."""
    if not _is_plain(region) or not region.unit.target.limits.least_bound <= threads:
        return ()
    limits = region.unit.target.limits
    left = min(limits.resident_bytes * threads // _USUAL, limits.launched_bytes)
    found: list[Declare] = []
    for declared in _arrays(region.iteration):
        room = _room(declared)
        if room is None or room.bytes * threads > left or not _may_be_edited(body, declared):
            continue
        if not _is_subscripted(declared, region.iteration) or not _Indices(region).differ(Variable(declared.cursor)):
            continue
        left -= room.bytes * threads
        name = related("room", declared.spelling)
        found.append(Declare(f"{room.kind} {name}[{threads} * {room.apart}]", name, storage=Storage.TEAM))
        _refer(body, declared, f"{name} + {region.unit.target.words.thread} * {room.apart}")
    return tuple(found)


def _is_plain(region: TargetRegion) -> bool:
    if region.leaves != _LEAVES or region.constructs[-1].children or not region.loops:
        return False
    asked = (*region.items("reduction"), *region.clauses("allocate"), *region.clauses("num_teams"))
    return not asked and not region.choice.threads


def _arrays(iteration: Node) -> Iterator[Node]:
    """Yield the declarations of arrays that an iteration begins without values, of which no other has the name."""
    nodes = list(iteration.walk())
    if any(n.kind in _JUMPS for n in nodes):
        return  # those may lead behind a declaration that gives no value alone
    declared = [n for n in nodes if n.kind in VARIABLE_KINDS]
    for one in declared:
        if sum(other.spelling == one.spelling for other in declared) == 1 and _is_bare(one):
            yield one


def _is_bare(declared: Node) -> bool:
    """Whether a local variable has no value at first, and nothing is said of its storage."""
    statement = declared.parent
    if statement is None or statement.kind != "DECL_STMT" or declared.cursor.storage_class.name != "NONE":
        return False
    return not any(c.cursor.kind.is_attribute() or c.kind in _VALUES for c in declared.children)


def _is_subscripted(declared: Node, iteration: Node) -> bool:
    """Whether an array is named for its elements alone, whose addresses no operator takes, and in no lambda."""
    variable = Variable(declared.cursor)
    uses = [n for n in iteration.walk() if n.kind == "DECL_REF_EXPR" and named_variable(n) == variable]
    return all(_is_element(use) for use in uses)


def _is_element(use: Node) -> bool:
    array = next(n for n in (use, *use.ancestors()) if n.parent is None or n.parent.kind not in _AROUND)
    element = array.parent
    if element is None or element.kind != "ARRAY_SUBSCRIPT_EXPR" or element.children[0] is not array:
        return False
    above = element.in_parentheses().parent
    if above is not None and above.kind == "UNARY_OPERATOR" and above.operator == "&":
        return False
    return not any(n.kind == "LAMBDA_EXPR" for n in use.ancestors())


def _room(declared: Node) -> _Room | None:
    """Return what an array needs, None where it has none of the elements for which this is known to help."""
    count = types.constant_extent(declared.type)
    element = types.element_of(declared.type)
    if count is None or count < _FEWEST or element is None:
        return None
    if types.is_constant(declared.type) or types.is_volatile(declared.type):
        return None
    plain = types.canonical(element)
    if types.kind_name(plain) in _PARTS:
        apart = -(-count * plain.get_size() // _WORD) | 1
        return _Room("unsigned", apart, apart * _WORD)
    if types.kind_name(plain) in _WORDS:
        return _Room(spelling.spell_bare(element), count | 1, (count | 1) * plain.get_size())
    return None


def _may_be_edited(body: DeviceBody, declared: Node) -> bool:
    """Whether the declarator is written as a name and an extent, in the text itself."""
    end = name_end(body, declared)
    start = end - len(declared.spelling)
    if body.text[start:end] != declared.spelling or not body.edits.is_free(start, body.end(declared)):
        return False
    return body.text[end : body.end(declared)].lstrip().startswith("[") and body.text[body.end(declared) - 1] == "]"


def _refer(body: DeviceBody, declared: Node, room: str) -> None:
    """Make a declarator a reference to the thread's room."""
    end, name = name_end(body, declared), declared.spelling
    body.edits.replace(end - len(name), end, f"(&{name})")
    kind = spelling.declare_bare(declared.type, "(*)")
    body.edits.after(end, body.end(declared), f" = *({kind})({room})")


class _Indices:
    """What of an iteration differs from thread to thread, so that no compiler knows it."""

    def __init__(self, region: TargetRegion) -> None:
        self.iteration = region.iteration
        self.differing = {loop.index for loop in region.loops}
        self.asked: set[Variable] = set()

    def differ(self, array: Variable) -> bool:
        """Whether an index of an array differs."""
        subscripts = (n for n in self.iteration.walk() if n.kind == "ARRAY_SUBSCRIPT_EXPR")
        return any(self._is(n.children[1]) for n in subscripts if named_variable(n.children[0].bare()) == array)

    def _is(self, expression: Node) -> bool:
        names = (named_variable(n) for n in expression.walk() if n.kind == "DECL_REF_EXPR")
        return any(self._is_variable(name) for name in names if name is not None)

    def _is_variable(self, variable: Variable) -> bool:
        if variable in self.differing:
            return True
        if variable in self.asked:
            return False
        self.asked.add(variable)
        if any(self._changes(n, variable) for n in self.iteration.walk()):
            self.differing.add(variable)
        return variable in self.differing

    def _changes(self, node: Node, variable: Variable) -> bool:
        """Whether a node gives a variable a value that differs, or does so in some threads alone."""
        if node.kind == "VAR_DECL":
            return Variable(node.cursor) == variable and any(map(self._is, node.children))
        if node.kind == "ARRAY_SUBSCRIPT_EXPR":
            base = named_variable(node.children[0].bare())
            return base == variable and is_written(node) and self._is_given(node, variable)
        if node.kind != "DECL_REF_EXPR" or not is_written(node) or named_variable(node) != variable:
            return False
        return self._is_given(node, variable)

    def _is_given(self, place: Node, variable: Variable) -> bool:
        above = place.in_parentheses().parent
        if above is not None and any(self._is(child) for child in above.children[1:]):
            return True
        return any(map(self._is, _conditions(place, variable)))


def _conditions(place: Node, variable: Variable) -> Iterator[Node]:
    """Yield what decides whether a place is reached, from where a variable is declared on."""
    inner = place
    for above in place.ancestors():
        if above.kind in ("IF_STMT", "SWITCH_STMT", "WHILE_STMT", "CONDITIONAL_OPERATOR"):
            if inner is not above.children[0]:
                yield above.children[0]
        elif above.kind == "FOR_STMT":
            yield from above.children[:-1]
        elif above.kind == "DO_STMT":
            yield above.children[-1]
        statements = above.children
        if any(s.kind == "DECL_STMT" and any(_declares(d, variable) for d in s.children) for s in statements):
            return
        inner = above


def _declares(node: Node, variable: Variable) -> bool:
    return node.kind == "VAR_DECL" and Variable(node.cursor) == variable
