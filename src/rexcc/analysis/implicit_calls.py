"""Implicit calls: functions of the user's that C++ code calls without naming them, or that system headers call for it.

In: a node. Out: the functions behind a range-based loop (``begin``, ``end``, the operators of iterators), those with
which an iterator goes several steps (the lowering of its loop calls them), behind a structured binding (``get``) and
``new (…)``, and those that a function of a system header calls because of its arguments' types: a ``swap`` or
``operator<`` of the user's, found in the namespaces of his types. clang's tree has the bodies of such instantiations,
and shows the others in part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.loop_ranges import begin_of
from rexcc.clang import library, types
from rexcc.clang.scopes import classes_around, enclosing_scopes
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, Tree, kind_of

_SCOPES = frozenset({"TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_FREE = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
CALLING = frozenset({"CXX_FOR_RANGE_STMT", "FOR_STMT", "CXX_NEW_EXPR", "UNEXPOSED_DECL"})
"""Nodes that may call functions without referring to any."""
_ITERATING = ("operator!=", "operator==", "operator<=>", "operator++", "operator*")
_ALLOCATING = ("operator new", "operator new[]")
_STEPPING = ("operator+", "operator-", "operator+=", "operator-=", "operator==")


class ImplicitCalls:
    """What is known of one translation unit."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._free: dict[tuple[str, str], list[Cursor]] | None = None
        self._of_library: dict[int, tuple[Cursor, ...]] = {}

    def of(self, node: Node) -> tuple[Cursor, ...]:
        """Return the functions that a node calls besides the one that it refers to."""
        if node.kind == "CXX_FOR_RANGE_STMT":
            return tuple(self._of_range(node))
        if node.kind == "FOR_STMT":
            return tuple(self._of_iterator(node))
        if node.kind == "UNEXPOSED_DECL" and node.spelling.startswith("["):
            return tuple(self._of_binding(node))
        if node.kind == "CXX_NEW_EXPR":
            scopes = (*_classes_made(node), self._file())
            functions = (f for s in scopes for name in _ALLOCATING for f in self._named(name, s))
            return tuple(f for f in functions if len([*f.get_arguments()]) > 1)  # with arguments of ``new (…)``
        target = node.referenced
        if target is None or kind_of(target) not in FUNCTION_KINDS or not library.in_system_header(target):
            return ()
        key = int(target.hash)
        if key not in self._of_library:
            self._of_library[key] = tuple(self._called_back(target))
        return self._of_library[key]

    def _of_range(self, loop: Node) -> Iterator[Cursor]:
        begin = begin_of(loop)
        if begin is None:
            return  # the range's type is not known yet
        for call in (c.referenced for c in self._tree.node(begin).walk() if c.kind == "CALL_EXPR"):
            if call is not None and call.spelling == "begin":
                yield call
                yield from self._named("end", call.semantic_parent)
        record = types.canonical(begin.type).get_declaration()
        if types.is_record(begin.type):
            for name in _ITERATING:
                yield from self._named(name, record)
                yield from self._named(name, _scope(record))

    def _of_iterator(self, loop: Node) -> Iterator[Cursor]:
        """Yield the operators by which an object of a class that a loop declares goes several steps and is compared."""
        init = loop.children[0] if len(loop.children) == 4 else None
        index = init.children[0] if init is not None and init.kind == "DECL_STMT" and init.children else None
        if index is None or not types.is_record(index.type):
            return
        record = types.canonical(index.type).get_declaration()
        for name in _STEPPING:
            for function in (*self._named(name, record), *self._named(name, _scope(record))):
                if _is_step_of(function, record):
                    yield function

    def _of_binding(self, binding: Node) -> Iterator[Cursor]:
        """Yield the functions ``get`` of a class whose elements ``std::tuple_element`` tells."""
        kind = types.canonical(binding.type)
        if types.is_record(kind) and any("tuple_element" in str(c.type.spelling) for c in binding.children):
            record = kind.get_declaration()
            yield from self._named("get", record)
            yield from self._named("get", _scope(record))

    def _file(self) -> Cursor:
        cursor: Cursor = self._tree.unit.cursor
        return cursor

    def _named(self, name: str, scope: Cursor | None) -> Iterable[Cursor]:
        """Return the user's functions of a name in a class or namespace."""
        if scope is None or library.in_system_header(scope):
            return ()
        if kind_of(scope) in RECORD_KINDS:
            return [c for c in library.children(scope) if kind_of(c) in FUNCTION_KINDS and c.spelling == name]
        if self._free is None:
            self._free = {}
            for function in _free_functions(library.of_user(self._tree.unit)):
                key = (str(_scope(function).get_usr()), str(function.spelling))
                self._free.setdefault(key, []).append(function)
        return self._free.get((str(scope.get_usr()), name), ())

    def _called_back(self, function: Cursor) -> Iterator[Cursor]:
        """Yield the user's functions that a function of a system header calls, itself or through others there."""
        seen = {int(function.hash)}
        waiting = [function]
        while waiting:
            current = waiting.pop()
            if not any(map(_is_users, _given_types(current))):
                continue
            for node in self._tree.node(current.get_definition() or current).walk():
                target = node.referenced
                if target is None or kind_of(target) not in FUNCTION_KINDS or int(target.hash) in seen:
                    continue
                seen.add(int(target.hash))
                if library.in_system_header(target):
                    waiting.append(target)
                elif not _is_in_function(target):
                    yield target


