"""The table of options: one row for each spelling that needs more than being passed to the host compiler.

A row says how the option takes its value, which commands get it as it was written (:class:`To`), and what it changes in
the driver. What becomes of it in device code is the target's to say (``ToolChain.spellings``), which has rows of its
own too. The longest spelling that fits an argument wins, so ``-f`` is the row for all ``-f…`` options without a row of
their own. Rows with a ``help`` text make ``rexcc --help``, all rows ``rexcc --help=all``
(``driver/options/help``).
"""

from __future__ import annotations

from enum import Enum

from rexcc.driver.options import device_options as devices
from rexcc.driver.options import option_actions as act
from rexcc.driver.options.command_parts import Mode, To
from rexcc.source.records import dataclass, replace
from rexcc.target.known import DEFAULT, DEVICES
from rexcc.target.model import Target
from rexcc.target.options import OwnOption


class Shape(Enum):
    """How an option takes its value."""

    FLAG = "none"
    JOINED = "-xVALUE"
    SEPARATE = "-x VALUE"
    EITHER = "-xVALUE or -x VALUE"
    BOTH = "-xWORD VALUE"


@dataclass(frozen=True)
class Row:
    """One option; ``about`` is what ``--help=all`` says of it where ``help`` says nothing."""

    spelling: str
    shape: Shape
    to: To = To.NOTHING
    action: act.Action = act.nothing
    value: str = ""
    help: str = ""
    about: str = ""


FLAG, JOINED, SEPARATE, EITHER, BOTH = Shape
_NOTHING, _RAW, _LINK = To.NOTHING, To.RAW, To.LINK | To.RAW
_HOST = To.HOST | To.RAW
_ANY = To.HOST | To.LINK | To.RAW
_BUILD = _ANY | To.CPU
_PREDEFINING = _BUILD | To.PARSE
"""For options that the macros of the compiler tell of: libclang decides conditions as the host compiler does."""

_EVERYWHERE = To.CODE | To.LINK | To.ABI
_TYPES = To.CODE | To.LINK
_BEFORE_TEXT = To.HOST | To.PARSE | To.RAW
_LAYOUT = To.HOST | To.PARSE | To.RAW
"""For options that lay the user's types out: device text says it itself (``codegen/places/packing``), and the types of
the C++ library in the CPU device's image, which are the system's, stay as they are."""

_NO_LIBRARIES: act.Action = lambda o, v: replace(o, runtime_libraries=False)  # noqa: E731
_NO_STANDARD_LIBRARIES: act.Action = lambda o, v: replace(o, standard_libraries=False)  # noqa: E731
_STATIC: act.Action = lambda o, v: replace(o, runtime_libraries=False, is_static=True)  # noqa: E731
_CXX_LINK: act.Action = lambda o, v: replace(o, cxx_link=True)  # noqa: E731


def _wishes(device: Target) -> tuple[Row, ...]:
    """Return the rows by which a user says what images he wants."""
    known = device.architectures
    targets = devices.targets_by_word(device, DEVICES if device in DEVICES else (device,))
    return (
        Row("--target=", JOINED, _NOTHING, devices.target, value="|".join(targets),
            help="device images to build (default: both)"),
        Row("--offload-arch=", JOINED, _NOTHING, devices.offload_architectures, value=f"{known.form},...|native",
            help=f"GPU architectures (default: this machine's, else {known.default}); adds up when repeated"),
        Row("--no-offload-arch=", JOINED, _NOTHING, devices.no_offload_architectures, value=f"{known.form}|all",
            help="take architectures back"),
    )  # fmt: skip


def _own(options: tuple[OwnOption, ...]) -> tuple[Row, ...]:
    """Return the rows of a target's own options."""
    return tuple(
        Row(
            option.spelling,
            _shape(option),
            _NOTHING,
            devices.own_option(option),
            option.value,
            option.help,
            option.about,
        )
        for option in options
    )


def _shape(option: OwnOption) -> Shape:
    if option.is_flag:
        return FLAG
    return JOINED if option.spelling.endswith("=") else SEPARATE


