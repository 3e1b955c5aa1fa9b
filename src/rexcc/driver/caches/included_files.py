"""What a compilation has read: enough to tell later whether another one would read the same.

In: the list of its files that a compiler has written, its words, the tools behind it. Out: :class:`Inputs`. They are
current as long as each file and each tool is the same, and no header has come or gone in a folder in which one of the
same name was looked for: it could be found in place of another, or be what ``__has_include`` asks for. What depends
on more than files has no inputs: ``__DATE__`` and the like.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rexcc.driver.caches.cache_files import joined, parts_of
from rexcc.driver.caches.known_files import KnownFiles, contents, maybe_asked
from rexcc.source.digests import sha256
from rexcc.source.records import dataclass

_FOLDER_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_FOLDER_OPTIONS = ("-isystem", "-I")
_USUAL = "/usr/local/include"
"""Compilers look there, before the system's folder, and mostly find nothing."""
_OF_COMPILERS = "include"
"""Compilers' and systems' own folders lie in one of this name."""
_WRAPPERS = frozenset({"ccache", "sccache", "distcc", "icecc"})
_SCRIPT = b"#!"
_CLOCK = 20_000_000  # nanoseconds that the time of a file may be behind
_DEEPEST = 8
_SEPARATOR = b"\0"
_DIGEST = len(sha256().digest())

Version = tuple[str, str]
"""The name of a tool, as it is looked for, and what tells its versions apart."""


@dataclass(frozen=True)
class Inputs:
    """The files with hashes of their contents, the headers that were asked for, a hash of the names in the folders of
    headers, and the tools."""

    files: tuple[tuple[str, bytes], ...]
    asked: tuple[str, ...]
    folders: bytes
    tools: tuple[Version, ...]

    def packed(self) -> bytes:
        """Return them as bytes."""
        paths, digests = [os.fsencode(path) for path, _ in self.files], b"".join(digest for _, digest in self.files)
        tools = [os.fsencode(part) for tool in self.tools for part in tool]
        return joined((joined(paths), digests, joined([*map(os.fsencode, self.asked)]), self.folders, joined(tools)))


def unpacked(data: bytes) -> Inputs:
    """Return what :meth:`Inputs.packed` has packed."""
    paths, digests, asked, folders, tools = parts_of(data)
    names = list(map(os.fsdecode, parts_of(paths)))
    hashes = [digests[at : at + _DIGEST] for at in range(0, len(digests), _DIGEST)]
    words = list(map(os.fsdecode, parts_of(tools)))
    files = tuple(zip(names, hashes, strict=True))
    return Inputs(
        files, tuple(map(os.fsdecode, parts_of(asked))), folders, tuple(zip(words[::2], words[1::2], strict=True))
    )


def read_by(
    words: Sequence[str], source: str, listed: Path, behind: Callable[[Sequence[str]], Sequence[str]], started: int
) -> Inputs | None:
    """Return what a command with some words has read to compile a source, which is none of the files.

    ``listed`` is the rule of make with the files, ``behind`` tells of the tools by these. There are no inputs where
    something has changed since the command has ``started``, or what was made of them depends on more.
    """
    latest = started - _CLOCK
    try:
        names = [name for name in dict.fromkeys(_prerequisites(listed.read_bytes())) if name != source]
        known = KnownFiles(latest)
        files = [known.of(source, is_generated=True), *map(known.of, names)]
        tools = tuple((name, version_of(name, latest)) for name in behind(names))
        if not all(file.is_foreseeable for file in files) or not tools or not all(version for _, version in tools):
            return None
        asked = {os.fsdecode(name) for file in files for name in file.asked}
        if any(file.asks_by_macro for file in files):
            texts = (*map(os.fsencode, words), *(contents(path)[1] for path in (source, *names)))
            asked.update(os.fsdecode(name) for text in texts for name in maybe_asked(text))
        folders = _state_of_folders(words, source, names, sorted(asked), latest)
    except OSError:
        return None
    known.keep()
    hashes = tuple((name, file.digest) for name, file in zip(names, files[1:], strict=True))
    return Inputs(hashes, tuple(sorted(asked)), folders, tools)


def are_current(inputs: Inputs, words: Sequence[str], source: str) -> bool:
    """Whether a command with some words would read the same inputs for a source."""
    try:
        known = KnownFiles()
        same = all(known.digest_of(name) == digest for name, digest in inputs.files)
        names = [name for name, _ in inputs.files]
        return (
            same
            and all(version_of(name) == version for name, version in inputs.tools)
            and _state_of_folders(words, source, names, inputs.asked) == inputs.folders
        )
    except OSError:
        return False


def _prerequisites(rule: bytes) -> Iterator[str]:
    """Yield the files of a rule of make, as gcc and clang write it."""
    text = os.fsdecode(rule).replace("\\\n", " ").replace("\\ ", "\0").replace("\\#", "#").replace("$$", "$")
    for word in text.partition(": ")[2].split():
        yield word.replace("\0", " ")


