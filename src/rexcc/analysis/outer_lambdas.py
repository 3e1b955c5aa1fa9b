"""Lambdas defined outside a region and called in it.

In: the references of a region. Out: :class:`Closures`, inner lambdas first; what they capture joins the region's
references. A kernel defines the lambda again from its own text. What it captured by reference is the kernel's variable
of that name, which has to be the original one on the device, or a first-private copy that nothing changes; ``this`` is
the kernel's. What it captured by value may have changed since: then the host keeps a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.captures import (
    CaptureList,
    bare_value,
    capture_list,
    declared_name,
    initialiser,
    may_have_effect,
    reads_memory,
)
from rexcc.analysis.closures import Closure, Closures, KeptValue, holds_closure, is_closure
from rexcc.analysis.copies_made import can_be_held
from rexcc.analysis.device_constructs import region_bodies
from rexcc.analysis.lambda_values import (
    can_travel,
    changes,
    holds_numbers,
    is_capture,
    is_known_number,
    is_lambda_object,
    is_local,
    is_mutable,
    is_plain_value,
    is_read,
    lambda_of,
    may_be_bound,
    only_reads_elements,
)
from rexcc.analysis.references import References, UsedVariable, collect
from rexcc.clang import spelling, types
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable, variable_of
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.own_names import related
from rexcc.source.patterns import regex

_NAMES = regex(r"(?<![\w.:>])(?!true\b|false\b|nullptr\b|static_cast\b)[^\W\d]\w*(?!\w|\s*(?:::|\())")
"""Names in an expression that may be those of variables."""
_ELSEWHERE = (
    "comes from elsewhere; a region can call those of its own function, and those that templates get as arguments "
    "whose text means the same outside of their function"
)


def follow_closures(unit: ParsedUnit, owner: ConstructFunction, references: References) -> Closures:
    """Return the lambdas that a region calls.

    Raises CompileError where one cannot be seen, or is not what its text says (``unsupported-capture``).
    """
    follower = _Follower(unit, owner, references)
    for variable in list(references.variables.values()):
        if is_closure(variable):
            follower.follow(variable)
        elif holds_closure(variable):
            message = (
                f"'{variable.name}' has a lambda in its type, which device code cannot name; call the lambda itself"
            )
            place = unit.span(variable.uses[0]) if variable.uses else None
            raise error("unsupported-capture", message, place)
    follower.check_names()
    return follower.found


def changing_capture(unit: ParsedUnit, closure: UsedVariable, name: str) -> CompileError:
    """Return the error for a capture that the kernel cannot give the lambda."""
    return _fail(unit, closure, f"captures '{name}', which changes; pass it as an argument")


class _Follower:
    def __init__(self, unit: ParsedUnit, owner: ConstructFunction, references: References) -> None:
        self.unit = unit
        self.owner = owner
        self.references = references
        self.named = frozenset(references.variables)
        self.found = Closures()

    def follow(self, variable: UsedVariable) -> None:
        if variable in self.found.defined:
            return
        definition = self._definition(variable)
        if definition.kind != "LAMBDA_EXPR":
            self._follow_original(definition)
            self.found.defined[variable] = Closure(variable, definition, CaptureList())
            return
        captures = capture_list(self.unit.user_text(definition))
        inner = collect([definition])
        self._check_state(variable, definition, captures)
        if inner.this_uses and captures.copies_this:
            raise _fail(self.unit, variable, "copies '*this'; it cannot be called in a target region yet")
        self.references.this_uses += inner.this_uses
        outside = [
            v
            for v in inner.variables.values()
            if not (v.is_global or captures.declares(v.name) or _is_computed_with(v, definition, captures))
        ]
        for static in (v for v in inner.variables.values() if v.is_global and is_local(v)):
            if not is_known_number(self.unit, static):
                problem = f"names the static variable '{static.name}'; pass it, or its address, as an argument"
                raise _fail(self.unit, variable, problem)
            self.references.variables.setdefault(static, static)
        kept = [
            KeptValue(v, v.name, related("kept", variable.name, v.name))
            for v in outside
            if not self._capture(variable, v, captures)
        ]
        kept += self._initialisers(variable, definition, captures, inner)
        self.found.defined[variable] = Closure(variable, definition, captures, tuple(kept), tuple(inner.this_uses))

    def _definition(self, variable: UsedVariable) -> Node:
        """Return the lambda expression that a variable is initialised with, or the lambda variable it is a copy of."""
        node = self.unit.tree.node(variable.cursor)
        found = lambda_of(node) if node.kind == "VAR_DECL" else None
        if found is None or self.unit.span(found) is None:
            raise _fail(self.unit, variable, _ELSEWHERE, *_place_of(self.unit, variable))
        return found

    def _follow_original(self, copied: Node) -> None:
        original = UsedVariable(copied.referenced, [copied]) if copied.referenced is not None else None
        if original is not None and is_closure(original):
            self.follow(original)

    def _check_state(self, variable: UsedVariable, definition: Node, captures: CaptureList) -> None:
        """Refuse a lambda whose own variables the host may have changed: the kernel's starts anew."""
        own = {str(n.spelling) for n in definition.walk() if changes(n) and captures.declares(n.spelling)}
        if own and any(self._is_hosts_use(n, variable) for n in self.owner.node.walk()):
            raise _fail(self.unit, variable, f"changes its own '{min(own)}', which regions do not share")

    def _is_hosts_use(self, node: Node, variable: Variable) -> bool:
        """Whether a node calls a lambda, or hands it on, outside of target regions, which have copies."""
        if named_variable(node) != variable:
            return False
        above = node.wrapped().parent
        if not is_exposed(node) and (above is None or above.kind not in ("CALL_EXPR", "LAMBDA_EXPR")):
            return False
        bodies = region_bodies(self.owner.walk())
        return not any(node.is_inside(b) for b in bodies)

    def check_names(self) -> None:
        """Refuse lambdas in which a name means something else than the same name in the kernel."""
        named: dict[str, set[Variable]] = {}
        for variable in self.references.variables.values():
            if not variable.is_global or is_local(variable):
                named.setdefault(variable.name, set()).add(variable)
        for closure in self.found.defined.values():
            for name in closure.definition.walk():
                target = name.referenced if name.kind == "DECL_REF_EXPR" else None
                if target is None or closure.definition.has_declaration(target):
                    continue
                if named.get(name.spelling, set()) - {variable_of(target)}:
                    problem = f"means another '{name.spelling}' than the region; give one of them another name"
                    raise _fail(self.unit, closure.variable, problem)

    def _initialisers(
        self, closure: UsedVariable, expression: Node, captures: CaptureList, inner: References
    ) -> Iterator[KeptValue]:
        """Capture what ``name = value`` of captures computes with, which clang's tree does not show; yield those values
        that the host has to keep."""
        for item in filter(initialiser, captures.items):
            value = bare_value(item)
            named = [self._named_before(name, expression) for name in _NAMES.findall(value)]
            if not item.startswith("&") and may_have_effect(value):
                raise _made_value(self.unit, closure, item)
            if any(v is None for v in named):
                raise _made_value(self.unit, closure, item)
            computed_with = [v for v in named if v is not None]
            if item.startswith("&") or not self._may_differ(value, computed_with):
                for captured in computed_with:
                    self._use_as_it_is(closure, captured, refers=item.startswith("&"))
                continue
            made = next((v for v in inner.declared if v.name == declared_name(item)), None)
            if made is None or not is_plain_value(value, computed_with) or not can_travel(self.unit, made):
                raise _made_value(self.unit, closure, item)
            yield KeptValue(UsedVariable(made.cursor), value, related("kept", closure.name, made.name))

    def _named_before(self, name: str, expression: Node) -> UsedVariable | None:
        """Return the variable that a name in a capture means, None where none or several could be meant."""
        meant = {
            Variable(n.cursor)
            for n in self.owner.node.walk()
            if n.kind in VARIABLE_KINDS and n.spelling == name and n.start < expression.start
        }
        return UsedVariable(meant.pop().cursor, [expression]) if len(meant) == 1 else None

    def _may_differ(self, value: str, computed_with: list[UsedVariable]) -> bool:
        """Whether a capture's value may be another when the region starts: its variables change, or it reads memory."""
        if reads_memory(value) or ("[" in value and not all(map(holds_numbers, computed_with))):
            return True
        return any(not is_closure(v) and (self._changes(v) or may_be_bound(v)) for v in computed_with)

    def _capture(self, closure: UsedVariable, captured: UsedVariable, captures: CaptureList) -> bool:
        """Add a captured variable to the region's; return False where the host has to keep the lambda's value of it."""
        refers = captures.by_reference(captured.name)
        if not is_closure(captured) and not refers and self._is_kept(closure, captured):
            return False
        self._use_as_it_is(closure, captured, refers)
        return True

    def _use_as_it_is(self, closure: UsedVariable, captured: UsedVariable, refers: bool) -> None:
        """Add a variable to the region's that a lambda refers to, or whose value is still the captured one."""
        if is_closure(captured):
            self.follow(captured)
        elif refers:
            self._refer(closure, captured)
        known = self.references.variables.setdefault(captured, captured)
        known.written |= captured.written
        known.changed_by_lambda |= refers and not all(is_read(use) or is_capture(use) for use in captured.uses)

    def _refer(self, closure: UsedVariable, captured: UsedVariable) -> None:
        if captured.written or captured.exposed:
            self.found.may_change.add(captured)
        if self._changes(captured):
            self.found.referred[captured] = closure
            if captured not in self.named:
                self.found.mapped.add(captured)

    def _is_kept(self, closure: UsedVariable, captured: UsedVariable) -> bool:
        """Whether a lambda has a value of a variable that the variable itself may have no longer."""
        if captured.written:
            raise _fail(self.unit, closure, f"changes its own copy of '{captured.name}', which regions do not share")
        if not self._changes(captured) and not may_be_bound(captured):
            return False
        if not can_travel(self.unit, captured) or not only_reads_elements(captured):
            raise changing_capture(self.unit, closure, captured.name)
        return True

    def _is_fixed_lambda(self, variable: Variable) -> bool:
        """Whether a variable is a lambda's object which nobody can change (``transformation/lambdas``): the region gets
        the object for the device, in which pointers are those of mapped memory, and not a copy of its bytes."""
        return is_lambda_object(self.unit, variable.cursor.type) and not is_mutable(variable.cursor.type)

    def _changes(self, variable: Variable) -> bool:
        """Whether the function does more with a variable, or a part of it, than to read it; what a reference is
        bound to may change by any other name. A number that is known here does not: where the language asks for a
        constant, as in arguments of templates, its name is no read.
        """
        if is_known_number(self.unit, variable) or self._is_fixed_lambda(variable):
            return False
        uses = (node for node in self.owner.node.walk() if named_variable(node) == variable)
        return any(not is_capture(use) and not is_read(use) for use in uses)