_OUTPUTS = (
    Row("--emit=", JOINED, _NOTHING, act.emit, value="src",
        help="write generated sources, helpers and a Makefile to the directory -o; build nothing"),
    Row("--emit=pragmas", FLAG, _NOTHING, lambda o, v: act.emit(o, "pragmas"), value="[=json]",
        help="list the directives with their places, clauses and statements"),
    Row("--emit=pragmas=", JOINED, _NOTHING, lambda o, v: act.emit(o, f"pragmas={v}")),
    Row("--emit=ast", FLAG, _NOTHING, lambda o, v: act.emit(o, "ast"), value="[=json]",
        help="print the OpenMP tree with the attribute of every variable, and why it has it"),
    Row("--emit=ast=", JOINED, _NOTHING, lambda o, v: act.emit(o, f"ast={v}")),
    Row("--emit=kernel", FLAG, _NOTHING, lambda o, v: act.emit(o, "kernel"), value="[=json]",
        help="print the tree of each kernel, before it becomes device code"),
    Row("--emit=kernel=", JOINED, _NOTHING, lambda o, v: act.emit(o, f"kernel={v}")),
    Row("--emit=report", FLAG, _NOTHING, lambda o, v: act.emit(o, "report"),
        help="write a page on what became of each region to the directory -o; build nothing"),
    Row("--report=", JOINED, _NOTHING, act.report, value="DIR",
        help="write that page beside a build; all files compiled with DIR have one index"),
    Row("--profile=", JOINED, _NOTHING, lambda o, v: replace(o, profile=v), value="FILE",
        help="times and bytes of a run, for the report"),
    Row("-save-temps", FLAG, _NOTHING, lambda o, v: replace(o, save_temps="cwd")),
    Row("-save-temps=", JOINED, _NOTHING, lambda o, v: replace(o, save_temps=v or "cwd"), value="cwd|obj|DIR",
        help="keep generated sources and images (beside the output for obj)"),
    Row("--save-temps", FLAG, _NOTHING, lambda o, v: replace(o, save_temps="cwd")),
    Row("--save-temps=", JOINED, _NOTHING, lambda o, v: replace(o, save_temps=v or "cwd")),
    Row("--check", FLAG, _NOTHING, act.checking,
        help="run on the CPU device with checks: bounds, missing maps, stale data, races"),
    Row("--rex-scheduler=", JOINED, _NOTHING, act.scheduler, value="direct|xomp",
        help="how kernels share out loop iterations (default: direct)"),
    Row("--rex-wait=", JOINED, _NOTHING, act.wait, value="spin|yield|block",
        help="how a linked program waits for the GPU (default: spin)"),
    Row("--rex-init=", JOINED, _NOTHING, act.init, value="eager|overlap",
        help="when a linked program starts the GPU: before main (default), or beside it"),
    Row("--memory=", JOINED, _NOTHING, act.memory, value="managed|pinned",
        help="what a program's heap is linked as: memory shared with the GPU, or quick to copy"),
    Row("--rex-reduction=", JOINED, _NOTHING, act.reduction, value="NAME",
        help="how teams' results meet: device (default), reproducible, atomic, host"),
    Row("--rex-opt=", JOINED, _NOTHING, act.optimisations, value="0|all|[no-]NAME,...",
        help="optimisations of generated code, to read or time it without some (default: all)"),
    Row("--tuned=", JOINED, _NOTHING, act.tuned, value="FILE",
        help="choices for single kernels that rexcc bench --tune has measured"),
    Row("--host-compiler=", JOINED, _NOTHING, lambda o, v: replace(o, host_compiler=v), value="PATH",
        help="host C compiler (default: clang-19, clang, gcc or cc); clang++ or g++ goes with it"),
    Row("--host-compiler", SEPARATE, _NOTHING, lambda o, v: replace(o, host_compiler=v), value="PATH"),
    Row("--omp-runtime=", JOINED, _NOTHING, act.omp_runtime, value="VERSION|PATH",
        help="LLVM's runtime to link with (default: 19, else the newest; doctor lists all)"),
)  # fmt: skip

