"""Rules for make of a unit with ``#embed`` lines, where the host's compiler knows none.

In: the rule that the compiler has written: it lists the headers, calls each such line an error, and does not know what
is embedded. Out: the rule with these files.
"""

from __future__ import annotations

import shlex

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.commands import Finish

_END_OF_TARGETS = regex(rb":(?=\s)")
_SPECIAL = regex(r"([ #\\])")
_OF_SED = regex(r"([|&\\])")


@dataclass(frozen=True)
class EmbeddedFiles(Finish):
    """Adds files to the first rule of a file for make."""

    paths: tuple[str, ...]
    note = "The sed adds the files of #embed, which the compiler does not know."

    def applied(self, data: bytes) -> bytes:
        """Return the rules with the files."""
        return _END_OF_TARGETS.sub(lambda _: f": {self._names}".encode("utf-8", "surrogateescape"), data, count=1)

    def shell(self, quoted_path: str) -> tuple[str, ...]:
        """Return the command that does the same."""
        names = _OF_SED.sub(r"\\\1", self._names)
        return (f"sed -i {shlex.quote(f'0,/:/s|:|: {names}|')} {quoted_path}",)

    @property
    def _names(self) -> str:
        """The files as make reads them."""
        return " ".join(_SPECIAL.sub(r"\\\1", path).replace("$", "$$") for path in self.paths)
