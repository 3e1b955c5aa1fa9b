"""The functions that device code finds by addresses of the host: through pointers, and by the classes of objects.

In: both kinds. Out: :class:`AddressedFunctions`, which says of both at once what the files of a unit have for them.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.codegen.registration.indirect import IndirectFunctions
from rexcc.codegen.registration.virtual_functions import VirtualFunctions
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class AddressedFunctions:
    """The functions that are called through pointers, and virtual ones that are called on objects of the host."""

    indirect: IndirectFunctions
    virtual: VirtualFunctions

    @property
    def functions(self) -> tuple[Cursor, ...]:
        """The functions, which device code calls in a way that does not show."""
        return (*self.indirect.functions, *self.virtual.methods)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the device file that are symbols, of which each unit has its own."""
        return self.indirect.names + self.virtual.names

    @property
    def asks(self) -> tuple[str, ...]:
        """The functions of the device file that find those of all files of an image."""
        return self.indirect.asks + self.virtual.asks

    @property
    def finds(self) -> tuple[tuple[str, str], ...]:
        """Their names with the symbols of those that find this file's."""
        return self.indirect.finds + self.virtual.finds

    def host_lines(self, name: str) -> list[str]:
        """Return the host's tables and the pointers to them; ``name`` is the unit's own in the program."""
        return [*self.indirect.host_lines, *self.virtual.host_lines(name)]

    @property
    def global_rows(self) -> list[str]:
        """The rows of the storage that the runtime copies to devices."""
        return [*self.indirect.global_rows, *self.virtual.global_rows]

    def entries(self, mark: str) -> list[str]:
        """Return the entries of the device's pointers; their symbols have the unit's mark, if there is one."""
        return [*self.indirect.entries(mark), *self.virtual.entries(mark)]
