"""The body of a function that a run of quiet statements calls: whether what it does can see what kernels have done.

In: statements and expressions of a function (:mod:`.called_functions`). Out: whether each is quiet, and in ``asked``
what has to be found out about it: functions that are called, and statements that are seldom executed, in front of which
the function leaves the queue. No pointer is followed but ``this``, and no reference of static storage is read.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.batches.copied_bytes import CopiedBytes
from rexcc.analysis.batches.interrupted_parts import is_entered_once
from rexcc.analysis.batches.quiet_forms import NAMES, construct_at, given_to, is_part_of_this
from rexcc.analysis.batches.quiet_runs import Pause, Uses
from rexcc.analysis.batches.quiet_statements import StatementReader
from rexcc.clang import classes, library, types
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace

CALLED_KINDS = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION"})
_ATTRIBUTED = "_ATTR"
_LOOP = regex(r"(?:for|while)\b")
_HOLDING = frozenset(
    {
        "UNEXPOSED_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CSTYLE_CAST_EXPR", "PAREN_EXPR",
        "CONDITIONAL_OPERATOR",
    }
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class FunctionReader(StatementReader):
    """Reads the body of a function; ``seldom`` tells that it is seldom executed, ``in_lambda`` that ``this`` is what a
    lambda holds, ``given`` which functions its parameters are."""

    seldom: bool = False
    in_lambda: bool = False
    given: dict[int, Cursor] = field(default_factory=dict)

    @property
    def _classes(self) -> CopiedBytes:
        assert self.functions is not None
        return self.functions.classes

    def is_quiet(self, node: Node) -> bool:
        """Whether a statement or expression does nothing that could see a kernel's end; forget what one asks for that
        does."""
        known = len(self.asked)
        if self._reads_quietly(node):
            return True
        del self.asked[known:]
        return False

    def _reads_quietly(self, node: Node) -> bool:
        match node.kind:
            case "COMPOUND_STMT":
                return all(self._is_quiet_or_waits(child) for child in node.children)
            case "IF_STMT":
                return self._is_quiet_choice(node)
            case "SIZE_OF_PACK_EXPR":
                return True
            case "CXX_THIS_EXPR":
                return not self.in_lambda
        return super().is_quiet(node)

    def _is_quiet_or_waits(self, statement: Node) -> bool:
        return self.is_quiet(statement) or (self.seldom and self._waits(statement))

    def _waits(self, statement: Node) -> bool:
        """Whether kernels can be waited for in front of a statement, whatever it does."""
        in_block = statement.kind == "DECL_STMT"
        around = statement.parent.parent if statement.parent is not None else None
        if in_block and (statement.parent is None or statement.parent.kind != "COMPOUND_STMT"):
            return False
        if in_block and around is not None and around.kind == "SWITCH_STMT":  # whose cases must not skip ours
            return False
        if statement.kind == "RETURN_STMT" or not self._is_apart(statement):
            return False
        self.asked.append(Uses(pauses=(Pause.of(statement, in_block),)))
        return True

    def _is_apart(self, statement: Node) -> bool:
        """Whether text can stand around a statement that control enters and leaves at its ends, or for good."""
        is_written = int(statement.cursor.extent.start.offset) == statement.start
        if not is_written or statement.file not in self.unit.files or not is_entered_once(statement):
            return False
        if any(construct_at(self.constructs, node) is not None for node in statement.walk()):
            return False  # kernels are queued there, or nothing is
        return statement.kind != "DECL_STMT" or all(map(_ends_silently, statement.children))

    def _is_quiet_choice(self, choice: Node) -> bool:
        condition, *branches = choice.children
        if condition.kind.endswith(("_STMT", "_DECL")) or len(branches) > 2:  # one that declares something
            return False
        inside = replace(self, seldom=True)
        return self.is_quiet(condition) and all(inside._is_quiet_or_waits(branch) for branch in branches)

    def _is_quiet_loop(self, loop: Node) -> bool:
        known = len(self.asked)
        if super()._is_quiet_loop(loop):
            return True
        del self.asked[known:]
        return self._waits_in(loop)

    def _waits_in(self, loop: Node) -> bool:
        """Whether kernels can be waited for where a loop's body begins; its condition is evaluated before."""
        if loop.kind not in ("FOR_STMT", "WHILE_STMT") or not _LOOP.match(self.unit.user_text(loop)):
            return False
        count, body = len(loop.children), loop.children[-1]
        before = loop.children[:2] if loop.kind == "FOR_STMT" and count == 4 else loop.children[:1]
        if count != (4 if loop.kind == "FOR_STMT" else 2) or body.kind != "COMPOUND_STMT" or not self._is_apart(loop):
            return False
        if not self.unit.user_text(body).startswith("{") or not all(map(self.is_quiet, before)):
            return False
        self.asked.append(Uses(pauses=(Pause.of(loop, False, body),)))
        return True

    def _is_quiet_variable(self, variable: Node) -> bool:
        cursor, values = variable.cursor, [c for c in variable.children if c.kind not in NAMES]
        if any(c.kind.endswith(_ATTRIBUTED) for c in values) or cursor.tls_kind.name != "NONE":
            return False
        is_name = types.is_reference(cursor.type) and self._classes.is_nameable(cursor.type)
        if not (is_name or self._classes.may_be_made(cursor.type)):
            return False
        if not library.has_global_storage(cursor):
            return all(map(self.is_quiet, values))
        if cursor.storage_class.name == "EXTERN" or self._classes.may_refer(cursor.type):
            return False
        return all(map(replace(self, seldom=True).is_quiet, values))

    def _is_quiet_expression(self, node: Node) -> bool:
        match node.kind:
            case "MEMBER_REF_EXPR":
                return self._is_quiet_member(node)
            case "ARRAY_SUBSCRIPT_EXPR":
                return _is_array(node.children[0].bare()) and self._all_quiet(node.children)
            case "UNARY_OPERATOR" if node.operator == "&":
                return self._all_quiet(node.children)
            case "UNARY_OPERATOR" if node.operator == "*":
                return node.children[0].bare().kind == "CXX_THIS_EXPR" and not self.in_lambda
            case "BINARY_OPERATOR" if node.operator in (".*", "->*", ""):
                return False
            case "UNEXPOSED_EXPR" | "CXX_FUNCTIONAL_CAST_EXPR" if not node.children:
                return False
            case "INIT_LIST_EXPR" if self._is_copied_list(node):
                return self._all_quiet(_evaluated_in(node))
            case "CXX_REINTERPRET_CAST_EXPR":
                return not types.is_record(node.type) and super()._is_quiet_expression(node)
            case "UNEXPOSED_EXPR" if _is_there_already(node):
                return self._may_name(node.type) and self._all_quiet(node.children)
            case kind if kind in _HOLDING and types.is_record(node.type):
                return self._classes.is_copied_silently(node.type) and self._all_quiet(_evaluated_in(node))
        return super()._is_quiet_expression(node)

    def _is_copied_list(self, values: Node) -> bool:
        """Whether a list has but the object that it makes, or refers to, or one for each member."""
        classes = self._classes
        if _is_same_object(values) or classes.is_filled_with_copies(values):
            return True
        given = [child for child in values.children if child.kind not in NAMES]
        if len(given) != 1 or given[0].kind != "DECL_REF_EXPR" or not types.is_record(values.type):
            return False
        if _unqualified(given[0].type) != _unqualified(values.type) or not classes.is_copied_silently(values.type):
            return False
        members = types.members_of(values.type)
        return classes.is_only_copied(values.type) and not any(map(_takes_list, members))

    def _is_quiet_member(self, node: Node) -> bool:
        """Whether a member belongs to ``*this`` or to an object that is named."""
        member = node.referenced
        if member is None or library.is_made_at_first_use(member) or (self.in_lambda and is_part_of_this(node)):
            return False
        objects = [child for child in node.children if child.kind not in NAMES]
        if any(types.is_pointer(child.type) and child.bare().kind != "CXX_THIS_EXPR" for child in objects):
            return False
        if kind_of(member) == "CXX_METHOD":
            return self._all_quiet(objects)
        if kind_of(member) not in ("FIELD_DECL", "VAR_DECL"):
            return False
        if kind_of(member) == "VAR_DECL" and self._classes.may_refer(member.type):
            return False
        return self._may_name(member.type) and self._all_quiet(objects)

    def _names(self, node: Node) -> bool:
        """Whether an expression is the name of a variable, a constant or a function."""
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or library.is_made_at_first_use(target):
            return False
        if kind_of(target) == "ENUM_CONSTANT_DECL" or kind_of(target) in CALLED_KINDS:
            return True
        if kind_of(target) not in VARIABLE_KINDS:
            return False
        if library.has_global_storage(target) and self._classes.may_refer(target.type):
            return False
        return self._may_name(target.type)

    def _may_name(self, kind: Type) -> bool:
        """Whether an object may be named: what copies it, or makes one, is read where that happens."""
        return self._classes.is_copied_silently(kind) or self._classes.is_nameable(kind)

    def _is_quiet_call(self, call: Node) -> bool:
        callee = call.referenced
        if callee is None or (kind_of(callee) not in CALLED_KINDS and int(callee.hash) not in self.given):
            return False
        if self.functions is None or not all(map(self.is_quiet, given_to(call))):
            return False
        return self._asks(self.functions.uses_of_call(call, self.seldom, self.given))


