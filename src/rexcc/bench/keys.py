"""Reading tables of a manifest: each key with its type, and errors with their place.

In: the text of a TOML or JSON file. Out: :class:`Table`, whose methods return typed values or raise
:class:`ManifestError`, which names the file, the line, what is wrong and what was probably meant.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rexcc.driver.options.command_parts import UsageError
from rexcc.source.diagnostics import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib

Path = tuple[str | int, ...]
"""The way to a value: keys and, for arrays of tables, numbers from 0."""

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\- ]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([\w-]+))\s*=""")
_TOML_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)$", re.DOTALL)


class ManifestError(UsageError):
    """A manifest that makes no sense."""


def load(file: str, text: str) -> Table:
    """Return the top table of a manifest."""
    data = _json(file, text) if file.endswith(".json") else _toml(file, text)
    if not isinstance(data, dict):
        raise ManifestError(f"{file}: a manifest is a table")
    return Table(file, data, (), {} if file.endswith(".json") else _lines(text))


def _json(file: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        raise ManifestError(f"{file}:{problem.lineno}:{problem.colno}: {problem.msg}") from None


def _toml(file: str, text: str) -> Any:
    if sys.version_info >= (3, 11):
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise ManifestError(_placed(file, str(problem))) from None
    raise ManifestError(f"{file}: TOML needs Python 3.11; write the manifest as JSON, or use a newer Python")


def _placed(file: str, problem: str) -> str:
    found = _TOML_PLACE.match(problem)
    return f"{file}:{found[2]}:{found[3]}: {found[1]}" if found else f"{file}: {problem}"


def _lines(text: str) -> dict[Path, int]:
    """Return the lines of headers and keys; what stands in inline tables is found by the line of their key."""
    found: dict[Path, int] = {}
    here: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            here = _header_path(header[2], header[1] == "[[", found)
            found.setdefault(here, number)
        elif key:
            found.setdefault((*here, key[1] or key[2] or key[3]), number)
    return found


def _header_path(written: str, is_array: bool, found: dict[Path, int]) -> Path:
    path: Path = ()
    names = [name.strip() for name in written.split(".")]
    for name in names[:-1]:
        path = (*path, name)
        path = (*path, *_last(path, found))
    path = (*path, names[-1])
    if not is_array:
        return path
    last = _last(path, found)
    return (*path, int(last[0]) + 1 if last else 0)


def _last(path: Path, found: dict[Path, int]) -> tuple[int, ...]:
    numbers = [p[len(path)] for p in found if len(p) > len(path) and p[: len(path)] == path]
    counts = [number for number in numbers if isinstance(number, int)]
    return (max(counts),) if counts else ()


@dataclass
class Table:
    """A table of a manifest. ``name`` is what errors call it."""

    file: str
    data: dict[str, Any]
    path: Path
    lines: dict[Path, int]
    name: str = "the manifest"
    asked: list[str] = field(default_factory=list)

    def error(self, key: str | None, message: str) -> ManifestError:
        """Return an error at a key or, without one, at the table itself."""
        path = (*self.path, key) if key else self.path
        while path and path not in self.lines:
            path = path[:-1]
        line = self.lines.get(path)
        return ManifestError(f"{self.file}{f':{line}' if line else ''}: {message}")

    def _get(self, key: str, kinds: tuple[type, ...], what: str) -> Any:
        self.asked.append(key)
        value = self.data.get(key)
        wrong_bool = isinstance(value, bool) and bool not in kinds
        if value is not None and (wrong_bool or not isinstance(value, kinds)):
            raise self.error(key, f"'{key}' of {self.name} must be {what}, not {_shown(value)}")
        return value

    def has(self, key: str) -> bool:
        """Whether a key is there."""
        return key in self.data

    def text(self, key: str) -> str | None:
        """Return a string."""
        found: str | None = self._get(key, (str,), "a string")
        return found

    def needed(self, key: str) -> str:
        """Return a string that has to be there."""
        found = self.text(key)
        if not found:
            raise self.error(None, f"{self.name} needs '{key}'")
        return found

    def texts(self, key: str) -> tuple[str, ...] | None:
        """Return a list of strings."""
        found = self._get(key, (list,), "a list of strings")
        if found is None:
            return None
        for value in found:
            if not isinstance(value, str):
                raise self.error(key, f"'{key}' of {self.name} must be a list of strings; {_shown(value)} is none")
        return tuple(found)

    def patterns(self, key: str) -> tuple[str, ...] | None:
        """Return a list of regular expressions."""
        found = self.texts(key)
        for pattern in found or ():
            self.compiled(key, pattern)
        return found

    def compiled(self, key: str, pattern: str) -> re.Pattern[str]:
        """Return a regular expression, compiled."""
        try:
            return re.compile(pattern)
        except re.error as problem:
            raise self.error(key, f"'{pattern}' is not a regular expression: {problem}") from None

    def number(self, key: str) -> float | None:
        """Return a number that is not negative."""
        found = self._get(key, (int, float), "a number")
        if found is not None and found < 0:
            raise self.error(key, f"'{key}' of {self.name} must not be negative")
        return None if found is None else float(found)

    def integer(self, key: str) -> int | None:
        """Return a whole number."""
        found: int | None = self._get(key, (int,), "a whole number")
        return found

    def flag(self, key: str) -> bool | None:
        """Return true or false."""
        found: bool | None = self._get(key, (bool,), "true or false")
        return found

    def choice(self, key: str, known: Iterable[str]) -> str | None:
        """Return one of several words."""
        found, words = self.text(key), tuple(known)
        if found is not None and found not in words:
            hint = did_you_mean(found, words) or f"; known are {', '.join(words)}"
            raise self.error(key, f"unknown '{key}' of {self.name}: '{found}'{hint}")
        return found

    def table(self, key: str) -> Table | None:
        """Return a table in this one."""
        found = self._get(key, (dict,), "a table")
        if found is None:
            return None
        return Table(self.file, found, (*self.path, key), self.lines, f"[{key}] of {self.name}")

    def tables(self, key: str) -> list[Table]:
        """Return the tables of an array; one table stands for an array of one."""
        found = self._get(key, (list, dict), "a table, or several")
        if isinstance(found, dict):
            return [Table(self.file, found, (*self.path, key), self.lines, f"[{key}] of {self.name}")]
        result = []
        for number, value in enumerate(found or []):
            if not isinstance(value, dict):
                raise self.error(key, f"'{key}' of {self.name} must be tables; {_shown(value)} is none")
            path = (*self.path, key, number)
            result.append(Table(self.file, value, path, self.lines, f"[{key}] {number + 1} of {self.name}"))
        return result

    def finish(self) -> None:
        """Refuse keys that nobody has asked for."""
        for key in self.data:
            if key not in self.asked:
                raise self.error(key, f"unknown key '{key}' of {self.name}{did_you_mean(key, self.asked)}")


def _shown(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
