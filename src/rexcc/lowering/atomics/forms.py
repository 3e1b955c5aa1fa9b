"""The forms of an atomic statement.

In: clang's tree of the statement. Out: :class:`Form`: the function that does the same, and its operands by their
names. A statement of another form is an error that says which forms there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rexcc.clang.tree import Node
from rexcc.lowering.atomics.operations import (
    NotThisFormError,
    Operation,
    alike,
    assignment,
    conditional,
    mentions,
    target_of,
    update,
)
from rexcc.lowering.text.body import DeviceBody
from rexcc.openmp.model import Directive
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.source.diagnostics import Note, error
from rexcc.source.records import dataclass

_UPDATES = "x++, ++x, x--, --x, x binop= e, x = x binop e or x = e binop x"
_COMPARES = (
    "if (x == e) { x = d; }, if (x < e) { x = e; }, if (e < x) { x = e; }, x = x == e ? d : x, x = x < e ? e : x or "
    "x = e < x ? e : x, with < or >"
)
_EXPECTED = {
    "read": "v = x",
    "write": "x = e",
    "update": _UPDATES,
    "capture": f"v = u, {{ v = x; u; }}, {{ u; v = x; }} or {{ v = x; x = e; }}, where u is one of {_UPDATES}",
    "compare": _COMPARES,
    "compare capture": "{ v = x; c }, { c v = x; }, v = c, if (x == e) { x = d; } else { v = x; }, { r = x == e; "
    f"if (r) {{ x = d; }} }} or {{ r = x == e; if (r) {{ x = d; }} else {{ v = x; }} }}, where c is one of {_COMPARES}",
}


@dataclass(frozen=True)
class Form:
    """What an atomic statement does.

    The ``arguments`` of the ``function`` are names of operands, or texts; ``x`` is the address of ``target``. All
    operands as they stand in the statement, repeated ones too, are ``pieces``. ``result`` names the operand that is
    assigned, and ``converted`` is false where it gets a truth value. ``equality``: it compares with ``==``.
    """

    function: str
    arguments: tuple[str, ...]
    target: Node
    operands: Mapping[str, Node]
    pieces: tuple[Node, ...]
    result: str = ""
    converted: bool = True
    equality: bool = False


def atomic_kind(directive: Directive) -> str:
    """Return the kind of an atomic construct, as its clauses say it."""
    if directive.has("compare"):
        return "compare capture" if directive.has("capture") else "compare"
    return next((name for name in ("read", "write", "capture") if directive.has(name)), "update")


def read_form(body: DeviceBody, construct: Construct) -> Form:
    """Return the form of an atomic construct's statement; raises CompileError (``omp-atomic-form``) for any other."""
    assert construct.body is not None
    kind = atomic_kind(construct.directive)
    try:
        return _READERS[kind](alone(construct.body))
    except NotThisFormError as found:
        message = f"this is not a form of 'atomic {kind}'{found.reason and ': '}{found.reason}"
        place = body.span(_statement(found.node, construct.body))
        raise error("omp-atomic-form", message, place, *_forms(kind, construct.body)) from found


def _forms(kind: str, statement: Node) -> Iterator[Note]:
    """Say which forms there are, and which with 'compare' where the statement depends on a condition."""
    yield Note(f"expected {_EXPECTED[kind]}")
    compares = {"update": "compare", "capture": "compare capture"}.get(kind)
    if compares is not None and any(n.kind in ("IF_STMT", "CONDITIONAL_OPERATOR") for n in statement.walk()):
        yield Note(
            f"a change that depends on a condition needs 'compare', with which {_EXPECTED[compares]} is expected"
        )


def _statement(node: Node, top: Node) -> Node:
    """Return the statement, or the condition of one, that an expression belongs to."""
    while node is not top and node.parent is not None and node.parent.kind not in ("COMPOUND_STMT", "IF_STMT"):
        node = node.parent
    return node


def _read(node: Node) -> Form:
    receiver, target = _copy(node)
    if _is_computed(target.bare()):
        raise NotThisFormError(target, "what is read has to be a variable or a part of one")
    return Form("rex_atomic_read", ("x",), target, {"v": receiver}, (receiver, target), "v")


_MADE_OF_ONE = frozenset({"+", "-", "~", "!", "&", "p++", "p--"})
_MADE_OF_TWO = frozenset({"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||"}) | frozenset(
    {"<", ">", "<=", ">=", "==", "!=", "<=>"}
)
"""Operators that compute a value; members through pointers to members, and parts of complex numbers are variables."""


def _is_computed(value: Node) -> bool:
    """Whether an expression is no lvalue: it is computed, or a literal."""
    if value.kind == "UNARY_OPERATOR":
        return value.operator in _MADE_OF_ONE
    return (value.kind == "BINARY_OPERATOR" and value.operator in _MADE_OF_TWO) or value.kind.endswith("_LITERAL")


def _write(node: Node) -> Form:
    assigned = assignment(node)
    if assigned is None:
        raise NotThisFormError(node)
    return Form("rex_atomic_write", ("x", "e"), assigned[0], {"e": assigned[1]}, assigned)


def _update(node: Node) -> Form:
    return _plain(update(node))


def _compare(node: Node) -> Form:
    return _plain(conditional(node))


