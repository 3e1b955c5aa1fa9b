"""Where macros are used, and what has to be asked about each use.

In: a scanned file and the table of macros. Out: :class:`Question` records, one for each use outside of directives that
may change the structure of the text and one for each directive that names a macro which may be more than a value. A
question has the texts that the preprocessor shall expand, because the text alone does not say whether a name is a macro
there, and with arguments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from rexcc.frontend.macros import OF_LIBRARY, WORD, MacroTable
from rexcc.frontend.scan import REST_OF_LINE, FileScan, PragmaSite
from rexcc.openmp.directives import LEAVES
from rexcc.openmp.tables import CLAUSE_ROWS
from rexcc.source.lexical import BLANK, COMMENT, LITERAL, RAW_STRING, SPLICE
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_SKIP = rf"{COMMENT}|{RAW_STRING}|^[ \t]*(?:\#|%:){REST_OF_LINE}|{LITERAL}"
_TEXT = regex(rf"{_SKIP}|(?P<word>{WORD.pattern})|\d(?:[eEpP][+-]|[\w.])*", re.MULTILINE)
_PARENTHESES = regex(rf"{_SKIP}|[()]", re.MULTILINE)
_OPENING = regex(rf"{BLANK}\(")
_LITERAL_OPERATOR = regex(r"_Pragma\s*\(\s*(?:L|u8|u|U)?\"(?:\\[\s\S]|[^\"\\])*\"\s*\)")
_DIRECTIVE_TOKEN = regex(rf"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|(?P<word>{WORD.pattern})|\d(?:[eEpP][+-]|[\w.])*|\S")
_SPLICE = regex(rf"(?P<raw>{RAW_STRING})|{SPLICE}")
_BETWEEN = regex(rf"(?P<literal>{RAW_STRING}|{LITERAL})|(?:{COMMENT}|\s)+")

Wanted = Collection[tuple[str, int]]
"""Uses that shall be expanded whatever they expand to: the file and an offset in each, -1 for all of a file."""


@dataclass(frozen=True)
class Use:
    """What may be the use of a macro: its name's range and the end of its arguments, that of the name without any.

    ``first`` is the index of the question's text that is the name alone; with arguments, that with them comes next.
    """

    name: str
    start: int
    name_end: int
    end: int
    first: int
    depth: int = 0

    @property
    def has_arguments(self) -> bool:
        """Whether something in parentheses follows."""
        return self.end > self.name_end


@dataclass(frozen=True)
class Question:
    """A range of a file and the texts that the preprocessor shall expand there; ``site`` is the directive it is."""

    start: int
    end: int
    texts: tuple[str, ...]
    uses: tuple[Use, ...]
    site: PragmaSite | None = None
    forced: bool = False


def questions(scan: FileScan, table: MacroTable, wanted: Wanted) -> list[Question]:
    """Return what is to be asked about a file, in order."""
    path = scan.source.path
    offsets = {offset for name, offset in wanted if name == path}
    found = [q for site in scan.pragmas if (q := _about_directive(site, table, -1 in offsets)) is not None]
    found += _about_text(scan, table, offsets)
    return sorted(found, key=lambda q: q.start)


def _about_text(scan: FileScan, table: MacroTable, wanted: Collection[int]) -> Iterator[Question]:
    text = scan.source.text
    operators = [(site.start, site.end) for site in scan.pragmas]
    bodies, counted, known_to = table.bodies, table.counted, 0
    for match in _TEXT.finditer(text):
        name = match["word"]
        if name is None or not (wanted or name in bodies or name in counted or name == "_Pragma"):
            continue
        start, at = match.span()
        while operators and operators[0][1] <= start:
            operators.pop(0)
        if start < known_to or (operators and operators[0][0] <= start):
            continue
        end = _end_of_arguments(text, at)
        forced = -1 in wanted or any(start <= offset < (end or at) for offset in wanted)
        question = _about_use(text, start, at, end, table, forced, start in wanted)
        if question is not None:
            known_to = question.end
            yield question


def _about_use(
    text: str, start: int, name_end: int, end: int | None, table: MacroTable, forced: bool, is_named: bool
) -> Question | None:
    """Ask about a name and what follows it in parentheses; ``is_named`` says that a stage has found a macro there,
    which is one of the system's headers where the user's have none of that name."""
    name = text[start:name_end]
    if name == "_Pragma":
        return _about_operator(text, start, end)
    is_of_library = is_named or (forced and name in OF_LIBRARY)
    if name not in table.bodies and name not in table.counted and not is_of_library:
        return None
    stop = end if end is not None and (name in table.callable or is_of_library) else name_end
    arguments = text[name_end:stop]
    words = WORD.findall(arguments)
    in_arguments = "_Pragma" in arguments or any(w in table.structural for w in words)
    forced = forced or name in table.counted or any(w in table.counted for w in words)
    if not (forced or name in table.structural or in_arguments):
        return None
    texts = (name, one_line(text[start:stop])) if stop > name_end else (name,)
    return Question(start, stop, texts, (Use(name, start, name_end, stop, 0),), forced=forced)


def _about_operator(text: str, start: int, end: int | None) -> Question | None:
    """Ask about a ``_Pragma`` whose string a macro makes."""
    if end is None or _LITERAL_OPERATOR.match(text, start):
        return None
    return Question(start, end, ("_Pragma", one_line(text[start:end])), (Use("_Pragma", start, start + 7, end, 0),))


def _end_of_arguments(text: str, after: int) -> int | None:
    """Return the end of what stands in parentheses behind an offset; None where nothing does."""
    match = _OPENING.match(text, after)
    if match is None:
        return None
    depth = 1
    for token in _PARENTHESES.finditer(text, match.end()):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return None


def one_line(text: str) -> str:
    """Return a part of the text without comments and line ends, as the preprocessor joins lines: also inside of
    literals, whose blanks stay. A raw string that has line ends becomes a usual one."""
    joined = _SPLICE.sub(lambda m: _without_line_ends(m) if m["raw"] else "", text)
    return _BETWEEN.sub(lambda m: m["literal"] or " ", joined).strip()


def _without_line_ends(raw: re.Match[str]) -> str:
    if "\n" not in raw[0]:
        return raw[0]
    prefix, delimited = raw[0].split('R"', 1)
    opened, closing = delimited.index("(") + 1, len(raw["delimiter"]) + 2
    escaped = delimited[opened:-closing].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{prefix}"{escaped}"'


@cache
def _words() -> frozenset[str]:
    """Return the words that stand outside of parentheses in a directive."""
    names = ["begin", "end", *CLAUSE_ROWS]
    for row in LEAVES:
        names += [row.name, row.end or "", *row.synonyms]
    return frozenset(word for name in names for word in name.split())


def _about_directive(site: PragmaSite, table: MacroTable, forced: bool) -> Question | None:
    text = site.text.text
    texts, uses, depth = [text], [], 0
    if any(word in table.counted for word in WORD.findall(text)):  # which counts whenever it is asked for
        return Question(site.start, site.end, (text,), (), site, forced=True)
    for match in _DIRECTIVE_TOKEN.finditer(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(match[0], 0)
        name = match["word"]
        if name is None or not (name in table.bodies or (depth == 0 and name not in _words())):
            continue
        end = _end_of_arguments(text, match.end())
        uses.append(Use(name, match.start(), match.end(), end or match.end(), len(texts), depth))
        texts += [name] if end is None else [name, text[match.start() : end]]
    if not uses or (not forced and all(_stays(use, table) for use in uses)):
        return None
    return Question(site.start, site.end, tuple(texts), tuple(uses), site, forced)


def _stays(use: Use, table: MacroTable) -> bool:
    """Whether a use in a directive is left as it is whatever the preprocessor says: it is a value, or no use at all."""
    if use.depth == 0:
        return False
    return use.name in table.values or (use.name in table.only_calls and not use.has_arguments)
