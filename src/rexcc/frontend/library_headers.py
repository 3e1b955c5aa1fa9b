"""Headers with directives that compilers take for the system's.

In: the user's files, where compilers look for the system's headers, and how to read files. Out: the headers there that
have directives, with all by which these are included. Compilers accept directives in such headers too: a library of
templates is found by ``-isystem``, as CMake names the folders of imported targets, is installed below ``/usr``, or says
``#pragma GCC system_header``. They are read as the user's, and so are those that define functions which device code
calls, once a translation has found that; what else lies in these folders is left to clang.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from rexcc.frontend.openmp_guards import all_guarded, macros_of_openmp
from rexcc.source.lexical import COMMENT, DIRECTIVE
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_TELLS = regex(
    r"\bomp\b(?!\.h)[^\n]*\b(?:target|requires|atomic|critical|barrier|flush"
    r"|declare[ \t_]+(?:target|variant|mapper|reduction))\b"
)
"""What is said of directives that device code cannot do without: its compiler reads none. A word in a comment costs a
parse, a directive that is missed the right result, so any text that has the words is taken for one."""
_TELLS_DEVICES = regex(r"\bomp\b(?!\.h)[^\n]*\b(?:target|requires|declare[ \t_]+(?:target|variant|mapper|reduction))\b")
"""What of it is said to devices alone. The others are about threads that meet: a library that has the words of a
device's language may have them for the host only."""
_SPLICE = regex(r"\\\r?\n")
_INCLUDE = regex(r"(?m)^[ \t]*(?:\#|%:)[ \t]*(?P<word>include(?:_next)?|import)[ \t]*(?P<name>\"[^\"\n]+\"|<[^>\n]+>)")
_IS_SYSTEM = regex(
    r"(?m)^[ \t]*(?:\#|%:)[ \t]*pragma[ \t]+(?:GCC|clang)[ \t]+system_header\b"
    r"|\b_Pragma[ \t]*\([ \t]*\"(?:GCC|clang)[ \t]+system_header\"[ \t]*\)"
)
_COMMENT = regex(COMMENT)
_LINE = regex(DIRECTIVE, re.MULTILINE)
_OF_RUNTIMES = frozenset({"omp.h", "ompx.h", "omp-tools.h"})
"""Headers of OpenMP itself, whose directives are about the host's variants of their functions."""

_OF_SYSTEM = "/usr/include"
"""The folder of the C library's headers, whose functions devices have by other ways, or not at all."""
_PARTS_OF_SYSTEM = regex(
    r"arpa|asm(?:-generic)?|bits|c\+\+|clang|finclude|gnu|linux|llvm.*|misc|mtd|net.*|nfs|oneapi|protocols"
    r"|pstl|python.*|rdma|rpc.*|scsi|sound|sys|tbb|valgrind|video|xen|[^/]*-linux-[^/]*"
)
"""The folders in it that are no library's of their own: of the C library, the kernel and compilers, and those whose
functions only a processor has."""

_MANY = 100
"""Headers of one folder: device code of so many is no longer text that anybody reads, and takes long to find."""

Resolve = Callable[[str, str, str], str | None]
"""Returns the path of the file that a file includes by a name, with its quotes or brackets, and a word."""


def has_directives(text: str) -> bool:
    """Whether a header has directives that matter to devices, or macros that make some, over several lines too."""
    return _has(_TELLS, text)


def has_device_directives(text: str) -> bool:
    """Whether a header has directives that no program without devices has, or macros that make some."""
    return _has(_TELLS_DEVICES, text)


def _has(pattern: re.Pattern[str], text: str) -> bool:
    if "omp" not in text:
        return False
    lines = (line for line in _SPLICE.sub(" ", text).split("\n") if "omp" in line)
    return any(map(pattern.search, lines))


def leading_to(wanted: Iterable[str], included: Mapping[str, Collection[str]]) -> set[str]:
    """Return the files from which one of those that are wanted is reached, these too."""
    includers: dict[str, list[str]] = {}
    for name, targets in included.items():
        for target in targets:
            includers.setdefault(target, []).append(name)
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += includers.get(name, ())
    return found


