"""Types that GPUs have not: ``long double``, which is ``double`` there, C's complex numbers of other types than
``double`` and ``float``, ``_Atomic``, vectors, streams.

In: a region with its attributes. Out: nothing, or an error. A value that stays on the device only has less precision,
but the host's bytes in mapped storage would mean another number.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.library import canonical_type
from rexcc.clang.tree import Node
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import variable_of
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.patterns import regex
from rexcc.target.model import Target

_EXTENSIONS = {
    "VECTOR": "a vector type (vector_size)",
    "EXTVECTOR": "a vector type (ext_vector_type)",
    "COMPLEX": "a complex type of C",
    "ATOMIC": "an '_Atomic' type",
}
_INSTEAD = {
    "ATOMIC": "leave '_Atomic' out and access it by '#pragma omp atomic'",
    "COMPLEX": "use 'double complex' or 'float complex' without 'volatile'",
}
_STREAM = regex(r"(?:const )?std::(?:\w+::)?basic_[io]*(?:f|string)?stream<")
_NAMED = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "VAR_DECL", "PARM_DECL"})
_VALUES = frozenset({"IMAGINARY_LITERAL", "CSTYLE_CAST_EXPR", "COMPOUND_LITERAL_EXPR", "CALL_EXPR"})
_OWN = (Kind.PRIVATE, Kind.CONSTANT, Kind.CONSTANT_ARRAY, Kind.NEEDED_CONSTANT, Kind.CLOSURE, Kind.ALLOCATOR)
"""Variables of which the kernel gets no bytes."""


def check_device_types(region: TargetRegion, data: RegionData, target: Target) -> None:
    """Raise CompileError for a ``long double`` of the host's, or a type that the device's compiler lacks
    (``unsupported-type``)."""
    able = target.capabilities
    called = called_bodies(region.unit.tree, region.device_parts) if not region.unit.is_cplusplus else ()
    for body in (*region.device_parts, *called):
        for node in body.walk():
            problem = unknown_type(region.unit, node, target)
            if problem is not None:
                raise problem
    nodes = [node for part in region.device_parts for node in part.walk()]
    for node in nodes if region.unit.is_cplusplus and not able.streams else ():
        _check_stream(region, node)
    passed = {a.variable for a in data.attributes if a.kind not in _OWN}
    for node in nodes if not able.long_double else ():
        if node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") or _innermost(node) != "LONGDOUBLE":
            continue
        root = _root(node)
        if root.kind == "CXX_THIS_EXPR" or root.kind == "MEMBER_REF_EXPR" or variable_of(root.referenced) in passed:
            message = f"'{region.unit.user_text(node)}' holds 'long double', which a GPU has not; "
            raise error("unsupported-type", f"{message}copy it into a 'double' first", region.unit.span(node))


def _check_stream(region: TargetRegion, node: Node) -> None:
    """Raise CompileError for a stream of the C++ library, which only the host has."""
    if node.kind != "DECL_REF_EXPR" or node.referenced is None:
        return
    if _STREAM.match(str(types.canonical(node.type).spelling)) is not None:
        message = f"'{node.spelling}' is a stream of the host, which device code does not have; 'printf' prints there"
        raise error("unsupported-type", message, region.unit.span(node))


def unknown_type(unit: ParsedUnit, node: Node, target: Target) -> CompileError | None:
    """Return the error for a variable or value of a type that the C compilers have and the device's has not."""
    if node.kind not in _NAMED and node.kind not in _VALUES and not _becomes_complex(unit, node):
        return None
    lacking = target.capabilities.lacking_types
    name = node.spelling if node.kind in _NAMED else unit.user_text(node)
    found = _innermost_type(node)
    if lacking and types.kind_name(found) == "RECORD" and not unit.is_cplusplus:
        found, name = next(_lacking_members(found, name), (found, name))
    kind = types.kind_name(found)
    if kind not in lacking or (kind == "COMPLEX" and not unit.is_cplusplus and _has_class(found)):
        return None
    what = _EXTENSIONS.get(kind, f"a type of the kind {kind}")
    what = f"the complex type '{found.spelling}'" if kind == "COMPLEX" and not unit.is_cplusplus else what
    verb = "is converted to" if node.kind == "UNEXPOSED_EXPR" else "has"
    message = f"'{name}' {verb} {what}, which {target.tools.compiler} does not have in device code; "
    instead = _INSTEAD.get(kind, "use an array or a structure")
    instead = "use std::complex" if kind == "COMPLEX" and unit.is_cplusplus else instead
    message += f"{instead}, or build for the CPU device alone (--target=host)"
    return error("unsupported-type", message, unit.span(node))


def _becomes_complex(unit: ParsedUnit, node: Node) -> bool:
    """Whether C converts a value to a complex type by itself, as for a parameter or beside a wider operand."""
    is_c = node.kind == "UNEXPOSED_EXPR" and not unit.is_cplusplus
    return is_c and types.kind_name(types.canonical(node.type)) == "COMPLEX"


def _has_class(complex_type: Type) -> bool:
    """Whether device code has a class in place of a complex type of C (``rex_device_c_complex.h``)."""
    return str(complex_type.spelling).removeprefix("const ") in ("_Complex double", "_Complex float")


def _lacking_members(record: Type, name: str) -> Iterator[tuple[Type, str]]:
    """Yield the atomic and complex members of a structure, which device code has to declare as a whole, that it cannot
    declare."""
    for member in record.get_fields():
        has_name = member.spelling and "(" not in member.spelling
        inner, path = types.innermost(member.type).get_canonical(), f"{name}.{member.spelling}" if has_name else name
        kind = types.kind_name(inner)
        if kind == "ATOMIC" or (kind == "COMPLEX" and not _has_class(inner)):
            yield inner, path
        elif kind == "RECORD":
            yield from _lacking_members(inner, path)


def _innermost(node: Node) -> str:
    """Return the kind of an expression's type, of the elements of an array, or of what a pointer points to."""
    return types.kind_name(_innermost_type(node))


def _innermost_type(node: Node) -> Type:
    kind = types.canonical(node.type)
    for _ in range(20):
        below = types.element_of(kind)
        if below is None and types.is_pointer(kind):
            below = types.pointee_of(kind)
        if below is None:
            break
        kind = canonical_type(below)
    return kind


def _root(node: Node) -> Node:
    """Return the innermost object that an expression names: a variable, ``this``, or a member of it."""
    for inner in node.walk():
        if inner.kind in ("DECL_REF_EXPR", "CXX_THIS_EXPR"):
            return inner
    return node
