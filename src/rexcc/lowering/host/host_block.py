"""The host launch block that replaces a region's directive.

In: a lowered kernel. Out: the text in front of the user's statement and after it. The statement between them is the
host version: it runs when offloading is refused, disabled or fails.
"""

from __future__ import annotations

from rexcc.analysis.allocators import traits_of
from rexcc.analysis.loops import literal_value
from rexcc.kernel.folding import folded
from rexcc.lowering.arguments.bounds import bound_lines, waiting_lines
from rexcc.lowering.arguments.lambda_objects import end_of_captures, object_lines, objects, waits_for_captures
from rexcc.lowering.host.host_copies import held_lines, holding_lines, host_copies, host_ends
from rexcc.lowering.host.host_version import host_directives
from rexcc.lowering.host.kernel_keys import launched_key
from rexcc.lowering.host.launch_geometry import geometry_lines
from rexcc.lowering.host.tasks import is_deferrable, is_inside_task, is_waiting_itself, task_directive
from rexcc.lowering.instances.packs import host_elements, host_lambda
from rexcc.lowering.maps.iterated import freeing_lines
from rexcc.lowering.maps.map_arrays import TYPES_AT_END, array_lines, operands, types_at_end
from rexcc.lowering.model.dependences import is_counted_at_run_time, task_lines
from rexcc.lowering.model.geometry import condition_of
from rexcc.lowering.model.launch import Kernel, MapRow
from rexcc.lowering.model.names import function_name
from rexcc.lowering.reductions.host_reductions import lines_after, lines_before, lines_when_launched
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import named_variable
from rexcc.source.patterns import regex
from rexcc.source.text import Span

_INDENT = "    "
_WORD = regex(r"\w+")

OPENED = "  { REX_NO_WARNINGS"
"""Opens a block with text that is not the user's (``rex_warnings.h``)."""

_WANTED = "__rex_wanted"
"""Tells whether an ``if`` clause wants the device, where that is asked more than once."""

_WAITED = "rex_batch_wait(); /* for the kernels that are queued */"

RESUMED = "REX_WARNINGS"
"""Stands behind such text, in front of the user's or of the block's end."""


def place_line(span: Span, function: str) -> str:
    """Return the ``__rex_ident`` that makes LLVM's own messages name the user's place."""
    path = span.source.users_path(span.start).replace("\\", "/").replace('"', "").replace(";", ",")
    place = f'REX_PLACE(";{path};{function};{span.line};{span.column};;")'
    return f"{_INDENT}static struct __rex_ident __rex_place = {place};"


def device_line(expression: str) -> str:
    """Return the declaration of the device number; ``expression`` is that of a ``device`` clause, empty for none."""
    number = expression or "REX_DEVICE_DEFAULT"
    if expression and literal_value(expression) is None:
        number = f"rex_device_number({expression})"
    return f"{_INDENT}__INT64_TYPE__ __device_id = {number};"


def block_before(kernel: Kernel) -> str:
    """Return everything from the directive's comment to the point where the user's statement follows."""
    task, deferrable = task_directive(kernel), is_deferrable(kernel)
    if kernel.ahead:
        lines = [OPENED, f"{_INDENT}bool __rex_refused;", *_with_mapped_ahead(kernel, "__rex_refused")]
    else:
        lines = [OPENED, *launch_lines(kernel)]
    if deferrable:
        tasks = task_lines(kernel.region.construct, _INDENT)
        lines = [OPENED, *tasks, *lines[1:]] if objects(kernel) else [*lines, *tasks]
        lines += [f"{_INDENT}{line}" for line in waits_for_captures(kernel)]
    refused = "__rex_refused" if kernel.ahead else condition(kernel)
    if not kernel.ahead and (ended := end_of_captures(kernel)):
        lines += [f"{_INDENT}bool __rex_refused =\n{_INDENT}    {refused};", *(f"{_INDENT}{line}" for line in ended)]
        refused = "__rex_refused"
    lines += [f"{_INDENT}if ({refused}) {{", *version_lines(kernel)]
    return "\n".join(["", *([task] if task and not deferrable else []), *lines, ""])


def version_lines(kernel: Kernel) -> list[str]:
    """Return the lines between the launch and the user's statement, which is the host version."""
    before = [f"{_INDENT}  {_WAITED}"] if _may_stay_on_host(kernel) else []
    if not is_held_outside(kernel):
        before += [f"{_INDENT}  {line}" for line in holding_lines(kernel)]
    if is_deferrable(kernel):
        before += _host_task(kernel, task_directive(kernel))
    return [*before, *_lines_of_version(kernel)]


