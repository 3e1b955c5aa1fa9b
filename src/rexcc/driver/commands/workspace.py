"""Where generated and temporary files lie.

In: options. Out: a folder, private and removed at the end unless the user wants to keep it, with one sub-folder for
each further unit whose file names would clash. This module writes the files of a translation. A private folder whose
name can be foreseen, in a temporary directory that others may write to as well, is empty, ours and locked, or not to be
had: nothing that somebody has put there is opened or followed.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from rexcc.driver.commands.plan import Unit
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input, Mode, UsageError
from rexcc.driver.options.languages import stem
from rexcc.driver.tools.toolchain import RUNTIME_SOURCES
from rexcc.pipeline import GeneratedFile, Translation
from rexcc.source.digests import sha256
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace
from rexcc.source.text import outside, to_bytes

_ATTEMPTS = 3
_DEEP = "/_" * 16
"""Below a private folder: a header's name that begins with ``../`` leads to none of the files beside that folder."""
_INCLUDE = regex(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def take(folder: str) -> int | None:
    """Make the folder, or take one that an earlier process left; return what holds its lock, None where it is taken."""
    for _ in range(_ATTEMPTS):
        try:
            Path(folder).mkdir(mode=0o700)
        except FileExistsError:
            pass
        except OSError:
            return None
        handle = _opened(folder)
        if handle is None:
            return None
        if _is_still(folder, handle):
            try:
                _empty(folder)
            except OSError:
                os.close(handle)
                return None
            return handle
        os.close(handle)  # its owner has removed it in the meantime
    return None


def _opened(folder: str) -> int | None:
    """Open and lock a folder that is ours alone."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
            raise PermissionError
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _is_still(folder: str, handle: int) -> bool:
    try:
        return os.path.samestat(Path(folder).lstat(), os.fstat(handle))
    except OSError:
        return False


def _empty(folder: str) -> None:
    for path in list(Path(folder).iterdir()):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


DRY_RUN_FOLDER = "rexcc-temps"
EMIT_FOLDER = "rexcc-src"


@dataclass
class Workspace:
    """A folder; ``keep`` it at the end, because it is the user's or because an error message names a file in it."""

    folder: str
    keep: bool


@contextmanager
def open_workspace(options: Options) -> Iterator[Workspace]:
    """Give the folder for generated files, made and removed as needed."""
    wanted = _kept_folder(options)
    if wanted:
        if not options.dry_run:
            make_folder(Path(wanted))
        yield Workspace(wanted, keep=True)
        return
    private, lock = _private_folder(options)
    workspace = Workspace(f"{private}{_DEEP}", keep=False)
    Path(workspace.folder).mkdir(parents=True)
    try:
        with _temporary_files_in(private):
            yield workspace
    finally:
        if not workspace.keep:
            shutil.rmtree(private, ignore_errors=True)
        if lock is not None:
            os.close(lock)


@contextmanager
def _temporary_files_in(folder: str) -> Iterator[None]:
    """Have programs that are started put their temporary files there: nvcc leaves its own when it is ended."""
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before


def make_folder(folder: Path) -> None:
    """Make a folder that the user has named, where it is not there. Raises UsageError where he has named a file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(f"'{folder}' is a file; name a folder for what is generated") from None


def _private_folder(options: Options) -> tuple[str, int | None]:
    """Make a folder named after the command line: compilers put its name, or a hash of it, into what they make.

    Where that name is taken, because the same command is running already or somebody else has it, any other does. What
    an earlier run left, killed or with errors, makes room. The second result holds the folder's lock.
    """
    words = "\0".join((os.getcwd(), *options.argv))  # noqa: PTH109 - the bytes matter, not the path
    name = sha256(words.encode(errors="surrogateescape")).hexdigest()[:12]
    folder = f"{tempfile.gettempdir()}/rexcc-{name}"
    lock = take(folder)
    return (folder, lock) if lock is not None else (tempfile.mkdtemp(prefix="rexcc-"), None)


def _kept_folder(options: Options) -> str | None:
    if options.mode is Mode.EMIT_SOURCES:
        return options.output or EMIT_FOLDER
    if options.save_temps == "cwd":
        return "."
    if options.save_temps == "obj":
        return os.path.dirname(options.output or "") or "."  # noqa: PTH120 - the spelling of the user's path is kept
    return options.save_temps or (DRY_RUN_FOLDER if options.dry_run else None)


def unit_folders(folder: str, sources: Sequence[Input]) -> tuple[str, ...]:
    """Return a folder for each source: the workspace, or a numbered sub-folder where base names clash."""
    folders: list[str] = []
    taken: set[str] = set()
    for source in sources:
        name = stem(source.path)
        folders.append(f"{folder}/{source.index + 1}" if name in taken else folder)
        taken.add(name)
    return tuple(folders)


def with_own_headers(folder: str, units: Sequence[Unit]) -> list[Unit]:
    """Return the units, with a numbered sub-folder for each that makes a header that an earlier one made otherwise: its
    regions have other names there, and the user's macros may give them other texts."""
    found: list[Unit] = []
    made: dict[tuple[str, str], str] = {}
    for unit in units:
        headers = {(unit.folder, header.name): header.text for header in unit.translation.headers}
        if any(made.get(place, text) != text for place, text in headers.items()):
            unit = replace(unit, folder=f"{folder}/{unit.source.index + 1}")
        made = headers | made
        found.append(unit)
    return found


def generated_files(translation: Translation) -> tuple[GeneratedFile, ...]:
    """Return the files of a translation."""
    files = (translation.host, translation.device, translation.cpu_device, *translation.headers)
    return tuple(file for file in files if file)


def write_generated(unit: Unit, dated_as_source: bool) -> None:
    """Write the generated files of a unit.

    With ``dated_as_source`` they get the date of the user's file, a fixed one for standard input: compilers write it
    into line tables, and the same input has to give the same bytes.
    """
    if _DEEP not in unit.folder:
        _refuse_other_headers(unit)
    for file in generated_files(unit.translation):
        path = _write(Path(unit.folder), file)
        if dated_as_source:
            date = 0 if unit.source.data is not None else Path(unit.source.path).stat().st_mtime_ns
            os.utime(path, ns=(date, date))


def _refuse_other_headers(unit: Unit) -> None:
    """Raise UsageError where a folder that the user has named has a header which a rewritten file would take for the
    one that he means."""
    files = generated_files(unit.translation)
    ours = {file.name for file in files}
    beside = Path(unit.source.path).parent
    for name in dict.fromkeys(outside(name) for file in files for name in _INCLUDE.findall(file.text)):
        found, meant = Path(unit.folder, name), beside / name
        is_other = found.is_file() and not (meant.is_file() and found.samefile(meant))
        if is_other and name not in ours and not (RUNTIME_SOURCES / "include" / name).is_file():
            what = f"'{unit.source.name}' includes \"{name}\", and the generated file would include '{found}'"
            raise UsageError(f"{what} instead; keep generated files in another folder")


def _write(folder: Path, file: GeneratedFile) -> Path:
    name = PurePosixPath(file.name)
    if name.is_absolute() or ".." in name.parts:
        raise ValueError(f"generated file outside its folder: {file.name}")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, to_bytes(file.text))
    return path


def write_file(path: Path, data: bytes) -> None:
    """Write a file; raise OSError with its name, which a full disk does not say."""
    try:
        path.write_bytes(data)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, str(path)) from problem
