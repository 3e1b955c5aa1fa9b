"""Find directives in a file's text, before any parsing.

In: the text of a user file. Out: its pragma sites (``#pragma omp``, ``_Pragma`` and attributes), its ``#include`` lines
and its macros. Comments, strings and raw strings are skipped; nothing is preprocessed, so a site in an inactive ``#if``
branch is found too and dropped later, when clang does not parse it. What knows attributes is loaded where one may be.
"""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left
from functools import cached_property

from rexcc.frontend.forgotten_pragmas import forgotten
from rexcc.openmp.model import PragmaText
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink
from rexcc.source.lexical import BLOCK_COMMENT, CHARACTER, COMMENT, LINE_COMMENT, RAW_STRING, SPLICE, STRING
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import SourceText, Span

OPENING = r"\[\[(?=\s*(?:using\s+omp\s*:(?!:)|(?:[A-Za-z_][\w:]*\s*(?:\([^()]*\)\s*)?,\s*)*omp\s*::))"
"""A pattern of the brackets that open an attribute of OpenMP."""
REST_OF_LINE = rf"(?:{SPLICE}|{BLOCK_COMMENT}|{LINE_COMMENT}|{STRING}|[^\n\\/]|/(?![/*])|\\(?![ \t]*\r?\n))*"

_BEGINS = r"(?=[/\"'\[_LuUR]|^[ \t]*(?:\#|%:))"
"""What each alternative of the tokens begins with, so that most characters of a text are passed at one look."""
_TOKEN = regex(
    rf"{_BEGINS}(?:(?P<comment>{COMMENT})|(?P<raw>{RAW_STRING})"
    rf"|(?P<directive>^[ \t]*(?:\#|%:)[ \t]*(?P<keyword>pragma|include(?:_next)?|import|define|undef)\b{REST_OF_LINE})"
    rf"|(?P<string>{STRING})"
    rf"|(?P<attribute>{OPENING})"
    rf"|(?P<char>{CHARACTER})"
    r"|(?P<operator>\b_Pragma[ \t]*\([ \t]*(?:L|u8|u|U)?\"(?P<inner>(?:\\[\s\S]|[^\"\\\n])*)\"[ \t]*\)))",
    re.MULTILINE,
)
_NO_CODE = regex(
    rf"(?P<comment>{COMMENT})|^[ \t]*(?:\#|%:){REST_OF_LINE}|{RAW_STRING}|{STRING}|{CHARACTER}", re.MULTILINE
)
_BLANKED = regex(rf"{STRING}|({COMMENT}|{SPLICE}|\r)")
_PRAGMA_OMP = regex(r"[ \t]*(?:#|%:)[ \t]*pragma[ \t]+omp\b")
_PRAGMA = regex(r"[ \t]*(?:#|%:)[ \t]*pragma\b[ \t]*")
_INCLUDE = regex(r"[ \t]*(?:#|%:)[ \t]*(?P<word>include(?:_next)?|import)[ \t]*(?P<name>\"[^\"\n]+\"|<[^>\n]+>)")
_BLANK = rf"(?:[ \t]|{SPLICE}|{BLOCK_COMMENT})"
_INCLUDING = ("include", "include_next", "import")
_UNDEF = regex(rf"{_BLANK}*(?:#|%:){_BLANK}*undef{_BLANK}+([^\W\d]\w*)")
_STACKED = regex(r"\s*(push|pop)_macro\s*\(\s*\"([^\W\d]\w*)\"\s*\)")
_DEFINE = regex(r"[ \t]*(?:#|%:)[ \t]*define[ \t]+(?P<name>[^\W\d]\w*)(?P<parameters>\([^)]*\))?(?P<body>[\s\S]*)")


@dataclass(frozen=True)
class Resolved:
    """What the host compiler shall read where a directive was resolved; ``in_region``: in a target region's text."""

    host: PragmaText
    in_region: bool


@dataclass(frozen=True)
class PragmaSite:
    """A directive in a file: the range it occupies (line end excluded) and its text after ``omp``.

    One that ``is_attribute`` must not stay as it is: the range is a part of ``[[…]]``.
    Where another directive has taken its place ``resolved`` is there, and ``text`` is that other one's.
    """

    source: SourceText
    start: int
    end: int
    text: PragmaText
    is_attribute: bool = False
    resolved: Resolved | None = None

    @property
    def original(self) -> str:
        """The directive as the user wrote it, from ``#`` on."""
        return self.source.text[self.start : self.end]


@dataclass(frozen=True)
class IncludeLine:
    """An ``#include`` line: its range, the name with its quotes or angle brackets, and its word, which may be
    ``include_next`` or ``import`` too."""

    start: int
    end: int
    name: str
    word: str = "include"


@dataclass(frozen=True)
class MacroDefinition:
    """A macro as written: name, parameters (None for an object-like one), body, and the range of the directive."""

    name: str
    parameters: tuple[str, ...] | None
    body: str
    start: int
    end: int


@dataclass(frozen=True)
class MacroChange:
    """A directive that changes what a name means: ``kind`` is ``define``, ``undef``, ``push`` or ``pop``."""

    kind: str
    name: str
    start: int
    end: int


