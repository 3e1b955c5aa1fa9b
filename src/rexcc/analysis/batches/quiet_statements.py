"""Which statements of the host program cannot see what kernels have done to the device's memory.

In: a statement. Out: whether it launches kernels, moves data by directives, and computes with named variables, and does
nothing else: then it is *quiet*. A named variable of the host is never the device's memory, but what a pointer points
to may be, and a call may ask for the time, print, or tell another thread. Which names and calls are quiet depends on
where the statement is: in a run (:mod:`.run_reader`) or in a function of C++ that one calls (:mod:`.function_reader`).
What the launches themselves read they wait for (``rex_host_reads``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Protocol

from clang.cindex import Cursor, Type

from rexcc.analysis.batches.copied_bytes import CopiedBytes
from rexcc.analysis.batches.plain_objects import is_named_array, is_plain
from rexcc.analysis.batches.quiet_forms import (
    QUIET_EXPRESSIONS,
    QUIET_STATEMENTS,
    QUIET_TYPE_DECLARATIONS,
    construct_at,
    evaluated_by_host,
    is_filled_quietly,
    lambda_of,
    may_be_held,
    names_variable,
    uses_this,
)
from rexcc.analysis.batches.quiet_runs import Uses
from rexcc.analysis.batches.tasks_in_order import finds_dependences_by_name, is_ordered_task
from rexcc.analysis.device_constructs import is_kernel, makes_queued_tasks_only
from rexcc.analysis.evaluated_parts import reads_behind_pointers
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.clang.unevaluated import SIZE_OPERATOR, leaves_unevaluated
from rexcc.openmp.model import ExpressionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field, replace

_NOTHING_OR_ALL = frozenset({"target update", "target enter data", "target exit data"})
"""Directives that do nothing at all where their ``if`` says so. A kernel's host version, which is executed then, waits
for the queue first (``host_block``); a task that it is made part of by ``nowait`` does not."""


class Functions(Protocol):
    """What is known of the functions that are called (``called_functions``) and of the ``classes`` of the unit."""

    classes: CopiedBytes

    def uses_of_call(self, call: Node, seldom: bool, known: Mapping[int, Cursor] = ...) -> Uses | None:
        """Return what a call asks for besides what it is given; ``known`` are functions that the caller was given."""


@dataclass(frozen=True, eq=False)
class StatementReader(ABC):
    """Reads statements. In a function that is called ``return`` is nothing special and parameters may refer to named
    variables; ``break``, ``continue`` and ``case`` must mean a statement inside. ``functions`` reads those that are
    called, of which ``asked`` collects what is asked for; there is none in C. ``orders_tasks`` tells that the queue may
    have tasks in it that depend on each other."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    in_function: bool = False
    in_loop: bool = False
    in_switch: bool = False
    functions: Functions | None = None
    asked: list[Uses] = field(default_factory=list)
    orders_tasks: bool = True

    @abstractmethod
    def _is_quiet_variable(self, variable: Node) -> bool:
        """Whether a declaration of a variable is quiet."""

    @abstractmethod
    def _is_quiet_call(self, call: Node) -> bool:
        """Whether a call is quiet, and so is what it is given."""

    @abstractmethod
    def _names(self, node: Node) -> bool:
        """Whether an expression is the name of something that may be named."""

    @property
    def _in_directive(self) -> StatementReader:
        """What reads the expressions of a directive, or of the headers of its loops."""
        return self

    def is_quiet(self, node: Node) -> bool:
        """Whether a statement or expression, with all that is in it, does nothing that could see a kernel's end."""
        construct = construct_at(self.constructs, node)
        if construct is not None:
            return self._is_quiet_construct(construct)
        if node.kind in LOOP_KINDS:
            return self._is_quiet_loop(node)
        if node.kind in QUIET_STATEMENTS or (node.kind == "RETURN_STMT" and self.in_function):
            inside = replace(self, in_switch=True) if node.kind == "SWITCH_STMT" else self
            return inside._all_quiet(node.children)
        if node.kind in QUIET_TYPE_DECLARATIONS:
            return True
        if node.kind == "VAR_DECL":
            return self._is_quiet_variable(node)
        return self._is_quiet_expression(node)

    def _is_quiet_loop(self, loop: Node) -> bool:
        parts = loop.children
        if loop.kind == "CXX_FOR_RANGE_STMT":  # its variable is a copy of an element
            if len(parts) != 3 or not is_plain(parts[0].type) or not is_named_array(parts[1]):
                return False
            parts = parts[2:]
        return replace(self, in_loop=True)._all_quiet(parts)

    def _all_quiet(self, nodes: Iterable[Node]) -> bool:
        return all(self.is_quiet(n) for n in nodes)

    def _is_quiet_expression(self, node: Node) -> bool:
        match node.kind:
            case "BREAK_STMT":
                return self.in_loop or self.in_switch
            case "CONTINUE_STMT":
                return self.in_loop
            case "CASE_STMT" | "DEFAULT_STMT":
                return self.in_switch and self._all_quiet(node.children)
            case "TYPEDEF_DECL":
                given = node.cursor.underlying_typedef_type
                return not (types.is_variable_length(given) or types.has_runtime_extent(given))
            case kind if kind == SIZE_OPERATOR:
                return self._all_quiet(n for n in node.children if not leaves_unevaluated(node, n))
            case "DECL_REF_EXPR":
                return self._names(node) or self._is_template_value(node)
            case "CALL_EXPR":
                return self._is_quiet_call(node)
            case "StmtExpr":
                return self._all_quiet(node.children)
            case "LAMBDA_EXPR":
                return self.functions is not None and self._holds_named_objects(node)
            case "INIT_LIST_EXPR" if not is_filled_quietly(node):
                return False
            case "UNARY_OPERATOR" if node.operator in ("*", "&", ""):
                return [n.kind for n in node.children] == ["StmtExpr"] and self._all_quiet(node.children)
            case "UNEXPOSED_EXPR" if len(node.children) != 1:
                return False
        return node.kind in QUIET_EXPRESSIONS and self._all_quiet(node.children)

    def _holds_named_objects(self, made: Node) -> bool:
        """Whether a lambda holds copies of named objects and references to them, not ``this``, which may lead anywhere.
        Its body is read where it is called."""
        *before, body = made.children
        values = (child for child in before if child.kind not in ("PARM_DECL", "VARIABLE_REF"))
        held = (child.referenced for child in before if child.kind == "VARIABLE_REF")
        if uses_this(body) or not self._all_quiet(values) or not all(map(self._is_host_object, held)):
            return False
        named = (n for n in body.walk() if n.kind == "DECL_REF_EXPR" and may_be_held(made, n))
        return all((self._names(n) and not self._may_refer(n)) or self._is_template_value(n) for n in named)

    def _is_host_object(self, variable: Cursor | None) -> bool:
        if variable is None or self.functions is None:
            return False
        is_own = is_plain(variable.type) and not self.functions.classes.may_refer(variable.type)
        return is_own or self._is_known_object(variable)

    def _may_refer(self, node: Node) -> bool:
        """Whether an expression names an object with references, or an array of such, which may lead anywhere."""
        target = node.referenced if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
        if self.functions is None or target is None or kind_of(target) not in VARIABLE_KINDS | {"FIELD_DECL"}:
            return False
        if not (types.is_record(node.type) or types.is_array(node.type)):
            return False
        if self._is_known_object(target) or self._is_of_known_lambda(node.type):
            return False
        return self.functions.classes.may_refer(node.type)

    def _asks(self, uses: Uses | None) -> bool:
        if uses is None or (uses.ordered and not self.orders_tasks):
            return False
        self.asked.append(uses)
        return True

    def _is_known_object(self, variable: Cursor) -> bool:
        """Whether a variable can be given to functions that are read: its object has no references, or is that of a
        lambda whose references are known."""
        if self.functions is None:
            return False
        refers = self.in_function and kind_of(variable) == "PARM_DECL"
        given = types.without_reference(variable.type) if refers else variable.type
        return self.functions.classes.is_named_object(given) or self._is_known_lambda(variable)

    def _is_known_lambda(self, variable: Cursor) -> bool:
        """Whether a variable is made of a lambda that holds named objects, to which nothing can be assigned, or is a
        parameter whose class is that of such a lambda."""
        if types.is_reference(variable.type) or not types.is_record(variable.type):
            return False
        if kind_of(variable) == "PARM_DECL":
            return self._is_of_known_lambda(variable.type)
        if kind_of(variable) != "VAR_DECL":
            return False
        values = self.unit.tree.node(variable).children
        made = values[-1].bare() if values else None
        return made is not None and made.kind == "LAMBDA_EXPR" and self._holds_named_objects(made)

    def _is_of_known_lambda(self, kind: Type) -> bool:
        """Whether a class is that of a lambda which holds named objects, wherever its object was made: what a function
        that is called is given its callers tell."""
        made = None if self.in_function else lambda_of(self.unit, kind)
        return made is not None and self._holds_named_objects(made)

    def _is_template_value(self, node: Node) -> bool:
        """Whether an expression is a template's parameter, which in an instantiation stands for its value."""
        return node.referenced is None and bool(node.children) and self._all_quiet(node.children)

    def _is_quiet_construct(self, construct: Construct) -> bool:
        if not _may_be_queued(construct) or (is_ordered_task(construct) and not self._may_order(construct)):
            return False
        bases = {id(item.node) for item in construct.items_of(*construct.directive.clauses)}
        within = self._in_directive
        for node in construct.nodes:
            if not (within.is_quiet(node) or (id(node) in bases and names_variable(node.bare()))):
                return False
        if is_kernel(construct):
            values = evaluated_by_host(construct)
            return all(within.is_quiet(v) or reads_behind_pointers(self.unit, v) is not None for v in values)
        return construct.body is None or self.is_quiet(construct.body)

    def _may_order(self, construct: Construct) -> bool:
        """Whether a task that depends on others can be in the queue, in its place between those."""
        known = self.unit.kept(makes_queued_tasks_only) and finds_dependences_by_name(construct)
        return known and self._asks(Uses(ordered=True))


def _may_be_queued(construct: Construct) -> bool:
    """Whether the directive and clauses of a construct are such that it can be queued."""
    directive = construct.directive
    if not directive.leaves[0].startswith("target") or directive.has("in_reduction"):
        return False
    if directive.has("depend") and not directive.has("nowait"):
        return False
    if any(m.name == "ancestor" for c in directive.of_type(ExpressionClause) for m in c.modifiers):
        return False
    is_task_of_queue = is_kernel(construct) or directive.name == "target update"
    if directive.has("nowait") and (not is_task_of_queue or directive.has("if")):
        return False
    return not directive.has("if") or is_kernel(construct) or directive.name in _NOTHING_OR_ALL
