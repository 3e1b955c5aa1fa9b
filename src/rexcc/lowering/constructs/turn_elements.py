"""Loops whose iterations a thread takes in turns: elements beside those of the neighbouring iterations.

In: a loop that the threads of a block share. Out: which elements of arrays every iteration accesses in a place beside
the last one's, and the block of a turn, in which locals stand for them: all are loaded, the iterations are executed,
then results are stored. Who asks says why nothing can notice (:mod:`.fours`, :mod:`.neighbour_turns`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import spelling, types
from rexcc.clang.members import is_unaligned
from rexcc.clang.tree import Node
from rexcc.kernel.ir import UNROLL, Block, Code, Declare, Do, For
from rexcc.lowering.cleanups.syntax import is_exact, is_free, is_load, is_plain_scalar, value_type
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.fixed_locals import FixedLocals, declarations, fixed_locals, is_sum, names_behind
from rexcc.lowering.constructs.group_sums import declared_in
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, ELEMENTS
from rexcc.lowering.text.placing import USER
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_FIRST, _TURN, _NUMBER = "__rex_turn_first", "__rex_turn", "__rex_turn_number"
_CHOOSING = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR"})
_STEPS = frozenset({"++", "--", "p++", "p--"})
_DEFINITION = regex(r"(?m)^[ \t]*#[ \t]*(?:define|undef)\b")


@dataclass(frozen=True)
class Iteration:
    """An iteration: the integers that it declares and leaves as they are, and all else that it declares or changes.

    ``kinds``: the types of its elements that a turn may have.
    """

    context: Context
    loop: CanonicalLoop
    fixed: FixedLocals
    others: frozenset[Variable]
    kinds: frozenset[str]

    @staticmethod
    def of(context: Context, loop: CanonicalLoop, kinds: frozenset[str] = ELEMENTS) -> Iteration:
        """Return the iteration of a loop."""
        fixed = fixed_locals(context.body, loop)
        others = changed_variables(loop.body) | declared_in([loop.body])
        return Iteration(context, loop, fixed, others - fixed.keys(), kinds)

    @property
    def body(self) -> Node:
        """Its statement."""
        return self.loop.body


@dataclass(frozen=True)
class Element:
    """The accesses to an element of each iteration, and the local of a turn that stands for it."""

    accesses: tuple[Node, ...]
    local: str
    type: str

    @property
    def size(self) -> int:
        """The bytes of one."""
        return int(types.canonical(self.accesses[0].type).get_size())


def elements_of(body: Node) -> Iterator[Node]:
    """Yield the scalars that an iteration finds by a subscript."""
    for node in body.walk():
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and not types.is_array(node.type):
            yield node


def array_of(element: Node) -> Variable | None:
    """Return the variable that an element is found by, None where that is more than a name."""
    node = element.bare()
    while node.kind == "ARRAY_SUBSCRIPT_EXPR":
        node = node.children[0].bare()
    return named_variable(node)


def is_loaded(node: Node) -> bool:
    """Whether an expression's value alone is used; in C++ a choice of two objects is one, whose value is."""
    if is_load(node):
        return True
    top = node.wrapped()
    above = top.parent
    is_choice = above is not None and above.kind == "CONDITIONAL_OPERATOR" and above.children[0] is not top
    return is_choice and above is not None and is_loaded(above)


def has_neighbours(iteration: Iteration, node: Node) -> bool:
    """Whether an element stands beside that of the last iteration, and a local can stand for it."""
    body = iteration.context.body
    if not is_plain_scalar(node.type) or spelling.is_unnamed(node.type) or is_unaligned(node):
        return False
    if types.kind_name(types.canonical(node.type)) not in iteration.kinds or not is_exact(body, node):
        return False
    base, subscript = node.children
    slopes = Slopes(iteration.loop.index, iteration.fixed)
    slope = slopes.of(subscript)
    if slope is None or slope.value != 1 or slope.may_wrap or slopes.depends(base):
        return False
    if not iteration.others.isdisjoint(names_behind(node, iteration.fixed)):
        return False
    return all(map(is_sum, node.children)) and is_free(body, body.start(node), body.end(node))


