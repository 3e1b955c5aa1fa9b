"""Objects of clang that have target regions of their own, beside ours.

clang embeds its images in objects in another way than we do: ``clang-linker-wrapper``, which clang starts in place of
the linker where it is asked to (``--offload-link``), makes of them what registers them. In: the program or library that
was linked. Out: the command that links it so.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.driver.commands.plan import Command
from rexcc.driver.link import device_parts
from rexcc.driver.options.command_parts import UsageError
from rexcc.source.records import replace
from rexcc.target.llvm_abi import NEWEST, OLDEST, abi_of

SECTIONS = {abi_of(version).entry_section: version for version in range(OLDEST, NEWEST + 1)}
"""The sections in which clang lists what images have, each with the last version that reads it."""
OPTION = "--offload-link"


def sections_in(output: str | None) -> tuple[str, ...]:
    """Return the sections of clang's regions in what was linked."""
    if output is None or not Path(output).is_file():
        return ()
    return tuple(name for name in SECTIONS if device_parts.section_of(Path(output), name.encode()))


def command(link: Command, is_clang: bool, llvm_version: int) -> Command | None:
    """Return the command that links what registers clang's images too; None where nothing is to be done, or the
    compiler that links cannot. Regions that the runtime of this version cannot read are a UsageError."""
    if not is_clang or OPTION in link.argv:
        return None
    found = sections_in(link.output)
    if not found:
        return None
    foreign = [name for name in found if name != abi_of(llvm_version).entry_section]
    if foreign:
        reader = SECTIONS[foreign[0]]
        whose = f"objects with target regions of a clang for LLVM {reader}'s runtime"
        why = f"cannot be linked with LLVM {llvm_version}'s: the rows of their tables differ"
        raise UsageError(f"{whose} {why}; --omp-runtime={reader} links with one that reads them")
    return replace(link, argv=(link.argv[0], OPTION, *link.argv[1:]))
