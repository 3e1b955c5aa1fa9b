"""Uses of the virtual functions and destructors that objects of class templates instantiate.

In: a parsed unit's declarations. Out: statements for the end of the parsed buffer. An object's constructor
instantiates the virtual functions of its class, and the end of its life the destructor; nothing in libclang's tree
leads to them. The statements name them for every class that the program's objects, bases and template arguments have.
What such functions make has classes too: those are found in a text that has the statements (``program/unit.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of
from rexcc.frontend.instances import Search

_CLASSES = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_HOLDING = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "STRUCT_DECL", "CLASS_DECL"})
_VIRTUAL = frozenset({"CXX_OVERRIDE_ATTR", "CXX_FINAL_ATTR"})
_TYPED = frozenset({"CALL_EXPR", "VAR_DECL", "FIELD_DECL", "CXX_BASE_SPECIFIER", "CXX_NEW_EXPR"})
_STRUCT = "rex_virtual_uses"
_UNNAMED_SPACE = "(anonymous namespace)::"


def uses_of_virtual(tree: Tree, declarations: Sequence[Node], known: Sequence[str]) -> tuple[str, ...]:
    """Return the statements that use them, nothing where the program has none.

    ``known`` are those that the parsed text has already: the functions that they use lead to further classes.
    """
    patterns = {_key(node.cursor): node for node in _class_templates(declarations)}
    wanted = {key: names for key, node in patterns.items() if (names := _names(node, patterns))}
    if not wanted:
        return ()
    own = [node for node in declarations if node.spelling != _STRUCT]
    written = dict(zip(known, _statements(declarations), strict=False))
    search, seen, uses = Search(tree), set[str](), dict[str, None]()
    waiting = [*own, *search.follow(own)]
    while waiting:
        added: list[str] = []
        for kind in _classes(waiting, seen):
            pattern = library.template_of(kind.get_declaration())
            names = wanted.get(_key(pattern), ()) if pattern is not None else ()
            added += (_use(kind.spelling.replace(_UNNAMED_SPACE, ""), name) for name in names)
        followed = [written[use] for use in dict.fromkeys(added) if use in written and use not in uses]
        uses |= dict.fromkeys(added)
        waiting = search.follow(followed)
    return tuple(uses)


def text_of_uses(uses: Sequence[str]) -> str:
    """Return the text that has these statements: a function of a struct."""
    return f"\nstruct {_STRUCT} {{ void members() {{ {' '.join(uses)} }} }};\n" if uses else ""


def _statements(declarations: Sequence[Node]) -> tuple[Node, ...]:
    """Return the statements of such a text in the parsed one."""
    structs = (node for node in reversed(declarations) if node.kind == "STRUCT_DECL" and node.spelling == _STRUCT)
    bodies = (n for struct in structs for n in struct.walk() if n.kind == "COMPOUND_STMT")
    body = next(bodies, None)
    return body.children if body is not None else ()


def _use(kind: str, name: str) -> str:
    return f"static_cast<{kind} *>(nullptr)->{name}();" if "~" in name else f"(void)&{kind}::{name};"


def _class_templates(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        if node.kind in _CLASSES:
            yield node
        if node.kind in _HOLDING:
            yield from _class_templates(node.children)


def _key(cursor: Cursor) -> int:
    return int(cursor.canonical.hash)


def _names(template: Node, patterns: Mapping[int, Node]) -> tuple[str, ...]:
    """Return the virtual functions of a class template that have one form and its destructor, also those of bases."""
    methods = [child for child in template.children if child.kind in FUNCTION_KINDS]
    forms = Counter(method.spelling for method in methods)
    named = [m.spelling for m in methods if m.kind == "CXX_METHOD" and forms[m.spelling] == 1 and _is_virtual(m)]
    for base in (child for child in template.children if child.kind == "CXX_BASE_SPECIFIER"):
        made_from = next((n.referenced for n in base.walk() if n.kind == "TEMPLATE_REF"), None)
        above = patterns.get(_key(made_from)) if made_from is not None else None
        if above is not None and above is not template:
            names = (n for n in _names(above, patterns) if n not in forms)
            named += [f"{n[1:]}::{n}" if n.startswith("~") else n for n in names]
    if any(m.kind == "DESTRUCTOR" and any(c.kind == "COMPOUND_STMT" for c in m.children) for m in methods):
        named.append(f"~{template.spelling.partition('<')[0]}")
    return tuple(dict.fromkeys(named))


def _is_virtual(method: Node) -> bool:
    if method.cursor.is_pure_virtual_method():
        return False
    return method.cursor.is_virtual_method() or any(child.kind in _VIRTUAL for child in method.children)


def _classes(nodes: Iterable[Node], seen: set[str]) -> Iterator[Type]:
    """Yield the classes that objects, bases and template arguments below some nodes have, which were not seen yet."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node.kind in _CLASSES or node.kind == "FUNCTION_TEMPLATE":
            continue
        stack += node.children
        for kind in _types_of(node) if node.kind in _TYPED else ():
            yield from _inside(kind, seen)


def _types_of(node: Node) -> Iterator[Type]:
    yield node.type
    called = node.referenced if node.kind == "CALL_EXPR" else None
    if called is not None and kind_of(called) in FUNCTION_KINDS:
        for index in range(max(0, called.get_num_template_arguments())):
            yield called.get_template_argument_type(index)


def _inside(kind: Type, seen: set[str]) -> Iterator[Type]:
    """Yield a class and those among its template arguments that the end of the file can name."""
    kind = types.canonical(kind)
    while types.is_pointer(kind) or types.is_array(kind):
        kind = types.canonical(types.innermost(kind) if types.is_array(kind) else kind.get_pointee())
    if not types.is_record(kind) or kind.spelling in seen:
        return
    seen.add(kind.spelling)
    if _has_name(kind):
        yield kind
    for argument in _arguments(kind):
        yield from _inside(argument, seen)


def _arguments(kind: Type) -> Iterator[Type]:
    for index in range(max(0, kind.get_num_template_arguments())):
        yield kind.get_template_argument_type(index)


def _has_name(kind: Type) -> bool:
    """Whether a type is neither a function's nor without a name, and has no such template arguments."""
    scope = kind.get_declaration().semantic_parent
    is_local = scope is not None and kind_of(scope) in FUNCTION_KINDS
    is_named = "(" not in kind.spelling.replace(_UNNAMED_SPACE, "")
    return is_named and not is_local and all(_has_name(types.canonical(k)) for k in _arguments(kind))
