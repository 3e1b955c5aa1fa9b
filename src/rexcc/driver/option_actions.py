"""What the driver's own options do to :class:`~rexcc.driver.command_line.Options`.

In: the options so far and an option's value. Out: the options after it. Only actions of more than one expression stand
here; the simple ones are lambdas in ``option_table``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rexcc.driver.command_line import Level, Mode, Options, To, UsageError
from rexcc.driver.explain import known_codes
from rexcc.driver.languages import header_of
from rexcc.lowering.reductions.strategies import STRATEGIES
from rexcc.program.optimisations import NAMES, left_out
from rexcc.source.diagnostics import did_you_mean
from rexcc.source.patterns import regex
from rexcc.source.records import replace
from rexcc.target.known import CPU
from rexcc.target.model import Target
from rexcc.target.options import Meaning, OwnOption

Action = Callable[[Options, str], Options]

BOTH = "both"
NATIVE = "native"
"""The word for the architectures of this machine's devices."""
_ALL = ("all", "all-major")
"""Words of other compilers for whatever they know."""
SCHEDULERS = ("direct", "xomp")
WAITS = ("spin", "yield", "block")
MEMORIES = ("managed", "pinned")
INITS = ("eager", "overlap")
INSPECTIONS = ("pragmas", "pragmas=json", "ast", "ast=json", "kernel", "kernel=json")
FORMATS = ("text", "json", "sarif")


def nothing(options: Options, value: str) -> Options:
    """Change nothing."""
    return options


def ignored(reason: str) -> Action:
    """Return an action that only remembers, for ``-v``, that and why an option has no effect."""
    return lambda options, value: options.with_remark(reason)


def stop(mode: Mode) -> Action:
    """Return an action that ends the work at ``mode``."""
    return lambda options, value: options.stopping_at(mode)


def one_of(option: str, value: str, known: tuple[str, ...]) -> str:
    """Return ``value`` if it is known; raise UsageError with the nearest one if not."""
    if value in known:
        return value
    raise UsageError(f"invalid value '{value}' of {option}{did_you_mean(value, known)} ({', '.join(known)})")


def remarks(options: Options, value: str) -> Options:
    """``-Rrex=``: groups of remarks add up."""
    patterns = {
        "lowering": "^rex(-loop|-memory|-access|-queue)?$",
        "loop": "^rex-loop$",
        "memory": "^rex-memory$",
        "access": "^rex-access$",
        "queue": "^rex-queue$",
        "map": "^rex-map$",
        "all": "^rex",
    }
    asked = patterns[one_of("-Rrex", value, tuple(patterns))]
    known = f"{options.remark_pattern}|" if options.remark_pattern is not None else ""
    return replace(options, remark_pattern=known + asked)


def targets_by_word(device: Target, devices: tuple[Target, ...]) -> dict[str, frozenset[str]]:
    """Return the values of ``--target=``, each with the names of the targets that it stands for.

    ``device`` is the command's among ``devices``, one of which a command can be for.
    """
    alone = {target.name: frozenset({target.name}) for target in (*devices, CPU)}
    return alone | {BOTH: frozenset({device.name, CPU.name})}


def target(options: Options, value: str) -> Options:
    """``--target=``: rexcc's device targets, or clang's triple of the host, which is passed on."""
    known = targets_by_word(options.device, options.devices)
    if value in known:
        return replace(options, targets=known[value])
    if "-" in value:
        everywhere = To.CODE | To.LINK | To.ABI
        return options.with_flag(everywhere, (f"--target={value}",))
    one_of("--target", value, tuple(known))
    return options


def offload_architectures(options: Options, value: str) -> Options:
    """``--offload-arch=``: architectures add up, ``native`` is this machine's GPU."""
    names = [name.strip() for name in value.split(",")]
    for name in names:
        _check_architecture(options, name)
    new = [name for name in names if name not in options.architectures]
    return replace(options, architectures=options.architectures + tuple(dict.fromkeys(new)))


def _check_architecture(options: Options, name: str) -> None:
    known = options.device.architectures
    if name == NATIVE or known.is_known(name):
        return
    expected = f"expected {known.form}, such as {known.default}, or {NATIVE}"
    for other in options.devices:
        if other is not options.device and name.startswith(other.architectures.beginning):
            expected = f"GPUs of {other.vendor} are chosen by --target={other.name}; else {expected}"
    raise UsageError(f"invalid GPU architecture '{name}'; {expected}")


