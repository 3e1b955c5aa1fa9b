"""The host file's part of global variables on the device: entries, and the pointers to storage that is elsewhere.

In: the ``declare target`` variables that the device file holds. Out: lines for the top and the end of the host file.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.linked_variables import Linked, Way
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.lowering.c.dialect import c_name
from rexcc.source.records import dataclass
from rexcc.source.text import ascii_name

_AROUND = "8rex_user"
_SCOPES = RECORD_KINDS | {"NAMESPACE"}


@dataclass(frozen=True)
class DeviceVariable:
    """A variable of the device file; ``linked`` where the image has but a pointer to it; ``in_namespace`` where all of
    the file stands in ``namespace rex_user``."""

    cursor: Cursor
    linked: Linked | None
    in_namespace: bool = False

    @property
    def host(self) -> str:
        """The variable's name on the host, with its namespaces."""
        names = [str(self.cursor.spelling)]
        parent = self.cursor.semantic_parent
        while parent is not None and kind_of(parent) in _SCOPES:
            if parent.spelling:
                names.append(str(parent.spelling))
            parent = parent.semantic_parent
        return "::".join(reversed(names))

    @property
    def address(self) -> str:
        """The variable's address at the end of the host file, where nobody may name a class's private members."""
        return f"{self.linked.name}_storage" if self.linked is not None and self.is_hidden else f"&{self.host}"

    @property
    def is_hidden(self) -> bool:
        """Whether the variable is a private or protected member."""
        return self.cursor.access_specifier.name in ("PRIVATE", "PROTECTED")

    @property
    def symbol(self) -> str:
        """The symbol in the device image."""
        if self.linked is not None:
            return self.linked.name
        parent = self.cursor.semantic_parent
        name = ascii_name(c_name(str(self.cursor.spelling)))
        last = f"{len(name)}{name}"
        if parent is None or kind_of(parent) != "NAMESPACE":
            return f"_ZN{_AROUND}{last}E" if self.in_namespace else name
        was = f"{len(self.cursor.spelling)}{self.cursor.spelling}"
        mangled = str(self.cursor.mangled_name).replace(f"L{was}", was).replace(was, last)  # without 'static'
        return mangled.replace("_ZN", f"_ZN{_AROUND}", 1) if self.in_namespace else mangled

    @property
    def entry(self) -> str:
        """The row of the variable, or of its pointer, in the table of entries."""
        if self.linked is None:
            return f'REX_GLOBAL_ENTRY(&{self.host}, "{self.symbol}", sizeof {self.host})'
        form = "REX_GLOBAL_LINK_ENTRY" if self.linked.way is Way.MAPPED else "REX_GLOBAL_ENTRY"
        return f'{form}(&{self.linked.name}, "{self.linked.name}", sizeof {self.linked.name})'


def pointers_declared(variables: list[DeviceVariable]) -> list[str]:
    """Return the declarations of the pointers, for the top of the file."""
    return [f"REX_GLOBAL_POINTER({v.linked.name})" for v in variables if v.linked is not None]


def pointers_defined(variables: list[DeviceVariable], more: list[str]) -> list[str]:
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
