"""``#line`` directives of generated files: which lines are the user's, and which the compiler's.

The user's text stands behind directives that lead to his file. :data:`OWN` stands wherever lines of the compiler's
begin; what they count as is decided when the whole file is known. In a file that somebody can read they are lines of
that file (:func:`with_own_lines`). In a host file that is gone when the program runs they are all the line in front of
them, which is the directive's (:func:`at_users_lines`): that is where debuggers stop and what coverage counts. Who
shows a part of a file to people asks which line is whose (:func:`listed`).
"""

from __future__ import annotations

from itertools import groupby

from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

OWN = "#line 0"
"""Stands for the ``#line`` of lines that belong to the generated file. No C file has it: there is no line 0."""

_DIRECTIVE = regex(r'[ \t]*#[ \t]*(?:line[ \t])?[ \t]*(\d+)(?:[ \t]+("(?:[^"\\]|\\.)*"))?[ \t\r]*')
_ESCAPED = regex(r"\\(.)")
_MADE = regex(r'#line (\d+) ("(?:[^"\\]|\\.)*")\r?')
_LITERALS = regex(rf"(?P<raw>{RAW_STRING})|{COMMENT}|{LITERAL}")
_LONGEST = 2000
_NOTHING_RUNS = regex(r"(?:[\s{}();]|/\* #pragma (?:[^*]|\*(?!/))*\*/)*")


def line_directive(line: int, path: str) -> str:
    """Return the ``#line`` directive that leads to a place in the user's file."""
    return f"#line {line} {c_string(path)}"


def c_string(text: str) -> str:
    """Return a text as a C string literal."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


@dataclass(frozen=True)
class ListedLine:
    """A line of a generated text, and the line of the user's file that it is; no path: it is the compiler's own."""

    text: str
    path: str = ""
    line: int = 0


def listed(text: str) -> tuple[ListedLine, ...]:
    """Return the lines of a generated text without its ``#line`` directives; those in front of the first are ours."""
    found: list[ListedLine] = []
    path, number = "", 0
    for line in text.split("\n"):
        said = None if line == OWN else _DIRECTIVE.fullmatch(line)
        if line == OWN:
            path, number = "", 0
        elif said:
            path, number = _unquoted(said[2]) if said[2] else path, int(said[1])
        else:
            found.append(ListedLine(line, path, number))
            number += bool(path)
    return tuple(found)


def _unquoted(literal: str) -> str:
    """Return the text of a C string literal of :func:`c_string`."""
    return _ESCAPED.sub(r"\1", literal[1:-1])


def with_own_lines(text: str, name: str) -> str:
    """Return a generated text with the numbers of its own lines; ``name`` is the generated file's.

    A ``#line`` stands where lines would count as others than they are, and only in front of code.
    """
    if OWN not in text:
        return text
    found: list[str] = []
    wanted: tuple[str, int] | None = None
    counted: tuple[str, int] | None = None
    quoted = _quoted_lines(text)
    for number, line in enumerate(text.split("\n")):
        said = None if line == OWN or number in quoted else _MADE.fullmatch(line)
        if (line == OWN and number not in quoted) or said:
            if found and found[-1] and not found[-1].strip():
                found.pop()  # the margin of what has gone to lines of its own
                counted = _moved(counted, -1)
            wanted = (said[2], int(said[1])) if said else None
            continue
        if wanted != counted and ((wanted is None and line.startswith("/*")) or not _NOTHING_RUNS.fullmatch(line)):
            path, count = wanted or (c_string(name), len(found) + 2)
            found.append(f"#line {count} {path}")
            counted = wanted
        found.append(line)
        wanted, counted = _moved(wanted, 1), _moved(counted, 1)
    return "\n".join(found)


def _quoted_lines(text: str) -> frozenset[int]:
    """Return the lines, from 0 on, that begin inside of a raw string: what looks like a directive there is none."""
    if 'R"' not in text:
        return frozenset()
    found: set[int] = set()
    for literal in _LITERALS.finditer(text):
        if literal["raw"]:
            first = text.count("\n", 0, literal.start())
            found.update(range(first + 1, first + 1 + literal["raw"].count("\n")))
    return frozenset(found)


def _moved(place: tuple[str, int] | None, lines: int) -> tuple[str, int] | None:
    return (place[0], place[1] + lines) if place else None


def at_users_lines(text: str) -> str:
    """Return a host file in which all that the compiler has made counts as the user's line in front of it.

    What stands between two ``#line`` is joined to one line, for each line of a text counts one further.
    """
    found: list[str] = []
    number, path, own = 0, "", list[str]()
    quoted = _quoted_lines(text)
    for at, line in enumerate([*text.split("\n"), "#line 1"]):
        if at in quoted and not own:
            found.append(line)
            number += 1
            continue
        said = None if line == OWN else _DIRECTIVE.fullmatch(line)
        if own and line.startswith("#line "):
            found += _joined(own[1:], f"#line {max(number - 1, 1)} {path}")
            own = []
        if said:
            number, path = int(said[1]), said[2] or path
        if (line == OWN and path) or own:
            own.append(line)
        else:
            found.append(line)
            number += 0 if said else 1
    made = "\n".join(found[:-1])
    return made if made.endswith("\n") or not text.endswith("\n") else f"{made}\n"


def _joined(lines: list[str], place: str) -> list[str]:
    """Return lines at one place, those of the preprocessor and those with comments to the line's end by themselves."""
    found: list[str] = []
    previous = ""
    for is_alone, group in groupby(lines, lambda line: line.startswith("#") or "//" in line or line.endswith("\\")):
        texts = list(group)
        for line in texts if is_alone else _in_pieces(texts):
            if line.strip():
                found += [line] if previous.endswith("\\") else [place, line]
                previous = line
    return found


def _in_pieces(lines: list[str]) -> list[str]:
    """Return lines joined to few, each short enough for gcc, which knows no columns in longer ones and so no longer
    what a pragma around some of its text is about. No piece ends in parentheses, which may be those of a macro."""
    found, piece, length, depth = list[str](), list[str](), 0, 0
    for line in map(str.strip, lines):
        if length + len(line) > _LONGEST and depth == 0 and piece:
            found.append(" ".join(piece).strip())
            piece, length = [], 0
        piece.append(line)
        length += len(line) + 1
        code = _LITERALS.sub("", line)
        depth += code.count("(") - code.count(")")
    return [*found, " ".join(piece).strip()]
