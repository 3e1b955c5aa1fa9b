"""Declarations of labels (``__label__ out;``, GNU C), which stand in front of all others in a block.

In: a text and a place behind the opening brace of a block. Out: where the declarations end. Such a block keeps its
braces in device code, and what we put into a block stands behind them.
"""

from __future__ import annotations

from rexcc.source.lexical import BLANK
from rexcc.source.patterns import regex

_LABELS = regex(rf"(?:{BLANK}__label__\b[^;]*;)*")


def behind_local_labels(text: str, start: int) -> int:
    """Return where the declarations of labels end that stand at a place; the place if there are none."""
    match = _LABELS.match(text, start)
    return match.end() if match is not None else start


def is_plain_block(text: str, start: int = 0) -> bool:
    """Whether a text has a block at a place that declares no labels."""
    return text.startswith("{", start) and behind_local_labels(text, start + 1) == start + 1
