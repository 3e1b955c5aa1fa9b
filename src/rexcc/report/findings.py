"""What may keep a kernel from being fast: what its reader should look at, the gravest first.

In: a construct's report and its figures. Out: :class:`Finding`. Each rests on a fact of the compiler's or of the
assembler's, at its place where it has one; nothing is guessed from the program's text.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.lowering.model.topics import Topic
from rexcc.report.figures import Figures, better_threads, occupancy_of
from rexcc.report.model import ConstructReport, KernelReport, Point
from rexcc.report.units import bytes_text
from rexcc.source.records import dataclass
from rexcc.target.model import Target

_FEW_BLOCKS = 64
_HALF = 50
_VALUE = 16
"""Few blocks, a low occupancy in percent, and the bytes of what counts as one value."""
_WAITING = {
    "atomic": "threads that update one address wait for each other; a reduction gives each thread a copy of its own",
    "critical": "threads execute this one after the other",
    "ordered": "iterations execute this one after the other",
}


@dataclass(frozen=True)
class Finding:
    """What to look at: what is so (``fact``), what it costs (``cost``), and where."""

    fact: str
    cost: str
    place: Point | None = None


def findings(target: Target, construct: ConstructReport, figures: Figures) -> tuple[Finding, ...]:
    """Return what to look at in a construct; nothing is there twice."""
    found: list[Finding] = []
    for kernel in construct.kernels:
        found += _threads(kernel)
        found += _accesses(kernel)
        found += _taken(target, kernel, figures)
    found += _waiting(construct)
    found += _copies(construct)
    found += _copied(construct, figures)
    return tuple(dict.fromkeys(found))


def _threads(kernel: KernelReport) -> Iterator[Finding]:
    launch, place = kernel.launch, kernel.told[0].place if kernel.told else None
    if launch.one_block:
        yield Finding("The kernel has one block", "one multiprocessor executes it, and all others have nothing", place)
    elif 0 < launch.blocks <= _FEW_BLOCKS:
        blocks = f"{launch.blocks} block{'s' if launch.blocks > 1 else ''}"
        fact = f"The kernel has {blocks} of {kernel.widest} threads, because of 'num_teams'"
        busy = f"no more than {launch.blocks} multiprocessors have work, of which large GPUs have more than a hundred"
        yield Finding(fact, busy, launch.blocks_place)
    if launch.one_thread:
        yield Finding("A block has one thread", "the other lanes of its warp have nothing to do", place)
    if launch.sequential is not None:
        text = "one thread of a block executes what stands around parallels, and the others wait"
        yield Finding("There is sequential code around parallels", text, launch.sequential)


def _accesses(kernel: KernelReport) -> Iterator[Finding]:
    for told in kernel.told:
        if told.topic == Topic.ACCESS.value:
            why = f"{told.reasons[0].text}; an element that lies apart takes a transfer of its own"
            yield Finding(_sentence(told.message), why, told.place)


def _taken(target: Target, kernel: KernelReport, figures: Figures) -> Iterator[Finding]:
    for usage in figures.of(kernel):
        if usage.spill_stores or usage.spill_loads:
            spilled = f"{usage.spill_stores} bytes are stored and {usage.spill_loads} loaded in each thread's memory"
            yield Finding(f"Values find no register on {usage.architecture}", spilled)
        elif usage.stack:
            why = "an array with an index that varies, or a variable whose address is taken, lies there"
            yield Finding(f"Each thread has {usage.stack} bytes of stack in memory on {usage.architecture}", why)
        found = None if _is_small(kernel) else occupancy_of(target, usage, kernel)
        if found is not None and found.percent <= _HALF:
            fact = f"{found.warps} of {found.most} warps find room on a multiprocessor of {usage.architecture}"
            what = {"registers": f"each thread takes {usage.registers} registers",
                    "shared memory": f"each block takes {usage.shared + kernel.launch.shared} bytes of shared memory",
                    "blocks": f"its blocks are small: {kernel.launch.threads} threads",
                    "threads": f"its blocks have {kernel.launch.threads} threads"}  # fmt: skip
            why = " and ".join(what[name] for name in found.limits)
            less = "with fewer warps less waiting for memory is hidden"
            yield Finding(fact, f"{why}; {less}{_better(better_threads(target, usage, kernel))}")


def _better(threads: int) -> str:
    """Return what blocks to try, nothing where none are known."""
    return f"; blocks of {threads} threads would leave room for more" if threads else ""


def _is_small(kernel: KernelReport) -> bool:
    """Whether there are so few blocks or threads that room for more of them would be of no use."""
    launch = kernel.launch
    return launch.one_block or launch.one_thread or 0 < launch.blocks <= _FEW_BLOCKS


def _waiting(construct: ConstructReport) -> Iterator[Finding]:
    for name, place in construct.inside if construct.kernels else ():
        if name in _WAITING:
            yield Finding(f"'{name}' in the kernel", _WAITING[name], place)


def _copies(construct: ConstructReport) -> Iterator[Finding]:
    """Yield what a launch copies both ways: where no clause asks for it, or where it is a single value."""
    for entry in construct.entries if construct.kernels else ():
        if entry.transfer != "tofrom" or entry.is_reduced:
            continue
        fact, both = f"'{entry.what}' is mapped both ways", "to the device and back, unless it is there already"
        if entry.is_implicit:
            yield Finding(fact, f"no clause says which way is needed: it is copied {both}", entry.place)
        elif entry.size is not None and entry.size <= _VALUE:
            yield Finding(fact, f"each launch copies it {both}; a copy takes about as long as a launch", entry.place)


def _copied(construct: ConstructReport, figures: Figures) -> Iterator[Finding]:
    """Yield what a run has copied again for each of several calls."""
    timed = figures.timed(construct)
    if timed is None or timed.calls < 2 or not construct.kernels:
        return
    moved = timed.bytes_to + timed.bytes_from
    if moved > timed.calls * _VALUE * max(1, len(construct.entries)):
        fact = f"{bytes_text(moved)} were copied for {timed.calls} calls"
        yield Finding(fact, "a 'target data' around them, or 'target enter data', copies once", construct.place)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
