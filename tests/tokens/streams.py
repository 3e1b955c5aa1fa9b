"""What the preprocessor makes of a file, token for token, with the places in the files as they lie there.

In: a command line and the files whose tokens are looked at, with what shall be read in their place. Out:
:class:`Stream`. The tokens are clang's (``-dump-tokens``). Places must not follow ``#line``, values of ``__LINE__`` and
``__FILE__`` must: where there is such a directive clang reads the files twice, once with blanks in its place.

Directives of OpenMP become words, so that they are tokens with places like all others: ``#pragma omp`` is
``_pragma omp``.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import posixpath
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_PRAGMA = re.compile(rb"^([ \t]*)#(?=[ \t]*pragma[ \t]+omp\b)", re.MULTILINE)
_LINE = re.compile(rb"^[ \t]*#[ \t]*(?:line\b|\d)(?:\\[ \t]*\r?\n|[^\r\n])*", re.MULTILINE)
_PLACE = re.compile(
    rb"\tLoc=<(?P<path>.*?):(?P<line>\d+):(?P<column>\d+)"
    rb"(?: <Spelling=(?P<spelt>.*):(?P<spelt_line>\d+):(?P<spelt_column>\d+)>)?>$"
)


@dataclass(frozen=True)
class Place:
    """A place in a file."""

    path: str
    line: int
    column: int


@dataclass(frozen=True)
class Expanded:
    """A token behind the preprocessor: where it stands, that of a macro's use where one has made it, and where its
    characters stand if that is elsewhere."""

    text: str
    place: Place
    spelt: Place | None


@dataclass
class Stream:
    """The tokens of the files that are looked at, and the lines of clang's about all others."""

    tokens: list[Expanded] = field(default_factory=list)
    others: list[bytes] = field(default_factory=list)


class NotPreprocessedError(Exception):
    """clang does not read the file."""


def stream(command: Sequence[str], files: Mapping[str, bytes], folder: Path, work: Path) -> Stream:
    """Return the tokens that a command makes; ``files`` are those that are looked at, by absolute path.

    The command runs in ``folder``; ``work`` is an empty folder for what is read in place of the files.
    """
    texts = {path: _PRAGMA.sub(rb"\1_", data) for path, data in files.items()}
    found = _lines(command, texts, folder, work / "true")
    places = {path: _LINE.sub(_blank, data) for path, data in texts.items()}
    located = found if places == texts else _lines(command, places, folder, work / "located")
    if len(found) != len(located):
        raise NotPreprocessedError("the number of tokens depends on #line")
    return _taken_apart(found, located, folder, files)


@functools.cache
def _quick() -> dict[str, str]:
    """Return an environment in which clang writes its tokens in large pieces."""
    folder = Path(tempfile.mkdtemp(prefix="rexcc-tokens-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = folder / "buffered.so"
    source = Path(__file__).with_name("buffered.c")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


def _blank(match: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", match[0])


def _lines(command: Sequence[str], texts: Mapping[str, bytes], folder: Path, work: Path) -> list[bytes]:
    """Return what clang says of each token, a line for each, with other texts in place of files."""
    work.mkdir(parents=True)
    roots = []
    for number, (path, data) in enumerate(texts.items()):
        (work / str(number)).write_bytes(data)
        roots.append({"name": path, "type": "file", "external-contents": str(work / str(number))})
    overlay = {"version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": roots}
    (work / "overlay").write_text(json.dumps(overlay))
    argv = [*command, "-ivfsoverlay", str(work / "overlay"), "-w", "-Xclang", "-dump-tokens", "-fsyntax-only"]
    with (work / "said").open("wb") as said_here:  # not a pipe: clang writes word by word
        done = subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, stderr=said_here, env=_quick(), check=False)
    found = (work / "said").read_bytes()
    if done.returncode:
        said = [line for line in found.split(b"\n") if b"error:" in line]
        raise NotPreprocessedError((said or [b"clang fails"])[0].decode("utf-8", "replace"))
    lines: list[bytes] = []
    waiting = b""
    for line in found.split(b"\n"):
        if b"\tLoc=<" in line:
            lines.append(waiting + line)
            waiting = b""
        else:
            waiting += line + b"\n"
    return lines


def _taken_apart(found: list[bytes], located: list[bytes], folder: Path, files: Mapping[str, bytes]) -> Stream:
    result = Stream()
    known: dict[bytes, str | None] = {}
    for true, line in zip(found, located, strict=True):
        start = line.rindex(b"\tLoc=<") + 6
        path = line[start : line.index(b":", start)]
        if path not in known:
            whole = posixpath.normpath(posixpath.join(str(folder), path.decode("utf-8", "surrogateescape")))
            known[path] = whole if whole in files else None
        if known[path] is None:
            result.others.append(line.partition(b" <Spelling=")[0])
            continue
        match = _PLACE.search(line)
        assert match is not None, line
        text = true[true.index(b"'") + 1 :]
        if text.startswith(b"'\t"):  # the end of the file
            continue
        result.tokens.append(
            Expanded(
                text[: text.index(b"'\t")].decode("latin-1"),
                Place(known[path] or "", int(match["line"]), int(match["column"])),
                _spelt(match, folder),
            )
        )
    return result


def _spelt(match: re.Match[bytes], folder: Path) -> Place | None:
    if match["spelt"] is None:
        return None
    path = match["spelt"].decode("utf-8", "surrogateescape")
    whole = path if path.startswith("<") else posixpath.normpath(posixpath.join(str(folder), path))
    return Place(whole, int(match["spelt_line"]), int(match["spelt_column"]))
