"""Regular expressions that are compiled when they are first used.

In: the text of one, and flags. Out: what ``re.compile`` gives. The modules that a command loads have more than two
hundred at hand, and a file needs a quarter of them (docs/decisions/037-short-commands.md). Type checkers see
``re.compile`` itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    regex = re.compile
else:

    def regex(text: str | bytes, flags: int = 0) -> Any:
        """Return a regular expression, as ``re.compile`` does."""
        return _Pattern(text, flags)


_METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn")


class _Pattern:
    """A regular expression: from its first use on its methods are those of the compiled one."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
