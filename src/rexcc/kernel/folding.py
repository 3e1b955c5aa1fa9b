"""Long lines of the compiler's own statements, broken where a person would break them.

In: a line of device code. Out: the same tokens on several lines, none of them too wide if the code allows: broken
where the fewest parentheses are open, behind a comma, else at the operator that binds least. Before and after::

    const int __rex_tile_row = …, __rex_tile_end = rex_row_end(…);

    const int __rex_tile_row = …,
        __rex_tile_end = rex_row_end(…);

White space means nothing between tokens, so the code is the same. What is one line by its meaning is left as it is:
directives of the preprocessor, comments, and literals.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.source.lexical import LITERAL
from rexcc.source.patterns import regex

WIDTH = 120
_CONTINUED = "    "
_LEAST = 40
"""How far a line is filled at least before it is broken."""
_BREAK = regex(r"(, )|( = )|( (?=[?:] ))|( (?=(?:&&|\|\|) ))|( (?=[-+*/] ))")
"""Where a line may be broken: by the loosest of the operators first."""
_LITERAL = regex(LITERAL)
_OPENING, _CLOSING = "([{", ")]}"


def folded(line: str) -> tuple[str, ...]:
    """Return the lines that a long line becomes, or the line itself."""
    found: list[str] = []
    rest = line
    while len(rest) > WIDTH and (at := _break(rest)):
        found.append(rest[:at].rstrip())
        indent = found[0][: len(found[0]) - len(found[0].lstrip())] + _CONTINUED
        rest = indent + rest[at:].lstrip()
    return (*found, rest)


def _break(line: str) -> int:
    """Return where a line is broken, 0 if nowhere."""
    if line.lstrip().startswith("#") or "/*" in line or "//" in line or 'R"' in line:
        return 0
    places = [place for place in _places(line) if _LEAST <= place[2] <= WIDTH]
    return min(places, key=_preferred)[2] if places else 0


def _preferred(place: tuple[int, int, int]) -> tuple[int, int, int]:
    depth, binding, position = place
    return depth, binding, -position


def _places(line: str) -> Iterator[tuple[int, int, int]]:
    """Yield where a line may be broken: the number of open parentheses, how much binds there, the place."""
    depth = position = 0
    while position < len(line):
        character = line[position]
        literal = _LITERAL.match(line, position) if character in "\"'" else None
        if literal:
            position = literal.end()
            continue
        depth += (character in _OPENING) - (character in _CLOSING)
        found = _BREAK.match(line, position)
        if found:
            yield depth, found.lastindex or 0, found.end()
        position += 1
