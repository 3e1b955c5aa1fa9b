"""Device code of shared libraries that a program calls.

In: the command that has linked a program or library. Out: the parts of the shared libraries that it names, and the
functions that these have for the host. The linker tells which files these are: it is asked only where device code of
the linked files lacks something, or has variables.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

from rexcc.driver.commands.plan import Command
from rexcc.driver.link.device_parts import Part, parts_of, section_of

_FUNCTIONS = (2, 10)
"""The types of symbols of functions, those that are chosen when the program starts among them."""
_TRACE = "-Wl,--trace"
"""Makes linkers list the files that they read, one a line."""


def library_parts(link: Command) -> list[Part]:
    """Return the parts in the shared libraries of a link, in its order."""
    return [part for path in _libraries(link) for part in parts_of(path, path.name)]


def host_functions(link: Command) -> frozenset[str]:
    """Return the functions that the shared libraries of a link offer the host."""
    return frozenset(name for path in _libraries(link) for name in _functions(path))


def _functions(path: Path) -> Iterator[str]:
    """Yield the names of the functions that a shared library defines for others (ELF, ``Elf64_Sym``)."""
    table, names = section_of(path, b".dynsym"), section_of(path, b".dynstr")
    for name, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", table):
        if section and info & 15 in _FUNCTIONS:
            yield names[name : names.find(b"\0", name)].decode(errors="surrogateescape")


def _libraries(link: Command) -> Iterator[Path]:
    told = subprocess.run([*link.argv, _TRACE], capture_output=True, check=False)
    lines = told.stdout.decode(errors="surrogateescape").splitlines()
    for path in (Path(line) for line in dict.fromkeys(lines)):
        if ".so" in path.name and path.is_file():
            yield path
