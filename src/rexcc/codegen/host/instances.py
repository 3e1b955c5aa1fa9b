"""Launch blocks of a template's kernels: one text for all instantiations, whatever each of them passes.

In: the kernels of one region of a template. Out: the text in front of the user's statement. Most often it is the same
for all. Where they launch differently (a value here, an address there, more arguments), each form stands in a branch of
its own, which the compiler keeps for the instantiations of that form alone::

    bool __rex_on_host;
    if constexpr (OUT__1__sum__5__key<A, B>::form() == 0) {
      … __rex_on_host = __tgt_target_kernel(…) != 0;
    } else { … }
    if (__rex_on_host) {

Where the host version changes a variable that is private to the region in some instantiations and mapped in others, an
object holds a copy of it or refers to it (``rex_host_copy``).
"""

from __future__ import annotations

import re

from rexcc.lowering.host.host_block import (
    OPENED,
    block_after,
    block_before,
    launch_of_form,
    lines_of_task,
    version_lines,
)
from rexcc.lowering.host.host_copies import copied_names
from rexcc.lowering.host.host_version import host_directives, host_inner_directives
from rexcc.lowering.host.tasks import (
    copied_by_task,
    is_deferrable,
    is_inside_task,
    is_waiting_itself,
    shared_by_task,
    task_directive,
)
from rexcc.lowering.host.template_keys import key_form
from rexcc.lowering.model.dependences import task_lines
from rexcc.lowering.model.launch import Kernel
from rexcc.source.diagnostics import error

_INDENT = "    "


def template_block(kernels: list[Kernel]) -> str:
    """Return the text in front of the statement, and number the kernels' forms where there are several.

    Raises CompileError where instantiations need host versions that differ in more than copies of variables
    (``unsupported-template``).
    """
    first = kernels[0]
    if len({is_inside_task(k) for k in kernels}) > 1:
        for kernel in kernels:
            kernel.in_task = True
    blocks = list(dict.fromkeys((block_before(k), block_after(k)) for k in kernels))
    if len(blocks) == 1 and len({str(_directives(k)) for k in kernels}) == 1:
        return blocks[0][0]
    varying = _varying(kernels)
    forms: dict[tuple[object, ...], list[Kernel]] = {}
    for kernel in kernels:
        copied = tuple(sorted(_copied(kernel).intersection(varying)))
        forms.setdefault((launch_of_form(kernel), copied), []).append(kernel)
    for number, same in enumerate(forms.values()):
        for kernel in same:
            kernel.form = number
    _tell_copies(kernels, varying)
    tasks = {(task_directive(k), is_deferrable(k), is_waiting_itself(k)) for k in kernels}
    versions = {(*version_lines(k), block_after(k), *_directives(k)) for k in kernels}
    text = first.region.unit.user_text(first.region.construct.node)
    asked = any(re.search(rf"\bdecltype\s*\(\s*{name}\s*\)", text) for name in varying)
    elements = {element.name for k in kernels for pack in k.packs for element in pack.elements}
    if len(tasks) > 1 or len(versions) > 1 or asked or not elements.isdisjoint(varying):
        message = "instantiations of this template need different host versions, which cannot be lowered yet"
        raise error("unsupported-template", message, first.region.construct.span)
    task, deferrable = task_directive(first), is_deferrable(first)
    opened = lines_of_task(first, task) if task and not deferrable else [OPENED]
    lines = ["", *opened, f"{_INDENT}bool __rex_on_host;"]
    lines += [*(task_lines(first.region.construct, _INDENT) if deferrable else ())]
    for number, same in enumerate(forms.values()):
        lines += [*_branch(first, number, len(forms)), *(_deeper(line) for line in launch_of_form(same[0]))]
    lines += [f"{_INDENT}}}", f"{_INDENT}if (__rex_on_host) {{"]
    return "\n".join([*lines, *version_lines(first), ""])


def _copied(kernel: Kernel) -> set[str]:
    """Return the names of the variables that the host version, or its task, has a copy of."""
    return copied_names(kernel) | copied_by_task(kernel)


def _varying(kernels: list[Kernel]) -> list[str]:
    """Return the names of the variables of which some instantiations have copies and others do not."""
    ways = [(copied_names(k), copied_by_task(k), shared_by_task(k)) for k in kernels]
    names = sorted(set().union(*(found for way in ways for found in way)))
    return [n for n in names if len({tuple(n in found for found in way) for way in ways}) > 1]


def _tell_copies(kernels: list[Kernel], varying: list[str]) -> None:
    """Tell kernels for which forms the host version has copies of what varies."""
    copies = {name: sorted({k.form for k in kernels if k.form is not None and name in _copied(k)}) for name in varying}
    form = key_form(kernels[0])
    for kernel in kernels:
        kernel.varying = {
            name: " || ".join(f"{form} == {number}" for number in numbers) or "false"
            for name, numbers in copies.items()
        }


def _deeper(text: str) -> str:
    """Return a line, or lines that go on, two columns further in; directives stay at the first column."""
    return "\n".join(line if line.startswith("#") else f"  {line}" for line in text.split("\n"))


def _branch(kernel: Kernel, number: int, count: int) -> list[str]:
    if number == 0:
        return [f"{_INDENT}if constexpr ({key_form(kernel)} == 0) {{"]
    if number == count - 1:
        return [f"{_INDENT}}} else {{"]
    return [f"{_INDENT}}} else if constexpr ({key_form(kernel)} == {number}) {{"]


def _directives(kernel: Kernel) -> list[str]:
    inside = (directive for _, directive in host_inner_directives(kernel.region))
    return [*host_directives(kernel.region), *inside]
