"""The body of a generic lambda with regions becomes a function template.

In: a generic lambda whose body has regions and names members, or captures packs: what no class in front of the
function could do. Out: edits. clang makes instantiations of the template that we see, unlike those of a lambda's call
operator, and members keep their meaning in the class. Before and after::

    void add(double by) { each([=](auto *into, int i) { …region… into[i] += by * scale; }); }

    template <class rex_by, class rex_a0> auto rex_body_3_29(rex_by &by, rex_a0 *into, int i) { …region… }
    void add(double by) { each([=](auto *into, int i) { return this->rex_body_3_29(by, static_cast<…>(into), …); }); }

Each variable that the lambda captures is a reference to that of the lambda. A lambda that names what else only its
function has stays, as do those whose body would mean something else in a function.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from clang.cindex import Cursor

from rexcc.clang import spelling, types
from rexcc.clang.parameter_packs import is_pack
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.resolution.rewriting import Replacement
from rexcc.source.patterns import regex
from rexcc.transformation import taken_along
from rexcc.transformation.lambda_captures import is_captured_pack
from rexcc.transformation.movable_lambdas import MovableLambda
from rexcc.transformation.places import around, place_before

_CLASSES = (*RECORD_KINDS, "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")
_SPACES = ("NAMESPACE", "LINKAGE_SPEC", "TRANSLATION_UNIT")
_OF_THE_OPERATOR = regex(r"\bstatic\b|\bco_\w+\b|\b__(?:func|FUNCTION|PRETTY_FUNCTION)__\b")
"""What means something else in another function."""
_RETURNS = regex(r"\breturn\s*[^;\s]")
_TEMPLATE_NAME = regex(r"(?:class|typename|auto|[\w:]+)\s+(\w+)\s*(?:=.*)?")


class LambdaBody:
    """The body of a lambda on its way into a function template."""

    def __init__(self, moved: MovableLambda) -> None:
        self.moved = moved
        self.name = moved.name.replace("lambda", "body")
        above = [n for n in moved.expression.ancestors() if n.kind in FUNCTION_KINDS]
        self.function: Node | None = above[-1] if above else None
        self.parameters = [c.cursor for c in moved.expression.children if c.kind == "PARM_DECL"]

    @property
    def is_member(self) -> bool:
        """Whether the template is one of the class whose method the lambda stands in."""
        return self.declared is not None or (self._around is not None and self._around.kind in _CLASSES)

    @property
    def _around(self) -> Node | None:
        return self.function.parent if self.function is not None else None

    @cached_property
    def declared(self) -> Node | None:
        """The declaration in its class of a method that is defined outside, if the class is no template."""
        scope, around_it = self.moved.scope, self._around
        if self.function is None or (around_it is not None and around_it.kind in _CLASSES):
            return None
        if scope is None or kind_of(scope) not in RECORD_KINDS or scope.type.get_num_template_arguments() > 0:
            return None
        first = self.function.cursor.canonical
        node = self.moved.unit.tree.node(first)
        is_in_class = first.lexical_parent is not None and kind_of(first.lexical_parent) in RECORD_KINDS
        return node if is_in_class and node.file in self.moved.unit.files else None

    def can_move(self) -> bool:
        """Whether the body means the same in a function template."""
        moved, place = self.moved, self._around
        if moved.parts is None or not moved.parts.is_generic or self.function is None or moved.usings != []:
            return False
        if place is not None and place.kind not in (*_CLASSES, *_SPACES):
            return False
        if not self.is_member and (moved.scope is not None or moved.has_own_spaces):
            return False
        if _OF_THE_OPERATOR.search(moved.unit.user_text(moved.expression)) is not None:
            return False
        if None in [declared for declared, _ in self._outer()] or self._written() is None:
            return False
        return self._can_pass() and not any(map(self._is_of_function, moved.names()))

    def _can_pass(self) -> bool:
        """Whether the variables that the lambda holds, and its parameters, can be the template's."""
        assert self.moved.parts is not None
        packs = [is_pack(p) for p in self.parameters] + [is_captured_pack(v) for v in self.moved.captured]
        dots = self.moved.parts.text[slice(*self.moved.parts.parameters)].count("...")
        if sum(packs) > 1 or dots != sum(map(is_pack, self.parameters)) or not all(p.spelling for p in self.parameters):
            return False
        if any(declared is not None and "..." in declared for declared, _ in self._outer()):
            return False
        kinds = (types.without_reference(v.cursor.type) for v in self.moved.captured)
        return not any(map(types.has_runtime_extent, kinds)) and not any(
            self.moved.asks_for_type(variable.name) for variable in self.moved.captured
        )

    def _outer(self) -> list[tuple[str | None, str]]:
        """Return the template parameters around the lambda that it names, but for those of the template's classes."""
        first = self._around if self.is_member else None
        around = (first, *first.ancestors()) if first is not None else ()
        inside = (child for above in around for child in above.children)
        own = {str(child.cursor.spelling) for child in inside if child.kind.startswith("TEMPLATE_")}
        return [(declared, name) for declared, name in self.moved.template_parameters() if name not in own]

    def _written(self) -> list[tuple[str, str]] | None:
        """Return the declarations and names of the lambda's own template parameters, None where one is not plain."""
        assert self.moved.parts is not None
        text = self.moved.parts.text[slice(*self.moved.parts.template)].strip()[1:-1].strip()
        found = [(part.strip(), _TEMPLATE_NAME.fullmatch(part.strip())) for part in text.split(",") if text]
        if any(name is None for _, name in found) or "<" in text or "..." in text:
            return None
        return [(part, name[1]) for part, name in found if name is not None]

    def _is_of_function(self, name: Node) -> bool:
        """Whether a name is one of the function's own, which the template cannot have."""
        target, function = name.referenced, self.function
        if target is None or function is None:
            return False
        return not self.moved.expression.has_declaration(target) and function.has_declaration(target)

    def edits(self) -> list[tuple[str, Replacement]]:
        """Return the edits, each with its file: the template in front of the function, a call as the lambda's body."""
        assert self.moved.parts is not None and self.function is not None
        path, place = self.moved.source.path, place_before(self.moved.file, self.function)
        begin, end = self.moved.parts.body
        found = [
            (path, Replacement(place, place, tuple(self._template()))),
            (path, Replacement(begin, end, (f"{{ return {self._call()}; }}",))),
        ]
        if self.declared is not None:
            file = self.moved.unit.files[self.declared.file]
            at = place_before(file, self.declared)
            found.append((file.scan.source.path, Replacement(at, at, (f"{self._head()};\n",))))
        return [*found, *taken_along.marks(self.moved)]

    def _template(self) -> Iterator[str | tuple[int, int]]:
        assert self.moved.parts is not None and self.function is not None
        begin, end = self.moved.parts.body
        before, after = around(self.function)
        yield before if self.declared is not None else "" if self.is_member else f"{before}namespace {{\n"
        scope = f"{spelling.spell(self.moved.scope.type)}::" if self.declared is not None and self.moved.scope else ""
        yield f"{self._head(scope)}\n" + " " * (self.moved.source.line_column(begin)[1] - 1)
        yield (begin, begin + 1)
        yield "".join(f" {line}" for line in self._constants())
        yield (begin + 1, end)
        yield f"\n{after if self.declared is not None else ''}" if self.is_member else f"\n}} // namespace\n{after}"

    def _head(self, scope: str = "") -> str:
        """Return the declaration of the template; ``scope`` is the class's in front of its name."""
        assert self.moved.parts is not None
        parameters, deduced = self.moved.parts.named_parameters()
        packs = [v.name for v in self.moved.captured if is_captured_pack(v)]
        plain = [v.name for v in self.moved.captured if v.name not in packs]
        declared = [str(each) for each, _ in (*self._outer(), *(self._written() or []))]
        declared += [*(f"class rex_{name}" for name in plain), *deduced, *(f"class... rex_{name}" for name in packs)]
        given = [*(f"rex_{name} &{name}" for name in plain), parameters.strip()[1:-1].strip()]
        given += [f"rex_{name} &...{name}" for name in packs]
        static, constant = ("", " const" if self._is_constant() else "") if self._uses_object else ("static ", "")
        result = f" {self.moved.parts.result}".rstrip()
        static = static if self.is_member and not scope else ""
        head = f"{static}{self._result()} {scope}{self.name}({', '.join(filter(None, given))}){constant}{result}"
        return f"template <{', '.join(declared)}> {head}"

    def _result(self) -> str:
        """Return the result's type as it stands in front of the name: clang makes instances of ``auto`` early."""
        assert self.moved.parts is not None
        returns = _RETURNS.search(self.moved.parts.text, *self.moved.parts.body)
        return "auto" if returns or self.moved.parts.result else "void"

    def _call(self) -> str:
        explicit = ", ".join(name for _, name in (*self._outer(), *(self._written() or [])))
        packs = [f"{v.name}..." for v in self.moved.captured if is_captured_pack(v)]
        values = [v.name for v in self.moved.captured if not is_captured_pack(v)]
        values += [_forwarded(parameter) for parameter in self.parameters]
        template = "template " if explicit else ""
        called = f"this->{template}{self.name}" if self._uses_object else self.name
        return f"{called}{f'<{explicit}>' if explicit else ''}({', '.join([*values, *packs])})"

    def _constants(self) -> Iterator[str]:
        """Yield definitions of the constants that the lambda names without capturing them."""
        for variable in self.moved.outside:
            value = self.moved.constant(variable)
            if value is not None and not self.moved.own.defines(variable.cursor):
                kind = spelling.spell(types.canonical(variable.cursor.type)).removeprefix("const ")
                yield f"constexpr {kind} {variable.name} = {value};"
        yield from self.moved.own.again(self.moved.own.constants)

    @property
    def _uses_object(self) -> bool:
        """Whether the body uses the object of the method."""
        return self.is_member and (
            bool(self.moved.this_uses) or any(i.replace("*", "").strip() == "this" for i in self.moved.captures.items)
        )

    def _is_constant(self) -> bool:
        """Whether the body sees a constant object: the method's, or the copy that the lambda has."""
        assert self.moved.parts is not None and self.function is not None
        if self.moved.captures.copies_this:
            return not self.moved.parts.is_mutable
        return bool(self.function.cursor.is_const_method())


def _forwarded(parameter: Cursor) -> str:
    """Return a parameter of the lambda as an argument of the template's function."""
    name = str(parameter.spelling)
    dots = "..." if is_pack(parameter) else ""
    return f"static_cast<decltype({name}) &&>({name}){dots}"
