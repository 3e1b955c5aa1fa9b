"""Loop lowering: the associated loop becomes a grid-stride loop over 64-bit thread numbers (seed 000).

In: a region's canonical loops. Out: the text that replaces the loop's header (everything before its body) and the lines
that open its body. Before::

    for (int i = lo; i < hi; i += s) { … }

after::

    for (long long __rex_i = lo + _dev_thread_id * s; __rex_i < hi; __rex_i += _dev_thread_num * s) {
      const int i = (int)__rex_i; …

A 64-bit index keeps its own name and type. The counting variable cannot overflow where the user's index did not. The
XOMP scheduler's form serves loops whose index cannot step by multiples, and chunked schedules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.geometry import relation_name
from rexcc.lowering.sections import bound

THREADS = (
    "const long long _dev_thread_num = (long long)gridDim.x * blockDim.x;",
    "const long long _dev_thread_id = (long long)blockDim.x * blockIdx.x + threadIdx.x;",
)

Text = Callable[[Node], str]
"""Gives the device text of an expression node."""


@dataclass(frozen=True)
class LoweredLoop:
    """Lines before the loop, the loop's new header (without brace), and the lines that open its body.

    ``closing`` is the number of braces the form opened beyond the body's own.
    """

    before: tuple[str, ...]
    header: str
    opening: tuple[str, ...]
    closing: int = 0


def lower_loops(loops: tuple[CanonicalLoop, ...], text: Text) -> LoweredLoop:
    """Return the direct grid-stride form of a loop nest."""
    if len(loops) > 1:
        return _collapsed(loops, text)
    loop = loops[0]
    if not loop.is_integer or _keeps_index(loop, text):
        return _direct(loop, text)
    return _offset(loop, text) if loop.is_wide else _counted(loop, text)


def _keeps_index(loop: CanonicalLoop, text: Text) -> bool:
    """Whether a 64-bit index can be the counting variable itself.

    Going up from a literal it would overflow only after more iterations than anyone can run; going down an unsigned one
    would wrap, and from near the type's limit the threads' last steps would.
    """
    return loop.is_wide and loop.increasing and text(loop.lower).isdigit() and not loop.index_type.is_const_qualified()


def _offset(loop: CanonicalLoop, text: Text) -> LoweredLoop:
    """A 64-bit index that starts anywhere: the distance from its first value is counted."""
    name, lower, upper = f"__rex_{loop.name}", text(loop.lower), text(loop.bound)
    distance = f"rex_distance({lower}, {upper})" if loop.increasing else f"rex_distance({upper}, {lower})"
    relation = "<=" if "=" in loop.relation else "<"
    header = (
        f"for (long long {name} = {_scaled('_dev_thread_id', loop)}; {name} {relation} {distance}; "
        f"{name} += {_scaled('_dev_thread_num', loop)})"
    )
    value = f"{bound(lower)} {'+' if loop.increasing else '-'} {name}"
    return LoweredLoop(THREADS, header, (_index_line(loop, value),))


def _scaled(name: str, loop: CanonicalLoop) -> str:
    return name if loop.step == "1" else f"{name} * {loop.step}"


def _start(loop: CanonicalLoop, text: Text) -> str:
    lower = text(loop.lower)
    step = _scaled("_dev_thread_id", loop)
    if lower == "0" and loop.increasing:
        return step
    return f"{bound(lower)} {'+' if loop.increasing else '-'} {step}"


def _stride(loop: CanonicalLoop) -> str:
    return f"{'+=' if loop.increasing else '-='} {_scaled('_dev_thread_num', loop)}"


def _limit(loop: CanonicalLoop, text: Text) -> str:
    """The bound; as a signed value where comparing with it would make the counting variable unsigned."""
    limit = text(loop.bound)
    unsigned = types.kind_name(types.canonical(loop.bound.bare().type)) in ("ULONG", "ULONGLONG")
    return f"(long long)({limit})" if unsigned else limit


def _counted(loop: CanonicalLoop, text: Text) -> LoweredLoop:
    name = f"__rex_{loop.name}"
    test = f"{name} {loop.relation} {_limit(loop, text)}"
    header = f"for (long long {name} = {_start(loop, text)}; {test}; {name} {_stride(loop)})"
    return LoweredLoop(THREADS, header, (_index_line(loop, name),))


def _index_line(loop: CanonicalLoop, value: str) -> str:
    kind = types.spell(types.without_reference(loop.index_type))
    bare = kind.removeprefix("const ")
    cast = (
        value if bare in ("long long", "long", "int64_t") and value.startswith("__rex_") else f"({bare}){bound(value)}"
    )
    return f"{bare} {loop.name} = {cast};"


def _direct(loop: CanonicalLoop, text: Text) -> LoweredLoop:
    """Pointers, random-access iterators and 64-bit integers step by multiples themselves."""
    declared = types.declare(types.without_reference(loop.index_type), loop.name)
    limit = text(loop.bound)
    header = (
        f"for ({declared} = {_start(loop, text)}; {loop.name} {loop.relation} {limit}; {loop.name} {_stride(loop)})"
    )
    return LoweredLoop(THREADS, header, ())


def device_tripcount(loop: CanonicalLoop, text: Text) -> str:
    """Return a loop's iterations as a device expression."""
    lower, upper = text(loop.lower), text(loop.bound)
    if not loop.is_integer:
        lower, upper = "0", f"({upper}) - ({lower})"
    return f"rex_tripcount_{relation_name(loop)}({lower}, {upper}, {loop.step})"


