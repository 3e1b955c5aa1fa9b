"""Objects without a name of which the runtime checks that no kernel has access to them: ``this->n``, ``p->n``, ``r.n``.

In: an expression of the host's. Out: whether it is such an object: a member of ``*this``, or what a variable of the
function's own, or a parameter, points or refers to, or a part of that. Such a pointer is never changed, a reference
cannot be. Statements that declare a reference are none of a run, so it is bound where the run that uses it begins. A
run may declare a pointer, but not one that it asks by (``Pointers``, :mod:`.batchable_ranges`).
``rex_batch_uses`` is called for each where the statements begin, and nothing is queued where a check fails; elements of
parameter packs have no names of their own for that. In a function that is called, what a parameter points to is not
checked: the caller must give it a named object.
"""

from __future__ import annotations

from enum import Enum, auto

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.batches.copied_bytes import CopiedBytes
from rexcc.analysis.batches.plain_objects import is_inside_object, is_plain
from rexcc.analysis.batches.quiet_forms import NAMES
from rexcc.analysis.references import collect, is_written
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.parameter_packs import position_in_pack
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.program.components import Part, components
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field

_LARGEST_MEMBER, _LARGEST_OBJECT = 128, 512
"""Bytes of a member, and of an object that functions are given: the runtime asks the driver for each number in it."""

