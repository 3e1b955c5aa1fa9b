"""Loop forms in which the iterations of a whole nest are numbered: ``__rex_iteration`` counts them.

In: the loops of a nest and who shares them. Out: :class:`LoweredLoop`, whose body begins with what recovers the indices
from the number. Chunks, rounds and the XOMP scheduler deal out numbers.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers
from rexcc.kernel.ir import (
    Code,
    Declare,
    DeclareAll,
    Do,
    For,
    Stmt,
    UserSlot,
)
from rexcc.lowering.loops.loop_forms import (
    WIDE,
    IterationOrder,
    LoweredLoop,
    Share,
    Text,
    constant,
    counting,
    declarator,
    declare_index,
    signed_bound,
)
from rexcc.lowering.model.geometry import tripcount
from rexcc.lowering.text.team import Team, grid
from rexcc.source.own_names import own_name, related
from rexcc.target.model import Words


def device_tripcount(loop: CanonicalLoop, text: Text, number: str = WIDE) -> str:
    """Return a loop's iterations as a device expression, a number of a type."""
    return _counted(loop, text, number, "rex_count_{}")


def _counted(loop: CanonicalLoop, text: Text, number: str, function: str) -> str:
    function = "rex_tripcount_{}" if number == WIDE else f"{function}<{number}>"
    return tripcount(loop, loop.value(loop.lower, text), loop.value(loop.bound, text), function)


def lower_numbered(loops: tuple[CanonicalLoop, ...], text: Text, team: Team) -> LoweredLoop:
    """Return the form of a loop nest in which ``__rex_iteration`` is the iteration's number."""
    return lower_collapsed(loops, text, Share.of(team))


def lower_rounds(loops: tuple[CanonicalLoop, ...], text: Text, team: Team) -> LoweredLoop:
    """Return the form in which all threads of a team, in one block, take part in every round, an iteration each.

    In the last round some have none: their ``__rex_iteration`` is not below ``__rex_trips``.
    """
    share = Share.of(team)
    counts, product = nest_counts(loops, text)
    before = (*share.before, *counts, constant("__rex_trips", product))
    header = counting("__rex_chunk_base", "0", "__rex_trips", f"+= {share.count}")
    number = constant("__rex_iteration", f"__rex_chunk_base + {share.number}")
    return LoweredLoop(before, (header,), (number, *indices(loops, text), UserSlot()), IterationOrder.BY_NUMBER)


def lower_collapsed(
    loops: tuple[CanonicalLoop, ...], text: Text, share: Share, comes_around: bool = True
) -> LoweredLoop:
    """Return the form in which threads take iterations in turn; without ``comes_around`` none has a second one, as far
    as there are fewer than 2**31 of them."""
    counts, product = nest_counts(loops, text)
    before = (*share.before, *counts, constant("__rex_trips", product))
    headers = (_nest_header(share, comes_around),)
    return LoweredLoop(before, headers, (*indices(loops, text), UserSlot()), IterationOrder.BY_NUMBER)


def lower_chunks(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text, team: Team) -> LoweredLoop:
    """Return the form in which a team's threads take chunks of iterations in turn."""
    share = Share.of(team)
    counts, product = nest_counts(loops, text)
    numbers = (
        Declare("__rex_trips", "__rex_trips", product),
        Declare("__rex_chunk_size", "__rex_chunk_size", chunk),
    )
    before = (*share.before, *counts, DeclareAll("const long long", numbers))
    first, stride = (f"{number} * __rex_chunk_size" for number in (share.number, share.count))
    chunks = counting("__rex_chunk_number", first, "__rex_trips", f"+= {stride}")
    within = "__rex_iteration < __rex_chunk_number + __rex_chunk_size"
    header = counting("__rex_iteration", "__rex_chunk_number", "__rex_trips", "++", within)
    return LoweredLoop(before, (chunks, header), (*indices(loops, text), UserSlot()), IterationOrder.IN_CHUNKS)


def _at_position(loop: CanonicalLoop, position: str, text: Text) -> Declare:
    step = position if loop.step.is_one else f"{position} * {loop.step.text}"
    value = step if loop.is_from_zero else f"{loop.operand(loop.lower, text)} {'+' if loop.increasing else '-'} {step}"
    if loop.is_integer:
        return declare_index(loop, value, is_name=loop.is_from_zero and loop.step.is_one)
    return Declare(declarator(loop), loop.name, value)


