"""What compilers of device files print, as the user reads it.

In: the text of a compiler, and the functions that kernels reach. Out: the text without what only the compiler's makers
understand, or errors in the user's words. What is common to all compilers stands here; a target adds its own.
"""

from __future__ import annotations

import re

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.occupancy import Usage


@dataclass(frozen=True)
class Reached:
    """What a unit's kernels reach: ``functions`` of the user's by file, first and last line, and those of libraries
    that are defined elsewhere, with the place ``file:line:column`` of the first call of each; ``assembly`` are the
    places of inline assembly."""

    functions: tuple[tuple[str, int, int], ...] = ()
    library: tuple[tuple[str, str], ...] = ()
    assembly: tuple[str, ...] = ()


KERNEL_NAME = r"OUT__\d+__(?P<function>\w+?)__(?P<line>\d+)__"
"""How the names of kernels begin (``lowering/model/names.py``): the user knows them by their function and line."""
_AROUND_NAME = regex(r"\(.*|^.*::(?=\w+(?:\(|$))")


def function_name(symbol: str) -> str:
    """Return a function's name without the scopes and parameters that a symbol shows, as calls have it."""
    return _AROUND_NAME.sub("", symbol)


_LAYOUT = regex(
    r"^(?P<file>\S.*?)(?:\((?P<line>\d+)\)|:(?P<number>\d+)(?::\d+)?): error: .*"
    r"rexcc: the host lays out '(?P<type>[^'\n]+)' differently",
    re.MULTILINE,
)
_NOISE = r"\d+ (?:errors?|warnings?) (?:detected|generated)|In file included from \S*rex_host_"


@dataclass(frozen=True, eq=False)
class Messages:
    """How a compiler's messages are read.

    ``noise`` is a pattern of lines to leave out, besides those that all compilers print; ``place`` one of a message's
    beginning whose groups are file, line and the rest, where the compiler does not write ``file:line: rest``.
    """

    noise: str = ""
    place: str = ""

    def readable(self, text: str) -> str:
        """Return a compiler's output without its statistics, with places spelled ``file:line:``."""
        noise = re.compile(f"{self.noise}|{_NOISE}" if self.noise else _NOISE)
        lines = [line for line in text.splitlines() if not noise.match(line)]
        joined = re.sub(r"\n{2,}", "\n", "\n".join(lines)).strip("\n")
        return re.sub(self.place, r"\1:\2: \3", joined, flags=re.MULTILINE) if self.place else joined

    def usages(self, text: str) -> tuple[Usage, ...]:
        """Return what kernels take on their architectures, as a compiler has told (``CommandLine.tells_usage``)."""
        return ()

    def wrong_calls(self, text: str, reached: Reached) -> tuple[str, ...]:
        """Return, as errors for the user, calls in device code of functions that have none.

        They are errors also where the compiler only warns, and leaves the call out.
        """
        return ()

    def errors(self, text: str, reached: Reached) -> tuple[str, ...]:
        """Return the errors of a compiler that has failed in the user's words; none where its own say it."""
        return (*self.wrong_calls(text, reached), *layout_errors(text))

    def may_be_of_standard(self, text: str) -> bool:
        """Whether one of the errors may come from what the compiler does not know of the program's standard."""
        return True


def layout_errors(printed: str) -> list[str]:
    """Return, as errors for the user, the types that a device's compiler lays out in another way than the host's."""
    found = {}
    for match in _LAYOUT.finditer(printed):
        place = f"{match['file']}:{match['line'] or match['number']}"
        what = f"'{match['type']}' is not the same on the device: its size is another, or a member's place"
        found[match["type"]] = f"{place}: error: {what}; take empty and unusual members out of it"
    return list(found.values())
