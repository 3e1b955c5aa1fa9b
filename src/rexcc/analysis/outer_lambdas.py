"""Lambdas defined outside a region and called in it.

In: the references of a region. Out: :class:`Closures`, inner lambdas first; what they capture joins the region's
references. A kernel defines the lambda again from its own text. What it captured by reference is the kernel's variable
of that name, which has to be the original one on the device, no first-private copy; ``this`` is the kernel's. What it
captured by value may have changed since: then the host keeps a copy of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.captures import CaptureList, capture_list
from rexcc.analysis.references import References, Variable, collect, is_written, variable_key
from rexcc.clang import types
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.records import dataclass

_NAMES = re.compile(r"(?<![\w.:>])(?!true\b|false\b|nullptr\b|static_cast\b)[^\W\d]\w*(?!\w|\s*(?:::|\())")
"""Names in an expression that may be those of variables."""
_ELSEWHERE = (
    "comes from elsewhere; a region can call those of its own function, and those that templates get as arguments "
    "which capture numbers, pointers and objects by value"
)
_PARTS = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "PAREN_EXPR"})


@dataclass(frozen=True, eq=False)
class Closure:
    """A lambda that a region calls.

    ``definition`` is its expression, or the name of the lambda that it is a copy of. ``kept`` are the variables that it
    captured by value and that change afterwards; ``this_uses`` are its uses of the object that the region's ``this``
    means as well.
    """

    variable: Variable
    definition: Node
    captures: CaptureList
    kept: tuple[Variable, ...] = ()
    this_uses: tuple[Node, ...] = ()

    def kept_name(self, variable: Variable) -> str:
        """Return the name of the host's copy of a captured variable."""
        return f"__rex_{self.variable.name}_{variable.name}"


@dataclass
class Closures:
    """The lambdas of a region by the key of their variable, in the order in which they must be defined.

    ``referred`` are variables that lambdas capture by reference and that change, by key, each with a lambda that does;
    ``mapped`` are those of them that the region itself does not name.
    """

    defined: dict[int, Closure] = field(default_factory=dict)
    referred: dict[int, Variable] = field(default_factory=dict)
    mapped: set[int] = field(default_factory=set)


def is_closure(variable: Variable) -> bool:
    """Whether a variable's type is a lambda's."""
    return "(lambda at" in types.spell(types.without_reference(variable.cursor.type))


def follow_closures(unit: ParsedUnit, owner: ConstructFunction, references: References) -> Closures:
    """Return the lambdas that a region calls.

    Raises CompileError where one cannot be seen, or is not what its text says (``unsupported-capture``).
    """
    follower = _Follower(unit, owner, references)
    for variable in list(references.variables.values()):
        if is_closure(variable):
            follower.follow(variable)
    return follower.found


def changing_capture(unit: ParsedUnit, closure: Variable, name: str) -> CompileError:
    """Return the error for a capture that the kernel cannot give the lambda."""
    return _fail(unit, closure, f"captures '{name}', which changes; pass it as an argument")


