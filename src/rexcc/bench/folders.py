"""Folders without a manifest: programs by the look of the files.

In: a folder. Out: a :class:`Manifest`. A folder with sources in it has a program for each, with the ``.cu`` file of
the same name as its CUDA version; a folder of folders has a program for each, all of its sources together.
"""

from __future__ import annotations

from pathlib import Path

from rexcc.bench.keys import ManifestError
from rexcc.bench.manifest import Manifest, Program, read_manifest

MANIFEST = "bench.toml"
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".C")


def find(written: str) -> Manifest:
    """Return what a path of the command line means: a manifest, a folder with one, a folder of programs, or one."""
    path = Path(written)
    if path.is_file() and path.suffix in SOURCES:
        return Manifest(path.stem, path.resolve().parent, (_of_file(path.resolve()),))
    if path.is_file():
        return read_manifest(path, written)
    if not path.is_dir():
        raise ManifestError(f"no such manifest or folder: '{written}'")
    if (path / MANIFEST).is_file():
        return read_manifest(path / MANIFEST, str(path / MANIFEST))
    return look(path.resolve())


def look(folder: Path) -> Manifest:
    """Return a manifest for the programs of a folder."""
    own = _files(folder, SOURCES)
    programs = [_of_file(source) for source in own] if own else [_of_folder(f) for f in _program_folders(folder)]
    if not programs:
        raise ManifestError(f"no {MANIFEST} and no C or C++ sources in '{folder}'")
    return Manifest(folder.name, folder, tuple(programs))


def _files(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in suffixes and path.is_file())


def _program_folders(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.is_dir() and _files(path, SOURCES)]


def _of_file(source: Path) -> Program:
    twin = source.with_suffix(".cu")
    return Program(source.stem, (source,), cuda_sources=(twin,) if twin.is_file() else ())


def _of_folder(folder: Path) -> Program:
    return Program(folder.name, tuple(_files(folder, SOURCES)), cuda_sources=tuple(_files(folder, (".cu",))))
