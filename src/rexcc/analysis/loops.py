"""The canonical loop model (OpenMP 5.2, 4.4.1): one model for the kernel's rewrite and the host's trip count.

In: a ``for`` statement. Out: :class:`CanonicalLoop`, or the reason why the loop is not canonical, by the rule it
breaks. Bounds keep the user's spelling; the relation keeps its inclusiveness, so nothing is added to a bound and
nothing can overflow there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from clang.cindex import Type

from rexcc.analysis.compared_bounds import Conversions, conversions
from rexcc.analysis.references import UsedVariable, collect, is_written
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.records import dataclass, replace
from rexcc.source.text import Span

_RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "!=": "ne"}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_INTEGER_KINDS = frozenset(
    {
        "BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG",
        "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "ENUM",
    }
)  # fmt: skip
_FLOATING_KINDS = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128", "COMPLEX"})

EXIT_MESSAGES = {word: f"not a canonical loop: '{word}' leaves the loop early" for word in ("break", "return")}
"""What is said of a statement that ends an associated loop before its time."""


@dataclass(frozen=True)
class Step:
    """The positive amount by which a loop's index goes in the loop's direction.

    ``written`` is the user's expression, or a name of its value; ``value`` the number where it is a literal.
    ``is_grouped``: it has parentheses around it; ``is_opposite``: the amount has the other sign.
    """

    written: str
    value: int | None = None
    is_grouped: bool = False
    is_opposite: bool = False

    @property
    def text(self) -> str:
        """The amount as an operand of a product."""
        text = f"({self.written})" if self.is_grouped else self.written
        return f"(-{text})" if self.is_opposite else text

    @property
    def is_one(self) -> bool:
        """Whether the amount is the literal 1."""
        return self.value == 1


_ONE = Step("1", 1)


@dataclass(frozen=True, eq=False)
class CanonicalLoop:
    """A loop ``for (index = lower; index relation bound; index += step)``.

    ``relation`` is one of ``<``, ``<=``, ``>``, ``>=`` with the index on the left; ``step`` is the positive
    increment; ``increasing`` its direction. ``declares`` tells whether the loop declares its index, ``index_type`` is
    the index's type, ``type_text`` how to write it where it has no one spelling (a template's text), else empty.
    ``lower`` and ``bound`` are the nodes of the bounds, ``lower_value`` and ``bound_value`` the numbers where these are
    literals; ``grouped`` are those of them that need parentheses beside operators. ``lower_brackets`` and
    ``bound_brackets``, ``()`` or ``{}``, are those in which the class of an iterator is given the expression that it is
    made of; empty where the expression has the index's type. ``converted`` are the types in which a loop over integers
    counts and compares, where they make other numbers of the bounds.
    """

    statement: Node
    index: Variable
    index_type: Type
    declares: bool
    lower: Node
    relation: str
    bound: Node
    step: Step
    step_node: Node | None
    increasing: bool
    body: Node
    lower_value: int | None = None
    bound_value: int | None = None
    type_text: str = ""
    grouped: frozenset[Node] = frozenset()
    lower_brackets: str = ""
    bound_brackets: str = ""
    converted: Conversions = Conversions()

    def value(self, bound: Node, text: Callable[[Node], str]) -> str:
        """Return one of the bounds, whose text ``text`` gives, as a value that operators of the index's class take, or
        as the number that the loop counts from or to."""
        kind = self._conversion(bound)
        if kind:
            return f"({kind})({text(bound)})" if bound in self.grouped else f"({kind}){text(bound)}"
        brackets = self.lower_brackets if bound is self.lower else self.bound_brackets
        if not brackets or bound not in (self.lower, self.bound):
            return text(bound)
        kind = self.type_text or spelling.spell_value(types.without_reference(self.index_type))
        return f"{kind}{brackets[0]}{text(bound)}{brackets[1]}"

    def operand(self, bound: Node, text: Callable[[Node], str]) -> str:
        """Return one of the bounds, whose text ``text`` gives, as an operand."""
        value = self.value(bound, text)
        return f"({value})" if bound in self.grouped and not self._conversion(bound) else value

    def _conversion(self, bound: Node) -> str:
        if bound is self.lower:
            return self.converted.lower
        return self.converted.bound if bound is self.bound else ""

    @property
    def name(self) -> str:
        """The index's name."""
        return self.index.name

    @property
    def is_from_zero(self) -> bool:
        """Whether the index goes up from the literal 0."""
        return self.increasing and self.lower_value == 0

    @property
    def is_pointer(self) -> bool:
        """Whether the index is a pointer."""
        return bool(types.kind_name(self.index_type.get_canonical()) == "POINTER")

    @property
    def is_integer(self) -> bool:
        """Whether the index has an integer type."""
        return types.kind_name(self.index_type.get_canonical()) in _INTEGER_KINDS

    @property
    def is_wide(self) -> bool:
        """Whether the index is as wide as 64 bits."""
        return bool(self.index_type.get_canonical().get_size() >= 8)


def canonical_loop(unit: ParsedUnit, statement: Node) -> CanonicalLoop:
    """Return the model of a loop.

    Raises CompileError naming the violated rule (code ``omp-loop-form``).
    """
    reader = _LoopReader(unit, statement)
    return reader.read()


def check_loop_head(unit: ParsedUnit, statement: Node) -> None:
    """Raise CompileError where the head of a loop of the host, or a statement that leaves it, breaks a rule.

    Loops over iterators, those whose type depends on a template, and heads out of macros are not looked at.
    """
    _LoopReader(unit, statement).check_head()


