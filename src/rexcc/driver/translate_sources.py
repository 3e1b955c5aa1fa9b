"""The translation of a command's sources.

In: parsed options, the tools and the chosen targets. Out: each source's translation as a unit of the plan, or what is
understood of it; diagnostics are shown as they come. What the command line says becomes
:class:`~rexcc.pipeline.TranslateOptions` here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rexcc import pipeline
from rexcc.codegen.registration.unit_parts import UnitPart
from rexcc.driver.commands import flags, tuned_files
from rexcc.driver.commands.named_files import why_unread
from rexcc.driver.commands.plan import Unit
from rexcc.driver.commands.workspace import Workspace, unit_folders, with_own_headers
from rexcc.driver.large_stack import with_large_stack
from rexcc.driver.link import device_groups, device_parts
from rexcc.driver.link.device_parts import Part
from rexcc.driver.messages import crash, report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input, To
from rexcc.driver.options.languages import Language
from rexcc.driver.outputs import inspect
from rexcc.driver.tools.targets import Targets
from rexcc.driver.tools.toolchain import Toolchain
from rexcc.frontend.library_headers import with_system_folders
from rexcc.frontend.line_markers import with_includes
from rexcc.lowering.model.topics import MAP_REMARK, Topic
from rexcc.pipeline import ReadFile, TranslateOptions, Translation
from rexcc.program.optimisations import left_out
from rexcc.source.compiler_macros import Macros
from rexcc.source.diagnostics import CompileError, Severity
from rexcc.source.records import dataclass, replace
from rexcc.target.commands import Given

Translate = Callable[[str, TranslateOptions, ReadFile], Translation]

_STANDARD = ("/usr/local/include", "/usr/include")
"""Where libraries are installed; the host's compiler tells where among its own folders it looks there."""
_NO_TRANSLATION = Translation(has_offload=False, diagnostics=())


def inspect_all(options: Options, tools: Toolchain, write: report.Write) -> int:
    """Show what is understood of the sources; a file with errors is shown as far as it is understood."""
    shown: list[inspect.Found] = []
    failed = False
    for source in options.sources:
        read = reader_of(options, tools, source)
        if read(source.name) is None:
            report.message(Severity.ERROR, why_unread(source.name))
            failed = True
            continue
        wishes = translate_options(options, tools, inspect.targets(options), source)
        found = pipeline.inspect(source.name, wishes, read, inspect.what(options))
        failed |= report.show_diagnostics(options, found.diagnostics, write)
        shown += [found.found] if found.found is not None else []
    inspect.output(options, shown)
    return int(failed)


@dataclass(frozen=True)
class Translator:
    """The compiler proper, who gets the diagnostics to show, and whether device code of the one file that is
    translated is linked with that of no other."""

    translate: Translate
    write: report.Write
    alone: bool = False


def translate_all(
    options: Options, tools: Toolchain, chosen: Targets, workspace: Workspace, translator: Translator
) -> tuple[list[Unit], int]:
    """Translate every source; return the units and the exit status, 0 when all went well."""
    units: list[Unit] = []
    status = 0
    for source, folder in zip(options.sources, unit_folders(workspace.folder, options.sources), strict=True):
        translation, result = translate_source(options, tools, chosen, source, workspace.keep, translator)
        status = max(status, result)
        units.append(Unit(source, translation, folder))
    return with_own_headers(workspace.folder, units), status


def _are_linked(parts: Sequence[UnitPart]) -> bool:
    """Whether device code of some units is linked with that of others."""
    return any(part.needs for part in parts) or bool(device_parts.groups([Part(part) for part in parts]))


def without_parts(
    options: Options,
    tools: Toolchain,
    chosen: Targets,
    workspace: Workspace,
    translator: Translator,
    units: list[Unit],
) -> list[Unit]:
    """Translate units again that offer device functions to others, in a link where nobody wants any: a GPU's compiler
    takes as long for a relocatable object as for an image. Of the CPU device the one is made of the other."""
    parts = [unit.translation.part for unit in units if unit.translation.part is not None]
    if not chosen.architectures or not device_groups.is_complete(options) or _are_linked(parts):
        return units
    again = Translator(translator.translate, lambda told: None, alone=True)
    found = []
    for unit in units:
        if unit.translation.part is not None:
            translation, status = translate_source(options, tools, chosen, unit.source, workspace.keep, again)
            unit = unit if status else replace(unit, translation=translation)
        found.append(unit)
    return found


def translate_source(
    options: Options, tools: Toolchain, chosen: Targets, source: Input, is_kept: bool, translator: Translator
) -> tuple[Translation, int]:
    """Return the translation of a source and the exit status; what stops it is shown."""
    read = reader_of(options, tools, source)
    if read(source.name) is None:
        report.message(Severity.ERROR, why_unread(source.name))
        return _NO_TRANSLATION, 1
    if source.language is Language.HOST or not options.offload:
        return _NO_TRANSLATION, 0
    try:
        wishes = translate_options(options, tools, chosen, source)
        wishes = replace(wishes, is_kept=is_kept, alone=translator.alone)
        translation = with_large_stack(lambda: translator.translate(source.name, wishes, read))
    except CompileError as stopped:
        report.show_diagnostics(options, (stopped.diagnostic,), translator.write)
        return _NO_TRANSLATION, 1
    except OSError:  # libclang is not there, which is no defect of ours
        raise
    except Exception as problem:  # an internal error of any kind ends here
        report.say(crash.describe(problem, source.name))
        return _NO_TRANSLATION, crash.EXIT_STATUS
    failed = report.show_diagnostics(options, translation.diagnostics, translator.write)
    return translation, int(failed)


