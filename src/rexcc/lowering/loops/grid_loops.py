"""Loop lowering: the threads of a team, or of all teams, share a loop's iterations.

In: canonical loops and who shares them. Out: the text that replaces the loop's header (everything before its body) and
the lines that open its body. Before::

    for (int i = lo; i < hi; i += s) { … }

after, for all threads of all teams and for those of a block::

    for (long long __rex_i = lo + _dev_thread_id * s; __rex_i < hi; __rex_i += _dev_thread_num * s) {
      const int i = (int)__rex_i; …
    for (int i = threadIdx.x; i < 256; i += blockDim.x) { …

A 64-bit index keeps its own name and type. The counting variable cannot overflow where the user's index did not. The
XOMP scheduler's form serves loops whose index cannot step by multiples, and chunked schedules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum

from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.analysis.nests import inner_headers
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Code, Declare, DeclareAll, Do, For, Stmt, UserSlot, in_place
from rexcc.lowering.model.geometry import tripcount
from rexcc.lowering.text.team import Team, grid
from rexcc.source.records import dataclass
from rexcc.target.model import Words


def number_of_threads(words: Words, in_block: str = "") -> Declare:
    """Return the declaration of how many threads all blocks have, of which each has the given number."""
    return constant("_dev_thread_num", f"(long long){words.blocks} * {in_block or words.threads}")


def number_of_thread(words: Words, in_block: str = "") -> Declare:
    """Return the declaration of the running thread's number among them."""
    return constant("_dev_thread_id", f"(long long){words.number_in_grid(in_block)}")


def constant(name: str, value: str, kind: str = "long long") -> Declare:
    """Return the declaration of a constant."""
    return Declare(f"const {kind} {name}", name, value)


def counting(index: str, start: str, bound: str, step: str, also: str = "") -> For:
    """Return the header of a loop that counts upwards with 64 bits."""
    return For(f"long long {index}", index, start, "<", bound, step, also)


Text = Callable[[Node], str]
"""Gives the device text of an expression node."""


class IterationOrder(Enum):
    """What a form knows of who gets which iteration."""

    BY_INDEX = "the index steps by the number of threads"
    BY_NUMBER = "_dev_count iterations have numbers, which are dealt out one by one"
    IN_CHUNKS = "the same in chunks of _dev_chunk_size"


@dataclass(frozen=True)
class LoweredLoop:
    """The form of a loop: what stands before it, its new headers, outermost first, and its body.

    The body has :class:`UserSlot` in place of the user's statement.
    """

    before: Code
    headers: tuple[str | For, ...]
    body: Code
    order: IterationOrder = IterationOrder.BY_INDEX

    @property
    def opening(self) -> Code:
        """What opens the body of a form whose last statement is the user's."""
        assert isinstance(self.body[-1], UserSlot)
        return self.body[:-1]

    def opened_with(self, *code: Stmt) -> LoweredLoop:
        """Return the form with further code in front of the user's statement."""
        return replace(self, body=in_place(self.body, (*code, UserSlot())))


_UNSIGNED = frozenset({"ULONG", "ULONGLONG"})
_COUNTERS = {"INT": 1 << 31, "UINT": 1 << 32, "LONG": 1 << 63, "LONGLONG": 1 << 63, "ULONG": 1 << 64,
             "ULONGLONG": 1 << 64}  # fmt: skip
"""What index types can count with themselves, with the first value that is too great for them."""


