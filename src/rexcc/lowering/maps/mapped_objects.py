"""The objects of which a construct maps parts, and the storage that covers these parts.

In: the segments of all items that start from one variable. Out: the objects they lead through, where the mapped parts
of each begin and end. A struct of which several members are mapped is one piece of storage on the device, from the
first of them to the last; so is one with elements of its flexible array member, which lie behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.clang import types
from rexcc.clang.tree import kind_of
from rexcc.lowering.maps.paths import Place, PointerSegment, Step
from rexcc.lowering.model.host_values import Pointer, Size
from rexcc.source.records import dataclass, field


@dataclass(eq=False)
class MappedObject:
    """An object with the segments that end in it.

    ``depth`` counts the pointers on the way to it; ``row`` is the number of the row that covers it, once there is one.
    """

    depth: int
    segments: list[PointerSegment] = field(default_factory=list)
    row: int | None = None

    @property
    def parts(self) -> list[PointerSegment]:
        """The segments that lead to different storage."""
        return list({segment.key: segment for segment in self.segments}.values())

    def wants_cover(self, in_kernel: bool) -> bool:
        """Whether its parts need a row that covers them all.

        LLVM's runtime wants it of structs. The parts of an array too have one base address in a kernel, and behind
        a pointer everywhere, so they must lie as far apart on the device as here.
        """
        segments = self.segments
        if any(segment.has_member for segment in segments):
            is_first = self.depth == 0 and any(segment.is_slot or segment.ends_in_section for segment in segments)
            return is_first or len(self.parts) > 1
        if len(self.parts) < 2 or any(not segment.steps for segment in segments):
            return False
        return in_kernel or self.depth > 0 or any(segment.is_slot for segment in segments)

    def cover(self) -> tuple[Pointer, Size]:
        """Return the address of the first mapped part, and the bytes up to the end of the last."""
        firsts, lasts = _extremes(self.parts, 0)
        if firsts == lasts and len(firsts) == 1:
            return firsts[0].begin, firsts[0].size
        begin = _chosen("rex_first", [place.begin for place in firsts])
        end = _chosen("rex_last", [place.end for place in lasts])
        return begin, Size(f"(char *){end.operand} - (char *){begin.operand}")


def _chosen(function: str, addresses: list[Pointer]) -> Pointer:
    """Return the first or last of addresses, which only the run can order if there are several."""
    found = addresses[0]
    for other in addresses[1:]:
        found = Pointer(f"{function}({found.text}, {other.text})", is_unary=True)
    return found


def _extremes(segments: Sequence[PointerSegment], depth: int) -> tuple[list[Place], list[Place]]:
    """Return the places that may be the first and the last of segments that agree in their first ``depth`` steps."""
    if len(segments) == 1:
        return [segments[0].place], [segments[0].place]
    ends = [segment for segment in segments if len(segment.steps) == depth]
    if ends:
        return [ends[0].place], [ends[0].place, *_behind(segments, depth)]
    groups: dict[object, list[PointerSegment]] = {}
    for segment in segments:
        groups.setdefault(segment.steps[depth].key, []).append(segment)
    found = list(groups.values())
    if len(found) == 1:
        return _extremes(found[0], depth + 1)
    positions = _positions([group[0].steps[depth] for group in found])
    if positions is None:
        return _unordered(found, depth)
    first, last = positions.index(min(positions)), positions.index(max(positions))
    return _extremes(found[first], depth + 1)[0], _extremes(found[last], depth + 1)[1]


def _unordered(groups: list[list[PointerSegment]], depth: int) -> tuple[list[Place], list[Place]]:
    """Return the array or struct around parts of which the compiler does not know the order, or all parts."""
    segment = groups[0][0]
    whole = segment.steps[depth - 1].place if depth else segment.whole
    if whole is not None:
        return [whole], [whole, *_behind([segment for group in groups for segment in group], depth)]
    extremes = [_extremes(group, depth + 1) for group in groups]
    return [p for firsts, _ in extremes for p in firsts], [p for _, lasts in extremes for p in lasts]


def _behind(segments: Sequence[PointerSegment], depth: int) -> list[Place]:
    """Return the places that may lie behind an object with them: elements of flexible array members."""
    return [segment.place for segment in segments if any(_is_flexible(step) for step in segment.steps[depth:])]


def _is_flexible(step: Step) -> bool:
    """Whether a step is to an array at the end of a struct that has no extent, or none to speak of."""
    name = types.kind_name(types.canonical(step.kind)) if step.member is not None else ""
    return name == "INCOMPLETEARRAY" or (name == "CONSTANTARRAY" and types.constant_extent(step.kind) == 0)


def _positions(steps: Sequence[Step]) -> list[int] | None:
    """Return where steps in the same struct or array lead, in order, None where that is not known."""
    owners = {int(s.member.semantic_parent.hash) for s in steps if s.member is not None}
    found = [_position(s) for s in steps]
    known = [p for p in found if p is not None]
    return known if len(known) == len(found) and len(owners) < 2 else None


def _position(step: Step) -> int | None:
    if step.is_part or step.member is None:
        return None if step.is_part else step.number
    in_union = kind_of(step.member.semantic_parent) == "UNION_DECL"
    offset = int(step.member.get_field_offsetof())
    return None if in_union or offset < 0 else offset
