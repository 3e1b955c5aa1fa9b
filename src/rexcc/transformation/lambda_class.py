"""The class that a lambda becomes, with a name.

In: a lambda that can move. Out: edits: the class in front of the declaration, what makes its objects on host and
device, and an object in the lambda's place.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.captures import declared_name, initialiser
from rexcc.analysis.copies_made import copies_are_bytes
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.variables import Variable
from rexcc.resolution.rewriting import Replacement
from rexcc.source.digests import sha256
from rexcc.source.records import dataclass
from rexcc.source.text import to_bytes
from rexcc.transformation import held_packs, taken_along
from rexcc.transformation.inner_captures import inner_captures
from rexcc.transformation.lambda_captures import (
    captured_value,
    in_order,
    is_by_reference,
    is_captured,
    is_captured_pack,
)
from rexcc.transformation.lambda_members import (
    COPY,
    THIS,
    Member,
    captured,
    copy_of_object,
    held_pack,
    made,
    pointer_to_object,
)
from rexcc.transformation.local_definitions import can_be_named
from rexcc.transformation.member_uses import has_mutable_members, in_const_method
from rexcc.transformation.movable_lambdas import MovableLambda
from rexcc.transformation.places import around, place_before


@dataclass(eq=False)
class LambdaClass:
    """The class of a lambda."""

    moved: MovableLambda

    def members(self) -> list[Member]:
        """Return the members of the object, arrays last, but as the lambda has them where other files may have it."""
        found = [self._member(variable) for variable in self.moved.captured]
        if self.moved.this_uses:
            spelled = self.moved.uses.spelled
            if self.moved.captures.copies_this:
                found.insert(0, copy_of_object(spelled))
            else:
                is_constant = bool(spelled) and in_const_method(self.moved.expression)
                changes = has_mutable_members(self.moved.expression)
                found.insert(0, pointer_to_object(f"const {spelled}" if is_constant else spelled, changes=changes))
        order = self.moved.order if self.moved.is_shared else None
        if order is not None:
            return sorted(found, key=lambda member: order.index(member.name) if member.name in order else -1)
        return sorted(found, key=lambda member: member.is_array)

    def _member(self, variable: Variable) -> Member:
        captures = self.moved.captures
        value, by_reference = captured_value(captures, variable), is_by_reference(captures, variable)
        if is_captured_pack(variable):
            elements = held_packs.given(self.moved.name, value, by_reference=by_reference)
            return held_pack(variable.name, elements, f"{held_packs.holder(self.moved.name)}_there")
        kind, named = types.without_reference(variable.cursor.type), self._has_named_type(variable)
        constant = self.moved.is_copied_around(variable)
        return captured(variable.name, kind, value, named=named, by_reference=by_reference, constant=constant,
                        once=value == variable.name and self._may_end(kind))  # fmt: skip

    def _may_end(self, kind: Type) -> bool:
        """Whether the end of an object of a type may be noticed; of one that a template makes of its own parameters it
        may. What is named by a parameter alone may be an array."""
        if types.is_dependent(kind):
            return str(kind.spelling).endswith(">")
        return types.is_record(kind) and not copies_are_bytes(self.moved.unit, kind)

    def edits(self) -> list[tuple[str, Replacement]]:
        """Return the edits, each with its file: the class in front of the declaration, an object in the lambda's place,
        and the declaration of a friend."""
        assert self.moved.parts is not None
        if self.moved.uses.is_friend:  # a name of all files' for a class of all files'
            self.moved.name = f"{self.moved.name}_{sha256(to_bytes(self.moved.source.path)).hexdigest()[:8]}"
        members = self.members()
        outer = [_expanded((str(declared), name)) for declared, name in self.moved.template_parameters()]
        if self.moved.uses.names_class and self.moved.scope is not None:
            outer.insert(0, str(self.moved.scope.spelling))
        explicit = f"<{', '.join(outer)}>" if outer else ""
        make = f"rex_make_{self.moved.name.removeprefix('rex_')}"
        called = f"{self._space}::{make}" if self.moved.usings else make
        place, path = place_before(self.moved.file, self.moved.declaration), self.moved.source.path
        found = [
            (path, Replacement(place, place, tuple(self._class(make, members)))),
            (path, Replacement(self.moved.start, self.moved.parts.body[1], (self._object(f"{called}{explicit}"),))),
        ]
        for place_path, opening in self.moved.uses.openings():
            found.append((place_path, Replacement(opening, opening, (f" {self._friend(members)} ",))))
        return [*found, *taken_along.marks(self.moved)]

    def _object(self, make: str) -> str:
        """Return the call that makes the object; captures that have an order are those of a lambda around it."""
        members = self.members()
        if not self.moved.has_order:
            return f"{make}({', '.join(member.value for member in members)})"
        captures = self.moved.captures
        own = [declared_name(item) for item in captures.items if initialiser(item) and not item.startswith("&")]
        moved = {name: f"static_cast<decltype({name}) &&>({name})" for name in own}
        packs = {v.name: is_by_reference(captures, v) for v in self.moved.captured if is_captured_pack(v)}
        values = [m.value if m.name in (THIS, COPY) else moved.get(m.name, m.name) for m in members]
        for at, name in enumerate(m.name for m in members):
            if name in packs:
                values[at] = held_packs.given(self.moved.name, values[at], by_reference=packs[name])
        listed = ", ".join(in_order(captures, [*(m.name for m in members if m.once), *self._constant_objects()]))
        return f"[{listed}]() mutable {{ return {make}({', '.join(values)}); }}()"

    def _constant_objects(self) -> list[str]:
        """Return the names of the constants with members or elements that the lambda uses without capturing them: the
        maker of its object refers to them."""
        found = (v for v in self.moved.captured if not is_captured(self.moved.captures, v.name))
        return [v.name for v in found if not types.is_scalar(types.without_reference(v.cursor.type))]

    def _friend(self, members: list[Member]) -> str:
        """Return the declaration of the class as a friend."""
        kinds = [declaration.rpartition(" ")[0] for declaration, _ in self._parameters(members)]
        head = f"template <{', '.join(kinds)}> " if kinds else ""
        return f"{head}friend struct {self.moved.name};"

    @property
    def _space(self) -> str:
        """The namespace that has the function's using directives."""
        return f"{self.moved.name}_in_scope"

    def _parameters(self, members: list[Member], *, of_function: bool = False) -> list[tuple[str, str]]:
        """Return the declarations and names of the class's template parameters: a pack comes last, in a function in
        front of those that are deduced."""
        outer = [(str(declaration), name) for declaration, name in self.moved.template_parameters()]
        if self.moved.uses.names_class:
            outer.insert(0, ("class rex_self", "rex_self"))
        packs = [] if of_function else [each for each in outer if each[0].endswith(f"... {each[1]}")]
        deduced = [(f"class {member.deduced}", member.deduced) for member in members if member.deduced]
        return [*(each for each in outer if each not in packs), *deduced, *packs]

    def _head(self, members: list[Member], *, of_function: bool = False) -> str:
        declared = [declaration for declaration, _ in self._parameters(members, of_function=of_function)]
        return f"template <{', '.join(declared)}>" if declared else ""

    def _class(self, make: str, members: list[Member]) -> Iterator[str | tuple[int, int]]:
        """Yield the text of the class and of what makes its objects, as this translation unit's own."""
        names = [_expanded(each) for each in self._parameters(members)]
        before, after = around(self.moved.declaration)
        head = f"{self._head(members)}\n".lstrip()
        kind = f"{self.moved.name}<{', '.join(names)}>" if names else self.moved.name
        inline = "inline " if self.moved.uses.is_friend and not names else ""
        opened = f"namespace {self._space} {{ {' '.join(self.moved.usings)}\n" if self.moved.usings else ""
        yield before if self.moved.uses.is_friend else f"{before}namespace {{\n{opened}"
        yield held_packs.holder_text(self.moved.name) if self._packs() else ""
        yield f"{head}struct {self.moved.name} {{\n"
        for variable in self.moved.outside:
            value = self.moved.constant(variable)
            if value is not None and not self.moved.own.defines(variable.cursor):
                kind_text = spelling.spell(types.canonical(variable.cursor.type)).removeprefix("const ")
                yield f"  static constexpr {kind_text} {variable.name} = {value};\n"
        yield "".join(f"  {definition};\n" for definition in self.moved.own.members(self.moved.uses.edits))
        yield "".join(f"  {member.declaration};\n" for member in members)
        yield from self._operator()
        yield f"\n{self._conversion(kind) if not members else ''}}};\n"
        given = ", ".join(member.parameter for member in members)
        lines = made(kind, members, [member.name for member in members], "")
        constant = "constexpr " if not members or (head and self._in_constant_function) else ""
        yield f"{self._head(members, of_function=True)}\n".lstrip()
        yield f"{constant}{inline}{kind} {make}({given}) {{\n{_lines(lines)}}}\n"
        if members:
            lines = made(kind, members, [member.there("captures") for member in members], "object.")
            declared = ["class rex_captured", *(declaration for declaration, _ in self._parameters(members))]
            yield f"template <{', '.join(declared)}>\n"
            yield f"{kind} __rex_on_device(const {kind} &object, rex_captured &captures) {{\n{_lines(lines)}}}\n"
        yield after if self.moved.uses.is_friend else f"{'} ' if opened else ''}}} // namespace\n{after}"

    def _conversion(self, kind: str) -> str:
        """Return the conversion to a pointer to a function, which lambdas without captures have."""
        assert self.moved.parts is not None
        if self.moved.parts.is_generic:
            return ""
        head = "  template <class rex_result, class... rex_types> static"
        changing = "" if self.moved.parts.is_mutable else " const"
        pointer = "operator auto() const"
        if self.moved.is_old:
            pointer = f"operator decltype(rex_pointer(&{kind}::operator()))() const"
        return (
            f"{head} rex_result rex_call(rex_types... rex_given) "
            f"{{ return {kind}()(static_cast<rex_types &&>(rex_given)...); }}\n"
            f"{head} auto rex_pointer(rex_result ({kind}::*)(rex_types...){changing}) -> rex_result (*)(rex_types...) "
            "{ return &rex_call<rex_result, rex_types...>; }\n"
            f"  {pointer} {{ return rex_pointer(&{kind}::operator()); }}\n"
        )

    def _has_named_type(self, variable: Variable) -> bool:
        """Whether a member's type has a class or enumeration in it, so that names that depend on it are looked up where
        the lambda stands; it is deduced where it is of numbers, or has no name there."""
        kind = types.canonical(types.without_reference(variable.cursor.type))
        parts = [types.canonical(part) for part in spelling.named_types(kind)]
        has_names = any(types.kind_name(part) in ("RECORD", "ENUM") for part in parts)
        return has_names and self.moved.declaration.kind not in RECORD_KINDS and all(map(can_be_named, parts))

    def _operator(self) -> Iterator[str | tuple[int, int]]:
        assert self.moved.parts is not None
        begin, end = self.moved.parts.body
        packs, parts = self._packs(), self.moved.parts.with_edits(self.moved.uses.edits)
        before, after = held_packs.opened(packs, parts.result) if packs else ("", "")
        constant = self._in_constant_function and self._is_constant(is_template=parts.is_generic)
        result = self.moved.result or "" if self.moved.is_old else ""
        if self.moved.is_old and self.moved.result is None:
            yield "  template <class rex_any> static rex_any rex_value(rex_any);\n"
            result = f"decltype(rex_value({self._returned()}))"
        head = parts.operator(holds_packs=bool(packs), is_constant=constant, result=result)
        yield f"  {head} {before}".rstrip() + "\n"
        yield " " * (self.moved.source.line_column(begin)[1] - 1)  # for places in messages
        before_it = self.moved.own.again(self.moved.own.statics, self.moved.uses.edits)
        if self.moved.holds_directives:
            before_it += [f"auto &{variable.name} = this->{variable.name};" for variable in self.moved.captured]
        if before_it:
            yield (begin, begin + 1)
            yield "".join(f" {line}" for line in before_it)
            begin += 1
        edits = [*self.moved.uses.edits, *inner_captures(self.moved)]
        for start, stop, text in sorted(edit for edit in edits if begin <= edit[0] < end):
            yield (begin, start)
            yield text
            begin = stop
        yield (begin, end)
        yield after

    def _returned(self) -> str:
        """Return what the lambda returns as its class writes it: only a template knows its type."""
        span = self.moved.unit.span(self.moved.returned) if self.moved.returned is not None else None
        assert span is not None
        text, shift = span.text, span.start
        for start, stop, new in sorted(self.moved.uses.edits, reverse=True):
            if span.start <= start and stop <= span.end:
                text = text[: start - shift] + new + text[stop - shift :]
        return " ".join(text.split())

    @property
    def _in_constant_function(self) -> bool:
        """Whether calls of the function around may be constant expressions, and so those of what it returns."""
        above = next((n for n in self.moved.expression.ancestors() if n.kind in FUNCTION_KINDS), None)
        return above is not None and library.is_constexpr(above.cursor)

    def _is_constant(self, *, is_template: bool) -> bool:
        """Whether the call operator may say that its calls are constant expressions, as all lambdas' may be: the body
        has nothing that such a function must not have, and outside of templates at least one call is one."""
        body = next(c for c in reversed(self.moved.expression.children) if c.kind == "COMPOUND_STMT")
        given = [c.cursor.type for c in self.moved.expression.children if c.kind == "PARM_DECL"]
        if [s.kind for s in body.children] != ["RETURN_STMT"] or not body.children[0].children:
            return False
        if not all(map(_is_plain, [*given, body.children[0].children[0].cursor.type])):
            return False  # a type may not be one that such functions can have
        return is_template or bool(self._head(self.members())) or all(map(self._is_known, body.walk()))

    def _is_known(self, node: Node) -> bool:
        if node.kind in ("LAMBDA_EXPR", "CXX_NEW_EXPR", "CXX_THROW_EXPR", "STMT_EXPR"):
            return False
        target = node.referenced
        if node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR") or target is None:
            return True
        return kind_of(target) in ("PARM_DECL", "ENUM_CONSTANT_DECL") or library.is_constexpr(target)

    def _packs(self) -> list[str]:
        return [variable.name for variable in self.moved.captured if is_captured_pack(variable)]


def _is_plain(kind: Type) -> bool:
    """Whether a type is a number's, a pointer's or a reference, or unknown in a template."""
    return types.is_reference(kind) or types.is_dependent(kind) or types.is_scalar(types.canonical(kind))


def _expanded(parameter: tuple[str, str]) -> str:
    """Return a template parameter as an argument."""
    declaration, name = parameter
    return f"{name}..." if declaration.endswith(f"... {name}") else name


def _lines(lines: list[str]) -> str:
    return "".join(f"  {line}\n" for line in lines)