def changed_variables(body: Node) -> frozenset[Variable]:
    """Return the variables that an iteration assigns to."""
    targets = (n.children[0].bare() for n in body.walk() if n.operator in ASSIGNMENTS or n.operator in _STEPS)
    return frozenset(named for target in targets if (named := named_variable(target)) is not None)


def is_always_evaluated(node: Node, body: Node) -> bool:
    """Whether every iteration evaluates an expression."""
    below, above = node, node.parent
    while above is not None and below is not body:
        is_one_of_several = above.kind == "UNEXPOSED_EXPR" and len(above.children) > 1  # `c ?: x` is such
        chooses = above.kind in _CHOOSING or above.operator in ("&&", "||") or is_one_of_several
        if above.kind == "CXX_UNARY_EXPR" or (chooses and below is not above.children[0]):
            return False
        below, above = above, above.parent
    return True


def turn_element(context: Context, nodes: tuple[Node, ...], word: str) -> Element:
    """Return the element that accesses to an array name, with a name for its local; ``word`` tells two apart."""
    array = array_of(nodes[0])
    assert array is not None
    words = (word,) if word else ()
    kind = value_type(nodes[0].type, context.unit.is_cplusplus)
    return Element(nodes, related("near", *words, array.name), kind)


def is_in_lines(context: Context, loop: CanonicalLoop) -> bool:
    """Whether no word means something else in front of a part of a loop's statement: it defines no macros."""
    return _DEFINITION.search(context.body.text, context.body.start(loop.body), context.body.end(loop.body)) is None


def place_locals(context: Context, elements: Iterable[Element]) -> None:
    """Put the locals of a turn in the places of the elements."""
    for element in elements:
        for access in element.accesses:
            start, end = context.body.start(access), context.body.end(access)
            context.body.edits.replace(start, end, f"{element.local}[{_NUMBER}]")


def turns(
    iteration: Iteration,
    function: str,
    asked: str,
    header: For,
    index: Code,
    loads: tuple[Element, ...],
    stored: tuple[Element, ...],
) -> Block:
    """Return the block of a loop that a function executes in turns; ``index`` declares what it counts, ``asked`` is
    what is asked of the places of the elements in front of the loop."""
    context, elements = iteration.context, tuple(dict.fromkeys((*loads, *stored)))
    places = {element: f"&{context.body.original(element.accesses[0])}" for element in elements}
    fixed = declarations(context.body, [element.accesses[0] for element in elements], iteration.fixed)
    declares = "".join(f"{one.declared} = {one.value}; " for one in (*index, *fixed) if isinstance(one, Declare))
    head = (
        f"{function}({header.start}, {header.bound},\n"
        f"        [&]({header.declared}) {{ {declares}return {asked}({', '.join(places.values())}); }},\n"
        f"        [&](long long {_FIRST}, auto {_TURN})"
    )
    first = (Declare(header.declared, header.index, _FIRST), *index, *fixed)
    locals_ = tuple(Declare(f"{one.type} {one.local}[{_TURN}.count]", one.local) for one in elements)
    before = tuple(Do(f"{_TURN}.load({one.local}, {places[one]});") for one in loads)
    behind = tuple(Do(f"{_TURN}.store({places[one]}, {one.local});") for one in stored)
    each = Block(
        f"for (int {_NUMBER} = 0; {_NUMBER} < {_TURN}.count; {_NUMBER}++)",
        (Declare(header.declared, header.index, f"{_FIRST} + {_TURN}.at({_NUMBER})"), *index, *USER),
    )
    storing = (Block("", (*first, *behind)),) if behind else ()
    return Block(head, (*locals_, Block("", (*first, *before)), UNROLL, each, *storing), ");")