def loop_problem(unit: ParsedUnit, node: Node, message: str) -> CompileError:
    """Return the error of a loop that has not the form OpenMP asks for."""
    return error("omp-loop-form", message, unit.span(node))


class _LoopReader:
    def __init__(self, unit: ParsedUnit, statement: Node) -> None:
        self.unit = unit
        self.statement = statement

    def read(self) -> CanonicalLoop:
        init, test, increment, body = self._parts()
        if init.start <= self.statement.start:
            raise self.fail(self.statement, "its header comes out of a macro; write the for (…) itself")
        index, index_type, declares, lower = self._init(init)
        self._check_index(init, index, index_type)
        relation, bound = self._test(test, index)
        step, step_node, increasing = self._increment(increment, index)
        self._check_written((init, lower), (test, bound), *([(increment, step_node)] if step_node else []))
        if step_node is not None and (relation in ("<", "<=")) != increasing and relation != "!=":
            step = replace(step, value=None, is_opposite=True)  # a step whose sign the text does not show
            increasing = not increasing
        relation = self._direction(relation, increasing, test)
        self._check_step(step_node)
        self._check_own([lower, bound, *([step_node] if step_node else [])], index)
        self._check_body(index, body)
        self._check_invariance([bound, *([step_node] if step_node else [])], index, body)
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
        self._check_index(init, index, index_type)
        relation, bound = self._test(test, index)
        step, step_node, increasing = self._increment(increment, index)
        value = library.evaluate_integer(step_node.cursor) if step_node is not None else None
        if step_node is None or step.value is not None or value is not None:
            self._direction(relation, increasing, test)
        self._check_step(step_node)
        self._check_own([lower, bound], index)
        self._check_exits(body)

    def fail(self, node: Node, message: str) -> CompileError:
        return loop_problem(self.unit, node, f"not a canonical loop: {message}")

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
        values = [c for c in variable.children if c.kind not in ("TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF")]
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
        if operator not in _RELATIONS or len(operands) < 2:
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

    def _check_index(self, init: Node, index: Variable, index_type: Type) -> None:
        if types.kind_name(types.canonical(index_type)) in _FLOATING_KINDS:
            message = (
                f"not a canonical loop: the loop variable '{index.name}' has the floating-point type "
                f"'{spelling.spell(index_type)}'; count with an integer and compute the value from it"
            )
            raise error("omp-loop-form", message, self._name_span(init, index))

    def _name_span(self, init: Node, index: Variable) -> Span | None:
        """Return the place of the loop variable's name in the initialisation."""
        if init.kind != "DECL_STMT":
            return self.unit.span(init.bare().children[0])
        name, offset = library.file_location(index.cursor.location, init.tree.names)
        file = self.unit.files.get(name)
        if file is None:
            return None
        start = file.original(offset)
        return Span(file.scan.source, start, start + len(index.name))

    def _check_step(self, step: Node | None) -> None:
        if step is not None and library.evaluate_integer(step.cursor) == 0:
            raise self.fail(step, "a step of 0 never reaches the bound")

    def _check_own(self, parts: list[Node], index: Variable) -> None:
        for part in parts:
            own = collect([part]).variables.get(index)
            if own is not None:
                message = f"its bounds and its step cannot depend on its own variable '{index.name}'"
                raise self.fail(own.uses[0], message)

    def _check_invariance(self, invariant: list[Node], index: Variable, body: Node) -> None:
        """Bound and step keep their values: no variable that they name is assigned in the body or by themselves."""
        named = {v for v in collect(invariant).variables.values() if not all(map(is_unevaluated, v.uses))}
        for variable in collect([*invariant, body]).variables.values():
            change = _direct_write(variable) if variable in named and variable != index else None
            if change is not None:
                message = f"'{variable.name}' is part of the loop's bound or step and is changed here; use a copy of it"
                raise self.fail(change, message)

    def _check_body(self, index: Variable, body: Node) -> None:
        found = collect([body]).variables.get(index)
        if found is not None and found.written:
            place = next(u for u in found.uses if is_written(u))
            raise self.fail(place, f"the body changes the loop variable '{index.name}'")
        self._check_exits(body)

    def _check_exits(self, body: Node) -> None:
        stack = [body]
        while stack:
            node = stack.pop()
            if node.kind == "BREAK_STMT":
                raise error("omp-loop-form", EXIT_MESSAGES["break"], self.unit.span(node))
            if node.kind == "RETURN_STMT":
                raise error("omp-loop-form", EXIT_MESSAGES["return"], self.unit.span(node))
            if node.is_called_code:
                continue
            if node.kind in ("FOR_STMT", "WHILE_STMT", "DO_STMT", "SWITCH_STMT", "CXX_FOR_RANGE_STMT"):
                stack.extend(n for n in node.walk() if n.kind == "RETURN_STMT" and not _in_lambda(n, node))
                continue
            stack.extend(node.children)


def literal_value(text: str) -> int | None:
    """Return the number that the user's text of an expression is, None for any other expression."""
    return int(text, 8 if text.startswith("0") else 10) if text.isdigit() else None


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


def _is_copy(node: Node) -> bool:
    """Whether an expression copies an object, as for an operator that takes its operands by value."""
    made = node.referenced if node.kind == "CALL_EXPR" else None
    if made is None or kind_of(made) != "CONSTRUCTOR":
        return False
    kinds = (types.canonical(each.type).get_declaration() for each in (node, node.children[0]))
    return len({library.key_of(kind) for kind in kinds}) == 1
