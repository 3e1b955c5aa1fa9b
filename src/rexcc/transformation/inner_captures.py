"""What lambdas in the body of a lambda capture of its captures, which become members of a class.

In: a lambda that moves. Out: edits of its body. A lambda in a method captures ``this``, not a member: its copy of ``x``
would be the member itself, which may change or end before. So the copy is written as one::

    [=](int i) { return [=](int j) { return x * i + j; }; }        // the program
    auto operator()(int i) const { return [=, x = x](int j) { return x * i + j; }; }
"""

from __future__ import annotations

import re

from rexcc.analysis.captures import CaptureList, capture_list, initialiser
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.program.variables import Variable
from rexcc.transformation.lambda_captures import is_captured_pack
from rexcc.transformation.lambda_members import THIS
from rexcc.transformation.movable_lambdas import MovableLambda

Edit = tuple[int, int, str]


def inner_captures(moved: MovableLambda) -> list[Edit]:
    """Return the edits, by offsets in the user's file. With directives in it the body has names for all members."""
    if moved.holds_directives or moved.parts is None:
        return []
    members = {variable for variable in moved.outside if not is_captured_pack(variable)}
    inner = _Inner(moved)
    inner.visit(moved.expression, members, bool(moved.this_uses) and not moved.captures.copies_this)
    begin = moved.parts.body[0] + 1
    names = "".join(f" auto &{name} = this->{name};" for name in sorted(inner.arrays))
    return [*inner.edits, (begin, begin, names)] if names else inner.edits


class _Inner:
    def __init__(self, moved: MovableLambda) -> None:
        self.moved = moved
        self.edits: list[Edit] = []
        self.arrays: set[str] = set()
        """Members that the body needs names of its own for: a capture with a value would be a pointer."""

    def visit(self, around: Node, members: set[Variable], has_object: bool) -> None:
        """Edit the outermost lambdas below a node, in which these variables are members, and those in them; whether
        ``this`` is one is told, too."""
        for child in around.children:
            if child.kind == "LAMBDA_EXPR":
                self._edit(child, members, has_object)
            else:
                self.visit(child, members, has_object)

    def _edit(self, inner: Node, members: set[Variable], has_object: bool) -> None:
        text, captures = self.moved.unit.user_text(inner), capture_list(self.moved.unit.user_text(inner))
        start = self.moved.file.original(inner.start)
        named = {each for each in members if _is_named(captures, each.name)}
        held = {each for each in members - named if captures.default == "=" and self._copies(inner, each)}
        for variable in named:
            place = re.search(rf"[\[,&]\s*{re.escape(variable.name)}(?=\s*[,\]])", text[: captures.end])
            if place is not None and self._can_be_given(variable):
                self.edits.append((start + place.end(), start + place.end(), f" = {variable.name}"))
        copied = sorted(variable.name for variable in held if self._can_be_given(variable))
        takes_object = has_object and self._uses_object(inner)
        this = re.search(r"[\[,]\s*(this)\s*[,\]]", text[: captures.end])
        if takes_object and this is not None:
            self.edits.append((start + this.start(1), start + this.end(1), f"{THIS} = {THIS}"))
        elif takes_object and captures.default == "=":
            copied.insert(0, THIS)
        default = re.match(r"\[\s*=", text)
        if copied and default is not None:
            given = "".join(f", {name} = {name}" for name in copied)
            self.edits.append((start + default.end(), start + default.end(), given))
        is_taken = takes_object and (this is not None or captures.default == "=")
        self.visit(inner, members - named - held, has_object and not is_taken)

    def _can_be_given(self, variable: Variable) -> bool:
        """Whether a capture's value can be that of a variable; an array gets a name in the body instead."""
        kind = types.without_reference(variable.cursor.type)
        may_be_array = types.is_dependent(kind) and not str(kind.spelling).endswith(">")
        if types.is_array(types.canonical(kind)) or may_be_array:
            self.arrays.add(variable.name)
            return False
        return True

    def _copies(self, inner: Node, variable: Variable) -> bool:
        """Whether a lambda copies a variable that it names, which is no constant."""
        uses = self.moved.references.variables[variable].uses
        return any(use.start in _body_of(inner) for use in uses) and not self.moved.is_constant(variable)

    def _uses_object(self, inner: Node) -> bool:
        return any(use.start in _body_of(inner) for use in self.moved.this_uses)


def _body_of(inner: Node) -> range:
    body = next((c for c in reversed(inner.children) if c.kind == "COMPOUND_STMT"), inner)
    return range(body.start, body.end)


def _is_named(captures: CaptureList, name: str) -> bool:
    """Whether a capture without a value names a variable, as copy or reference."""
    return any(not initialiser(item) and item.removeprefix("&").strip() == name for item in captures.items)
