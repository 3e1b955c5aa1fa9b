"""Reads canonical loops (OpenMP 5.2, 4.4.1).

In: a ``for`` statement. Out: :class:`CanonicalLoop`, or the reason why the loop is not canonical, by the rule it
breaks: what does not have the form is said here, what the values of the parts must be in `loop_rules.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clang.cindex import Type

from rexcc.analysis import loop_rules as rules
from rexcc.analysis.compared_bounds import conversions
from rexcc.analysis.loops import CanonicalLoop, Step, literal_value
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import NAME_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import replace

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_ONE = Step("1", 1)


def canonical_loop(unit: ParsedUnit, statement: Node) -> CanonicalLoop:
    """Return the model of a loop.

    Raises CompileError naming the violated rule (code ``omp-loop-form``).
    """
    known = unit.kept(_Loops).known
    if statement not in known:
        known[statement] = _LoopReader(unit, statement).read()
    return known[statement]


def check_loop_head(unit: ParsedUnit, statement: Node) -> None:
    """Raise CompileError where the head of a loop of the host, or a statement that leaves it, breaks a rule.

    Loops over iterators, those whose type depends on a template, and heads out of macros are not looked at.
    """
    _LoopReader(unit, statement).check_head()


class _Loops:
    """The models of loops; several stages ask for each."""

    def __init__(self, _: ParsedUnit) -> None:
        self.known: dict[Node, CanonicalLoop] = {}


class _LoopReader:
    def __init__(self, unit: ParsedUnit, statement: Node) -> None:
        self.unit = unit
        self.statement = statement

    def read(self) -> CanonicalLoop:
        init, test, increment, body = self._parts()
        if init.start <= self.statement.start:
            raise self.fail(self.statement, "its header comes out of a macro; write the for (…) itself")
        index, index_type, declares, lower = self._init(init)
        rules.check_index(self.unit, init, index, index_type)
        relation, bound = self._test(test, index)
        step, step_node, increasing = self._increment(increment, index)
        self._check_written((init, lower), (test, bound), *([(increment, step_node)] if step_node else []))
        if step_node is not None and (relation in ("<", "<=")) != increasing and relation != "!=":
            step = replace(step, value=None, is_opposite=True)  # a step whose sign the text does not show
            increasing = not increasing
        relation = self._direction(relation, increasing, test)
        rules.check_step(self.unit, step_node)
        rules.check_own(self.unit, [lower, bound, *([step_node] if step_node else [])], index)
        rules.check_body(self.unit, index, body)
        rules.check_invariance(self.unit, [bound, *([step_node] if step_node else [])], index, body)
        return CanonicalLoop(
            self.statement, index, index_type, declares, lower, relation, bound, step, step_node, increasing, body,
            literal_value(self.unit.user_text(lower)), literal_value(self.unit.user_text(bound)),
            grouped=frozenset(n for n in (lower, bound) if not n.is_postfix),
            lower_brackets=self._brackets(init, lower, index_type),
            bound_brackets=self._brackets(test, bound, index_type) if _is_of_class(bound.type, index_type) else "",
            converted=conversions(index_type, lower, bound, increasing),
        )  # fmt: skip

    def _brackets(self, part: Node, value: Node, index_type: Type) -> str:
        """Return the brackets in which an iterator's class is given a value of another type, which would count by steps
        of its own: ``Pairs i = pointer`` is not ``pointer + n`` after ``n`` steps."""
        if not types.is_record(index_type) or _is_of_class(_written(value).type, index_type):
            return ""
        behind = self.unit.user_text(part)[value.end - part.start :].lstrip()
        return "{}" if behind.startswith("}") else "()"

    def _check_written(self, *parts: tuple[Node, Node]) -> None:
        """Check that the operator of each part of the header stands beside its value, not in the value's macro."""
        for part, value in parts:
            if not self.unit.is_whole(value):
                message = "a macro in its header begins or ends with an argument; put parentheses around its expansion"
                if "..." in self.unit.user_text(value):
                    message = "a fold expression in its header needs parentheses around its own"
                raise self.fail(part, message)
            text, at = self.unit.user_text(part), value.start - part.start
            beside = text[:at] + text[at + value.end - value.start :]
            if not re.search(r"[-+<>=!({*]|\bnot_eq\b", beside):
                raise self.fail(part, "its header comes out of a macro; write the for (…) itself")

    def check_head(self) -> None:
        init, test, increment, body = self._parts()
        if init.start <= self.statement.start or not _is_counted(init):
            return
        index, index_type, _, lower = self._init(init)
        rules.check_index(self.unit, init, index, index_type)
        relation, bound = self._test(test, index)
        step, step_node, increasing = self._increment(increment, index)
        value = library.evaluate_integer(step_node.cursor) if step_node is not None else None
        if step_node is None or step.value is not None or value is not None:
            self._direction(relation, increasing, test)
        rules.check_step(self.unit, step_node)
        rules.check_own(self.unit, [lower, bound], index)
        rules.check_exits(self.unit, body)

    def fail(self, node: Node, message: str) -> CompileError:
        return rules.form_problem(self.unit, node, message)

    def _parts(self) -> tuple[Node, Node, Node, Node]:
        children = self.statement.children
        if len(children) != 4:
            raise self.fail(self.statement, "it needs an initialisation, a test, an increment and a body")
        return children[0], children[1], children[2], children[3]

    def _init(self, node: Node) -> tuple[Variable, Type, bool, Node]:
        if node.kind == "DECL_STMT":
            return self._declared(node)
        bare = node.bare()
        if bare.kind == "BINARY_OPERATOR" and bare.operator == "=":
            target = bare.children[0].bare()
            index = named_variable(target)
            if index is not None:
                return index, index.type, False, bare.children[1]
        if bare.kind == "CALL_EXPR" and bare.spelling == "operator=":
            # clang loses first values that are assigned to iterators, so the host version would be wrong
            raise self.fail(node, "the initialisation of an iterator must declare it, as in 'for (auto it = …'")
        raise self.fail(node, "the initialisation must give one variable its first value")

    def _declared(self, node: Node) -> tuple[Variable, Type, bool, Node]:
        if len(node.children) != 1 or node.children[0].kind != "VAR_DECL":
            raise self.fail(node, "the initialisation must declare exactly one variable")
        variable = node.children[0]
        values = [c for c in variable.children if c.kind not in NAME_KINDS]
        if not values:
            raise self.fail(node, f"'{variable.spelling}' has no first value")
        value = values[-1].bare()
        if value.kind == "INIT_LIST_EXPR":  # ``int i{0}``
            if len(value.children) != 1:
                raise self.fail(value, f"write the first value of '{variable.spelling}' in the braces")
            return Variable(variable.cursor), variable.type, True, value.children[0]
        if types.is_record(variable.type) and self._is_made_in_place(value, variable.spelling):
            return Variable(variable.cursor), variable.type, True, self._only_operand(value, variable)
        return Variable(variable.cursor), variable.type, True, values[-1]

    def _is_made_in_place(self, value: Node, name: str) -> bool:
        """Whether a class's constructor gets what stands in brackets behind the variable's name, as in ``I i(b)``."""
        text = self.unit.user_text(value).removeprefix(name).lstrip()
        return value.kind == "CALL_EXPR" and text[:1] in ("", "(", "{")

    def _only_operand(self, made: Node, variable: Node) -> Node:
        operands = [child for child in made.children if made.start <= child.start < child.end <= made.end]
        if not operands:
            raise self.fail(made, f"'{variable.spelling}' has no first value")
        if len(operands) > 1:
            written = spelling.spell_value(variable.type)
            message = f"the initialisation must have the form {written} {variable.spelling} = {written}(…)"
            raise self.fail(made, message)
        return operands[0]

    def _test(self, node: Node, index: Variable) -> tuple[str, Node]:
        operator, operands = self._comparison(node.bare())
        left, right = operands[0], operands[-1]
        if operator not in _MIRRORED or len(operands) < 2:
            raise self.fail(node, "the test must compare the loop variable with a bound by <, <=, >, >= or !=")
        if self._is_index(left, index):
            return operator, right
        if self._is_index(right, index):
            return _MIRRORED[operator], left
        raise self.fail(node, f"the test must compare '{index.name}' itself")

    def _comparison(self, test: Node) -> tuple[str, Sequence[Node]]:
        """Return operator and operands of a test as they are written.

        C++20 makes ``<`` of ``<=>`` and ``!=`` of ``==``, also with exchanged operands (C++23, 12.2.2.3).
        """
        if test.kind == "BINARY_OPERATOR":
            return test.operator, test.children
        if test.kind == "UNARY_OPERATOR" and self.unit.user_text(test).startswith("!="):
            return "!=", _in_text_order(test.children[0].bare())
        if test.kind != "CALL_EXPR" or len(test.children) < 2:
            return "", (test,)
        ways = (each for each in (test.children[0], test.children[-1]) if each.bare().spelling == "operator<=>")
        order = next(ways, None)
        operands = test.children if order is None else _in_text_order(order.bare())
        return test.spelling.removeprefix("operator"), operands

    def _is_index(self, node: Node, index: Variable) -> bool:
        bare = node.bare()
        while len(bare.children) == 1 and (bare.kind == "UNEXPOSED_EXPR" or _is_copy(bare)):
            bare = bare.children[0].bare()
        return named_variable(bare) == index

    def _increment(self, node: Node, index: Variable) -> tuple[Step, Node | None, bool]:
        bare = node.bare()
        operator = bare.operator
        if bare.kind == "UNARY_OPERATOR" and self._is_index(bare.children[0], index):
            if operator in ("++", "p++"):
                return _ONE, None, True
            if operator in ("--", "p--"):
                return _ONE, None, False
        if bare.kind == "CALL_EXPR" and any(self._is_index(child, index) for child in bare.children):
            made = self._step_of_class(bare, index)
            if made is not None:
                return made
        if operator in ("+=", "-=") and self._is_index(bare.children[0], index):
            return self._step(bare.children[1], operator == "+=")
        if bare.kind == "BINARY_OPERATOR" and operator == "=" and self._is_index(bare.children[0], index):
            return self._sum(bare.children[1].bare(), index)
        raise self.fail(node, f"the increment must add a constant amount to '{index.name}' or subtract it")

    def _step_of_class(self, call: Node, index: Variable) -> tuple[Step, Node | None, bool] | None:
        """Read an increment by the operators of an iterator's class."""
        operator, operands = call.spelling.removeprefix("operator"), call.children
        if operator in ("++", "--"):
            return _ONE, None, operator == "++"
        if operator in ("+=", "-=") and self._is_index(operands[0], index):
            return self._step(operands[-1], operator == "+=")
        if operator != "=" or not self._is_index(operands[0], index):
            return None
        value = _converted(operands[-1])
        return self._sum(value, index) if value.spelling in ("operator+", "operator-") else None

    def _sum(self, node: Node, index: Variable) -> tuple[Step, Node | None, bool]:
        operator = node.operator if node.kind == "BINARY_OPERATOR" else node.spelling.removeprefix("operator")
        if node.kind in ("BINARY_OPERATOR", "CALL_EXPR") and operator in ("+", "-") and len(node.children) > 1:
            left, right = node.children[0], node.children[-1]
            if self._is_index(left, index):
                return self._step(right, operator == "+")
            if operator == "+" and self._is_index(right, index):
                return self._step(left, True)
        raise self.fail(node, f"the increment must have the form {index.name} = {index.name} + step")

    def _step(self, node: Node, adding: bool) -> tuple[Step, Node, bool]:
        text = self.unit.user_text(node)
        if re.fullmatch(r"-\s*\d+", text):
            amount = text[1:].strip()
            return Step(amount, literal_value(amount)), node, not adding
        return Step(text, literal_value(text), is_grouped=not node.is_postfix), node, adding

    def _direction(self, relation: str, increasing: bool, test: Node) -> str:
        if relation == "!=":
            return "<" if increasing else ">"
        if (relation in ("<", "<=")) != increasing:
            raise self.fail(test, "test and increment go in opposite directions")
        return relation


