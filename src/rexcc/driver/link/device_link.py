"""Linking the device code of several files, after the linker has chosen the files.

In: the program or library that was linked, or its files in front of a link. Out: the commands that make the images of
groups of files, and link again with one more object, which has them. A program without groups is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rexcc.driver.caches import kept_links
from rexcc.driver.commands import flags
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.link import device_parts, joined_tables, recursion
from rexcc.driver.link.device_groups import SYSTEM_LIBRARIES, Group, groups_of, may_bring_further
from rexcc.driver.link.device_parts import Part
from rexcc.driver.link.shared_parts import host_functions, library_parts
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.driver.options.languages import Language
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain
from rexcc.source.diagnostics import Severity
from rexcc.source.patterns import regex
from rexcc.source.records import replace
from rexcc.target.commands import Arguments, Job, LinkError, LinkInput, Step
from rexcc.target.model import Target

SOURCE = "rex_groups.c"
"""The file that embeds the images."""
OBJECT = "rex_groups.o"
_NAMES_LIBRARY = regex(r"^-l|\.so(?:\.[\d.]+)?$")


def steps(
    options: Options, tools: Toolchain, objects: Sequence[LinkInput], image: tuple[Target, str, str]
) -> tuple[Step, ...]:
    """Return the steps that make an image of relocatable objects. Raises MissingToolError."""
    target, architecture, output = image
    line = replace(flags.for_device_code(options, Language.CXX), tells_usage=options.report_folder is not None)
    try:
        return target.tools.linked(objects, output, architecture, line, tools.around(target))
    except LinkError as problem:
        raise MissingToolError(str(problem)) from None


def table_steps(
    options: Options, tools: Toolchain, group: Group, image: tuple[Target, str, str], place: Callable[[str], str]
) -> tuple[Step, ...]:
    """Return the steps that compile a group's tables for an image's device, none without tables; ``place`` says where a
    file is. The last makes the object."""
    target, architecture, _ = image
    if not group.joined:
        return ()
    source = joined_tables.source_name(group.number, target)
    made = place(f"rex_joined_{group.number}.{architecture}.o")
    line = flags.for_device_code(options, Language.CXX)
    return target.tools.image(Job(place(source), "", architecture, made), line, tools.around(target))


def compiling_flags(options: Options, tools: Toolchain, folder: str) -> Arguments:
    """Return the flags with which the host's C compiler compiles the file that embeds images of a ``folder``."""
    return (*options.flags.abi, "-fPIC", "-isystem", tools.include, *flags.contract_flags(tools, folder))


def commands_after(options: Options, tools: Toolchain, link: Command, folder: str) -> list[Command]:
    """Return the commands that link the device code of ``link``'s output and then that again.

    Writes the source of the additional object and the parts to ``folder``. Raises MissingDeviceCodeError.
    """
    parts = device_parts.parts_of(Path(link.output)) if link.output and Path(link.output).is_file() else []
    if not options.quiet:
        _warn_of_copies(tools, link, parts)
    groups = groups_of(options, parts, lambda: library_parts(link), lambda: host_functions(link))
    if not groups:
        return []
    commands = _object_commands(options, tools, groups, folder)
    made = commands[-1].output or ""
    again = (link.argv[0], made, *link.argv[1:])
    return [*commands, Command(Stage.LINK, again, (made,), link.output)]


def commands_before(options: Options, tools: Toolchain, folder: str) -> list[Command]:
    """Return the commands that link the device code of a command's files in front of its link; the last makes the
    object that is linked with these. None where the linker chooses the files, and where something is missing: it may be
    in a library. Raises UsageError as :func:`groups_of`."""
    items = options.link_items
    files = [Path(item.path) for item in items if not isinstance(item, str)]
    if options.mode is not Mode.LINK or options.sources or may_bring_further(options):
        return []
    parts = device_parts.parts_of_objects(files) if all(path.is_file() for path in files) else None
    if not parts or device_parts.missing(parts):
        return []
    groups = groups_of(options, parts)
    return _object_commands(options, tools, groups, folder) if groups else []


def _object_commands(options: Options, tools: Toolchain, groups: Sequence[Group], folder: str) -> list[Command]:
    """Return the commands that make the object with the groups' images. Writes its source, and the parts."""
    commands = [command for group in groups for command in _image_commands(options, tools, group, folder)]
    source, made = str(Path(folder) / SOURCE), str(Path(folder) / OBJECT)
    Path(source).write_text(text(groups))
    compiling = (tools.host.cc, *compiling_flags(options, tools, folder), "-x", "c", "-c", source, "-o", made)
    images = tuple(str(Path(folder) / file) for group in groups for _, _, file in group.images)
    return [*commands, Command(Stage.DEVICE_LINK, compiling, images, made)]


