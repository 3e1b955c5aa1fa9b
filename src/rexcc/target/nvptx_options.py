"""Options of NVIDIA's tools, and what nvcc makes of the host compilers' options."""

from __future__ import annotations

from rexcc.target.options import Meaning, OwnOption, Spelling

OWN_OPTIONS = (
    OwnOption("--cuda-path=", Meaning.FOLDER, "DIR",
              "CUDA (default: CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda, rexcc[cuda])"),
    OwnOption("--cuda-path", Meaning.FOLDER),
    OwnOption("-Xptxas", Meaning.WORDS, "ARG", "pass ARG to NVIDIA's assembler"),
    OwnOption("-Xcuda-ptxas", Meaning.WORDS),
)  # fmt: skip
"""rexcc's own, and clang's for the same."""

FOREIGN_OPTIONS = (
    OwnOption("-gpu=", Meaning.ARCHITECTURES, pattern=r"\bcc(\d+)\b", form="sm_{}"),
    OwnOption("--cuda-gpu-arch=", Meaning.ARCHITECTURES),
    OwnOption("--libomptarget-nvptx-bc-path=", Meaning.IGNORED,
              reason="ignored: --libomptarget-nvptx-bc-path (kernels need no device runtime)"),
    OwnOption("--libomptarget-nvptx-path=", Meaning.IGNORED, reason="ignored: --libomptarget-nvptx-path"),
    OwnOption("-Xcuda-fatbinary", Meaning.IGNORED, reason="ignored: -Xcuda-fatbinary"),
)  # fmt: skip
"""Those of other compilers, which build systems give."""

_WITHOUT = Spelling(note="kernels for GPUs are compiled without {}: nvcc has nothing like it")
_UNOPTIMIZED = Spelling(
    words=("-Xcicc", "-O0"),
    note="kernels for GPUs are compiled without nvcc's optimizer, which knows no {}; only ptxas optimizes them",
)
"""Where overflow has to wrap, the optimizer, which takes it for impossible, is left out; PTX's arithmetic wraps."""

_UNCHECKED = Spelling(note="kernels for GPUs are compiled without {}; NVIDIA's compute-sanitizer checks them")
_REFUSED = Spelling(note="{} lays types out in a way that nvcc cannot (--target=host can)", is_refused=True)

SPELLINGS = {
    "-Xptxas": Spelling(("-Xptxas", "{}")),
    "-Xcuda-ptxas": Spelling(("-Xptxas", "{}")),
    "-I": Spelling(("-I{}",)),
    "-isystem": Spelling(("-isystem", "{}")),
    "-iquote": Spelling(("-I{}",)),
    "-idirafter": Spelling(("-isystem", "{}")),
    "-w": Spelling(("-w",)),
    "-fshort-wchar": _REFUSED,
    "-malign-double": _REFUSED,
    "-mms-bitfields": _REFUSED,
    "-fwrapv": _UNOPTIMIZED,
    "-fwrapv-pointer": _UNOPTIMIZED,
    "-fno-strict-overflow": _UNOPTIMIZED,
    "-ftrapv": _WITHOUT,
    "-ftrivial-auto-var-init=": _WITHOUT,
    "-fsanitize=": _UNCHECKED,
    "-ffp-contract=off": Spelling(("-fmad=false",)),
    "-funsigned-char": Spelling(("-Xcompiler", "-funsigned-char")),
}
