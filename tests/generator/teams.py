"""What one thread of a team executes by itself: parallels, distributed loops, work for certain teams."""

from __future__ import annotations

from generator.clauses import threads as ask_threads
from generator.constructs import after, loop_construct, uncovered
from generator.loops import bound
from generator.maker import DEEPEST, MOST_RUNS, Maker
from generator.places import Level, Place, Slot, Tracker
from generator.threads import defaults, one_thread, parallel_clauses
from generator.tree import Directive, Node, block

DISTRIBUTED = (
    "distribute",
    "distribute",
    "distribute simd",
    "distribute parallel for",
    "distribute parallel for",
    "distribute parallel for",
    "distribute parallel for simd",
    "loop bind(teams)",
)
LOOPS = (
    "parallel for",
    "parallel for",
    "parallel for",
    "parallel for simd",
    "parallel loop",
    "simd",
    "loop bind(thread)",
)


def threads_place(place: Place) -> Place:
    """Return the place of the threads of a new parallel."""
    slot = Slot()
    return place.inside(
        level=Level.THREADS,
        slots=(*place.slots, slot),
        trackers=(*place.trackers, Tracker(slot)),
        nesting=place.nesting + 1,
        threads=None,
        league=False,
        strict=False,
        reducers=(),
        hidden=place.hidden | {r.item for r in place.reducers},
    )


def may_fork(place: Place) -> bool:
    """Tell whether a parallel may stand at a place."""
    return not place.pure and not place.held and place.nesting < 3 and place.depth < DEEPEST


def parallel(m: Maker, place: Place) -> list[Node]:
    """A parallel with whatever threads do together."""
    if not may_fork(place):
        return []
    inner, directive = threads_place(place), Directive("parallel")
    before = parallel_clauses(m, place, inner, directive)
    ask_threads(m, inner, directive)
    node = block("", m.body(inner, m.number(1, 5)), directive)
    defaults(m, node, inner, directive)
    return [*before, node]


def parallel_loop(m: Maker, place: Place) -> list[Node]:
    """A parallel loop, or a loop of one thread in SIMD form."""
    if not may_fork(place) or place.count > MOST_RUNS // 4:
        return []
    name = m.pick(LOOPS)
    if place.strict and not name.startswith("parallel"):
        return []
    return after(place, loop_construct(m, place, name))


def simd(m: Maker, place: Place) -> list[Node]:
    """A SIMD loop in a thread."""
    if place.pure or place.strict or place.count > MOST_RUNS // 4:
        return []
    return after(place, loop_construct(m, place, "simd"))


def parallel_sections(m: Maker, place: Place) -> list[Node]:
    """A parallel with sections or one block for its first thread, as one directive."""
    if not may_fork(place):
        return []
    inner = threads_place(place)
    if m.chance(0.3):
        directive = Directive(m.pick(("parallel masked", "parallel master")))
        ask_threads(m, inner, directive)
        one = one_thread(inner)
        return [block("", m.body(one, m.number(1, 3)), directive)]
    directive = Directive("parallel sections")
    ask_threads(m, inner, directive)
    parts = [block("", m.body(one_thread(inner), 2), Directive("section")) for _ in range(m.number(1, 3))]
    return [block("", parts, directive)]


def distributed(m: Maker, place: Place) -> list[Node]:
    """A loop whose iterations the teams share."""
    if not place.league:
        return []
    return after(place, loop_construct(m, place, m.pick(DISTRIBUTED)))


def by_team(m: Maker, place: Place) -> list[Node]:
    """A loop over the iterations of the team's number."""
    if not place.league or place.depth >= DEEPEST:
        return []
    variable, extent = m.name("g"), m.number(1, 12)
    slot = Slot(variable, extent, tuple(uncovered(place.slots)[-1:]))
    inner = place.inside(slots=(*place.slots, slot), count=place.count * extent, league=False)
    m.know(variable, "int {}", inner)
    body = m.body(inner, m.number(1, 4))
    step = f"{variable} += omp_get_num_teams()"
    return [block(f"for (int {variable} = omp_get_team_num(); {variable} < {bound(m, extent)}; {step})", body)]


def first_team(m: Maker, place: Place) -> list[Node]:
    """A block for the first team."""
    if not place.league or place.depth >= DEEPEST:
        return []
    inner = place.inside(slots=(*place.slots, Slot("0", 1, tuple(uncovered(place.slots)[-1:]))), league=False)
    return [block("if (omp_get_team_num() == 0)", m.body(inner, m.number(1, 3)))]
