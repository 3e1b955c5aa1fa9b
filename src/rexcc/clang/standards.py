"""The standards of C++ by the names that ``-std=`` gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.source.patterns import regex

DEFAULT = 17
"""The standard without ``-std=``."""

_DRAFTS = {"98": 3, "03": 3, "0x": 11, "1y": 14, "1z": 17, "2a": 20, "2b": 23, "2c": 26}
_OPTION = regex(r"--?std=(\S+)")


def year_of(name: str) -> int:
    """Return the year of ``c++17``, ``gnu++2a`` and the like, without the century; :data:`DEFAULT` for another name."""
    found = re.search(r"\+\+(\w\w)$", name)
    if found is None:
        return DEFAULT
    return _DRAFTS.get(found[1]) or (int(found[1]) if found[1].isdigit() else DEFAULT)


def standard_in(arguments: Iterable[str]) -> int:
    """Return the year of the standard that a command's last ``-std=`` asks for."""
    named = [found[1] for word in arguments if (found := _OPTION.fullmatch(word))]
    return year_of(named[-1]) if named else DEFAULT
