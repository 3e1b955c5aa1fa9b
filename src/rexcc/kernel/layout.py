"""How code stands in the user's text.

In: nothing; these are values that stages give to code (:mod:`rexcc.kernel.ir`). Out: what the printer goes by.
"""

from __future__ import annotations

from enum import Enum

from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Place:
    """Where lines come to stand in the user's text: behind an offset in this line of a file, which is indented so far.

    ``is_end``: nothing else stands in that line.
    """

    line: int
    path: str
    indent: str = ""
    is_end: bool = False


class Layout(Enum):
    """How code stands in the user's text."""

    DIRECTIVE = "behind a directive, which is a comment, and behind the statement that belongs to it"
    HEADER = "a block behind another header than the user's"
    LINE = "in lines around what stays, a condition in the line of its one statement"
    EXPRESSION = "an expression around the user's"
    BEFORE = "in lines in front of what follows"
    BEHIND = "in lines behind what is in front"
    LINES = "in lines in front of the user's statement, which keeps its column, and behind it"
