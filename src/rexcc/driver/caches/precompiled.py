"""Precompiled headers of the CPU device, in the user's cache.

In: the commands of a plan. Out: the same commands, those that compile kernels for the CPU device with what an earlier
command has precompiled; and commands that precompile, on which nothing depends. Reading these headers is most of the
work for a small kernel, and they are the same for all files that are compiled by the same words.

Who asks for headers first is noted, who asks again precompiles them: a single command does not pay for others. The
compiler looks whether any header has changed since and refuses what is out of date; then the command runs as it would
without (``Command.quicker``), and the next one precompiles anew.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from rexcc.driver.caches import cache_files
from rexcc.driver.commands.plan import Command, Headers, Stage
from rexcc.driver.commands.run import Outcome
from rexcc.source.digests import sha256
from rexcc.source.records import replace

_ROOM = 256 << 20  # bytes
_MOST_AT_ONCE = 2
_INCLUDE = "-include-pch"
_FOLDER_VARIABLES = ("CPATH", "CPLUS_INCLUDE_PATH")
_FOLDER_OPTIONS = ("-isystem", "-iquote", "-idirafter", "-I")


def with_precompiled(commands: Sequence[Command], include: str, folder: str) -> list[Command]:
    """Return the commands, and those that precompile headers into a ``folder`` for temporary files; ``include`` has our
    headers."""
    base = _base()
    if base is None or not any(command.headers for command in commands):
        return list(commands)
    try:
        state = _state_of(include)
        keys = [_key_of(command.headers, state) if command.headers else "" for command in commands]
    except OSError:  # what is not there is said by who needs it
        return list(commands)
    found: list[Command] = []
    wanted: dict[str, Headers] = {}
    for command, key in zip(commands, keys, strict=True):
        place = base / f"{key}.pch"
        is_made = command.headers is not None and cache_files.is_intact(place)
        found.append(_quicker(command, str(place)) if is_made else command)
        if command.headers is not None and not is_made:
            wanted[key] = command.headers
    again = [key for key, headers in wanted.items() if _is_asked_again(headers, base / f"{key}.h")]
    return [*found, *(_precompiling(wanted[key], base / f"{key}.h", folder) for key in again[:_MOST_AT_ONCE])]


def keep(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Put into the cache what was precompiled; return the outcomes of the other commands. Headers that cannot be
    precompiled are no error: who compiles the kernels tells what is wrong with them."""
    base, others = _base(), list[Outcome]()
    for outcome in outcomes:
        if outcome.command.stage is not Stage.HEADERS:
            others.append(outcome)
            _forget_outdated(outcome)
        elif outcome.status == 0 and base is not None:
            made = Path(outcome.command.output or "")
            cache_files.write_checked(base / made.name, made.read_bytes())
            cache_files.remove_old(base, _ROOM)
    return others


def _forget_outdated(outcome: Outcome) -> None:
    """Remove precompiled headers with which a command failed that succeeds without."""
    if outcome.took_longer and outcome.status == 0 and _INCLUDE in outcome.command.quicker:
        with contextlib.suppress(OSError):
            Path(outcome.command.quicker[outcome.command.quicker.index(_INCLUDE) + 1]).unlink()


def _is_asked_again(headers: Headers, place: Path) -> bool:
    """Whether an earlier command has asked for headers, too; note that this one has."""
    text = headers.text.encode(errors="surrogateescape")
    if cache_files.read(place) == text:
        return True
    cache_files.write(place, text)
    return False


def _quicker(command: Command, place: str) -> Command:
    assert command.headers
    words = command.headers.words
    return replace(command, quicker=(*words, _INCLUDE, place, *command.argv[len(words) :]))


def _precompiling(headers: Headers, source: Path, folder: str) -> Command:
    output = f"{folder}/{source.stem}.pch"
    argv = (*headers.words, "-fpch-instantiate-templates", "-x", "c++-header", str(source), "-o", output)
    return Command(Stage.HEADERS, argv, (str(source),), output)


def _key_of(headers: Headers, state: Sequence[str]) -> str:
    hiding = (name for folder in _folders(headers.words) for name in _names_of_headers(folder))
    words = (*headers.words, _version_of(headers.words[0]), headers.text, *state, *hiding)
    return sha256("\0".join(words).encode(errors="surrogateescape")).hexdigest()[:24]


def _folders(words: Sequence[str]) -> Iterator[str]:
    """Yield the folders in which headers are looked for before the system's, those of the environment too."""
    for variable in _FOLDER_VARIABLES:
        yield from os.environ.get(variable, "").split(os.pathsep) if variable in os.environ else ()
    for word, following in zip(words, (*words[1:], ""), strict=True):
        option = next((option for option in _FOLDER_OPTIONS if word.startswith(option)), "")
        if option:
            yield word[len(option) :] or following


def _names_of_headers(folder: str) -> list[str]:
    """Return a folder and the names in it that headers may have: a new one may be in place of one of the system's,
    which the compiler does not notice."""
    place = str(Path(folder).absolute())
    try:
        names = (entry.name for entry in os.scandir(place))
        return [place, *sorted(name for name in names if "." not in name or name.endswith(".h"))]
    except OSError:
        return [place]


def _state_of(include: str) -> list[str]:
    """Return what tells versions of our headers apart, as the compiler does: sizes and times."""
    return [include, *(_version_of(path) for path in sorted(entry.path for entry in os.scandir(include)))]


def _version_of(path: str) -> str:
    found = Path(path).stat()
    return f"{path} {found.st_size} {found.st_mtime_ns}"


def _base() -> Path | None:
    base = cache_files.folder()
    return base / "headers" if base is not None else None