def version_of(tool: str, latest: int | None = None) -> str:
    """Return what tells versions of a tool apart; empty where there is none, or it has changed after ``latest``. What
    keeps or distributes compilations stands for the compiler of its name; a script may choose by the environment."""
    found = next((path for path in _places(tool) if Path(path).resolve().name not in _WRAPPERS), None)
    if found is None:
        return ""
    state = Path(found).stat()
    if latest is not None and state.st_ctime_ns >= latest:
        return ""
    version = f"{found} {Path(found).resolve()} {state.st_size} {state.st_mtime_ns} {state.st_ctime_ns}"
    with Path(found).open("rb") as file:
        script = file.read() if file.read(len(_SCRIPT)) == _SCRIPT else b""
    return f"{version} {sha256(script + _environment()).hexdigest()}" if script else version


def _places(tool: str) -> Iterator[str]:
    """Yield the places of a tool by its name, or its names with colons, in the order in which it is looked for."""
    for name in tool.split(os.pathsep):
        if os.path.dirname(name):  # noqa: PTH120 - the spelling matters
            yield from (path for path in (shutil.which(name) or name,) if Path(path).exists())
            continue
        found = (shutil.which(name, path=folder) for folder in os.get_exec_path())
        yield from (path for path in found if path)


_OF_A_SHELL = frozenset({"PWD", "OLDPWD", "SHLVL", "_", "COLUMNS", "LINES", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"})


def _environment() -> bytes:
    """Return the whole environment but for what changes from command to command."""
    known = sorted(f"{name}={value}" for name, value in os.environ.items() if name not in _OF_A_SHELL)
    return "\0".join(known).encode(errors="surrogateescape")


def _state_of_folders(
    words: Sequence[str], source: str, names: Sequence[str], asked: Sequence[str], latest: int | None = None
) -> bytes:
    """Return a hash of the names in the folders of headers that a header's path has; raises OSError where one of them
    is newer than ``latest``."""
    listing = _Listing((*names, *asked), latest)
    state = sha256()
    searched = {*_searched(words), os.path.dirname(source)}  # noqa: PTH120
    folders = {*searched, *_folders_of(names)}
    for level in range(1, _levels_up(searched, names, asked) + 1):
        folders |= {f"{folder or '.'}{'/..' * level}" for folder in folders if not folder.endswith("/..")}
    for folder in sorted(folders):
        state.update(os.fsencode(folder) + _SEPARATOR + listing.of(folder or "."))
    return state.digest()


def _searched(words: Sequence[str]) -> Iterator[str]:
    """Yield the folders that a command names, those of the environment, and what compilers always look into."""
    yield _USUAL
    for variable in _FOLDER_VARIABLES:
        yield from os.environ[variable].split(os.pathsep) if variable in os.environ else ()
    for word, following in zip(words, (*words[1:], ""), strict=True):
        option = next((option for option in _FOLDER_OPTIONS if word.startswith(option)), "")
        if option:
            folders = word[len(option) :] or following
            yield from (folders, *folders.split(","))  # nvcc takes a list, too


def _folders_of(names: Iterable[str]) -> Iterator[str]:
    """Yield the folders of files, and those above them in which a compiler may have found them."""
    for name in names:
        folder = os.path.dirname(name)  # noqa: PTH120 - the spelling matters
        yield folder
        while f"/{_OF_COMPILERS}/" in f"{folder}/":
            yield folder
            folder = os.path.dirname(folder)  # noqa: PTH120


def _levels_up(searched: Iterable[str], names: Sequence[str], asked: Sequence[str]) -> int:
    """Return how many folders above one of headers a header was looked for, as ``#include "../a.h"`` has it."""
    starts = {"" if folder in ("", ".", "./") else f"{folder.rstrip('/')}/" for folder in searched}
    found = [*asked, *(name[len(start) :] for start in starts for name in names if name.startswith(start))]
    return max((len(list(itertools.takewhile("..".__eq__, name.split("/")))) for name in found), default=0)


class _Listing:
    """Names in folders, each read once: those that some paths have, also in folders of such names."""

    def __init__(self, paths: Iterable[str], latest: int | None) -> None:
        parts = [[part for part in path.split("/") if part] for path in paths]
        self._folders = frozenset(part for path in parts for part in path[:-1])
        self._wanted = self._folders.union(path[-1] for path in parts if path)
        self._latest = latest
        self._known: dict[str, bytes] = {}

    def of(self, folder: str, depth: int = 0) -> bytes:
        """Return the names in a folder, with those inside."""
        if folder not in self._known:
            self._known[folder] = b""  # for links that lead back here
            self._known[folder] = b"".join(self._entries(folder, depth))
        return self._known[folder]

    def _entries(self, folder: str, depth: int) -> Iterator[bytes]:
        try:
            found = sorted(self._wanted.intersection(os.listdir(folder)))  # noqa: PTH208 - without objects for all
        except NotADirectoryError:  # a header map, which names files itself
            raise
        except OSError:
            return
        for name in found:
            path = f"{folder}/{name}"
            is_folder = name in self._folders and Path(path).is_dir()
            if not is_folder and self._latest is not None and os.lstat(path).st_ctime_ns >= self._latest:
                raise OSError(path)
            inner = self.of(path, depth + 1) if is_folder and depth < _DEEPEST else b""
            yield os.fsencode(name) + _SEPARATOR + sha256(inner).digest()
