"""The user's files of one translation unit.

In: the main file's path and the include flags. Out: every file reachable through ``#include`` lines that the user's own
include directories resolve, scanned for directives; digraphs are the usual tokens, each followed by a blank where the
digraph was longer, so that nothing moves. System headers are left to clang, but for those that have directives
(``library_headers``). An include in an inactive branch is followed too, which costs a little time and changes nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rexcc.frontend import library_headers
from rexcc.frontend.scan import FileScan, IncludeLine, scan
from rexcc.source.lexical import BRACKET, COMMENT, LITERAL
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace
from rexcc.source.text import SourceText

if TYPE_CHECKING:
    from clang.cindex import TranslationUnit

_MEANS = {"<%": "{", "%>": "}", "<:": "[", ":>": "]", "%:": "#", "%:%:": "##"}
_TOKEN = regex(rf"{COMMENT}|{LITERAL}|(?P<digraph>%:%:|<%|%>|{BRACKET}|:>|%:)")
_ANY = regex(r"<%|%>|<:|:>|%:")


def without_digraphs(text: str) -> str:
    """Return a text in which the usual tokens stand for digraphs; raw strings of C++ keep all that is theirs."""
    if _ANY.search(text) is None or 'R"' in text:
        return text
    return _TOKEN.sub(lambda m: _MEANS[m["digraph"]].ljust(len(m[0])) if m["digraph"] else m[0], text)


ReadFile = Callable[[str], bytes | None]
Several = Mapping[tuple[str, int], Sequence[str]]
"""The files that a line of a file includes when that is included repeatedly; by the file and the line's offset."""
_HIDES = regex(r"\b_Pragma\b|\bomp\b(?!\.h[>\"])")
"""What may become a directive; the name of OpenMP's header does not."""

_OPTIONS = ("-I", "-iquote", "-include", "-imacros", "-isystem", "-idirafter")
_EMBEDS = regex(r"(?:#|%:)[ \t]*embed\b|\b__has_embed\b")


@dataclass(frozen=True)
class SearchPath:
    """The user's include directories: for quoted names only, and for both forms; those of the command line that
    compilers take for the system's, and the headers in them that are read as the user's, by their shortest paths."""

    quoted: tuple[str, ...]
    both: tuple[str, ...]
    forced: tuple[str, ...]
    system: tuple[str, ...] = ()
    libraries: frozenset[str] = frozenset()

    @classmethod
    def from_arguments(cls, arguments: Sequence[str]) -> SearchPath:
        """Read the options for directories and files from clang arguments, joined or separate. A directory that is the
        system's too is no other one, as compilers say."""
        found: dict[str, list[str]] = {option: [] for option in _OPTIONS}
        waiting = ""
        for argument in arguments:
            if waiting:
                found[waiting].append(argument)
                waiting = ""
            elif argument in found:
                waiting = argument
            else:
                for option in found:
                    if argument.startswith(option):
                        found[option].append(argument.removeprefix(option))
        system = (*found["-isystem"], *found["-idirafter"])
        known = {posixpath.normpath(folder) for folder in system}
        both = tuple(folder for folder in found["-I"] if posixpath.normpath(folder) not in known)
        return cls(tuple(found["-iquote"]), both, (*found["-imacros"], *found["-include"]), system)

    def without(self, folders: Collection[str]) -> SearchPath:
        """Return a path by which some of the user's folders are the system's."""
        both = tuple(folder for folder in self.both if folder not in folders)
        gone = tuple(folder for folder in self.both if folder in folders)
        return replace(self, both=both, system=(*gone, *self.system))


_Made = TypeVar("_Made")


class Last(Generic[_Made]):
    """The last thing that was made of one translation's files, with what it was made of."""

    def __init__(self) -> None:
        self._known: tuple[object, _Made] | None = None

    def of(self, question: object, make: Callable[[], _Made]) -> _Made:
        """Return what ``make`` gives, or the last one, if it was made of the same."""
        if self._known is None or self._known[0] != question:
            self._known = None
            self._known = question, make()
        return self._known[1]


class LastParses:
    """What stages of one translation have in common: clang's units, and the programs that are made of them."""

    def __init__(self) -> None:
        self.units: Last[TranslationUnit | None] = Last()
        self.programs: Last[Any] = Last()


