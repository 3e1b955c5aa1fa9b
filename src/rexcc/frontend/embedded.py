"""``#embed`` lines (C23, 6.10.4), which libclang cannot read and the devices' compilers may not know.

In: files, and how to read others. Out: files in which such a line is the numbers that it stands for, in one line. What
is not found is left to clang, which says so. A name or a number may be a macro that is defined once, for a program in
which it were another one's at such a line defines it twice. Where anything else says them there is an ``#error`` line,
which counts only where the program is compiled. If the host's compiler knows ``__has_embed``, it is answered as well:
libclang, which does not, would take other branches than the host.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence

from rexcc.frontend.files import ReadFile, UserFiles, rewritten
from rexcc.frontend.macros import macro_table
from rexcc.source.compiler_macros import Macros
from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING, SPLICE
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace
from rexcc.source.text import SourceText

_PARENTHESES = r"\((?:[^()\n]|\([^()\n]*\))*\)"
_LINE = regex(
    rf"{RAW_STRING}|^(?P<line>[ \t]*(?:\#|%:)[ \t]*embed\b(?P<rest>(?:{COMMENT}|{SPLICE}|[^\n])*))|{COMMENT}|{LITERAL}"
    rf"|\b__has_embed\b(?P<question>(?:{SPLICE}|[ \t])*\((?P<asked>(?:{SPLICE}|[^()\n]|{_PARENTHESES})*)\))?",
    re.M,
)
_IS_DEFINED = "__FILE__"
"""A macro that all compilers have."""
_ABSENT, _THERE, _EMPTY = "0", "1", "2"
"""What ``__has_embed`` says (C23, 6.10.2)."""
_HIDDEN = regex(rf"(?P<kept>{LITERAL})|{COMMENT}|{SPLICE}")
_FORM = regex(r"\s*(?P<name>\"[^\"\n]+\"|<[^>\n]+>)(?P<parameters>.*)", re.S)
_PARAMETER = regex(r"\s*(?:\w+::)?(?P<name>\w+)\s*\((?P<value>(?:[^()]|\([^()]*\))*)\)")
_NUMBER = regex(r"\s*(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)[uUlLzZ]*\s*")
_WORD = regex(r"\s*(?P<word>[^\W\d]\w*)")
_COUNTS = frozenset({"limit", "offset"})
_TEXTS = frozenset({"prefix", "suffix", "if_empty"})


@dataclass(frozen=True)
class _Embed:
    """What a line asks for: the file's name as written, and its parameters."""

    name: str
    parameters: dict[str, str]


def with_embedded(
    files: UserFiles, folders: Sequence[str], read_file: ReadFile, arguments: Sequence[str] = (), macros: Macros = ()
) -> UserFiles:
    """Return the files with the contents of what they embed; ``folders`` are those of ``--embed-dir``, ``arguments``
    clang's, and ``macros`` those by which the host's compiler tells who it is."""
    knows = _knows_embed(macros)
    sources: dict[str, SourceText] = {}
    found: dict[str, None] = {}
    bodies = macro_table(files.scans.values(), arguments).bodies
    known = {name: m[0].body.strip() for name, m in bodies.items() if len(m) == 1 and m[0].parameters is None}
    for name, scan in files.scans.items():
        lines = _Lines(name, folders, read_file, knows, {**known, "__FILE__": f'"{name}"'}, found)
        text = _LINE.sub(lines.written, scan.source.text)
        if text != scan.source.text:
            sources[name] = SourceText(name, text)
    return replace(rewritten(files, sources), embedded=() if knows else tuple(found)) if sources else files


@dataclass(frozen=True)
class _Lines:
    """The lines of one file, with the folders of others and the macros that are clear; ``found`` gets the files."""

    includer: str
    folders: Sequence[str]
    read_file: ReadFile
    answers: bool
    macros: Mapping[str, str]
    found: dict[str, None]

    def written(self, line: re.Match[str]) -> str:
        """Return what the file has in place of a line, or of another token."""
        if line[0].startswith("__has_embed"):
            return self._answer(line) if self.answers else line[0]
        if line["line"] is None:
            return line[0]
        ends = "\n" * line[0].count("\n")
        embed = _parsed(line["rest"], self.macros)
        if embed is None:
            return f"#error rexcc needs the name and the numbers of this #embed written out, without macros{ends}"
        data = self._contents(embed, is_asked=False)
        return line[0] if data is None else _numbers(data, embed.parameters) + ends

    def _answer(self, line: re.Match[str]) -> str:
        """Return what stands for ``__has_embed``: itself where it asks by a macro, or is defined by the program."""
        if line["question"] is None:
            return _IS_DEFINED
        embed = _parsed(line["asked"], self.macros)
        if embed is None:
            return line[0]
        data = self._contents(embed)
        number = _ABSENT if data is None else _THERE if data else _EMPTY
        return number + "\\\n" * line[0].count("\n")

    def _contents(self, embed: _Embed, is_asked: bool = True) -> bytes | None:
        """Return the bytes of a file that is embedded, as far as the line wants them; None for one not found."""
        own = [posixpath.dirname(self.includer)] if embed.name.startswith('"') else []
        paths = (posixpath.join(folder, embed.name[1:-1]) for folder in (*own, *self.folders))
        path, data = next(((path, d) for path in paths if (d := self.read_file(path)) is not None), ("", None))
        if data is None:
            return None
        if not is_asked:
            self.found[path] = None
        start = _value(embed.parameters.get("offset", "0"))
        length = _value(embed.parameters["limit"]) if "limit" in embed.parameters else len(data)
        return data[start : start + length]


def _knows_embed(macros: Macros) -> bool:
    """Whether a compiler with such macros has ``__has_embed``."""
    values = dict(macros)
    name, first = ("__clang_major__", 19) if "__clang__" in values else ("__GNUC__", 15)
    version = values.get(name, "")
    return version.isdigit() and int(version) >= first


def _parsed(rest: str, macros: Mapping[str, str]) -> _Embed | None:
    """Return what a line asks for, None where an expression says it, or a macro that is not clear."""
    form = _FORM.fullmatch(_without_macro(_HIDDEN.sub(lambda m: m["kept"] or " ", rest), macros))
    if form is None:
        return None
    parameters: dict[str, str] = {}
    at, text = 0, form["parameters"].rstrip()
    while at < len(text):
        found = _PARAMETER.match(text, at)
        name = found["name"].strip("_") if found is not None else ""
        if found is None or name not in _COUNTS | _TEXTS:
            return None
        value = _without_macro(found["value"], macros) if name in _COUNTS else found["value"]
        if name in _COUNTS and _NUMBER.fullmatch(value) is None:
            return None
        parameters[name] = value.strip()
        at = found.end()
    return _Embed(form["name"], parameters)


def _without_macro(text: str, macros: Mapping[str, str]) -> str:
    """Return a text that begins with the body of a macro in place of its name."""
    found = _WORD.match(text)
    return text if found is None else macros.get(found["word"], found["word"]) + text[found.end() :]


def _value(number: str) -> int:
    digits = number.strip().lower().rstrip("ulz")
    return int(digits, 8 if digits.isdigit() and digits.startswith("0") else 0)


def _numbers(data: bytes, parameters: dict[str, str]) -> str:
    """Return what the program has in place of the line."""
    if not data:
        return parameters.get("if_empty", "")
    return f"{parameters.get('prefix', '')}{','.join(map(str, data))}{parameters.get('suffix', '')}"