_METHODS = frozenset({"CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})


class Pointers(Enum):
    """What becomes of a function's own pointers that nothing changes: they are followed, they are not, or they are and
    no run declares one."""

    FOLLOWED = auto()
    UNKNOWN = auto()
    DECLARED_BEFORE = auto()


@dataclass(frozen=True, eq=False)
class CheckedObjects:
    """Notes the objects that statements use: the ``expressions`` to check, or, ``in_function``, the places of the
    parameters that are ``followed``. ``classes`` knows the unit's, None where no method is read. ``pointers`` tells
    whether what local pointers lead to is noted."""

    in_function: bool = False
    classes: CopiedBytes | None = None
    pointers: Pointers = Pointers.FOLLOWED
    expressions: list[str] = field(default_factory=list)
    followed: set[int] = field(default_factory=set)

    def has_member(self, node: Node) -> bool:
        """Whether an expression is a small plain member of ``*this``, or of what a parameter leads to; note it."""
        return self.has_own_member(node) or self._has_given_member(node)

    def has_array(self, node: Node) -> bool:
        """Whether an expression is an array that is such a member; note it."""
        array = node.bare()
        is_member = array.kind == "MEMBER_REF_EXPR" and bool(types.constant_extent(array.type))
        return is_member and self.has_member(array)

    def has_own_member(self, node: Node, any_class: bool = False) -> bool:
        """Whether an expression is a member of ``*this``, or of a structure in it; note it."""
        expression = _own_member(node, any_class)
        if expression is not None:
            self.expressions.append(expression)
        return expression is not None

    def _has_given_member(self, node: Node) -> bool:
        referred = None if self.in_function else _referred_member(node)
        if referred is not None:
            return self._checks(referred, node.type)
        found = _given_member(node) if "(" not in node.spelling else None  # an anonymous one's: it has no name
        return found is not None and self._leads(found[1]) and self._follows(found[1], found[0], node.type)

    def _leads(self, pointer: Node) -> bool:
        """Whether the object that a variable points to may be noted."""
        is_parameter = pointer.referenced is not None and kind_of(pointer.referenced) == "PARM_DECL"
        return is_parameter or not (self.in_function or self.pointers is Pointers.UNKNOWN)

    def is_in_front(self, declared: Node) -> bool:
        """Whether a declaration is one of a pointer that has to stand in front of the runs that follow it."""
        is_first = self.pointers is Pointers.DECLARED_BEFORE and not self.in_function
        return is_first and _leads_to_object(declared.cursor) and _is_kept_local(declared)

    def has_pointee(self, pointer: Node) -> bool:
        """Whether an expression is a variable that points to an object; note that object."""
        if not (_is_given_address(pointer) and self._leads(pointer)):
            return False
        return self._follows(pointer, f"*{pointer.spelling}", types.pointee_of(pointer.type), _LARGEST_OBJECT)

    def has_object_behind(self, pointer: Node) -> bool:
        """Whether an expression is such a variable, and points to an object that refers to no others; note it. Its
        methods are read, and nothing copies it or ends it."""
        if self.classes is None or not types.is_pointer(pointer.type):
            return False
        return self.classes.is_nameable(types.pointee_of(pointer.type)) and self.has_pointee(pointer)

    def _follows(self, parameter: Node, expression: str, kind: Type, most: int = _LARGEST_MEMBER) -> bool:
        if self.in_function:
            self.followed.add(_place_of(parameter))
            return True
        return self._checks(expression, kind, most)

    def has_named(self, node: Node) -> bool:
        """Whether an expression is an object of any class, or a part of one, that is a variable or what a parameter or
        local reference refers to; note the latter."""
        if self.classes is None or not self.classes.is_nameable(node.type):
            return False
        root, path = _whole_of(node)
        target = root.referenced if root.kind == "DECL_REF_EXPR" else None
        if target is None or kind_of(target) not in VARIABLE_KINDS or library.is_made_at_first_use(target):
            return False
        if not types.is_reference(target.type):
            return types.is_record(target.type) and not types.is_volatile(target.type)
        return _is_given_reference(root) and self._checks(path, node.type, _LARGEST_OBJECT)

    def has_referred(self, node: Node) -> bool:
        """Whether an expression is a parameter that refers to an object of a class; note it."""
        return _is_given_reference(node) and self._checks(str(node.spelling), node.type, _LARGEST_OBJECT)

    def has_object_of_method(self, method: Node) -> bool:
        """Whether ``*this``, of which an expression names a method, refers to no other objects; note it."""
        around = next((node for node in method.ancestors() if node.kind in _METHODS), None)
        if self.classes is None or around is None:
            return False
        record = around.cursor.semantic_parent.type
        return self.classes.is_nameable(record) and self._checks("*this", record, _LARGEST_OBJECT)

    def has_member_object(self, node: Node) -> bool:
        """Whether an expression is a member of ``*this`` of any class that refers to no other objects; note it. Its
        methods are read, and nothing copies it or ends it."""
        if self.classes is None or node.kind != "MEMBER_REF_EXPR":
            return False
        if types.is_volatile(node.type) or self.classes.may_refer(node.type):
            return False
        return self.has_own_member(node, any_class=True)

    def _checks(self, expression: str, kind: Type, most: int = _LARGEST_MEMBER) -> bool:
        """Whether an object is small enough to be checked; note it."""
        is_small = bool(0 < types.without_reference(kind).get_size() <= most)
        if is_small:
            self.expressions.append(expression)
        return is_small


def _own_member(node: Node, any_class: bool) -> str | None:
    """Return the expression of a member of ``*this``, or of a structure in it, None for anything else, what is too
    large for questions, and what has no address. ``any_class``: it may be an object of any class."""
    found = components(node) if node.kind == "MEMBER_REF_EXPR" else []
    members = found[1:]
    if not members or found[0].part is not Part.THIS or any(c.part is not Part.MEMBER for c in members):
        return None
    if not all(is_inside_object(c.declaration) for c in members):
        return None
    if not is_plain(node.type) and not (any_class and types.is_record(node.type)):
        return None
    if any(types.is_pointer(c.node.type) or types.is_volatile(c.node.type) for c in members[:-1]):
        return None
    if any(_has_no_address(c.node) for c in members) or not 0 < node.type.get_size() <= _LARGEST_MEMBER:
        return None
    names = (c.node.spelling for c in members)
    return f"this->{'.'.join(name for name in names if name and '(' not in name)}"  # of anonymous ones it is a text


def _has_no_address(member: Node) -> bool:
    """Whether a member is a bit-field, or one that its name alone may not find: its class is named."""
    return is_bit_field(member) or any(child.kind in ("TYPE_REF", "NAMESPACE_REF") for child in member.children)


def _given_member(node: Node) -> tuple[str, Node] | None:
    """Return the expression of a member of an object whose address is a parameter's value, and the parameter's name;
    None for anything else."""
    if node.kind != "MEMBER_REF_EXPR" or len(node.children) != 1 or not is_plain(node.type) or is_bit_field(node):
        return None
    if not node.spelling or not is_inside_object(node.referenced):
        return None
    whole = node.children[0].bare()
    if whole.kind == "MEMBER_REF_EXPR":
        above = _given_member(whole) if types.is_record(whole.type) else None
        return None if above is None else (_member_of(above[0], node), above[1])
    return (_member_of(f"{whole.spelling}->", node), whole) if _is_given_address(whole) else None


def _member_of(path: str, member: Node) -> str:
    """Return the expression of a member of what an expression names: an anonymous one has no name to go by."""
    if "(" in member.spelling:  # of an anonymous one it is a text
        return path
    return f"{path}{member.spelling}" if path.endswith("->") else f"{path}.{member.spelling}"


def _referred_member(node: Node) -> str | None:
    """Return the expression of a plain member of an object that a parameter refers to, None for anything else."""
    root, path = _whole_of(node)
    return path if root is not node and is_plain(node.type) and _is_given_reference(root) else None


def _whole_of(node: Node) -> tuple[Node, str]:
    """Return the object of which an expression is a part by its members alone, and the expression's text: itself if it
    is none, or a member has no name or address."""
    if node.kind != "MEMBER_REF_EXPR" or len(node.children) != 1 or not node.spelling or is_bit_field(node):
        return node, str(node.spelling)
    above = node.children[0].bare()
    if not is_inside_object(node.referenced) or not types.is_record(above.type) or types.is_volatile(above.type):
        return node, str(node.spelling)
    root, path = _whole_of(above)
    return root, _member_of(path, node)


def _is_given_reference(node: Node) -> bool:
    """Whether an expression is the name of a parameter, or of a function's own variable, that refers to an object of a
    class."""
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) not in VARIABLE_KINDS or not types.is_reference(target.type):
        return False
    if library.has_global_storage(target):  # another thread may be the first that comes to its declaration
        return False
    if position_in_pack(target) is not None:
        return False
    referred = types.without_reference(target.type)
    return types.is_record(referred) and not types.is_volatile(referred)


def _is_given_address(node: Node) -> bool:
    """Whether an expression is the name of a parameter that has the address of an object which it is given, or of a
    function's own variable that has one for good."""
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) not in VARIABLE_KINDS or not _leads_to_object(target):
        return False
    return _is_kept(node, target) if kind_of(target) == "PARM_DECL" else _is_kept_local(node.tree.node(target))