def lower_distributed_chunks(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text, words: Words) -> LoweredLoop:
    """Return the form of ``dist_schedule(static, chunk)``: teams take chunks round robin, their threads share each."""
    counts, product = nest_counts(loops, text)
    before = (
        *counts,
        constant("__rex_trips", product),
    )
    first, stride = (f"{number} * (long long){chunk}" for number in (words.block, words.blocks))
    chunks = counting("__rex_chunk_number", first, "__rex_trips", f"+= {stride}")
    start, within = f"__rex_chunk_number + {words.thread}", f"__rex_iteration < __rex_chunk_number + {chunk}"
    header = counting("__rex_iteration", start, "__rex_trips", f"+= {words.threads}", within)
    return LoweredLoop(before, (chunks, header), (*indices(loops, text), UserSlot()), IterationOrder.IN_CHUNKS)


def nest_counts(loops: tuple[CanonicalLoop, ...], text: Text, number: str = WIDE) -> tuple[list[Declare], str]:
    """Return the declarations of each loop's iteration count, numbers of a type, and their product.

    The count of a single loop is the product, and has no declaration of its own.
    """
    if len(loops) == 1:
        return [], device_tripcount(loops[0], text, number)
    counts = [constant(related("trips", loop.name), device_tripcount(loop, text, number), number) for loop in loops]
    return counts, " * ".join(related("trips", loop.name) for loop in loops)


def indices(
    loops: tuple[CanonicalLoop, ...], text: Text, divided: frozenset[str] = frozenset(), number: str = WIDE
) -> Code:
    """Return the code that recovers the indices from ``__rex_iteration``, the number in the whole nest.

    An index whose loop stands in the code between the loops is declared there. ``number`` is the type of the numbers.
    """
    quotients, outermost = quotients_of(loops, divided, number)
    later = [loop for loop in inner_headers(loops) if loop.declares]
    return (*quotients, *positions_of(tuple(x for x in loops if x not in later), loops, outermost, text))


def quotients_of(
    loops: tuple[CanonicalLoop, ...], divided: frozenset[str] = frozenset(), number: str = WIDE
) -> tuple[list[Stmt], str]:
    """Return the code that takes ``__rex_iteration`` apart, and what is left for the outermost loop.

    ``divided`` are the names of those loops for whose extents there is a divisor of the host's (``nests``); ``number``
    is the type of the numbers.
    """
    found: list[Stmt] = []
    rest = "__rex_iteration"
    for loop in reversed(loops[1:]):
        position, quotient = _position(loop), related("above", loop.name)
        found.append(DeclareAll(number, (Declare(quotient, quotient), Declare(position, position))))
        extent = related("trips", loop.name) + (f", {divisor(loop)}" if loop.name in divided else "")
        found.append(Do(f"rex_divmod({rest}, {extent}, &{quotient}, &{position});"))
        rest = quotient
    return found, rest


def positions(loops: tuple[CanonicalLoop, ...]) -> tuple[str, ...]:
    """Return the names of the loops' positions that :func:`quotients_of` makes, outermost first."""
    return (related("above", loops[1].name), *map(_position, loops[1:]))


def divisor(loop: CanonicalLoop) -> str:
    """Return the name of what the host has made of a loop's extent."""
    return related("by", loop.name)


def lower_divided(
    loops: tuple[CanonicalLoop, ...], divided: frozenset[str], share: Share, comes_around: bool, text: Text
) -> LoweredLoop:
    """Return the form of a nest of which the host has counted the iterations, and made divisors.

    ``comes_around`` says that a thread may have a second iteration although there are fewer than 2**31 of them.
    """
    # where an extent that counts from 0 is negative, there are no iterations
    counts = [constant(related("trips", loop.name), iteration_count(loop, text)) for loop in loops[1:]]
    headers = (_nest_header(share, comes_around),)
    return LoweredLoop(
        (*share.before, *counts), headers, (*indices(loops, text, divided), UserSlot()), IterationOrder.BY_NUMBER
    )


def lower_narrow(
    loops: tuple[CanonicalLoop, ...],
    divided: frozenset[str],
    number: str,
    text: Text,
    words: Words,
    is_by_threads: bool = False,
) -> LoweredLoop:
    """Return either form where no thread has a second iteration, with numbers of a type; ``is_by_threads``: in which
    threads have one if the type is that of the form for them (:mod:`.threads_of_run`)."""
    counted, count = (loops[1:], iteration_count) if divided else (loops, device_tripcount)
    product = " * ".join(related("trips", loop.name) for loop in loops)
    before = (
        *Share.of_grid(words, number).before,
        *(constant(related("trips", loop.name), count(loop, text, number), number) for loop in counted),
        constant("__rex_nest_trips", f"({number})__rex_trips" if divided else product, number),
    )
    name, again = "__rex_iteration", "= rex_next(__rex_iteration, _dev_thread_num, __rex_nest_trips)"
    if is_by_threads:
        again = f"= rex_next_count<{number}>(__rex_iteration, _dev_thread_num)"
    header = For(f"{number} {name}", name, "_dev_thread_id", "<", "__rex_nest_trips", again)
    body = (*indices(loops, text, divided, number), UserSlot())
    return LoweredLoop(before, (header,), body, IterationOrder.BY_NUMBER)


