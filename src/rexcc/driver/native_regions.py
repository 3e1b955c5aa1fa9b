"""Objects of clang that have target regions of their own, beside ours.

clang embeds its images in objects in another way than we do: ``clang-linker-wrapper``, which clang starts in place of
the linker where it is asked to (``--offload-link``), makes of them what registers them. In: the program or library that
was linked. Out: the command that links it so.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.driver import device_parts
from rexcc.driver.plan import Command
from rexcc.source.records import replace

ENTRIES = (b"omp_offloading_entries", b"llvm_offload_entries")
"""The sections in which clang lists what images have: up to LLVM 19, and later."""
OPTION = "--offload-link"


def are_in(output: str | None) -> bool:
    """Whether what was linked has regions of clang's."""
    if output is None or not Path(output).is_file():
        return False
    return any(device_parts.section_of(Path(output), name) for name in ENTRIES)


def command(link: Command, is_clang: bool) -> Command | None:
    """Return the command that links what registers clang's images too; None where nothing is to be done, or the
    compiler that links cannot."""
    if not is_clang or OPTION in link.argv or not are_in(link.output):
        return None
    return replace(link, argv=(link.argv[0], OPTION, *link.argv[1:]))