def own_option(option: OwnOption) -> Action:
    """Return the action of an option of the device's tools."""
    if option.meaning is Meaning.FOLDER:
        return lambda options, value: replace(options, tools_folder=value)
    if option.meaning is Meaning.IGNORED:
        return ignored(option.reason)
    if option.meaning is Meaning.FAST_MATH:
        return lambda options, value: replace(options, fast_math=True)
    if option.meaning is Meaning.WORDS:
        return nothing
    return _architectures_in(option) if option.pattern else offload_architectures


def _architectures_in(option: OwnOption) -> Action:
    """Return the action of an option of which only the architectures in its value mean something here."""

    def act(options: Options, value: str) -> Options:
        if value == NATIVE:
            return offload_architectures(options, value)
        if value in _ALL:
            wish = f"--offload-arch={options.device.architectures.default},..."
            raise UsageError(f"'{option.spelling}{value}': an image is built for each architecture; name them: {wish}")
        found = ",".join(option.form.format(number) for number in re.findall(option.pattern, value))
        options = options.with_remark(f"{option.spelling}{value}: taken for the architectures in it")
        return offload_architectures(options, found) if found else options

    return act


def no_offload_architectures(options: Options, value: str) -> Options:
    """``--no-offload-arch=``: take architectures back, or ``all``."""
    if value == "all":
        return replace(options, architectures=())
    dropped = value.split(",")
    return replace(options, architectures=tuple(a for a in options.architectures if a not in dropped))


def openmp_targets(options: Options, value: str) -> Options:
    """``-fopenmp-targets=``: clang's triples, as device targets."""
    return _imply(options, "-fopenmp-targets", value)


def gcc_offload(options: Options, value: str) -> Options:
    """``-foffload=``: gcc's targets; ``-foffload=disable`` leaves target regions to the host compiler."""
    if value in ("disable", "default"):
        return replace(options, offload=value == "default")
    if value.startswith("-"):
        return options.with_remark(f"ignored: -foffload={value} (an option for gcc's device compiler)")
    return _imply(options, "-foffload", value.split("=")[0])


def _imply(options: Options, spelling: str, value: str) -> Options:
    chosen = frozenset(_device_of(options, spelling, triple) for triple in value.split(","))
    words = " and ".join(sorted(chosen))
    both = chosen | (options.implied_targets or frozenset())
    return replace(options, implied_targets=both).with_remark(f"{spelling}={value} taken as --target={words}")


def _device_of(options: Options, spelling: str, triple: str) -> str:
    for known in options.known_targets:
        if known.has_triple(triple):
            return known.name
    knows = f"rexcc knows {options.device.triples[0]} and {CPU.title} ({CPU.triples[0]})"
    raise UsageError(f"cannot offload to '{triple}' ({spelling}); {knows}")


def openmp_target_option(options: Options, value: str) -> Options:
    """``-Xopenmp-target ARG``: clang's option for the device compiler; only the architecture means something here."""
    name, _, architecture = value.partition("=")
    tools = options.device.tools
    foreign = (o.spelling.rstrip("=") for o in tools.foreign_options if o.meaning is Meaning.ARCHITECTURES)
    known = architecture.startswith(options.device.architectures.beginning)
    if known and name in ("-march", "--offload-arch", *foreign):
        return offload_architectures(options, architecture)
    return options.with_remark(f"ignored: -Xopenmp-target {value}")


def precompiled_header(options: Options, value: str) -> Options:
    """``-include-pch``: another clang cannot read the file; it gets the header, which comes before all others."""
    header = header_of(value)
    parse = ("-include", header, *options.flags.parse)
    return replace(options, flags=replace(options.flags, parse=parse), precompiled=(*options.precompiled, header))


def embed_folder(options: Options, value: str) -> Options:
    """``--embed-dir``: where ``#embed`` looks for files."""
    return replace(options, embed_folders=(*options.embed_folders, value))


_TYPES = regex(
    r"-f(?:no-)?(?:short-enums|short-wchar|pack-struct(?:=.*)?|(?:un)?signed-char|signed-wchar)|-fwchar-type=.*"
    r"|-m(?:no-)?(?:align-double|ms-bitfields)|-mlong-double-.*|-m(?:16|32|64|x32)"
)
"""Options that say what types are."""


def host_option(options: Options, value: str) -> Options:
    """``-Xarch_host ARG``: what the host's types are is what the device's have to be."""
    _check_types("-Xarch_host", value)
    return options


def _check_types(option: str, value: str) -> None:
    if _TYPES.fullmatch(value):
        message = f"'{option} {value}' gives the host other types than the device has, and both share their bytes"
        raise UsageError(f"{message}; give '{value}' without {option}")