def _warn_of_copies(tools: Toolchain, link: Command, parts: Sequence[Part]) -> None:
    """Warn of variables that a device has for the program and once more for a shared library, where the host has one.

    Both were linked with the file that defines them; the program's definition is the one that the host's code uses.
    """
    own = [part for part in parts if part.facts.state and part.facts.has]
    runtime = (tools.runtime.omptarget, tools.runtime.omp) if tools.runtime else ()
    words = (word for word in link.argv[1:] if word not in SYSTEM_LIBRARIES and word not in runtime)
    if not own or not any(_NAMES_LIBRARY.search(word) for word in words):
        return
    own_name = Path(link.output or "").name
    for other in library_parts(link):
        for part in own:
            names = _both_have(part, other)
            if names:
                what = f"'{own_name}' and '{other.library}' are both linked with {part.facts.source}"
                text = f"{what}: devices have {names} twice, and what is copied to one does not reach the other"
                report.message(Severity.WARNING, f"{text}; link it into one of them")


def _both_have(part: Part, other: Part) -> str:
    """Return the names of the variables of a file that two outputs of the linker have, empty for other files: functions
    of a header may be in any."""
    is_same = Path(part.facts.source).name == Path(other.facts.source).name
    if not is_same or set(part.facts.has).isdisjoint(other.facts.has):
        return ""
    return ", ".join(f"'{name}'" for name in part.facts.state if name in other.facts.state)


def _image_commands(options: Options, tools: Toolchain, group: Group, folder: str) -> Iterable[Command]:
    """Yield the commands for a group's images; write what they read."""
    for name, source in group.sources.items():
        (Path(folder) / name).write_text(source)
    for target, architecture, file in group.images:
        paths = [str(Path(folder) / f"rex_group_{group.number}_{n}.{architecture}.o") for n in range(len(group.parts))]
        parts = [part.objects[target.name, architecture] for part in group.parts]
        objects = [
            input_of(path, terms, part) for path, (_, terms), part in zip(paths, parts, group.parts, strict=True)
        ]
        made = table_steps(options, tools, group, (target, architecture, file), lambda name: str(Path(folder) / name))
        _warn_of_ready(options, target, group, objects)
        objects += [LinkInput(step.output, objects[0].terms, is_asked=True) for step in made]
        output = str(Path(folder) / file)
        found, image = steps(options, tools, objects, (target, architecture, output)), None
        if not made:
            image, found = kept_links.image_of(found, [data for data, _ in parts], folder)
        if image is not None:
            Path(output).write_bytes(image)
            continue
        for path, (data, _) in zip(paths, parts, strict=True):
            Path(path).write_bytes(data)
        for step in made:
            yield Command(Stage.DEVICE_LINK, step.argv, (step.source,), step.output, target=target)
        inputs = tuple(part.path for part in objects)
        for step in found:
            yield Command(Stage.DEVICE_LINK, step.argv, inputs, step.output, target=target, finish=step.finish)


def _warn_of_ready(options: Options, target: Target, group: Group, objects: Sequence[LinkInput]) -> None:
    """Warn where ``-foffload-lto`` is asked for, and files have code that no link can optimise."""
    files = [
        part.facts.source for part, found in zip(group.parts, objects, strict=True) if target.tools.is_ready(found)
    ]
    if files and options.links_whole and not options.quiet:
        what = f"-foffload-lto does nothing with the code for {target.title} of {', '.join(dict.fromkeys(files))}"
        why = "it was compiled without the device's linker, with -g -O0, or with options for stages of the compiler"
        report.message(Severity.WARNING, f"{what}: {why}")


def input_of(path: str, terms: tuple[str, ...], part: Part) -> LinkInput:
    """Return a part's object as the linker gets it, with what the part says of itself."""
    facts = part.facts
    needs = tuple(need.symbol for need in facts.needs)
    has_tables = bool(facts.asks or facts.finds)
    known = (facts.has, needs, facts.kernels, not facts.state, has_tables, facts.uses_team, bool(part.lent))
    return LinkInput(path, terms, *known, shares=facts.shares)


def text(groups: Sequence[Group]) -> str:
    """Return the C file that embeds the groups' images and names their modules."""
    lines = ["/* Device code of several files, linked together by rexcc. */", '#include "rex_kmp.h"']
    for number, group in enumerate(groups):
        rows = []
        for n, (target, architecture, file) in enumerate(group.images):
            name = f"__rex_group_image_{number}_{n}"
            lines.append(f'REX_IMAGE({name}, "{Path(file).name}")')
            rows.append(f"REX_IMAGE_ROW({name}, {target.architectures.number(architecture)})")
        modules = ", ".join(f'"{part.facts.module}"' for part in group.parts if not part.library)
        lines.append(f"static struct rex_offload_image __rex_group_images_{number}[] = {{{', '.join(rows)}}};")
        lines.append(f"REX_OFFLOAD_GROUP({number}, {modules})")
    lines += ["REX_RECURSION"] if any(recursion.calls_itself(group.parts) for group in groups) else []
    return "\n".join(lines) + "\n"
