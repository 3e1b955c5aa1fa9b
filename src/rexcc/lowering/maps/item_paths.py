"""The way that a list item takes to its storage, read from clang's view of its expression.

In: a list item. Out: its :class:`Path`: the variable it starts from and its steps, each with the host expression up to
it: members, dereferences, and the brackets at its end.
"""

from __future__ import annotations

import re
from itertools import pairwise

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.library import evaluate_integer, key_of, member_name, template_of
from rexcc.clang.tree import Node
from rexcc.lowering.maps.paths import Path, Place, Root, Step, lvalue, target
from rexcc.lowering.maps.pointed import through
from rexcc.lowering.model.host_values import Pointer, behind, written
from rexcc.lowering.model.sections import item_type, section_extent, step
from rexcc.openmp.model import Expression, ListItem
from rexcc.program.components import Component, Part, components
from rexcc.program.constructs import Construct
from rexcc.program.variables import variable_of
from rexcc.source.diagnostics import CompileError, error

_SCOPE = r"\w+(?:\s*<[^;]*>)?"
"""The name of a class in front of a member's, maybe with template arguments."""


def path_of(item: ListItem, construct: Construct) -> Path:
    """Return the path of an item; raises CompileError for forms that are not supported (``unsupported-item``)."""
    return _Reader(item, construct).run()


class _Reader:
    def __init__(self, item: ListItem, construct: Construct) -> None:
        self.item = item
        self.construct = construct
        self.steps: list[Step] = []
        self.value = ""
        self.pointer = ""  # of which the item up to here is the target, empty if it is none's
        self.is_pattern = template_of(construct.function.cursor) is not None

    def run(self) -> Path:
        node = self.construct.node_of(self.item.base)
        found = components(node) if node is not None else ()
        if node is None or not found:
            why = "is no variable, member, array element, array section or target of a pointer"
            raise self._fail(f"{why}; take a pointer to it before the construct, and map what that points to")
        self.top = node
        root = self._root(found[0])
        self.text, self.kind = root.text, root.kind if root.kind is not None else found[0].node.type
        if root.is_pointed and root.variable is not None:
            self.pointer = root.variable.name
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
            return Root(None, "this", None, _has_bases(self.construct))
        variable = variable_of(component.declaration)
        if variable is None:
            raise self._fail("names nothing that is known here")
        name, kind = variable.name, types.without_reference(item_type(component.node))
        if variable == self.construct.pointed:
            return Root(variable, f"*{name}", kind, is_pointed=True)
        written = self._slice(component.node) or ""
        text = written if re.fullmatch(rf"[\w\s:.,<>()-]*\b{re.escape(name)}", written) else name
        return Root(variable, text, kind)

    def _slice(self, node: Node) -> str | None:
        """Return the characters of a part of the item; None where a macro hides them."""
        text = self.item.base.text
        start = node.start - self.top.start + len(text) - len(text.lstrip())
        part = text[start : start + node.end - node.start].strip() or None
        variable = self.construct.pointed
        return part if part is None or variable is None else through(part, variable.name)

    @property
    def _postfix(self) -> str:
        """The item up to here, fit to take a suffix."""
        return f"({self.text})" if self.pointer else self.text

    def _component(self, component: Component, before: Component) -> None:
        node = component.node
        kind = types.without_reference(node.type)
        match component.part:
            case Part.MEMBER:
                self._member(component, before)
            case Part.ELEMENT:
                self._element(node, kind)
            case Part.TARGET:
                self._target(self.text, kind)
                self.text, self.pointer = f"*{self.text}", self._postfix
            case _:
                text = self._slice(node)
                if text is None:
                    raise self._fail("has a part in a macro")
                self.text, self.kind, self.value, self.pointer = f"({text})", kind, text, ""

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
            self._target(self._postfix, record)
        owner = f"{self._postfix}->" if is_arrow else f"{self.pointer}->" if self.pointer else f"{self._postfix}."
        unnamed = f"(*{self._postfix})" if is_arrow else self._postfix
        text = unnamed if not name else f"{owner}{name}" if is_written or "::" in name else name
        kind = types.without_reference(declaration.type)
        self._add(Part.MEMBER, text, kind, ("member", key_of(declaration)), member=declaration)

    def _member_name(self, component: Component) -> str:
        """Return a member's name as it is written, with the base class in front; empty for an anonymous member."""
        name = member_name(component.declaration) if component.declaration is not None else ""
        written = self._slice(component.node) or ""
        match = re.search(rf"(?:\.|->|^)\s*((?:{_SCOPE}\s*::\s*)*{re.escape(name)})$", written)
        return match[1] if match and name else name

    def _element(self, node: Node, kind: Type) -> None:
        index = [c for c in node.children if c.kind != "TYPE_REF"][-1]
        text = self._slice(index)
        number = self._value(index)
        if text is None or index.start <= node.children[0].start or text.count("(") != text.count(")"):
            if number is None:
                raise self._fail("has a part in a macro")
            text = str(number)
        self._add(Part.ELEMENT, f"{self._postfix}[{text}]", kind, ("element", text if number is None else number),
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
        low = written(self.construct, section.lower).text
        text = f"{self._postfix}[{low}]"
        key: object = ("element", low if number is None else number)
        if is_part:
            key = ("section", low, section.length.text if section.length is not None else "")
        run = self.item.sections[first : position + 1]
        begin, size = section_extent(self.construct, self.item, run, self._bracketed, self._bracketed_kind)
        end = Pointer(f"(char *){begin.text} + {size.text}") if is_part or len(run) > 1 else behind(begin)
        place = Place(begin, size, end)
        self._add(Part.ELEMENT, text, kind, key, number=number, is_part=is_part, place=place)

    def _first_bracket(self, position: int) -> int:
        """Return which bracket is the first one behind the last pointer, and remember what stands before it."""
        if position == 0 or types.is_pointer(self.kind):
            self._bracketed, self._bracketed_kind, self._bracket_start = self._postfix, self.kind, position
        return self._bracket_start

    def _constant(self, expression: Expression | None) -> int | None:
        return None if self.is_pattern else self.construct.value_of(expression)

    def _target(self, pointer: str, kind: Type) -> None:
        """Take the step to what a pointer points to; how the item goes on is the caller's business."""
        key = self._key(("element", 0))
        self.steps.append(Step(Part.TARGET, f"*{pointer}", kind, target(pointer, kind), key, number=0))
        self.kind = kind

    def _add(
        self, part: Part, text: str, kind: Type, key: object, *, member: Cursor | None = None,
        number: int | None = None, is_part: bool = False, place: Place | None = None,
    ) -> None:  # fmt: skip
        made = place if place is not None else lvalue(text, kind)
        self.steps.append(Step(part, text, kind, made, self._key(key), member, number, is_part))
        self.text, self.kind, self.pointer = text, kind, ""

    def _key(self, key: object) -> object:
        """Return a step's key, with the expression that it goes out from where that is no object."""
        found = (key, self.value) if self.value else key
        self.value = ""
        return found


def _has_bases(construct: Construct) -> bool:
    """Whether the class that a construct is in a method of is derived from others."""
    record = construct.function.cursor.semantic_parent
    return record is not None and any(c.kind.name == "CXX_BASE_SPECIFIER" for c in record.get_children())
