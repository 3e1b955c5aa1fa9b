"""What the preprocessor makes of parts of the user's text, and which files it opens.

In: the user's files and questions about them. Out: for each inclusion of a file the texts that clang expanded there.
Each question becomes ``_Pragma("GCC error …")`` at its place, which expands macros and reports the string that a macro
makes of them; marks at both ends of a file tell its inclusions apart. All of the unit stands in the body of one
function that clang skips: the preprocessor reads everything and the parser next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clang.cindex import Index, TranslationUnit, TranslationUnitLoadError

from rexcc.frontend.files import UserFiles
from rexcc.frontend.macro_uses import Question, one_line
from rexcc.frontend.scan import FileScan, IncludeLine
from rexcc.source.compiler_macros import for_libclang
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field
from rexcc.source.text import SourceText

_MARK = "rex:"
_FIRST = "/rex-expands.h"  # found nowhere but among the texts that clang is given
_PROLOGUE = """#define REX_STRING(...) #__VA_OPT__(__VA_ARGS__)
void rex_expands(void) {
"""
"""The string is made of the expanded argument, which is not read again: its parentheses may lack their partners."""
_MESSAGE = regex(rf"{_MARK}(?P<kind>in|out|at|is):(?P<file>\d+):(?:(?P<index>\d+):(?P<part>\d+):)?(?P<text>[\s\S]*)")
_WRONG_COUNT = regex(r"too (?:many|few) arguments provided to function-like macro invocation")
_ALONE = {"(": "rex_opening_parenthesis", ")": "rex_closing_parenthesis"}


@dataclass(eq=False)
class Inclusion:
    """A file as it was included once: ``answers`` by the index of the question and that of its text, ``children`` by
    the start of their ``#include`` lines."""

    path: str
    answers: dict[tuple[int, int], str] = field(default_factory=dict)
    children: dict[int, Inclusion] = field(default_factory=dict)


def ask(
    files: UserFiles, asked: Mapping[str, Sequence[Question]], language: str, arguments: tuple[str, ...]
) -> list[Inclusion]:
    """Return the inclusions of files that are read, the main file's among them."""
    numbers = {name: n for n, name in enumerate(files.scans)}
    texts = {
        name: _instrumented(scan, numbers[name], asked.get(name, ()), [line for line, _ in files.included[name]])
        for name, scan in files.scans.items()
    }
    unsaved = for_libclang(texts)
    flags = ["-x", language, "-w", "-ferror-limit=0", "-include", _FIRST, *arguments]
    try:
        unit = Index.create().parse(
            files.main,
            args=flags,
            unsaved_files=[*unsaved, (_FIRST, _PROLOGUE.encode())],
            options=TranslationUnit.PARSE_SKIP_FUNCTION_BODIES,
        )
    except TranslationUnitLoadError:
        return []
    return _inclusions(files, unit)


def _instrumented(scan: FileScan, number: int, asked: Sequence[Question], included: Sequence[IncludeLine]) -> str:
    """Return a file with questions in place of what they ask about; lines keep their numbers."""
    source = scan.source
    changes = [(q.start, q.end, _questions(source, number, index, q)) for index, q in enumerate(asked)]
    for line in included:
        mark = _numbered(scan, line.start)
        changes.append((line.start, line.start, f"{_message(f'at:{number}:{line.start}:0:')}{mark}"))
    parts = [_message(f"in:{number}:"), _numbered(scan, 0)]
    at = 0
    for start, end, text in sorted(changes):
        if start >= at:
            parts += [source.text[at:start], text]
            at = end
    return "".join([*parts, source.text[at:], "\n\n", _message(f"out:{number}:"), "\n"])


def _numbered(scan: FileScan, offset: int) -> str:
    """Return the end of a line of ours; the next one keeps its number."""
    source = scan.source
    path = source.users_path(offset).replace("\\", "\\\\").replace('"', '\\"')
    name = f' "{path}"' if source.numbered else ""
    return f"\n#line {source.users_line(offset)}{name}\n"


def _questions(source: SourceText, number: int, index: int, question: Question) -> str:
    parts = [_message(f"is:{number}:{index}:{n}:", text) for n, text in enumerate(question.texts)]
    return "".join([*parts, "\n" * source.text.count("\n", question.start, question.end)])


def _message(mark: str, text: str = "") -> str:
    """Return a pragma that reports a mark and what a text expands to."""
    expanded = f" REX_STRING({_protected(text)})" if text else ""
    inside = f'GCC error "{_MARK}{mark}"{expanded}'.replace("\\", "\\\\").replace('"', '\\"')
    return f'_Pragma("{inside}") '


def _protected(text: str) -> str:
    """Return a text on one line whose parentheses without a partner are names."""
    line = one_line(text)
    opened: list[int] = []
    alone: list[int] = []
    for match in re.finditer(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[()]", line):
        if match[0] == "(":
            opened.append(match.start())
        elif match[0] == ")" and opened:
            opened.pop()
        elif match[0] == ")":
            alone.append(match.start())
    for offset in sorted((*opened, *alone), reverse=True):
        line = f"{line[:offset]} {_ALONE[line[offset]]} {line[offset + 1 :]}"
    return line


def _inclusions(files: UserFiles, unit: TranslationUnit) -> list[Inclusion]:
    """Put the answers together, file by file, as the messages come. A use with too many arguments or too few, which
    clang may mend for itself, has no answer: the compilation that reads the user's text tells of it."""
    names = list(files.scans)
    roots: list[Inclusion] = []
    stack: list[Inclusion] = []
    line = -1
    is_wrong = False
    for found in unit.diagnostics:
        match = _MESSAGE.fullmatch(found.spelling)
        if match is None:
            is_wrong = is_wrong or _WRONG_COUNT.match(found.spelling) is not None
            continue
        kind, file = match["kind"], names[int(match["file"])]
        if kind == "in":
            made = Inclusion(file)
            if stack and (line, file) in [(n.start, target) for n, target in files.included[stack[-1].path]]:
                stack[-1].children[line] = made
            else:
                roots.append(made)
            stack.append(made)
        elif kind == "out":
            while stack and stack.pop().path != file:
                pass
        elif kind == "at":
            line = int(match["index"])
            continue
        elif stack and not is_wrong:
            place = int(match["index"]), int(match["part"])
            stack[-1].answers.setdefault(place, _answer(match["text"]))
        line, is_wrong = -1, False
    return roots


def _answer(text: str) -> str:
    """Return an expansion as the user's bytes."""
    for bracket, name in _ALONE.items():
        text = text.replace(name, bracket)
    return text.strip()
