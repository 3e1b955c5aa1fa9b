"""Tasks, made by one thread of a parallel."""

from __future__ import annotations

from generator.constructs import after, loop_construct, share_written
from generator.maker import DEEPEST, MOST_RUNS, Maker
from generator.places import Level, Place, Slot, Tracker
from generator.tree import Directive, Node, block, fixed


def _may_task(place: Place) -> bool:
    return (
        place.level is Level.ONE
        and not place.pure
        and not place.held
        and 0 < place.nesting < 3
        and place.depth < DEEPEST
    )


def tasks(m: Maker, place: Place) -> list[Node]:
    """A loop that makes tasks, and the wait for them."""
    if not _may_task(place) or place.count > MOST_RUNS // 8:
        return []
    counter, trips, task = m.name("k"), m.number(1, 8), Slot()
    slots = (*place.slots, task, Slot(counter, trips, (task,)))
    inner = place.inside(slots=slots, trackers=(*place.trackers, Tracker(task)), count=place.count * trips)
    inner.reducers, inner.hidden = (), place.hidden | {r.item for r in place.reducers}
    m.know(counter, "int {}", inner)
    directive = Directive("task")
    body = m.body(inner, m.number(1, 3))
    share_written(inner, directive)
    if m.chance(0.3):
        directive.add(f"firstprivate({counter})", loose=True)
    if m.chance(0.3):
        directive.add(
            m.pick(("untied", "mergeable", "if(0)", f"if({counter} % 2)", "final(1)", "priority(2)")), loose=True
        )
    loop = block(f"for (int {counter} = 0; {counter} < {trips}; {counter}++)", [block("", body, directive)])
    if m.chance(0.4):
        return [block("", [loop], Directive("taskgroup"))]
    return [loop, fixed("#pragma omp taskwait")]


def one_task(m: Maker, place: Place) -> list[Node]:
    """A task that is waited for at once, or that runs at once."""
    if not _may_task(place):
        return []
    task = Slot()
    slots = (*place.slots, task, Slot("0", 1, (task,)))
    inner = place.inside(slots=slots, trackers=(*place.trackers, Tracker(task)))
    inner.reducers, inner.hidden = (), place.hidden | {r.item for r in place.reducers}
    directive = Directive("task")
    body = m.body(inner, m.number(1, 3))
    share_written(inner, directive)
    if m.chance(0.3):
        directive.add("if(0)")
        return [block("", body, directive)]
    return [block("", body, directive), fixed("#pragma omp taskwait")]


def taskloop(m: Maker, place: Place) -> list[Node]:
    """A loop whose iterations are tasks."""
    if not _may_task(place) or place.count > MOST_RUNS // 8:
        return []
    return after(place, loop_construct(m, place, m.pick(("taskloop", "taskloop", "taskloop simd"))))
