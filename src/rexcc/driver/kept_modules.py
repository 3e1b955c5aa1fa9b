"""Modules that are loaded together, kept in one file.

In: the names of modules, and the states of their sources. Out: the code of those that were loaded before. Names that
many modules have are read once from one file, and once from each of many, which takes a fifth of the time for a
translation's modules (docs/decisions/037-short-commands.md). What the file lacks is read as before, and when that
is more than a little, the file is written anew as the process ends. It lies where Python keeps what it compiles, and is
written by the same rules: where that folder may be written, and nobody has forbidden it.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable
from importlib.util import MAGIC_NUMBER
from types import CodeType

_HEAD = b"rexcc modules 1\n" + MAGIC_NUMBER + sys.version.encode() + b"\n"
_FEW = 8
"""Of so many modules one may be read from a file of its own."""

State = tuple[int, int]
"""The time and the size of a source."""
Reader = Callable[[], "CodeType | None"]
"""What reads a module's code from its own file."""
_Entries = dict[str, tuple[State, CodeType]]


class KeptModules:
    """The modules of one file, and those that were asked for and are not in it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._entries: _Entries | None = None
        self._found = 0
        self._is_outdated = False
        self._missing: dict[str, tuple[State, CodeType]] = {}

    def code(self, name: str, state: State, read: Reader) -> CodeType | None:
        """Return a module's code, by ``read`` where the file does not have it as its source is now."""
        if self._entries is None:
            self._entries = _entries(self._path)
        known = self._entries.get(name)
        if known is not None and known[0] == state:
            self._found += 1
            return known[1]
        self._is_outdated = self._is_outdated or known is not None
        code = read()
        if code is not None:
            self._missing[name] = state, code
        return code

    def keep(self) -> None:
        """Write the file anew, if more than a few were missing; of one that was outdated nothing stays."""
        if len(self._missing) * _FEW <= self._found or sys.dont_write_bytecode:
            return
        others = {} if self._is_outdated or self._entries is None else self._entries
        try:
            _write(self._path, _HEAD + marshal.dumps(others | self._missing))
        except (OSError, ValueError):
            return


def _entries(path: str) -> _Entries:
    """Return what a file has, nothing of one that is not there, or that another Python has written."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
        if not data.startswith(_HEAD):
            return {}
        found: object = marshal.loads(memoryview(data)[len(_HEAD) :])
    except (OSError, EOFError, TypeError, ValueError):  # not there, cut off or damaged
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: str, data: bytes) -> None:
    """Write a file, which others find whole or not at all."""
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "wb") as file:  # noqa: PTH123
            file.write(data)
        os.replace(part, path)  # noqa: PTH105
    except OSError:
        if os.path.exists(part):  # noqa: PTH110
            os.unlink(part)  # noqa: PTH108
        raise
