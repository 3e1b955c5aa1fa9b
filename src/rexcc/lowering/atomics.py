"""``atomic`` in device code (OpenMP 5.2, 15.8.4).

In: an ``atomic`` construct in a device body. Out: edits that turn its statement into a call of a ``rex_atomic_*``
helper, operands untouched. Before: ``x[i] += f(y);`` after: ``rex_atomic_add(&x[i], f(y));``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rexcc.clang.tree import Node
from rexcc.frontend.unit import Construct
from rexcc.lowering.body import DeviceBody, statement_end
from rexcc.source.diagnostics import CompileError, error

_COMPOUND = {
    "+=": "add", "-=": "sub", "*=": "mul", "/=": "div", "&=": "and", "|=": "or", "^=": "xor",
    "<<=": "shl", ">>=": "shr",
}  # fmt: skip
_PLAIN = {name.removesuffix("="): helper for name, helper in _COMPOUND.items()} | {"&&": "land", "||": "lor"}
_COMMUTE = frozenset({"add", "mul", "and", "or", "xor", "land", "lor"})
_UNARY = {"++": ("add", True), "p++": ("add", False), "--": ("sub", True), "p--": ("sub", False)}


@dataclass(frozen=True)
class _Update:
    """``x`` with what is done to it; ``value`` is None for increments; ``returns_new`` for what ``v = …`` gets."""

    helper: str
    target: Node
    value: Node | None
    returns_new: bool


def lower_atomic(body: DeviceBody, construct: Construct) -> None:
    """Rewrite the statement of an atomic construct.

    Raises CompileError where the statement has none of the forms that the specification allows (``omp-atomic-form``).
    """
    assert construct.body is not None
    statement = _single(construct.body)
    directive = construct.directive
    if directive.has("compare"):
        _lower_compare(body, construct, statement)
    elif directive.has("capture"):
        _lower_capture(body, construct, construct.body)
    elif directive.has("read"):
        _lower_read(body, construct, statement)
    elif directive.has("write"):
        _lower_write(body, construct, statement)
    else:
        _replace(body, statement, _call(body, _require_update(body, construct, statement)))


def _single(node: Node) -> Node:
    while node.kind == "COMPOUND_STMT" and len(node.children) == 1:
        node = node.children[0]
    return node


def _fail(body: DeviceBody, construct: Construct, node: Node, form: str) -> CompileError:
    return error("omp-atomic-form", f"this is not a form of 'atomic {form}'", body.span(node))


def _replace(body: DeviceBody, node: Node, text: str) -> None:
    body.edits.replace(body.start(node), body.end(node), text)


def _operand(body: DeviceBody, node: Node) -> str:
    return body.edited_node(node)


def _address(body: DeviceBody, node: Node) -> str:
    text = _operand(body, node)
    return (
        f"&{text}"
        if re.fullmatch(r"[\w\.\[\]>\-()+* ]*[\w\])]", text) and not re.search(r"^[*&]", text)
        else f"&({text})"
    )


def _call(body: DeviceBody, update: _Update) -> str:
    value = _operand(body, update.value) if update.value is not None else "1"
    return f"rex_atomic_{update.helper}({_address(body, update.target)}, {value})"


def _assignment(node: Node) -> tuple[Node, Node] | None:
    bare = node.bare()
    if bare.kind == "BINARY_OPERATOR" and bare.operator == "=":
        return bare.children[0], bare.children[1]
    return None


def _same(body: DeviceBody, left: Node, right: Node) -> bool:
    def squeezed(node: Node) -> str:
        return re.sub(r"\s+", "", body.original(node.bare()))

    return squeezed(left) == squeezed(right)


def _update(body: DeviceBody, node: Node) -> _Update | None:
    bare = node.bare()
    if bare.kind == "UNARY_OPERATOR" and bare.operator in _UNARY:
        helper, returns_new = _UNARY[bare.operator]
        return _Update(helper, bare.children[0], None, returns_new)
    if bare.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and bare.operator in _COMPOUND:
        return _Update(_COMPOUND[bare.operator], bare.children[0], bare.children[1], True)
    assigned = _assignment(bare)
    return _plain_update(body, *assigned) if assigned else None


def _plain_update(body: DeviceBody, target: Node, value: Node) -> _Update | None:
    right = value.bare()
    while right.kind == "CSTYLE_CAST_EXPR" and right.children:
        right = right.children[-1].bare()
    if right.kind == "CALL_EXPR" and re.fullmatch(r"(std::)?f?(min|max)[fl]?", right.spelling):
        return _min_max_call(body, target, right)
    if right.kind != "BINARY_OPERATOR" or right.operator not in _PLAIN:
        return None
    left_operand, right_operand = right.children
    helper = _PLAIN[right.operator]
    if _same(body, target, left_operand):
        return _Update(helper, target, right_operand, True)
    if _same(body, target, right_operand):
        return _Update(helper if helper in _COMMUTE else f"r{helper}", target, left_operand, True)
    return None


def _min_max_call(body: DeviceBody, target: Node, call: Node) -> _Update | None:
    arguments = call.children[1:]
    if len(arguments) != 2:
        return None
    helper = "min" if "min" in call.spelling else "max"
    for mine, other in (arguments, arguments[::-1]):
        if _same(body, target, mine):
            return _Update(helper, target, other, True)
    return None


def _require_update(body: DeviceBody, construct: Construct, node: Node) -> _Update:
    found = _update(body, node)
    if found is None:
        raise _fail(body, construct, node, "update")
    return found


def _lower_read(body: DeviceBody, construct: Construct, node: Node) -> None:
    assigned = _assignment(node)
    if assigned is None:
        raise _fail(body, construct, node, "read")
    _replace(body, assigned[1], f"rex_atomic_read({_address(body, assigned[1])})")


def _lower_write(body: DeviceBody, construct: Construct, node: Node) -> None:
    assigned = _assignment(node)
    if assigned is None:
        raise _fail(body, construct, node, "write")
    _replace(body, node, f"rex_atomic_write({_address(body, assigned[0])}, {_operand(body, assigned[1])})")


def _lower_capture(body: DeviceBody, construct: Construct, node: Node) -> None:
    statement = _single(node)
    if statement.kind == "COMPOUND_STMT" and len(statement.children) == 2:
        _lower_capture_block(body, construct, statement)
        return
    assigned = _assignment(statement)
    if assigned is None:
        raise _fail(body, construct, statement, "capture")
    _replace(body, assigned[1], _captured(body, _require_update(body, construct, assigned[1])))


def _captured(body: DeviceBody, update: _Update) -> str:
    """The value that ``v = …`` gets: the old one or the new one, by the helper's form."""
    name = f"{update.helper}_new" if update.returns_new else update.helper
    return _call(body, replace(update, helper=name))


