"""Headers that precompiled ones were made of, which device code needs as text.

In: options that name precompiled headers. Out: options with the headers' paths: a precompiled header is called after
its header (``pre.h.pch``), or clang tells which file it has read first, as where it is in a folder of a build.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.tools.toolchain import output_of
from rexcc.source.records import replace
from rexcc.target.commands import HostCompiler

_FIRST_FILE = "Input file: "


def with_headers(options: Options, host: HostCompiler) -> Options:
    """Return the options with the headers that are there; raise UsageError for one that is not."""
    if not options.offload or all(Path(header).is_file() for _, header in options.precompiled):
        return options
    known = tuple((made, _header_of(made, header, host)) for made, header in options.precompiled)
    moved = dict(zip((header for _, header in options.precompiled), (header for _, header in known), strict=True))
    parse = tuple(moved.get(word, word) for word in options.flags.parse)
    return replace(options, flags=replace(options.flags, parse=parse), precompiled=known)


def _header_of(made: str, header: str, host: HostCompiler) -> str:
    if Path(header).is_file():
        return header
    told = output_of(host.cc, "-module-file-info", made) if host.family == "clang" else ""
    found = next((line.split(_FIRST_FILE, 1)[1] for line in told.splitlines() if _FIRST_FILE in line), "")
    if found and Path(found).is_file():
        return found
    text = f"device code needs the header of a precompiled header, and there is no '{header}'"
    raise UsageError(f"{text}; put it there, or name the precompiled header after it (pre.h.pch)")
