"""The plan: which commands make the user's output.

In: options, toolchain and translated units. Out: :class:`Command` values in an order in which they can run one after
the other. A pure function: no file is read, no process started, so ``-###`` prints exactly the plan. What may run at
the same time follows from the files that a command reads and writes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType

from rexcc.driver.commands import coverage, flags
from rexcc.driver.commands.embedded_files import EmbeddedFiles
from rexcc.driver.options.command_line import DEFAULT_OUTPUT, LinkItem, Options
from rexcc.driver.options.command_parts import Input, Mode
from rexcc.driver.options.languages import stem
from rexcc.driver.tools.toolchain import ARCHIVES, MissingToolError, Toolchain, how_to_install
from rexcc.pipeline import Image, Translation
from rexcc.source.records import dataclass, replace
from rexcc.target.commands import Finish, Job, Step
from rexcc.target.llvm_abi import NEWEST, OLDEST
from rexcc.target.messages import Reached
from rexcc.target.model import Target

_NONE: Mapping[str, str] = MappingProxyType({})


class Stage(Enum):
    """What a command is for."""

    HEADERS = "precompiling rexcc's headers"
    IMAGE = "compiling the kernels of {source} for {device}"
    DEPENDENCIES = "listing the headers of {source}"
    HOST = "compiling {source} for the host"
    HELPER = "compiling rexcc's runtime helper"
    DEVICE_LINK = "linking the device code of several files"
    LINK = "linking"


@dataclass(frozen=True)
class Unit:
    """A source, its translation and the folder of its generated and temporary files."""

    source: Input
    translation: Translation
    folder: str

    def file(self, name: str) -> str:
        """Return the path of a file of this unit."""
        return os.path.normpath(f"{self.folder}/{name}")


@dataclass(frozen=True)
class Headers:
    """What a source includes first, as the ``text`` of a header, and the ``words`` that a compiler compiles it by."""

    text: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """One process; ``data`` is its standard input.

    A command for an image has its ``target``, what is done with the image afterwards (``finish``), and the functions
    that the kernels reach; ``limit`` says what the target's compiler does not know of the program's language.
    ``headers`` are those that may be precompiled for it. ``quicker`` is a command that is tried first: it makes the
    same, or what asks less of memory, or fails. ``may_fail``: it makes its output although it calls something an error
    that is none.
    """

    stage: Stage
    argv: tuple[str, ...]
    inputs: tuple[str, ...]
    output: str | None
    source: str | None = None
    data: bytes | None = None
    target: Target | None = None
    finish: Finish | None = None
    reached: Reached = Reached()
    limit: str = ""
    headers: Headers | None = None
    quicker: tuple[str, ...] = ()
    may_fail: bool = False

    def shell(self) -> str:
        """Return the command as a shell takes it."""
        line = shlex.join(self.quicker or self.argv) + (" 2>/dev/null || :" if self.may_fail else "")
        if self.finish is None or not self.output:
            return line
        return (" ; " if self.may_fail else " && ").join((line, *self.finish.shell(shlex.quote(self.output))))

    @property
    def work(self) -> str:
        """What the command does, for the user."""
        return self.stage.value.format(source=self.source, device=self.target.title if self.target else "")


def make_plan(
    options: Options, toolchain: Toolchain, units: tuple[Unit, ...], folder: str, ready: Mapping[str, str] = _NONE
) -> list[Command]:
    """Return the commands of a command line; ``ready`` has the runtime's archives that need not be made, by name."""
    commands = [command for unit in units for command in _unit_commands(options, toolchain, unit)]
    if options.mode is Mode.LINK:
        commands += _link_commands(options, toolchain, units, folder, ready)
    return commands


def output_of(options: Options, unit: Unit) -> str | None:
    """Return the file that compiling a unit makes, None for a check of the syntax."""
    name = stem(unit.source.path)
    if options.mode is Mode.SYNTAX:
        return None
    if options.mode is Mode.LINK:
        return unit.file(f"{name}.o")
    return options.output or f"{name}.{options.suffix}"


