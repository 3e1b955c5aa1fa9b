"""The user's own line numbers: ``#line`` directives, as generated sources have them.

In: the user's files. Out: the same with texts that know which line and file each of their lines counts as. The
preprocessor says what a directive means, for it may be made of macros or left out. Files without one cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Index, TranslationUnit, TranslationUnitLoadError

from rexcc.clang import unit_files
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.source.compiler_macros import for_libclang
from rexcc.source.patterns import regex
from rexcc.source.text import Numbered, SourceText

LINE = regex(r"^[ \t]*(?:#|%:)[ \t]*(?:line\b|\d)(?:\\[ \t]*\r?\n|[^\n])*", re.MULTILINE)
"""A directive that numbers lines, where nothing around it is a comment or a literal."""


def with_users_lines(files: UserFiles, language: str, arguments: tuple[str, ...]) -> UserFiles:
    """Return the files with the numbers that the user gives their lines."""
    if not any(LINE.search(scan.source.text) for scan in files.scans.values()):
        return files
    unit = _preprocessed(files, language, arguments)
    if unit is None:
        return files
    sources: dict[str, SourceText] = {}
    for name, scan in files.scans.items():
        found = tuple(_numbered(unit, scan.source))
        if any((said.number, said.path) != (said.line, name) for said in found):
            sources[name] = SourceText(name, scan.source.text, numbered=found)
    return rewritten(files, sources) if sources else files


def _preprocessed(files: UserFiles, language: str, arguments: tuple[str, ...]) -> TranslationUnit | None:
    unsaved = for_libclang({name: scan.source.text for name, scan in files.scans.items()})
    flags = ["-x", language, "-w", "-ferror-limit=0", *arguments]
    try:
        return Index.create().parse(
            files.main, args=flags, unsaved_files=unsaved, options=TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        )
    except TranslationUnitLoadError:
        return None


def _numbered(unit: TranslationUnit, source: SourceText) -> Iterator[Numbered]:
    """Yield what the line behind each directive counts as."""
    for match in LINE.finditer(source.text):
        behind = source.text.find("\n", match.end())
        if behind < 0:
            continue
        line = source.line_column(behind + 1)[0]
        path, number = unit_files.presumed_place(unit, source.path, line)
        if number:
            yield Numbered(line, number, path)
