"""The text of a kernel.

In: a lowered region. Out: the kernel's definition, with its place and directive as a comment above it, and the
signature for the CPU device's entry point. Parameters stand in the order of the map rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.codegen.places.templates import code_in_template, parameters_around, template_aliases
from rexcc.codegen.slice.layouts import object_layouts
from rexcc.kernel.code import declared
from rexcc.kernel.folding import WIDTH, folded
from rexcc.kernel.ir import Code
from rexcc.kernel.printer import lines
from rexcc.lowering.loops.narrow_nests import NUMBER
from rexcc.lowering.loops.small_grids import FORM
from rexcc.lowering.model.geometry import DEFAULT_THREADS
from rexcc.lowering.model.launch import Kernel
from rexcc.source.line_directives import OWN, line_directive

_ENVIRONMENT_NAME = "__rex_kernel_launch_env"
ENVIRONMENT = f"void *{_ENVIRONMENT_NAME}"


def kernel_name(kernel: Kernel) -> str:
    """Return the kernel's symbol."""
    return f"{kernel.stem}kernel__"


def directive_text(kernel: Kernel) -> str:
    """Return the directives of a region on one line, without ``#pragma omp``."""
    parts = [c.probe.site.text.text for c in kernel.region.constructs]
    return " + ".join(re.sub(r"\s+", " ", part).strip() for part in parts).replace("*/", "* /").replace("/*", "/ *")


def signature(kernel: Kernel, extra: tuple[str, ...] = (), name: str = "") -> str:
    """Return the parenthesised parameter list behind ``name``, by default the kernel's, broken at the line width."""
    declarations = [ENVIRONMENT, *(p.declaration for p in kernel.parameters), *extra]
    indent = " " * (len(name or kernel_name(kernel)) + 1)
    lines = [""]
    for position, declaration in enumerate(declarations):
        last = position == len(declarations) - 1
        piece = declaration + (")" if last else ",")
        if lines[-1] and len(indent) + len(lines[-1]) + len(piece) + 1 > WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {piece}".strip()
    return "(" + f"\n{indent}".join(lines)


def kernel_text(kernel: Kernel, usings: tuple[str, ...]) -> str:
    """Return the kernel's definition; ``usings`` are lines for its start that bring in names."""
    source = kernel.region.construct.probe.site.source
    line = kernel.region.construct.probe.site.text.origin.line
    words = kernel.region.unit.target.words
    code: Code = kernel.locals
    for parameter in kernel.parameters:
        code += parameter.prologue
    start = lines((*code, *kernel.closures, *kernel.entry), words, "  ")
    around = parameters_around(kernel)
    opening = [*(f"  {text}" for text in (*usings, *template_aliases(kernel.region, around))), *start]
    closing = [text for p in kernel.parameters for text in lines(p.epilogue, words, "  ")]
    head = f"/* {source.users_path(_body_offset(kernel))}:{line}  {directive_text(kernel)} */"
    entry = _entry(kernel, kernel_name(kernel), _launch_bounds(kernel))
    parts = [OWN, head, *entry]
    is_called = bool(kernel.aligned or kernel.asks) or (
        (len(kernel.stems) > 1 or bool(kernel.looked_up)) and not around
    )
    name = f"{kernel.stem}code__"
    template = [f"template <class {word}>" for word, _, _ in _forms(kernel)]
    if is_called:
        parts = [OWN, head, *template, "REX_KERNEL_CODE void", f"{name}{signature(kernel, name=name)} {{"]
    classes, called = code_in_template(f"{kernel.stem}in", around)
    if around:
        kind = "REX_KERNEL_CODE" if len(kernel.stems) > 1 else f"static {words.device}"
        parts = [OWN, head, *classes, *template, f"{kind} void run{signature(kernel)} {{"]
    parts += opening
    layouts = object_layouts(_objects(kernel, code))
    if layouts:
        parts += [line_directive(line, source.users_path(_body_offset(kernel))), f"  {' '.join(layouts)}", OWN]
    parts += [*lines(kernel.code, words, "  "), *closing, "}"]
    given = ", ".join([_ENVIRONMENT_NAME, *(p.name for p in kernel.parameters)])
    first, other = next(((f"<{one}>", f"<{two}>") for _, one, two in _forms(kernel)), ("", ""))
    other = first if kernel.asks else other
    if around:
        parts += [*("};" for _ in classes), *entry, f"  {called}::run{first}({given});", "}"]
    if is_called:
        parts += ["", *entry, *_calls(kernel, f"{name}{first}"), "}"]
    if len(kernel.stems) > 1:
        second = f"{kernel.stems[-1]}kernel__"
        parts += ["", *_why_second(kernel), *_entry(kernel, second, _bounds_of_second(kernel))]
        parts += [f"  {called}::run{other}({given});"] if around else _calls(kernel, f"{name}{other}")
        parts += ["}", "#endif"]
    return "\n".join(parts) + "\n"


def _calls(kernel: Kernel, name: str) -> list[str]:
    """Return the lines that call a kernel's code: by what it asks, in either of its forms."""
    if not kernel.asks:
        return _calls_aligned(kernel, name)
    start = [*(f"      {'& ' if n else '  '}{asked}" for n, asked in enumerate(kernel.asks)), "  )) {"]
    (_, first, other), *_ = _forms(kernel)
    given = ", ".join([_ENVIRONMENT_NAME, *(p.name for p in kernel.parameters)])
    general = folded(f"    {name.replace(f'<{first}>', f'<{other}>')}({given});")
    return ["  if (!(", *start, *general, "    return;", "  }", *_calls_aligned(kernel, name)]


