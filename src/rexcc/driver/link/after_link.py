"""What follows the link: it depends on the files that the linker took.

In: the command that has linked, whose output is there. Out: further links, of device code that calls other files' and
of what registers clang's regions, and an exit status. What was linked stays only if all of it succeeds. Where the
command leaves the linker no choice of files, device code is linked first, and the program once.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from rexcc.driver.caches import cache
from rexcc.driver.commands.outcomes import report_outcomes
from rexcc.driver.commands.plan import Command
from rexcc.driver.commands.run import run_plan
from rexcc.driver.commands.workspace import Workspace
from rexcc.driver.link import device_groups, device_link, native_regions, shared_heap, weak_functions
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import DEFAULT_OUTPUT, Options
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain


def check_weak_functions(link: Command) -> None:
    """Refuse a program whose device code has another definition of a weak function than the host."""
    try:
        weak_functions.check(link.output)
    except UsageError:
        without_output(link, 1)
        raise


def with_native_regions(options: Options, tools: Toolchain, link: Command, workspace: Workspace) -> tuple[Command, int]:
    """Link again where objects of clang have regions of their own; return the command that links, and its status."""
    try:
        again = native_regions.command(link, tools.host.family == "clang", tools.llvm_version)
    except UsageError:
        without_output(link, 1)
        raise
    if again is None:
        return link, 0
    return again, without_output(link, run_further(options, [again], workspace))


def with_shared_heap(options: Options, tools: Toolchain, link: Command, workspace: Workspace) -> tuple[Command, int]:
    """Link again where files require unified shared memory; return the command that links, and its status."""
    if not shared_heap.is_wanted(options, link.output):
        return link, 0
    commands = shared_heap.commands(options, tools, link, workspace.folder)
    outcomes = run_plan(commands)
    place = cache.helper_archive(options, tools, shared_heap.ARCHIVE)
    if place is not None and len(commands) > 1:
        cache.keep(outcomes, place)
    return commands[-1], without_output(link, report_outcomes(commands, outcomes, workspace))


def link_device_code_first(options: Options, tools: Toolchain, workspace: Workspace) -> tuple[str, int]:
    """Link the device code of objects that call each other's; return the object with the images for the program's link,
    empty where that has to come first, and an exit status."""
    output = options.output or DEFAULT_OUTPUT
    try:
        commands = [] if options.dry_run else device_link.commands_before(options, tools, workspace.folder)
    except (UsageError, MissingToolError):
        _remove(output)
        raise
    if not commands:
        return "", 0
    status = run_further(options, commands, workspace)
    if status:
        _remove(output)
    return commands[-1].output or "", status


def link_device_code(options: Options, tools: Toolchain, link: Command, workspace: Workspace) -> int:
    """Link the device code of files that call each other's, and the program again."""
    try:
        commands = device_link.commands_after(options, tools, link, workspace.folder)
    except device_groups.MissingDeviceCodeError as problem:
        problem.report()
        return without_output(link, 1)
    except (UsageError, MissingToolError):
        without_output(link, 1)
        raise
    return without_output(link, run_further(options, commands, workspace))


def without_output(link: Command, status: int) -> int:
    """Remove what was linked without the images that it needs, where these could not be made; /dev/null stays."""
    if status and link.output:
        _remove(link.output)
    return status


def _remove(output: str) -> None:
    if Path(output).is_file():
        Path(output).unlink()


def run_further(options: Options, commands: list[Command], workspace: Workspace) -> int:
    """Run the commands that follow the link."""
    if options.verbose:
        for command in commands:
            report.say(f" {command.shell()}")
    outcomes = run_plan(commands)
    if options.report_folder is not None:
        importlib.import_module("rexcc.driver.outputs.report_pages").add_linked(options, outcomes)
    return report_outcomes(commands, outcomes, workspace)