@dataclass(frozen=True)
class Share:
    """Who shares iterations: the running thread's number, how many there are, and the lines that declare these.

    ``in_block``: they are the threads of one block, so both are small 32-bit numbers; otherwise they may be large.
    ``is_narrow``: they have 32 bits, whatever their values.
    """

    number: str
    count: str
    before: Code = ()
    in_block: bool = True
    is_narrow: bool = False

    @staticmethod
    def of(team: Team) -> Share:
        """Return the share of a team's threads."""
        if team.is_grid:
            return _of_grid(team)
        if not team.known:
            number, count = "_dev_thread", "_dev_threads"
            both = (Declare(number, number, team.thread), Declare(count, count, team.threads))
            return Share(number, count, (DeclareAll("const int", both),))
        return Share(team.thread, team.threads, in_block=not team.is_league, is_narrow=True)

    def wide(self, name: str) -> str:
        """Return the number or the count as a 64-bit integer."""
        return f"(long long){name}" if self.in_block or self.is_narrow else name

    def times(self, name: str, step: Step, is_wide: bool = False) -> str:
        """Return a multiple of the number or the count that cannot overflow; ``is_wide``: it has 64 bits already."""
        if step.is_one:
            return name
        small = self.in_block and step.value is not None and step.value < 1 << 16
        return f"{name if small or is_wide else self.wide(name)} * {step.text}"


def _of_grid(team: Team) -> Share:
    assert team.words is not None
    threads = team.of_block.threads
    numbers = (number_of_threads(team.words, threads), number_of_thread(team.words, threads))
    return Share("_dev_thread_id", "_dev_thread_num", numbers, in_block=False)


def lower_loops(loops: tuple[CanonicalLoop, ...], text: Text, team: Team, most: int) -> LoweredLoop:
    """Return the form of a loop nest in which a team's threads take iterations in turn; a block has ``most``."""
    share = Share.of(team)
    if len(loops) > 1:
        return _collapsed(loops, text, share)
    loop = loops[0]
    if loop.type_text and loop.is_integer:
        return _counted(loop, text, share)
    if not loop.is_integer or _keeps_index(loop) or (share.in_block and _counts_itself(loop, most)):
        return _direct(loop, text, share)
    return _offset(loop, text, share) if loop.is_wide else _counted(loop, text, share)


def _keeps_index(loop: CanonicalLoop) -> bool:
    """Whether a 64-bit index can be the counting variable itself.

    Going up from a literal it would overflow only after more iterations than anyone can run; going down an unsigned one
    would wrap, and from near the type's limit the threads' last steps would.
    """
    is_up = loop.increasing and loop.lower_value is not None
    return loop.is_wide and is_up and not loop.index_type.is_const_qualified()


def _counts_itself(loop: CanonicalLoop, most: int) -> bool:
    """Whether no thread's last step goes beyond the index's type: the loop goes up from and to constants."""
    limit = _COUNTERS.get(types.kind_name(loop.index_type.get_canonical()))
    lower, upper = evaluate_integer(loop.lower.cursor), evaluate_integer(loop.bound.cursor)
    if limit is None or lower is None or upper is None or loop.step.value is None or not loop.increasing:
        return False
    return lower >= 0 and upper + loop.step.value * (most + 1) < limit


def _offset(loop: CanonicalLoop, text: Text, share: Share) -> LoweredLoop:
    """A 64-bit index that starts anywhere: the distance from its first value is counted."""
    name, lower, upper = f"__rex_{loop.name}", text(loop.lower), text(loop.bound)
    distance = f"rex_distance({lower}, {upper})" if loop.increasing else f"rex_distance({upper}, {lower})"
    relation = "<=" if "=" in loop.relation else "<"
    step = f"+= {share.times(share.count, loop.step)}"
    header = For(f"long long {name}", name, share.times(share.number, loop.step), relation, distance, step)
    value = f"{loop.operand(loop.lower, text)} {'+' if loop.increasing else '-'} {name}"
    return LoweredLoop(share.before, (header,), (_index(loop, value), UserSlot()))


def _start(loop: CanonicalLoop, text: Text, share: Share, signed: bool = False) -> str:
    """Return a thread's first value of the index; ``signed``: it may be negative, which an unsigned sum cannot be."""
    if loop.is_from_zero:
        return share.times(share.number, loop.step)
    step = share.times(share.wide(share.number) if signed else share.number, loop.step, signed)
    return f"{loop.operand(loop.lower, text)} {'+' if loop.increasing else '-'} {step}"


def _stride(loop: CanonicalLoop, share: Share) -> str:
    return f"{'+=' if loop.increasing else '-='} {share.times(share.count, loop.step)}"


