"""Elements of which the place is known in front of the iterations of an inner loop.

In: a loop that counts, and expressions of its body. Out: whether an address is made of the loop's index and of what
stays as it is while the loop runs, with the locals of the body that it needs: ``a[j]``, ``p[j].v.x``, ``b.x`` with
``const Body &b = p[j]``, ``a[at]`` with ``int at = k * n + i``. Nothing is loaded to find such an element.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser, parts
from rexcc.lowering.cleanups.pure_values import meaning_of
from rexcc.lowering.cleanups.syntax import is_free
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.program.variables import Variable, named_variable

NUMBER = "__rex_turn_number"
"""The number of an iteration in its turn."""

OBJECTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})
"""What names a part of an object."""

_SUMS = frozenset({"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"})
_LITERALS = frozenset({"INTEGER_LITERAL", "CHARACTER_LITERAL"})


def is_access(node: Node) -> bool:
    """Whether an expression names a part of an object, or what a pointer points to."""
    return node.kind in OBJECTS or node.is_dereference


def goes_on(node: Node) -> bool:
    """Whether an expression that names an object is what another one names a part of."""
    top = node.in_parentheses()
    above = top.parent
    if above is not None and above.kind == "UNEXPOSED_EXPR" and types.is_array(top.type):
        top, above = above.in_parentheses(), above.in_parentheses().parent
        return above is not None and above.kind == "ARRAY_SUBSCRIPT_EXPR" and above.children[0] is top
    return above is not None and above.kind == "MEMBER_REF_EXPR" and types.is_record(node.type)


def names_of(element: Node) -> list[str]:
    """Return the names of what an element is a part of, and of its own."""
    bare = element.bare()
    inner = parts(bare)
    below = names_of(inner[0]) if inner and is_access(bare) else []
    is_named = bare.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR")
    return [*below, bare.spelling] if is_named else below or ["element"]


class Addresses:
    """The addresses of a loop's body."""

    def __init__(self, context: CleanupContext, loop: CanonicalLoop) -> None:
        self.context = context
        self.loop = loop
        self.memory = context.memory
        self.inside = {Variable(n.cursor): n for n in loop.body.walk() if n.kind == "VAR_DECL"}
        block = loop.body.children if loop.body.kind == "COMPOUND_STMT" else ()
        declared = (n for statement in block if statement.kind == "DECL_STMT" for n in statement.children)
        provenance = self.memory.provenance
        tops = {Variable(n.cursor): n for n in declared if n.kind == "VAR_DECL"}
        self.locals = {v: n for v, n in tops.items() if provenance.is_constant(v) and not v.is_global}

    def stays(self, node: Node) -> bool:
        """Whether an expression is the same in all iterations: it names nothing that the loop declares or changes."""
        return self._names_nothing_inside(node) and self._is_unchanged(node)

    def _names_nothing_inside(self, node: Node) -> bool:
        names = (named_variable(n) for n in node.walk())
        return not any(name == self.loop.index or name in self.inside for name in names)

    def _is_unchanged(self, node: Node) -> bool:
        if meaning_of(self.context.body, node) is None:
            return False
        return next(value_changes(self.memory, node, [self.loop.statement], frozenset()), None) is None

    def is_one(self, element: Node) -> bool:
        """Whether an element is the same in all iterations, whatever its value."""
        return self._names_nothing_inside(element) and self.is_known(element)

    def is_known(self, element: Node) -> bool:
        """Whether an element's place is known in front of the iterations."""
        bare = element.bare()
        inner = parts(bare)
        match bare.kind:
            case "DECL_REF_EXPR":
                return self._is_known_object(bare)
            case "ARRAY_SUBSCRIPT_EXPR":
                return self._leads_on(inner[0]) and self._is_value(inner[1])
            case "MEMBER_REF_EXPR" if inner:
                return self.is_known(inner[0]) if types.is_record(inner[0].type) else self._is_value(inner[0])
            case "UNARY_OPERATOR" if bare.operator == "*":
                return self._is_value(inner[0])
            case _:
                return False

    def _is_known_object(self, name: Node) -> bool:
        """Whether a name is that of an object that is where it is: not of one that the loop declares."""
        variable = named_variable(name)
        if variable is None:
            return False
        if variable not in self.inside:
            return not types.is_reference(variable.type) or self.stays(name)
        value = self._initialiser(variable) if types.is_reference(variable.type) else None
        return value is not None and self.is_known(value)

    def _leads_on(self, base: Node) -> bool:
        """Whether it is known where the array is, or what the pointer points to, that is the base of a subscript."""
        return self.is_known(base) if types.is_array(base.bare().type) else self._is_value(base)

    def _is_value(self, node: Node) -> bool:
        """Whether a value is made of the index and of variables of the thread's own that stay as they are."""
        bare = node.bare()
        inner = parts(bare)
        if bare.kind in _LITERALS or (types.is_scalar(bare.type) and evaluate_integer(bare.cursor) is not None):
            return True
        if bare.kind == "DECL_REF_EXPR" and not types.is_array(bare.type):
            return self._is_known_number(bare)
        if bare.kind in VALUE_CASTS and (types.is_scalar(bare.type) or types.is_pointer(bare.type)):
            return self._is_value(inner[-1])
        if bare.kind == "BINARY_OPERATOR" and bare.operator in _SUMS:
            return all(map(self._is_value, inner))
        if bare.kind == "UNARY_OPERATOR" and bare.operator in ("+", "-", "~"):
            return self._is_value(inner[0])
        if bare.kind == "UNARY_OPERATOR" and bare.operator == "&":
            return self.is_known(inner[0])
        return self._is_of_thread(bare)

    def _is_known_number(self, name: Node) -> bool:
        variable = named_variable(name)
        if variable is None or variable == self.loop.index:
            return True
        if variable in self.inside:
            value = None if types.is_reference(variable.type) else self._initialiser(variable)
            return value is not None and self._is_value(value)
        return self._is_of_thread(name)

    def _is_of_thread(self, node: Node) -> bool:
        """Whether a value stays in the loop and is no load: it is the thread's own, or a constant."""
        places = self.memory.provenance.place(node)
        return self.stays(node) and places is not None and not self.memory.effects(node).read and bool(places)

    def _initialiser(self, variable: Variable) -> Node | None:
        declaration = self.locals.get(variable)
        value = initialiser(declaration) if declaration is not None else None
        if declaration is None or value is None or not self._can_stand_again(declaration, value):
            return None
        return value

    def _can_stand_again(self, declaration: Node, value: Node) -> bool:
        """Whether a local can be declared a second time, with the text of its value."""
        body, kind = self.context.body, declaration.type
        plain = types.is_scalar(kind) or types.is_pointer(kind) or types.is_reference(kind)
        if not plain or types.is_volatile(kind) or spelling.is_unnamed(kind):
            return False
        is_here = value.file == body.file.scan.source.path and body.unit.is_whole(value)
        return is_here and is_free(body, body.start(value), body.end(value))

    def needed(self, elements: list[Node]) -> Iterator[tuple[str, str, str]]:
        """Yield the body's locals by which elements are found, in order: declarations, names and values."""
        found: dict[Variable, Node] = {}
        stack = list(elements)
        while stack:
            for node in stack.pop().walk():
                variable = named_variable(node)
                declaration = self.locals.get(variable) if variable is not None else None
                value = initialiser(declaration) if declaration is not None else None
                if variable is not None and declaration is not None and value is not None and variable not in found:
                    found[variable] = declaration
                    stack.append(value)
        for declaration in sorted(found.values(), key=lambda n: n.start):
            value = initialiser(declaration)
            assert value is not None
            name = declaration.spelling
            yield spelling.declare(declaration.type, name), name, self.context.body.original(value)