@dataclass(frozen=True)
class HostWord:
    """A range of the text for which the host compiler shall read something else."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class FileScan:
    """What a file's text holds for us; ``computed`` are the includes whose files the preprocessor has to name."""

    source: SourceText
    pragmas: tuple[PragmaSite, ...]
    includes: tuple[IncludeLine, ...]
    macros: tuple[MacroDefinition, ...]
    problems: tuple[Diagnostic, ...] = ()
    host_words: tuple[HostWord, ...] = ()
    changes: tuple[MacroChange, ...] = ()
    computed: tuple[IncludeLine, ...] = ()

    @cached_property
    def _in_order(self) -> list[PragmaSite]:
        return sorted(self.pragmas, key=_start)

    @cached_property
    def code(self) -> str:
        """The text with blanks for its comments, but for those in lines of the preprocessor."""
        return _NO_CODE.sub(lambda m: " " * len(m[0]) if m["comment"] else m[0], self.source.text)

    def pragmas_in(self, start: int, end: int) -> list[PragmaSite]:
        """Return the directives that start in a range of the text."""
        ordered = self._in_order
        return ordered[bisect_left(ordered, start, key=_start) : bisect_left(ordered, end, key=_start)]


def _start(site: PragmaSite) -> int:
    return site.start


def scan(source: SourceText) -> FileScan:
    """Scan one file."""
    pragmas: list[PragmaSite] = []
    includes: list[IncludeLine] = []
    computed: list[IncludeLine] = []
    macros: list[MacroDefinition] = []
    changes: list[MacroChange] = []
    problems = DiagnosticSink()
    for match in _TOKEN.finditer(source.text):
        if match["operator"] is not None:
            _add_operator(source, match, pragmas)
            _add_stacked(re.sub(r"\\([\\\"])", r"\1", match["inner"]), match, changes)
        elif match["attribute"] is not None:
            _add_attribute(source, match, pragmas, problems)
        elif match["keyword"] == "pragma":
            _add_pragma(source, match, pragmas, problems)
            _add_stacked(_PRAGMA.sub("", match["directive"], count=1), match, changes)
        elif match["keyword"] in _INCLUDING:
            _add_include(match, includes, computed)
        elif match["keyword"] == "define":
            _add_macro(match, macros)
            changes += [MacroChange("define", m.name, m.start, m.end) for m in macros[-1:] if m.end == match.end()]
        elif match["keyword"] == "undef" and (name := _UNDEF.match(match["directive"])) is not None:
            changes.append(MacroChange("undef", name[1], _hash_offset(match), match.end()))
    return FileScan(
        source,
        tuple(pragmas),
        tuple(includes),
        tuple(macros),
        tuple(problems.found),
        changes=tuple(changes),
        computed=tuple(computed),
    )


def blanked(text: str) -> str:
    """Return directive text with comments and line continuations replaced by as many blanks."""
    return _BLANKED.sub(lambda m: " " * len(m[0]) if m[1] else m[0], text)


def _hash_offset(match: re.Match[str]) -> int:
    text = match["directive"]
    return match.start() + len(text) - len(text.lstrip(" \t"))


def _add_pragma(source: SourceText, match: re.Match[str], found: list[PragmaSite], problems: DiagnosticSink) -> None:
    text = match["directive"]
    head = _PRAGMA_OMP.match(text)
    if head is None:
        warning = forgotten(source, text, match.start())
        if warning is not None:
            problems.add(warning)
        return
    end = match.start() + len(text.rstrip())
    body = match.start() + head.end()
    origin = Span(source, body, end)
    found.append(PragmaSite(source, _hash_offset(match), end, PragmaText(blanked(source.text[body:end]), origin)))


def _add_operator(source: SourceText, match: re.Match[str], found: list[PragmaSite]) -> None:
    text = re.sub(r"\\([\\\"])", r"\1", match["inner"])
    head = re.match(r"\s*omp\b", text)
    if head is None:
        return
    is_exact = "\\" not in match["inner"]
    origin = Span(source, match.start(), match.end())
    if is_exact:
        origin = Span(source, match.start("inner") + head.end(), match.end("inner"))
    pragma = PragmaText(text[head.end() :], origin, is_exact)
    found.append(PragmaSite(source, match.start(), match.end(), pragma))


def _add_attribute(source: SourceText, match: re.Match[str], found: list[PragmaSite], problems: DiagnosticSink) -> None:
    if found and found[-1].end > match.start():
        return
    attributes = importlib.import_module("rexcc.frontend.attributes")
    for piece in attributes.read_attribute(source, match.start(), problems):
        origin = Span(source, piece.text_start, piece.text_end)
        text = PragmaText(blanked(origin.text), origin)
        found.append(PragmaSite(source, piece.start, piece.end, text, is_attribute=True))


def _add_include(match: re.Match[str], found: list[IncludeLine], computed: list[IncludeLine]) -> None:
    line = _INCLUDE.match(match["directive"])
    if line is not None:
        found.append(IncludeLine(_hash_offset(match), match.start() + line.end(), line["name"], line["word"]))
    elif match["keyword"] == "include" and match["directive"].split("include", 1)[1].strip():
        computed.append(IncludeLine(_hash_offset(match), match.end(), ""))


def _add_stacked(text: str, match: re.Match[str], found: list[MacroChange]) -> None:
    """Remember a ``push_macro`` or ``pop_macro``."""
    stacked = _STACKED.match(text)
    if stacked is not None:
        start = match.start() if match["directive"] is None else _hash_offset(match)
        found.append(MacroChange(stacked[1], stacked[2], start, match.end()))


def _add_macro(match: re.Match[str], found: list[MacroDefinition]) -> None:
    line = _DEFINE.match(match["directive"])
    if line is None:
        return
    names = None
    if line["parameters"] is not None:
        names = tuple(p.strip() for p in line["parameters"][1:-1].split(",") if p.strip())
    body = blanked(line["body"]).strip()
    found.append(MacroDefinition(line["name"], names, body, _hash_offset(match), match.end()))