_TELLING = (
    Row("-Rrex", FLAG, _NOTHING, lambda o, v: act.remarks(o, "lowering"),
        value="[=lowering|loop|memory|access|queue|map|all]",
        help="tell how each region is lowered, or a part of that, and why"),
    Row("-Rrex=", JOINED, _NOTHING, act.remarks),
    Row("-Rpass=", JOINED, To.CLANG | To.RAW, lambda o, v: replace(o, remark_pattern=v), value="REGEX",
        help="show remarks whose code matches"),
    Row("-fno-openmp", FLAG, _RAW, lambda o, v: replace(o, openmp=False),
        help="hand everything to the host compiler"),
    Row("-###", FLAG, _NOTHING, lambda o, v: replace(o, dry_run=True), help="print the commands, run none of them"),
    Row("-v", FLAG, To.HOST | _LINK, lambda o, v: replace(o, verbose=True), help="show choices and commands"),
    Row("--verbose", FLAG, To.HOST | _LINK, lambda o, v: replace(o, verbose=True)),
    Row("--diagnostics=", JOINED, _NOTHING, act.diagnostics, value="text|json|sarif",
        help="form of errors and warnings (default: text; json is gcc's, sarif is SARIF 2.1.0)"),
    Row("--explain", SEPARATE, _NOTHING, act.explain, value="CODE|all",
        help="explain the code of an error or warning, with an example; all lists the codes"),
    Row("--explain=", JOINED, _NOTHING, act.explain),
    Row("--version", FLAG, _RAW, lambda o, v: replace(o, information="--version"), help="print versions"),
    Row("--help", FLAG, _NOTHING, lambda o, v: replace(o, information="--help"), help="print this text"),
    Row("--help=all", FLAG, _NOTHING, lambda o, v: replace(o, information="--help=all"), help="print all options"),
    Row("--help-hidden", FLAG, _NOTHING, lambda o, v: replace(o, information="--help=all")),
)  # fmt: skip