def _classes_made(new: Node) -> Iterator[Cursor]:
    """Yield the class of what an expression makes, and what it is made of."""
    record = types.innermost(types.canonical(new.type).get_pointee()).get_declaration()
    template = library.template_of(record) if kind_of(record) in RECORD_KINDS else None
    yield from (cursor for cursor in (record, template) if cursor is not None and not cursor.kind.is_invalid())


def _is_step_of(function: Cursor, record: Cursor) -> bool:
    """Whether an operator takes objects of a class, and else numbers."""
    parameters = [types.canonical(types.without_reference(a.type)) for a in function.get_arguments()]
    others = [kind for kind in parameters if not (types.is_record(kind) and kind.get_declaration() == record)]
    return kind_of(function) == "FUNCTION_TEMPLATE" or all(map(types.is_scalar, others))


def implicit_calls(node: Node) -> tuple[Cursor, ...]:
    """Return the user's functions that a node calls besides the one that it refers to."""
    return node.tree.once(ImplicitCalls).of(node)


def _free_functions(cursors: Iterable[Cursor]) -> Iterator[Cursor]:
    for cursor in cursors:
        if kind_of(cursor) in _FREE:
            yield cursor
        elif kind_of(cursor) in _SCOPES:
            yield from _free_functions(library.children(cursor))


def _scope(declaration: Cursor) -> Cursor:
    """Return the namespace that a declaration is a member of, inline ones and linkage specifications aside."""
    scope = declaration.semantic_parent
    while kind_of(scope) not in ("NAMESPACE", "TRANSLATION_UNIT") or library.is_inline_namespace(scope):
        scope = scope.semantic_parent
    return scope


def _given_types(function: Cursor) -> Iterator[Type]:
    """Yield the types of a function's parameters, and those that it and its class are instantiated with."""
    yield from (a.type for a in function.get_arguments() if a is not None)
    yield from (function.get_template_argument_type(i) for i in range(max(0, function.get_num_template_arguments())))
    parent = function.semantic_parent
    if parent is not None and kind_of(parent) in RECORD_KINDS:
        yield parent.type


def _is_users(kind: Type) -> bool:
    """Whether a type is one of the user's, or is made from one."""
    if types.kind_name(kind) == "INVALID":
        return False
    current = types.canonical(kind)
    while (below := types.element_of(current)) is not None or types.kind_name(current) == "POINTER":
        current = types.canonical(below if below is not None else current.get_pointee())
    declaration = current.get_declaration()
    if declaration.kind.is_invalid():
        return False
    if not library.in_system_header(declaration):
        return True
    return any(_is_users(current.get_template_argument_type(i)) for i in range(current.get_num_template_arguments()))


def _is_in_function(function: Cursor) -> bool:
    """Whether a function is one of a class that a function declares, or of a lambda: its text goes with that."""
    if any("(lambda" in str(record.type.spelling) for record in classes_around(function)):
        return True
    return any(kind_of(scope) in FUNCTION_KINDS for scope in enclosing_scopes(function))
