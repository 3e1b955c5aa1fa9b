"""Where the storage of a list item is: the way from its variable through members, brackets and pointers.

In: a list item with clang's view of it. Out: :class:`Path`: the item's steps, each with the host expression up to it.
Every pointer on the way ends a :class:`Leg`: storage of its own, which the runtime maps for itself and to which it
attaches the pointer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from clang.cindex import Cursor, Type

from rexcc.analysis.components import Component, Part, components
from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer, has_global_storage, template_of
from rexcc.clang.tree import Node
from rexcc.frontend.unit import Construct
from rexcc.lowering.sections import atom, lower, section_extent, step
from rexcc.openmp.model import Expression, ListItem
from rexcc.source.diagnostics import CompileError, error


@dataclass(frozen=True)
class Place:
    """Storage as host expressions: the address of its first byte, its bytes, and the address behind its last."""

    begin: str
    size: str
    end: str


@dataclass(frozen=True, eq=False)
class Step:
    """A member, bracket or dereference; ``text`` is the item up to here, ``place`` its storage.

    ``key`` is the same for steps to the same part of the same object; ``number`` a constant index or lower bound.
    ``is_part`` marks a section of more than one element.
    """

    part: Part
    text: str
    kind: Type
    place: Place
    key: object
    member: Cursor | None = None
    number: int | None = None
    is_part: bool = False


@dataclass(frozen=True, eq=False)
class Leg:
    """The steps of an item inside one object, and the storage they lead to.

    ``base`` is the host expression of the object's address, for what a pointer points to the address of the pointer.
    ``whole`` is the object's storage, where it is known; ``name`` says it to people. ``is_slot`` means that the storage
    is a pointer (``is_reference``: that of a reference) through which the next leg goes. ``origin`` identifies the
    object, ``key`` the storage.
    """

    base: str
    name: str
    whole: Place | None
    steps: tuple[Step, ...]
    place: Place
    origin: tuple[object, ...]
    is_slot: bool = False
    is_reference: bool = False
    address: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What identifies the storage."""
        return (*self.origin, *(s.key for s in self.steps))

    @property
    def has_member(self) -> bool:
        """Whether the storage is inside a struct that the way goes through."""
        return any(s.part is Part.MEMBER for s in self.steps)

    @property
    def ends_in_section(self) -> bool:
        """Whether the storage may be several elements of an array."""
        return bool(self.steps) and self.steps[-1].is_part

    @property
    def is_direct_member(self) -> bool:
        """Whether the storage is that of the first member on the way."""
        return [s.part for s in self.steps].count(Part.MEMBER) == 1 and self.steps[-1].part is Part.MEMBER


@dataclass(frozen=True, eq=False)
class Root:
    """What an item starts from: a variable, or ``this`` with key -1; ``is_derived`` if its class has base classes."""

    key: int
    text: str
    kind: Type | None
    variable: Cursor | None
    is_derived: bool = False

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer, as ``this`` is."""
        return self.kind is None or types.is_pointer(self.kind)

    @property
    def is_global(self) -> bool:
        """Whether it has static storage duration."""
        return self.variable is not None and has_global_storage(self.variable)


@dataclass(frozen=True, eq=False)
class Path:
    """An item's way from its root to its storage."""

    root: Root
    steps: tuple[Step, ...]

    @property
    def is_root(self) -> bool:
        """Whether the item is the variable itself."""
        return not self.steps

    @property
    def has_member(self) -> bool:
        """Whether the way goes through a member."""
        return any(s.part is Part.MEMBER for s in self.steps)

    @property
    def keys(self) -> tuple[object, ...]:
        """What identifies the storage that the way ends in."""
        return tuple(s.key for s in self.steps)

    def legs(self, is_attached: bool = False) -> tuple[Leg, ...]:
        """Return the legs; ``is_attached`` maps a root pointer itself too, rather than taking its value."""
        return _Walk(self, is_attached).run()


def lvalue(text: str, kind: Type) -> Place:
    """Return the storage of a host lvalue."""
    target = re.fullmatch(r"\*(.*)", text, re.S)
    if target is not None:
        return Place(target[1], f"sizeof({text})", f"{target[1]} + 1")
    text = atom(text)
    return Place(text if types.is_array(kind) else f"&{text}", f"sizeof {text}", f"&{text} + 1")


def path_of(item: ListItem, construct: Construct) -> Path:
    """Return the path of an item; raises CompileError for forms that are not supported (``unsupported-item``)."""
    return _Reader(item, construct).run()


