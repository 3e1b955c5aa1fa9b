"""What a piece of code reads and writes beyond the running thread's own variables.

In: statements and expressions. Out: :class:`Effects`, as :class:`~rexcc.lowering.cleanups.memory.Memory`. Calls are
followed into functions of the user's; of others only those are known that compute a value from values. What code calls
without naming it counts, too (:mod:`rexcc.analysis.implied_functions`): functions of the members and bases of objects,
what members and parameters begin with, and what the library calls because of its arguments' types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.implicit_calls import implicit_calls
from rexcc.analysis.implied_functions import functions_of_object, implied_functions
from rexcc.analysis.unnamed_calls import calls_of_making
from rexcc.clang import classes, library, types
from rexcc.clang.tree import VARIABLE_KINDS, Node, Tree, kind_of
from rexcc.lowering.cleanups.memory import NOWHERE, OWN, THIS, Memory, Places, Provenance, is_address, parts, union
from rexcc.lowering.cleanups.pure_functions import PURE_BUILTINS, THROUGH_ARGUMENTS, computes
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
_INCREMENTS = frozenset({"++", "--", "p++", "p--"})
_OBJECTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "DECL_REF_EXPR"})
_OPAQUE = frozenset(
    {
        "LAMBDA_EXPR", "CXX_NEW_EXPR", "CXX_DELETE_EXPR", "CXX_THROW_EXPR", "CXX_TRY_STMT", "GCC_ASM_STMT", "ASM_STMT",
        "MS_ASM_STMT", "CXX_FOR_RANGE_STMT", "OVERLOADED_DECL_REF",
    }
)  # fmt: skip
"""What is not looked into."""

CALLING = frozenset({"CALL_EXPR", "VAR_DECL", "INIT_LIST_EXPR", "UNEXPOSED_DECL"})
"""What calls functions, or makes objects for which some are called."""

_SPECIAL = frozenset({"CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_OPERATORS = frozenset({"operator=", "operator==", "operator<=>", "operator<"})


@dataclass(frozen=True)
class Effects:
    """Memory that may be written and read, each None for any; what is the thread's own is left out."""

    written: Places
    read: Places


ANYTHING = Effects(None, None)
NOTHING = Effects(NOWHERE, NOWHERE)


def _joined(first: Effects, second: Effects) -> Effects:
    return Effects(union(first.written, second.written), union(first.read, second.read))


def _shared(places: Places) -> Places:
    return None if places is None else places - {OWN}


class Functions:
    """Effects of the functions that code calls, found once each."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._known: dict[int, Effects] = {}

    def of(self, definition: Cursor) -> Effects:
        """Return a function's effects, in terms of its parameters, ``this`` and globals."""
        key = int(definition.canonical.hash)
        known = self._known.get(key)
        if known is None:
            self._known[key] = ANYTHING  # what a recursive call sees
            node = self.tree.node(definition)
            known = EffectReader(Provenance(node, _Parameters()), self).effects(node)
            self._known[key] = known
        return known

    def of_unnamed(self, functions: Iterable[Cursor], every: bool = False) -> Effects:
        """Return the effects of functions that code calls on its own objects without naming them: of a class's other
        functions none is called by that, unless ``every`` one is."""
        found = NOTHING
        for function in functions:
            if every or kind_of(function) in _SPECIAL or function.spelling in _OPERATORS:
                found = _joined(found, self._of_unnamed(function))
        return found

    def _of_unnamed(self, function: Cursor) -> Effects:
        definition = function.get_definition()
        if definition is None:
            return NOTHING if function.is_default_method() else ANYTHING
        return NOTHING if library.in_system_header(definition) else _of_own_object(self.of(definition))

    def of_values(self, declarations: Iterable[Cursor]) -> Effects:
        """Return the effects of what members or parameters begin with."""
        found = NOTHING
        for declaration in declarations:
            node = self.tree.node(declaration)
            found = _joined(found, _of_own_object(EffectReader(Provenance(node, _Parameters()), self).effects(node)))
        return found


def _of_own_object(effects: Effects) -> Effects:
    """Return what a function does beyond its object, which is new or ends, or is told of where it stands; so is what it
    reads through parameters."""
    written = effects.written
    if written is None or any(_is_parameter(memory) for memory in written):
        return ANYTHING
    read = effects.read
    kept = None if read is None else frozenset(m for m in read if m != THIS and not _is_parameter(m))
    return Effects(written - {THIS}, kept)


def _is_parameter(memory: Memory) -> bool:
    return memory.variable is not None and kind_of(memory.variable.cursor) == "PARM_DECL"


class _Parameters:
    """A function's boundary: its parameters and the globals."""

    def storage(self, variable: Variable) -> Places:
        """A parameter passed by value is the function's own."""
        if kind_of(variable.cursor) == "PARM_DECL" and not types.is_reference(variable.type):
            return frozenset({OWN})
        return frozenset({Memory(variable, False)})

    def target(self, pointer: Variable) -> Places:
        """What a pointer parameter points to is known where the function is called."""
        if kind_of(pointer.cursor) != "PARM_DECL":
            return None
        return frozenset({Memory(pointer, True)})