def _unit_commands(options: Options, toolchain: Toolchain, unit: Unit) -> list[Command]:
    if options.mode is Mode.REPORT:
        return _image_commands(options, toolchain, unit)
    if not unit.translation.has_offload:
        return [_untouched(options, toolchain, unit)]
    images = [] if options.mode is Mode.SYNTAX else _image_commands(options, toolchain, unit)
    has_headers = options.dependencies.kind and not unit.source.is_preprocessed
    lists = [_dependency_command(options, toolchain, unit)] if has_headers else []
    return [*images, *lists, _rewritten(options, toolchain, unit, (*images, *lists))]


def _step_flag(options: Options) -> str:
    return {Mode.SYNTAX: "-fsyntax-only", Mode.ASSEMBLY: "-S"}.get(options.mode, "-c")


def _to(output: str | None) -> tuple[str, ...]:
    return ("-o", output) if output else ()


def _untouched(options: Options, toolchain: Toolchain, unit: Unit) -> Command:
    """Compile the user's file as it is."""
    source, output = unit.source, output_of(options, unit)
    argv = (
        flags.driver_for(toolchain, source.language),
        *flags.host_flags(options, toolchain, source),
        *_dependency_flags(options, unit, "D"),
        *coverage.host_notes(options, toolchain.host.family, source.path),
        *flags.language_selection(source),
        _step_flag(options),
        source.path,
        *_to(output),
    )
    return Command(Stage.HOST, argv, (source.path,), output, source.name, data=source.data)


def _rewritten(options: Options, toolchain: Toolchain, unit: Unit, earlier: tuple[Command, ...]) -> Command:
    """Compile the rewritten file, which embeds the images, when the ``earlier`` commands for it have succeeded."""
    assert unit.translation.host
    source, output = unit.source, output_of(options, unit)
    path = unit.file(unit.translation.host.name)
    argv = (
        flags.driver_for(toolchain, source.language),
        *flags.quote_folder(source.path),
        *flags.rewritten_flags(options, toolchain, source, unit.translation.forced),
        *flags.contract_flags(toolchain, image_folder(options, unit)),
        *flags.rewritten_language(source),
        *(flags.without_link_time_optimization(options) if options.mode is Mode.OBJECT else ()),
        *coverage.host_notes(options, toolchain.host.family, source.path),
        _step_flag(options),
        path,
        *_to(output),
    )
    inputs = (path, *(command.output for command in earlier if command.output))
    return Command(Stage.HOST, argv, inputs, output, source.name)


def image_folder(options: Options, unit: Unit) -> str:
    """Return where images lie: beside text for the assembler, which names them; else with the generated files."""
    output = output_of(options, unit)
    if options.makes_text and output:
        return os.path.dirname(output) or "."  # noqa: PTH120 - a spelling, not a file
    return unit.folder


def _image_commands(options: Options, toolchain: Toolchain, unit: Unit) -> list[Command]:
    made = unit.translation
    standard = flags.device_standard(options, unit.source.language)
    return [
        Command(Stage.IMAGE, step.argv, (step.source,), step.output, unit.source.name, target=image.target,
                finish=step.finish, reached=made.reached, limit=image.target.tools.limit(standard),
                headers=_headers(step, made.cpu_headers), quicker=step.quicker_argv)
        for image in made.images
        if options.mode is not Mode.REPORT or (image.name and image.target.multiprocessors)
        for step in image_steps(options, toolchain, unit, image)
    ]  # fmt: skip


def _headers(step: Step, text: str) -> Headers | None:
    return Headers(text, step.argv[: step.precompiles]) if step.precompiles and text else None


def image_steps(options: Options, toolchain: Toolchain, unit: Unit, image: Image) -> tuple[Step, ...]:
    """Return the steps that make an image: and the relocatable object where the unit's file embeds one."""
    folder = image_folder(options, unit)
    job = image_job(unit, image, lambda name: os.path.normpath(f"{folder}/{name}"))
    line = flags.for_device_code(options, unit.source.language)
    own = (*line.own, *coverage.kernel_notes(options, toolchain.host.family, unit.source.path))
    line = replace(line, own=own, tells_usage=options.report_folder is not None)
    return image.target.tools.image(job, line, toolchain.around(image.target))