class _Reader:
    def __init__(self, item: ListItem, construct: Construct) -> None:
        self.item = item
        self.construct = construct
        self.steps: list[Step] = []
        self.value = ""
        self.is_pattern = template_of(construct.function.cursor) is not None

    def run(self) -> Path:
        node = self.construct.expressions.get(self.item.base)
        found = components(node) if node is not None else ()
        if node is None or not found:
            raise self._fail("is no variable, member, array element, array section or target of a pointer")
        self.top = node
        root = self._root(found[0])
        self.text, self.kind = root.text, root.kind if root.kind is not None else found[0].node.type
        for before, component in pairwise(found):
            self._component(component, before)
        if found[-1].part is Part.VALUE and not self.item.sections:
            raise self._fail("is a value, no object")
        for position in range(len(self.item.sections)):
            self._bracket(position)
        return Path(root, tuple(self.steps))

    def _fail(self, why: str) -> CompileError:
        return error("unsupported-item", f"'{self.item.whole.text.strip()}' {why}", self.item.whole.span)

    def _root(self, component: Component) -> Root:
        if component.part is Part.THIS:
            return Root(-1, "this", None, None, _has_bases(self.construct))
        variable = component.declaration
        if variable is None:
            raise self._fail("names nothing that is known here")
        key = variable_key(variable)
        written = self._slice(component.node) or ""
        name = str(variable.spelling)
        text = written if re.fullmatch(rf"[\w\s:.>()-]*\b{re.escape(name)}", written) else name
        return Root(key, text, types.without_reference(component.node.type), variable)

    def _slice(self, node: Node) -> str | None:
        """Return the characters of a part of the item; None where a macro hides them."""
        text = self.item.base.text
        start = node.start - self.top.start + len(text) - len(text.lstrip())
        return text[start : start + node.end - node.start].strip() or None

    def _component(self, component: Component, before: Component) -> None:
        node = component.node
        kind = types.without_reference(node.type)
        match component.part:
            case Part.MEMBER:
                self._member(component, before)
            case Part.ELEMENT:
                self._element(node, kind)
            case Part.TARGET:
                pointer = self.text if self.text.startswith("*") else atom(self.text)
                self._add(Part.TARGET, f"*{pointer}", kind, ("element", 0), number=0)
            case _:
                text = self._slice(node)
                if text is None:
                    raise self._fail("has a part in a macro")
                self.text, self.kind, self.value = f"({text})", kind, text

    def _member(self, component: Component, before: Component) -> None:
        declaration = component.declaration
        if declaration is None or declaration.kind.name != "FIELD_DECL":
            raise self._fail("has a member that is no data member")
        if declaration.is_bitfield():
            raise self._fail(f"ends in the bit-field '{declaration.spelling}', which has no address")
        is_arrow = before.part is Part.THIS or types.is_pointer(self.kind)
        is_written = before.part is not Part.THIS or before.node is not component.node
        name = self._member_name(component)
        if is_arrow:
            record = types.pointee_of(self.kind) if is_written else declaration.semantic_parent.type
            self._add(Part.TARGET, f"*{atom(self.text)}", record, ("element", 0), number=0, keeps_text=True)
        owner = f"{atom(self.text)}{'->' if is_arrow else '.'}"
        text = self.text if not name else f"{owner}{name}" if is_written else name
        kind = types.without_reference(declaration.type)
        self._add(Part.MEMBER, text, kind, ("member", variable_key(declaration)), member=declaration)

    def _member_name(self, component: Component) -> str:
        """Return a member's name as it is written, with the base class in front; empty for an anonymous member."""
        name = str(component.declaration.spelling) if component.declaration is not None else ""
        written = self._slice(component.node) or ""
        match = re.search(rf"(?:\.|->)\s*((?:\w+\s*::\s*)*{re.escape(name)})$", written)
        return match[1] if match and name else name

    def _element(self, node: Node, kind: Type) -> None:
        index = [c for c in node.children if c.kind != "TYPE_REF"][-1]
        text = self._slice(index)
        number = self._value(index)
        if text is None or index.start <= node.children[0].start or text.count("(") != text.count(")"):
            if number is None:
                raise self._fail("has a part in a macro")
            text = str(number)
        self._add(Part.ELEMENT, f"{atom(self.text)}[{text}]", kind, ("element", text if number is None else number),
                  number=number)  # fmt: skip

    def _value(self, node: Node | None) -> int | None:
        """Return a constant's value; those of a template may differ from one instantiation to the next."""
        return None if node is None or self.is_pattern else evaluate_integer(node.cursor)

    def _bracket(self, position: int) -> None:
        """Take the step of one of the brackets at the item's end."""
        section = self.item.sections[position]
        first = self._first_bracket(position)
        kind = step(self.item, self.kind, position - first)
        number = self._constant(section.lower) if section.lower is not None else 0
        is_part = not section.is_index and self._constant(section.length) != 1
        more = position + 1 < len(self.item.sections)
        if is_part and more and types.is_pointer(kind):
            step(self.item, kind, 1)  # says that the section goes through pointers
        low = lower(section)
        text = f"{atom(self.text)}[{low}]"
        key: object = ("element", low if number is None else number)
        if is_part:
            key = ("section", low, section.length.text if section.length is not None else "")
        run = self.item.sections[first : position + 1]
        found = section_extent(self.item, run, self._bracketed, self._bracketed_kind)
        end = f"(char *){found.begin} + {found.size}" if is_part or len(run) > 1 else f"{found.begin} + 1"
        self._add(Part.ELEMENT, text, kind, key, number=number, is_part=is_part,
                  place=Place(found.begin, found.size, end))  # fmt: skip

    def _first_bracket(self, position: int) -> int:
        """Return which bracket is the first one behind the last pointer, and remember what stands before it."""
        if position == 0 or types.is_pointer(self.kind):
            self._bracketed, self._bracketed_kind, self._bracket_start = atom(self.text), self.kind, position
        return self._bracket_start

    def _constant(self, expression: Expression | None) -> int | None:
        return self._value(self.construct.expressions.get(expression)) if expression is not None else None

    def _add(
        self, part: Part, text: str, kind: Type, key: object, *, member: Cursor | None = None,
        number: int | None = None, is_part: bool = False, place: Place | None = None, keeps_text: bool = False,
    ) -> None:  # fmt: skip
        if self.value:
            key, self.value = (key, self.value), ""
        made = place if place is not None else lvalue(text, kind)
        self.steps.append(Step(part, text, kind, made, key, member, number, is_part))
        if not keeps_text:
            self.text = text
        self.kind = kind


