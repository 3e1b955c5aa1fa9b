"""What the driver's own options do to :class:`~rexcc.driver.options.command_line.Options`.

In: the options so far and an option's value. Out: the options after it. Only actions of more than one expression stand
here; the simple ones are lambdas in ``option_table``, those that choose devices are in ``device_options``.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Level, Mode, To, UsageError
from rexcc.driver.options.explain import known_codes
from rexcc.driver.options.languages import header_of
from rexcc.lowering.reductions.strategies import STRATEGIES
from rexcc.program.optimisations import NAMES, left_out
from rexcc.source.diagnostics import did_you_mean
from rexcc.source.patterns import regex
from rexcc.source.records import replace
from rexcc.target.commands import Given
from rexcc.target.known import CPU

Action = Callable[[Options, str], Options]

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


def precompiled_header(options: Options, value: str) -> Options:
    """``-include-pch``: another clang cannot read the file; it gets the header, which comes before all others."""
    header = header_of(value)
    parse = ("-include", header, *options.flags.parse)
    known = (*options.precompiled, (value, header))
    return replace(options, flags=replace(options.flags, parse=parse), precompiled=known)


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
    if option in ("-include", "-imacros") and value not in dict(options.precompiled).values():
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


def as_option(spelling: str, to: To) -> Action:
    """Return the action of a longer spelling of an option, which is handed on as the one that all compilers know."""
    return lambda options, value: _written(options, spelling, to, value)


def _written(options: Options, spelling: str, to: To, value: str) -> Options:
    return options.with_flag(to, (spelling, value)).with_given(Given(spelling, spelling, value))


def behind_prefix(own: str, spelling: str) -> Action:
    """Return the action of ``-iwithprefix`` and the like: ``-iprefix``, if one is in front, and the value are a folder.
    The host compiler gets the option itself: it has a prefix of its own, and gcc looks into the folder earlier."""

    def action(options: Options, value: str) -> Options:
        prefixes = [given.value for given in options.flags.given if given.spelling == "-iprefix"]
        options = options.with_flag(To.HOST | To.RAW, (own, value))
        return _written(options, spelling, To.PARSE | To.CPU, prefixes[-1] + value) if prefixes else options

    return action


def preprocessor_options(options: Options, value: str) -> Options:
    """``-Wp,``: passed on, but ``-Wp,-MD,FILE`` is ``-MD -MF FILE`` (Linux-style makefiles)."""
    words = value.split(",")
    if words[0] not in ("-MD", "-MMD") or len(words) != 2:
        return options.with_flag(To.HOST | To.RAW, (f"-Wp,{value}",))
    kind = "-M" if words[0] == "-MD" else "-MM"
    found = replace(options.dependencies, kind=kind, file=words[1])
    return replace(options, dependencies=found)
