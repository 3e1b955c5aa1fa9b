"""Weak functions that a program has replaced, and its device code has not.

In: a linked program or library. Out: nothing, or UsageError: device code of a file has that file's weak definition of a
function, while the linker has taken another one for the host. Where the device code of both is linked together, it has
the linker's choice, too. The symbol of a weak definition is weak in the output, that of another one is not.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from rexcc.codegen.registration.unit_parts import WEAK_FUNCTIONS, weak_functions
from rexcc.driver.link.device_parts import parts_of, section_of
from rexcc.driver.options.command_parts import UsageError

_GLOBAL = 1
"""The binding of a symbol that is not weak (ELF, ``STB_GLOBAL``)."""


def check(output: str | None) -> None:
    """Raise UsageError for a function of which the host and a device have different definitions."""
    path = Path(output) if output else None
    section = section_of(path, WEAK_FUNCTIONS) if path is not None and path.is_file() else b""
    if path is None or not section:
        return
    strong = set(_strong(path))
    for symbol, name, place in weak_functions(section):
        if symbol in strong and sum(symbol in part.facts.has for part in parts_of(path)) < 2:
            message = f"'{name}' is weak in {place}, whose device code has this definition of it, and the program has "
            message += "another one; leave the weak one out of the link, or give them different names"
            raise UsageError(message)


def _strong(path: Path) -> Iterator[str]:
    """Yield the symbols of an output that are defined there, and not weakly; none of one that has no table of them."""
    table, names = section_of(path, b".symtab"), section_of(path, b".strtab")
    for name, info, _, section, _, _ in struct.iter_unpack("<IBBHQQ", table):
        if section and info >> 4 == _GLOBAL:
            yield names[name : names.find(b"\0", name)].decode(errors="surrogateescape")
