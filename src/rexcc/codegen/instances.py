"""Launch blocks of a template's kernels: one text for all instantiations, whatever each of them passes.

In: the kernels of one region of a template. Out: the text in front of the user's statement. Most often it is the same
for all. Where they launch differently (a value here, an address there, more arguments), each form stands in a branch of
its own, which the compiler keeps for the instantiations of that form alone::

    bool __rex_on_host;
    REX_FORMS
    if constexpr (OUT__1__sum__5__key<A, B>::form() == 0) {
      … __rex_on_host = __tgt_target_kernel(…) != 0;
    } else { … }
    REX_FORMS_END
    if (__rex_on_host) {
"""

from __future__ import annotations

from rexcc.lowering.host.host_block import block_after, block_before, condition, launch_lines, version_lines
from rexcc.lowering.host.host_version import host_directives, host_inner_directives
from rexcc.lowering.host.tasks import task_directive
from rexcc.lowering.host.template_keys import key_form
from rexcc.lowering.model.launch import Kernel
from rexcc.source.diagnostics import error

_INDENT = "    "


def template_block(kernels: list[Kernel]) -> str:
    """Return the text in front of the statement, and number the kernels' forms where there are several.

    Raises CompileError where instantiations need different host versions, or several forms together with what stands
    behind the statement (``unsupported-template``).
    """
    first = kernels[0]
    blocks = list(dict.fromkeys(map(block_before, kernels)))
    same_end = len({(block_after(k), str(_directives(k))) for k in kernels}) == 1
    if len(blocks) == 1 and same_end:
        return blocks[0]
    if not same_end or len({tuple(version_lines(k)) for k in kernels}) > 1 or any(map(_has_more, kernels)):
        message = "instantiations of this template need different launch blocks, which cannot be lowered yet"
        raise error("unsupported-template", message, first.region.construct.span)
    forms: dict[tuple[str, ...], list[Kernel]] = {}
    for kernel in kernels:
        forms.setdefault(_launch(kernel), []).append(kernel)
    lines = ["", "  {", f"{_INDENT}bool __rex_on_host;", f"{_INDENT}REX_FORMS"]
    for number, (launch, same) in enumerate(forms.items()):
        for kernel in same:
            kernel.form = number
        lines += [*_branch(first, number, len(forms)), *(_deeper(line) for line in launch)]
    lines += [f"{_INDENT}}}", f"{_INDENT}REX_FORMS_END", f"{_INDENT}if (__rex_on_host) {{"]
    return "\n".join([*lines, *version_lines(first), ""])


def _deeper(text: str) -> str:
    """Return a line, or lines that go on, two columns further in; directives stay at the first column."""
    return "\n".join(line if line.startswith("#") else f"  {line}" for line in text.split("\n"))


def _branch(kernel: Kernel, number: int, count: int) -> list[str]:
    if number == 0:
        return [f"{_INDENT}if constexpr ({key_form(kernel)} == 0) {{"]
    if number == count - 1:
        return [f"{_INDENT}}} else {{"]
    return [f"{_INDENT}}} else if constexpr ({key_form(kernel)} == {number}) {{"]


def _launch(kernel: Kernel) -> tuple[str, ...]:
    return (*launch_lines(kernel), f"{_INDENT}__rex_on_host = {condition(kernel)};")


def _directives(kernel: Kernel) -> list[str]:
    inside = (directive for _, directive in host_inner_directives(kernel.region))
    return [*host_directives(kernel.region), *inside]


def _has_more(kernel: Kernel) -> bool:
    """Whether something stands behind the statement that belongs to the launch."""
    return bool(kernel.sums or kernel.row_loops or task_directive(kernel))
