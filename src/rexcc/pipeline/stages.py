"""What stages have in common: errors become diagnostics, defects get a place, clang gets the same arguments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from rexcc import runtime
from rexcc.clang.standards import standard_in
from rexcc.pipeline.records import TranslateOptions
from rexcc.program.tuned import Entry
from rexcc.source import compiler_macros
from rexcc.source.compiler_questions import answers, questions, text_of
from rexcc.source.diagnostics import CompileError, DiagnosticSink, Severity
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.records import replace
from rexcc.source.text import Span, inside


class StageError(Exception):
    """A defect of the compiler, with the user's place that the stage was working on."""

    def __init__(self, stage: str, span: Span | None, defect: Exception) -> None:
        super().__init__(f"{stage}: {type(defect).__name__}: {defect}")
        self.stage = stage
        self.span = span


@contextmanager
def stage(name: str, span: Span | None, sink: DiagnosticSink) -> Iterator[None]:
    """Collect a stage's error, one for each place; give a defect the place that the stage was working on.

    Where the user's text has errors already, they are what he needs to see, not what a stage made of it.
    """
    try:
        yield
    except CompileError as problem:
        for told in (problem.diagnostic, *problem.others):
            if not any(d.severity is Severity.ERROR and d.span == told.span for d in sink.found if d.span):
                sink.add(told)
    except ExpansionNeeded:
        raise
    except Exception as defect:
        if sink.has_errors:
            return
        raise StageError(name, span, defect) from defect


def options_inside(options: TranslateOptions) -> TranslateOptions:
    """Return options whose paths and arguments have a character for each byte, as all texts of the stages."""
    return replace(
        options,
        clang_arguments=tuple(map(inside, options.clang_arguments)),
        system_includes=tuple(map(inside, options.system_includes)),
        embed_folders=tuple(map(inside, options.embed_folders)),
        tuned=tuple(map(_entry_inside, options.tuned)),
    )


def _entry_inside(entry: Entry) -> Entry:
    key = entry.key
    return replace(entry, key=replace(key, file=inside(key.file), function=inside(key.function)))


def asked(options: TranslateOptions, texts: Collection[str]) -> TranslateOptions:
    """Return options of :func:`options_inside` with what the host's compiler says, also to what texts ask."""
    if options.ask_host is not None:
        folders, macros = options.ask_host()
        options = replace(options, system_includes=tuple(map(inside, folders)), compiler_macros=macros, ask_host=None)
    wanted = questions(texts) if options.preprocess is not None else ()
    printed = options.preprocess(text_of(wanted)) if options.preprocess is not None and wanted else None
    if printed is None:
        return options
    kept = tuple((name, value) for name, value in options.compiler_macros if name in compiler_macros.NAMES)
    return replace(options, compiler_macros=(*kept, *answers(texts, wanted, printed)))


_CONCEPTS = 20
"""The standard that has them."""
_DATES = {31: 201107, 40: 201307, 45: 201511, 50: 201811, 51: 202011, 52: 202111, 60: 202411}
"""What ``_OPENMP`` is for each version that can be asked for."""


def openmp_date(options: TranslateOptions) -> int:
    """Return what ``_OPENMP`` is in a program."""
    return _DATES.get(options.openmp_version, 202011)


def clang_arguments(options: TranslateOptions) -> tuple[str, ...]:
    """Return the arguments with which clang reads a unit."""
    return (*_clang_defaults(options), *_without_precompiled(options.clang_arguments))


def _without_precompiled(arguments: Sequence[str]) -> Iterator[str]:
    """Give arguments by which clang reads headers of ``-include`` as they are.

    It would look for a precompiled one beside each, and cannot read what another compiler has made.
    """
    words = iter(arguments)
    for word in words:
        if word.startswith("-include"):
            yield from ("-Xclang", "-include", "-Xclang", word.removeprefix("-include") or next(words, ""))
        else:
            yield word


def _newer_features(options: TranslateOptions) -> list[str]:
    """Return the arguments for macros of features that libclang has, but of which it does not say so yet.

    Classes whose special members depend on constraints are those of clang 16; since clang 19 ``__cpp_concepts`` says
    so, for which libstdc++ asks in front of ``std::expected``.
    """
    host = dict(options.compiler_macros)
    least = {"__clang_major__": 19} if "__clang__" in host else {"__GNUC__": 10}
    is_newer = all(host.get(name, "").isdigit() and int(host[name]) >= value for name, value in least.items())
    if options.language != "c++" or standard_in(options.clang_arguments) < _CONCEPTS or not is_newer:
        return []
    return ["-Wno-builtin-macro-redefined", "-D__cpp_concepts=202002L"]


def _clang_defaults(options: TranslateOptions) -> list[str]:
    found = [f"-D_OPENMP={openmp_date(options)}"]
    if not any(a.startswith(("-std=", "--std=")) for a in options.clang_arguments):
        found.append("-std=gnu17" if options.language == "c" else "-std=gnu++17")
    found += compiler_macros.arguments(options.compiler_macros, options.language)
    found += _newer_features(options)
    found += ["-DREX_FRONT_END"] if options.language == "c" else []  # <tgmath.h> asks for it
    found += ["-isystem", str(runtime.INCLUDE)]
    for folder in options.system_includes:
        found += ["-idirafter", folder]
    return found