def _plain(done: Operation) -> Form:
    equality = done.helper == "compare_exchange"
    return Form(done.function(), done.arguments, done.target, done.operands, done.pieces, equality=equality)


def changing_form(statement: Node) -> Form | None:
    """Return the form of a statement that changes a variable by its own value, in a way that an atomic update, minimum
    or maximum does; None for any other."""
    for read in (update, conditional):
        try:
            done = read(alone(statement))
        except NotThisFormError:
            continue
        return _plain(done) if done.helper != "compare_exchange" else None
    return None


def _capture(node: Node) -> Form:
    if node.kind == "COMPOUND_STMT":
        return _block(node, compares=False)
    assigned = assignment(node)
    if assigned is None:
        raise NotThisFormError(node)
    return _captured(assigned[0], update(assigned[1]), (assigned[0],), ())


def _compare_capture(node: Node) -> Form:
    if node.kind == "IF_STMT":
        return _swap(node, None)
    if node.kind != "COMPOUND_STMT":
        assigned = assignment(node)
        if assigned is None:
            raise NotThisFormError(node)
        return _captured(assigned[0], conditional(assigned[1]), (assigned[0],), ())
    first, second = _two(node)
    result = assignment(first)
    if result is not None and second.kind == "IF_STMT":
        test = result[1].bare()
        if test.kind == "BINARY_OPERATOR" and test.operator in ("==", "!=", "<", ">", "<=", ">="):
            return _swap(second, (result[0], test))
    return _block(node, compares=True)


def _captured(
    receiver: Node, done: Operation, before: tuple[Node, ...], after: tuple[Node, ...], new: bool = True
) -> Form:
    """Return ``v = …`` of an operation; ``before`` and ``after`` are the other operands in the order of the text."""
    for operand in done.operands.values():
        if mentions(operand, receiver):
            raise NotThisFormError(operand, "the expression must not use the variable that is captured into")
    wants_new = new and done.gives_new
    return Form(
        done.function(wants_new),
        done.arguments,
        done.target,
        {"v": receiver, **done.operands},
        (*before, *done.pieces, *after),
        "v",
        equality=done.helper == "compare_exchange",
    )


def _two(node: Node) -> tuple[Node, Node]:
    if len(node.children) != 2:
        raise NotThisFormError(node, "the block has to hold two statements")
    return node.children[0], alone(node.children[1])


def _block(node: Node, compares: bool) -> Form:
    """Read ``{ v = x; … }`` and ``{ … v = x; }``."""
    first, second = _two(node)
    copied = assignment(first)
    target = target_of(second)
    if copied is not None and target is not None and alike(copied[1], target):
        done = conditional(second) if compares else _update_or_exchange(second)
        return _captured(copied[0], done, copied, (), new=False)
    first = alone(first)
    target, copied = target_of(first), assignment(second)
    if copied is None or target is None or not alike(copied[1], target):
        raise NotThisFormError(node, "one statement has to copy the variable that the other one changes")
    done = conditional(first) if compares else update(first)
    return _captured(copied[0], Operation(done.helper, done.target, done.operands, done.pieces), (), copied)


def _update_or_exchange(node: Node) -> Operation:
    assigned = assignment(node)
    if assigned is None or (assigned[1].bare().kind == "BINARY_OPERATOR" and mentions(assigned[1], assigned[0])):
        return update(node)
    if mentions(assigned[1], assigned[0]):
        raise NotThisFormError(assigned[1], "the new value must not use the variable that is assigned")
    return Operation("exchange", assigned[0], {"e": assigned[1]}, assigned, gives_new=False)


def _swap(node: Node, result: tuple[Node, Node] | None) -> Form:
    """Read ``if (x == e) { x = d; } else { v = x; }``, or that with ``r = x == e;`` in front and ``r`` as condition."""
    condition, _, *rest = node.children
    otherwise = rest[0] if rest else None
    test = result[1] if result is not None else condition.bare()
    if result is not None and not alike(result[0], condition):
        raise NotThisFormError(condition, "the condition has to be the variable that got the result of the comparison")
    if result is None and otherwise is None:
        raise NotThisFormError(node, "nothing is captured")
    done = conditional(node, test)
    if done.helper != "compare_exchange":
        raise NotThisFormError(test, "the comparison has to be '=='")
    compared, assigned = done.pieces[:2], done.pieces[2:]
    pieces = (*compared, *assigned) if result is None else (result[0], *compared, condition, *assigned)
    operands = dict(done.operands)
    arguments: tuple[str, ...] = ("x", "e", "d")
    if otherwise is not None:
        receiver, copied = _copy(alone(otherwise))
        if not alike(copied, done.target):
            raise NotThisFormError(otherwise, "'else' has to capture the variable that is compared")
        operands["v"], pieces = receiver, (*pieces, receiver, copied)
        arguments = (*arguments, "v")
    if result is not None:
        operands["r"] = result[0]
    assigned_to = "r" if result is not None else ""
    return Form("rex_atomic_compare_swap", arguments, done.target, operands, pieces, assigned_to, False, True)


def _copy(node: Node) -> tuple[Node, Node]:
    assigned = assignment(node)
    if assigned is None:
        raise NotThisFormError(node)
    return assigned


_READERS = {
    "read": _read,
    "write": _write,
    "update": _update,
    "capture": _capture,
    "compare": _compare,
    "compare capture": _compare_capture,
}