def is_held_outside(kernel: Kernel) -> bool:
    """Whether what instantiations have copies of, or not, is held in front of the task that the whole block is."""
    return bool(kernel.varying) and is_inside_task(kernel)


def lines_of_task(kernel: Kernel, task: str) -> list[str]:
    """Return the lines that make the block of a template's kernels one task; the block ends them."""
    if not is_held_outside(kernel):
        return [task, OPENED]
    held = [f"{_INDENT}{line}" for line in holding_lines(kernel)]
    return [OPENED, *held, task, f"{_INDENT}{{", *(f"{_INDENT}{line}" for line in held_lines(kernel))]


def _may_stay_on_host(kernel: Kernel) -> bool:
    """Whether an ``if`` clause can have the host execute the region while kernels before it are queued."""
    is_queued = Optimisation.QUEUES not in kernel.region.unit.left_out and not is_deferrable(kernel)
    return is_queued and condition_of(kernel.region, "target") != ""


def _lines_of_version(kernel: Kernel) -> list[str]:
    """Return the host version's own variables, and its directive."""
    directive = host_directives(kernel.region)[0]
    copies = [*host_copies(kernel).lines, *filter(None, [host_lambda(kernel.packs)[0]])]
    return [*(f"{_INDENT}  {line}" for line in (*copies, RESUMED)), *([directive] if directive else [])]


def launch_lines(kernel: Kernel) -> list[str]:
    """Return the lines that make what a launch needs."""
    region = kernel.region
    rows = [a.row for a in kernel.arguments]
    device = region.expression("device")
    lines = [device_line(device[0] if device else "")]
    lines += [f"{_INDENT}{line}" for line in host_elements(kernel.packs)]
    given = condition_of(region, "target")
    if given and objects(kernel) and not kernel.ahead:
        lines.append(f"{_INDENT}const bool {_WANTED} = {given};")
    place = [place_line(region.construct.directive.span, function_name(region))]
    made = object_lines(kernel, is_deferrable=is_deferrable(kernel), wanted=_WANTED if given else "")
    lines += [*(place if made else []), *(f"{_INDENT}{line}" for line in made)]
    waiting = dict.fromkeys((*waiting_lines(region), *(f"rex_host_reads(&{read});" for read in kernel.host_reads)))
    lines += [f"{_INDENT}{line}" for line in (*waiting, *bound_lines(region))]
    geometry = (*geometry_lines(kernel), f"{_INDENT}void *__host_ptr = {launched_key(kernel)};")
    lines += [part for line in geometry for part in _broken(line)]
    loops = kernel.row_loops
    lines += [f"{_INDENT}{line}" for line in lines_before(kernel.sums)]
    lines += array_lines(rows, region.construct, _INDENT, loops)
    lines += [
        f"{_INDENT}struct __tgt_kernel_arguments __kernel_args = {{",
        f"{_INDENT}    REX_KERNEL_ARGS_VERSION, {operands(rows, loops).text},",
        f"{_INDENT}    {'__rex_tripcount' if kernel.geometry.tripcount else '0'}, 0, {{_num_blocks_, 1, 1}}, "
        f"{{_threads_per_block_, 1, 1}}, {'__rex_shared_bytes' if kernel.geometry.shared_bytes else '0'}}};",
        *([] if made else place),
    ]
    return [*lines, *_uses(kernel, lines)]


def _uses(kernel: Kernel, lines: list[str]) -> list[str]:
    """Return a use of each variable that only clauses without a meaning on the host name (``safelen``, traits of
    ``uses_allocators``): compilers would call it unused."""
    region = kernel.region
    nodes = (node for construct in region.constructs for top in construct.nodes for node in top.walk())
    variables = (named_variable(node) for node in nodes)
    names = {v.name for v in variables if v is not None and not v.is_global} if not kernel.packs else set()
    names |= {name for construct in region.constructs for name in traits_of(construct) if name.isidentifier()}
    texts = (*lines, condition(kernel), *host_directives(region), region.unit.user_text(region.body))
    written = set(_WORD.findall("\n".join(texts)))
    return [f"{_INDENT}(void){name};" for name in sorted(names - written)]


def _broken(line: str) -> tuple[str, ...]:
    """Return a long line as several; one with line breaks of the user's expressions stays as it is."""
    return (line,) if "\n" in line else folded(line)


