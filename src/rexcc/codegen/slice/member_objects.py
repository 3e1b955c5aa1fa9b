"""Storage on the device for constant static members of classes.

In: the members that device code uses as objects. Out: for each a function of its class, which stands behind the
member's declaration, or is defined where the member is::

    static const int table[2];
    __device__ static auto rex_constant_table() -> decltype((table)) { static const int table[2] = {1, 2}; … }

The first value is computed in the scope of the class, as the user's is. nvcc lets no class say that a member shall have
storage on the device; that of a function may. Where the member is ``constexpr``, its function is so for other compilers
and gives the member itself, for functions that are ``constexpr`` may name it (``REX_MEMBER_OBJECT``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.member_constants import MemberKey, member_function, member_key, object_uses
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.clang import library, locations, types
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.codegen.slice.edits import aligned_range, qualifier_place, semicolon
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.indirections import name_function
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.lexical import BLOCK_COMMENT
from rexcc.source.line_directives import line_directive
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class MemberObjects:
    """The members, and their uses in functions: file, start and end in the parsed buffer, and the name there."""

    keys: frozenset[MemberKey] = frozenset()
    uses: frozenset[tuple[str, int, int, str]] = frozenset()

    def name_in(self, body: DeviceBody, node: Node) -> None:
        """Call the functions of the members in the place of their names in a declaration."""
        inside = (u for u in self.uses if u[0] == node.file and node.start <= u[1] < node.end)
        for _, start, end, name in sorted(inside):
            name_function(body, body.file.original(start), body.file.original(end), name)

    def has(self, node: Node) -> bool:
        """Whether a node declares one of the members."""
        return bool(self.keys) and node.kind == "VAR_DECL" and member_key(node.cursor, node) in self.keys


def member_objects(
    unit: ParsedUnit, kernels: list[Kernel], also: Iterable[Cursor], declared: DeclareTarget, classes: Iterable[Node]
) -> MemberObjects:
    """Return the members that kernels, the functions that they call, and first values in ``classes`` use."""
    if not unit.is_cplusplus:
        return MemberObjects()
    keys: set[MemberKey] = set()
    uses: set[tuple[str, int, int, str]] = set()
    for kernel in kernels:
        captured = {a.variable for a in kernel.data.attributes if a.kind.name != "DEVICE_GLOBAL"}
        for part in (*kernel.region.device_parts, *(c.definition for c in kernel.data.closures)):
            keys |= {member_key(t, n) for n, t in object_uses(unit, part) if Variable(t) not in captured}
    parts = [part for k in kernels for part in k.region.device_parts]
    values = (n for c in classes if c.kind in RECORD_KINDS for n in c.walk() if n.kind == "FIELD_DECL")
    for body in (*called_bodies(unit.tree, parts, also=also), *values):
        for node, target in object_uses(unit, body):
            if declared.link_of(Variable(target)) is None:
                keys.add(member_key(target, node))
                uses.add((node.file, node.start, node.end, node.spelling))
    return MemberObjects(frozenset(keys), frozenset(uses))


def declare_function(body: DeviceBody, node: Node, outside: bool) -> None:
    """Put a member's function behind its declaration in its class; its body too, where the first value stands there."""
    last = _last_declarator(node)
    start, end = aligned_range(body, node)[0], max(aligned_range(body, last)[1], body.end(last))
    block = _block(body.text[start:end], node.spelling)
    is_constant = library.is_constexpr(node.cursor) and not outside and "#" not in block
    word = "REX_MEMBER_CONSTEXPR auto" if is_constant else "auto"
    head = f"{body.unit.target.words.device} static {word} {member_function(node.spelling)}() -> {_result(node)}"
    text = f" {head};" if outside else f" {head} {block}"
    if is_constant:
        text = f" {head} REX_MEMBER_OBJECT({node.spelling}, {block})"
    semicolon_at = re.compile(rf"(?:\s|{BLOCK_COMMENT}|//[^\n]*\n)*;").match(body.text, end)
    at = semicolon_at.end() if semicolon_at is not None else end
    if "\n" in text:
        source = body.file.scan.source
        column = source.line_column(at)[1] - 1
        text = f"\n{text[1:]}\n{line_directive(source.users_line(at), source.users_path(at))}\n{' ' * column}"
    body.edits.insert(at, text)


def defined_outside(body: DeviceBody, node: Node, needs_object: bool) -> str:
    """Return what the device file has of a member's definition outside of its class: the value, its function."""
    start, end = aligned_range(body, node)
    text = body.text[start:end]
    parts = []
    if (
        types.is_scalar(node.type)
        or types.kind_name(types.canonical(node.type)) in ("UNEXPOSED", "DEPENDENT")  # a scalar in some instantiation
        or library.is_constexpr(node.cursor)
        or types.kind_name(_first(node).type) == "INCOMPLETEARRAY"
    ):
        parts.append(semicolon(text))
    if needs_object:
        behind = qualifier_place(body, node) - start
        name = body.file.original(locations.file_location(node.cursor.location, node.tree.names)[1]) - start
        scope = _scope_start(text, name)
        local = f"static {text[behind:scope]}{text[name:]}"
        head = f"{text[:behind]}{body.unit.target.words.device} inline auto {text[scope:name]}"
        head += f"{member_function(node.spelling)}() -> {_result(node)}"
        parts.append(f"{head} {_block(local, node.spelling)}")
    return "\n".join(parts)


def _block(declaration: str, name: str) -> str:
    own = re.sub(r"\binline\s+", "", declaration, count=1)
    return f"{{ {semicolon(own)} return {name}; }}"


def _result(node: Node) -> str:
    """Return the type of a member's function; an array whose class does not say how long it is decays.

    Where a template's class has its values, how long it is comes from the function's body.
    """
    first = _first(node)
    if types.kind_name(first.type) == "INCOMPLETEARRAY":
        return f"decltype(&{node.spelling}[0])" if library.initialiser(first) is None else "auto &"
    return f"decltype(({node.spelling}))"


def _first(node: Node) -> Cursor:
    pattern = library.template_of(node.cursor) or node.cursor
    return pattern.canonical


def _last_declarator(node: Node) -> Node:
    """Return the last of the members that one declaration declares."""
    siblings = node.parent.children if node.parent is not None else (node,)
    return [n for n in siblings if n.kind == "VAR_DECL" and n.start == node.start][-1]


def _scope_start(text: str, name: int) -> int:
    """Return where the nested name in front of a member's name begins: ``A::B<int>::``."""
    at = len(text[:name].rstrip())
    while text[:at].endswith("::"):
        at = len(text[: at - 2].rstrip())
        if text[:at].endswith(">"):
            at = _opening(text, at)
        word = re.search(r"\w+\s*$", text[:at])
        at = word.start() if word is not None else at
        before = len(text[:at].rstrip())
        if not text[:before].endswith("::"):
            return at
        at = before
    return name


def _opening(text: str, at: int) -> int:
    """Return where the list of template arguments begins that ends at an offset."""
    depth = 0
    while at > 0:
        at -= 1
        depth += {">": 1, "<": -1}.get(text[at], 0)
        if depth == 0:
            break
    return len(text[:at].rstrip())