def _is_array(node: Node) -> bool:
    """Whether an expression is an array, not a parameter that is declared as one, which is a pointer."""
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    is_pointer = target is not None and kind_of(target) == "PARM_DECL" and not types.is_reference(target.type)
    return types.is_array(node.type) and not is_pointer


def _is_same_object(values: Node) -> bool:
    """Whether a list has but an object of its own class that a call returns: it is that, or made by moving it."""
    given = [child for child in values.children if child.kind not in NAMES]
    call = given[0].bare() if len(given) == 1 else None
    callee = call.referenced if call is not None and call.kind == "CALL_EXPR" else None
    if call is None or callee is None or not types.is_record(values.type):
        return False
    made = call.type if kind_of(callee) == "CONSTRUCTOR" else callee.result_type
    if types.is_reference(made) or _unqualified(made) != _unqualified(values.type):
        return False
    return not any(_takes_list(member) for member in types.members_of(values.type))


def _is_there_already(node: Node) -> bool:
    """Whether an expression is an object that is there already, by its name or as a function returns a reference to it,
    as a constant or as one of a class above its own."""
    named = node.children[0] if len(node.children) == 1 else None
    if named is None or not types.is_record(named.type) or not types.is_record(node.type):
        return False
    if named.kind == "CALL_EXPR":
        return named.referenced is not None and types.is_reference(named.referenced.result_type)
    if named.kind == "UNARY_OPERATOR":
        return named.operator == "*"
    return named.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR")


def _unqualified(kind: Type) -> str:
    return str(types.canonical(kind).get_declaration().get_usr())


def _takes_list(member: Cursor) -> bool:
    if kind_of(member) == "USING_DECLARATION":
        return True
    makes = kind_of(member) in ("CONSTRUCTOR", "FUNCTION_TEMPLATE")
    return makes and "initializer_list" in library.printed_head(member)


def _evaluated_in(node: Node) -> Iterator[Node]:
    return (child for child in node.children if child.kind not in NAMES)


def _ends_silently(declared: Node) -> bool:
    """Whether nothing happens at the end of the block in which something is declared."""
    if declared.kind != "VAR_DECL" or any(child.kind.endswith(_ATTRIBUTED) for child in declared.children):
        return False
    return library.has_global_storage(declared.cursor) or not classes.may_have_destructor(declared.type)
