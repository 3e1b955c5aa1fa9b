"""Loop lowering: the threads of a team, or of all teams, share a loop's iterations.

In: canonical loops and who shares them. Out: the text that replaces the loop's header (everything before its body) and
the lines that open its body. Before::

    for (int i = lo; i < hi; i += s) { … }

after, for all threads of all teams and for those of a block::

    for (long long __rex_i = lo + _dev_thread_id * s; __rex_i < hi; __rex_i += _dev_thread_num * s) {
      const int i = (int)__rex_i; …
    for (int i = threadIdx.x; i < 256; i += blockDim.x) { …

A 64-bit index keeps its own name and type. The counting variable cannot overflow where the user's index did not: with
steps of 64 bits it is the iteration's number. The XOMP scheduler's form serves loops whose index cannot step by
multiples, and schedules with chunks of more than one iteration, or of one where threads can tell.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.kernel.ir import For, UserSlot
from rexcc.lowering.loops.loop_forms import (
    LoweredLoop,
    Share,
    Text,
    constant,
    declarator,
    declare_index,
    number_of_thread,
    number_of_threads,
    signed_bound,
)
from rexcc.lowering.loops.numbered_loops import lower_collapsed
from rexcc.lowering.model.geometry import in_order
from rexcc.lowering.text.team import Team
from rexcc.source.own_names import own_name
from rexcc.target.model import Words

_COUNTERS = {"INT": 1 << 31, "UINT": 1 << 32, "LONG": 1 << 63, "LONGLONG": 1 << 63, "ULONG": 1 << 64,
             "ULONGLONG": 1 << 64}  # fmt: skip
"""What index types can count with themselves, with the first value that is too great for them."""

_HIGH = 1 << 62
"""A 64-bit index that starts here or above may wrap where a thread without iterations would begin."""

_LONG_STEP = 1 << 32
"""Multiples of such a step by the numbers of threads may have more than 64 bits."""


def lower_loops(loops: tuple[CanonicalLoop, ...], text: Text, team: Team, most: int) -> LoweredLoop:
    """Return the form of a loop nest in which a team's threads take iterations in turn; a block has ``most``."""
    return lower_with(loops, text, Share.of(team), most)


def lower_with(loops: tuple[CanonicalLoop, ...], text: Text, share: Share, most: int) -> LoweredLoop:
    """Return the same for the threads of a share."""
    loop = loops[0]
    if len(loops) > 1 or (loop.is_integer and loop.is_wide and _has_long_step(loop)):
        return lower_collapsed(loops, text, share)
    if loop.type_text and loop.is_integer:
        return _counted(loop, text, share)
    if not loop.is_integer or _keeps_index(loop) or (share.in_block and _counts_itself(loop, most)):
        return _direct(loop, text, share)
    return _offset(loop, text, share) if loop.is_wide or loop.converted.order else _counted(loop, text, share)


def _has_long_step(loop: CanonicalLoop) -> bool:
    """Whether an index has a step of 64 bits of which a thread's multiple may be beyond its type."""
    step = evaluate_integer(loop.step_node.cursor) if loop.step_node is not None else loop.step.value
    if step is not None:
        return not -_LONG_STEP < step < _LONG_STEP
    if loop.step_node is None or loop.step.is_one:
        return False
    size: int = loop.step_node.bare().type.get_canonical().get_size()
    return size >= 8


def _keeps_index(loop: CanonicalLoop) -> bool:
    """Whether a 64-bit index can be the counting variable itself.

    Going up from a literal it would overflow only after more iterations than anyone can run; going down an unsigned one
    would wrap, and from near the type's limit the threads' last steps would.
    """
    is_up = loop.increasing and loop.lower_value is not None and loop.lower_value < _HIGH
    return loop.is_wide and is_up and not types.is_constant(loop.index_type)


def _counts_itself(loop: CanonicalLoop, most: int) -> bool:
    """Whether no thread's last step goes beyond the index's type: the loop goes up from and to constants."""
    limit = _COUNTERS.get(types.kind_name(loop.index_type.get_canonical()))
    lower, upper = evaluate_integer(loop.lower.cursor), evaluate_integer(loop.bound.cursor)
    if limit is None or lower is None or upper is None or loop.step.value is None or not loop.increasing:
        return False
    return lower >= 0 and upper + loop.step.value * (most + 1) < limit


