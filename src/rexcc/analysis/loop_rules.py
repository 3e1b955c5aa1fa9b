"""What the parts of a canonical loop must be (OpenMP 5.2, 4.4.1): a variable that counts, a bound and a step that
keep their values, a body that neither changes the variable nor leaves the loop.

Each check takes the unit and the nodes that `loop_reader.py` found and raises CompileError (code ``omp-loop-form``) at
the place that breaks the rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.references import UsedVariable, collect, is_written
from rexcc.clang import library, locations, spelling, types
from rexcc.clang.tree import Node
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.text import Span

_FLOATING_KINDS = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "COMPLEX"})

EXIT_MESSAGES = {word: f"not a canonical loop: '{word}' leaves the loop early" for word in ("break", "return")}
"""What is said of a statement that ends an associated loop before its time."""


def loop_problem(unit: ParsedUnit, node: Node, message: str) -> CompileError:
    """Return the error of a loop that has not the form OpenMP asks for."""
    return error("omp-loop-form", message, unit.span(node))


def form_problem(unit: ParsedUnit, node: Node, reason: str) -> CompileError:
    """Return the error of a loop that is not canonical for a reason."""
    return loop_problem(unit, node, f"not a canonical loop: {reason}")


def check_index(unit: ParsedUnit, init: Node, index: Variable, index_type: Type) -> None:
    """Check that the loop variable is no floating-point number."""
    if types.kind_name(types.canonical(index_type)) in _FLOATING_KINDS:
        message = (
            f"not a canonical loop: the loop variable '{index.name}' has the floating-point type "
            f"'{spelling.spell(index_type)}'; count with an integer and compute the value from it"
        )
        raise error("omp-loop-form", message, _name_span(unit, init, index))


def check_step(unit: ParsedUnit, step: Node | None) -> None:
    """Check that a step, where the text has one, is not 0."""
    if step is not None and library.evaluate_integer(step.cursor) == 0:
        raise form_problem(unit, step, "a step of 0 never reaches the bound")


def check_own(unit: ParsedUnit, parts: list[Node], index: Variable) -> None:
    """Check that bounds and step do not name the loop's own variable."""
    for part in parts:
        own = collect([part]).variables.get(index)
        if own is not None:
            message = f"its bounds and its step cannot depend on its own variable '{index.name}'"
            raise form_problem(unit, own.uses[0], message)


def check_invariance(unit: ParsedUnit, invariant: list[Node], index: Variable, body: Node) -> None:
    """Check that bound and step keep their values: neither they nor the body assign a variable that they name."""
    named = {v for v in collect(invariant).variables.values() if not all(map(is_unevaluated, v.uses))}
    for variable in collect([*invariant, body]).variables.values():
        change = _direct_write(variable) if variable in named and variable != index else None
        if change is not None:
            message = f"'{variable.name}' is part of the loop's bound or step and is changed here; use a copy of it"
            raise form_problem(unit, change, message)


def check_body(unit: ParsedUnit, index: Variable, body: Node) -> None:
    """Check that the body neither changes the loop's variable nor leaves the loop."""
    found = collect([body]).variables.get(index)
    if found is not None and found.written:
        place = next(u for u in found.uses if is_written(u))
        raise form_problem(unit, place, f"the body changes the loop variable '{index.name}'")
    check_exits(unit, body)


def check_exits(unit: ParsedUnit, body: Node) -> None:
    """Check that no ``break`` and no ``return`` in the body leaves the loop; tell of all that do."""
    exits = sorted(_exits(body), key=lambda node: node.start)
    found = [error("omp-loop-form", EXIT_MESSAGES[_WORDS[node.kind]], unit.span(node)).diagnostic for node in exits]
    if found:
        raise CompileError(*found)


_WORDS = {"BREAK_STMT": "break", "RETURN_STMT": "return"}


def _exits(body: Node) -> Iterator[Node]:
    """Yield the statements that leave a loop with this body."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind in _WORDS:
            yield node
        elif node.is_called_code:
            continue
        elif node.kind in ("FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT", "CXX_FOR_RANGE_STMT"):
            stack.extend(n for n in node.walk() if n.kind == "RETURN_STMT" and not _in_lambda(n, node))
        else:
            stack.extend(node.children)


def _name_span(unit: ParsedUnit, init: Node, index: Variable) -> Span | None:
    """Return the place of the loop variable's name in the initialisation."""
    if init.kind != "DECL_STMT":
        return unit.span(init.bare().children[0])
    name, offset = locations.file_location(index.cursor.location, init.tree.names)
    file = unit.files.get(name)
    if file is None:
        return None
    start = file.original(offset)
    return Span(file.scan.source, start, start + len(index.name))


def _direct_write(variable: UsedVariable) -> Node | None:
    """Return the first assignment to a variable that the thread itself executes; a lambda may have a copy."""
    writes = (use for use in variable.uses if is_written(use))
    return next((w for w in writes if not any(above.is_called_code for above in w.ancestors())), None)


def _in_lambda(node: Node, top: Node) -> bool:
    for above in node.ancestors():
        if above is top:
            return False
        if above.is_called_code:
            return True
    return False
