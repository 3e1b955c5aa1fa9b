"""Classes with a template of constructors that takes anything, ``template <class T> C(T &&)``.

In: a class (references aside). Out: what is copied by such a template although the copy constructor is meant: objects
that are no constants, in C++; what functions return, if nvcc compiles.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.clang.classes import is_copied_as_bytes
from rexcc.clang.types import kept, members_of


@kept
def has_forwarding_constructor(kind: Type) -> bool:
    """Whether a class has a template of constructors that takes anything, also of a pack."""
    return any(map(_forwards_anything, (m for m in members_of(kind) if m.kind.name == "FUNCTION_TEMPLATE")))


@kept
def is_copied_by_template(kind: Type) -> bool:
    """Whether nvcc copies what a function returns by that template, where no copy is made elsewhere: the class has no
    move constructor, declared or implied, and its objects are copied as bytes."""
    if not has_forwarding_constructor(kind) or not is_copied_as_bytes(kind):
        return False
    members = members_of(kind)
    says_more = any(
        m.is_copy_constructor() or m.kind.name == "DESTRUCTOR" or m.spelling == "operator=" for m in members
    )
    return says_more and not any(m.is_move_constructor() for m in members)


def _forwards_anything(template: Cursor) -> bool:
    below = list(template.get_children())
    kinds = [child.kind.name for child in below]
    given = [str(child.type.spelling) for child in below if child.kind.name == "PARM_DECL"]
    is_constructor = template.spelling.partition("<")[0] == template.semantic_parent.spelling.partition("<")[0]
    is_open = kinds.count("TEMPLATE_TYPE_PARAMETER") == len(given) == 1  # without conditions as further parameters
    return is_constructor and is_open and given[0].endswith(("&&", "&&..."))
