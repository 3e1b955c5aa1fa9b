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

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from clang.cindex import Cursor, LinkageKind, Type

from rexcc.analysis.batches.copied_bytes import CopiedBytes
from rexcc.analysis.batches.function_reader import CALLED_KINDS, FunctionReader
from rexcc.analysis.batches.given_functions import Given, given_functions
from rexcc.analysis.batches.inlinable_functions import is_inlinable
from rexcc.analysis.batches.library_calls import asks_runtime, only_computes, passes_on
from rexcc.analysis.batches.quiet_elsewhere import called_elsewhere
from rexcc.analysis.batches.quiet_forms import NAMES, is_class_of_lambda
from rexcc.analysis.batches.quiet_runs import Inlined, Uses
from rexcc.analysis.replaceable_functions import replaceable_functions
from rexcc.analysis.separate import symbol
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_BEHIND_LIST = regex(r"(?:mutable|noexcept)\b|->|\{")
NO_FUNCTIONS: Mapping[int, Cursor] = MappingProxyType({})


@dataclass(eq=False)
class CalledFunctions:
    """What is known of a unit's functions. ``asks_elsewhere`` tells that functions of other files may be asked for."""

    unit: ParsedUnit
    constructs: Mapping[tuple[int, int], Construct]
    asks_elsewhere: bool
    met_elsewhere: bool = False
    _known: dict[tuple[int, bool, tuple[tuple[int, int], ...]], Uses | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.classes = CopiedBytes(self.unit)
        self.replaceable = replaceable_functions(self.unit)

    def uses(self, callee: Cursor, seldom: bool, given: Given = ()) -> Uses | None:
        """Return what a call of a function asks for, None if it may see what kernels have done; ``seldom`` tells that
        the call is seldom executed, ``given`` which functions it gives. One that calls itself may."""
        definition = callee.get_definition()
        if definition is None:
            return self._uses_elsewhere(callee)
        key = (int(definition.hash), seldom, tuple((place, int(function.hash)) for place, function in given))
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._read(definition, seldom, given)
        return self._known[key]

    def uses_of_call(self, call: Node, seldom: bool, known: Mapping[int, Cursor] = NO_FUNCTIONS) -> Uses | None:
        """Return what a call asks for besides what it is given; ``known`` are functions that the caller was given."""
        callee = call.referenced
        callee = callee if callee is None else known.get(int(callee.hash), callee)
        if callee is None or kind_of(callee) not in CALLED_KINDS or library.is_virtual_call(call.cursor):
            return None
        if kind_of(callee) == "CONSTRUCTOR":
            return self.constructed(callee, seldom) if self.classes.may_be_made(call.type) else None
        is_void = types.kind_name(types.canonical(call.type)) == "VOID"
        if not (is_void or self.classes.is_copied_silently(call.type) or self._refers(callee, call.type)):
            return None
        if passes_on(callee) or asks_runtime(callee) or only_computes(callee, call.children[1:]):
            return Uses()
        if callee.spelling == "operator=" and callee.is_default_method():
            return Uses() if self.classes.is_copied_silently(callee.semantic_parent.type) else None
        return self.uses(callee, seldom, given_functions(call, callee.get_definition() or callee, known))

    def _uses_elsewhere(self, callee: Cursor) -> Uses | None:
        function = called_elsewhere(self.unit, callee) if kind_of(callee) == "CXX_METHOD" else None
        if function is None:
            return None
        self.met_elsewhere = True
        return Uses(elsewhere=(function,)) if self.asks_elsewhere else None

    def _read(self, definition: Cursor, seldom: bool, given: Given) -> Uses | None:
        holder = next((f.node for f in self.unit.functions if f.node.cursor == definition), None)
        node = holder or self.unit.tree.node(definition)
        if not self._may_be_read(definition, node):
            return None
        reader = self.reader_of(definition, seldom, given)
        if not all(map(reader.is_quiet, self._evaluated(definition, node))):
            return None
        found = Uses.joined(reader.asked)
        if not found.pauses:
            return found
        own = any(p.file == node.file and node.start <= p.start < node.end for p in found.pauses)
        if own and (_is_of_lambda(definition) or library.is_constexpr(definition)):
            return None
        return self._inlined(definition, node, found)

    def reader_of(self, definition: Cursor, seldom: bool, given: Given = ()) -> FunctionReader:
        """Return what reads a function."""
        in_lambda, given_here = _is_of_lambda(definition), dict(given)
        return FunctionReader(
            self.unit, self.constructs, True, functions=self, seldom=seldom, in_lambda=in_lambda, given=given_here
        )

    def _may_be_read(self, definition: Cursor, node: Node) -> bool:
        if kind_of(definition) not in CALLED_KINDS or types.is_variadic(definition.type):
            return False
        one_of_many = library.is_inline_function(definition) or library.template_of(definition) is not None
        if node.file not in self.unit.files and not (one_of_many and library.in_system_header(definition)):
            return False
        names = {str(definition.spelling), symbol(self.unit, definition)}
        if not one_of_many and not names.isdisjoint(self.replaceable):
            return False
        if not all(self._may_be_given(c.type) for c in node.children if c.kind == "PARM_DECL"):
            return False
        return not definition.is_default_method() and any(c.kind == "COMPOUND_STMT" for c in node.children)

    def _refers(self, callee: Cursor, kind: Type) -> bool:
        """Whether a function returns a reference to an object that may be named."""
        return types.is_reference(callee.result_type) and self.classes.is_nameable(kind)

    def _may_be_given(self, kind: Type) -> bool:
        if types.is_reference(kind) and self.classes.is_nameable(kind):
            return True
        return self.classes.is_copied_silently(kind)

    def _evaluated(self, definition: Cursor, node: Node) -> Iterator[Node]:
        """Yield what a function executes: its body, and what begins the parts of a constructor's object."""
        yield from (c for c in node.children if c.kind == "COMPOUND_STMT")
        if kind_of(definition) != "CONSTRUCTOR":
            return
        first = False
        for child in node.children:
            if child.kind == "MEMBER_REF" or first:
                first = True
                if child.kind not in NAMES and child.kind != "COMPOUND_STMT" and not _is_nothing(child):
                    yield child
            elif child.kind == "CALL_EXPR":
                yield child

    def begins_quietly(self, definition: Cursor, seldom: bool) -> Uses | None:
        """Return what the beginning of the parts of a constructor's object asks for that are not written."""
        node = self.unit.tree.node(definition)
        written = frozenset(c.spelling for c in node.children if c.kind == "MEMBER_REF")
        constructors = self.classes.constructors.called_by(definition.semantic_parent.type, written)
        if constructors is None:
            return None
        found = [self.constructed(constructor, seldom) for constructor in constructors]
        known = [uses for uses in found if uses is not None]
        return Uses.joined(known) if len(known) == len(found) else None

    def constructed(self, constructor: Cursor, seldom: bool) -> Uses | None:
        """Return what a constructor asks for, with all that it calls without a word."""
        record = constructor.semantic_parent.type
        is_silent = self.classes.is_copied_silently(record)
        if not is_silent and (constructor.is_default_method() or not self.classes.may_be_made(record)):
            return None
        if self.classes.copies_members(constructor):
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
        constructors = self.classes.constructors
        own, bases = constructors.called_by(kind), constructors.inherited_by(kind)
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
        if _is_of_lambda(definition):
            place = self._in_lambda(node)
        else:
            place = Inlined(node.file, node.start, library.is_inline_function(definition))
        return None if place is None else Uses.joined((uses, Uses(inlined=(place,))))

    def _in_lambda(self, node: Node) -> Inlined | None:
        """Return where a lambda takes an attribute: behind its parameters, where clang lets its function begin, or
        behind the brackets of one that has no list of them."""
        head = self.unit.user_text(node)
        behind = head.startswith(("]", ")"))
        if not behind and not _BEHIND_LIST.match(head):
            return None
        return Inlined(node.file, node.start + behind, is_behind=behind, lacks_list=head.startswith("]"))

    def _is_written(self, node: Node) -> bool:
        """Whether a function begins where the user's text does that can be edited: the library's cannot."""
        if node.file not in self.unit.files or int(node.cursor.extent.start.offset) != node.start:
            return False
        return not self.unit.user_text(node).startswith("template")


def _is_of_lambda(function: Cursor) -> bool:
    """Whether a function is the call of a lambda, whose ``this`` is that of the method around it."""
    parent = function.semantic_parent
    return parent is not None and is_class_of_lambda(parent)


def _may_be_inherited(constructor: Cursor) -> bool:
    """Whether a constructor may be one of a base class, by ``using``: the tree does not show that it calls that."""
    members = types.members_of(constructor.semantic_parent.type)
    if not any(kind_of(member) == "USING_DECLARATION" for member in members):
        return False
    return all(member != constructor.canonical for member in members)


def _is_nothing(value: Node) -> bool:
    """Whether a member begins with an empty list or parentheses, as number or pointer."""
    return (
        value.kind == "UNEXPOSED_EXPR"
        and not value.children
        and (types.is_scalar(value.type) or types.is_pointer(value.type))
    )