def image_job(unit: Unit, image: Image, place: Callable[[str], str]) -> Job:
    """Return what a target's tools have to do for an image; ``place`` says where a file that they make belongs."""
    part = place(image.part) if image.part else ""
    name = place(image.name) if image.name else ""
    facts = unit.translation.part
    is_whole = facts is not None and not facts.needs and not facts.asks and not facts.is_more_alone
    text = unit.translation.device.text if unit.translation.device else ""
    return Job(unit.file(image.source), name, image.architecture, part, is_whole, text, image.has_code)


def _dependency_command(options: Options, toolchain: Toolchain, unit: Unit) -> Command:
    """List the headers of the user's own file: the rewritten one has the names of generated files in it."""
    source = unit.source
    output = options.dependencies.file or _rule_file(options, unit)
    argv = (
        flags.driver_for(toolchain, source.language),
        *flags.host_flags(options, toolchain, source),
        *_dependency_flags(options, unit, ""),
        *flags.language_selection(source),
        source.path,
    )
    embedded = unit.translation.embedded
    finish = EmbeddedFiles(embedded) if embedded else None
    return Command(Stage.DEPENDENCIES, argv, (source.path,), output, source.name, data=source.data, finish=finish,
                   may_fail=bool(embedded))  # fmt: skip


def _dependency_flags(options: Options, unit: Unit, suffix: str) -> tuple[str, ...]:
    wanted = options.dependencies
    if not wanted.kind:
        return ()
    kind = {"-M": "-MD", "-MM": "-MMD"}[wanted.kind] if suffix else wanted.kind
    target = () if wanted.has_target else ("-MQ", _rule_target(options, unit))
    return (kind, "-MF", wanted.file or _rule_file(options, unit), *target, *wanted.rules)


def _rule_target(options: Options, unit: Unit) -> str:
    return options.output or f"{stem(unit.source.path)}.o"


def _rule_file(options: Options, unit: Unit) -> str:
    if options.output and (options.mode is not Mode.LINK or len(options.sources) == 1):
        return f"{os.path.splitext(options.output)[0]}.d"  # noqa: PTH122 - the spelling of the user's path is kept
    return f"{stem(unit.source.path)}.d"


def _link_commands(
    options: Options, toolchain: Toolchain, units: tuple[Unit, ...], folder: str, ready: Mapping[str, str]
) -> list[Command]:
    if toolchain.runtime is None and any(unit.translation.has_offload for unit in units):
        known = f"LLVM {OLDEST} to {NEWEST}"
        raise MissingToolError(f"no LLVM OpenMP runtime (libomptarget of {known}) found; {how_to_install('RUNTIME')}")
    wanted = toolchain.runtime is not None and options.runtime_libraries
    names = flags.archives(options)
    made = [name for name in names if name not in ready] if wanted else []
    helpers = [command for name in made for command in helper_commands(options, toolchain, folder, name)]
    archives = tuple(ready.get(name) or os.path.normpath(f"{folder}/{name}") for name in names)
    objects = {unit.source: output_of(options, unit) or "" for unit in units}
    items = tuple(_link_argument(item, objects) for item in options.link_items)
    output = options.output or DEFAULT_OUTPUT
    libraries = flags.runtime_libraries(options, toolchain, archives)
    argv = (flags.link_driver(options, toolchain), *items, *libraries, "-o", output)
    inputs = (*objects.values(), *archives)
    return [*helpers, Command(Stage.LINK, argv, inputs, output)]


def _link_argument(item: LinkItem, objects: dict[Input, str]) -> str:
    return item if isinstance(item, str) else objects.get(item, item.path)


def helper_commands(options: Options, toolchain: Toolchain, folder: str, name: str) -> list[Command]:
    """Make an archive of the runtime's: the linker takes what is in it only where generated code asks for it."""
    source = str(toolchain.sources / ARCHIVES[name])
    compiled = os.path.normpath(f"{folder}/{stem(source)}.o")
    archive = os.path.normpath(f"{folder}/{name}")
    argv = (
        toolchain.host.cxx,
        *flags.helper_flags(options, toolchain),
        *flags.archive_flags(name),
        "-c",
        source,
        "-o",
        compiled,
    )
    return [
        Command(Stage.HELPER, argv, (source,), compiled),
        Command(Stage.HELPER, (toolchain.archiver, "rcs", archive, compiled), (compiled,), archive),
    ]