class Needed:
    """The headers that device code needs, of which those are read that lie in the folder of a library.

    ``words`` are those of the device's language: a library that has them gives its compiler other code than the host's.
    """

    def __init__(self, headers: Iterable[str], folders: Iterable[str], words: Iterable[str] = ()) -> None:
        self._words = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words) or r"(?!)")
        self._headers = {posixpath.normpath(header) for header in headers}
        self._folders = sorted({posixpath.normpath(folder) for folder in folders}, key=len, reverse=True)
        self._for_devices: set[str] = set()

    def is_of_library(self, path: str) -> bool:
        """Whether a header lies in a folder that the command line or the environment names, of a library there."""
        return self._folder_of(path) not in (_OF_SYSTEM, "")

    def see(self, path: str, text: str) -> None:
        """Take note of a header."""
        if self._words.search(text) is not None and self.is_of_library(path):
            self._for_devices.add(self._folder_of(path))

    def among(self, paths: Iterable[str]) -> set[str]:
        """Return those of the headers that are to be read."""
        wanted = (path for path in paths if posixpath.normpath(path) in self._headers) if self._headers else ()
        return {path for path in wanted if self.is_of_library(path)}

    def knows_devices(self, path: str) -> bool:
        """Whether a header is one of a library that has words of the device's language."""
        return self._folder_of(path) in self._for_devices

    def _folder_of(self, path: str) -> str:
        """Return the folder of a header's library; in that of the C library others have one of their own."""
        plain = posixpath.normpath(path)
        found = next((folder for folder in self._folders if plain.startswith(f"{folder}/")), "")
        library, _, rest = plain[len(found) + 1 :].partition("/") if found == _OF_SYSTEM else ("", "", "")
        return f"{found}/{library}" if rest and _PARTS_OF_SYSTEM.fullmatch(library) is None else found


def _begin_of_code(text: str) -> int:
    """Return where the first line of a header stands that is none of the preprocessor's, nor a comment."""
    rest = _LINE.sub(_blank, _COMMENT.sub(_blank, text))
    return len(rest) - len(rest.lstrip())


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def headers_read(
    asked: Iterable[tuple[str, str, str]], resolve: Resolve, read: Callable[[str], str | None], needed: Needed
) -> frozenset[str]:
    """Return the headers in the system's folders that lead to directives, or to what device code needs, by their
    shortest paths; ``asked`` are the user's files, the names of headers that they include, and the words by which they
    do. What one of them includes by its place beside it, or behind its first declarations, is read with it."""
    included: dict[str, list[str]] = {}
    lines: dict[str, list[tuple[int, str, str]]] = {}
    texts: dict[str, str] = {}
    first: dict[str, tuple[str, str]] = {}
    waiting = [target for one in asked if (target := resolve(*one)) is not None]
    while waiting:
        path = waiting.pop()
        text = None if path in included or posixpath.basename(path) in _OF_RUNTIMES else read(path)
        if text is None:
            continue
        known, known_text = first.setdefault(posixpath.normpath(path), (path, text))
        if known != path and known_text == text:  # ``a/../b/t.h`` is no other one than ``b/t.h``
            included[path] = [known]
            included[known].append(path)
            continue
        places = ((m.start(), m["name"], resolve(path, m["name"], m["word"])) for m in _INCLUDE.finditer(text))
        lines[path] = [(start, name, target) for start, name, target in places if target is not None]
        included[path] = [target for _, _, target in lines[path]]
        texts[path] = text
        waiting += included[path]
    if any(map(has_directives, texts.values())):
        for path, text in texts.items():
            needed.see(path, text)
    headers = _Headers(texts, lines, included)
    executed = headers.with_others(leading_to(needed.among(included), included), needed)
    found = headers.with_others(leading_to(_telling(texts, needed), included) | executed)
    return frozenset(map(posixpath.normpath, found))


