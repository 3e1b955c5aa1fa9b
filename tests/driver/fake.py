"""A stand-in for the compiler proper, so that the driver is tested by itself.

It "translates" one kind of region: a ``#pragma omp target …`` line and the one-line loop under it, which may use
``double *x`` and ``int n``. The generated files have the real form and run through the real runtime.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import PurePath

from rexcc.pipeline import GeneratedFile, Image, ReadFile, TranslateOptions, Translation
from rexcc.source.diagnostics import Diagnostic, Severity
from rexcc.source.text import SourceText
from rexcc.target.known import CPU

_REGION = re.compile(r"^#pragma omp (target[^\n]*)\n( *for \(int i = 0; i < n; i\+\+\)[^\n]*)$", re.MULTILINE)

PROGRAM = """#include <stdio.h>
#include "scale.h"
int main(void) {
  double x[100];
  for (int i = 0; i < 100; i++) x[i] = i;
  scale(x, 100);
  printf("%g %g\\n", x[1], x[99]);
  return 0;
}
"""

KERNEL = """#include "scale.h"
void scale(double *x, int n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0:n])
  for (int i = 0; i < n; i++) x[i] = FACTOR * x[i];
}
"""

HEADER = """#ifdef __cplusplus
extern "C"
#endif
void scale(double *x, int n);
#define FACTOR 2
"""


@dataclass
class FakeCompiler:
    """Callable like ``rexcc.pipeline.translate``; keeps the options of each call."""

    calls: list[tuple[str, TranslateOptions]] = field(default_factory=list)
    macros: tuple[str, ...] = ("#define FACTOR 2",)

    def __call__(self, path: str, options: TranslateOptions, read_file: ReadFile) -> Translation:
        self.calls.append((path, options))
        data = read_file(path)
        assert data is not None
        source = SourceText.from_bytes(path, data)
        misspelt = source.text.find("reductoin")
        if misspelt >= 0:
            wrong = Diagnostic(Severity.ERROR, "omp-unknown-clause", "unknown clause 'reductoin'",
                               source.span(misspelt, misspelt + 9))  # fmt: skip
            return Translation(False, (wrong,))
        if not _REGION.search(source.text):
            return Translation(False, ())
        return self._translated(source, options)

    def _translated(self, source: SourceText, options: TranslateOptions) -> Translation:
        path = PurePath(source.path)
        names = [f"OUT__{k}__{path.stem}__" for k, _ in enumerate(_REGION.findall(source.text), 1)]
        loops = [(source.line_column(m.start(2))[0], m[2]) for m in _REGION.finditer(source.text)]
        device = GeneratedFile(f"rex_lib_{path.stem}.cu", self._device(source.path, names, loops))
        cpu = GeneratedFile(f"rex_host_{path.stem}.cpp", _cpu_device(names, device.name))
        images = [
            Image(options.target, a, f"rex_lib_{path.stem}.{a}.cubin", device.name) for a in options.architectures
        ]
        images += [Image(CPU, "host", f"rex_lib_{path.stem}.host.so", cpu.name)] if options.cpu_device else []
        return Translation(
            True,
            (),
            GeneratedFile(f"rose_{path.name}", _host(source, names, images)),
            device,
            cpu if options.cpu_device else None,
            (),
            tuple(images),
        )

    def _device(self, path: str, names: list[str], loops: list[tuple[int, str]]) -> str:
        kernels = [
            f'extern "C" __global__ void {name}kernel__(void *, double *x, rex_literal n_)'
            f'\n{{\n  int n = rex_unpack<int>(n_);\n#line {line} "{path}"\n{_strided(loop)}\n}}'
            for name, (line, loop) in zip(names, loops, strict=True)
        ]
        return "\n".join(['#include "rex_nvidia.h"', *self.macros, *kernels]) + "\n"


def _strided(loop: str) -> str:
    head = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"
    return loop.replace("for (int i = 0; i < n; i++)", head)


def _cpu_device(names: list[str], device: str) -> str:
    lines = ['#include "rex_host_device.h"']
    lines += [f"#define {name}kernel__ {name}body__" for name in names]
    lines += [f'#include "{device}"']
    for name in names:
        lines += [
            f"#undef {name}kernel__",
            f'extern "C" void {name}kernel__(void *e, double *x, rex_literal n, const rex_geometry *g)',
            f"{{ rex_run_teams(g, [=] {{ {name}body__(e, x, n); }}); }}",
        ]
    return "\n".join(lines) + "\n"


def _host(source: SourceText, names: list[str], images: list[Image]) -> str:
    fresh = iter(names)

    def block(match: re.Match[str]) -> str:
        line = source.text.count("\n", 0, match.start()) + 1
        return _LAUNCH.format(
            pragma=match[1],
            loop=match[2],
            name=next(fresh),
            path=source.path,
            line=line + 1,
            after=line + 2,
            where=source.path.replace(";", ","),
        )

    text = _REGION.sub(block, source.text)
    text = re.sub(r"(\bmain\s*\([^)]*\)\s*\{)", r"\1 rex_offload_init();", text)
    stem = re.sub(r"\W", "_", source.path)
    rows = [f'REX_IMAGE(__rex_image_{stem}_{k}, "{image.name}")' for k, image in enumerate(images)]
    table = ", ".join(
        f"REX_IMAGE_ROW(__rex_image_{stem}_{k}, {image.target.architectures.number(image.architecture)})"
        for k, image in enumerate(images)
    )
    return "\n".join(
        [
            '#include "rex_kmp.h"',
            *(f"REX_KERNEL_ID({name})" for name in names),
            f'#line 1 "{source.path}"',
            text,
            f"static struct __tgt_offload_entry __rex_offload_entries[] = "
            f"{{{', '.join(f'REX_KERNEL_ENTRY({name})' for name in names)}}};",
            *rows,
            f"static struct rex_offload_image __rex_offload_images[] = {{{table}}};",
            f'REX_OFFLOAD_MODULE("{source.path}", __rex_offload_entries, __rex_offload_images)',
            "",
        ]
    )


_LAUNCH = """/* #pragma omp {pragma} */
  {{
    void *__args_base[] = {{x, rex_pack(&n, sizeof n)}};
    __INT64_TYPE__ __arg_sizes[] = {{(__INT64_TYPE__)sizeof *x * n, sizeof n}};
    __INT64_TYPE__ __arg_types[] = {{REX_MAP_PARAM | REX_MAP_TOFROM, REX_MAP_IMPLICIT_LITERAL}};
    __INT64_TYPE__ __rex_tripcount = rex_tripcount_lt(0, n, 1);
    int _threads = rex_default_threads(-1, __rex_tripcount, 256);
    int _blocks = rex_default_blocks(-1, __rex_tripcount, _threads);
    struct __tgt_kernel_arguments __kernel_args = {{
        REX_KERNEL_ARGS_VERSION, 2, __args_base, __args_base, __arg_sizes, __arg_types, 0, 0, __rex_tripcount, 0,
        {{_blocks, 1, 1}}, {{_threads, 1, 1}}, 0}};
    static struct __rex_ident __rex_place = REX_PLACE(";{where};scale;{line};1;;");
    if (__tgt_target_kernel(&__rex_place, -1, _blocks, _threads, &{name}id__, &__kernel_args) != 0) {{
#line {line} "{path}"
{loop}
    }}
  }}
#line {after} "{path}"
"""
