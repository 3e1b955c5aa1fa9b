"""The lines with which a kernel sees the names that its function sees.

In: a kernel. Out: using declarations and directives, of the function, its blocks and its class, as text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.tree import Node, kind_of
from rexcc.codegen.closure.declaration_closure import ClosureBuilder
from rexcc.codegen.places.member_usings import lines as lines_of_types
from rexcc.codegen.places.member_usings import member_types
from rexcc.codegen.places.scopes import local_usings, namespaces_in_unnamed, using_text
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.qualified import passed_variables


def usings_of_kernel(builder: ClosureBuilder, kernel: Kernel) -> tuple[str, ...]:
    """Return the lines with which a kernel sees the names that its function sees, those of its arguments aside."""
    always = ("USING_DIRECTIVE", "NAMESPACE_ALIAS")
    passed = passed_variables(kernel.data)
    names = {variable.name for variable in passed}
    kept = (u for u in local_usings(kernel.region) if u.kind in always or builder.usings.needs(u, passed))
    lines = (line for u in kept for line in _lines_of(kernel, u, using_text(builder.unit.user_text(u)), names))
    texts = tuple(filter(None, lines))
    spaces = namespaces_in_unnamed(kernel.region.owner.node.cursor)
    members = member_types(kernel.region, {v.name for v in passed})
    return (*(f"using namespace ::{space};" for space in spaces), *texts, *lines_of_types(members))


def _lines_of(kernel: Kernel, using: Node, text: str, names: Collection[str]) -> Sequence[str]:
    """Return the text of a using declaration; ``using enum`` has a line for each enumerator that the region names where
    a variable of the kernel, of which there are ``names``, is called as another one of them."""
    if not uses_enumeration(using):
        return (text,)
    named = (node.referenced for part in kernel.region.device_parts for node in part.walk())
    found = {str(c.spelling): c for c in named if c is not None and kind_of(c) == "ENUM_CONSTANT_DECL"}
    own = {name: c.semantic_parent for name, c in found.items() if c.semantic_parent.spelling == using.spelling}
    if not any(str(c.spelling) in names for enumeration in own.values() for c in enumeration.get_children()):
        return (text,)
    return [f"using {e.type.get_canonical().spelling}::{name};" for name, e in own.items() if name not in names]