def _limit(loop: CanonicalLoop, text: Text) -> str:
    """The bound; as a signed value where comparing with it would make the counting variable unsigned."""
    limit = text(loop.bound)
    unsigned = types.kind_name(types.canonical(loop.bound.bare().type)) in _UNSIGNED
    return f"(long long)({limit})" if unsigned or loop.type_text else limit


def _counted(loop: CanonicalLoop, text: Text, share: Share) -> LoweredLoop:
    name = f"__rex_{loop.name}"
    header = _header(loop, text, share, _stride(loop, share))
    return LoweredLoop(share.before, (header,), (_index(loop, name, is_name=True), UserSlot()))


def _header(loop: CanonicalLoop, text: Text, share: Share, step: str) -> For:
    """Return the header of a loop that counts an index with 64 bits."""
    name, start = f"__rex_{loop.name}", _start(loop, text, share, True)
    return For(f"long long {name}", name, start, loop.relation, _limit(loop, text), step)


def lower_once(loop: CanonicalLoop, text: Text, threads: int, words: Words) -> LoweredLoop:
    """Return the form for a grid that has a thread for each iteration: on a GPU no thread comes around again.

    Blocks of ``threads`` that are a power of two end at 2**32 at the latest, and where an ``int`` counts up from a
    constant at 2**31. Others may go beyond, by the threads of the last block that have no iteration.
    """
    number = _number_in_grid(loop, threads, words.number_in_grid())
    numbers = (number_of_threads(words), constant("_dev_thread_id", number))
    share = Share("_dev_thread_id", "_dev_thread_num", numbers, in_block=False)
    name = f"__rex_{loop.name}"
    again = f"= rex_next_{'up' if loop.increasing else 'down'}({name}, {share.times(share.count, loop.step)})"
    header = _header(loop, text, share, again)
    return LoweredLoop(numbers, (header,), (_index(loop, name, is_name=True), UserSlot()))


def _number_in_grid(loop: CanonicalLoop, threads: int, number: str) -> str:
    if threads & (threads - 1):
        return f"(long long){number}"
    is_signed = types.kind_name(loop.index_type.get_canonical()) != "UINT"
    return f"(int)({number})" if is_signed and loop.increasing and loop.lower_value is not None else number


def _index(loop: CanonicalLoop, value: str, is_name: bool = False) -> Declare:
    """Return the declaration of an index; its value is a counting variable, or made of one, and has 64 bits."""
    bare = loop.type_text or types.spell_value(types.without_reference(loop.index_type))
    cast = value if bare in ("long long", "long", "int64_t") else f"({bare}){value if is_name else f'({value})'}"
    return Declare(f"{bare} {loop.name}", loop.name, cast)


def _direct(loop: CanonicalLoop, text: Text, share: Share) -> LoweredLoop:
    """Pointers, random-access iterators and integers that cannot overflow step by multiples themselves."""
    limit, start = text(loop.bound), _start(loop, text, share)
    header = For(_declared(loop), loop.name, start, loop.relation, limit, _stride(loop, share))
    return LoweredLoop(share.before, (header,), (UserSlot(),))


def _declared(loop: CanonicalLoop) -> str:
    if loop.type_text:
        return f"{loop.type_text} {loop.name}"
    return types.declare(types.without_reference(loop.index_type), loop.name)


def device_tripcount(loop: CanonicalLoop, text: Text) -> str:
    """Return a loop's iterations as a device expression."""
    return tripcount(loop, text(loop.lower), text(loop.bound))


def lower_numbered(loops: tuple[CanonicalLoop, ...], text: Text, team: Team) -> LoweredLoop:
    """Return the form of a loop nest in which ``_dev_iteration`` is the iteration's number."""
    return _collapsed(loops, text, Share.of(team))


def lower_rounds(loops: tuple[CanonicalLoop, ...], text: Text, team: Team) -> LoweredLoop:
    """Return the form in which all threads of a team, in one block, take part in every round, an iteration each.

    In the last round some have none: their ``_dev_iteration`` is not below ``_dev_count``.
    """
    share = Share.of(team)
    counts, product = nest_counts(loops, text)
    before = (*share.before, *counts, constant("_dev_count", product))
    header = counting("_dev_base", "0", "_dev_count", f"+= {share.count}")
    number = constant("_dev_iteration", f"_dev_base + {share.number}")
    return LoweredLoop(before, (header,), (number, *_indices(loops, text), UserSlot()), IterationOrder.BY_NUMBER)