def frontend_option(options: Options, value: str) -> Options:
    """``-Xclang ARG``, of which two and two belong together; build systems include headers in this way."""
    _check_types("-Xclang", value)
    option = options.flags.host[-3] if options.flags.host[-4:-3] == ("-Xclang",) else ""
    if option == "-include-pch":
        return precompiled_header(options, value)
    if option in ("-include", "-imacros") and value not in options.precompiled:
        return options.with_flag(To.PARSE, (option, value))
    return options


def language(options: Options, value: str) -> Options:
    """``-x``: the language of the inputs that follow."""
    return replace(options, forced_language=None if value == "none" else value)


_STANDARD = regex(
    r"(?:c|gnu)(?:89|90|9x|99|1x|11|17|18|[23]\w)|iso9899:\w+"
    r"|(?:c|gnu)\+\+(?:98|03|0x|11|1y|14|1z|17|[23]\w)"
)
_STANDARDS = (
    "c90, c99, c11, c17, c23; c++98, c++11, c++14, c++17, c++20, c++23; gnu in place of c adds GNU's extensions"
)


def standard(options: Options, value: str) -> Options:
    """``-std=``: remembered by language, so that one line can hold C and C++ files."""
    if _STANDARD.fullmatch(value) is None:
        raise UsageError(f"invalid value '{value}' of -std ({_STANDARDS})")
    if "++" in value:
        return replace(options, cxx_standard=value)
    return replace(options, c_standard=value)


def optimization(options: Options, value: str) -> Options:
    """``-O``: the level, for the compilers whose spelling differs."""
    options = replace(options, optimization=value or "1")
    return fast_math(True)(options, value) if value == "fast" else options


def fast_math(allowed: bool) -> Action:
    """Return the action of ``-ffast-math``, which ``-freciprocal-math`` is a part of, or of its opposite."""
    return lambda options, value: replace(options, fast_math=allowed, reciprocals=allowed)


def reciprocals(allowed: bool) -> Action:
    """Return the action of an option by which a division may be a multiplication by the reciprocal, or may not."""
    return lambda options, value: replace(options, reciprocals=allowed)


def debugging(options: Options, value: str) -> Options:
    """``-g``: debug information, which gives GPU kernels their line numbers."""
    return replace(options, debug=value != "0")


def checking(options: Options, value: str) -> Options:
    """``--check``: kernels run on the CPU device, and all code tells the checking runtime of its accesses."""
    targets, plain = frozenset({CPU.name}), (*options.optimisations, "0")  # optimisations move accesses
    return replace(options, checked=True, debug=True, targets=targets, optimisations=plain)


def explain(options: Options, value: str) -> Options:
    """``--explain``: print the text behind a code, nothing else."""
    return replace(options, information="--explain", explained=value)


def emit(options: Options, value: str) -> Options:
    """``--emit=``: what to leave instead of a program."""
    one_of("--emit", value, ("src", "report", *INSPECTIONS))
    if value == "report":
        return options.stopping_at(Mode.REPORT)
    if value in INSPECTIONS:
        return replace(options, inspection=value).stopping_at(Mode.INSPECT)
    return options.stopping_at(Mode.EMIT_SOURCES)


def report(options: Options, value: str) -> Options:
    """``--report=``: the folder for pages on the files that are compiled."""
    if not value:
        raise UsageError("--report wants a folder for the pages, the same for all files of a program")
    return replace(options, report=value)


def tuned(options: Options, value: str) -> Options:
    """``--tuned=``: the file with choices for kernels."""
    if not value:
        raise UsageError("--tuned wants a file that 'rexcc bench --tune' has written")
    return replace(options, tuned=value)


def diagnostics(options: Options, value: str) -> Options:
    """``--diagnostics=``: the form in which errors and warnings are written."""
    return replace(options, diagnostics=one_of("--diagnostics", value, FORMATS))


def error_limit(options: Options, value: str) -> Options:
    """``-ferror-limit=``: how many errors of a file are shown."""
    if not value.isdecimal():
        raise UsageError(f"invalid value '{value}' of -ferror-limit (a number; 0 shows all errors)")
    return replace(options, error_limit=int(value))


def colours(options: Options, value: str) -> Options:
    """``-fdiagnostics-color=``: colours in messages."""
    if value not in ("auto", "always", "never"):
        raise UsageError(f"invalid value '{value}' of -fdiagnostics-color (auto, always, never)")
    return replace(options, colours=value)


