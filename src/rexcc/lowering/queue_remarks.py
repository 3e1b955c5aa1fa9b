"""What ``-Rrex=queue`` tells of a kernel: whether the host waits for it, and in front of what.

In: a kernel, and what is known of the waits of its unit (``launch_waits``). Out: remarks: that it is queued and up to
where, what interrupts the queue, or that it is waited for and the first thing that may see whether it has ended.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.batches.launch_waits import LaunchWaits
from rexcc.analysis.batches.quiet_runs import QuietRun
from rexcc.analysis.batches.tasks_in_order import is_ordered_task
from rexcc.clang.tree import Node
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.remarks import Reason, Remark
from rexcc.lowering.model.topics import Topic
from rexcc.program.found_constructs import PROBE_KINDS
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit

_MEMORY = frozenset({"ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "MEMBER_REF_EXPR"})
_OBJECT = frozenset({"VAR_DECL", "DECL_REF_EXPR"})
_LEAVES = frozenset({"RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT"})

_TASK = "this kernel is a task, which takes longer than a kernel in a queue"
_ORDER = "tasks that depend on each other are queued where the host does nothing else before a 'taskwait' for all"


def queue_remarks(kernel: Kernel, waits: LaunchWaits) -> tuple[Remark, ...]:
    """Return what is to tell of a kernel's launch."""
    construct, unit = kernel.region.construct, kernel.region.unit
    if Optimisation.QUEUES in unit.left_out:
        return ()
    run = waits.run_around(construct)
    if run is not None:
        return tuple(_of_run(unit, run))
    obstacles = waits.obstacles(construct)
    if is_ordered_task(construct):
        found = tuple(Reason(_why(unit, node), node) for node in obstacles)
        unless = "" if obstacles else f", unless a caller of '{_caller(kernel)}' queues it"
        return (Remark(Topic.QUEUE, _TASK + unless, None, (*found, Reason(_ORDER))),)
    if not obstacles:
        if _caller(kernel) == "main":
            return ()
        return (
            Remark(Topic.QUEUE, f"the host waits for this kernel, unless a caller of '{_caller(kernel)}' queues it"),
        )
    reasons = tuple(Reason(_why(unit, node), node) for node in obstacles)
    return (Remark(Topic.QUEUE, "the host waits for this kernel before it goes on", None, reasons),)


def _of_run(unit: ParsedUnit, run: QuietRun) -> Iterator[Remark]:
    last = unit.span(run.last)
    where = f" up to line {last.source.users_line(last.end)}" if last is not None else ""
    yield Remark(Topic.QUEUE, f"the host does not wait for this kernel: it is queued, with all{where}")
    if run.interruptions:
        reasons = tuple(Reason("this may see whether the kernels have ended", i.first) for i in run.interruptions)
        yield Remark(Topic.QUEUE, "the host waits for all queued kernels in front of other statements", None, reasons)


def _caller(kernel: Kernel) -> str:
    return str(kernel.region.owner.node.cursor.spelling)


def _why(unit: ParsedUnit, node: Node) -> str:
    """Return in words why a part of a statement may see whether kernels have ended."""
    text = " ".join(unit.user_text(node).split())
    if node.kind == "CALL_EXPR" and node.referenced is not None and node.referenced.spelling:
        return f"what '{node.referenced.spelling}' does may see whether kernels have ended"
    if node.kind in _MEMORY:
        return f"'{text}' may be memory that kernels or copies change"
    if node.kind in _OBJECT and node.spelling:
        return f"'{node.spelling}' is no plain variable: its class, or others, may see whether kernels have ended"
    if node.kind in PROBE_KINDS:
        return "this directive may see whether kernels have ended, or what it says is executed by the host"
    if node.kind in _LEAVES:
        return "control leaves the statements here"
    return "this may see whether kernels have ended"
