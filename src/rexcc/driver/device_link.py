"""Linking the device code of several files, after the linker has chosen the files.

In: the program or library that was linked. Out: the commands that link it again with one more object: the images of the
groups of files whose device code calls each other. A program without such calls is left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rexcc.driver import device_parts, flags, report
from rexcc.driver.command_line import Options
from rexcc.driver.device_parts import Missing, Part
from rexcc.driver.languages import Language
from rexcc.driver.plan import Command, Stage
from rexcc.driver.toolchain import Toolchain
from rexcc.source.diagnostics import Severity
from rexcc.target.cpu_tools import linked
from rexcc.target.known import CPU

_SOURCE = "rex_groups.c"


def commands_after(options: Options, tools: Toolchain, link: Command, folder: str) -> list[Command]:
    """Return the commands that link the device code of ``link``'s output and then that again.

    Writes the source of the additional object and the parts to ``folder``. Raises MissingDeviceCodeError.
    """
    parts = device_parts.parts_of(Path(link.output)) if link.output and Path(link.output).is_file() else []
    if not any(part.facts.needs for part in parts):
        return []
    wanted = device_parts.missing(parts)
    if wanted:
        raise MissingDeviceCodeError(wanted, parts)
    found = device_parts.groups(parts)
    commands = [_link_group(options, tools, group, n, folder) for n, group in enumerate(found)]
    source, made = Path(folder) / _SOURCE, str(Path(folder) / "rex_groups.o")
    source.write_text(_source([(group, Path(c.output or "").name) for group, c in zip(found, commands, strict=True)]))
    include = ("-isystem", tools.include, f"-I{folder}", f"-DREX_LLVM_VERSION={tools.llvm_version}")
    compiling = (tools.host.cc, *options.flags.abi, "-fPIC", *include, "-c", str(source), "-o", made)
    images = tuple(command.output or "" for command in commands)
    commands.append(Command(Stage.DEVICE_LINK, compiling, images, made))
    again = (link.argv[0], made, *link.argv[1:])
    return [*commands, Command(Stage.LINK, again, (made,), link.output)]


class MissingDeviceCodeError(Exception):
    """Device code calls functions that no linked file has for the device."""

    def __init__(self, wanted: Sequence[Missing], parts: Sequence[Part]) -> None:
        super().__init__(", ".join(lack.need.words for lack in wanted))
        self.wanted = tuple(wanted)
        self.searched = tuple(dict.fromkeys(part.facts.source for part in parts))

    def report(self) -> None:
        """Tell the user what is missing, where it is called, and where it was looked for."""
        for lack in self.wanted:
            what = f"'{lack.need.words}' is called in device code, but no linked file defines it for the device"
            report.say(f"{lack.need.place}: error: {what} [undefined-device-function]")
            if lack.why:
                report.say(f"{lack.place}: note: {lack.why}")
        report.message(Severity.NOTE, f"device code was found in {', '.join(self.searched)}")
        if not all(lack.why for lack in self.wanted):
            report.message(Severity.NOTE, "a function is for the device if its definition stands in 'declare target'")


def _link_group(options: Options, tools: Toolchain, group: Sequence[Part], number: int, folder: str) -> Command:
    paths = []
    for n, part in enumerate(group):
        path = Path(folder) / f"rex_group_{number}_{n}.o"
        path.write_bytes(part.data[CPU.name, CPU.architectures.default])
        paths.append(str(path))
    output = str(Path(folder) / f"rex_group_{number}.host.so")
    line = flags.for_device_code(options, Language.CXX)
    return Command(Stage.DEVICE_LINK, linked(paths, output, line, tools.around(CPU)), tuple(paths), output)


def _source(found: Sequence[tuple[Sequence[Part], str]]) -> str:
    """Return the C file that embeds the groups' images and names their modules."""
    lines = ["/* Device code of several files, linked together by rexcc. */", '#include "rex_kmp.h"']
    for number, (group, image) in enumerate(found):
        lines.append(f'REX_IMAGE(__rex_group_image_{number}, "{image}")')
        lines += [f"extern struct rex_offload_module *const {part.facts.module} REX_HIDDEN;" for part in group]
        names = ", ".join(f"&{part.facts.module}" for part in group)
        lines.append(f"REX_OFFLOAD_GROUP({number}, __rex_group_image_{number}, 0, {names})")
    return "\n".join(lines) + "\n"
