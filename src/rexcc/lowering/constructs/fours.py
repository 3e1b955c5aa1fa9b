"""Light loops that the threads of a block share: four neighbouring iterations of a thread load with one instruction.

In: a light loop (:mod:`.light_loops`) and its form. Out: its block, or None where it stays as it is. Before and after::

    rex_each(threadIdx.x, n, [&](long i) { s += a[i] * a[i]; });

    rex_each_of_fours<__rex_form, 4>(threadIdx.x, n,
        [&](long i) { return rex_apart(&a[i]); },
        [&](long long __rex_turn_first, auto __rex_turn) {
      float __rex_near_a[__rex_turn.count];
      { long i = __rex_turn_first; __rex_turn.load(__rex_near_a, &a[i]); }
      for (int __rex_turn_number = 0; …) { long i = …; s += __rex_near_a[__rex_turn_number] * …; }
    });

Few threads wait for memory, so what each has under way decides how long such a loop takes. The kernel's form for small
grids, which has registers for that, takes the iterations in fours (``rex_device_fours.h``), where the elements are
aligned: that is asked once, before the loop, of the first iteration, which there is then. In the usual form iterations
stay a block's threads apart.

It cannot be noticed. The directive makes the threads and shares out the loop at once, without a schedule, and nothing
in it asks for its thread, so no program knows which thread has which iteration; a thread that is alone has them in
order. Elements are loaded together where every iteration loads them, and before the iterations of a turn: each of them
stores at its end, or changes no more than what it declares and what a clause reduces, in an order that OpenMP leaves
open. In a conforming program no iteration loads what another one stores. All addresses are sums of the index, of what
the loop does not change, and of integers that the iteration declares with such sums (:mod:`.fixed_locals`), in types
that do not wrap, so neighbouring iterations have neighbouring elements.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import spelling, types
from rexcc.clang.members import is_unaligned
from rexcc.clang.tree import Node
from rexcc.kernel.ir import (
    UNROLL,
    Block,
    Code,
    Declare,
    Do,
    For,
)
from rexcc.lowering.cleanups.syntax import is_exact, is_free, is_load, is_plain_scalar, value_type
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.fixed_locals import FixedLocals, declarations, fixed_locals, is_sum, names_behind
from rexcc.lowering.constructs.group_sums import changes_only, declared_in, reduced_numbers
from rexcc.lowering.constructs.late_stores import LateStores, deals_out_freely
from rexcc.lowering.loops.accesses import outline_of
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, ELEMENTS
from rexcc.lowering.loops.tile_rules import leads_to_element
from rexcc.lowering.text.placing import USER
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

FORM = "__rex_form"
"""The form of a kernel, as a template's argument."""

_FIRST, _TURN, _NUMBER = "__rex_turn_first", "__rex_turn", "__rex_turn_number"
_MOST_FOURS, _BYTES = 4, 192
"""The most fours of a turn, and the bytes that all of its elements may have: three quarters of the registers."""

_CHOOSING = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR"})
_STEPS = frozenset({"++", "--", "p++", "p--"})
_DEFINITION = regex(r"(?m)^[ \t]*#[ \t]*(?:define|undef)\b")


@dataclass(frozen=True)
class _Iteration:
    """An iteration: the integers that it declares and leaves as they are, and all else that it declares or changes."""

    context: Context
    loop: CanonicalLoop
    fixed: FixedLocals
    others: frozenset[Variable]

    @staticmethod
    def of(context: Context, loop: CanonicalLoop) -> _Iteration:
        """Return the iteration of a loop."""
        fixed = fixed_locals(context.body, loop)
        others = _changed(loop.body) | declared_in([loop.body])
        return _Iteration(context, loop, fixed, others - fixed.keys())

    @property
    def body(self) -> Node:
        """Its statement."""
        return self.loop.body


@dataclass(frozen=True)
class _Element:
    """The accesses to an element of each iteration, and the local of a turn that stands for it."""

    accesses: tuple[Node, ...]
    local: str
    type: str

    @property
    def size(self) -> int:
        """The bytes of one."""
        return int(types.canonical(self.accesses[0].type).get_size())


