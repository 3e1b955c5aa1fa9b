"""Which statements of the host program cannot see what kernels have done to the device's memory.

In: a statement. Out: whether it launches kernels, moves data by directives, and computes with named variables, and does
nothing else. A named variable of the host is never the device's memory, but what a pointer points to may be, unless it
is mapped around the statement (``leads_to_host``), and a call may ask for the time, print, or tell another thread:
there are no other dereferences and no other calls, but for what the launches themselves wait for (``rex_host_reads``)
and what is read beside a launch, where the host asks the runtime (:mod:`.host_reads`).
A member of ``*this``, or of what a parameter points to, is as good as a named variable where the runtime finds that no
kernel has access to it (``rex_batch_uses``): the reader notes those that it finds. So is a call of another file's
function, if that file says so when the program is linked (``quiet_elsewhere``): a reader that may find some notes them
as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from clang.cindex import Cursor, Type

from rexcc.analysis.device_constructs import is_kernel
from rexcc.analysis.given_objects import (
    given_member,
    is_given_address,
    is_given_reference,
    place_of,
    referred_member,
    whole_of,
)
from rexcc.analysis.host_reads import HostReads
from rexcc.analysis.library_calls import fails_assertion, only_computes, tells_size
from rexcc.analysis.lookups import reads_behind_pointers
from rexcc.analysis.mapped_pointers import leads_to_host
from rexcc.analysis.plain_objects import (
    LARGEST_MEMBER,
    LARGEST_OBJECT,
    is_member_of_named,
    is_named_array,
    is_plain,
    own_member,
)
from rexcc.analysis.quiet_elsewhere import CommonFunction, called_elsewhere
from rexcc.analysis.quiet_forms import (
    QUIET_EXPRESSIONS,
    QUIET_STATEMENTS,
    QUIET_TYPE_DECLARATIONS,
    construct_at,
    evaluated_by_host,
    given_to,
    is_automatic,
    is_filled_quietly,
    is_volatile_counter,
    may_be_held,
    names_variable,
    uses_this,
)
from rexcc.analysis.quiet_runs import HostRead, Uses
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, LOOP_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.clang.unevaluated import SIZE_OPERATOR, leaves_unevaluated
from rexcc.openmp.model import ExpressionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field, replace

_METHODS = frozenset({"CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_REFUSED_CLAUSES = ("depend", "in_reduction")
_NOTHING_OR_ALL = frozenset({"target update", "target enter data", "target exit data"})
"""Directives that do nothing at all where their ``if`` says so. A kernel's host version, which is executed then, waits
for the queue first (``host_block``); a task that it is made part of by ``nowait`` does not."""


class CallReader(Protocol):
    """What reads the functions that are called (``called_functions``)."""

    def uses_of_call(self, call: Node, seldom: bool, known: Mapping[int, Cursor] = ...) -> Uses | None:
        """Return what a call asks for besides what it is given; ``known`` are functions that the caller was given."""

    def is_named_object(self, given: Type) -> bool:
        """Whether a variable of a type is an object that functions may be given."""

    def is_nameable(self, given: Type) -> bool:
        """Whether an object of a type, which a reference leads to as well, may be named where nothing copies it."""

    def may_refer(self, given: Type) -> bool:
        """Whether a type is a reference, or a class with one in it."""


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads the statements of a run, or of a function that one calls, in which ``return`` is nothing special and
    parameters may refer to named variables; ``break``, ``continue`` and ``case`` must mean a statement inside.

    ``own_members`` collects the members of ``*this`` that are read or written, as expressions; ``elsewhere``, where it
    is given, the functions of other files that are called; ``assertions`` the calls of a failed ``assert``;
    ``asked`` what the ``functions`` ask for that are called. ``follows``: parameters may lead to objects, of which the
    runtime is asked in a run (``own_members``), and which are named ones where ``parameters_followed`` tells callers
    of a quiet function that it has ``followed`` them. ``host_reads``, where there are some, knows which expressions the
    runtime may be asked for, of which ``reads`` collects those that are read."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    parameters_followed: Callable[[Cursor], frozenset[int] | None]
    in_function: bool = False
    in_loop: bool = False
    in_switch: bool = False
    own_members: list[str] = field(default_factory=list)
    elsewhere: dict[str, CommonFunction] | None = None
    assertions: list[Node] = field(default_factory=list)
    functions: CallReader | None = None
    asked: list[Uses] = field(default_factory=list)
    follows: bool = False
    followed: set[int] = field(default_factory=set)
    host_reads: HostReads | None = None
    reads: list[HostRead] = field(default_factory=list)

    def uses(self, node: Node) -> Uses | None:
        """Return what a quiet statement or expression uses, None for one that is not quiet."""
        if not self.is_quiet(node):
            return None
        called = {} if self.elsewhere is None else self.elsewhere
        own = Uses(tuple(dict.fromkeys(self.own_members)), tuple(called.values()), reads=tuple(self.reads))
        return Uses.joined((own, *self.asked))

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
            known = (
                is_plain(node.type) or is_volatile_counter(self.unit, node.cursor) or self._is_known_object(node.cursor)
            )
            return is_automatic(node.cursor) and known and self._all_quiet(node.children)
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
        return self._is_quiet_form(node) or self._is_read_for_host(node)

    def _is_read_for_host(self, node: Node) -> bool:
        """Whether an expression is read where the runtime can be asked for it, and note what is asked."""
        if self.host_reads is None:
            return False
        found = self.host_reads.asked_for(node)
        if found is None or not self._all_quiet(found.values):
            return False
        self.reads.extend(found.reads)
        return True

    def _is_quiet_form(self, node: Node) -> bool:
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
            case "MEMBER_REF_EXPR":
                return is_member_of_named(node) or self._is_own_member(node) or self._is_given_member(node)
            case "ARRAY_SUBSCRIPT_EXPR":
                array, index = node.children
                is_known = is_named_array(array) or self._is_member_array(array) or self._is_hosts_own(node)
                return is_known and self.is_quiet(index)
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

    def _is_quiet_call(self, call: Node) -> bool:
        return self._is_known_call(call) or self._is_read_call(call)

    def _is_read_call(self, call: Node) -> bool:
        """Whether a call gives named objects, and values, to a function that has been read."""
        if self.functions is None or not all(map(self._is_given, given_to(call))):
            return False
        if any(self._may_refer(node) for given in given_to(call) for node in given.walk()):
            return False
        return self._asks(self.functions.uses_of_call(call, seldom=False))

    def _holds_named_objects(self, made: Node) -> bool:
        """Whether a lambda holds copies of named objects and references to them, not ``this``, which may lead anywhere.
        Its body is read where it is called."""
        *before, body = made.children
        values = (child for child in before if child.kind not in ("PARM_DECL", "VARIABLE_REF"))
        held = (child.referenced for child in before if child.kind == "VARIABLE_REF")
        if uses_this(body) or not self._all_quiet(values) or not all(map(self._is_host_object, held)):
            return False
        named = (n for n in body.walk() if n.kind == "DECL_REF_EXPR" and may_be_held(made, n))
        return all(self._names(n) or self._is_template_value(n) for n in named)

    def _is_host_object(self, variable: Cursor | None) -> bool:
        return variable is not None and (is_plain(variable.type) or self._is_known_object(variable))

    def _may_refer(self, node: Node) -> bool:
        """Whether an expression names an object with references, which may lead anywhere."""
        target = node.referenced if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
        if target is None or kind_of(target) not in VARIABLE_KINDS | {"FIELD_DECL"}:
            return False
        if not types.is_record(node.type) or self._is_known_object(target):
            return False
        return self.in_function or self.functions is None or self.functions.may_refer(node.type)

    def _asks(self, uses: Uses | None) -> bool:
        if uses is not None:
            self.asked.append(uses)
        return uses is not None

    def _is_given(self, node: Node) -> bool:
        """Whether an expression is quiet, or the name or address of a function, or a method with its object."""
        named = node.bare()
        if (
            named.kind == "UNARY_OPERATOR"
            and named.operator == "&"
            and named.children[0].bare().kind == "DECL_REF_EXPR"
        ):
            named = named.children[0].bare()
        target = named.referenced
        if target is None or kind_of(target) not in FUNCTION_KINDS or named.kind == "CALL_EXPR":
            return self.is_quiet(node) or self._is_nameable(named)
        if named.kind == "DECL_REF_EXPR":
            return True
        objects = [child for child in named.children if not child.kind.endswith("_REF")]
        if not objects or objects[0].bare().kind == "CXX_THIS_EXPR":
            return self._is_own_method(named)
        if len(objects) != 1 or types.is_pointer(objects[0].type):
            return False
        return (
            self.is_quiet(objects[0]) or self._is_own_object(objects[0].bare()) or self._is_nameable(objects[0].bare())
        )

    def _is_nameable(self, node: Node) -> bool:
        """Whether an expression names an object of any class, or a part of it, whose address is known without it: that
        of a variable, or of what a parameter refers to, and note the latter."""
        if self.in_function or self.functions is None or not self.functions.is_nameable(node.type):
            return False
        root, path = whole_of(node)
        target = root.referenced if root.kind == "DECL_REF_EXPR" else None
        if target is None or kind_of(target) not in VARIABLE_KINDS or library.is_made_at_first_use(target):
            return False
        if not types.is_reference(target.type):
            return types.is_record(target.type) and not types.is_volatile(target.type)
        return is_given_reference(root) and self._asks_for(path, node.type, LARGEST_OBJECT)

    def _is_own_method(self, method: Node) -> bool:
        """Whether the object of a method that is called for ``*this`` in a run refers to no others, and note it."""
        around = method.parent
        while around is not None and around.kind not in _METHODS:
            around = around.parent
        if self.in_function or self.functions is None or around is None:
            return False
        record = around.cursor.semantic_parent.type
        return self.functions.is_nameable(record) and self._asks_for("*this", record, LARGEST_OBJECT)

    def _asks_for(self, expression: str, kind: Type, most: int = LARGEST_MEMBER) -> bool:
        """Whether an object is small enough for the runtime to ask the driver for it, and note it."""
        is_small = bool(0 < types.without_reference(kind).get_size() <= most)
        if is_small:
            self.own_members.append(expression)
        return is_small

    def _is_own_object(self, node: Node) -> bool:
        """Whether an expression is a member of ``*this`` in a run, an object of any class whose parts are in it, and
        note it: its methods are read, and nothing copies it or ends it."""
        if self.in_function or self.functions is None or node.kind != "MEMBER_REF_EXPR":
            return False
        if types.is_volatile(node.type) or self.functions.may_refer(node.type):
            return False
        expression = own_member(node, any_class=True)
        if expression is not None:
            self.own_members.append(expression)
        return expression is not None

    def _is_known_call(self, call: Node) -> bool:
        callee = call.referenced
        if callee is None:
            return False
        if kind_of(callee) == "CONSTRUCTOR":
            copies = callee.is_copy_constructor() or callee.is_move_constructor()
            makes_bytes = callee.is_default_method() and (copies or bool(call.type.is_pod()))
            return makes_bytes and is_plain(call.type) and self._all_quiet(call.children)
        if fails_assertion(call, callee):
            self.assertions.append(call)
            return True
        arguments = call.children[1:]
        if kind_of(callee) == "CXX_METHOD":
            return tells_size(call, callee) or self._is_copied(call, callee)
        if kind_of(callee) != "FUNCTION_DECL":
            return False
        followed = None if library.in_system_header(callee) else self.parameters_followed(callee)
        for place, argument in enumerate(arguments):
            is_object = followed is not None and place in followed
            if not (self._gives_object(argument) if is_object else self.is_quiet(argument)):
                return False
        if library.in_system_header(callee):
            return only_computes(callee, arguments) or (
                callee.spelling == "swap" and all(self._names_object(a) for a in arguments)
            )
        if callee.type.kind.name != "FUNCTIONPROTO":  # C's `f()`, which tells nothing of its parameters
            return False
        given = zip(arguments, library.argument_types(callee.type), strict=False)
        referred = [a for a, t in given if types.is_reference(t)]
        known = followed is not None or self._is_called_elsewhere(callee)
        return known and all(self._names_object(a) for a in referred)

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

    def _is_known_object(self, variable: Cursor) -> bool:
        """Whether a variable can be given to functions that are read: its object has no references, or is that of a
        lambda whose references are known."""
        if self.functions is None:
            return False
        refers = self.in_function and kind_of(variable) == "PARM_DECL"
        given = types.without_reference(variable.type) if refers else variable.type
        return self.functions.is_named_object(given) or self._is_known_lambda(variable)

    def _is_known_lambda(self, variable: Cursor) -> bool:
        """Whether a variable is made of a lambda that holds named objects; nothing can be assigned to it then."""
        if kind_of(variable) != "VAR_DECL" or types.is_reference(variable.type) or not types.is_record(variable.type):
            return False
        values = self.unit.tree.node(variable).children
        made = values[-1].bare() if values else None
        return made is not None and made.kind == "LAMBDA_EXPR" and self._holds_named_objects(made)

    def _names_object(self, node: Node) -> bool:
        return self._names(node.bare()) or (node.bare().kind == "MEMBER_REF_EXPR" and self._is_own_member(node.bare()))

    def _is_own_member(self, node: Node) -> bool:
        """Whether an expression is a small member of ``*this``, or of a structure in it, and note it."""
        expression = own_member(node)
        if expression is not None:
            self.own_members.append(expression)
        return expression is not None

    def _is_given_member(self, node: Node) -> bool:
        """Whether an expression is a small member of an object that a parameter leads to, and note it in a run."""
        if self.follows and not self.in_function and (referred := referred_member(node)) is not None:
            return self._asks_for(referred, node.type)
        found = given_member(node) if self.follows else None
        return found is not None and self._is_given_object(found[1], found[0], node.type)

    def _gives_object(self, argument: Node) -> bool:
        """Whether a call gives a function the address of a named object, or of one that it is given itself."""
        given = argument.bare()
        if given.kind == "UNARY_OPERATOR" and given.operator == "&":
            return self._names(given.children[0].bare())
        if not self.follows or not is_given_address(given):
            return False
        return self._is_given_object(given, f"*{given.spelling}", types.pointee_of(given.type))

    def _is_given_object(self, parameter: Node, expression: str, kind: Type) -> bool:
        """Note that a function follows a parameter, whose callers give it named objects, or that a run uses a part of
        what it leads to, which is small enough to ask the runtime for it."""
        if self.in_function:
            self.followed.add(place_of(parameter))
            return True
        return self._asks_for(expression, kind)

    def _is_member_array(self, node: Node) -> bool:
        array = node.bare()
        is_member = array.kind == "MEMBER_REF_EXPR" and bool(types.constant_extent(array.type))
        return is_member and (self._is_own_member(array) or self._is_given_member(array))

    def _is_hosts_own(self, element: Node) -> bool:
        return is_plain(element.type) and leads_to_host(element.children[0], self.constructs)

    def _is_template_value(self, node: Node) -> bool:
        """Whether an expression is a template's parameter, which in an instantiation stands for its value."""
        return node.referenced is None and bool(node.children) and self._all_quiet(node.children)

    def _is_quiet_construct(self, construct: Construct) -> bool:
        directive = construct.directive
        if not directive.leaves[0].startswith("target") or any(directive.has(name) for name in _REFUSED_CLAUSES):
            return False
        if any(m.name == "ancestor" for c in directive.of_type(ExpressionClause) for m in c.modifiers):
            return False
        if directive.has("nowait") and (not is_kernel(construct) or directive.has("if")):
            return False
        if directive.has("if") and not (is_kernel(construct) or directive.name in _NOTHING_OR_ALL):
            return False
        bases = {id(item.node) for item in construct.items_of(*directive.clauses)}
        within = replace(self, host_reads=None)  # the runtime is asked for what is written in a directive, or a header
        for node in construct.nodes:
            if not (within.is_quiet(node) or (id(node) in bases and names_variable(node.bare()))):
                return False
        if is_kernel(construct):
            values = evaluated_by_host(construct)
            return all(within.is_quiet(v) or reads_behind_pointers(self.unit, v) is not None for v in values)
        return construct.body is None or self.is_quiet(construct.body)