class EffectReader:
    """Reads the effects of statements whose expressions one :class:`Provenance` follows, of each node once."""

    def __init__(self, provenance: Provenance, functions: Functions) -> None:
        self.provenance = provenance
        self.functions = functions
        self._known: dict[Node, Effects] = {}

    def effects(self, top: Node) -> Effects:
        """Return what a statement or expression may write and read."""
        found = NOTHING
        for node in top.walk():
            found = _joined(found, self.of_node(node))
            if found == ANYTHING:
                break
        return found

    def of_node(self, node: Node) -> Effects:
        """Return what one node does, without those below it."""
        if node not in self._known:
            self._known[node] = self._read(node)
        return self._known[node]

    def _read(self, node: Node) -> Effects:
        operator = node.operator
        if operator in _ASSIGNMENTS or operator in _INCREMENTS:
            if _orders(node.children[0]):
                return ANYTHING
            return Effects(_shared(self.provenance.place(node.children[0])), NOWHERE)
        if node.kind in _OBJECTS or (node.kind == "UNARY_OPERATOR" and operator == "*"):
            if _is_only_address(node):
                return NOTHING
            return ANYTHING if _orders(node) else Effects(NOWHERE, _shared(self.provenance.place(node)))
        if operator in ("->*", ".*") and len(node.children) == 2:
            inner = node.children[0]
            place = self.provenance.target(inner) if operator == "->*" else self.provenance.place(inner)
            return Effects(NOWHERE, _shared(place))
        if node.kind == "CALL_EXPR":
            return _joined(self._call(node), self._unnamed(node))
        is_object = node.kind in ("VAR_DECL", "INIT_LIST_EXPR") and _has_destructor(node.type)
        opaque = node.kind in _OPAQUE or node.is_called_code or is_object or _is_atomic(node)
        return ANYTHING if opaque else self._of_object(node)

    def _of_object(self, node: Node) -> Effects:
        """Return the effects of what an object brings with it that a declaration or a list makes; clang's tree does not
        show what a list calls for its values."""
        if node.kind == "UNEXPOSED_DECL":
            return self.functions.of_unnamed(implicit_calls(node), every=True)
        if node.kind not in ("VAR_DECL", "INIT_LIST_EXPR"):
            return NOTHING
        called = calls_of_making(node) if node.kind == "INIT_LIST_EXPR" else ()
        found, kind = self.functions.of_unnamed(called), types.innermost(node.type)
        if types.is_reference(node.type) or not types.is_record(kind):
            return found
        record = types.canonical(kind).get_declaration()
        found = _joined(found, self.functions.of_unnamed(functions_of_object(record)))
        return _joined(found, self.functions.of_values(_valued_members(kind)))

    def _unnamed(self, call: Node) -> Effects:
        """Return the effects of what a call brings with it, besides those of the function that it names."""
        callee = call.referenced
        if callee is None or kind_of(callee) in VARIABLE_KINDS or library.in_system_header(callee):
            return NOTHING
        found = self.functions.of_unnamed(implied_functions(callee))
        if kind_of(callee) == "CONSTRUCTOR" and types.is_record(types.innermost(call.type)):
            found = _joined(found, self.functions.of_values(_valued_members(types.innermost(call.type))))
        if any(n.kind == "UNEXPOSED_EXPR" and not n.children for n in call.children):
            found = _joined(found, self.functions.of_values(_valued_parameters(callee)))
        return found

    def _call(self, call: Node) -> Effects:
        callee = call.referenced
        if callee is None or kind_of(callee) in VARIABLE_KINDS or kind_of(callee) == "FIELD_DECL":
            return ANYTHING  # through a pointer
        if kind_of(callee) == "CONSTRUCTOR" and _has_destructor(call.type):
            return ANYTHING
        if callee.is_default_method():
            return self._memberwise(call)
        name = str(callee.spelling)
        definition = callee.get_definition()
        if definition is not None and not library.in_system_header(definition):
            return ANYTHING if callee.is_virtual_method() else self._substituted(call, definition)
        if name in PURE_BUILTINS:
            return NOTHING
        if computes(call):
            called = (self.functions.of(f.get_definition() or f) for f in implicit_calls(call))
            return NOTHING if all(_of_own_object(one) == NOTHING for one in called) else ANYTHING
        if name in THROUGH_ARGUMENTS:
            return Effects(self._pointed_at(call), NOWHERE)
        return ANYTHING

    def _memberwise(self, call: Node) -> Effects:
        """A constructor or assignment that the compiler made: the target is written, sources are seen as they stand."""
        if call.spelling != "operator=":
            return NOTHING
        return Effects(_shared(self._object(call)), NOWHERE)

    def _pointed_at(self, call: Node) -> Places:
        found: Places = NOWHERE
        for argument in arguments_of(call):
            if is_address(argument):
                found = union(found, _shared(self.provenance.target(argument)))
        return found

    def of_node_without(self, node: Node, left_out: frozenset[Node]) -> Effects:
        """Return what one node does, but for what a function of the user's does through some arguments of a call."""
        callee = node.referenced if node.kind == "CALL_EXPR" else None
        if callee is None or left_out.isdisjoint(arguments_of(node)):
            return self.of_node(node)
        definition = callee.get_definition()
        return _joined(self._substituted(node, definition, left_out), self._unnamed(node))

    def _substituted(self, call: Node, definition: Cursor, left_out: frozenset[Node] = frozenset()) -> Effects:
        """Return the callee's effects in terms of the arguments here, without those through some of them."""
        inside = self.functions.of(definition)
        arguments = dict(zip(map(Variable, definition.get_arguments()), arguments_of(call), strict=False))

        def here(places: Places) -> Places:
            found: Places = NOWHERE
            for memory in places or ():
                if memory.variable in arguments and arguments[memory.variable] in left_out:
                    continue
                found = union(found, self._argument_memory(call, memory, arguments))
            return None if places is None else _shared(found)

        return Effects(here(inside.written), here(inside.read))

    def _argument_memory(self, call: Node, memory: Memory, arguments: dict[Variable, Node]) -> Places:
        if memory == THIS:
            return self._object(call)
        if memory.variable is None or kind_of(memory.variable.cursor) != "PARM_DECL":
            return frozenset({memory})
        argument = arguments.get(memory.variable)
        if argument is None:
            return None
        return self.provenance.target(argument) if memory.pointee else self.provenance.place(argument)

    def _object(self, call: Node) -> Places:
        """Return where the object of a method call is; a constructor's is new."""
        callee = call.referenced
        if callee is not None and kind_of(callee) == "CONSTRUCTOR":
            return frozenset({OWN})
        first = call.children[0].bare() if call.children else None
        if first is None or callee is None:
            return None
        if first.kind == "MEMBER_REF_EXPR" and first.refers_to(callee):
            inner = parts(first)
            if not inner:
                return frozenset({THIS})
            is_object = types.is_record(inner[0].type)
            return self.provenance.place(inner[0]) if is_object else self.provenance.target(inner[0])
        is_operator = call.spelling.startswith("operator") and kind_of(callee) == "CXX_METHOD"
        return self.provenance.place(first) if is_operator else None