@dataclass(frozen=True)
class _Headers:
    """Headers by their paths: their texts, what they include in which lines, and all that each includes."""

    texts: Mapping[str, str]
    lines: Mapping[str, Sequence[tuple[int, str, str]]]
    included: Mapping[str, Sequence[str]]

    def with_others(self, chosen: set[str], needed: Needed | None = None) -> set[str]:
        """Return some headers with what is read with them; ``needed`` where functions of theirs are."""
        found = set(chosen)
        waiting = [path for path in found if path in self.lines]
        while waiting:
            path = waiting.pop()
            others = _read_with(path, self.texts[path], self.lines[path], needed) - found
            more = leading_to(others, self.included) - found if others else set()
            found |= more
            waiting += more & self.lines.keys()
        return found


def _read_with(path: str, text: str, lines: Iterable[tuple[int, str, str]], needed: Needed | None) -> set[str]:
    """Return what is read with a header: what it has beside it, as a user's file, and where functions of it are
    ``needed`` what it includes behind its first declarations, which may need these."""
    code = _begin_of_code(text)
    return {
        target
        for start, name, target in lines
        if _is_beside(path, name, target) or (needed is not None and start > code and needed.is_of_library(target))
    }


def _is_beside(path: str, name: str, target: str) -> bool:
    """Whether a header includes another one by its place beside it."""
    near = posixpath.join(posixpath.dirname(path), name[1:-1])
    return name.startswith('"') and posixpath.normpath(near) == posixpath.normpath(target)


def _telling(texts: Mapping[str, str], needed: Needed) -> set[str]:
    """Return the headers whose directives device code cannot do without."""
    found = {path for path, text in texts.items() if has_directives(text)}
    macros = macros_of_openmp(texts.values()) if found else frozenset()
    left = (path for path in found if needed.knows_devices(path) and not has_device_directives(texts[path]))
    return found - {path for path in left if all_guarded(texts[path], _TELLS, macros)}


def folders_for_devices(
    texts: Mapping[str, str], main: str, folders: Iterable[str], words: Iterable[str]
) -> frozenset[str]:
    """Return the user's folders that hold a large library which says itself what of it is for devices.

    ``texts`` are those of the files that a program reads, by their paths. The folder of the program itself is none.
    """
    found: set[str] = set()
    for folder in folders if len(texts) > _MANY else ():
        inside = {path: text for path, text in texts.items() if path.startswith(f"{folder}/")}
        if len(inside) < _MANY or _is_below(main, folder):
            continue
        needed = Needed((), (folder,), words)
        for path, text in inside.items():
            needed.see(path, text)
        if all(map(needed.knows_devices, inside)) and not _telling(inside, needed):
            found.add(folder)
    return frozenset(found)


def _is_below(path: str, folder: str) -> bool:
    plain, above = posixpath.normpath(path), posixpath.normpath(folder)
    if set(above.split("/")) <= {".", ".."}:
        return not plain.startswith("/")
    return plain.startswith(f"{above}/")


def says_system(text: str) -> bool:
    """Whether a header tells compilers to take it for one of the system's."""
    return "system_header" in text and _IS_SYSTEM.search(text) is not None


def without_system(text: str) -> str:
    """Return a header's text with comments, as long, in place of what tells compilers so."""
    return _IS_SYSTEM.sub(_as_comment, text)


def _as_comment(match: re.Match[str]) -> str:
    kept = re.split("[Pp]ragma", match[0], maxsplit=1)[1]
    return f"{f'/*{kept}':{len(match[0]) - 2}}*/"


def arguments(lines: Iterable[tuple[str, str]], libraries: Collection[str]) -> tuple[str, ...]:
    """Return clang's arguments by which it takes headers for the user's; ``lines`` are names and paths of headers."""
    names = sorted({name[1:-1] for name, path in lines if path in libraries})
    return tuple(f"--no-system-header-prefix={name}" for name in names)


def with_system_folders(words: Iterable[str], is_systems: Callable[[str], bool]) -> Iterator[str]:
    """Give clang's arguments in which some folders of ``-I`` are the system's."""
    rest = iter(words)
    for word in rest:
        given = (word, next(rest, "")) if word == "-I" else (word,)
        folder = given[-1].removeprefix("-I") if word.startswith("-I") else ""
        yield from ("-isystem", folder) if folder and is_systems(folder) else given
