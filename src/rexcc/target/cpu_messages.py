"""What the host's C++ compiler and its linker print about an image of the CPU device, as the user reads it.

In: the text of a command that failed, and the calls of libraries' functions. Out: errors for functions and variables
that the image needs and nothing has that it is linked with. A GPU's compiler says so too; an image that looked for them
when it is loaded would end the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.messages import KERNEL_NAME, Messages, Reached, function_name

_AROUND = regex(r"in function [`'](?P<name>[^'\n]*)'")
_UNDEFINED = regex(
    r"(?:^(?P<file>[^\s:(]+):(?P<line>\d+): )?.*undefined (?:reference to|symbol:) [`']?(?P<symbol>[^'\n]+)",
    re.MULTILINE,
)
_BEHIND = regex(r"\n(?:>>> .*\n)*?>>> .*:\((?P<name>[^\n]*)\)")
_REFERENCED = regex(r"^>>> referenced by (?P<file>[^\s:(]+):(?P<line>\d+)", re.MULTILINE)
_KERNEL = regex(KERNEL_NAME)
_WAY_OUT = "let the host call it, or define it in 'declare target'"
_GENERATED = regex(r"(?:^|/)rex_(?:host|lib)_")


@dataclass(frozen=True, eq=False)
class HostMessages(Messages):
    """How messages about images of the CPU device are read."""

    def errors(self, text: str, reached: Reached) -> tuple[str, ...]:
        """Return the errors in the user's words, each symbol's once."""
        found = super().errors(text, reached)
        return found or tuple(undefined_symbols(text, dict(reached.library)))


def undefined_symbols(printed: str, calls: Mapping[str, str]) -> list[str]:
    """Return, as errors for the user, what an image lacks; ``calls`` are the places where functions are called."""
    found: dict[str, str] = {}
    for match in _UNDEFINED.finditer(printed):
        symbol = match["symbol"].strip()
        if symbol not in found:
            called = calls.get(function_name(symbol))
            place = f"{called}: " if called else _place(match, printed)
            found[symbol] = _error(symbol, place, _kernel(printed, match))
    return list(found.values())


def _error(symbol: str, place: str, kernel: str) -> str:
    what = f"'{symbol}' is needed by device code{kernel}, but nothing defines it for the CPU device"
    return f"{place}error: {what}: {_WAY_OUT} [undefined-device-function]"


def _place(match: re.Match[str], printed: str) -> str:
    """Return where the user's text needs a symbol, as far as the linker knows it: with debug information."""
    behind = _REFERENCED.match(printed, printed.find("\n", match.end()) + 1)
    for known in (match, behind):
        if known is not None and known["file"] and not _GENERATED.search(known["file"]):
            return f"{known['file']}:{known['line']}: "
    return ""


def _kernel(printed: str, match: re.Match[str]) -> str:
    """Return which region's kernel the linker was at, empty where it was none: GNU's says so before, lld behind."""
    around = [*_AROUND.finditer(printed, 0, match.start())][-1:]
    around += filter(None, [_BEHIND.match(printed, match.end())])
    kernel = next(filter(None, (_KERNEL.search(part["name"]) for part in around)), None)
    return f" of the region in '{kernel['function']}', line {kernel['line']}" if kernel is not None else ""