def _has_bases(construct: Construct) -> bool:
    """Whether the class that a construct is in a method of is derived from others."""
    record = construct.function.cursor.semantic_parent
    return record is not None and any(c.kind.name == "CXX_BASE_SPECIFIER" for c in record.get_children())


@dataclass(eq=False)
class _Walk:
    path: Path
    is_attached: bool
    legs: list[Leg] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    base: str = ""
    name: str = ""
    address: str = ""
    whole: Place | None = None
    origin: tuple[object, ...] = ()

    def run(self) -> tuple[Leg, ...]:
        path, root = self.path, self.path.root
        self._start()
        for position, taken in enumerate(path.steps):
            self.steps.append(taken)
            more = position + 1 < len(path.steps)
            if taken.member is not None and types.is_reference(taken.member.type):
                self._refer(taken, position)
            if more and types.is_pointer(taken.kind):
                self._leave(taken.place, taken.text)
        place = self.steps[-1].place if self.steps else self.whole
        assert place is not None, root.text
        self._end(place)
        return tuple(self.legs)

    def _end(self, place: Place, is_slot: bool = False, is_reference: bool = False) -> None:
        leg = Leg(self.base, self.name, self.whole, tuple(self.steps), place, self.origin, is_slot, is_reference,
                  self.address)  # fmt: skip
        self.legs.append(leg)
        self.origin, self.steps = leg.key, []

    def _start(self) -> None:
        root = self.path.root
        text = root.text
        if root.kind is None:
            self.base, self.name, self.whole = text, "*this", Place("this", "sizeof *this", "this + 1")
            return
        own = lvalue(text, root.kind)
        self.base, self.name, self.whole = own.begin, text, own
        if self.path.steps and root.is_pointer:
            if self.is_attached:
                self._leave(own, text)
            else:
                self.base, self.name, self.whole = text, f"*{text}", None

    def _leave(self, slot: Place, text: str) -> None:
        """End a leg at a pointer; the next one is in what it points to."""
        self._end(slot, True)
        self.base, self.name, self.whole, self.address = slot.begin, f"*{text}", None, text

    def _refer(self, taken: Step, position: int) -> None:
        """End a leg at a member that is a reference; the next one is what it refers to."""
        assert taken.member is not None
        slot = reference_slot(self.path, position)
        self._end(slot, True, True)
        self.origin = (*self.origin, "referred")
        self.base, self.name, self.whole, self.address = slot.begin, taken.text, taken.place, taken.place.begin


def reference_slot(path: Path, position: int) -> Place:
    """Return where a member keeps its reference, of which C++ only names what it refers to."""
    member = path.steps[position].member
    assert member is not None
    owner = path.steps[position - 1].text if position else path.root.text
    begin = f"REX_REFERENCE({owner}, {member.spelling})"
    return Place(begin, "sizeof(void *)", f"{begin} + sizeof(void *)")
