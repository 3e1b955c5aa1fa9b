"""Names of generated files.

In: the base name of a user's file. Out: a name that is the same word to make, shells, assemblers and ``#include``.
"""

from __future__ import annotations

from rexcc.source.digests import sha256
from rexcc.source.patterns import regex

_UNSAFE = regex(r"^-|[^A-Za-z0-9_.+-]")


def safe_name(name: str) -> str:
    """Return a name without characters that mean something to a tool.

    One that had some gets a hash, so that it is unique. The hash stands at the end of the stem: what follows the last
    full stop says what a file is.
    """
    if not _UNSAFE.search(name):
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or _UNSAFE.search(suffix):
        stem, dot, suffix = name, "", ""
    mark = sha256(name.encode("utf-8", errors="surrogateescape")).hexdigest()[:6]
    return f"{_UNSAFE.sub('_', stem)}_{mark}{dot}{suffix}"
