"""What the devices' linker needs of a translation unit whose device code calls, or is called by, that of others.

In: the functions that units have in common. Out: :class:`DevicePart`: the relocatable object of the CPU device, which
the unit's object file embeds with a list of the symbols that it has and needs (``rex_module.h``).
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.separate import Separate, symbol
from rexcc.lowering.c.dialect import c_name
from rexcc.program.unit import ParsedUnit
from rexcc.source.line_directives import c_string
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class DevicePart:
    """``file`` is the relocatable object; ``has`` are the symbols that other units may use, ``needs`` those of other
    units, each with the user's name of the function and the place of a call."""

    source: str
    file: str
    has: tuple[str, ...]
    needs: tuple[tuple[str, str, str], ...]

    def host_lines(self, name: str) -> list[str]:
        """Return the lines of the host file that embed the part; ``name`` is the unit's."""
        module = f"__rex_module_{name}"
        words = [f"module {module}", f"source {self.source}", *(f"has {known}" for known in self.has)]
        words += [f"needs {wanted} {place} {function}" for wanted, function, place in self.needs]
        rows = "".join(f"\n    REX_PART_LINE({c_string(_assembler_text(word))})" for word in words)
        return [f"REX_MODULE_NAME({module})", f'REX_DEVICE_PART("{self.file}",{rows})']


def _assembler_text(text: str) -> str:
    """Return a text as it stands between the quotes of an assembler's string."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def part_file(stem: str) -> str:
    """Return the name of the relocatable object."""
    return f"rex_lib_{stem}.host.o"


def device_part(unit: ParsedUnit, separate: Separate, stem: str) -> DevicePart | None:
    """Return what the linker needs of a unit, None where it has nothing in common with others."""
    if not separate.any:
        return None

    def name(function: Cursor) -> str:
        return symbol(unit, function) if unit.is_cplusplus else c_name(symbol(unit, function))

    needs = []
    for function, call in separate.imported:
        span = unit.span(call)
        place = span.place if span is not None else unit.main
        needs.append((name(function), str(function.displayname), place))
    return DevicePart(unit.main, part_file(stem), tuple(map(name, separate.exported)), tuple(needs))
