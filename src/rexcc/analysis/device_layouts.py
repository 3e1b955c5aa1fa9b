"""Classes whose objects GPUs have at other places than the host. nvcc's constants for their sizes and members are
right, and its code is not, without a word (nvcc 13.0).

In: a region with its attributes. Out: nothing, or an error where the region names an object of the host that is of such
a class, has a part of it, or leads to one. They are classes with a member that needs no place of its own
(``[[no_unique_address]]``, C++20 [dcl.attr.nouniqueaddr]), but for an empty one at the beginning, in front of others,
and one whose place nothing else uses; and packed classes with bases or parts that are not plain, which compilers pack
or do not. Of a base that depends on a template's parameters the places are not known: there such a member is alone, or
first.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.host_objects import behind
from rexcc.analysis.object_classes import text_of, with_bases
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import variable_of
from rexcc.source.diagnostics import error
from rexcc.target.model import Target

_OWN = (Kind.PRIVATE, Kind.CONSTANT, Kind.CONSTANT_ARRAY, Kind.NEEDED_CONSTANT, Kind.ALLOCATOR)
"""Variables of which the kernel gets no bytes."""
_ELSEWHERE = "or build for the CPU device alone (--target=host)"
_WITHOUT_ADDRESS = (
    "has a member with [[no_unique_address]], for which {compiler} makes wrong code; declare the member in front of "
    f"all others if it is empty, make it a base, {_ELSEWHERE}"
)
_PACKED = (
    "is packed and has bases or classes in it, which {compiler} packs in another way; use '#pragma pack' or leave "
    f"'packed' out, {_ELSEWHERE}"
)


def check_device_layouts(region: TargetRegion, data: RegionData, target: Target) -> None:
    """Raise CompileError for an object of the host that a GPU would read at wrong places (``unsupported-type``)."""
    if not region.unit.is_cplusplus or target.capabilities.places_members:
        return
    layouts = region.unit.kept(_Layouts)
    passed = {a.variable for a in data.attributes if a.kind not in _OWN}
    for node in (node for part in region.device_parts for node in part.walk()):
        kind = _of_host(node, passed)
        reason = layouts.reason(kind) if kind is not None else ""
        if reason:
            message = f"'{region.unit.user_text(node)}': {reason.replace('{compiler}', target.tools.compiler)}"
            raise error("unsupported-type", message, region.unit.span(node))


def _of_host(node: Node, passed: Container[object]) -> Type | None:
    """Return the type of an object of the host, or of what leads to one, that a node names; the own object by a member
    of it, too."""
    if node.kind == "DECL_REF_EXPR":
        return node.type if variable_of(node.referenced) in passed else None
    if node.kind == "MEMBER_REF_EXPR" and not node.children and node.referenced is not None:
        return node.referenced.semantic_parent.type
    return node.type if node.kind == "CXX_THIS_EXPR" else None


class _Layouts:
    """Why objects are at other places, by their classes; each class is looked at once."""

    def __init__(self, _: ParsedUnit) -> None:
        self._known: dict[int, str] = {}

    def reason(self, kind: Type) -> str:
        """Return what is wrong with a class that an object is of, consists of, or leads to; empty for nothing."""
        first = int(behind(kind).get_declaration().hash)
        if first not in self._known:
            self._known[first] = next(filter(None, map(_wrong, _classes(kind))), "")
        return self._known[first]


def _classes(kind: Type) -> Iterator[Type]:
    waiting, seen = [kind], set[int]()
    while waiting:
        found = types.canonical(behind(waiting.pop()))
        declared = found.get_declaration()
        if not types.is_record(found) or int(declared.hash) in seen:
            continue
        seen.add(int(declared.hash))
        yield found
        waiting += (field.type for field in found.get_fields())
        waiting += (base.type for base in with_bases(text_of(declared))[1:])
        if any(map(_is_parameter, text_of(declared).get_children())):
            waiting += map(found.get_template_argument_type, range(max(found.get_num_template_arguments(), 0)))


def _is_parameter(child: Cursor) -> bool:
    """Whether a base of a class is a parameter of its template: then its arguments are asked."""
    return kind_of(child) == "CXX_BASE_SPECIFIER" and not types.is_record(child.type)


def _wrong(kind: Type) -> str:
    """Return what is wrong with a class itself."""
    declared = kind.get_declaration()
    text, fields = text_of(declared), list(kind.get_fields())
    if kind_of(declared) == "UNION_DECL":
        return ""
    above = with_bases(text)[1:]
    bases = [base for base in above if any(kind_of(c) == "FIELD_DECL" for c in base.get_children())]
    wrong = (
        _has_wrong_place(kind, fields, bool(bases)) if kind.get_size() > 0 else _may_have_wrong_place(text, bool(bases))
    )
    shown = spelling.spell(kind).removeprefix("const ")
    if wrong:
        return f"'{shown}' {_WITHOUT_ADDRESS}"
    of_template = next((b for b in above if not types.is_record(b.type) and _may_have_wrong_place(b, False)), None)
    if of_template is not None:
        return f"'{of_template.spelling}' {_WITHOUT_ADDRESS}"
    is_packed = any(kind_of(child) == "PACKED_ATTR" for child in text.get_children())
    return f"'{shown}' {_PACKED}" if is_packed and (bases or any(map(_may_stay_unpacked, fields))) else ""


def _has_wrong_place(kind: Type, fields: list[Cursor], has_bases: bool) -> bool:
    """Whether a member without an address, or what stands at or behind it, may not be found."""
    places = [kind.get_offset(field.spelling) // 8 if field.spelling else -1 for field in fields]
    plain = [place for place, field in zip(places, fields, strict=True) if not _has_no_address(field)]
    for number, field in enumerate(fields):
        if not _has_no_address(field) or not types.is_record(field.type):
            continue
        if not _is_empty(field.type):
            if any(place < places[number] + field.type.get_size() for place in places[number + 1 :]):
                return True
        elif places[number] != 0 or number == len(fields) - 1 or not (has_bases or 0 in plain):
            return len(fields) > 1 or has_bases
    return False


def _may_have_wrong_place(text: Cursor, has_bases: bool) -> bool:
    """The same of a class of which no places are known."""
    written = [child for child in text.get_children() if kind_of(child) == "FIELD_DECL"]
    without = [number for number, field in enumerate(written) if _has_no_address(field)]
    return bool(without) and (len(written) > 1 or has_bases) and without != [0]


def _is_empty(kind: Type) -> bool:
    found = types.canonical(kind)
    return found.get_size() == 1 and not any(found.get_fields())


def _has_no_address(field: Cursor) -> bool:
    return any(map(_says_no_address, field.get_children()))


def _says_no_address(attribute: Cursor) -> bool:
    words = (token.spelling for token in attribute.get_tokens())
    return kind_of(attribute) == "UNEXPOSED_ATTR" and next(words, "").strip("_") == "no_unique_address"


def _may_stay_unpacked(field: Cursor) -> bool:
    kind = types.canonical(types.shape_of(field.type).element if types.is_array(field.type) else field.type)
    return types.is_record(kind) and (not kind.is_pod() or len(with_bases(text_of(kind.get_declaration()))) > 1)
