"""Expand the macros that hide directives.

In: a user file and the macros of all user files. Out: the same file with every use of a macro that contains
``_Pragma("omp …")`` or ``[[omp::…]]`` replaced by its expansion, on the same line, so that the directive stands in the
text like any other. Other macros stay as they are. Line numbers do not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rexcc.frontend.attributes import OPENING
from rexcc.frontend.scan import FileScan, MacroDefinition
from rexcc.source.text import SourceText

_HIDES_OMP = re.compile(rf"_Pragma\s*\(\s*(\"\s*omp\b|#)|{OPENING}")
_SKIP = (
    r"//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?\*/|^[ \t]*#(?:\\\r?\n|[^\n])*"
    r"|\"(?:\\[\s\S]|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\[\s\S]|[^'\\\n])+'"
)
_BODY_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|\#\#|\#\s*[A-Za-z_]\w*|[A-Za-z_]\w*|\s+|.")


def pragma_macros(scans: Iterable[FileScan]) -> dict[str, MacroDefinition]:
    """Return the macros that, directly or through others, expand to an OpenMP ``_Pragma``; a name's last one counts."""
    every = {m.name: m for scan in scans for m in scan.macros}
    hiding = {name for name, macro in every.items() if _HIDES_OMP.search(macro.body)}
    grown = True
    while grown and hiding:
        names = re.compile(rf"\b(?:{'|'.join(sorted(hiding))})\b")
        more = {name for name, macro in every.items() if name not in hiding and names.search(macro.body)}
        grown = bool(more)
        hiding |= more
    return {name: every[name] for name in every if name in hiding}


def expand(source: SourceText, macros: Mapping[str, MacroDefinition]) -> SourceText:
    """Return the file with all uses of these macros expanded; the same object where there is none."""
    if not macros:
        return source
    names = "|".join(sorted(macros))
    pattern = re.compile(rf"{_SKIP}|\b(?P<name>{names})\b", re.MULTILINE)
    parts: list[str] = []
    at = 0
    for match in pattern.finditer(source.text):
        if match["name"] is None or match.start() < at:
            continue
        use = _expand_use(source.text, match.end(), macros[match["name"]], macros, frozenset())
        if use is None:
            continue
        replacement, end = use
        parts += [source.text[at : match.start()], replacement, "\n" * source.text.count("\n", match.start(), end)]
        at = end
    if not parts:
        return source
    parts.append(source.text[at:])
    return SourceText(source.path, "".join(parts))


def _expand_use(
    text: str, after: int, macro: MacroDefinition, macros: Mapping[str, MacroDefinition], busy: frozenset[str]
) -> tuple[str, int] | None:
    """Return the expansion of a use whose name ends at ``after``, and where the use ends; None if it is not a use."""
    arguments: list[str] = []
    end = after
    if macro.parameters is not None:
        found = _arguments(text, after)
        if found is None:
            return None
        arguments, end = found
    body = _substitute(macro, arguments)
    return _rescan(body, macros, busy | {macro.name}), end


def _arguments(text: str, at: int) -> tuple[list[str], int] | None:
    match = re.compile(r"\s*\(").match(text, at)
    if match is None:
        return None
    arguments, depth, start = [], 1, match.end()
    for token in re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[()\[\]{},]").finditer(text, start):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
        if depth == 0:
            arguments.append(text[start : token.start()])
            return [_one_line(a) for a in arguments], token.end()
        if token[0] == "," and depth == 1:
            arguments.append(text[start : token.start()])
            start = token.end()
    return None


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _bindings(macro: MacroDefinition, arguments: list[str]) -> dict[str, str]:
    names = macro.parameters or ()
    if names and names[-1].endswith("..."):
        fixed = names[:-1]
        rest = ", ".join(arguments[len(fixed) :])
        variadic = names[-1][:-3].strip() or "__VA_ARGS__"
        return {**dict(zip(fixed, arguments, strict=False)), variadic: rest}
    return dict(zip(names, arguments, strict=False))


def _substitute(macro: MacroDefinition, arguments: list[str]) -> str:
    bound = _bindings(macro, arguments)
    parts: list[str] = []
    for token in _BODY_TOKEN.findall(macro.body):
        if token.startswith("#") and token != "##" and token[1:].strip() in bound:
            text = bound[token[1:].strip()].replace("\\", "\\\\").replace('"', '\\"')
            parts.append(f'"{text}"')
        else:
            parts.append(bound.get(token, token))
    return re.sub(r"\s*##\s*", "", _one_line("".join(parts)))


def _rescan(body: str, macros: Mapping[str, MacroDefinition], busy: frozenset[str]) -> str:
    names = [name for name in macros if name not in busy]
    if not names:
        return body
    pattern = re.compile(rf"\"(?:\\.|[^\"\\])*\"|\b(?P<name>{'|'.join(sorted(names))})\b")
    parts: list[str] = []
    at = 0
    for match in pattern.finditer(body):
        if match["name"] is None or match.start() < at:
            continue
        use = _expand_use(body, match.end(), macros[match["name"]], macros, busy)
        if use is not None:
            parts += [body[at : match.start()], use[0]]
            at = use[1]
    return "".join([*parts, body[at:]])
