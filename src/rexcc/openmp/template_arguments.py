"""Template arguments in list items: ``S<int, 3>::v``.

In: the tokens of a list. Out: which of them are such arguments, and the items between the other commas. Only what a
scope operator follows is one: a list item is no call, and ``a < b`` is none.
"""

from __future__ import annotations

from rexcc.openmp.lexer import Part, TokenStream

ANGLES = {"<": 1, ">": -1, ">>": -2}


_BEHIND = frozenset({"::", ",", "[", ".", "->"})
"""What may follow a name with arguments in an item, as well as nothing."""


def template_arguments(stream: TokenStream, part: Part) -> frozenset[int]:
    """Return the tokens outside brackets from ``<`` to ``>`` of template arguments."""
    found: list[int] = []
    opened, depth = -1, 0
    for index in stream.top_level(part):
        text = stream.text(index)
        if opened < 0 and not (text == "<" and index > part.first and stream.is_word(index - 1)):
            continue
        opened = index if opened < 0 else opened
        depth += ANGLES.get(text, 0)
        if depth > 0:
            continue
        if depth == 0 and (index + 1 == part.stop or stream.text(index + 1) in _BEHIND):
            found += range(opened, index + 1)
        opened, depth = -1, 0
    return frozenset(found)


def split_items(stream: TokenStream, part: Part) -> list[Part]:
    """Return the pieces between the commas of a list that stand in no template arguments."""
    pieces = stream.split(part)
    inside = template_arguments(stream, part) if len(pieces) > 1 and "<" in stream.words(part) else frozenset()
    if not inside:
        return pieces
    found = [pieces[0]]
    for piece in pieces[1:]:
        if piece.first - 1 in inside:
            found[-1] = Part(found[-1].first, piece.stop)
        else:
            found.append(piece)
    return found
