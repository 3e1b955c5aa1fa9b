"""Programs that ask for devices and have no target regions.

``omp_get_num_devices()``, ``omp_target_alloc`` and their like are libomptarget's, which knows the devices of the images
that were registered with it, and no others. clang embeds an image in every file; here only files with target
constructs have one. In: the program or library that was linked. Out: the commands that compile one more file, whose
images are empty, and link again.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.driver.commands.plan import Command, Stage, Unit, make_plan
from rexcc.driver.link import device_parts
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Flags, Input, Mode
from rexcc.driver.options.languages import Language
from rexcc.driver.tools.toolchain import Toolchain

MODULES = b"rex_offload_modules"
_EMPTY_ROW = 8
"""Bytes of the section of modules where the linker has taken our runtime and no module (``rex_modules.cpp``)."""

TEXT = """\
/* Images without kernels: they make devices known to a program that asks for them and has no target regions. */
static char nothing;
static __attribute__((__unused__)) void no_region(void) {
#pragma omp target update to(nothing)
}
"""


def asks_for_devices(output: str | None) -> bool:
    """Whether what was linked calls routines of the device runtime, and nothing in it has an image."""
    if output is None or not Path(output).is_file():
        return False
    return len(device_parts.section_of(Path(output), MODULES)) == _EMPTY_ROW


def write_source(folder: str) -> Input:
    """Write the additional file to a ``folder`` of its own and return it as an input."""
    path = Path(folder) / "rex_devices.c"
    path.parent.mkdir(exist_ok=True)
    path.write_text(TEXT)
    return Input(str(path), Language.C, 0)


def options_for(options: Options, source: Input, folder: str) -> Options:
    """Return the options that compile it: of the user's flags, those that every object of the program has to have."""
    abi = options.flags.abi
    flags = Flags(host=(*abi, "-fPIC"), parse=abi, cpu=abi, abi=abi)
    output = str(Path(folder) / "rex_devices.o")
    return Options(mode=Mode.OBJECT, inputs=(source,), flags=flags, output=output, host_compiler=options.host_compiler)


def commands_after(options: Options, tools: Toolchain, unit: Unit, link: Command) -> list[Command]:
    """Return the commands that compile the file, given its translation, and link again with its object."""
    compiling = make_plan(options, tools, (unit,), unit.folder)
    made = options.output or ""
    again = (link.argv[0], made, *link.argv[1:])
    return [*compiling, Command(Stage.LINK, again, (made,), link.output)]
