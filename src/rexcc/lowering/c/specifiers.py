"""Specifiers of C declarations that C++ takes in fewer places: ``_Alignas`` behind another one.

In: variables and members. Out: the attribute that may stand anywhere, in the place of an ``_Alignas`` that does not
come first: ``static __attribute__((aligned(64))) int x;``.
"""

from __future__ import annotations

import re

from rexcc.clang.tree import Node
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.extents import bracket_end
from rexcc.source.lexical import BLANK
from rexcc.source.patterns import regex

_ALIGNMENT = regex(r"\b(?:_Alignas|alignas)\s*(?=\()")
_BLANK = regex(BLANK)
_TYPE = regex(
    r"\s*(?:(?:const|volatile|struct|union|enum|unsigned|signed|char|short|int|long|float|double|void|_Bool|bool)\b|$)"
)


def behind_alignments(text: str, start: int) -> int:
    """Return where the specifiers of a declaration go on behind the alignments that come first."""
    found = _ALIGNMENT.match(text, start)
    if found is None:
        return start
    close = bracket_end(text, found.end())
    blank = _BLANK.match(text, close)
    return behind_alignments(text, blank.end() if blank else close)


def spread_alignments(edits: CEdits, node: Node) -> None:
    """Write the alignments of a variable or member that stand behind other specifiers as attributes."""
    body, start = edits.body, edits.body.start(node)
    named = {body.start(c) for c in node.children if c.kind == "TYPE_REF"}
    end = body.end(node)
    for found in _ALIGNMENT.finditer(body.text, start, end):
        before = body.text[start : found.start()]
        if not before.strip() or re.search(r"[,={;]", before):
            continue  # in front, where C++ has it, or another declarator's
        opened, close = found.end(), bracket_end(body.text, found.end())
        argument = body.text[opened + 1 : close - 1]
        is_type = _TYPE.match(argument) or any(opened < at < close for at in named)
        asked = f"alignof({argument})" if is_type else argument
        text = f"__attribute__((aligned({asked})))" if argument.strip() != "0" else ""
        body.edits.rewrite(found.start(), close, text)
