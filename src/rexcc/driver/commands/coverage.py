"""Where the notes and the counts of ``--coverage`` and of gcc's profiles lie.

In: options, the family of the host compiler, a unit. Out: the compiler's words for it. A compiler names these files
after the object that it makes; of one that lies in a temporary folder, and of the CPU device's images, they are to be
named after what the user gets: ``prog-a.gcno`` for ``a.c`` in ``prog``, as by clang and gcc, and ``prog-a.host.gcno``
for its kernels on the CPU device.
"""

from __future__ import annotations

import os
from pathlib import Path

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.driver.options.languages import stem
from rexcc.target.commands import Arguments

_ASKING = frozenset({"--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage"})
_GCC_PROFILES = ("-fprofile-generate", "-fprofile-use")
_KERNELS = ".host"


def host_notes(options: Options, family: str, source: str) -> Arguments:
    """Return the words for a host object, which needs them where a link makes and removes it."""
    return _named(family, _base(options, source)) if _is_asked(options, family) and options.mode is Mode.LINK else ()


def kernel_notes(options: Options, family: str, source: str) -> Arguments:
    """Return the words for the CPU device's image of a unit."""
    return _named(family, f"{_base(options, source)}{_KERNELS}") if _is_asked(options, family) else ()


def _is_asked(options: Options, family: str) -> bool:
    """Whether files are named after objects: profiles of clang's are not."""
    profiles = family != "clang" and any(flag.startswith(_GCC_PROFILES) for flag in options.flags.host)
    return profiles or not _ASKING.isdisjoint(options.flags.host)


def _base(options: Options, source: str) -> str:
    """Return the path of the files without their endings."""
    if options.mode is Mode.LINK:
        return f"{options.output or 'a'}-{stem(source)}"
    return os.path.splitext(options.output or f"{stem(source)}.o")[0]  # noqa: PTH122 - the spelling is kept


def _named(family: str, base: str) -> Arguments:
    if family == "clang":
        path = Path(base).absolute()
        notes, data = f"-coverage-notes-file={path}.gcno", f"-coverage-data-file={path}.gcda"
        return ("-Xclang", notes, "-Xclang", data)
    folder, name = os.path.split(base)
    return ("-dumpdir", f"{folder or '.'}/", "-dumpbase", f"{name}.c", "-dumpbase-ext", ".c")