def _collapsed(loops: tuple[CanonicalLoop, ...], text: Text) -> LoweredLoop:
    counts, product = _counts(loops, text)
    before = (*THREADS, *counts, f"const long long _dev_count = {product};")
    header = (
        "for (long long _dev_iteration = _dev_thread_id; _dev_iteration < _dev_count; "
        "_dev_iteration += _dev_thread_num)"
    )
    return LoweredLoop(before, header, _indices(loops, text))


def _position_line(loop: CanonicalLoop, position: str, text: Text) -> str:
    lower = text(loop.lower)
    step = _scaled(position, loop)
    value = step if lower == "0" and loop.increasing else f"{bound(lower)} {'+' if loop.increasing else '-'} {step}"
    if loop.is_integer:
        return _index_line(loop, value)
    return f"{types.declare(types.without_reference(loop.index_type), loop.name)} = {value};"


def lower_distributed_chunks(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text) -> LoweredLoop:
    """Return the form of ``dist_schedule(static, chunk)``: teams take chunks round robin, their threads share each."""
    counts, product = _counts(loops, text)
    before = (
        *counts,
        f"const long long _dev_count = {product};",
        f"for (long long _dev_chunk = blockIdx.x * (long long){bound(chunk)}; _dev_chunk < _dev_count;",
        f"     _dev_chunk += gridDim.x * (long long){bound(chunk)})",
    )
    header = (
        "for (long long _dev_iteration = _dev_chunk + threadIdx.x;\n"
        f"       _dev_iteration < _dev_count && _dev_iteration < _dev_chunk + {bound(chunk)};\n"
        "       _dev_iteration += blockDim.x)"
    )
    return LoweredLoop(before, header, _indices(loops, text))


def _counts(loops: tuple[CanonicalLoop, ...], text: Text) -> tuple[list[str], str]:
    """Return the declarations of each loop's iteration count, and their product."""
    counts = [f"const long long _dev_count_{loop.name} = {device_tripcount(loop, text)};" for loop in loops]
    return counts, " * ".join(f"_dev_count_{loop.name}" for loop in loops)


def _indices(loops: tuple[CanonicalLoop, ...], text: Text) -> tuple[str, ...]:
    """Return the lines that recover every index from ``_dev_iteration``, the number in the whole nest."""
    opening: list[str] = []
    rest = "_dev_iteration"
    for loop in reversed(loops[1:]):
        position, quotient = f"__rex_{loop.name}", f"_dev_above_{loop.name}"
        opening.append(f"long long {quotient}, {position};")
        opening.append(f"rex_divmod({rest}, _dev_count_{loop.name}, &{quotient}, &{position});")
        rest = quotient
    opening += [_position_line(loop, rest if n == 0 else f"__rex_{loop.name}", text) for n, loop in enumerate(loops)]
    return tuple(opening)


def lower_with_xomp(loops: tuple[CanonicalLoop, ...], chunk: str, text: Text) -> LoweredLoop:
    """Return the XOMP scheduler's form: chunks of iterations handed out round robin (seed 000, step 6).

    Iterations of the whole nest are numbered from 0; the scheduler hands out numbers, the body's opening lines turn
    them into indices.
    """
    counts, product = _counts(loops, text)
    before = (
        "const long long _dev_thread_num = getCUDABlockThreadCount(1);",
        "const long long _dev_thread_id = getLoopIndexFromCUDAVariables(1);",
        *counts,
        f"const long long _dev_last = {product} - 1;",
        "long long _dev_lower, _dev_upper, _dev_loop_chunk_size, _dev_loop_sched_index, _dev_loop_stride;",
        f"XOMP_static_sched_init(0, _dev_last, 1, {chunk}, _dev_thread_num, _dev_thread_id,",
        "                       &_dev_loop_chunk_size, &_dev_loop_sched_index, &_dev_loop_stride);",
        "while (XOMP_static_sched_next(&_dev_loop_sched_index, _dev_last, 1, _dev_loop_stride, _dev_loop_chunk_size,",
        "                              _dev_thread_num, _dev_thread_id, &_dev_lower, &_dev_upper))",
    )
    header = "for (long long _dev_iteration = _dev_lower; _dev_iteration <= _dev_upper; _dev_iteration++)"
    return LoweredLoop(before, header, _indices(loops, text))