def _with_mapped_ahead(kernel: Kernel, refused: str) -> list[str]:
    """Return the lines that map what has to be there before the launch can be made, launch, say in the variable
    ``refused`` whether the host's version has to run, and end the mapping before that may begin."""
    construct, rows = kernel.region.construct, list(kernel.ahead)
    given = condition_of(kernel.region, "target")
    guard = f"if ({_WANTED}) " if given else ""
    device, *launch = launch_lines(kernel)
    at_end = types_at_end(rows, _INDENT)
    return [
        device,
        *([f"{_INDENT}const bool {_WANTED} = {given};"] if given else []),
        *array_lines(rows, construct, _INDENT),
        *at_end,
        place_line(construct.directive.span, function_name(kernel.region)),
        f"{_INDENT}{guard}__tgt_target_data_begin_mapper{_call_operands(rows, '')}",
        f"{_INDENT}{{",
        *(_deeper(line) for line in launch),
        f"{_INDENT}  {refused} = {condition(kernel)};",
        f"{_INDENT}}}",
        f"{_INDENT}{guard}__tgt_target_data_end_mapper{_call_operands(rows, TYPES_AT_END if at_end else '')}",
    ]


def _call_operands(rows: list[MapRow], types: str) -> str:
    found = operands(rows, types=types) if types else operands(rows)
    return f"(&__rex_place, __device_id, {found.first},\n{_INDENT * 3}{found.last});"


def _deeper(line: str) -> str:
    """Return a line two columns further in; directives stay at the first column."""
    return line if line.startswith("#") else f"  {line}"


def _host_task(kernel: Kernel, task: str) -> list[str]:
    """Return the lines that make the host version a task of the host compiler's, or wait for what it depends on."""
    directive = kernel.region.construct.directive
    if is_waiting_itself(kernel):
        return [f"{_INDENT}  rex_wait_for_depends(&__rex_task, &__rex_place);", f"{_INDENT}  {{"]
    forgotten = [f"{_INDENT}  rex_forget_depends(&__rex_task);"] if is_counted_at_run_time(directive) else []
    return [*forgotten, task, f"{_INDENT}  {{"]


def block_after(kernel: Kernel) -> str:
    """Return what closes the block after the user's statement."""
    closing = f"\n{_INDENT}  }}" * (host_copies(kernel).opens + is_deferrable(kernel))
    lines = [*filter(None, [host_lambda(kernel.packs)[1]]), *host_ends(kernel)]
    ends = "".join(f"\n{_INDENT}  {line}" for line in lines)
    if kernel.form is not None:
        outside = f"\n{_INDENT}}}" if is_held_outside(kernel) else ""
        return f"{ends}{closing}\n    }}{outside}\n  }}\n"
    freed = "".join(f"\n{line}" for line in _freeing(kernel))
    return f"{ends}{closing}\n    }}{_when_launched(kernel)}{freed}\n  }}\n"


def launch_of_form(kernel: Kernel) -> tuple[str, ...]:
    """Return the lines of a launch that stands in a branch of its own, with what belongs to it behind it."""
    if kernel.ahead:
        lines = _with_mapped_ahead(kernel, "__rex_on_host")
    else:
        waits = [f"{_INDENT}{line}" for line in (waits_for_captures(kernel) if is_deferrable(kernel) else ())]
        lines = [*launch_lines(kernel), *waits, f"{_INDENT}__rex_on_host = {condition(kernel)};"]
    behind = " ".join(lines_when_launched(kernel.sums))
    if behind:
        lines.append(f"{_INDENT}if (!__rex_on_host) {{ {behind} }}")
    return (*lines, *_freeing(kernel))


def _freeing(kernel: Kernel) -> list[str]:
    """Return the lines that free what a launch has made."""
    return [*freeing_lines(kernel.row_loops, _INDENT), *(f"{_INDENT}{line}" for line in lines_after(kernel.sums))]


def _when_launched(kernel: Kernel) -> str:
    """Return what the host does when the kernel has run."""
    lines = "".join(f"\n{_INDENT}  {line}" for line in lines_when_launched(kernel.sums))
    return f" else {{{lines}\n{_INDENT}}}" if lines else ""


def condition(kernel: Kernel) -> str:
    """Return the expression that launches the kernel, and is true where the host version has to run."""
    operands = f"&__rex_place, __device_id, _num_blocks_, _threads_per_block_, __host_ptr,\n{_INDENT * 3}&__kernel_args"
    call = f"__tgt_target_kernel({operands}) != 0"
    if is_deferrable(kernel):
        call = f"rex_target_kernel_task(&__rex_task, {operands}) != 0"
    given = condition_of(kernel.region, "target")
    if not given:
        return call
    return f"!{_WANTED} || {call}" if kernel.ahead or objects(kernel) else f"!({given}) || {call}"
