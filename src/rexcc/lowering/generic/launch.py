"""How many threads the blocks of a team region have, and which of its parallels use all of them.

In: a region with its attributes and the parallels in it. Out: :class:`Launch`. What the user wrote stays exactly: a
block is as wide as the widest parallel, a narrower parallel uses the block's first threads; only threads without any
work, whose absence nothing can tell, are not launched (:mod:`rexcc.lowering.generic.spare_threads`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.generic.known_counts import Count, host_text, iterations_of
from rexcc.lowering.generic.spare_threads import can_spare_threads, needed_threads
from rexcc.lowering.generic.steps import steps_of
from rexcc.lowering.loops.light_loops import is_light_loop
from rexcc.lowering.model.geometry import (
    DEFAULT_THREADS,
    constant_trips,
    constant_value,
    region_tripcount,
    threads_of_shared_loop,
)
from rexcc.lowering.model.host_values import Number, asked_for
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass, replace

_WORTH_JOINING = 16
"""``REX_WORTH_JOINING`` of ``rex_geometry.h``: iterations of a thread that are worth joining more results."""


@dataclass(frozen=True)
class Launch:
    """``threads`` is a host expression, None for the default; ``bound`` the constant for the launch bounds, 0 when
    unknown; ``whole`` are the parallels that use the whole block, by identity. ``has_light_loops``: they are loops,
    and each does little. ``shared_loop`` are the iterations of the only one, where teams have an iteration each and the
    compiler chooses their threads, else empty."""

    threads: Number | None
    bound: int
    whole: frozenset[int]
    has_light_loops: bool = False
    shared_loop: str = ""


@dataclass(frozen=True)
class _Wish:
    """The threads that a clause asks for: its expression, its constant value, whether the host can evaluate it.

    ``is_chosen``: there is no clause, the runtime chooses, and ``value`` are the most; ``is_light``: for a loop that
    does little; ``count`` are the loop's iterations, where they are known and each iteration of the region has a team.
    """

    number: Number
    value: int | None
    on_host: bool
    is_chosen: bool = False
    is_light: bool = False
    count: str = ""


def launch_of(
    region: TargetRegion, data: RegionData, parallels: list[Construct], called: Sequence[Construct]
) -> Launch:
    """Return the block's threads; ``called`` are parallels in functions that all threads call, which name no number."""
    limit = _wish(region, data, region.expression("thread_limit"))
    wishes = {id(c): _wish(region, data, _clause(c, "num_threads")) for c in parallels}
    known = [(c, w) for c in parallels if (w := wishes[id(c)]) is not None and w.on_host]
    open_wishes = [*(w for w in wishes.values() if w is None or not w.on_host), *(None for _ in called)]
    most = region.unit.target.limits.threads
    is_pattern = region.owner.template is not None
    narrows = _has_team_for_each(region) and not _shares_objects(region, parallels)
    counted = [_counted(region, data, c, narrows) for c in parallels if wishes[id(c)] is None]
    counted += [_uncounted(c, narrows) for c in called]
    others = _open_width(open_wishes, limit, counted, most)
    width = _width([*(w for _, w in known), *others], limit, is_pattern)
    alone = len({w.number for _, w in known}) == 1 and not open_wishes
    whole = {id(c) for c in parallels if c.condition("parallel") is None and _is_whole(wishes[id(c)], width, alone)}
    if width is None:
        return Launch(None, DEFAULT_THREADS, frozenset(whole))
    bound = width.value if width.value is not None and 0 < width.value <= most else 0
    needed = _width([*(_needed(region, data, c, w) for c, w in known), *others], limit, is_pattern) or width
    has_light_loops = not known and bool(others) and all(wish.is_light for wish in others)
    shared_loop = needed.count if others == [needed] and not known else ""
    is_open = limit is None and not known and not called and all(w is None for w in open_wishes)
    if is_open and _has_team_for_each(region) and not shared_loop:
        needed = _for_steps(region, data, parallels, needed)
    return Launch(_at_least_one(needed), bound, frozenset(whole), has_light_loops, shared_loop)


def _for_steps(region: TargetRegion, data: RegionData, parallels: list[Construct], wide: _Wish) -> _Wish:
    """Return the threads of teams that go step by step, of which there may be many."""
    steps = steps_of(region, data, parallels)
    return wide if steps is None else replace(wide, number=Number(steps.threads(wide.number.text)))


def _at_least_one(wish: _Wish) -> Number:
    """Return the threads of a launch: a region may ask for less than one where it does not come to the parallel."""
    if wish.value is not None:
        return wish.number
    return Number(f"rex_max({wish.number.text}, 1)")


def _width(wanted: list[_Wish], limit: _Wish | None, is_pattern: bool) -> _Wish | None:
    """Return the width of a block that does for all parallels."""
    width = _extreme(wanted, "max", is_pattern)
    return width if limit is None or width is None else _extreme([width, limit], "min", is_pattern)


