"""Tokens that strict older standards read otherwise: trigraphs, and ``//`` in C89, which begins no comment.

In: files and clang's arguments. Out: files of the same length and lines that mean the same in any standard: ``""#`` for
``??=`` in a string, blanks for the comment of ``8 //* half */ 2``. Generated device code is of a later standard.
"""

from __future__ import annotations

import re

from rexcc.frontend.files import UserFiles, rewritten
from rexcc.source.lexical import BLOCK_COMMENT, LITERAL, RAW_STRING
from rexcc.source.patterns import regex
from rexcc.source.text import SourceText

_MEANT = dict(zip("=/'()!<>-", "#\\^[]|{}~", strict=True))
_TRIGRAPH = regex(r"\?\?([=/'()!<>-])")
_LITERALS = r"\"(?:\?\?/[\s\S]|\\[\s\S]|[^\"\\\n])*?\"|(?<![\w])'(?:\?\?(?:/[\s\S]|[='()!<>-])|\\[\s\S]|[^'\\\n])+?'"
_LINE_COMMENT = r"//(?:(?:\?\?/|\\)[ \t]*\r?\n|[^\n])*"
_SPLICE = regex(r"\?\?/(?=[ \t]*\r?\n)")
_TRIGRAPHS = regex(
    rf"{BLOCK_COMMENT}|(?P<comment>{_LINE_COMMENT})|{RAW_STRING}|(?P<literal>{_LITERALS})|(?P<run>(?:\?\?[=/'()!<>-])+)"
)
_DIVIDED = regex(rf"{BLOCK_COMMENT}|{LITERAL}|/(?P<comment>{BLOCK_COMMENT})")
_STANDARD = regex(r"--?std=(?P<name>\S+)")
_OF_C89 = frozenset({"c89", "c90", "iso9899:1990", "iso9899:199409"})
_WITH_TRIGRAPHS = _OF_C89 | {
    "c99", "c9x", "iso9899:1999", "c11", "c1x", "iso9899:2011", "c17", "c18", "iso9899:2017", "iso9899:2018",
    "c++98", "c++03", "c++11", "c++0x", "c++14", "c++1y",
}  # fmt: skip


def with_later_tokens(files: UserFiles, language: str, arguments: tuple[str, ...]) -> UserFiles:
    """Return the files in the tokens of later standards."""
    standard = _standard(language, arguments)
    has_trigraphs = standard in _WITH_TRIGRAPHS
    for word in arguments:
        if word in ("-trigraphs", "-ftrigraphs", "-fno-trigraphs"):
            has_trigraphs = word != "-fno-trigraphs"
    sources: dict[str, SourceText] = {}
    for name, scan in files.scans.items():
        text = scan.source.text
        if has_trigraphs and _TRIGRAPH.search(text):
            text = _TRIGRAPHS.sub(_without_trigraphs, text)
        if language == "c" and standard in _OF_C89 and "//*" in text:
            text = _DIVIDED.sub(_without_comment, text)
        if text != scan.source.text:
            sources[name] = SourceText(name, text)
    return rewritten(files, sources) if sources else files


def _standard(language: str, arguments: tuple[str, ...]) -> str:
    named = ""
    for word in arguments:
        found = _STANDARD.fullmatch(word)
        if found is not None or word in ("-ansi", "--ansi"):
            named = found["name"] if found is not None else "c89" if language == "c" else "c++98"
    return named


def _without_trigraphs(match: re.Match[str]) -> str:
    text = match[0]
    if match["run"]:
        return _characters(text).rjust(len(text)) if text.endswith("??/") else _characters(text).ljust(len(text))
    if match["comment"]:
        return _SPLICE.sub("  \\\\", text)  # it goes on in the next line
    if match["literal"] is None:
        return text
    if text.startswith("'"):
        return _characters(text).ljust(len(text))
    return _TRIGRAPH.sub(lambda found: f'""{_MEANT[found[1]]}', text)


def _characters(text: str) -> str:
    return _TRIGRAPH.sub(lambda found: _MEANT[found[1]], text)


def _without_comment(match: re.Match[str]) -> str:
    comment = match["comment"]
    return match[0] if comment is None else "/" + re.sub(r"[^\n]", " ", comment)
