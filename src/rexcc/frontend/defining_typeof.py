"""Types that C defines inside of ``typeof``, which C++ does not allow.

In: files of C. Out: files of the same length and lines without the word and its parentheses:
``__typeof__(struct s { int a; }) x`` is ``struct s { int a; } x``.
"""

from __future__ import annotations

from rexcc.frontend.files import UserFiles, rewritten
from rexcc.source.lexical import COMMENT, LITERAL
from rexcc.source.patterns import regex
from rexcc.source.text import SourceText

_TYPEOF = r"\b(?:__typeof__|__typeof|typeof|typeof_unqual)\s*\("
_DEFINING = regex(rf"(?:{_TYPEOF})(?:\s|\b(?:const|volatile)\b)*(?:struct|union|enum)\b[^(){{}};,]*\{{")
_TOKEN = regex(rf"{COMMENT}|{LITERAL}|(?P<opening>{_TYPEOF})|[(){{}}]")
_BEHIND = regex(r"\}\s*(?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)\s*)*\)")


def without_defining_typeof(files: UserFiles, language: str) -> UserFiles:
    """Return the files in which no ``typeof`` defines a type, pointers to such types aside."""
    if language != "c":
        return files
    sources: dict[str, SourceText] = {}
    for name, scan in files.scans.items():
        text = _without(scan.source.text) if _DEFINING.search(scan.source.text) else scan.source.text
        if text != scan.source.text:
            sources[name] = SourceText(name, text)
    return rewritten(files, sources) if sources else files


def _without(text: str) -> str:
    kept = list(text)
    for token in _TOKEN.finditer(text):
        if token["opening"] is None or _DEFINING.match(text, token.start()) is None:
            continue
        brace = text.index("{", token.end())
        close = _closing(text, brace)
        behind = _BEHIND.match(text, close - 1)
        if behind is not None:
            _blank(kept, *token.span())
            _blank(kept, behind.end() - 1, behind.end())
    return "".join(kept)


def _closing(text: str, brace: int) -> int:
    """Return where a brace's block ends."""
    depth = 0
    for token in _TOKEN.finditer(text, brace):
        depth += (token[0] == "{") - (token[0] == "}")
        if depth == 0 and token[0] == "}":
            return token.end()
    return len(text)


def _blank(characters: list[str], start: int, end: int) -> None:
    characters[start:end] = [c if c == "\n" else " " for c in characters[start:end]]
