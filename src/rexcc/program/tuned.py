"""Choices for single kernels, as ``rexcc bench --tune`` writes them down and ``--tuned=FILE`` reads them.

In: the text of a file. Out: :class:`Entry` values, and the text again, the same for the same entries. An entry names a
kernel by what stays when lines move: its file, its function, which target construct of the function it is, and a hash
of the construct's text. A choice changes how long a kernel takes and never what it computes, and none that a clause
makes.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from rexcc.program.optimisations import NAMES, Optimisation, names_of
from rexcc.source.records import dataclass
from rexcc.target.model import Limits

FORM = 1
_MOST_UNROLLED = 64
_WORDS = ("file", "function", "text", "architecture")
_NUMBERS = ("threads", "registers", "unroll")
_KEYS = frozenset({*_WORDS, *_NUMBERS, "directive", "without", "microseconds"})


class TunedFileError(ValueError):
    """A text is no file of choices."""


@dataclass(frozen=True)
class Choice:
    """What is chosen for a kernel; 0 leaves it to the compiler's rules.

    ``threads`` of a block, at most; ``registers`` of a thread, at most: a multiprocessor has room for as many blocks as
    have them; ``unroll``: iterations of innermost loops that stand in the kernel one behind the other. ``left_out`` are
    optimisations that the kernel does without.
    """

    threads: int = 0
    registers: int = 0
    unroll: int = 0
    left_out: frozenset[Optimisation] = frozenset()


USUAL = Choice()
"""The compiler's own."""


@dataclass(frozen=True)
class KernelKey:
    """A kernel in the user's text: ``directive`` counts the target constructs of its function, from 1; ``text`` is the
    hash of the construct."""

    file: str
    function: str
    directive: int
    text: str


@dataclass(frozen=True)
class Entry:
    """A choice for a kernel on an architecture; ``measured`` are microseconds with the usual choices and with these,
    none where nobody measured."""

    key: KernelKey
    architecture: str
    choice: Choice
    measured: tuple[float, ...] = ()


def read_tuned(text: str, limits: Limits) -> tuple[Entry, ...]:
    """Return the entries of a file. Raises TunedFileError for what is none."""
    json = importlib.import_module("json")
    try:
        document = json.loads(text)
    except ValueError as problem:
        raise TunedFileError(f"not JSON: {problem}") from None
    if not isinstance(document, dict) or document.get("form") != FORM or not isinstance(document.get("kernels"), list):
        raise TunedFileError(f'no choices of \'rexcc bench --tune\' (an object with "form": {FORM} and "kernels")')
    found = [_entry(data, number, limits) for number, data in enumerate(document["kernels"], 1)]
    places = [(entry.key, entry.architecture) for entry in found]
    twice = next((place for number, place in enumerate(places) if place in places[:number]), None)
    if twice is not None:
        raise TunedFileError(f"two entries for directive {twice[0].directive} of {twice[0].function}")
    return tuple(found)


def choice_of_words(data: Mapping[str, Any]) -> Choice:
    """Return the choice that :func:`words_of_choice` has written."""
    numbers = {name: data[name] for name in _NUMBERS if name in data}
    return Choice(**numbers, left_out=frozenset(map(Optimisation, data.get("without", ()))))


def words_of_choice(choice: Choice) -> dict[str, Any]:
    """Return a choice as a file has it: only what is chosen."""
    found: dict[str, Any] = {name: getattr(choice, name) for name in _NUMBERS if getattr(choice, name)}
    if choice.left_out:
        found["without"] = list(names_of(choice.left_out))
    return found


def tuned_text(entries: Iterable[Entry]) -> str:
    """Return the text of a file: entries in the order of their keys, one a line."""
    json = importlib.import_module("json")
    lines = sorted(f"  {json.dumps(_data(entry), ensure_ascii=False)}" for entry in entries)
    body = "[\n" + ",\n".join(lines) + "\n ]" if lines else "[]"
    return f'{{\n "form": {FORM},\n "kernels": {body}\n}}\n'


def _data(entry: Entry) -> dict[str, Any]:
    key = entry.key
    named = {"file": key.file, "function": key.function, "directive": key.directive, "text": key.text}
    measured = {"microseconds": list(entry.measured)} if entry.measured else {}
    return {**named, "architecture": entry.architecture, **words_of_choice(entry.choice), **measured}


def _entry(data: Any, number: int, limits: Limits) -> Entry:
    where = f"entry {number}"
    if not isinstance(data, dict):
        raise TunedFileError(f"{where} is no object")
    unknown = sorted(data.keys() - _KEYS)
    if unknown:
        raise TunedFileError(f"{where}: unknown key '{unknown[0]}'")
    for name in _WORDS:
        if not isinstance(data.get(name), str) or not data[name]:
            raise TunedFileError(f"{where}: '{name}' wants a text")
    numbers = {name: data.get(name, 0) for name in _NUMBERS}
    for name, value in (*numbers.items(), ("directive", data.get("directive"))):
        if type(value) is not int or value < 0:
            raise TunedFileError(f"{where}: '{name}' wants a positive number")
    _check_numbers(numbers, where, limits)
    key = KernelKey(data["file"], data["function"], data["directive"], data["text"])
    measured = data.get("microseconds", [])
    if not isinstance(measured, list) or not all(isinstance(one, int | float) for one in measured):
        raise TunedFileError(f"{where}: 'microseconds' wants numbers")
    return Entry(key, data["architecture"], Choice(**numbers, left_out=_left_out(data, where)), tuple(measured))


def _check_numbers(numbers: Mapping[str, int], where: str, limits: Limits) -> None:
    threads, least, most = numbers["threads"], limits.registers // limits.resident, limits.thread_registers
    if threads and (threads & (threads - 1) or not limits.warp <= threads <= limits.threads):
        raise TunedFileError(f"{where}: 'threads' wants a power of two from {limits.warp} to {limits.threads}")
    if numbers["registers"] and not least <= numbers["registers"] <= most:
        raise TunedFileError(f"{where}: 'registers' wants a number from {least} to {most}")
    if numbers["unroll"] > _MOST_UNROLLED:
        raise TunedFileError(f"{where}: 'unroll' wants a number up to {_MOST_UNROLLED}")


def _left_out(data: Mapping[str, Any], where: str) -> frozenset[Optimisation]:
    names = data.get("without", [])
    if not isinstance(names, list):
        raise TunedFileError(f"{where}: 'without' wants names of optimisations")
    unknown = next((name for name in names if name not in NAMES or name == Optimisation.QUEUES.value), None)
    if unknown is not None:
        raise TunedFileError(f"{where}: '{unknown}' is no optimisation of a kernel")
    return frozenset(map(Optimisation, names))