def _collapsed(loops: tuple[CanonicalLoop, ...], text: Text, share: Share, comes_around: bool = True) -> LoweredLoop:
    counts, product = nest_counts(loops, text)
    before = (*share.before, *counts, constant("_dev_count", product))
    headers = (_nest_header(share, comes_around),)
    return LoweredLoop(before, headers, (*_indices(loops, text), UserSlot()), IterationOrder.BY_NUMBER)


def lower_chunks(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text, team: Team) -> LoweredLoop:
    """Return the form in which a team's threads take chunks of iterations in turn."""
    share = Share.of(team)
    counts, product = nest_counts(loops, text)
    numbers = (Declare("_dev_count", "_dev_count", product), Declare("_dev_chunk_size", "_dev_chunk_size", chunk))
    before = (*share.before, *counts, DeclareAll("const long long", numbers))
    first, stride = (f"{number} * _dev_chunk_size" for number in (share.number, share.count))
    chunks = counting("_dev_chunk", first, "_dev_count", f"+= {stride}")
    within = "_dev_iteration < _dev_chunk + _dev_chunk_size"
    header = counting("_dev_iteration", "_dev_chunk", "_dev_count", "++", within)
    return LoweredLoop(before, (chunks, header), (*_indices(loops, text), UserSlot()), IterationOrder.IN_CHUNKS)


def _at_position(loop: CanonicalLoop, position: str, text: Text) -> Declare:
    step = position if loop.step.is_one else f"{position} * {loop.step.text}"
    value = step if loop.is_from_zero else f"{loop.operand(loop.lower, text)} {'+' if loop.increasing else '-'} {step}"
    if loop.is_integer:
        return _index(loop, value, is_name=loop.is_from_zero and loop.step.is_one)
    return Declare(_declared(loop), loop.name, value)


def lower_distributed_chunks(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text, words: Words) -> LoweredLoop:
    """Return the form of ``dist_schedule(static, chunk)``: teams take chunks round robin, their threads share each."""
    counts, product = nest_counts(loops, text)
    before = (
        *counts,
        constant("_dev_count", product),
    )
    first, stride = (f"{number} * (long long){chunk}" for number in (words.block, words.blocks))
    chunks = counting("_dev_chunk", first, "_dev_count", f"+= {stride}")
    start, within = f"_dev_chunk + {words.thread}", f"_dev_iteration < _dev_chunk + {chunk}"
    header = counting("_dev_iteration", start, "_dev_count", f"+= {words.threads}", within)
    return LoweredLoop(before, (chunks, header), (*_indices(loops, text), UserSlot()), IterationOrder.IN_CHUNKS)


def nest_counts(loops: tuple[CanonicalLoop, ...], text: Text) -> tuple[list[Declare], str]:
    """Return the declarations of each loop's iteration count, and their product."""
    counts = [constant(f"_dev_count_{loop.name}", device_tripcount(loop, text)) for loop in loops]
    return counts, " * ".join(f"_dev_count_{loop.name}" for loop in loops)


def _indices(loops: tuple[CanonicalLoop, ...], text: Text, divided: frozenset[str] = frozenset()) -> Code:
    """Return the code that recovers the indices from ``_dev_iteration``, the number in the whole nest.

    An index whose loop stands in the code between the loops is declared there.
    """
    quotients, outermost = quotients_of(loops, divided)
    later = [loop for loop in inner_headers(loops) if loop.declares]
    return (*quotients, *positions_of(tuple(x for x in loops if x not in later), loops, outermost, text))


