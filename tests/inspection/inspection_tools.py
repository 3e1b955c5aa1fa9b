"""Inspect a program given as text."""

from __future__ import annotations

from collections.abc import Mapping

import support
from rexcc.inspection.model import OpenMPTree, PragmaList
from rexcc.inspection.text import pragmas_text, tree_text
from rexcc.pipeline import Inspection, TranslateOptions, inspect


def inspected(source: str, what: str, name: str = "t.c", headers: Mapping[str, str] | None = None) -> Inspection:
    """Return what is understood of a program."""
    files = {name: source.encode()} | {path: text.encode() for path, text in (headers or {}).items()}
    language = support.language_of(name)
    options = TranslateOptions(language=language, system_includes=support.system_includes(language))
    return inspect(name, options, files.get, what)


def pragmas(source: str, name: str = "t.c", headers: Mapping[str, str] | None = None) -> PragmaList:
    """Return the directives of a program without errors."""
    found = inspected(source, "pragmas", name, headers)
    assert isinstance(found.found, PragmaList) and not found.diagnostics, found.diagnostics
    return found.found


def tree(source: str, name: str = "t.c", headers: Mapping[str, str] | None = None) -> OpenMPTree:
    """Return the tree of a program without errors."""
    found = inspected(source, "ast", name, headers)
    assert isinstance(found.found, OpenMPTree) and not found.diagnostics, found.diagnostics
    return found.found


def pragma_lines(source: str, name: str = "t.c", headers: Mapping[str, str] | None = None) -> list[str]:
    """Return the lines of ``--emit=pragmas``."""
    return pragmas_text(pragmas(source, name, headers)).splitlines()


def tree_lines(source: str, name: str = "t.c") -> list[str]:
    """Return the lines of ``--emit=ast``."""
    return tree_text(tree(source, name)).splitlines()


def variables(source: str, name: str = "t.c") -> list[str]:
    """Return the lines of ``--emit=ast`` about variables, without indentation."""
    return [line.strip() for line in tree_lines(source, name) if " -- " in line]