def _lower_capture_block(body: DeviceBody, construct: Construct, block: Node) -> None:
    first, second = block.children
    reading = _assignment(first)
    update = _update(body, second)
    if reading is not None and update is not None and _same(body, reading[1], update.target):
        _capture_first(body, first, second, reading[0], _call(body, update))
        return
    written = _assignment(second)
    if reading is not None and written is not None and _same(body, reading[1], written[0]):
        call = f"rex_atomic_exchange({_address(body, written[0])}, {_operand(body, written[1])})"
        _capture_first(body, first, second, reading[0], call)
        return
    update, reading = _update(body, first), _assignment(second)
    if reading is not None and update is not None and _same(body, reading[1], update.target):
        update = _Update(update.helper, update.target, update.value, True)
        _capture_first(body, first, second, reading[0], _captured(body, update))
        return
    raise _fail(body, construct, block, "capture")


def _capture_first(body: DeviceBody, first: Node, second: Node, receiver: Node, call: str) -> None:
    """Put the whole capture where the first statement stands and drop the second."""
    text = f"{_operand(body, receiver)} = {call}"
    _replace(body, first, text)
    end = statement_end(body.file, second)
    start = body.start(second)
    body.edits.replace(start, end, "\n" * body.text.count("\n", start, end))


def _lower_compare(body: DeviceBody, construct: Construct, node: Node) -> None:
    if construct.directive.has("capture"):
        raise error("unsupported-construct", "'atomic compare capture' cannot be lowered yet", construct.span)
    call = _conditional_min_max(body, node) or _compare_exchange(body, node)
    if call is None:
        raise _fail(body, construct, node, "compare")
    end = statement_end(body.file, node)
    body.edits.replace(body.start(node), end, f"{call};")


def _compare_exchange(body: DeviceBody, node: Node) -> str | None:
    """``if (x == e) { x = d; }``."""
    if node.kind != "IF_STMT" or len(node.children) != 2:
        return None
    condition, assigned = node.children[0].bare(), _assignment(_single(node.children[1]))
    if assigned is None or condition.operator != "==":
        return None
    left, right = condition.children
    if not _same(body, left, assigned[0]):
        return None
    expected, desired = _operand(body, right), _operand(body, assigned[1])
    return f"rex_atomic_compare_exchange({_address(body, assigned[0])}, {expected}, {desired})"


def _conditional_min_max(body: DeviceBody, node: Node) -> str | None:
    """``if (e < x) x = e;`` and ``x = e < x ? e : x;``."""
    if node.kind == "IF_STMT" and len(node.children) == 2:
        condition, assigned = node.children[0].bare(), _assignment(_single(node.children[1]))
    else:
        assigned = _assignment(node)
        choice = assigned[1].bare() if assigned else node
        if (
            choice.kind != "CONDITIONAL_OPERATOR"
            or assigned is None
            or not _same(body, choice.children[2], assigned[0])
        ):
            return None
        condition, assigned = choice.children[0].bare(), (assigned[0], choice.children[1])
    if assigned is None or condition.kind != "BINARY_OPERATOR" or condition.operator not in ("<", ">"):
        return None
    left, right = condition.children
    if _same(body, left, assigned[0]) and _same(body, right, assigned[1]):
        helper = "min" if condition.operator == ">" else "max"
    elif _same(body, right, assigned[0]) and _same(body, left, assigned[1]):
        helper = "min" if condition.operator == "<" else "max"
    else:
        return None
    return f"rex_atomic_{helper}({_address(body, assigned[0])}, {_operand(body, assigned[1])})"