def quotients_of(loops: tuple[CanonicalLoop, ...], divided: frozenset[str] = frozenset()) -> tuple[list[Stmt], str]:
    """Return the code that takes ``_dev_iteration`` apart, and what is left for the outermost loop.

    ``divided`` are the names of those loops for whose extents there is a divisor of the host's (``nests``).
    """
    found: list[Stmt] = []
    rest = "_dev_iteration"
    for loop in reversed(loops[1:]):
        position, quotient = _position(loop), f"_dev_above_{loop.name}"
        found.append(DeclareAll("long long", (Declare(quotient, quotient), Declare(position, position))))
        extent = f"_dev_count_{loop.name}" + (f", {divisor(loop)}" if loop.name in divided else "")
        found.append(Do(f"rex_divmod({rest}, {extent}, &{quotient}, &{position});"))
        rest = quotient
    return found, rest


def divisor(loop: CanonicalLoop) -> str:
    """Return the name of what the host has made of a loop's extent."""
    return f"_dev_by_{loop.name}"


def lower_divided(
    loops: tuple[CanonicalLoop, ...], divided: frozenset[str], comes_around: bool, text: Text, words: Words
) -> LoweredLoop:
    """Return the form of a nest over the grid of which the host has counted the iterations, and made divisors.

    ``comes_around`` says that a thread may have a second iteration although there are fewer than 2**31 of them.
    """
    share = Share.of(grid(words))
    # where an extent that counts from 0 is negative, there are no iterations
    counts = [constant(f"_dev_count_{loop.name}", iteration_count(loop, text)) for loop in loops[1:]]
    headers = (_nest_header(share, comes_around),)
    return LoweredLoop(
        (*share.before, *counts), headers, (*_indices(loops, text, divided), UserSlot()), IterationOrder.BY_NUMBER
    )


def lower_counted(loops: tuple[CanonicalLoop, ...], comes_around: bool, text: Text, words: Words) -> LoweredLoop:
    """Return the form of a nest over the grid whose iterations the kernel counts; ``comes_around`` as above."""
    return _collapsed(loops, text, Share.of(grid(words)), comes_around)


def _nest_header(share: Share, comes_around: bool) -> For:
    again = f"+= {share.count}" if comes_around else f"= rex_next(_dev_iteration, {share.count}, _dev_count)"
    return counting("_dev_iteration", share.number, "_dev_count", again)


def positions_of(
    wanted: tuple[CanonicalLoop, ...], loops: tuple[CanonicalLoop, ...], outermost: str, text: Text
) -> tuple[Declare, ...]:
    """Return the declarations of some loops' indices; ``outermost`` is the outermost loop's position."""
    return tuple(_at_position(x, outermost if x is loops[0] else _position(x), text) for x in wanted)


def inner_index(loop: CanonicalLoop, text: Text) -> Declare:
    """Return the declaration of an inner loop's index; all loops' positions are known."""
    return _at_position(loop, _position(loop), text)


def iteration_count(loop: CanonicalLoop, text: Text) -> str:
    """Return a loop's iterations as a device expression, the bound itself where it counts up from 0."""
    from_zero = loop.is_from_zero and loop.step.is_one and loop.relation == "<"
    return _limit(loop, text) if from_zero else device_tripcount(loop, text)


def _position(loop: CanonicalLoop) -> str:
    return f"__rex_{loop.name}"


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
        constant("_dev_last", f"{product} - 1"),
        DeclareAll("long long", tuple(Declare(name, name) for name in _OF_SCHEDULER)),
        Do(
            f"XOMP_static_sched_init(0, _dev_last, 1, {chunk}, _dev_thread_num, _dev_thread_id,\n"
            "                       &_dev_loop_chunk_size, &_dev_loop_sched_index, &_dev_loop_stride);"
        ),
    )
    chunks = (
        "while (XOMP_static_sched_next(&_dev_loop_sched_index, _dev_last, 1, _dev_loop_stride, _dev_loop_chunk_size,\n"
        "                              _dev_thread_num, _dev_thread_id, &_dev_lower, &_dev_upper))"
    )
    name = "_dev_iteration"
    header = For(f"long long {name}", name, "_dev_lower", "<=", "_dev_upper", "++")
    return LoweredLoop(before, (chunks, header), (*_indices(loops, text), UserSlot()))
