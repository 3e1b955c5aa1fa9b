"""Functions that runs of quiet statements call: whether what they do can see what kernels have done.

In: a function with its definition. Out: what has to be found out about it (``Uses``), None for one that may see it. A
function is given numbers, pointers and objects that have names, as ``*this`` of a method is one, or parts of them: its
references lead to no other memory, for nothing here follows a pointer, and a class with a reference in it is made here
or nowhere (``CopiedBytes.may_refer``). What C++ calls without a word in the tree is asked for: default arguments, what
begins members and bases, copies and destructors.

What is seldom executed may see it: a loop over a list that may be empty, or what a condition guards. There the function
waits for the queue itself and leaves it (``Pause``), in whatever statement that the run is in. Since the linker takes
one of several definitions of an inline function, of which another file's need not wait, those that lead to such a
statement have to be part of their callers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from clang.cindex import Cursor, LinkageKind, Type

from rexcc.analysis.copied_bytes import CopiedBytes
from rexcc.analysis.inlinable_functions import is_inlinable
from rexcc.analysis.interrupted_parts import is_entered_once
from rexcc.analysis.library_calls import asks_runtime, only_computes, passes_on
from rexcc.analysis.quiet_elsewhere import called_elsewhere
from rexcc.analysis.quiet_runs import Inlined, Pause, Uses
from rexcc.analysis.replaceable_functions import replaceable_functions
from rexcc.analysis.separate import symbol
from rexcc.analysis.unobserving_statements import Reader, construct_at, given_to
from rexcc.clang import library, types
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace

_DEFINED = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION"})
_NAMES = frozenset({"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "MEMBER_REF"})
_ATTRIBUTED = "_ATTR"
_LOOP = regex(r"(?:for|while)\b")
_HOLDING = frozenset(
    {
        "UNEXPOSED_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CSTYLE_CAST_EXPR", "PAREN_EXPR",
        "CONDITIONAL_OPERATOR",
    }
)  # fmt: skip


@dataclass(eq=False)
class CalledFunctions:
    """What is known of a unit's functions. ``asks_elsewhere`` tells that functions of other files may be asked for."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    is_quiet_function: Callable[[Cursor], bool]
    asks_elsewhere: bool
    assertions: list[Node]
    met_elsewhere: bool = False
    _known: dict[tuple[int, bool], Uses | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.classes = CopiedBytes(self.unit)
        self.replaceable = replaceable_functions(self.unit)

    def uses(self, callee: Cursor, seldom: bool) -> Uses | None:
        """Return what a call of a function asks for, None if it may see what kernels have done; ``seldom`` tells that
        the call is seldom executed. One that calls itself may."""
        definition = callee.get_definition()
        if definition is None:
            return self._uses_elsewhere(callee)
        key = (int(definition.hash), seldom)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._read(definition, seldom)
        return self._known[key]

    def uses_of_call(self, call: Node, seldom: bool) -> Uses | None:
        """Return what a call asks for besides what it is given."""
        callee = call.referenced
        if callee is None or kind_of(callee) not in _DEFINED or library.is_virtual_call(call.cursor):
            return None
        if not self.classes.is_copied_silently(call.type) and types.kind_name(types.canonical(call.type)) != "VOID":
            return None
        if kind_of(callee) == "CONSTRUCTOR":
            return self.constructed(callee, seldom)
        if passes_on(callee) or asks_runtime(callee) or only_computes(callee, call.children[1:]):
            return Uses()
        if callee.spelling == "operator=" and callee.is_default_method():
            return Uses()  # of a class whose copies call nothing
        return self.uses(callee, seldom)

    def is_named_object(self, given: Type) -> bool:
        """Whether a variable of a type is an object that functions may be given."""
        return self.classes.is_copied_silently(given) and not self.classes.may_refer(given)

    def _uses_elsewhere(self, callee: Cursor) -> Uses | None:
        function = called_elsewhere(self.unit, callee) if kind_of(callee) == "CXX_METHOD" else None
        if function is None:
            return None
        self.met_elsewhere = True
        return Uses(elsewhere=(function,)) if self.asks_elsewhere else None

    def _read(self, definition: Cursor, seldom: bool) -> Uses | None:
        holder = next((f.node for f in self.unit.functions if f.node.cursor == definition), None)
        node = holder or self.unit.tree.node(definition)
        if not self._may_be_read(definition, node):
            return None
        reader = FunctionReader(
            self.unit, self.constructs, self.is_quiet_function, True, elsewhere={}, assertions=self.assertions,
            functions=self, seldom=seldom, asked=[],
        )  # fmt: skip
        if not all(map(reader.is_quiet, self._evaluated(definition, node))):
            return None
        found = Uses.joined(reader.asked)
        if not found.pauses:
            return found
        own = any(p.file == node.file and node.start <= p.start < node.end for p in found.pauses)
        return None if own and library.is_constexpr(definition) else self._inlined(definition, node, found)

    def _may_be_read(self, definition: Cursor, node: Node) -> bool:
        if kind_of(definition) not in _DEFINED or definition.type.is_function_variadic():
            return False
        one_of_many = library.is_inline_function(definition) or library.template_of(definition) is not None
        if node.file not in self.unit.files and not (one_of_many and library.in_system_header(definition)):
            return False
        names = {str(definition.spelling), symbol(self.unit, definition)}
        if not one_of_many and not names.isdisjoint(self.replaceable):
            return False
        if not all(self.classes.is_copied_silently(c.type) for c in node.children if c.kind == "PARM_DECL"):
            return False
        return not definition.is_default_method() and any(c.kind == "COMPOUND_STMT" for c in node.children)

    def _evaluated(self, definition: Cursor, node: Node) -> Iterator[Node]:
        """Yield what a function executes: its body, and what begins the parts of a constructor's object."""
        yield from (c for c in node.children if c.kind == "COMPOUND_STMT")
        if kind_of(definition) != "CONSTRUCTOR":
            return
        first = False
        for child in node.children:
            if child.kind == "MEMBER_REF" or first:
                first = True
                if child.kind not in _NAMES and child.kind != "COMPOUND_STMT" and not _is_nothing(child):
                    yield child
            elif child.kind == "CALL_EXPR":
                yield child

    def begins_quietly(self, definition: Cursor, seldom: bool) -> Uses | None:
        """Return what the beginning of the parts of a constructor's object asks for that are not written."""
        node = self.unit.tree.node(definition)
        written = frozenset(c.spelling for c in node.children if c.kind == "MEMBER_REF")
        constructors = self.classes.silent_constructors(definition.semantic_parent.type, written)
        if constructors is None:
            return None
        found = [self.constructed(constructor, seldom) for constructor in constructors]
        known = [uses for uses in found if uses is not None]
        return Uses.joined(known) if len(known) == len(found) else None

    def constructed(self, constructor: Cursor, seldom: bool) -> Uses | None:
        """Return what a constructor asks for, with all that it calls without a word."""
        if not self.classes.is_copied_silently(constructor.semantic_parent.type):
            return None
        copies = constructor.is_copy_constructor() or constructor.is_move_constructor()
        if constructor.is_default_method() and copies:
            return Uses()
        if _may_be_inherited(constructor):
            return self._inherited(constructor.semantic_parent.type, seldom)
        definition = constructor.get_definition() or constructor
        below = self.begins_quietly(definition, seldom)
        if below is None or constructor.is_default_method():
            return below
        own = self.uses(definition, seldom)
        return None if own is None else Uses.joined((below, own))

    def _inherited(self, kind: Type, seldom: bool) -> Uses | None:
        """Return what a constructor may ask for that a class has of a base: which one the tree does not show."""
        own, bases = self.classes.silent_constructors(kind), self.classes.inherited_constructors(kind)
        if own is None or bases is None or not all(kind_of(c) == "CONSTRUCTOR" for c in bases):
            return None
        found = [self.constructed(constructor, seldom) for constructor in (*own, *bases)]
        known = [uses for uses in found if uses is not None]
        return Uses.joined(known) if len(known) == len(found) else None

    def _inlined(self, definition: Cursor, node: Node, uses: Uses) -> Uses | None:
        """Return what a function asks for that waits, or calls one that does: the linker must not take another one."""
        if definition.linkage in (LinkageKind.INTERNAL, LinkageKind.UNIQUE_EXTERNAL):
            return uses  # functions of local classes have none for clang, and are merged as those of others are
        if not library.is_inline_function(definition) and library.template_of(definition) is None:
            return uses
        if not is_inlinable(self.unit, definition, node):
            return None
        if "always_inline" in library.printed_head(definition):
            return uses
        if kind_of(definition) == "CONVERSION_FUNCTION" or definition.is_virtual_method() or not self._is_written(node):
            return None
        place = Inlined(node.file, node.start, library.is_inline_function(definition))
        return Uses.joined((uses, Uses(inlined=(place,))))

    def _is_written(self, node: Node) -> bool:
        return int(node.cursor.extent.start.offset) == node.start and not self.unit.user_text(node).startswith(
            "template"
        )


@dataclass(frozen=True, eq=False)
class FunctionReader(Reader):
    """Reads the body of a function; ``seldom`` tells that it is seldom executed."""

    seldom: bool = False

    @property
    def _functions(self) -> CalledFunctions:
        assert isinstance(self.functions, CalledFunctions)
        return self.functions

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
            case "VAR_DECL":
                return self._is_quiet_variable(node)
            case "CXX_THIS_EXPR" | "SIZE_OF_PACK_EXPR":
                return True
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
        cursor, values = variable.cursor, [c for c in variable.children if c.kind not in _NAMES]
        if any(c.kind.endswith(_ATTRIBUTED) for c in values) or cursor.tls_kind.name != "NONE":
            return False
        if not self._functions.classes.is_copied_silently(cursor.type):
            return False
        if not library.has_global_storage(cursor):
            return all(map(self.is_quiet, values))
        if cursor.storage_class.name == "EXTERN" or self._functions.classes.may_refer(cursor.type):
            return False
        return all(map(replace(self, seldom=True).is_quiet, values))

    def _is_quiet_expression(self, node: Node) -> bool:
        match node.kind:
            case "MEMBER_REF_EXPR":
                return self._is_quiet_member(node)
            case "ARRAY_SUBSCRIPT_EXPR":
                array = node.children[0].bare()
                return types.is_array(array.type) and self._all_quiet(node.children)
            case "UNARY_OPERATOR" if node.operator == "&":
                return self._all_quiet(node.children)
            case "UNARY_OPERATOR" if node.operator == "*":
                return node.children[0].bare().kind == "CXX_THIS_EXPR"
            case "BINARY_OPERATOR" if node.operator in (".*", "->*", ""):
                return False
            case "UNEXPOSED_EXPR" | "CXX_FUNCTIONAL_CAST_EXPR" if not node.children:
                return False
            case "INIT_LIST_EXPR" if self._is_copied_list(node):
                return self._all_quiet(_evaluated_in(node))
            case "CXX_REINTERPRET_CAST_EXPR":
                return not types.is_record(node.type) and super()._is_quiet_expression(node)
            case kind if kind in _HOLDING and types.is_record(node.type):
                return self._functions.classes.is_copied_silently(node.type) and self._all_quiet(_evaluated_in(node))
        return super()._is_quiet_expression(node)

    def _is_copied_list(self, values: Node) -> bool:
        """Whether a list has but the object that it makes, or refers to, or one for each member."""
        classes = self._functions.classes
        if _is_same_object(values) or classes.is_filled_with_copies(values):
            return True
        given = [child for child in values.children if child.kind not in _NAMES]
        if len(given) != 1 or given[0].kind != "DECL_REF_EXPR" or not types.is_record(values.type):
            return False
        if _unqualified(given[0].type) != _unqualified(values.type) or not classes.is_copied_silently(values.type):
            return False
        members = types.members_of(values.type)
        return classes.is_only_copied(values.type) and not any(map(_takes_list, members))

    def _is_quiet_member(self, node: Node) -> bool:
        """Whether a member belongs to ``*this`` or to an object that is named."""
        member = node.referenced
        if member is None or library.is_made_at_first_use(member):
            return False
        objects = [child for child in node.children if child.kind not in _NAMES]
        if any(types.is_pointer(child.type) and child.bare().kind != "CXX_THIS_EXPR" for child in objects):
            return False
        if kind_of(member) == "CXX_METHOD":
            return self._all_quiet(objects)
        if kind_of(member) not in ("FIELD_DECL", "VAR_DECL"):
            return False
        if kind_of(member) == "VAR_DECL" and self._functions.classes.may_refer(member.type):
            return False
        return self._functions.classes.is_copied_silently(member.type) and self._all_quiet(objects)

    def _names(self, node: Node) -> bool:
        """Whether an expression is the name of a variable, a constant or a function."""
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or library.is_made_at_first_use(target):
            return False
        if kind_of(target) == "ENUM_CONSTANT_DECL" or kind_of(target) in _DEFINED:
            return True
        if kind_of(target) not in VARIABLE_KINDS:
            return False
        if library.has_global_storage(target) and self._functions.classes.may_refer(target.type):
            return False
        return self._functions.classes.is_copied_silently(target.type)

    def _is_quiet_call(self, call: Node) -> bool:
        callee = call.referenced
        if callee is None or kind_of(callee) not in _DEFINED:
            return False
        return all(map(self.is_quiet, given_to(call))) and self._asks(self._functions.uses_of_call(call, self.seldom))


def _may_be_inherited(constructor: Cursor) -> bool:
    """Whether a constructor may be one of a base class, by ``using``: the tree does not show that it calls that."""
    members = types.members_of(constructor.semantic_parent.type)
    if not any(kind_of(member) == "USING_DECLARATION" for member in members):
        return False
    return all(member != constructor.canonical for member in members)


def _is_same_object(values: Node) -> bool:
    """Whether a list has but an object of its own class that a call returns: it is that, or made by moving it."""
    given = [child for child in values.children if child.kind not in _NAMES]
    call = given[0].bare() if len(given) == 1 else None
    callee = call.referenced if call is not None and call.kind == "CALL_EXPR" else None
    if call is None or callee is None or not types.is_record(values.type):
        return False
    made = call.type if kind_of(callee) == "CONSTRUCTOR" else callee.result_type
    if types.is_reference(made) or _unqualified(made) != _unqualified(values.type):
        return False
    return not any(_takes_list(member) for member in types.members_of(values.type))


def _unqualified(kind: Type) -> str:
    return str(types.canonical(kind).get_declaration().get_usr())


def _takes_list(member: Cursor) -> bool:
    if kind_of(member) == "USING_DECLARATION":
        return True
    makes = kind_of(member) in ("CONSTRUCTOR", "FUNCTION_TEMPLATE")
    return makes and "initializer_list" in library.printed_head(member)


def _is_nothing(value: Node) -> bool:
    """Whether a member begins with an empty list or parentheses, as number or pointer."""
    return (
        value.kind == "UNEXPOSED_EXPR"
        and not value.children
        and (types.is_scalar(value.type) or types.is_pointer(value.type))
    )


def _evaluated_in(node: Node) -> Iterator[Node]:
    return (child for child in node.children if child.kind not in _NAMES)


def _ends_silently(declared: Node) -> bool:
    """Whether nothing happens at the end of the block in which something is declared."""
    if declared.kind != "VAR_DECL" or any(child.kind.endswith(_ATTRIBUTED) for child in declared.children):
        return False
    return library.has_global_storage(declared.cursor) or not types.may_have_destructor(declared.type)
