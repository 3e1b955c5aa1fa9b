"""Which uses of macros are replaced by their expansions, and by which text.

In: questions and what the preprocessor answered. Out: replacements of ranges of a file. A use in a directive is
replaced where the directive's form depends on it; others only where they hold directives, statements or a part of one,
so that the stages behind find braces, loops and directives in the text, or templates, whose text device code may need.
The rest stays the user's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rexcc.frontend.macro_uses import Question, Use
from rexcc.frontend.macros import MacroTable, is_balanced
from rexcc.frontend.scan import OPENING, PragmaSite
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import SourceText

_TOKEN = regex(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[\w$]+|\S")
_LITERAL = regex(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'")
_HIDES = regex(rf"_Pragma\s*\(\s*(?:L|u8|u|U)?\"\s*omp\b|{OPENING}")
_MAIN = regex(r"\bmain\s*\(")
_LOOP = regex(r"\bfor\b")
_TEMPLATE = regex(r"template\s*<[^;]*\{")
_VALUE = regex(r"[\w$(*&!~.\"'+-](?:[\s\S]*[\w$)\].\"'])?")

Answers = Mapping[tuple[int, int], str]


@dataclass(frozen=True)
class Replaced:
    """A range of a file, the text that stands for it, and the macro whose use it is."""

    start: int
    end: int
    text: str
    name: str


def replacements(
    source: SourceText, index: int, question: Question, answers: Answers, table: MacroTable, is_behind: bool
) -> list[Replaced]:
    """Return what shall stand instead of a question's range, or parts of it; ``is_behind`` says that it stands where
    the statement of a directive does."""
    given = [answers.get((index, part)) for part in range(len(question.texts))]
    if any(text is None for text in given):
        return []  # inactive
    found = [text or "" for text in given]
    if question.site is not None:
        return _in_directive(question, question.site, found, source)
    use = question.uses[0]
    taken = _meaning(use, found)
    if taken is None:
        return []
    end, text = taken
    if not (question.forced or _is_structural(text, is_behind)) or _expands_again(text, table):
        return []
    return [Replaced(use.start, end, _apart(source.text, use.start, end, text), use.name)]


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _meaning(use: Use, answers: list[str]) -> tuple[int, str] | None:
    """Return where a use ends and what it expands to; None where the name is no macro."""
    alone = answers[use.first]
    tokens = _tokens(alone)
    if use.has_arguments:
        whole = answers[use.first + 1]
        if _tokens(whole)[: len(tokens) + 1] != [*tokens, "("]:
            return use.end, whole
    return (use.name_end, alone) if tokens != [use.name] else None


def _is_structural(text: str, is_behind: bool) -> bool:
    """Whether an expansion holds a directive, parts of statements, definitions of templates, or, behind a directive,
    its statement."""
    bare = _LITERAL.sub("0", text).strip()
    if _HIDES.search(text) or not is_balanced(bare) or _MAIN.search(bare):
        return True
    if _TEMPLATE.match(bare):  # of which device code may need some, with qualifiers behind the parameters
        return True
    if is_behind and (";" in bare or "{" in bare or _LOOP.search(bare)):
        return True
    return is_partial(bare)


def is_hiding(text: str) -> bool:
    """Whether an expansion ends with a directive, whose statement comes behind it."""
    return re.search(r"_Pragma\s*\(\s*(?:L|u8|u|U)?\"\s*omp\b(?:[^\"\\]|\\.)*\"\s*\)\s*$", text) is not None


def is_partial(text: str) -> bool:
    """Whether an expansion is the head of a loop or a part of it, which the next statement completes."""
    outside = _without_brackets(_LITERAL.sub("0", text)).strip()
    return re.search(r"\bfor\s*(?:\(\s*\))?$", outside) is not None or (
        outside == "()" and ";" in text and "{" not in text
    )


def _without_brackets(text: str) -> str:
    """Return a text whose parentheses are empty, without what stands in other brackets."""
    shorter = re.sub(r"\((?:[^()]|\(\))+\)", "()", text)
    while shorter != text:
        text, shorter = shorter, re.sub(r"\((?:[^()]|\(\))+\)", "()", shorter)
    return re.sub(r"\[[^][]*\]", "", text)


def _expands_again(text: str, table: MacroTable) -> bool:
    """Whether the preprocessor would expand an expansion once more, which it does not do where it stands."""
    tokens = _tokens(text)
    for name, behind in zip(tokens, [*tokens, ""][1:], strict=True):
        for macro in table.bodies.get(name, ()):
            if (macro.parameters is None and macro.body.strip() != name) or (
                macro.parameters is not None and behind == "("
            ):
                return True
    return False


def _apart(text: str, start: int, end: int, expansion: str) -> str:
    """Return an expansion with blanks where it would join its neighbours, and as many line ends as the use has."""
    before = "" if start == 0 or text[start - 1].isspace() else " "
    behind = "" if end >= len(text) or text[end].isspace() else " "
    return f"{before}{expansion}{behind}" + "\n" * text.count("\n", start, end)


def _in_directive(question: Question, site: PragmaSite, answers: list[str], source: SourceText) -> list[Replaced]:
    text, whole = site.text.text, answers[0]
    taken: list[tuple[Use, int, str]] = []
    at = 0
    for use in question.uses:
        meaning = _meaning(use, answers) if use.start >= at else None
        if meaning is not None:
            taken.append((use, *meaning))
            at = meaning[0]
    if not taken and _tokens(text) == _tokens(whole):
        return []
    if _tokens(_put_in(text, taken)) != _tokens(whole):
        return [_whole(site, whole, source)]
    parts = [(use, end, meant) for use, end, meant in taken if question.forced or not _is_value(use.depth, meant)]
    if not parts:
        return []
    if not site.text.exact:
        return [_whole(site, _put_in(text, parts), source)]
    base = site.text.origin.start
    return [Replaced(base + u.start, base + end, _quoted(site, meant, source, base + u.start, base + end), u.name)
            for u, end, meant in parts]  # fmt: skip


def _put_in(text: str, parts: list[tuple[Use, int, str]]) -> str:
    for use, end, meant in reversed(parts):
        text = f"{text[: use.start]} {meant} {text[end:]}"
    return text


def _is_value(depth: int, text: str) -> bool:
    """Whether a macro in a directive stands for a value or a variable, so that it can stay where it is."""
    if depth == 0 or not is_balanced(text):
        return False
    return _VALUE.fullmatch(text) is not None and not re.search(r"[,:;{}]", _without_brackets(text))


def _quoted(site: PragmaSite, text: str, source: SourceText, start: int, end: int) -> str:
    """Return an expansion as it is spelled in a directive's text, with as many lines as the use has."""
    lines = source.text.count("\n", start, end)
    if source.text[site.start] == "_":
        return text.replace("\\", "\\\\").replace('"', '\\"') + "\\\n" * lines
    return _apart(source.text, start, end, text).rstrip("\n") + ("\n" if site.is_attribute else "\\\n") * lines


def _whole(site: PragmaSite, text: str, source: SourceText) -> Replaced:
    """Put a directive's expansion in place of all its text."""
    origin = site.text.origin
    name = "" if site.text.exact else "_Pragma"
    if site.text.exact:
        text = _quoted(site, f" {text.strip()}", source, origin.start, origin.end)
    else:
        escaped = text.strip().replace("\\", "\\\\").replace('"', '\\"')
        text = f'_Pragma("omp {escaped}")' + "\n" * site.original.count("\n")
    return Replaced(origin.start, origin.end, text, name)