def _in_text_order(call: Node) -> list[Node]:
    """Return the operands of a call of an operator as they stand in the text."""
    return sorted((call.children[0], call.children[-1]), key=lambda operand: operand.start)


def _converted(node: Node) -> Node:
    """Return the expression inside of the conversions and copies that are not written."""
    bare = node.bare()
    while len(bare.children) == 1 and not bare.spelling.startswith("operator"):
        bare = bare.children[0].bare()
    return bare


def _written(value: Node) -> Node:
    """Return the expression of a value without the conversions that are not written."""
    node: Node | None = value
    while node is not None:
        value = node
        node = next((child for child in value.children if (child.start, child.end) == (value.start, value.end)), None)
    return value


def _is_of_class(kind: Type, index_type: Type) -> bool:
    """Whether a type is the class of an index, whatever its qualifiers."""
    own, other = (types.canonical(types.without_reference(k)) for k in (index_type, kind))
    return bool(own.get_declaration() == other.get_declaration()) and types.is_record(own)


def _is_counted(init: Node) -> bool:
    """Whether the variable that an initialisation speaks of is a number or a pointer, as far as its type is known."""
    first = init.children[0] if init.kind == "DECL_STMT" and init.children else init
    return types.is_scalar(first.type) or types.is_pointer(first.type)


def _is_copy(node: Node) -> bool:
    """Whether an expression copies an object, as for an operator that takes its operands by value."""
    made = node.referenced if node.kind == "CALL_EXPR" else None
    if made is None or kind_of(made) != "CONSTRUCTOR":
        return False
    kinds = (types.canonical(each.type).get_declaration() for each in (node, node.children[0]))
    return len({library.key_of(kind) for kind in kinds}) == 1
