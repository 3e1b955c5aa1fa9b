"""Lambdas defined outside a region and called in it.

In: the references of a region. Out: :class:`Closures`: the lambda expressions behind its closure variables, inner ones
first, and what they capture by reference; all captures join the region's references. A kernel defines the lambda again
from its own text. So a value that it captured must be the one that the region sees: a variable that the function never
changes. What it captured by reference is the kernel's variable of that name, which has to be the original one on the
device, no first-private copy; ``this`` is the kernel's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rexcc.analysis.references import References, Variable, collect, is_exposed, is_written, variable_key
from rexcc.clang import types
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.frontend.unit import ConstructFunction, ParsedUnit
from rexcc.source.diagnostics import CompileError, error

_NAMES = re.compile(r"(?<![\w.:>])(?!true\b|false\b|nullptr\b|static_cast\b)[A-Za-z_]\w*(?!\w|\s*(?:::|\())")
"""Names in an expression that may be those of variables."""


@dataclass
class Closures:
    """The lambdas of a region by the key of their variable, in the order in which they must be defined.

    ``referred`` are variables that lambdas capture by reference and that change, by key, each with a lambda that does;
    ``mapped`` are those of them that the region itself does not name.
    """

    expressions: dict[int, Node] = field(default_factory=dict)
    referred: dict[int, Variable] = field(default_factory=dict)
    mapped: set[int] = field(default_factory=set)


def is_closure(variable: Variable) -> bool:
    """Whether a variable's type is a lambda's."""
    return "(lambda at" in types.spell(types.without_reference(variable.cursor.type))


def follow_closures(unit: ParsedUnit, owner: ConstructFunction, references: References) -> Closures:
    """Return the lambdas that a region calls.

    Raises CompileError where one cannot be seen, or has captured a value that changes (``unsupported-capture``).
    """
    follower = _Follower(unit, owner, references)
    for variable in list(references.variables.values()):
        if is_closure(variable):
            follower.follow(variable)
    return follower.found


def changing_capture(unit: ParsedUnit, closure: Variable, name: str) -> CompileError:
    """Return the error for a capture that the kernel cannot give the lambda."""
    message = f"the lambda '{closure.name}' captures '{name}', which changes; pass it as an argument"
    return _fail(unit, closure, message)


class _Follower:
    def __init__(self, unit: ParsedUnit, owner: ConstructFunction, references: References) -> None:
        self.unit = unit
        self.owner = owner
        self.references = references
        self.named = frozenset(references.variables)
        self.found = Closures()

    def follow(self, variable: Variable) -> None:
        if variable.key in self.found.expressions:
            return
        expression = next((n for n in self.unit.tree.node(variable.cursor).walk() if n.kind == "LAMBDA_EXPR"), None)
        if expression is None or self.unit.span(expression) is None:
            message = f"the lambda '{variable.name}' comes from elsewhere; "
            raise _fail(self.unit, variable, f"{message}a region can call only lambdas of its own function")
        text = self.unit.user_text(expression)
        inner = collect([expression])
        if inner.this_uses and re.match(r"\[[^\]]*\*\s*this", text):
            message = f"the lambda '{variable.name}' copies '*this'; it cannot be called in a target region yet"
            raise _fail(self.unit, variable, message)
        self.references.this_uses += inner.this_uses
        for captured in inner.variables.values():
            declared = self.unit.tree.node(captured.cursor)
            own = declared.file == expression.file and expression.start <= declared.start < expression.end
            if not captured.is_global and not own:
                self._capture(variable, captured, text)
        for item in _captures(text):
            for captured in self._initialisers(variable, expression, item):
                self._capture(variable, captured, text)
        self.found.expressions[variable.key] = expression

    def _initialisers(self, closure: Variable, expression: Node, item: str) -> Iterator[Variable]:
        """Yield the variables in ``name = value`` of a capture, which clang's tree does not show."""
        declared, _, value = item.partition("=")
        for name in _NAMES.findall(value) if declared.strip() else ():
            meant = {
                variable_key(n.cursor): n.cursor
                for n in self.owner.node.walk()
                if n.kind in VARIABLE_KINDS and n.spelling == name and n.start < expression.start
            }
            if len(meant) != 1:
                message = f"the lambda '{closure.name}' captures '{item}'; put the value into a variable of its own"
                raise _fail(self.unit, closure, message)
            yield Variable(next(iter(meant.values())), [expression])

    def _capture(self, closure: Variable, captured: Variable, text: str) -> None:
        if is_closure(captured):
            self.follow(captured)
        elif _changes(self.owner.node, captured.key):
            if not is_by_reference(text, captured.name):
                raise changing_capture(self.unit, closure, captured.name)
            self.found.referred[captured.key] = closure
            if captured.key not in self.named:
                self.found.mapped.add(captured.key)
        self.references.variables.setdefault(captured.key, captured)


def is_by_reference(text: str, name: str) -> bool:
    """Whether the lambda with this text captures a variable by reference."""
    by_default = False
    for item in _captures(text):
        declared, initialised, value = item.partition("=")
        declared = declared.strip()
        if item in ("&", "="):
            by_default = item == "&"
        elif re.search(rf"\b{re.escape(name)}\b", value if initialised else declared):
            return declared.startswith("&")
    return by_default


def _captures(text: str) -> list[str]:
    """Return the items between the brackets that a lambda begins with."""
    items, depth, start = [], 0, 1
    for at, character in enumerate(text):
        depth += character in "([{"
        depth -= character in ")]}"
        if depth == 0 or (depth == 1 and character == ","):
            items.append(text[start:at].strip())
            start = at + 1
        if depth == 0:
            break
    return [item for item in items if item]


def _changes(function: Node, key: int) -> bool:
    for node in function.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or variable_key(target) != key or _is_capture(node):
            continue
        if is_written(node) or is_exposed(node):
            return True
    return False


def _is_capture(node: Node) -> bool:
    """Whether a reference only stands for a lambda's capture."""
    return node.parent is not None and node.parent.kind == "LAMBDA_EXPR"


def _fail(unit: ParsedUnit, variable: Variable, message: str) -> CompileError:
    return error("unsupported-capture", message, unit.span(variable.uses[0]) if variable.uses else None)