def _calls_aligned(kernel: Kernel, name: str) -> list[str]:
    """Return the lines that call it: for arrays that begin at multiples of more than they must, and where the device
    has nothing of what is looked up, too."""
    wanted = dict(kernel.aligned)
    given = ", ".join([_ENVIRONMENT_NAME, *(p.name for p in kernel.parameters)])
    if not wanted and not kernel.looked_up:
        return list(folded(f"  {name}({given});"))
    beyond = [f"rex_beyond<{count}>({pointer})" for pointer, count in kernel.aligned]
    asked = " | ".join((*beyond, *(f"({name} != nullptr)" for name in kernel.looked_up)))
    known = {name: f"rex_at<{count}>({name})" for name, count in wanted.items()} | dict.fromkeys(
        kernel.looked_up, "nullptr"
    )
    passed = (known.get(p.name, p.name) for p in kernel.parameters)
    those = ", ".join([_ENVIRONMENT_NAME, *passed])
    return [*folded(f"  if (({asked}) == 0) {name}({those});"), *folded(f"  else {name}({given});")]


def _forms(kernel: Kernel) -> list[tuple[str, str, str]]:
    """Return the parameter of the template that the code of two kernels is, if it is one, with its arguments."""
    if kernel.geometry.has_wide or kernel.asks:
        return [(NUMBER, "rex_narrow_number", "long long")]
    return [(FORM, "rex_usual_form", "rex_small_form")] if kernel.geometry.has_forms else []


_SMALL = (
    "/* The same for grids that leave half of the threads of a multiprocessor idle: with twice the registers. */",
    "#ifdef REX_HAS_SMALL_GRIDS",
)
_WIDE = ("/* The same for more iterations than 32 bits count. */", "#ifdef REX_HAS_WIDE_NESTS")
_AROUND = ("/* The same for launches whose threads may have several iterations. */", "#ifdef REX_HAS_WIDE_NESTS")
_LARGE = ("/* The same for blocks with more threads, where teams are few. */", "#ifdef REX_HAS_LARGE_BLOCKS")


def _why_second(kernel: Kernel) -> tuple[str, ...]:
    if kernel.geometry.has_large:
        return _LARGE
    if kernel.geometry.is_by_threads:
        return _AROUND
    return _WIDE if kernel.geometry.has_wide else _SMALL


def _entry(kernel: Kernel, name: str, bounds: str) -> list[str]:
    """Return the lines that begin a kernel."""
    words = kernel.region.unit.target.words
    return [f'extern "C" {words.kernel} void {bounds}'.rstrip(), f"{name}{signature(kernel, name=name)} {{"]


def _launch_bounds(kernel: Kernel) -> str:
    """Return the promise of how many threads a block has at most, empty where that is unknown."""
    shape, target = kernel.geometry, kernel.region.unit.target
    if shape.bound == 0:
        return ""
    is_widest = len(kernel.stems) == 1 or bool(shape.shared_loop)
    threads = max(shape.bound, shape.most) if is_widest else shape.bound
    most = threads if threads == 1 else max(threads, target.limits.least_bound)
    registers = shape.registers
    return target.words.launch_bounds(most, max(target.limits.registers // (most * registers), 1) if registers else 0)


def _bounds_of_second(kernel: Kernel) -> str:
    """Return the promises of a kernel's second form; for small grids also of how many blocks a multiprocessor has to
    have room for at least."""
    shape, target = kernel.geometry, kernel.region.unit.target
    if shape.has_wide:
        return _launch_bounds(kernel)
    if shape.has_large:
        return target.words.launch_bounds(shape.most, 0)
    widest = 0 if shape.shared_loop else shape.most
    most = max(shape.bound or DEFAULT_THREADS, widest, target.limits.least_bound)
    return target.words.launch_bounds(most, target.limits.threads // most)


def _body_offset(kernel: Kernel) -> int:
    return kernel.region.construct.file.original(kernel.region.body.start)


def _objects(kernel: Kernel, code: Code) -> Iterator[tuple[str, Type]]:
    """Yield the variables from outside that statements at a kernel's start declare, and what the region reads and
    writes behind pointers, with their types on the host."""
    names = frozenset(declared(code))
    for attribute in kernel.data.attributes:
        variable, kind = attribute.variable, types.without_reference(attribute.variable.cursor.type)
        if variable.name in names:
            yield variable.name, kind
        if types.is_pointer(kind) and any(map(_is_dereferenced, variable.uses)):
            yield f"*{variable.name}", types.canonical(kind).get_pointee()
    if kernel.this_type is not None:
        yield "*__rex_this", kernel.this_type


def _is_dereferenced(use: Node) -> bool:
    """Whether a pointer's object is accessed where the pointer is named: its class is complete there."""
    below = use.wrapped()
    above = below.parent
    if above is None:
        return False
    is_first = bool(above.children) and above.children[0] is below
    is_access = above.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")
    return (is_access and is_first) or above.is_dereference
