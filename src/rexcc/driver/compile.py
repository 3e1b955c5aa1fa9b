"""From options to output: translate, plan, run, report.

In: parsed options and the ``translate`` function. Out: an exit status, and the files the user asked for. The order here
is the order of the work; each step is a module of its own.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

from rexcc import pipeline
from rexcc.driver.caches import cache, image_cache, precompiled
from rexcc.driver.caches.cache_files import is_intact
from rexcc.driver.commands import flags, named_files, static_link, tuned_files
from rexcc.driver.commands.outcomes import report_outcomes, report_usages
from rexcc.driver.commands.plan import Command, Stage, Unit, make_plan
from rexcc.driver.commands.precompiled_headers import with_headers
from rexcc.driver.commands.run import run_in_place, run_plan
from rexcc.driver.commands.workspace import Workspace, make_folder, open_workspace, write_generated
from rexcc.driver.link import after_link, device_groups, named_libraries, no_regions, shared_heap
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode, To, UsageError
from rexcc.driver.outputs import emit, report_link
from rexcc.driver.tools import omp_runtimes, targets, toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.targets import Targets
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain
from rexcc.driver.translate_sources import (
    Translate,
    Translator,
    inspect_all,
    reader_of,
    translate_all,
    translate_source,
    with_folders_of_c,
    without_parts,
)
from rexcc.source.diagnostics import Severity
from rexcc.source.records import dataclass, replace
from rexcc.target.commands import HostCompiler


def compile_all(
    options: Options,
    headers: HostAnswers,
    translate: Translate = pipeline.translate,
    write: report.Write = report.show,
) -> int:
    """Do what the command line says and return the exit status; ``write`` gets the diagnostics to show."""
    report.choose_colours(options.colours)
    host = toolchain.find_host_compiler(options.host_compiler)
    named_files.check_outputs(options)
    if options.for_host_alone:
        return _hand_over(options, host)
    _check_profile(options)
    tuned_files.entries(options)
    options = with_headers(options, host)
    if not named_files.are_there(options):
        return 1
    options = options.with_standard_input(named_files.read_once)
    tools = _look_around(options, host, headers)
    if options.mode is Mode.INSPECT:
        return inspect_all(options, tools, write)
    chosen = _choose_targets(options, tools)
    with open_workspace(options) as workspace:
        alone = len(options.sources) == 1 and device_groups.is_complete(options)
        translator = Translator(translate, write, alone)
        units, status = translate_all(options, tools, chosen.targets, workspace, translator)
        if status:
            return status
        units = without_parts(options, tools, chosen.targets, workspace, translator, units)
        if any(unit.translation.has_offload for unit in units):
            static_link.refuse_regions(options)
            chosen.report()
        options = with_folders_of_c(_with_output_style(options, workspace))
        groups, status = after_link.link_device_code_first(options, tools, workspace)
        if status:
            return status
        options = named_libraries.with_needed_runtime(options, units)
        options = shared_heap.with_heap(options, units)
        options = replace(options, link_items=((groups,) if groups else ()) + options.link_items)
        link, status = _build(options, tools, tuple(units), workspace)
        if status or link is None:
            return status
        after_link.check_weak_functions(link)
        link, status = after_link.with_native_regions(options, tools, link, workspace)
        if status:
            return status
        link, status = after_link.with_shared_heap(options, tools, link, workspace)
        if status:
            return status
        if no_regions.asks_for_devices(link.output):
            return _link_with_empty_images(options, tools, chosen, link, workspace, translator)
        return 0 if groups else after_link.link_device_code(options, tools, link, workspace)


def _hand_over(options: Options, host: HostCompiler) -> int:
    """Let the host compiler do the whole command, as if rexcc were not there."""
    compiler = host.cxx if options.links_as_cxx else host.cc
    openmp: tuple[str, ...] = ()
    if options.openmp and options.mode is not Mode.QUERY:
        openmp = ("-fopenmp", "-isystem", str(toolchain.RUNTIME_SOURCES / "include"))
    argv = (compiler, *options.flags.raw, *openmp)
    if options.dry_run:
        print(Command(Stage.HOST, argv, (), None).shell(), file=sys.stderr)
        return 0
    return _exit_status(run_in_place(argv))


def _check_profile(options: Options) -> None:
    """Refuse what is no profile before anything is built."""
    if options.profile is not None:
        _report_pages().read_profile(options)


def _report_pages() -> Any:
    """Return what writes reports, which few commands do."""
    return importlib.import_module("rexcc.driver.outputs.report_pages")


def _exit_status(returncode: int) -> int:
    return returncode if returncode >= 0 else 128 - returncode


def _look_around(options: Options, host: HostCompiler, headers: HostAnswers) -> Toolchain:
    wanted = options.may_be_for(options.device)
    device = toolchain.find_compiler(options.device.tools, options.tools_folder, os.environ) if wanted else None
    makes_makefile = options.mode is Mode.EMIT_SOURCES  # which needs compilers, and not rexcc
    return Toolchain(
        host=host,
        runtime=omp_runtimes.find_runtime(host, os.environ, options.omp_runtime),
        device=device,
        linker="" if makes_makefile else toolchain.find_linker(options.device.tools, device),
        has_usual_host=toolchain.has_usual_host(),
        headers=headers,
    )


@dataclass(frozen=True)
class _Choice:
    """Chosen targets, or why there are none: that counts only once a file has something to offload."""

    options: Options
    targets: Targets
    problem: MissingToolError | None = None

    def report(self) -> None:
        """Tell the user, or raise the problem."""
        if self.problem:
            raise self.problem
        for spelling, option in self.options.lost_in_device_code if self.targets.architectures else ():
            text = spelling.note.replace("{}", option)
            if spelling.is_refused:
                raise UsageError(text)
            if not self.options.quiet:
                report.message(Severity.NOTE, text)
        unused = tuned_files.unused(self.options, self.targets.architectures)
        for note in (*self.targets.notes, *([unused] if unused else ())):
            report.message(Severity.NOTE, note)
        if self.options.verbose:
            for remark in self.targets.remarks:
                report.say(f"rexcc: {remark}")


def _choose_targets(options: Options, tools: Toolchain) -> _Choice:
    try:
        return _Choice(options, targets.choose(options, tools, lambda: _native_architectures(options)))
    except MissingToolError as problem:
        return _Choice(options, Targets((), cpu_device=True), problem)


def _native_architectures(options: Options) -> tuple[str, ...]:
    device = options.device
    return cache.native_architectures(device, lambda: toolchain.native_architectures(device.tools))


def _with_output_style(options: Options, workspace: Workspace) -> Options:
    """Add what keeps temporary folders out of debug information, and what a document has besides text."""
    if options.diagnostics != "text" and not options.dry_run:
        options = options.with_flag(To.HOST, ("-fdiagnostics-parseable-fixits",))
    if options.debug and not workspace.keep:
        options = options.with_flag(To.HOST | To.CPU, (f"-ffile-prefix-map={workspace.folder}/=",))
    return options


def _build(
    options: Options, tools: Toolchain, units: tuple[Unit, ...], workspace: Workspace
) -> tuple[Command | None, int]:
    """Make what was asked for; return the command that has linked, None where none had to, and the exit status."""
    if options.mode is Mode.EMIT_SOURCES:
        try:
            emit.emit_sources(options, tools, units, workspace.folder)
        except device_groups.MissingDeviceCodeError as problem:
            problem.report()
            return None, 1
        return None, 0
    wanted = () if options.dry_run else flags.archives(options)
    keys = {name: key for name in wanted if (key := cache.helper_archive(options, tools, name))}
    ready = {name: str(key) for name, key in keys.items() if is_intact(key)}
    commands = make_plan(options, tools, units, workspace.folder, ready)
    if options.mode is Mode.REPORT:
        commands += report_link.commands(options, tools, units, workspace.folder)
    if options.dry_run:
        _print_plan(options, units, commands, workspace)
        return None, 0
    for unit in units:
        make_folder(Path(unit.folder))  # the object of a unit without generated files may lie there, too
        if unit.translation.has_offload:
            write_generated(unit, dated_as_source=True)
    if workspace.keep:
        images, quick = None, commands
    else:
        images = image_cache.look_up(options, commands, workspace.folder)
        quick = precompiled.with_precompiled(images.left, tools.include, workspace.folder)
    if options.verbose:
        _tell_choices(options, tools, quick)
    outcomes = precompiled.keep(run_plan(quick))
    outcomes = image_cache.keep(images, outcomes) if images is not None else outcomes
    for name in keys.keys() - ready.keys():
        cache.keep(outcomes, keys[name])
    if options.compile_database is not None:
        importlib.import_module("rexcc.driver.outputs.compile_database").write(options, tools, units)
    status = report_outcomes(commands, outcomes, workspace)
    report_usages(options, outcomes)
    tuned_files.add_to_lists(options, outcomes)
    if options.report_folder is not None:
        reader = lambda unit: reader_of(options, tools, unit.source)  # noqa: E731
        _report_pages().write_report(options, tools, units, outcomes, reader)
    for text in static_link.notes(options, [outcome.stderr for outcome in outcomes]) if status else ():
        report.message(Severity.NOTE, text)
    return commands[-1] if options.mode is Mode.LINK else None, status


def _link_with_empty_images(
    options: Options, tools: Toolchain, chosen: _Choice, link: Command, workspace: Workspace, translator: Translator
) -> int:
    """Link again with images without kernels, for a program that asks for devices and has no regions."""
    chosen.report()
    folder = f"{workspace.folder}/no_regions"
    source = no_regions.write_source(folder)
    own = no_regions.options_for(options, source, folder)
    translation, status = translate_source(own, tools, chosen.targets, source, workspace.keep, translator)
    if status:
        return after_link.without_output(link, status)
    unit = Unit(source, translation, folder)
    write_generated(unit, dated_as_source=False)
    commands = no_regions.commands_after(own, tools, unit, link)
    return after_link.without_output(link, after_link.run_further(options, commands, workspace))


def _print_plan(options: Options, units: tuple[Unit, ...], commands: list[Command], workspace: Workspace) -> None:
    """Print the plan for a shell, after the command that writes the generated sources."""
    if any(unit.translation.has_offload for unit in units):
        print(emit.command_to_emit(options, workspace.folder), file=sys.stderr)
    for command in commands:
        print(replace(command, quicker=()).shell(), file=sys.stderr)  # what may fail is for run_plan


def _tell_choices(options: Options, tools: Toolchain, commands: list[Command]) -> None:
    runtime = tools.runtime
    folders = ", ".join(runtime.folders) if runtime else ""
    report.say(f"rexcc: host compiler: {tools.host.cc}, {tools.host.cxx}")
    report.say(f"rexcc: OpenMP runtime: {f'LLVM {runtime.version} in {folders}' if runtime else 'none'}")
    found = f"{tools.device.path} ({tools.device.found_by})" if tools.device else "none"
    report.say(f"rexcc: {options.device.tools.title}: {found}")
    for remark in options.remarks:
        report.say(f"rexcc: {remark}")
    for command in commands:
        report.say(f" {command.shell()}")