class _Follower:
    def __init__(self, unit: ParsedUnit, owner: ConstructFunction, references: References) -> None:
        self.unit = unit
        self.owner = owner
        self.references = references
        self.named = frozenset(references.variables)
        self.found = Closures()

    def follow(self, variable: Variable) -> None:
        if variable.key in self.found.defined:
            return
        definition = self._definition(variable)
        if definition.kind != "LAMBDA_EXPR":
            self._follow_original(definition)
            self.found.defined[variable.key] = Closure(variable, definition, CaptureList())
            return
        captures = capture_list(self.unit.user_text(definition))
        inner = collect([definition])
        if inner.this_uses and captures.copies_this:
            raise _fail(self.unit, variable, "copies '*this'; it cannot be called in a target region yet")
        self.references.this_uses += inner.this_uses
        outside = [v for v in inner.variables.values() if not v.is_global and not captures.declares(v.name)]
        kept = [v for v in outside if not self._capture(variable, v, captures)]
        for captured in self._initialisers(variable, definition, captures):
            self._capture(variable, captured, captures)
        self.found.defined[variable.key] = Closure(variable, definition, captures, tuple(kept), tuple(inner.this_uses))

    def _definition(self, variable: Variable) -> Node:
        """Return the lambda expression that a variable is initialised with, or the lambda variable it is a copy of."""
        node = self.unit.tree.node(variable.cursor)
        found = next((n for n in node.walk() if n.kind == "LAMBDA_EXPR"), None)
        if found is None and node.kind == "VAR_DECL":
            found = next((n for n in node.walk() if n.kind == "DECL_REF_EXPR"), None)
        if found is None or self.unit.span(found) is None:
            raise _fail(self.unit, variable, _ELSEWHERE, *_place_of(self.unit, variable))
        return found

    def _follow_original(self, copied: Node) -> None:
        original = Variable(copied.referenced, [copied]) if copied.referenced is not None else None
        if original is not None and is_closure(original):
            self.follow(original)

    def _initialisers(self, closure: Variable, expression: Node, captures: CaptureList) -> Iterator[Variable]:
        """Yield the variables in ``name = value`` of a capture, which clang's tree does not show."""
        for item in captures.items:
            for name in _NAMES.findall(item.partition("=")[2]):
                meant = {
                    variable_key(n.cursor): n.cursor
                    for n in self.owner.node.walk()
                    if n.kind in VARIABLE_KINDS and n.spelling == name and n.start < expression.start
                }
                if len(meant) != 1:
                    raise _fail(self.unit, closure, f"captures '{item}'; put the value into a variable of its own")
                yield Variable(next(iter(meant.values())), [expression])

    def _capture(self, closure: Variable, captured: Variable, captures: CaptureList) -> bool:
        """Add a captured variable to the region's; return False where the host has to keep the lambda's value of it."""
        if is_closure(captured):
            self.follow(captured)
        elif captures.by_reference(captured.name):
            self._refer(closure, captured)
        elif self._is_kept(closure, captured, captures):
            return False
        known = self.references.variables.setdefault(captured.key, captured)
        known.written |= captured.written
        return True

    def _refer(self, closure: Variable, captured: Variable) -> None:
        if self._changes(captured.key):
            self.found.referred[captured.key] = closure
            if captured.key not in self.named:
                self.found.mapped.add(captured.key)

    def _is_kept(self, closure: Variable, captured: Variable, captures: CaptureList) -> bool:
        """Whether a lambda has a value of a variable that the variable itself may have no longer."""
        if captured.written:
            raise _fail(self.unit, closure, f"changes its own copy of '{captured.name}', which regions do not share")
        if not self._changes(captured.key):
            return False
        if captures.initialises(captured.name) or not _can_travel(captured):
            raise changing_capture(self.unit, closure, captured.name)
        return True

    def _changes(self, key: int) -> bool:
        """Whether the function does more with a variable, or a part of it, than to read it."""
        for node in self.owner.node.walk():
            target = node.referenced if node.kind == "DECL_REF_EXPR" else None
            if target is not None and variable_key(target) == key and not _is_capture(node) and not _is_read(node):
                return True
        return False


def _fail(unit: ParsedUnit, variable: Variable, problem: str, *notes: Note) -> CompileError:
    place = unit.span(variable.uses[0]) if variable.uses else None
    return error("unsupported-capture", f"the lambda '{variable.name}' {problem}", place, *notes)


def _place_of(unit: ParsedUnit, variable: Variable) -> Iterator[Note]:
    """Yield where the lambda is written that a variable is given."""
    written = types.canonical(types.without_reference(variable.cursor.type)).get_declaration()
    span = unit.span(unit.tree.node(written))
    if span is not None:
        yield Note("this one does not: it captures by reference, 'this' or an array, or names what is local", span)


def _can_travel(variable: Variable) -> bool:
    kind = types.without_reference(variable.cursor.type)
    return not types.is_array(kind) and (not types.is_record(kind) or types.is_copied_as_bytes(kind))


def _is_capture(node: Node) -> bool:
    """Whether a reference only stands for a lambda's capture."""
    return node.parent is not None and node.parent.kind == "LAMBDA_EXPR"


def _is_read(node: Node) -> bool:
    """Whether the value of a variable, or of a part of it, is read: clang has a conversion around the expression."""
    top = node
    while top.parent is not None and (top.parent.kind in _PARTS or _is_decay(top.parent)):
        top = top.parent
    if is_written(top) or is_exposed(top) or top.parent is None:
        return False
    return top.parent.kind == "UNEXPOSED_EXPR" and not types.is_array(top.type)


def _is_decay(node: Node) -> bool:
    """Whether an array becomes a pointer only to be subscripted."""
    above = node.parent
    return node.kind == "UNEXPOSED_EXPR" and above is not None and above.kind == "ARRAY_SUBSCRIPT_EXPR"
