"""The uses of macros that a stage needs expanded."""

from __future__ import annotations


class ExpansionNeeded(Exception):  # noqa: N818 - no error: the translation begins again
    """Raised by a stage that needs uses of macros expanded: the file and the offset of each."""

    def __init__(self, places: frozenset[tuple[str, int]]) -> None:
        super().__init__("a macro has to be expanded")
        self.places = places