def _offset(loop: CanonicalLoop, text: Text, share: Share) -> LoweredLoop:
    """A 64-bit index that starts anywhere, or one compared as if it were unsigned: the distance from its first value is
    counted."""
    name = own_name(loop.name)
    lower, upper = in_order(loop, loop.value(loop.lower, text), loop.value(loop.bound, text))
    distance = f"rex_distance({lower}, {upper})" if loop.increasing else f"rex_distance({upper}, {lower})"
    relation = "<=" if "=" in loop.relation else "<"
    step = f"+= {share.times(share.count, loop.step)}"
    header = For(f"long long {name}", name, share.times(share.number, loop.step), relation, distance, step)
    value = f"{loop.operand(loop.lower, text)} {'+' if loop.increasing else '-'} {name}"
    return LoweredLoop(share.before, (header,), (declare_index(loop, value), UserSlot()))


def _start(loop: CanonicalLoop, text: Text, share: Share, signed: bool = False) -> str:
    """Return a thread's first value of the index; ``signed``: it may be negative, which an unsigned sum cannot be."""
    if loop.is_from_zero:
        return share.times(share.number, loop.step)
    step = share.times(share.wide(share.number) if signed else share.number, loop.step, signed)
    return f"{loop.operand(loop.lower, text)} {'+' if loop.increasing else '-'} {step}"


def _stride(loop: CanonicalLoop, share: Share) -> str:
    return f"{'+=' if loop.increasing else '-='} {share.times(share.count, loop.step)}"


def _counted(loop: CanonicalLoop, text: Text, share: Share) -> LoweredLoop:
    name = own_name(loop.name)
    header = _header(loop, text, share, _stride(loop, share))
    return LoweredLoop(share.before, (header,), (declare_index(loop, name, is_name=True), UserSlot()))


def _header(loop: CanonicalLoop, text: Text, share: Share, step: str) -> For:
    """Return the header of a loop that counts an index with 64 bits."""
    name, start = own_name(loop.name), _start(loop, text, share, True)
    return For(f"long long {name}", name, start, loop.relation, signed_bound(loop, text), step)


def lower_by_launch(loop: CanonicalLoop, text: Text, words: Words, form: str) -> LoweredLoop:
    """Return the form for a grid of which the launch knows whether it has a thread for each iteration; ``form`` is the
    type that tells the kernel."""
    numbers = (number_of_threads(words), number_of_thread(words, ""))
    share = Share("_dev_thread_id", "_dev_thread_num", numbers, in_block=False)
    name = own_name(loop.name)
    function = f"rex_next_{'up' if loop.increasing else 'down'}<{form}>"
    header = _header(loop, text, share, f"= {function}({name}, {share.times(share.count, loop.step)})")
    return LoweredLoop(numbers, (header,), (declare_index(loop, name, is_name=True), UserSlot()))


def lower_once(loop: CanonicalLoop, text: Text, threads: int, words: Words) -> LoweredLoop:
    """Return the form for a grid that has a thread for each iteration: on a GPU no thread comes around again.

    Blocks of ``threads`` that are a power of two end at 2**32 at the latest, and where an ``int`` counts up from a
    constant at 2**31. Others may go beyond, by the threads of the last block that have no iteration.
    """
    number = _number_in_grid(loop, threads, words.number_in_grid())
    numbers = (number_of_threads(words), constant("_dev_thread_id", number))
    share = Share("_dev_thread_id", "_dev_thread_num", numbers, in_block=False)
    name = own_name(loop.name)
    again = f"= rex_next_{'up' if loop.increasing else 'down'}({name}, {share.times(share.count, loop.step)})"
    header = _header(loop, text, share, again)
    return LoweredLoop(numbers, (header,), (declare_index(loop, name, is_name=True), UserSlot()))


def _number_in_grid(loop: CanonicalLoop, threads: int, number: str) -> str:
    if threads & (threads - 1):
        return f"(long long){number}"
    is_signed = types.kind_name(loop.index_type.get_canonical()) != "UINT"
    return f"(int)({number})" if is_signed and loop.increasing and loop.lower_value is not None else number


def _direct(loop: CanonicalLoop, text: Text, share: Share) -> LoweredLoop:
    """Pointers, random-access iterators and integers that cannot overflow step by multiples themselves."""
    limit, start = loop.value(loop.bound, text), _start(loop, text, share)
    header = For(declarator(loop), loop.name, start, loop.relation, limit, _stride(loop, share))
    return LoweredLoop(share.before, (header,), (UserSlot(),))
