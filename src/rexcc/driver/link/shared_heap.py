"""Programs that require unified shared memory, whose heap has to be one that every GPU reads.

In: the units of a command, and the program that was linked. Out: options with such a heap (``runtime/memory``), which
is the C library's wherever the GPU reads that too; where only the objects tell that the linker took, the commands that
link again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from rexcc.driver.caches import cache
from rexcc.driver.caches.cache_files import is_intact
from rexcc.driver.commands.flags import HEAP_WORDS
from rexcc.driver.commands.plan import Command, Unit, helper_commands
from rexcc.driver.link import device_parts
from rexcc.driver.options.command_line import Options
from rexcc.driver.tools.toolchain import REQUIRED_HEAP, Toolchain
from rexcc.source.records import replace

SECTION = b"rex_offload_memory"
"""Where files leave a byte that require unified shared memory (``rex_module.h``)."""
ARCHIVE = f"librex{REQUIRED_HEAP}.a"


def with_heap(options: Options, units: Sequence[Unit]) -> Options:
    """Return options that link with the heap, if a unit requires it and nothing replaces it."""
    required = any(unit.translation.wants_shared_heap for unit in units)
    return replace(options, memory=REQUIRED_HEAP) if required and _may_have_heap(options) else options


def is_wanted(options: Options, output: str | None) -> bool:
    """Whether what was linked requires unified shared memory and has the C library's heap, which nothing replaces."""
    if output is None or not _may_have_heap(options) or not Path(output).is_file():
        return False
    return bool(device_parts.section_of(Path(output), SECTION))


def _may_have_heap(options: Options) -> bool:
    return not options.memory and not options.other_heaps and "-shared" not in options.link_items


def commands(options: Options, tools: Toolchain, link: Command, folder: str) -> list[Command]:
    """Return the commands that link again with the heap; the last is the link."""
    place = cache.helper_archive(options, tools, ARCHIVE)
    made = [] if place is not None and is_intact(place) else helper_commands(options, tools, folder, ARCHIVE)
    archive = os.path.normpath(f"{folder}/{ARCHIVE}") if made else str(place)
    at = next(n for n, word in enumerate(link.argv) if word.endswith("librexcc.a"))
    argv = (*link.argv[:at], *HEAP_WORDS, archive, *link.argv[at:])
    return [*made, replace(link, argv=argv, inputs=(*link.inputs, archive))]