def fours(
    context: Context, construct: Construct, loop: CanonicalLoop, header: For, code: Code, late: LateStores | None
) -> Block | None:
    """Return the block of a loop whose elements are loaded in fours, None for other loops."""
    needs = context.body.needs
    if not needs.may_have_fours or not all(isinstance(one, Declare) for one in code[:-1]) or code[-1:] != USER:
        return None
    if late is None and not _only_reduces(construct, loop.body):
        return None
    if _DEFINITION.search(context.body.text, context.body.start(loop.body), context.body.end(loop.body)):
        return None  # in front of which words of the elements mean something else
    iteration = _Iteration.of(context, loop)
    loads = _loads(iteration)
    stored = _stored(iteration, late)
    if not loads or (late is not None and not stored and _loads_others(loop, loads)):
        return None  # what is loaded one by one would wait for the stores of the iterations before
    needs.has_fours = True
    for element in (*loads, *stored):
        for access in element.accesses:
            start, end = context.body.start(access), context.body.end(access)
            context.body.edits.replace(start, end, f"{element.local}[{_NUMBER}]")
    return _block(iteration, header, code[:-1], loads, stored)


def _only_reduces(construct: Construct, body: Node) -> bool:
    """Whether a loop changes only what its iterations declare and what its clauses reduce."""
    reduced = reduced_numbers(construct)
    is_free = deals_out_freely(construct, body)
    return bool(reduced) and is_free and changes_only([body], declared_in([body]) | reduced)


def _loads(iteration: _Iteration) -> tuple[_Element, ...]:
    """Return the elements that every iteration loads, each in a place beside the last one's."""
    found: dict[Variable, list[Node]] = {}
    for node in _elements(iteration.body):
        array = _array(node)
        if array is not None and not _is_stored(node):
            found.setdefault(array, []).append(node)
    chosen = (tuple(nodes) for nodes in found.values() if _can_be_loaded(iteration, nodes))
    return tuple(_element(iteration.context, nodes, "") for nodes in chosen)


def _loads_others(loop: CanonicalLoop, loads: tuple[_Element, ...]) -> bool:
    """Whether an iteration loads more than these elements."""
    known = {node for element in loads for node in element.accesses}
    return any(leads_to_element(node) and node not in known and not _is_stored(node) for node in loop.body.walk())


def _elements(body: Node) -> Iterator[Node]:
    """Yield the scalars that an iteration finds by a subscript."""
    for node in body.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and not types.is_array(node.type):
            yield node


def _array(element: Node) -> Variable | None:
    """Return the variable that an element is found by, None where that is more than a name."""
    node = element.bare()
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        node = node.children[0].bare()
    return named_variable(node)


def _is_stored(element: Node) -> bool:
    """Whether an element is the target of a plain assignment."""
    above = element.in_parentheses().parent
    return above is not None and above.operator == "=" and above.children[0].bare() is element.bare()


def _can_be_loaded(iteration: _Iteration, nodes: list[Node]) -> bool:
    """Whether all accesses to an array are loads of one element, and one of them is in every iteration."""
    if len({outline_of(node) for node in nodes}) > 1 or not all(map(_is_loaded, nodes)):
        return False
    if not any(_is_always_evaluated(node, iteration.body) for node in nodes):
        return False
    return all(_has_neighbours(iteration, node) for node in nodes)


def _is_loaded(node: Node) -> bool:
    """Whether an expression's value alone is used; in C++ a choice of two objects is one, whose value is."""
    if is_load(node):
        return True
    top = node.wrapped()
    above = top.parent
    is_choice = above is not None and above.kind == "CONDITIONAL_OPERATOR" and above.children[0] is not top
    return is_choice and above is not None and _is_loaded(above)