def lower_asked(
    loops: tuple[CanonicalLoop, ...], divided: frozenset[str], number: str, text: Text, words: Words
) -> LoweredLoop:
    """Return the form of a nest that the host has counted for the launches in which its bounds are the host's
    (:mod:`.asked_bounds`): no thread has a second iteration then."""
    counts, product = nest_counts(loops, text, number)
    count = constant("__rex_nest_trips", f"rex_count_of<{number}>(__rex_trips, {product})", number)
    before = (*Share.of_grid(words, number).before, *counts, count)
    name, again = "__rex_iteration", f"= rex_next_count<{number}>(__rex_iteration, _dev_thread_num)"
    header = For(f"{number} {name}", name, "_dev_thread_id", "<", "__rex_nest_trips", again)
    body = (*indices(loops, text, divided, number), UserSlot())
    return LoweredLoop(before, (header,), body, IterationOrder.BY_NUMBER)


def lower_counted(loops: tuple[CanonicalLoop, ...], comes_around: bool, text: Text, words: Words) -> LoweredLoop:
    """Return the form of a nest over the grid whose iterations the kernel counts; ``comes_around`` as above."""
    return lower_collapsed(loops, text, Share.of(grid(words)), comes_around)


def _nest_header(share: Share, comes_around: bool) -> For:
    again = f"+= {share.count}" if comes_around else f"= rex_next(__rex_iteration, {share.count}, __rex_trips)"
    return counting("__rex_iteration", share.number, "__rex_trips", again)


def positions_of(
    wanted: tuple[CanonicalLoop, ...], loops: tuple[CanonicalLoop, ...], outermost: str, text: Text
) -> tuple[Declare, ...]:
    """Return the declarations of some loops' indices; ``outermost`` is the outermost loop's position."""
    return tuple(_at_position(x, outermost if x is loops[0] else _position(x), text) for x in wanted)


def inner_index(loop: CanonicalLoop, text: Text) -> Declare:
    """Return the declaration of an inner loop's index; all loops' positions are known."""
    return _at_position(loop, _position(loop), text)


def iteration_count(loop: CanonicalLoop, text: Text, number: str = WIDE) -> str:
    """Return a loop's iterations as a device expression, the bound itself where it counts up from 0.

    With numbers of 32 bits that is right only where there are iterations.
    """
    from_zero = loop.is_from_zero and loop.step.is_one and loop.relation == "<"
    return signed_bound(loop, text) if from_zero else _counted(loop, text, number, "rex_extent_{}")


def nest_count(loops: tuple[CanonicalLoop, ...], text: Text) -> str:
    """Return the iterations of all loops as one device expression; of several loops it has 64 bits."""
    counts = [iteration_count(loop, text) for loop in loops]
    if len(counts) == 1:
        return counts[0]
    # a name may be a macro's, unless the bound is that variable
    variables = {loop.bound.bare().spelling for loop in loops}
    first, *others = (one if one.isdigit() or one in variables else f"({one})" for one in counts)
    return " * ".join((f"(long long){first}", *others))


def _position(loop: CanonicalLoop) -> str:
    return own_name(loop.name)


_OF_SCHEDULER = ("_dev_lower", "_dev_upper", "_dev_loop_chunk_size", "_dev_loop_sched_index", "_dev_loop_stride")


def lower_with_xomp(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text, words: Words) -> LoweredLoop:
    """Return the XOMP scheduler's form: chunks of iterations handed out round robin.

    Iterations of the whole nest are numbered from 0; the scheduler hands out numbers, the body's opening lines turn
    them into indices.
    """
    counts, product = nest_counts(loops, text)
    before: Code = (
        constant("_dev_thread_num", words.xomp_threads),
        constant("_dev_thread_id", words.xomp_thread),
        *counts,
        constant("__rex_last", f"{product} - 1"),
        DeclareAll("long long", tuple(Declare(name, name) for name in _OF_SCHEDULER)),
        Do(
            f"XOMP_static_sched_init(0, __rex_last, 1, {chunk}, _dev_thread_num, _dev_thread_id,\n"
            "                       &_dev_loop_chunk_size, &_dev_loop_sched_index, &_dev_loop_stride);"
        ),
    )
    chunks = (
        "while (XOMP_static_sched_next(&_dev_loop_sched_index, __rex_last, 1, _dev_loop_stride, _dev_loop_chunk_size,\n"
        "                              _dev_thread_num, _dev_thread_id, &_dev_lower, &_dev_upper))"
    )
    name = "__rex_iteration"
    header = For(f"long long {name}", name, "_dev_lower", "<=", "_dev_upper", "++")
    return LoweredLoop(before, (chunks, header), (*indices(loops, text), UserSlot()))