_WARNING = regex(r"(?P<how>no-error=|error=|no-)?(?P<code>.*)")
_LEVELS = {"no-error=": Level.WARNING, "error=": Level.ERROR, "no-": Level.OFF, None: Level.AS_OTHERS}


def warning(options: Options, value: str) -> Options:
    """``-W``: rexcc's own for rexcc's codes, else the host compiler's."""
    found = _WARNING.fullmatch(value)
    code = found["code"] if found else ""
    known = known_codes()
    if found is None or (code not in known and not code.startswith("omp-")):
        images = To.CPU if value.startswith("no-") else To.NOTHING  # some warnings are errors unless they are off
        return options.with_flag(To.HOST | To.RAW | images, (f"-W{value}",))
    if code not in known:
        raise UsageError(f"unknown warning '-W{value}'{did_you_mean(code, known)}")
    return replace(options, warning_levels=(*options.warning_levels, (code, _LEVELS[found["how"]])))


def openmp_version(options: Options, value: str) -> Options:
    """``-fopenmp-version=``: clang judges the value; newer clauses are warned of."""
    return replace(options, openmp_version=int(value) if value.isdigit() else 0)


def offload_lto(options: Options, value: str) -> Options:
    """``-foffload-lto=``: ``full`` links device code of any number of files as one program."""
    return replace(options, links_whole=one_of("-foffload-lto", value or "full", ("full", "thin", "auto")) == "full")


def scheduler(options: Options, value: str) -> Options:
    """``--rex-scheduler=``: how kernels share out loop iterations."""
    return replace(options, scheduler=one_of("--rex-scheduler", value, SCHEDULERS))


def wait(options: Options, value: str) -> Options:
    """``--rex-wait=``: how the linked program's host waits for the GPU."""
    return replace(options, wait=one_of("--rex-wait", value, WAITS))


def init(options: Options, value: str) -> Options:
    """``--rex-init=``: when the linked program starts the GPU."""
    return replace(options, init=one_of("--rex-init", value, INITS))


def memory(options: Options, value: str) -> Options:
    """``--memory=``: what the linked program's heap is made of."""
    return replace(options, memory=one_of("--memory", value, MEMORIES))


def omp_runtime(options: Options, value: str) -> Options:
    """``--omp-runtime=``: the version of LLVM's runtime, or where it is."""
    if not value:
        raise UsageError("--omp-runtime wants the version of an LLVM, the folder of its libomptarget, or that library")
    return replace(options, omp_runtime=value)


def reduction(options: Options, value: str) -> Options:
    """``--rex-reduction=``: how the results of teams come together."""
    return replace(options, reduction=one_of("--rex-reduction", value, STRATEGIES))


def optimisations(options: Options, value: str) -> Options:
    """``--rex-opt=``: which optimisations are left out; values add up."""
    words = tuple(value.split(","))
    try:
        left_out(words)
    except ValueError as problem:
        known = ("0", "all", *NAMES)
        nearest = did_you_mean(str(problem), (*known, *(f"no-{name}" for name in NAMES)))
        message = f"invalid value '{problem}' of --rex-opt{nearest} ({', '.join(known)}, each name also behind no-)"
        raise UsageError(message) from None
    return replace(options, optimisations=(*options.optimisations, *words))


def dependency_kind(kind: str, mode: Mode) -> Action:
    """Return an action for one of ``-M -MM -MD -MMD``; ``-MM`` stays once it is chosen."""

    def act(options: Options, value: str) -> Options:
        old = options.dependencies
        return replace(options, dependencies=replace(old, kind=old.kind or kind)).stopping_at(mode)

    return act


def dependency_rule(spelling: str) -> Action:
    """Return an action that passes on one of ``-MT -MQ -MP -MG``."""

    def act(options: Options, value: str) -> Options:
        old = options.dependencies
        new = (spelling, value) if value else (spelling,)
        return replace(options, dependencies=replace(old, rules=old.rules + new))

    return act


def dependency_file(options: Options, value: str) -> Options:
    """``-MF``: the file to write rules to."""
    return replace(options, dependencies=replace(options.dependencies, file=value))


def preprocessor_options(options: Options, value: str) -> Options:
    """``-Wp,``: passed on, but ``-Wp,-MD,FILE`` is ``-MD -MF FILE`` (Linux-style makefiles)."""
    words = value.split(",")
    if words[0] not in ("-MD", "-MMD") or len(words) != 2:
        return options.with_flag(To.HOST | To.RAW, (f"-Wp,{value}",))
    kind = "-M" if words[0] == "-MD" else "-MM"
    found = replace(options.dependencies, kind=kind, file=words[1])
    return replace(options, dependencies=found)
