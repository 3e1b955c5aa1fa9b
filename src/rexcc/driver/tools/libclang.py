"""Which libclang reads the sources.

In: the options and the host's compiler. Out: a library's path. The pinned one of PyPI reads every program; what it
does not know are the standards that were made after it, for which the host's compiler brings a libclang of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.languages import Language
from rexcc.driver.tools import toolchain
from rexcc.source.patterns import regex
from rexcc.target.commands import HostCompiler

_LATER = {
    Language.C: re.compile(r"(?:c|gnu)2[3xy]|iso9899:2024"),
    Language.CXX: re.compile(r"(?:c|gnu)\+\+2[6c]"),
}
"""Standards that clang 18, the pinned one, does not know whole."""
_PINNED = 18
_NAME = regex(r"libclang(?:-(?P<debian>\d+)\.so\.\d+|\.so\.(?P<version>\d+)[\d.]*)")


def needed_library(options: Options, host: HostCompiler) -> Path | None:
    """Return the libclang of the host's compiler where a source needs it and it is there."""
    standards = {Language.C: options.c_standard, Language.CXX: options.cxx_standard}
    languages = {source.language for source in options.sources}
    if host.family != "clang" or not any(_is_later(language, standards.get(language)) for language in languages):
        return None
    resources = toolchain.output_of(host.cc, "-print-resource-dir").strip()  # lib/clang/19, beside the libraries
    return _first(sorted(Path(resources).parent.parent.glob("libclang*.so.*"))) if resources else None


def _is_later(language: Language, standard: str | None) -> bool:
    return standard is not None and language in _LATER and _LATER[language].fullmatch(standard) is not None


def _first(paths: Iterable[Path]) -> Path | None:
    """Return the C interface among libraries of clang, of a later version than the pinned one."""
    names = ((path, _NAME.fullmatch(path.name)) for path in paths)
    found = (path for path, name in names if name and int(name["debian"] or name["version"]) > _PINNED)
    return next(found, None)
