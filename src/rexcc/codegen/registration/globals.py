"""The host file's part of global variables on the device: entries, and the pointers to storage that is elsewhere.

In: the ``declare target`` variables that the device file holds. Out: lines for the top and the end of the host file.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.linked_variables import Linked, Way
from rexcc.clang.scopes import enclosing_scope
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.codegen.registration.own_namespaces import NO_NAMESPACES, OwnNamespaces
from rexcc.lowering.model.host_values import address_text
from rexcc.source.records import dataclass

_SCOPES = RECORD_KINDS | {"NAMESPACE"}


@dataclass(frozen=True)
class DeviceVariable:
    """A variable of the device file; ``linked`` where the image has but a pointer to it; ``namespaces`` are those
    that the program has not. ``is_local``: the host's variable is another one."""

    cursor: Cursor
    linked: Linked | None
    namespaces: OwnNamespaces = NO_NAMESPACES
    is_local: bool = False

    @property
    def host(self) -> str:
        """The variable's name on the host, with its namespaces."""
        names = [str(self.cursor.spelling)]
        parent = enclosing_scope(self.cursor)
        while parent is not None and kind_of(parent) in _SCOPES:
            if parent.spelling:
                names.append(str(parent.spelling))
            parent = enclosing_scope(parent)
        return "::".join(reversed(names))

    @property
    def address(self) -> str:
        """The variable's address at the end of the host file, where nobody may name a class's private members."""
        if self.linked is not None and self.is_hidden:
            return f"{self.linked.name}_storage"
        return address_text(self.host, self.cursor.type)

    @property
    def is_hidden(self) -> bool:
        """Whether the variable is a private or protected member."""
        return self.cursor.access_specifier.name in ("PRIVATE", "PROTECTED")

    @property
    def symbol(self) -> str:
        """The symbol in the device image."""
        return self.linked.name if self.linked is not None else self.namespaces.symbol(self.cursor)

    @property
    def entry(self) -> str:
        """The row of the variable, or of its pointer, in the table of entries."""
        if self.linked is None:
            own = "REX_LOCAL_ENTRY" if self.is_local else "REX_GLOBAL_ENTRY"
            return f'{own}({address_text(self.host, self.cursor.type)}, "{self.symbol}", sizeof {self.host})'
        form = "REX_GLOBAL_LINK_ENTRY" if self.linked.way is Way.MAPPED else "REX_GLOBAL_ENTRY"
        return f'{form}(&{self.linked.name}, "{self.linked.name}", sizeof {self.linked.name})'


def pointers_declared(variables: Iterable[DeviceVariable]) -> list[str]:
    """Return the declarations of the pointers, for the top of the file."""
    return [f"REX_GLOBAL_POINTER({v.linked.name})" for v in variables if v.linked is not None]


def pointers_defined(variables: Iterable[DeviceVariable], more: list[str]) -> list[str]:
    """Return the definitions of the pointers and the table of those that the runtime attaches on its own, ``more`` rows
    of it included."""
    linked = [(v, v.linked) for v in variables if v.linked is not None]
    lines = [f'extern "C" char {v.address}[] __asm__("{v.cursor.mangled_name}");' for v, _ in linked if v.is_hidden]
    lines += [f"REX_GLOBAL_POINTER_TO({link.name}, {v.address})" for v, link in linked]
    found = [_global_row(v, link) for v, link in linked if link.way is not Way.MAPPED] + more
    if found:
        lines += ["static struct rex_offload_global __rex_offload_globals[] = {", *found, "};"]
        lines.append("#undef REX_OFFLOAD_GLOBALS")
        lines.append(f"#define REX_OFFLOAD_GLOBALS __rex_offload_globals, {len(found)}")
    return lines


def _global_row(variable: DeviceVariable, linked: Linked) -> str:
    size = "0"
    if linked.way is Way.COPIED:
        size = str(variable.cursor.type.get_size()) if variable.is_hidden else f"sizeof {variable.host}"
    return f'    {{&{linked.name}, "{variable.host}", {size}}},'
