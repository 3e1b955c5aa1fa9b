"""The file of ``-MJ``: how each source is compiled, for tools that read ``compile_commands.json``.

In: options, tools and units. Out: an entry for each source, in the form in which clang writes it: a build joins those
of its files to a list. The commands are the host compiler's for the user's files, which such tools understand.
"""

from __future__ import annotations

import json
from pathlib import Path

from rexcc.driver.commands import flags
from rexcc.driver.commands.plan import Unit, output_of
from rexcc.driver.commands.workspace import write_file
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.driver.tools.toolchain import Toolchain


def write(options: Options, tools: Toolchain, units: tuple[Unit, ...]) -> None:
    """Write the entries where the command asks for them."""
    if options.compile_database is not None:
        text = "".join(f"{_entry(options, tools, unit)},\n" for unit in units)
        write_file(Path(options.compile_database), text.encode(errors="surrogateescape"))


def _entry(options: Options, tools: Toolchain, unit: Unit) -> str:
    source, output = unit.source, output_of(options, unit) if options.mode is not Mode.LINK else None
    made = {"output": output} if output else {}
    arguments = [
        flags.driver_for(tools, source.language),
        *flags.host_flags(options, tools, source),
        *flags.language_selection(source),
        *(("-fsyntax-only",) if options.mode is Mode.SYNTAX else ("-c",)),
        source.path,
        *(("-o", output) if output else ()),
    ]
    entry = {"directory": str(Path.cwd()), "file": source.path, **made, "arguments": arguments}
    return json.dumps(entry, ensure_ascii=False)