_STEPS = (
    Row("-c", FLAG, _RAW, act.stop(Mode.OBJECT)),
    Row("-S", FLAG, _RAW, act.stop(Mode.ASSEMBLY)),
    Row("-E", FLAG, _RAW, act.stop(Mode.PREPROCESS)),
    Row("-fsyntax-only", FLAG, _RAW, act.stop(Mode.SYNTAX)),
    Row("-o", EITHER, _RAW, lambda o, v: replace(o, output=v)),
    Row("-x", EITHER, _RAW, act.language),
    Row("-std=", JOINED, _RAW, act.standard),
    Row("--std=", JOINED, _RAW, act.standard),
    Row("-ansi", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-M", FLAG, _RAW, act.dependency_kind("-M", Mode.DEPENDENCIES)),
    Row("-MM", FLAG, _RAW, act.dependency_kind("-MM", Mode.DEPENDENCIES)),
    Row("-MD", FLAG, _RAW, act.dependency_kind("-M", Mode.LINK)),
    Row("-MMD", FLAG, _RAW, act.dependency_kind("-MM", Mode.LINK)),
    Row("-MF", EITHER, _RAW, act.dependency_file),
    Row("-MT", EITHER, _RAW, act.dependency_rule("-MT")),
    Row("-MQ", EITHER, _RAW, act.dependency_rule("-MQ")),
    Row("-MP", FLAG, _RAW, act.dependency_rule("-MP")),
    Row("-MG", FLAG, _RAW, act.dependency_rule("-MG")),
    Row("-MJ", EITHER, _RAW, lambda o, v: replace(o, compile_database=v)),
    Row("-Wp,", JOINED, _NOTHING, act.preprocessor_options),
)

_PREPROCESSOR = (
    Row("-D", EITHER, To.HOST | To.PARSE | To.RAW),  # the device file holds its own #define lines
    Row("-U", EITHER, To.HOST | To.PARSE | To.RAW),
    Row("-I", EITHER, To.CODE),
    Row("-isystem", EITHER, To.CODE),
    Row("-iquote", EITHER, To.CODE),
    Row("-idirafter", EITHER, To.CODE),
    Row("--embed-dir=", JOINED, To.HOST | To.RAW, act.embed_folder),
    Row("-include", EITHER, _BEFORE_TEXT),
    Row("-include-pch", SEPARATE, _HOST, act.precompiled_header),
    Row("-imacros", EITHER, _BEFORE_TEXT),
    Row("--include-directory", SEPARATE, _NOTHING, act.as_option("-I", To.CODE), about="as -I"),
    Row("--include-directory=", JOINED, _NOTHING, act.as_option("-I", To.CODE), about="as -I"),
    Row("--include-directory-after", SEPARATE, _NOTHING, act.as_option("-idirafter", To.CODE), about="as -idirafter"),
    Row("--include-directory-after=", JOINED, _NOTHING, act.as_option("-idirafter", To.CODE), about="as -idirafter"),
    Row("--include", SEPARATE, _NOTHING, act.as_option("-include", _BEFORE_TEXT), about="as -include"),
    Row("--include=", JOINED, _NOTHING, act.as_option("-include", _BEFORE_TEXT), about="as -include"),
    Row("--imacros", SEPARATE, _NOTHING, act.as_option("-imacros", _BEFORE_TEXT), about="as -imacros"),
    Row("--imacros=", JOINED, _NOTHING, act.as_option("-imacros", _BEFORE_TEXT), about="as -imacros"),
    Row("-iprefix", EITHER, _HOST),
    Row(
        "-iwithprefix",
        EITHER,
        _NOTHING,
        act.behind_prefix("-iwithprefix", "-idirafter"),
        about="-idirafter with the folder of -iprefix",
    ),
    Row(
        "-iwithprefixbefore",
        EITHER,
        _NOTHING,
        act.behind_prefix("-iwithprefixbefore", "-I"),
        about="-I with the folder of -iprefix",
    ),
    Row("-isysroot", EITHER, _EVERYWHERE),
    Row("-nostdinc", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-nostdinc++", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-Xpreprocessor", SEPARATE, _HOST),
    Row("-H", FLAG, _HOST),
    Row("-P", FLAG, _RAW),
    Row("-C", FLAG, _RAW),
    Row("-CC", FLAG, _RAW),
    Row("-d", JOINED, _HOST),
)

_COMPILER = (
    Row("-O", JOINED, _PREDEFINING, act.optimization),
    Row("-g", JOINED, _BUILD, act.debugging),
    Row("-f", JOINED, _ANY),
    Row("-m", JOINED, _BUILD),
    Row("-W", JOINED, _NOTHING, act.warning),
    Row("-ferror-limit=", JOINED, To.CLANG, act.error_limit),
    Row("-fmax-errors=", JOINED, _HOST, act.error_limit),
    Row(
        "-fdiagnostics-color=",
        JOINED,
        _RAW,
        act.colours,
        value="auto|always|never",
        about="colours in messages (default: auto, on a terminal)",
    ),
    Row("-fdiagnostics-color", FLAG, _RAW, lambda o, v: act.colours(o, "always")),
    Row("-fcolor-diagnostics", FLAG, _RAW, lambda o, v: act.colours(o, "always")),
    Row("-fno-diagnostics-color", FLAG, _RAW, lambda o, v: act.colours(o, "never")),
    Row("-fno-color-diagnostics", FLAG, _RAW, lambda o, v: act.colours(o, "never")),
    Row("-fansi-escape-codes", FLAG, _RAW, about="clang's; colours are always ANSI's escape codes"),
    Row("-w", FLAG, _HOST, lambda o, v: replace(o, quiet=True)),
    Row("-Werror", FLAG, _HOST, lambda o, v: replace(o, warnings_are_errors=True)),
    Row("-Wno-error", FLAG, _HOST, lambda o, v: replace(o, warnings_are_errors=False)),
    Row("-Wa,", JOINED, _HOST),
    Row("-ffast-math", FLAG, _PREDEFINING, act.fast_math(True)),
    Row("-fno-fast-math", FLAG, _PREDEFINING, act.fast_math(False)),
    Row("-fshort-enums", FLAG, _LAYOUT),
    Row("-fno-short-enums", FLAG, _LAYOUT),
    Row("-fpack-struct", FLAG, _LAYOUT),
    Row("-fpack-struct=", JOINED, _LAYOUT),
    Row("-fno-pack-struct", FLAG, _LAYOUT),
    Row("-fshort-wchar", FLAG, _TYPES),
    Row("-fno-short-wchar", FLAG, _TYPES),
    Row("-malign-double", FLAG, _TYPES),
    Row("-mlong-double-", JOINED, _TYPES),
    Row("-mms-bitfields", FLAG, _TYPES),
    Row("-mno-ms-bitfields", FLAG, _TYPES),
    Row("-fwrapv", FLAG, _BUILD, lambda o, v: replace(o, wraps=True)),
    Row("-fno-wrapv", FLAG, _BUILD, lambda o, v: replace(o, wraps=False)),
    Row("-fwrapv-pointer", FLAG, _BUILD),
    Row("-fno-strict-overflow", FLAG, _BUILD, lambda o, v: replace(o, wraps=True)),
    Row("-fstrict-overflow", FLAG, _BUILD, lambda o, v: replace(o, wraps=False)),
    Row("-ftrapv", FLAG, _BUILD),
    Row("-fno-strict-aliasing", FLAG, _BUILD, lambda o, v: replace(o, strict_aliasing=False)),
    Row("-fstrict-aliasing", FLAG, _BUILD, lambda o, v: replace(o, strict_aliasing=True)),
    Row("-fno-delete-null-pointer-checks", FLAG, _BUILD),
    Row("-fdelete-null-pointer-checks", FLAG, _BUILD),
    Row("-ftrivial-auto-var-init=", JOINED, _BUILD),
    Row("-fsanitize=", JOINED, _BUILD),
    Row("-fno-sanitize=", JOINED, _BUILD),
    Row("-fsanitize-", JOINED, _BUILD),
    Row("-fno-sanitize-", JOINED, _BUILD),
    Row("-fstack-protector", JOINED, _PREDEFINING),
    Row("-fno-stack-protector", FLAG, _PREDEFINING),
    Row("-fno-omit-frame-pointer", FLAG, _BUILD),
    Row("-fomit-frame-pointer", FLAG, _BUILD),
    Row("-fno-builtin", JOINED, _BUILD),
    Row("-ffp-contract=", JOINED, _BUILD),
    Row("-fno-signed-zeros", FLAG, _PREDEFINING),
    Row("-fsigned-zeros", FLAG, _PREDEFINING),
    Row("-fno-math-errno", FLAG, _PREDEFINING),
    Row("-fmath-errno", FLAG, _PREDEFINING),
    Row("-funsafe-math-optimizations", FLAG, _PREDEFINING, act.reciprocals(True)),
    Row("-fno-unsafe-math-optimizations", FLAG, _PREDEFINING, act.reciprocals(False)),
    Row("-fassociative-math", FLAG, _PREDEFINING),
    Row("-fno-associative-math", FLAG, _PREDEFINING),
    Row("-freciprocal-math", FLAG, _PREDEFINING, act.reciprocals(True)),
    Row("-fno-reciprocal-math", FLAG, _PREDEFINING, act.reciprocals(False)),
    Row("-ffinite-math-only", FLAG, _PREDEFINING),
    Row("-fno-finite-math-only", FLAG, _PREDEFINING),
    Row("-frounding-math", FLAG, _PREDEFINING),
    Row("-fno-rounding-math", FLAG, _PREDEFINING),
    Row("-ftrapping-math", FLAG, _PREDEFINING),
    Row("-fno-trapping-math", FLAG, _PREDEFINING),
    Row("-fexcess-precision=", JOINED, _HOST),
    *(Row(f"-f{name}", FLAG, _ANY | To.PARSE) for name in ("PIC", "pic", "PIE", "pie", "no-pic", "no-pie")),
    Row("-ffreestanding", FLAG, _ANY | To.PARSE),
    Row("-fcommon", FLAG, _ANY | To.PARSE),
    Row("-ffp-contract=off", FLAG, _BUILD),
    Row("-funsigned-char", FLAG, To.CODE),
    Row("-fsigned-char", FLAG, To.CODE),
    Row("-fms-extensions", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-fgnu89-inline", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-fno-exceptions", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-fno-rtti", FLAG, To.HOST | To.PARSE | To.RAW),
    Row("-march=", JOINED, _BUILD | To.PARSE),
    Row("-mavx", JOINED, _BUILD | To.PARSE),
    Row("-msse", JOINED, _BUILD | To.PARSE),
    Row("-mfma", FLAG, _BUILD | To.PARSE),
    Row("-mf16c", FLAG, _BUILD | To.PARSE),
    Row("-m32", FLAG, _EVERYWHERE),
    Row("-m64", FLAG, _EVERYWHERE),
    Row("-target", SEPARATE, _EVERYWHERE),
    Row("--sysroot=", JOINED, _EVERYWHERE),
    Row("--sysroot", SEPARATE, _EVERYWHERE),
    Row("--gcc-toolchain=", JOINED, _EVERYWHERE),
    Row("--gcc-install-dir=", JOINED, _EVERYWHERE),
    Row("-stdlib=", JOINED, _EVERYWHERE, _CXX_LINK),
    Row("-pthread", FLAG, _ANY | To.PARSE),
    Row("-B", EITHER, _ANY),
    Row("--param", SEPARATE, _ANY),
    Row("--param=", JOINED, _ANY),
    Row("--coverage", FLAG, _BUILD),
    Row("-coverage", FLAG, _BUILD),
    Row("-fprofile-arcs", FLAG, _BUILD),
    Row("-ftest-coverage", FLAG, _BUILD),
    *(Row(f"-fprofile-{kind}", FLAG, _BUILD) for kind in ("generate", "use")),
    *(Row(f"-fprofile-{kind}=", JOINED, _BUILD) for kind in ("generate", "use")),
    Row("-fprofile-update=", JOINED, _BUILD),
    *(Row(f"-f{kind}-prefix-map=", JOINED, _BUILD) for kind in ("file", "debug", "macro")),
    Row("-fdebug-compilation-dir=", JOINED, _BUILD),
    Row("-ffile-compilation-dir=", JOINED, _BUILD),
    Row("-pipe", FLAG, _HOST),
    Row("-pg", FLAG, _ANY),
    Row("-mllvm", SEPARATE, _ANY),
    Row("-Xclang", SEPARATE, _HOST, act.frontend_option),
    Row("-Xassembler", SEPARATE, _HOST),
    Row("-Xarch_host", SEPARATE, _HOST, act.host_option),
    Row("-emit-llvm", FLAG, _HOST),
    Row("-aux-info", SEPARATE, _HOST),
    Row("-dumpbase", SEPARATE, _HOST),
    Row("-dumpdir", SEPARATE, _HOST),
    Row("-wrapper", SEPARATE, _ANY),
    Row("-specs=", JOINED, _ANY),
    Row("--config=", JOINED, _ANY),
    Row("--config", SEPARATE, _ANY),
)

_LINKER = (
    Row("-l", EITHER, _LINK),
    Row("-L", EITHER, _LINK),
    Row("-Wl,", JOINED, _LINK),
    Row("-Xlinker", SEPARATE, _LINK),
    Row("-T", EITHER, _LINK),
    Row("-u", EITHER, _LINK),
    Row("-z", EITHER, _LINK),
    Row("-e", SEPARATE, _LINK),
    Row("-rpath", SEPARATE, _LINK),
    Row("-s", FLAG, _LINK),
    Row("-t", FLAG, _LINK),
    Row("-shared", FLAG, _LINK),
    Row("-shared-libgcc", FLAG, _LINK),
    Row("-static-libgcc", FLAG, _LINK),
    Row("-static-libstdc++", FLAG, _LINK, _CXX_LINK),
    Row("-static", FLAG, _LINK, _STATIC),
    Row("-static-pie", FLAG, _LINK, _STATIC),
    Row("-rdynamic", FLAG, _LINK),
    Row("-pie", FLAG, _LINK),
    Row("-no-pie", FLAG, _LINK),
    Row("-nopie", FLAG, _LINK),
    Row("-nostdlib", FLAG, _LINK, _NO_STANDARD_LIBRARIES),
    Row("-nodefaultlibs", FLAG, _LINK, _NO_STANDARD_LIBRARIES),
    Row("-nolibc", FLAG, _LINK),
    Row("-nostdlib++", FLAG, _LINK),
    Row("-nostartfiles", FLAG, _LINK),
    Row("-r", FLAG, _LINK, _NO_LIBRARIES),
    Row("-fuse-ld=", JOINED, _LINK),
    Row("--ld-path=", JOINED, _LINK),
)

_CLANG_OFFLOAD = act.ignored("ignored: an option of clang's own offloading (-fopenmp-..., -fno-openmp-...)")
_ALWAYS_ON = act.ignored("OpenMP is always on")
_FOREIGN = (
    Row("-fopenmp", FLAG, _NOTHING, lambda o, v: replace(o, openmp=True)),
    Row("-fopenmp=", JOINED, _NOTHING, _ALWAYS_ON),
    Row("-fopenmp-simd", FLAG, _NOTHING, _ALWAYS_ON),
    Row("-fiopenmp", FLAG, _NOTHING, _ALWAYS_ON),
    Row("-qopenmp", FLAG, _NOTHING, _ALWAYS_ON),
    Row("-mp", FLAG, _NOTHING, _ALWAYS_ON),
    Row("-mp=", JOINED, _NOTHING, _ALWAYS_ON),
    Row("-fopenmp-version=", JOINED, To.CLANG, act.openmp_version),
    Row("-fopenmp-targets=", JOINED, _NOTHING, devices.openmp_targets),
    Row("-Xopenmp-target", SEPARATE, _NOTHING, devices.openmp_target_option),
    Row("-Xopenmp-target=", BOTH, _NOTHING, devices.openmp_target_option),
    Row("-fopenmp-offload-mandatory", FLAG, _NOTHING,
        act.ignored("ignored: -fopenmp-offload-mandatory (set OMP_TARGET_OFFLOAD=MANDATORY for the run)")),
    Row("-fopenmp-", JOINED, _NOTHING, _CLANG_OFFLOAD),
    Row("-fno-openmp-", JOINED, _NOTHING, _CLANG_OFFLOAD),
    Row("--offload-new-driver", FLAG, _NOTHING, act.ignored("ignored: --offload-new-driver")),
    Row("-foffload-lto", FLAG, _NOTHING, act.offload_lto, about="the same as -foffload-lto=full"),
    Row("-foffload-lto=", JOINED, _NOTHING, act.offload_lto, value="full|thin",
        about="full: link device code of any number of files as one program, not in pieces"),
    Row("-fno-offload-lto", FLAG, _NOTHING, lambda o, v: act.offload_lto(o, "thin")),
    Row("-Xarch_device", SEPARATE, _NOTHING, act.ignored("ignored: -Xarch_device")),
    Row("-foffload=", JOINED, _NOTHING, devices.gcc_offload),
    Row("-foffload-options=", JOINED, _NOTHING, act.ignored("ignored: -foffload-options (for gcc's device compiler)")),
    Row("-foffload-abi=", JOINED, _NOTHING, act.ignored("ignored: -foffload-abi")),
)  # fmt: skip

_QUERIES = (
    Row("-dumpversion", FLAG, _RAW, act.stop(Mode.QUERY)),
    Row("-dumpfullversion", FLAG, _RAW, act.stop(Mode.QUERY)),
    Row("-dumpmachine", FLAG, _RAW, act.stop(Mode.QUERY)),
    Row("-dumpspecs", FLAG, _RAW, act.stop(Mode.QUERY)),
    Row("-print-", JOINED, _RAW, act.stop(Mode.QUERY)),
    Row("--print-", JOINED, _RAW, act.stop(Mode.QUERY)),
    Row("--help=", JOINED, _RAW, act.stop(Mode.QUERY)),
    Row("--target-help", FLAG, _RAW, act.stop(Mode.QUERY)),
)


def groups(device: Target) -> dict[str, tuple[Row, ...]]:
    """Return all rows by purpose, for commands that make kernels for a device."""
    tools = device.tools
    return {
        "rexcc's own": (*_wishes(device), *_OUTPUTS, *_own(tools.own_options), *_TELLING),
        "Steps and files": _STEPS,
        "Preprocessor": _PREPROCESSOR,
        "Compiler": _COMPILER,
        "Linker": _LINKER,
        "Other compilers' offloading": (*_FOREIGN, *_own(tools.foreign_options)),
        "Questions to the host compiler": _QUERIES,
    }


def rows(device: Target) -> tuple[Row, ...]:
    """Return all rows; a spelling stands once."""
    return tuple(row for found in groups(device).values() for row in found)


ROWS = rows(DEFAULT)

OTHER = Row("", JOINED, _ANY)
"""What an option without a row is: passed to the host compiler when it compiles and when it links."""
