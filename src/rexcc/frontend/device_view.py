"""What the device's compiler makes of headers that it reads as they are.

In: a unit's files with probes, clang's arguments, and places of functions. Out: those of them that are not marked as
device code there. A library's headers may name the device's language and mean something else by it than its functions,
mark some of them, or mark them where a macro of its own is defined: clang reads the unit once more, as the device's
compiler does, and tells of each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from clang.cindex import Cursor, SourceLocation, TranslationUnit, TranslationUnitLoadError

from rexcc.clang import library, unit_files
from rexcc.clang.tree import FUNCTION_KINDS, kind_of
from rexcc.frontend.probe import ProbedFile
from rexcc.source.compiler_macros import for_libclang
from rexcc.source.text import to_bytes
from rexcc.target.model import Words

_GO_ON = 0x200
"""libclang's option by which a header that is missing ends no parse: CUDA's may be."""

Place = tuple[str, int]


def names_language(unit: TranslationUnit, paths: Iterable[str], words: Words) -> bool:
    """Whether one of the files that a unit has read has words of the device's language."""
    named = [to_bytes(word) for word in (words.device, *words.asked)]
    texts = (unit_files.file_contents(unit, path) for path in paths)
    return any(word in text for text in texts for word in named)


def without_mark(
    places: Collection[Place], main: str, files: Mapping[str, ProbedFile], arguments: tuple[str, ...], words: Words
) -> set[Place]:
    """Return those of the places at which there is a function that is no device code for the device's compiler."""
    unit = _as_device(main, files, arguments, words)
    return set(places) if unit is None else {place for place in places if not _may_be_device(unit, place, words)}


def _as_device(
    main: str, files: Mapping[str, ProbedFile], arguments: tuple[str, ...], words: Words
) -> TranslationUnit | None:
    unsaved = for_libclang({name: file.buffer for name, file in files.items()})
    kept = [a for a in arguments if "c++" in a or not a.startswith(("-std=", "--std="))]
    flags = [*kept, *words.read_by, "-Wno-everything", "-ferror-limit=0"]
    try:
        return library.index(in_order=False).parse(main, args=flags, unsaved_files=unsaved, options=_GO_ON)
    except TranslationUnitLoadError:
        return None


def _may_be_device(unit: TranslationUnit, place: Place, words: Words) -> bool:
    """Whether a function is marked; the device's compiler may have another one where there is none for it."""
    path, offset = place
    file = unit.get_file(path) if unit_files.file_contents(unit, path) else None
    found = Cursor.from_location(unit, SourceLocation.from_offset(unit, file, offset)) if file is not None else None
    if found is None or kind_of(found) not in FUNCTION_KINDS:
        return True
    declared = (found, found.canonical)
    return any(kind_of(child) == words.marked for one in declared for child in library.children(one))
