"""What the compilers' options are to NVIDIA's tools.

The options of rexcc's own that only this target has, those of other compilers that mean something for it, and what nvcc
makes of the options that host compilers have.
"""

from __future__ import annotations

from rexcc.target.options import Meaning, OwnOption, Spelling

OWN_OPTIONS = (
    OwnOption("--cuda-path=", Meaning.FOLDER, "DIR",
              "CUDA (default: CUDA_HOME, CUDA_PATH, nvcc on PATH, /usr/local/cuda, rexcc[cuda])"),
    OwnOption("--cuda-path", Meaning.FOLDER),
    OwnOption("-Xnvcc", Meaning.WORDS, "ARG", "pass ARG to nvcc, which compiles kernels"),
    OwnOption("-Xnvcc=", Meaning.WORDS),
    OwnOption("-Xptxas", Meaning.WORDS, "ARG", "pass ARG to NVIDIA's assembler"),
    OwnOption("-Xptxas=", Meaning.WORDS),
    OwnOption("-Xcuda-ptxas", Meaning.WORDS),
    OwnOption("--ptxas-options=", Meaning.WORDS),
    OwnOption("--maxrregcount", Meaning.WORDS, "N", "kernels use N registers a thread at most"),
    OwnOption("--maxrregcount=", Meaning.WORDS),
    OwnOption("-maxrregcount", Meaning.WORDS),
    OwnOption("-maxrregcount=", Meaning.WORDS),
    OwnOption("--use_fast_math", Meaning.FAST_MATH, is_flag=True,
              help="kernels compute approximately; -ffast-math asks for it in host code too"),
    OwnOption("-use_fast_math", Meaning.FAST_MATH, is_flag=True),
)  # fmt: skip
"""rexcc's own, and clang's and nvcc's for the same."""

_IN_PAIRS = r"\b(?:sm|lto|compute(?=_[^s]*$))_(\d+[a-z]?)"
"""Of ``arch=compute_80,code=sm_86`` the image is for sm_86; an intermediate form is taken for an image of its own."""

FOREIGN_OPTIONS = (
    OwnOption("-arch=", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}",
              about="nvcc's form of --offload-arch="),
    OwnOption("-arch", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}"),
    OwnOption("--gpu-architecture=", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}"),
    OwnOption("--gpu-architecture", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}"),
    OwnOption("-gencode=", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}"),
    OwnOption("-gencode", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}",
              about="nvcc's; architectures in it count as --offload-arch="),
    OwnOption("--generate-code=", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}"),
    OwnOption("--generate-code", Meaning.ARCHITECTURES, pattern=_IN_PAIRS, form="sm_{}"),
    OwnOption("-lineinfo", Meaning.WORDS, is_flag=True, about="line numbers in kernels, as -g gives them"),
    OwnOption("--generate-line-info", Meaning.WORDS, is_flag=True),
    OwnOption("-fmad=", Meaning.WORDS, about="whether kernels may fuse multiply-add"),
    OwnOption("--fmad=", Meaning.WORDS),
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

_REGISTERS = Spelling(("-maxrregcount={}", "-Xptxas", "--override-directive-values"))
"""Launch bounds, which each kernel has, count for more otherwise."""

TO_ASSEMBLER = ("-Xptxas", "-Xptxas=", "-Xcuda-ptxas", "--ptxas-options=")

SPELLINGS = {
    **dict.fromkeys(("-Xnvcc", "-Xnvcc="), Spelling(("{}",))),
    **dict.fromkeys(TO_ASSEMBLER, Spelling(("-Xptxas", "{}"))),
    **dict.fromkeys(("--maxrregcount", "--maxrregcount=", "-maxrregcount", "-maxrregcount="), _REGISTERS),
    **dict.fromkeys(("-lineinfo", "--generate-line-info"), Spelling(("-lineinfo",))),
    **dict.fromkeys(("-fmad=", "--fmad="), Spelling(("-fmad={}",))),
    "-I": Spelling(("-I{}",)),
    "-isystem": Spelling(("-isystem", "{}")),
    "-iquote": Spelling(("-Xcompiler", "-iquote{}")),  # nvcc has no such option; by -I it would be for <string.h>, too
    "-idirafter": Spelling(("-Xcompiler", "-idirafter{}")),
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