@dataclass(frozen=True)
class UserFiles:
    """The main file first, then its user headers in the order they are met; keys are paths as clang spells them.

    ``forced`` are those that the command line puts in front of the main file, ``lambda_classes`` the names of the
    classes that the user's lambdas have become; ``embedded`` are the files of ``#embed`` lines, where the host's
    compiler knows no such line; ``libraries`` are headers that compilers take for the system's; ``asked_headers`` are
    those that device code needs, whether they could be read as the user's or not; ``device_folders`` are those of the
    search path that hold a large library for devices; ``ending`` are libraries' of which what throws ends a program on
    the device; ``system`` are folders that compilers take for the system's; ``last`` is the same for all files of a
    translation.
    """

    main: str
    scans: dict[str, FileScan]
    included: dict[str, tuple[tuple[IncludeLine, str], ...]]
    forced: tuple[str, ...] = ()
    lambda_classes: frozenset[str] = frozenset()
    embedded: tuple[str, ...] = ()
    libraries: frozenset[str] = frozenset()
    asked_headers: frozenset[str] = frozenset()
    device_folders: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()
    system: tuple[str, ...] = ()
    last: LastParses = field(default_factory=LastParses, compare=False, repr=False)

    def source(self, name: str) -> SourceText:
        """Return the text of a file."""
        return self.scans[name].source

    @property
    def has_pragmas(self) -> bool:
        """Whether any file holds an OpenMP directive."""
        return any(s.pragmas or s.problems for s in self.scans.values())

    @property
    def may_have_pragmas(self) -> bool:
        """Whether any file holds an OpenMP directive, or something that may expand to one."""
        return self.has_pragmas or any(_HIDES.search(s.source.text) for s in self.scans.values())

    @property
    def may_embed(self) -> bool:
        """Whether any file may have a line of ``#embed``, or asks whether it may."""
        return any(_EMBEDS.search(s.source.text) for s in self.scans.values())

    def without_unreached(self, candidates: Collection[str]) -> UserFiles:
        """Return the files without those of some that no file includes any more."""
        kept = {target for lines in self.included.values() for _, target in lines}
        gone = {name for name in candidates if name not in (*kept, *self.forced, self.main)}
        if not gone:
            return self
        scans = {name: found for name, found in self.scans.items() if name not in gone}
        return replace(self, scans=scans, included={name: self.included[name] for name in scans})


def with_libraries(
    files: UserFiles,
    search: SearchPath,
    read_file: ReadFile,
    needed: Collection[str] = (),
    words: Collection[str] = (),
) -> SearchPath:
    """Return a search path by which headers of the system's folders that have directives, or that device code needs,
    are the user's files; ``words`` are those of the device's language that libraries for it have."""
    if not search.system:
        return search

    everywhere = replace(search, both=(*search.both, *search.system), system=())

    def resolved(includer: str, name: str, word: str) -> str | None:
        return resolve(includer, IncludeLine(0, 0, name, word), everywhere, (), read_file)

    def text_of(path: str) -> str | None:
        data = read_file(path)
        return SourceText.from_bytes(path, data).text if data is not None else None

    known = {name: {line for line, _ in lines} for name, lines in files.included.items()}
    asked = [
        (n, line.name, line.word) for n, found in files.scans.items() for line in found.includes if line not in known[n]
    ]
    found = library_headers.headers_read(asked, resolved, text_of, library_headers.Needed(needed, search.system, words))
    return replace(search, libraries=found)


def gather(path: str, search: SearchPath, read_file: ReadFile, several: Several | None = None) -> UserFiles | None:
    """Read and scan the main file and its user headers; None when the main file cannot be read. ``several`` are the
    files of lines that include one after the other."""
    scans: dict[str, FileScan] = {}
    included: dict[str, tuple[tuple[IncludeLine, str], ...]] = {}
    forced = [_forced(name, search, read_file) for name in search.forced]
    waiting = [path, *forced]
    known: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name in scans:
            continue
        data = read_file(name)
        if data is None:
            continue
        known[name] = None
        scans[name] = scan(SourceText(name, without_digraphs(SourceText.from_bytes(name, data).text)))
        found: list[tuple[IncludeLine, str]] = []
        for line in scans[name].includes:
            target = resolve(name, line, search, known, read_file)
            if target is not None:
                known[target] = None
                found.append((line, target))
        for line in scans[name].computed if several else ():
            targets = several.get((name, line.start), ()) if several else ()
            known.update(dict.fromkeys(targets))
            found += [(line, target) for target in targets]
        included[name] = tuple(found)
        waiting += [target for _, target in found]
    if path not in scans:
        return None
    libraries = {name for name in scans if _is_among(name, search.libraries)}
    libraries |= _said_to_be_system(scans, included, forced)
    for name in libraries:
        scans[name] = scan(SourceText(name, library_headers.without_system(scans[name].source.text)))
    forced = [name for name in forced if name in scans]
    return UserFiles(path, scans, included, tuple(forced), libraries=frozenset(libraries), system=search.system)


