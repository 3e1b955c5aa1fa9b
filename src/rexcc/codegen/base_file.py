"""The macro ``__BASE_FILE__``, which compilers of generated files would take for one of those.

In: generated text, and the path of the user's file. Out: the text with that path in the macro's place.
"""

from __future__ import annotations

import re

from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.line_directives import c_string

_NAME = "__BASE_FILE__"
_WORD = re.compile(rf"{COMMENT}|{RAW_STRING}|{LITERAL}|^[ \t]*#[ \t]*(?:if|el|un)[^\n]*|\b(?P<word>{_NAME})\b", re.M)
"""The word, or what is no use of it: comments, literals, conditions."""


def name_base_file(text: str, path: str) -> str:
    """Return text with the name of the user's file in the place of the macro."""
    if _NAME not in text:
        return text
    return _WORD.sub(lambda found: c_string(path) if found["word"] else found[0], text)
