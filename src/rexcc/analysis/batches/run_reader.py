"""Statements of a run: whether they can see what the kernels queued before them have done.

In: a statement of the host's that may be in a run, or of a C function that one calls. Out: whether it is quiet
(:mod:`.quiet_statements`), and what has to be found out about it when the program runs.

A member of ``*this``, or of what a parameter points to, is as good as a named variable where the runtime finds that no
kernel has access to it (:mod:`.checked_objects`). A call of another file's function is quiet if that file says so when
the program is linked (:mod:`.quiet_elsewhere`). What is read beside a launch the host may ask the runtime for
(:mod:`.host_reads`).

A ``taskwait`` executes tasks that may do anything, unless there are none but those of kernels and updates, which the
queue has in their place: a run that has one waits for tasks where it begins, and makes no others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clang.cindex import Cursor

from rexcc.analysis.batches.checked_objects import CheckedObjects
from rexcc.analysis.batches.host_reads import HostReads
from rexcc.analysis.batches.library_calls import fails_assertion, only_computes, tells_size
from rexcc.analysis.batches.mapped_pointers import leads_to_host
from rexcc.analysis.batches.plain_objects import is_member_of_named, is_named_array, is_plain, row_of_address
from rexcc.analysis.batches.quiet_elsewhere import CommonFunction, called_elsewhere
from rexcc.analysis.batches.quiet_forms import given_to, is_automatic, is_volatile_counter
from rexcc.analysis.batches.quiet_runs import HostRead, TaskWait, Uses
from rexcc.analysis.batches.quiet_statements import StatementReader
from rexcc.analysis.device_constructs import makes_queued_tasks_only
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass, field, replace


@dataclass(frozen=True, eq=False)
class RunReader(StatementReader):
    """Reads the statements of a run, or of a C function. It notes the objects that are ``checked``, the functions of
    other files that are called in ``elsewhere``, where that is given, the calls of a failed ``assert`` in
    ``assertions``, and in ``reads`` what ``host_reads``, where it is given, finds to be read by way of the runtime.
    ``parameters_followed`` tells which parameters of a C function need named objects, None if it is not quiet,
    ``makes_ordered`` whether a quiet one makes tasks that depend on others."""

    parameters_followed: Callable[[Cursor], frozenset[int] | None] = lambda callee: None
    makes_ordered: Callable[[Cursor], bool] = lambda callee: False
    checked: CheckedObjects = field(default_factory=CheckedObjects)
    elsewhere: dict[str, CommonFunction] | None = None
    assertions: list[Node] = field(default_factory=list)
    host_reads: HostReads | None = None
    reads: list[HostRead] = field(default_factory=list)

    def uses(self, node: Node) -> Uses | None:
        """Return what a quiet statement or expression uses, None for one that is not quiet."""
        if not self.is_quiet(node):
            return None
        called = {} if self.elsewhere is None else self.elsewhere
        checked = tuple(dict.fromkeys(self.checked.expressions))
        own = Uses(checked, tuple(called.values()), reads=tuple(self.reads))
        return Uses.joined((own, *self.asked))

    @property
    def _in_directive(self) -> RunReader:
        return replace(self, host_reads=None)  # the runtime is asked for what is written in a directive, or a header

    def _is_quiet_construct(self, construct: Construct) -> bool:
        if construct.directive.name != "taskwait":
            return super()._is_quiet_construct(construct)
        if self.in_function or construct.directive.clauses or not self.unit.kept(makes_queued_tasks_only):
            return False
        node = construct.node
        return self._asks(Uses(taskwaits=(TaskWait(node.file, node.start, node),)))

    def _is_quiet_variable(self, variable: Node) -> bool:
        given, cursor = variable.type, variable.cursor
        known = is_plain(given) or is_volatile_counter(self.unit, cursor) or self._is_known_object(cursor)
        if self.checked.is_in_front(variable):
            return False
        return is_automatic(cursor) and known and self._all_quiet(variable.children)

    def _is_quiet_expression(self, node: Node) -> bool:
        match node.kind:
            case "MEMBER_REF_EXPR":
                is_quiet = is_member_of_named(node) or self.checked.has_member(node)
            case "ARRAY_SUBSCRIPT_EXPR":
                array, index = node.children
                is_known = is_named_array(array) or self.checked.has_array(array) or self._is_hosts_own(node)
                is_quiet = is_known and self.is_quiet(index)
            case "UNEXPOSED_EXPR" if (row := row_of_address(node)) is not None:
                is_quiet = self._all_quiet(row.children)
            case _:
                is_quiet = super()._is_quiet_expression(node)
        return is_quiet or self._is_read_for_host(node)

    def _is_read_for_host(self, node: Node) -> bool:
        """Whether an expression is read where the runtime can be asked for it, and note what is asked."""
        if self.host_reads is None:
            return False
        found = self.host_reads.asked_for(node)
        if found is None or not self._all_quiet(found.values):
            return False
        self.reads.extend(found.reads)
        return True

    def _is_hosts_own(self, element: Node) -> bool:
        return is_plain(element.type) and leads_to_host(element.children[0], self.constructs)

    def _names(self, node: Node) -> bool:
        """Whether an expression is the name of a plain variable or constant."""
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None:
            return False
        if kind_of(target) == "ENUM_CONSTANT_DECL":
            return True
        if library.is_made_at_first_use(target):
            return False
        refers = self.in_function and kind_of(target) == "PARM_DECL"
        given = types.without_reference(target.type) if refers else target.type
        if kind_of(target) not in VARIABLE_KINDS:
            return False
        return is_plain(given) or self._is_known_object(target) or is_volatile_counter(self.unit, target)

    def _is_quiet_call(self, call: Node) -> bool:
        return self._is_known_call(call) or self._is_read_call(call)

    def _is_read_call(self, call: Node) -> bool:
        """Whether a call gives named objects, and values, to a function that has been read."""
        if self.functions is None or not all(map(self._is_given, given_to(call))):
            return False
        if any(self._may_refer(node) for given in given_to(call) for node in given.walk()):
            return False
        return self._asks(self.functions.uses_of_call(call, seldom=False))

    def _is_given(self, node: Node) -> bool:
        """Whether an expression is quiet, or the name or address of a function, or a method with its object."""
        named = node.bare()
        if named.kind == "UNARY_OPERATOR" and named.operator == "&":
            operand = named.children[0].bare()
            named = operand if operand.kind == "DECL_REF_EXPR" else named
        target = named.referenced
        if target is None or kind_of(target) not in FUNCTION_KINDS or named.kind == "CALL_EXPR":
            return self.is_quiet(node) or self.checked.has_named(named) or self._refers_to_lambda(named)
        if named.kind == "DECL_REF_EXPR":
            return True
        objects = [child for child in named.children if not child.kind.endswith("_REF")]
        if not objects or objects[0].bare().kind == "CXX_THIS_EXPR":
            return self.checked.has_object_of_method(named)
        if len(objects) != 1:
            return False
        made = objects[0].bare()
        if types.is_pointer(made.type):
            return self.checked.has_object_behind(made)
        return self.is_quiet(objects[0]) or self.checked.has_member_object(made) or self.checked.has_named(made)

    def _refers_to_lambda(self, named: Node) -> bool:
        """Whether an expression is a parameter that refers to a lambda which holds named objects; note the lambda, with
        the copies in it."""
        return self._is_of_known_lambda(named.type) and self.checked.has_referred(named)

    def _is_known_call(self, call: Node) -> bool:
        """Whether a call copies plain objects, or calls a function of which all is known without its text, or a C
        function that is quiet."""
        callee = call.referenced
        if callee is None:
            return False
        if fails_assertion(call, callee):
            self.assertions.append(call)
            return True
        match kind_of(callee):
            case "CONSTRUCTOR":
                copies = callee.is_copy_constructor() or callee.is_move_constructor()
                copies_bytes = callee.is_default_method() and (copies or bool(call.type.is_pod()))
                return copies_bytes and is_plain(call.type) and self._all_quiet(call.children)
            case "CXX_METHOD":
                return tells_size(call, callee) or self._is_copied(call, callee)
            case "FUNCTION_DECL" if library.in_system_header(callee):
                return self._all_quiet(call.children[1:]) and self._is_quiet_in_library(callee, call.children[1:])
            case "FUNCTION_DECL":
                return self._is_known_function(callee, call.children[1:])
        return False

    def _is_quiet_in_library(self, callee: Cursor, arguments: Sequence[Node]) -> bool:
        swaps = callee.spelling == "swap" and all(map(self._names_object, arguments))
        return swaps or only_computes(callee, arguments)

    def _is_known_function(self, callee: Cursor, arguments: Sequence[Node]) -> bool:
        followed = self.parameters_followed(callee)
        if self.makes_ordered(callee) and not self._asks(Uses(ordered=True)):
            return False
        for place, argument in enumerate(arguments):
            is_object = followed is not None and place in followed
            if not (self._gives_object(argument) if is_object else self.is_quiet(argument)):
                return False
        if callee.type.kind.name != "FUNCTIONPROTO":  # C's `f()`, which tells nothing of its parameters
            return False
        given = zip(arguments, library.argument_types(callee.type), strict=False)
        referred = [a for a, t in given if types.is_reference(t)]
        known = followed is not None or self._is_called_elsewhere(callee)
        return known and all(map(self._names_object, referred))

    def _is_copied(self, call: Node, method: Cursor) -> bool:
        """Whether a call assigns an object that is copied as bytes to another."""
        objects = [n for n in call.children if n.referenced is None or kind_of(n.referenced) != "CXX_METHOD"]
        is_assignment = method.spelling == "operator=" and bool(method.is_default_method())
        return is_assignment and all(is_plain(n.type) and self.is_quiet(n) for n in objects)

    def _is_called_elsewhere(self, callee: Cursor) -> bool:
        """Whether a function may be quiet in its own file, and note it."""
        function = called_elsewhere(self.unit, callee) if self.elsewhere is not None else None
        if self.elsewhere is None or function is None:
            return False
        self.elsewhere[function.symbol] = function
        return True

    def _names_object(self, node: Node) -> bool:
        return self._names(node.bare()) or self.checked.has_own_member(node.bare())

    def _gives_object(self, argument: Node) -> bool:
        """Whether a call gives a function the address of a named object, or of one that it is given itself."""
        given = argument.bare()
        if given.kind == "UNARY_OPERATOR" and given.operator == "&":
            return self._names(given.children[0].bare())
        return self.checked.has_pointee(given)