def _is_computed_with(variable: UsedVariable, definition: Node, captures: CaptureList) -> bool:
    """Whether nothing but the values of init-captures names a variable."""
    end = definition.start + captures.end
    in_values = bool(variable.uses) and all(definition.start < use.start < end for use in variable.uses)
    return in_values and not captures.names(variable.name)


def _fail(unit: ParsedUnit, variable: UsedVariable, problem: str, *notes: Note) -> CompileError:
    place = unit.span(variable.uses[0]) if variable.uses else None
    return error("unsupported-capture", f"the lambda '{variable.name}' {problem}", place, *notes)


def _made_value(unit: ParsedUnit, closure: UsedVariable, item: str) -> CompileError:
    return _fail(unit, closure, f"captures '{item}'; put the value into a variable of its own")


def _place_of(unit: ParsedUnit, variable: Variable) -> Iterator[Note]:
    """Yield where the lambda is written that a variable is given, and why it cannot be a class with a name."""
    closure = types.canonical(types.without_reference(variable.cursor.type))
    span = unit.span(unit.tree.node(closure.get_declaration()))
    copies = (field.type for field in closure.get_fields() if not types.is_reference(field.type))
    held = next((kind for kind in copies if not can_be_held(unit, kind)), None)
    if span is None:
        return
    if held is None:
        why = (
            "it captures a pack or an array of variable length, names what is local, or is returned by a header's "
            "function, and other files may have its static variables, or lay it out otherwise (it captures 'this' and "
            "more, or what it does not use); before C++14 "
            "a result that a template decides has to be written ('-> T')"
        )
        yield Note(f"this one does not: {why}", span)
        return
    name, cause = spelling.spell(types.innermost(held)), "a class whose copies a constructor of its own makes"
    what = f"a copy of a '{name}'"
    if types.is_array(types.canonical(held)):
        what = f"an array of '{name}'"
        cause = "a class with copies or a destructor of its own, or without a default constructor"
    message = f"this one cannot be one of them: it holds {what}, {cause}; capture a reference, or the members that it"
    yield Note(f"{message} needs", span)