def _valued_members(kind: Type) -> Iterator[Cursor]:
    """Yield the members of a class, and of its parts, that begin with more than constants."""
    for member in classes.declared_in_parts(types.canonical(kind)).members:
        if kind_of(member) == "FIELD_DECL" and not classes.begins_with_constants(member):
            yield member


def _valued_parameters(function: Cursor) -> Iterator[Cursor]:
    """Yield the parameters of a function that have values where calls leave them out."""
    for parameter in (*function.canonical.get_arguments(), *function.get_arguments()):
        if parameter is not None and any(child.kind.is_expression() for child in parameter.get_children()):
            yield parameter


def _is_only_address(node: Node) -> bool:
    """Whether an array is named for its address, to take an element or to have a pointer: nothing of it is loaded."""
    if not types.is_array(node.type):
        return False
    above = node.in_parentheses().parent
    while above is not None and above.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") and types.is_array(above.type):
        above = above.parent  # the array as a constant
    if above is None:
        return False
    decays = above.kind == "UNEXPOSED_EXPR" and types.is_pointer(above.type)
    return decays or above.kind == "ARRAY_SUBSCRIPT_EXPR"


def _orders(node: Node) -> bool:
    """Whether an expression names an object of a type that C calls atomic: an access orders those around it."""
    return types.kind_name(types.canonical(node.type)) == "ATOMIC"


def _is_atomic(node: Node) -> bool:
    """Whether an expression is an atomic operation of the compiler's, for which libclang has no kind."""
    return node.kind == "UNEXPOSED_EXPR" and len(node.children) > 1 and is_address(node.children[0])


def arguments_of(call: Node) -> list[Node]:
    """Return the arguments of a call in order, without a method operator's object."""
    callee = call.referenced
    found = [c for c in parts(call) if not _names(c, callee)]
    is_method_operator = callee is not None and kind_of(callee) == "CXX_METHOD" and call.spelling.startswith("operator")
    called_by_name = any(_names(c, callee) and c.bare().kind == "MEMBER_REF_EXPR" for c in call.children[:1])
    return found[1:] if is_method_operator and not called_by_name else found


def _names(node: Node, callee: Cursor | None) -> bool:
    bare = node.bare()
    return bare.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and bare.refers_to(callee)


def _has_destructor(kind: Type) -> bool:
    """Whether code of the user's runs where an object of a type (or an array of them) ends."""
    element = kind if types.is_pointer(kind) else types.shape_of(kind).element
    if not types.is_record(element):
        return False
    record = types.canonical(element).get_declaration()
    pattern = library.template_of(record) or record
    return any(kind_of(c) == "DESTRUCTOR" for c in pattern.get_children())