def reader_of(options: Options, tools: Toolchain, source: Input) -> ReadFile:
    """Return what reads the files of a unit: what came on standard input is a file without a folder, and preprocessed
    text includes the system's headers again."""
    if source.data is None and not source.is_preprocessed:
        return read_file
    data = read_file(source.path) if source.data is None else source.data
    if data is not None and source.is_preprocessed:
        data = with_includes(data, (*_system_folders(options, tools, source.language), tools.include))
    return lambda path: data if path == source.name else read_file(path)


def _system_folders(options: Options, tools: Toolchain, language: Language) -> tuple[str, ...]:
    return tools.headers.folders(flags.driver_for(tools, language), language.value, options.flags.abi)


def read_file(path: str) -> bytes | None:
    """Return the bytes of a file of the user's, None where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return None


def _library_folders(options: Options, source: Input) -> tuple[str, ...]:
    """Return the options for the folders in which compilers look for libraries unasked, as clang's driver has them:
    their headers may have directives. Preprocessed text includes nothing of the user's any more."""
    if source.is_preprocessed:
        return ()
    of_language = "C_INCLUDE_PATH" if source.language is Language.C else "CPLUS_INCLUDE_PATH"
    standard = _STANDARD if not {"-nostdinc", "-nostdlibinc"} & {*options.flags.parse} else ()
    found = [("-I", folder) for folder in _folders_of("CPATH")]
    found += [("-idirafter", folder) for folder in (*_folders_of(of_language), *standard)]
    return tuple(word for pair in found for word in pair)


def with_installed(words: Sequence[str]) -> Iterator[str]:
    """Give options in which the folder of an installed library is one of the system's: so its headers are the same ones
    to rexcc by ``-I`` and by ``-isystem``."""
    return with_system_folders(words, _is_installed)


def _is_installed(folder: str) -> bool:
    """Whether a folder lies in one of those in which libraries are installed."""
    return os.path.normpath(folder).startswith(tuple(f"{place}/" for place in _STANDARD))


def with_folders_of_c(options: Options) -> Options:
    """Give device code of programs in C, which is compiled as C++, the folders in which compilers of C look unasked."""
    if all(source.language is not Language.C for source in options.sources):
        return options
    for folder in _folders_of("C_INCLUDE_PATH"):
        option = Given("-idirafter", "-idirafter", folder)
        options = options.with_flag(To.CPU, ("-idirafter", folder)).with_given(option)
    return options


def _folders_of(variable: str) -> list[str]:
    """Return the folders that a variable names; an empty name is the working directory."""
    value = os.environ.get(variable, "")
    return [folder or "." for folder in value.split(os.pathsep)] if value else []


def _host_answers(
    tools: Toolchain, compiler: str, language: Language, abi: tuple[str, ...]
) -> tuple[tuple[str, ...], Macros]:
    """Return what the host's compiler tells, of whose folders those of ``CPATH`` are the user's."""
    folders, macros = tools.headers.answers(compiler, language.value, abi)
    users = set(map(os.path.normpath, _folders_of("CPATH")))
    return tuple(folder for folder in folders if folder not in users), macros


def translate_options(options: Options, tools: Toolchain, chosen: Targets, source: Input) -> TranslateOptions:
    """Return what the translation of a source depends on."""
    language = source.language
    compiler = flags.driver_for(tools, language)
    parse = flags.without_macros(options.flags.parse) if source.is_preprocessed else options.flags.parse
    asking = (*options.flags.abi, *flags.language_standard(options, language))
    return TranslateOptions(
        language=language.value,
        clang_arguments=(
            *with_installed(parse),
            *_library_folders(options, source),
            *flags.language_standard(options, language),
        ),
        embed_folders=options.embed_folders,
        architectures=chosen.architectures,
        cpu_device=chosen.cpu_device,
        scheduler=options.scheduler,
        reduction=options.reduction,
        strict_aliasing=options.strict_aliasing,
        wraps=options.wraps,
        reciprocals=options.reciprocals,
        left_out=left_out((*options.kernel_optimisations, *(("no-critical",) if options.checked else ()))),
        tuned=tuned_files.entries(options),
        openmp_version=options.openmp_version,
        remarks=any(options.wants_remark(topic.value) for topic in Topic),
        map_remarks=options.wants_remark(MAP_REMARK),
        report=options.report_folder is not None,
        target=options.device,
        ask_host=lambda: _host_answers(tools, compiler, language, options.flags.abi),
        preprocess=lambda text: tools.headers.preprocessed(compiler, language.value, asking, text),
        part_terms=options.device.tools.terms(flags.for_device_code(options, language), tools.around(options.device)),
    )
