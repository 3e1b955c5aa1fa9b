"""Names of the user's that have another one in all files behind an early stage.

In: such a word, or diagnostics. Out: the other name, or diagnostics with the user's own.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.source.diagnostics import Diagnostic
from rexcc.source.patterns import regex
from rexcc.source.records import replace

_PREFIX = "rex_users_"
_OTHER = regex(rf"\b{_PREFIX}(?=\w)")


def other_name(word: str) -> str:
    """Return the name that the program's own has in generated files."""
    return f"{_PREFIX}{word}"


def with_users_names(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics that name things as the user does."""
    return tuple(_as_written(d) for d in found)


def _as_written(found: Diagnostic) -> Diagnostic:
    if _PREFIX not in found.message and not any(_PREFIX in note.message for note in found.notes):
        return found
    notes = tuple(replace(note, message=_OTHER.sub("", note.message)) for note in found.notes)
    return replace(found, message=_OTHER.sub("", found.message), notes=notes)