def _needed(region: TargetRegion, data: RegionData, construct: Construct, wish: _Wish) -> _Wish:
    """Return the threads that a parallel needs of those that it asks for."""
    count = iterations_of(region, data, construct)
    if count is None or not can_spare_threads(region, construct):
        return wish
    text = needed_threads(count, wish.number.as_int, wish.value)
    return _Wish(Number(text), wish.value, True, is_chosen=True) if text else wish


def _open_width(open_wishes: list[_Wish | None], limit: _Wish | None, counted: list[_Wish], most: int) -> list[_Wish]:
    """Return the width for parallels that name no number of threads, or one that is known only in the region."""
    if not open_wishes:
        return []
    if limit is not None:
        return [limit]
    return [_Wish(Number(str(most), True), most, True)] if any(w is not None for w in open_wishes) else counted


def _counted(region: TargetRegion, data: RegionData, construct: Construct, narrows: bool) -> _Wish:
    """Return the threads for a parallel whose iterations the host can count, the default for any other.

    ``narrows``: the region may have narrower teams where these are many.
    """
    count = iterations_of(region, data, construct)
    if count is None:
        return _uncounted(construct, narrows)
    has_each = _has_team_for_each(region)
    is_light = has_each and is_light_loop(region.unit, construct, count.loops)
    call = threads_of_shared_loop(count.text, is_light, str(DEFAULT_THREADS))
    return replace(
        _chosen(call, is_light=is_light), count=count.text if has_each and _may_be_long(region, count) else ""
    )


def _may_be_long(region: TargetRegion, count: Count) -> bool:
    """Whether a loop may have enough iterations for more threads than a block has by default."""
    trips = [constant_trips(region, loop.statement) for loop in count.loops]
    return None in trips or prod(one for one in trips if one is not None) > _WORTH_JOINING * DEFAULT_THREADS


def _uncounted(construct: Construct, narrows: bool) -> _Wish:
    if narrows and "for" in construct.directive.leaves:
        return _chosen(f"rex_threads_of_many_teams(__device_id, __rex_tripcount, {DEFAULT_THREADS})")
    return _chosen(f"rex_team_threads(__device_id, {DEFAULT_THREADS})")


def _has_team_for_each(region: TargetRegion) -> bool:
    """Whether the iterations of a region have a team each, and the host counts them."""
    chooses = any(region.clauses("num_teams", "dist_schedule")) or region.construct.condition("teams") is not None
    return region.has_teams and not chooses and bool(region_tripcount(region))


def _shares_objects(region: TargetRegion, parallels: list[Construct]) -> bool:
    """Whether team code declares arrays or objects, whose memory limits how many teams a multiprocessor takes."""
    bodies = [c.body for c in parallels if c.body is not None]
    assert region.construct.body is not None
    declared = (n for n in region.construct.body.walk() if n.kind == "VAR_DECL")
    shared = (n for n in declared if not any(n.is_inside(body) for body in bodies))
    return any(not types.is_scalar(n.type) and not types.is_pointer(n.type) for n in shared)


def _chosen(call: str, *, is_light: bool = False) -> _Wish:
    return _Wish(Number(call), DEFAULT_THREADS, True, is_chosen=True, is_light=is_light)


def threads_text(context: Context, construct: Construct) -> str:
    """Return the threads that a parallel asks for as a device expression, empty for all."""
    asked = construct.directive.expression("num_threads")
    wanted = context.expression(construct, asked) if asked is not None else ""
    condition = construct.condition("parallel")
    if condition is not None:
        return f"({context.expression(construct, condition)}) ? {wanted or context.unit.target.words.threads} : 1"
    return wanted


def _is_whole(wish: _Wish | None, width: _Wish | None, alone: bool) -> bool:
    if wish is None:
        return True
    return wish.on_host and (alone or (width is not None and wish.number == width.number))


def _clause(construct: Construct, name: str) -> tuple[str, Node | None] | None:
    expression = construct.directive.expression(name)
    if expression is None:
        return None
    return expression.text.strip(), construct.node_of(expression)


def _wish(region: TargetRegion, data: RegionData, found: tuple[str, Node | None] | None) -> _Wish | None:
    if found is None:
        return None
    text, node = found
    number = asked_for(text)
    if number.is_literal or node is None:
        return _Wish(number, constant_value(text, node), number.is_literal)
    known = host_text(region, data, node)
    is_rewritten = bool(known) and known != region.unit.user_text(node)
    return _Wish(Number(known) if is_rewritten else number, constant_value(text, node), bool(known))


def _extreme(wishes: list[_Wish], name: str, is_pattern: bool) -> _Wish | None:
    """Return the ``max`` or ``min`` of wishes; in a template's text constants differ from instance to instance."""
    texts = list(dict.fromkeys(w.number.text for w in wishes))
    if len(texts) <= 1:
        return wishes[0] if wishes else None
    values = [w.value for w in wishes if w.value is not None]
    best = (max if name == "max" else min)(values) if len(values) == len(wishes) else None
    if best is not None and not is_pattern and not any(w.is_chosen for w in wishes):
        return next(w for w in wishes if w.value == best)
    text = texts[0]
    for more in texts[1:]:
        text = f"rex_{name}({text}, {more})"
    return _Wish(Number(text), best, True, any(w.is_chosen for w in wishes))