def _place_of(parameter: Node) -> int:
    """Return which of its function's parameters an expression names."""
    target = parameter.referenced
    assert target is not None
    return [p.hash for p in target.semantic_parent.get_arguments()].index(target.hash)


def _leads_to_object(parameter: Cursor) -> bool:
    kind = parameter.type
    if not types.is_pointer(kind) or types.is_volatile(kind) or position_in_pack(parameter) is not None:
        return False
    target = types.pointee_of(kind)
    return types.is_record(target) and not types.is_volatile(target)


def _is_kept(node: Node, parameter: Cursor) -> bool:
    """Whether nothing in its function changes a parameter, or has its address."""
    function = node.tree.node(parameter.semantic_parent)
    used = collect([c for c in function.children if c.kind == "COMPOUND_STMT"]).variables.get(Variable(parameter))
    return used is not None and not used.written and not used.exposed


def _is_kept_local(declared: Node) -> bool:
    """Whether nothing changes a function's own pointer behind its declaration, or has its address."""
    has_value = any(child.kind not in NAMES for child in declared.children)
    if library.has_global_storage(declared.cursor) or not has_value:
        return False
    function = declared.tree.node(declared.cursor.semantic_parent)
    uses = [n for n in function.walk() if n.kind == "DECL_REF_EXPR" and n.referenced == declared.cursor]
    return bool(uses) and not any(is_written(use) or is_exposed(use) for use in uses)
