"""What a stage finds that it needs of the text: uses of macros expanded, headers read as the user's."""

from __future__ import annotations


class ExpansionNeeded(Exception):  # noqa: N818 - no error: the translation begins again
    """Raised by a stage that needs uses of macros expanded: the file and the offset of each."""

    def __init__(self, places: frozenset[tuple[str, int]]) -> None:
        super().__init__("a macro has to be expanded")
        self.places = places


class HeadersNeeded(Exception):  # noqa: N818 - no error: the translation begins again
    """Raised where device code calls functions that headers of the system's folders define for the host alone: the
    paths of these."""

    def __init__(self, headers: frozenset[str]) -> None:
        super().__init__("headers have to be read")
        self.headers = headers
