"""Expand the macros that hide directives.

In: a user file and the macros of all user files. Out: the same file with every use of a macro that contains
``_Pragma("omp …")`` or ``[[omp::…]]`` replaced by its expansion, on the same line, so that the directive stands in the
text like any other; so is ``_Pragma(STRING(omp …))``, whose string another macro makes. Other macros stay as they are.
Line numbers do not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rexcc.frontend.attributes import OPENING
from rexcc.frontend.scan import FileScan, MacroDefinition
from rexcc.source.records import dataclass
from rexcc.source.text import Expansion, SourceText, Span

_HIDES_OMP = re.compile(rf"_Pragma\s*\(\s*(\"\s*omp\b|#)|{OPENING}")
_SKIP = (
    r"//(?:\\\r?\n|[^\n])*|/\*[\s\S]*?\*/|^[ \t]*#(?:\\\r?\n|[^\n])*"
    r"|\"(?:\\[\s\S]|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\[\s\S]|[^'\\\n])+'"
)
_BODY_TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|\#\#|\#\s*[A-Za-z_]\w*|[A-Za-z_]\w*|\s+|.")


@dataclass(frozen=True)
class PragmaMacros:
    """``hiding``: the macros that, directly or through others, expand to an OpenMP ``_Pragma``; ``places``: where they
    are defined; ``quoting``: the names of those that make a string of their argument."""

    hiding: Mapping[str, MacroDefinition]
    places: Mapping[str, Span]
    quoting: frozenset[str]

    @property
    def quoted(self) -> str:
        """A pattern of the beginning of a ``_Pragma`` whose string a macro makes; it matches nothing without one."""
        return rf"_Pragma\s*\(\s*(?:{'|'.join(sorted(self.quoting))})\s*(?=\()" if self.quoting else "(?!)"

    def definitions(self, name: str | None) -> tuple[Span, ...]:
        """Return where macros that hide directives are defined, that of this name first."""
        return tuple(self.places[n] for n in sorted(self.places, key=lambda other: other != name))


def pragma_macros(scans: Iterable[FileScan]) -> PragmaMacros:
    """Return the macros to expand; of several definitions of a name the last one counts."""
    defined = [(m, scan.source.span(m.start, m.end)) for scan in scans for m in scan.macros]
    every = {m.name: m for m, _ in defined}
    found = PragmaMacros({}, {}, _quoting(every))
    hides = re.compile(rf"{_HIDES_OMP.pattern}|{found.quoted}")
    hiding = {name for name, macro in every.items() if hides.search(macro.body)}
    grown = True
    while grown and hiding:
        names = re.compile(rf"\b(?:{'|'.join(sorted(hiding))})\b")
        more = {name for name, macro in every.items() if name not in hiding and names.search(macro.body)}
        grown = bool(more)
        hiding |= more
    places = {m.name: place for m, place in defined if m.name in hiding}
    return PragmaMacros({name: every[name] for name in every if name in hiding}, places, found.quoting)


def _quoting(every: Mapping[str, MacroDefinition]) -> frozenset[str]:
    """Return the macros of one parameter that expand to a string of it."""
    found: set[str] = set()
    grown = True
    while grown:
        more = {name for name, macro in every.items() if name not in found and _is_quoting(macro, found)}
        grown = bool(more)
        found |= more
    return frozenset(found)


def _is_quoting(macro: MacroDefinition, known: set[str]) -> bool:
    if macro.parameters is None or len(macro.parameters) != 1:
        return False
    parameter = macro.parameters[0]
    name = re.escape((parameter[:-3].strip() or "__VA_ARGS__") if parameter.endswith("...") else parameter)
    body = re.fullmatch(rf"\s*(?:#\s*{name}|(\w+)\s*\(\s*{name}\s*\))\s*", macro.body)
    return body is not None and (body[1] is None or body[1] in known)


def expand(source: SourceText, macros: PragmaMacros) -> SourceText:
    """Return the file with all uses of these macros expanded; the same object where there is none."""
    if not macros.hiding and not macros.quoting:
        return source
    names = "|".join(sorted(macros.hiding)) or "(?!)"
    pattern = re.compile(rf"{_SKIP}|\b(?P<name>{names})\b|\b(?P<quoted>{macros.quoted})", re.MULTILINE)
    parts: list[str] = []
    found: list[Expansion] = []
    at = length = 0
    for match in pattern.finditer(source.text):
        if (match["name"] is None and match["quoted"] is None) or match.start() < at:
            continue
        if match["quoted"] is not None:
            use = _quoted_use(source.text, match.end())
        else:
            use = _expand_use(source.text, match.end(), macros.hiding[match["name"]], macros, frozenset())
        if use is None:
            continue
        replacement, end = use
        added = [source.text[at : match.start()], replacement, "\n" * source.text.count("\n", match.start(), end)]
        start = length + len(added[0])
        length += sum(map(len, added))
        found.append(Expansion(start, length, source.span(match.start(), end), macros.definitions(match["name"])))
        parts += added
        at = end
    if not parts:
        return source
    parts.append(source.text[at:])
    return SourceText(source.path, "".join(parts), expansions=tuple(found))


def _quoted_use(text: str, after: int) -> tuple[str, int] | None:
    """Return the ``_Pragma`` with the string that a macro makes of what stands in parentheses, and where it ends."""
    found = _arguments(text, after)
    if found is None:
        return None
    closing = re.compile(r"\s*\)").match(text, found[1])
    directive = ", ".join(found[0])
    if closing is None or not directive.startswith("omp"):
        return None
    return f"_Pragma({_quoted(directive)})", closing.end()


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _expand_use(
    text: str, after: int, macro: MacroDefinition, macros: PragmaMacros, busy: frozenset[str]
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
    return re.sub(r"(?:\s|\\\r?\n)+", " ", text).strip()


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
            parts.append(_quoted(bound[token[1:].strip()]))
        else:
            parts.append(bound.get(token, token))
    return re.sub(r"\s*##\s*", "", _one_line("".join(parts)))


def _rescan(body: str, macros: PragmaMacros, busy: frozenset[str]) -> str:
    names = "|".join(sorted(name for name in macros.hiding if name not in busy)) or "(?!)"
    pattern = re.compile(rf"\"(?:\\.|[^\"\\])*\"|\b(?P<name>{names})\b|\b(?P<quoted>{macros.quoted})")
    parts: list[str] = []
    at = 0
    for match in pattern.finditer(body):
        if (match["name"] is None and match["quoted"] is None) or match.start() < at:
            continue
        if match["quoted"] is not None:
            use = _quoted_use(body, match.end())
        else:
            use = _expand_use(body, match.end(), macros.hiding[match["name"]], macros, busy)
        if use is not None:
            parts += [body[at : match.start()], use[0]]
            at = use[1]
    return "".join([*parts, body[at:]])