def _said_to_be_system(
    scans: Mapping[str, FileScan],
    included: Mapping[str, tuple[tuple[IncludeLine, str], ...]],
    forced: Collection[str],
) -> set[str]:
    """Return the files that tell compilers to take them for the system's, and whose declarations device code needs:
    they lead to directives, no line includes them, or they stand in front of the system's own of that name."""
    found = {name for name, file in scans.items() if library_headers.says_system(file.source.text)}
    if not found:
        return found
    telling = (name for name, file in scans.items() if library_headers.has_directives(file.source.text))
    targets = {name: [target for _, target in lines] for name, lines in included.items()}
    wrapping = (name for name, file in scans.items() if any(line.word == "include_next" for line in file.includes))
    return found & (library_headers.leading_to(telling, targets) | {*forced, *wrapping})


def rewritten(files: UserFiles, sources: Mapping[str, SourceText]) -> UserFiles:
    """Return the files with other texts for some of them, which include the same files."""
    scans, included = dict(files.scans), dict(files.included)
    for name, source in sources.items():
        scans[name] = scan(source)
        targets = {(line.word, line.name): target for line, target in files.included[name]}
        found = ((line, targets.get((line.word, line.name))) for line in scans[name].includes)
        included[name] = tuple((line, target) for line, target in found if target is not None)
    return replace(files, scans=scans, included=included)


def _forced(name: str, search: SearchPath, read_file: ReadFile) -> str:
    """Return the path of a file of ``-include``: in the working directory, or where quoted names are."""
    found = (posixpath.join(folder, name) for folder in ("", *search.quoted, *search.both))
    return next((path for path in found if read_file(path) is not None), name)


def resolve(
    includer: str, line: IncludeLine, search: SearchPath, known: Collection[str], read_file: ReadFile
) -> str | None:
    """Return the path of the user's file that a line includes, None for one that is not in his folders."""
    name = line.name[1:-1]
    if posixpath.isabs(name):
        return name if read_file(name) is not None else None
    folders = (*search.both, *search.system)
    if line.name.startswith('"'):
        folders = (posixpath.dirname(includer), *search.quoted, *folders)
    if line.word == "include_next":
        folders = _behind(includer, name, folders)
    found = _candidates(name, (folder for folder in folders if folder not in search.system))
    libraries = (path for path in _candidates(name, folders) if _is_among(path, search.libraries))
    return _first(found, known, read_file) or _first(libraries, known, read_file)


def _is_among(path: str, plain_paths: Collection[str]) -> bool:
    return bool(plain_paths) and posixpath.normpath(path) in plain_paths


def _candidates(name: str, folders: Iterable[str]) -> Iterator[str]:
    return (posixpath.join(folder, name) if folder else name for folder in folders)


def _behind(includer: str, name: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders behind that of the includer, which has the name of what it includes; all for another one."""
    paths = [posixpath.normpath(path) for path in _candidates(name, folders)]
    places = [at for at, path in enumerate(paths) if path == posixpath.normpath(includer)]
    return folders[places[-1] + 1 :] if places else folders


def _first(candidates: Iterable[str], known: Collection[str], read_file: ReadFile) -> str | None:
    """Return the path of the first file that there is."""
    for candidate in candidates:
        if candidate in known:
            return candidate
        data = read_file(candidate)
        if data is not None:
            return _known_as(candidate, data, known, read_file) or candidate
    return None


def _known_as(path: str, data: bytes, known: Collection[str], read_file: ReadFile) -> str | None:
    """Return the path by which a file is known, ``t.h`` for ``../d/t.h``: to clang it is one file."""
    plain = posixpath.normpath(path)
    same = (name for name in known if posixpath.normpath(name) == plain)
    return next((name for name in same if read_file(name) == data), None)