def _has_neighbours(iteration: _Iteration, node: Node) -> bool:
    """Whether an element stands beside that of the last iteration, and a local can stand for it."""
    body = iteration.context.body
    if not is_plain_scalar(node.type) or spelling.is_unnamed(node.type) or is_unaligned(node):
        return False
    if types.kind_name(types.canonical(node.type)) not in ELEMENTS or not is_exact(body, node):
        return False
    base, subscript = node.children
    slopes = Slopes(iteration.loop.index, iteration.fixed)
    slope = slopes.of(subscript)
    if slope is None or slope.value != 1 or slope.may_wrap or slopes.depends(base):
        return False
    if not iteration.others.isdisjoint(names_behind(node, iteration.fixed)):
        return False
    return all(map(is_sum, node.children)) and is_free(body, body.start(node), body.end(node))


def _changed(body: Node) -> frozenset[Variable]:
    """Return the variables that an iteration assigns to."""
    targets = (n.children[0].bare() for n in body.walk() if n.operator in ASSIGNMENTS or n.operator in _STEPS)
    return frozenset(named for target in targets if (named := named_variable(target)) is not None)


def _is_always_evaluated(node: Node, body: Node) -> bool:
    """Whether every iteration evaluates an expression."""
    below, above = node, node.parent
    while above is not None and below is not body:
        is_one_of_several = above.kind == "UNEXPOSED_EXPR" and len(above.children) > 1  # `c ?: x` is such
        chooses = above.kind in _CHOOSING or above.operator in ("&&", "||") or is_one_of_several
        if above.kind == "CXX_UNARY_EXPR" or (chooses and below is not above.children[0]):
            return False
        below, above = above, above.parent
    return True


def _stored(iteration: _Iteration, late: LateStores | None) -> tuple[_Element, ...]:
    """Return the element that every iteration stores at its end, none where that has no place beside the last one's."""
    if late is None or not late.always or len(late.stores) > 1:
        return ()
    target = late.stores[0].bare().children[0].bare()
    if target.kind != "ARRAY_SUBSCRIPT_EXPR" or _array(target) is None or not _has_neighbours(iteration, target):
        return ()
    return (_element(iteration.context, (target,), "stored"),)


def _element(context: Context, nodes: tuple[Node, ...], word: str) -> _Element:
    array = _array(nodes[0])
    assert array is not None
    words = (word,) if word else ()
    kind = value_type(nodes[0].type, context.unit.is_cplusplus)
    return _Element(nodes, related("near", *words, array.name), kind)


def _block(
    iteration: _Iteration, header: For, index: Code, loads: tuple[_Element, ...], stored: tuple[_Element, ...]
) -> Block:
    """Return the block of a loop; ``index`` declares what it counts."""
    context, elements = iteration.context, (*loads, *stored)
    in_a_turn = max(1, min(_MOST_FOURS, _BYTES // sum(4 * element.size for element in elements)))
    places = [f"&{context.body.original(element.accesses[0])}" for element in elements]
    fixed = declarations(context.body, [element.accesses[0] for element in elements], iteration.fixed)
    declares = "".join(f"{one.declared} = {one.value}; " for one in (*index, *fixed) if isinstance(one, Declare))
    head = (
        f"rex_each_of_fours<{FORM}, {in_a_turn}>({header.start}, {header.bound},\n"
        f"        [&]({header.declared}) {{ {declares}return rex_apart({', '.join(places)}); }},\n"
        f"        [&](long long {_FIRST}, auto {_TURN})"
    )
    first = (Declare(header.declared, header.index, _FIRST), *index, *fixed)
    locals_ = tuple(Declare(f"{one.type} {one.local}[{_TURN}.count]", one.local) for one in elements)
    calls = [f"{_TURN}.{'load' if one in loads else 'store'}" for one in elements]
    moves = tuple(
        Do(f"{call}({one.local}, {place});" if one in loads else f"{call}({place}, {one.local});")
        for call, one, place in zip(calls, elements, places, strict=True)
    )
    each = Block(
        f"for (int {_NUMBER} = 0; {_NUMBER} < {_TURN}.count; {_NUMBER}++)",
        (Declare(header.declared, header.index, f"{_FIRST} + {_TURN}.at({_NUMBER})"), *index, *USER),
    )
    before, behind = moves[: len(loads)], moves[len(loads) :]
    storing = (Block("", (*first, *behind)),) if behind else ()
    return Block(head, (*locals_, Block("", (*first, *before)), UNROLL, each, *storing), ");")
