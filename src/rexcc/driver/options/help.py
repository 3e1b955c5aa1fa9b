"""The texts of ``rexcc --help`` and ``rexcc --help=all``.

In: the target that a command is for. Out: text. All options come from ``option_table``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rexcc.driver.options.option_table import Row, Shape, groups
from rexcc.driver.options.option_texts import TEXTS
from rexcc.target.known import DEFAULT
from rexcc.target.model import Target

_WIDTH = 100
_COLUMN = 37
_USAGE = """\
usage: rexcc [options] file...
       rexcc bench [options] [path...]
       rexcc doctor [--install]

Compiles C and C++ with OpenMP target regions for the GPU. Takes the options of clang and gcc, and:
"""
_COMMANDS = """\
rexcc bench compares programs with those of other compilers: rexcc bench --help
rexcc doctor checks the compilers, libraries and GPU of this machine, and says how to get what is missing;
rexcc doctor --install brings LLVM's runtime into the user's folder, where there is none."""
_MORE = "rexcc --help=all lists all options that rexcc does something with."
_OTHERS = "An option that is not listed goes to the host compiler and to the linker. The longest spelling wins."
FORMS = {
    Shape.FLAG: "{0}{1}",
    Shape.JOINED: "{0}{1}",
    Shape.SEPARATE: "{0} {1}",
    Shape.EITHER: "{0}{1}, {0} {1}",
    Shape.BOTH: "{0}WORD {1}",
}
_SHORT_FORMS = FORMS | {Shape.EITHER: "{0} {1}"}


def meaning(row: Row) -> str:
    """Return what an option does; empty for one that is only passed on."""
    return row.help or row.about or TEXTS.get(row.spelling, "")


def spelled(row: Row, forms: dict[Shape, str] = FORMS) -> str:
    """Return an option as it is written, with its value."""
    return forms[row.shape].format(row.spelling, row.value or ("" if row.shape is Shape.FLAG else "VALUE"))


def help_text(device: Target = DEFAULT) -> str:
    """Return the text of ``rexcc --help``, with the options of a device's tools."""
    own = [row for rows in groups(device).values() for row in rows if row.help]
    return "\n".join((_USAGE, *_lines(own), "", _MORE, _COMMANDS))


def whole_help(device: Target = DEFAULT) -> str:
    """Return the text of ``rexcc --help=all``: each option by purpose, those that are only passed on by name."""
    lines = [_USAGE]
    for name, rows in groups(device).items():
        lines += [f"{name[0].upper()}{name[1:]}:", *_lines([row for row in rows if meaning(row)])]
        passed = ", ".join(spelled(row, _SHORT_FORMS) for row in rows if not meaning(row))
        if passed:
            lines += textwrap.wrap(f"also: {passed}", _WIDTH, initial_indent="  ", subsequent_indent="    ",
                                   break_on_hyphens=False)  # fmt: skip
        lines.append("")
    return "\n".join((*lines, _OTHERS, _COMMANDS))


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield f"  {spelled(row, _SHORT_FORMS):<{_COLUMN - 2}} {meaning(row)}"
