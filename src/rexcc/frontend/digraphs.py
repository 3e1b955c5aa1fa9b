"""Digraphs: ``<% %> <: :> %: %:%:`` are ``{ } [ ] # ##``.

In: a file as it is. Out: the file with the usual tokens, each followed by a blank where the digraph was longer, so that
nothing moves. What stands in comments and literals stays.
"""

from __future__ import annotations

import re

from rexcc.source.lexical import COMMENT, LITERAL

_MEANS = {"<%": "{", "%>": "}", "<:": "[", ":>": "]", "%:": "#", "%:%:": "##"}
_TOKEN = re.compile(rf"{COMMENT}|{LITERAL}|(?P<digraph>%:%:|<%|%>|<:(?!:(?![:>]))|:>|%:)")
_ANY = re.compile(r"<%|%>|<:|:>|%:")


def without_digraphs(text: str) -> str:
    """Return a text in which the usual tokens stand for digraphs; raw strings of C++ keep all that is theirs."""
    if _ANY.search(text) is None or 'R"' in text:
        return text
    return _TOKEN.sub(lambda m: _MEANS[m["digraph"]].ljust(len(m[0])) if m["digraph"] else m[0], text)
