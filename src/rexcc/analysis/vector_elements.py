"""Elements of vectors of the library, of numbers or pointers: ``start[l]``.

In: a call in the host program. Out: the vector, which has a name, and the subscript. The call looks at nothing but the
vector and returns a reference to the element: ``std::vector<bool>``, whose elements are no objects, is none of these.
"""

from __future__ import annotations

from rexcc.clang import library, types
from rexcc.clang.standard_library import is_method_of_std
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of


def vector_element(call: Node) -> tuple[Node, Node] | None:
    """Return the vector and the subscript of a number or pointer in a ``std::vector`` that has a name."""
    method = call.referenced if call.kind == "CALL_EXPR" else None
    if method is None or kind_of(method) != "CXX_METHOD" or method.spelling != "operator[]":
        return None
    if method.semantic_parent.spelling != "vector" or not is_method_of_std(method):
        return None
    if not types.is_reference(method.result_type):  # a vector of bits, which are no objects
        return None
    given = [c for c in call.children if c.referenced is None or kind_of(c.referenced) != "CXX_METHOD"]
    vector = given[0].bare() if len(given) == 2 else None
    target = vector.referenced if vector is not None and vector.kind == "DECL_REF_EXPR" else None
    if vector is None or target is None or kind_of(target) not in VARIABLE_KINDS:
        return None
    return None if library.is_made_at_first_use(target) else (vector, given[1])


def is_reference(name: Node) -> bool:
    """Whether a name is that of a reference, whose object may be anywhere."""
    return name.referenced is not None and types.is_reference(name.referenced.type)
