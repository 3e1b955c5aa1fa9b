"""What an atomic statement does to ``x``: arithmetic, a conditional swap, a minimum or maximum.

In: clang's tree of a statement or expression. Out: :class:`Operation`, the run-time function that does it and its
operands. Anything else raises :class:`NotThisFormError`. Whether two of them are the same expression, written twice,
is asked of the trees: parentheses, conversions and spellings (macros, ``this->``) do not count.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import NAME_KINDS, Node
from rexcc.program.loop_shape import alone
from rexcc.source.records import dataclass, field

_NAMES_OF_SCOPES = NAME_KINDS | {"OVERLOADED_DECL_REF", "CXX_THIS_EXPR"}


def alike(first: Node, second: Node) -> bool:
    """Whether two expressions name the same thing."""
    left, right = first.bare(), second.bare()
    if left.kind != right.kind or left.operator != right.operator or left.spelling != right.spelling:
        return False
    if _declaration(left) != _declaration(right):
        return False
    inner, others = _operands(left), _operands(right)
    if len(inner) != len(others):
        return False
    if not inner and left.kind.endswith("LITERAL"):
        return _value(left) == _value(right)
    return all(alike(a, b) for a, b in zip(inner, others, strict=True))


def mentions(expression: Node, part: Node) -> bool:
    """Whether an expression contains another one."""
    return any(alike(node, part) for node in expression.walk())


def _operands(node: Node) -> list[Node]:
    """Return the operands of an expression; an object that is ``*this`` is none."""
    return [child for child in node.children if child.bare().kind not in _NAMES_OF_SCOPES]


def _declaration(node: Node) -> int:
    target = node.referenced
    return int(target.canonical.hash) if target is not None else 0


def _value(node: Node) -> object:
    number = evaluate_integer(node.cursor)
    return number if number is not None else [str(t.spelling) for t in node.cursor.get_tokens()]


_COMPOUND = {
    "+=": "add", "-=": "sub", "*=": "mul", "/=": "div", "%=": "mod", "&=": "and", "|=": "or", "^=": "xor",
    "<<=": "shl", ">>=": "shr",
}  # fmt: skip
_BINARY = {name.removesuffix("="): helper for name, helper in _COMPOUND.items()}
_COMMUTE = frozenset({"add", "mul", "and", "or", "xor"})
_UNARY = {"++": ("add", True), "p++": ("add", False), "--": ("sub", True), "p--": ("sub", False)}


class NotThisFormError(Exception):
    """A statement is not what it has to be; ``node`` is the part that is wrong."""

    def __init__(self, node: Node, reason: str = "") -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


@dataclass(frozen=True)
class Operation:
    """A change of ``target`` by ``rex_atomic_<helper>``.

    ``operands`` are the other arguments by the names that :attr:`arguments` uses; ``pieces`` all operands, repeated
    ones too, in the order of the text. ``gives_new``: the value of the expression is what ``x`` has become.
    """

    helper: str
    target: Node
    operands: Mapping[str, Node] = field(default_factory=dict)
    pieces: tuple[Node, ...] = ()
    gives_new: bool = True

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of the function: names of operands, or what is to be written there."""
        return ("x", *(self.operands or ("1",)))

    def function(self, new: bool = False) -> str:
        """Return the function that returns the old value or the new one."""
        return f"rex_atomic_{self.helper}{'_new' if new else ''}"


def assignment(node: Node) -> tuple[Node, Node] | None:
    """Return both sides of a plain assignment."""
    bare = node.bare()
    if bare.kind == "BINARY_OPERATOR" and bare.operator == "=":
        return bare.children[0], bare.children[1]
    return None


def target_of(node: Node) -> Node | None:
    """Return what a statement changes, if it is of a kind that can be atomic."""
    bare = node.bare()
    if bare.kind == "IF_STMT":
        return target_of(alone(bare.children[1]))
    if bare.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or (bare.kind == "UNARY_OPERATOR" and bare.operator in _UNARY):
        return bare.children[0]
    assigned = assignment(bare)
    return assigned[0] if assigned else None


def update(node: Node) -> Operation:
    """Read ``x++``, ``x binop= e``, ``x = x binop e`` or ``x = e binop x``."""
    bare = node.bare()
    if bare.kind == "UNARY_OPERATOR" and bare.operator in _UNARY:
        helper, gives_new = _UNARY[bare.operator]
        return Operation(helper, bare.children[0], {}, (bare.children[0],), gives_new)
    if bare.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and bare.operator in _COMPOUND:
        target, value = bare.children
        return Operation(_COMPOUND[bare.operator], target, {"e": value}, (target, value))
    assigned = assignment(bare)
    if assigned is None:
        raise NotThisFormError(node)
    return _plain_update(*assigned)


def _plain_update(target: Node, value: Node) -> Operation:
    right = value.bare()
    if right.kind != "BINARY_OPERATOR" or right.operator not in _BINARY:
        raise NotThisFormError(value, "an update has one of the operators + - * / % & | ^ << >>")
    first, second = right.children
    helper = _BINARY[right.operator]
    if alike(target, first):
        return Operation(helper, target, {"e": second}, (target, first, second))
    if alike(target, second):
        return Operation(helper if helper in _COMMUTE else f"r{helper}", target, {"e": first}, (target, first, second))
    raise NotThisFormError(value, "neither operand is the variable that is assigned")


def conditional(node: Node, test: Node | None = None) -> Operation:
    """Read ``if (x == e) { x = d; }``, ``x = x == e ? d : x`` and both with ``<`` or ``>`` and ``e`` for ``d``.

    ``test`` is given where the comparison does not stand in the statement itself; then ``else`` is the caller's.
    """
    bare = node.bare()
    if bare.kind == "IF_STMT":
        if len(bare.children) == 3 and test is None:
            raise NotThisFormError(bare.children[2], "there must be no 'else' here")
        assigned = assignment(alone(bare.children[1]))
        if assigned is None:
            raise NotThisFormError(bare.children[1])
        return _compared(test or bare.children[0].bare(), assigned, (), assigned)
    assigned = assignment(bare)
    choice = assigned[1].bare() if assigned else bare
    if assigned is None or choice.kind != "CONDITIONAL_OPERATOR":
        raise NotThisFormError(node)
    target, (condition, value, kept) = assigned[0], choice.children
    if not alike(kept, target):
        raise NotThisFormError(kept, "the last operand has to be the variable that is assigned")
    return _compared(condition.bare(), (target, value), (target,), (value, kept))


def _compared(test: Node, assigned: tuple[Node, Node], before: tuple[Node, ...], after: tuple[Node, ...]) -> Operation:
    """Return the operation of a comparison and what is assigned where it holds."""
    target, value = assigned
    if test.kind != "BINARY_OPERATOR" or test.operator not in ("==", "<", ">"):
        raise NotThisFormError(test, "the comparison has to be '==', '<' or '>'")
    left, right = test.children
    if not alike(left, target) and not alike(right, target):
        raise NotThisFormError(test, "the comparison has to be with the variable that is assigned")
    other, x_is_left = (right, True) if alike(left, target) else (left, False)
    pieces = (*before, left, right, *after)
    if test.operator == "==":
        return Operation("compare_exchange", target, {"e": other, "d": value}, pieces)
    if not alike(other, value):
        raise NotThisFormError(value, "the value that is assigned has to be the one that is compared")
    helper = "min" if (test.operator == ">") == x_is_left else "max"
    return Operation(helper, target, {"e": value}, pieces)
