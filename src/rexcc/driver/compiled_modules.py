"""The compiler's own modules, as Python keeps them compiled, found without its search.

In: the name of a module of ours. Out: its code, from the file beside its source that Python has written for it. A
command loads more than five hundred of them; Python lists folders, asks for each form that a module may have, and puts
the same names together for each one again (docs/decisions/037-short-commands.md). A file that is not there, that is of
another form, or older than the source is left to Python, which compiles the source and writes it. What all commands
load, and what translations load, is kept in one file each, too (``kept_modules.py``).
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER
from types import CodeType, ModuleType

from rexcc.driver.kept_modules import KeptModules, State

_OWN = "rexcc."
_FOLDER = "__pycache__"
_HEADER = 16
"""A magic number, flags, the time and the size of the source (PEP 552), each of four bytes."""
_CHUNK = 1 << 16
_TRANSLATION = "rexcc.pipeline.phases"
"""The first module that only commands load that translate a file with directives."""


class _Compiled(SourceFileLoader):
    """Python's loader of a module's source, for a module whose code has been read."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code: CodeType | None = code

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code, of a module that is loaded again what Python makes of its source then."""
        code, self._code = self._code, None
        return super().get_code(fullname) if code is None else code


class _Finder:
    """What ``sys.meta_path`` asks for modules."""

    def __init__(self, ending: str, folder: str = "") -> None:
        self._ending = ending
        form = f"{folder}/{{}}{ending.removesuffix('.pyc')}.modules"
        self._kept = [KeptModules(form.format(part)) for part in ("command", "translation")] if folder else []
        self._now = self._kept[0] if self._kept else None

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how a module of ours is loaded, None for others and for those that are Python's to compile."""
        if path is None or not name.startswith(_OWN):
            return None
        if name == _TRANSLATION and self._kept:
            self._now = self._kept[1]
        place = f"{path[0]}/{name.rpartition('.')[2]}"
        return self._spec(name, path[0], f"{place}.py") or self._spec(name, place, f"{place}/__init__.py", [place])

    def keep(self) -> None:
        """Write the files of modules that are loaded together, where that is worth it."""
        for kept in self._kept:
            kept.keep()

    def _spec(self, name: str, folder: str, source: str, inside: list[str] | None = None) -> ModuleSpec | None:
        stem = "__init__" if inside else name.rpartition(".")[2]
        compiled = f"{folder}/{_FOLDER}/{stem}{self._ending}"
        code = self._code(name, source, compiled)
        if code is None:
            return None
        spec = ModuleSpec(name, _Compiled(name, source, code), origin=source)
        spec.submodule_search_locations = inside
        spec.has_location = True
        spec.cached = compiled
        return spec

    def _code(self, name: str, source: str, compiled: str) -> CodeType | None:
        """Return the code of a source; None where its file is not there, or was not made of the source as it is."""
        try:
            found = os.stat(source)  # noqa: PTH116
        except OSError:
            return None
        state = int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF
        if self._now is None:
            return _code_in(compiled, state)
        return self._now.code(name, state, lambda: _code_in(compiled, state))


def _code_in(compiled: str, state: State) -> CodeType | None:
    """Return the code in a file of Python's, None where it is not of the source in that state."""
    try:
        data = _read(compiled)
    except OSError:
        return None
    head = MAGIC_NUMBER + bytes(4) + b"".join(number.to_bytes(4, "little") for number in state)
    if data[:_HEADER] != head:
        return None
    try:
        found: object = marshal.loads(memoryview(data)[_HEADER:])
    except (EOFError, TypeError, ValueError):  # cut off, or damaged
        return None
    return found if isinstance(found, CodeType) else None


def _read(path: str) -> bytes:
    """Return a file's bytes: one call reads most."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
    try:
        parts = [os.read(file, _CHUNK)]
        while len(parts[-1]) == _CHUNK:
            parts.append(os.read(file, _CHUNK))
    finally:
        os.close(file)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def install(package: ModuleType) -> None:
    """Find the modules of the package that way, if Python keeps compiled files where it usually does."""
    spec = package.__spec__
    loader = spec.loader if spec is not None else None
    if spec is None or type(loader) is not SourceFileLoader or not spec.cached or not spec.origin:
        return
    folder, file = os.path.split(spec.cached)
    usual = f"{os.path.dirname(spec.origin)}/{_FOLDER}"  # noqa: PTH120
    if folder != usual or not file.startswith("__init__."):
        return
    sys.meta_path.insert(0, _Finder(file.removeprefix("__init__"), folder))


def keep() -> None:
    """Write the files of modules that are loaded together; called as the process ends."""
    for finder in sys.meta_path:
        if isinstance(finder, _Finder):
            finder.keep()
