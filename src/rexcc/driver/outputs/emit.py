"""``--emit=src``: leave the generated sources, the runtime helpers they need and a makefile instead of a program.

In: options, toolchain and translated units. Out: a folder in which ``make`` works without rexcc.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from rexcc.driver.commands import flags
from rexcc.driver.commands.plan import Unit
from rexcc.driver.commands.workspace import generated_files, make_folder, write_file, write_generated
from rexcc.driver.link import device_groups, device_link
from rexcc.driver.link.device_parts import Part
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.outputs.emit_makefile import FIRST_LINE, MAKEFILE, RUNTIME_FOLDER, makefile
from rexcc.driver.tools.toolchain import HEAP, HELPER, Toolchain
from rexcc.source.diagnostics import Severity
from rexcc.source.patterns import regex

_INCLUDE = regex(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.MULTILINE)
_ALWAYS = ("omp.h", HELPER)


def emit_sources(options: Options, tools: Toolchain, units: tuple[Unit, ...], folder: str) -> None:
    """Write everything to ``folder``."""
    _refuse_plain_input(units)
    is_program = any(device_groups.has_main(unit.source) for unit in units)
    is_linked = is_program or "-shared" in options.link_items
    groups = device_groups.groups_of(options, parts_of(units)) if is_linked else []
    needs = [need for part in parts_of(units) for need in part.facts.needs]
    if needs and not is_linked:
        calls = f"device code calls '{needs[0].words}' of another file"
        report.message(Severity.NOTE, f"{calls}: link the objects with rexcc, which links device code too")
    text = makefile(options, tools, units, folder, is_program, groups)
    place = Path(folder) / MAKEFILE
    before = place.read_text(errors="replace") if place.exists() else None
    if before is not None and not before.startswith(FIRST_LINE):
        raise UsageError(f"'{place}' is not a makefile of rexcc's; name another folder with -o")
    runtime = Path(folder) / RUNTIME_FOLDER
    make_folder(runtime)
    for unit in units:
        write_generated(unit, dated_as_source=False)
    for path in _helpers(tools, units, (*_ALWAYS, *([HEAP] if flags.heap_archives(options) else []))):
        shutil.copyfile(path, runtime / path.name)
        if before is not None and f"{RUNTIME_FOLDER}/" not in before:
            (Path(folder) / path.name).unlink(missing_ok=True)  # an older rexcc's, which generated files would include
    write_file(place, text.encode(errors="surrogateescape"))
    if groups:
        write_file(Path(folder) / device_link.SOURCE, device_link.text(groups).encode())
    for name, source in (file for group in groups for file in group.sources.items()):
        write_file(Path(folder) / name, source.encode())


def parts_of(units: Iterable[Unit]) -> list[Part]:
    """Return what the units say of their device code; objects are made by the makefile."""
    found = []
    for part in (unit.translation.part for unit in units):
        if part is not None:
            found.append(Part(part, {(made.target, made.architecture): (b"", made.terms) for made in part.objects}))
    return found


def _refuse_plain_input(units: Iterable[Unit]) -> None:
    if any(unit.source.data is not None and not unit.translation.has_offload for unit in units):
        raise UsageError("--emit=src leaves a file without target regions as it is; write standard input to a file")


def command_to_emit(options: Options, folder: str) -> str:
    """Return the command that writes the generated sources of a command line to ``folder``."""
    return shlex.join(["rexcc", "--emit=src", "-o", folder, *_without_output(options.argv)])


def _without_output(argv: Iterable[str]) -> Iterator[str]:
    rest = iter(argv)
    for argument in rest:
        if argument == "-o":
            next(rest, None)
        elif argument not in ("-###", "--emit=report") and not _is_output(argument):
            yield argument


def _is_output(argument: str) -> bool:
    """Whether an argument names what is written, or is about a report of it."""
    return (argument.startswith("-o") and len(argument) > 2) or argument.startswith(("--report=", "--profile="))


def _helpers(tools: Toolchain, units: tuple[Unit, ...], always: tuple[str, ...]) -> list[Path]:
    """Return the helper files that the generated sources include, directly or not, and those that are there always."""
    ours = {path.name: path for path in tools.sources.glob("*/*")}
    found = set(always)
    texts = [ours[name].read_text(errors="replace") for name in always]
    texts += [file.text for unit in units for file in generated_files(unit.translation)]
    while texts:
        included = {name for name in _INCLUDE.findall(texts.pop()) if name in ours} - found
        found |= included
        texts += [ours[name].read_text(errors="replace") for name in included]
    return sorted(ours[name] for name in found)
