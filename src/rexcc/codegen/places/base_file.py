"""The macro ``__BASE_FILE__``, which compilers of generated files would take for one of those.

In: the user's text, with edits, and the path of his file. Out: the text with that path in the macro's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.line_directives import c_string
from rexcc.source.patterns import regex

_NAME = "__BASE_FILE__"
_WORD = regex(rf"{COMMENT}|{RAW_STRING}|{LITERAL}|^[ \t]*#[ \t]*(?:if|el|un)[^\n]*|\b(?P<word>{_NAME})\b", re.M)
"""The word, or what is no use of it: comments, literals, conditions."""


def base_file_words(texts: Iterable[str], path: str) -> dict[str, str]:
    """Return the macro with the user's file's path, nothing where none of the user's texts has it."""
    return {_NAME: c_string(path)} if any(_NAME in text for text in texts) else {}


def name_base_file(text: str, path: str) -> str:
    """Return text with the name of the user's file in the place of the macro."""
    if _NAME not in text:
        return text
    return _WORD.sub(lambda found: c_string(path) if found["word"] else found[0], text)
