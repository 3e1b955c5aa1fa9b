"""The lowering report: a page of the program, and one of each file of a command.

In: translated units and what their compilers have told. Out: files in the folder that ``-o`` or ``--report=`` names. A
file's page is named after it; what it says in short stands in ``report.json`` too, and what the program's page shows of
it in a hidden file, so that commands which compile one file each come together. Several may run at a time: each has the
folder to itself while it writes. What kernels take whose device code is linked with that of other files is known at the
link: until then the unit's report waits in the folder (:mod:`rexcc.report.stored`).
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rexcc.driver.commands.plan import Stage, Unit
from rexcc.driver.commands.run import Outcome
from rexcc.driver.commands.workspace import make_folder, write_file
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode, UsageError
from rexcc.driver.tools.toolchain import Toolchain
from rexcc.pipeline import ReadFile
from rexcc.report import SCRIPT, STYLE
from rexcc.report.figures import Figures
from rexcc.report.index import index
from rexcc.report.page import INDEX, Looks, Part, page, part
from rexcc.report.profile import NO_PROFILE, Profile, ProfileError, profile_of
from rexcc.report.stored import StoredUnit, document_of, stored_of
from rexcc.report.summary import VERSION, record_of, summaries, summary_of
from rexcc.source.diagnostics import Severity
from rexcc.source.records import dataclass, names_of_fields
from rexcc.source.text import SourceText, outside
from rexcc.target.occupancy import Usage

RECORD = "report.json"
_WAITING = ".unit"
_PART = ".part"


def read_profile(options: Options) -> Profile:
    """Return the profile that the options name. Raises UsageError where it is none."""
    if options.profile is None:
        return NO_PROFILE
    if options.report_folder is None:
        raise UsageError("--profile=FILE is for a report: --emit=report, or --report=DIR")
    try:
        return profile_of(json.loads(Path(options.profile).read_text(encoding="utf-8")))
    except OSError as problem:
        raise UsageError(f"--profile: cannot read '{options.profile}': {problem.strerror}") from None
    except (ProfileError, ValueError) as problem:
        raise UsageError(f"{options.profile}: {problem}") from None


def write_report(
    options: Options,
    tools: Toolchain,
    units: Iterable[Unit],
    outcomes: Sequence[Outcome],
    reader: Callable[[Unit], ReadFile],
) -> None:
    """Write the pages of units with target constructs, and the program's."""
    folder = Path(options.report_folder or "")
    profile = read_profile(options)
    pages: dict[str, _Page] = {}
    for unit in units:
        told = unit.translation.report
        if told is None or not told.constructs:
            continue
        stored = StoredUnit(told, tuple(_texts(told.files, reader(unit))), profile)
        usages, failed = _usages(unit, outcomes)
        usages = _linked(stored, outcomes) or usages
        figures = Figures(usages, "" if usages else _missing(options, tools, unit, failed), profile)
        pages[page_name(unit.source.name, str(folder))] = _Page(
            stored, figures, not usages and told.has_calls_elsewhere
        )
    if pages:
        with _alone_in(folder):
            _write_pages(folder, pages)
    elif options.mode is Mode.REPORT:
        report.message(Severity.NOTE, "no target constructs here: there is nothing to report")


def add_linked(options: Options, outcomes: Sequence[Outcome]) -> None:
    """Write the pages anew of units whose kernels take what links of device code have told."""
    folder = Path(options.report_folder or "")
    if not folder.is_dir():
        return
    with _alone_in(folder):
        found = {path: stored for path in sorted(folder.glob(_waiting("*"))) if (stored := _stored(path)) is not None}
        pages = {
            path.name.removeprefix(".").removesuffix(_WAITING): _Page(stored, Figures(usages, "", stored.profile), True)
            for path, stored in found.items()
            if (usages := _linked(stored, outcomes))
        }
        if pages:
            _write_pages(folder, pages)


@dataclass(frozen=True)
class _Page:
    """A unit and what is known of its kernels; ``waits``: a link may tell more."""

    stored: StoredUnit
    figures: Figures
    waits: bool


def _write_pages(folder: Path, pages: Mapping[str, _Page]) -> None:
    """Write pages by their names, and the program's."""
    looks = Looks(STYLE.read_text(encoding="utf-8"), SCRIPT.read_text(encoding="utf-8"))
    records: dict[str, Any] = {}
    for name, made in pages.items():
        unit = made.stored.unit
        texts = dict(made.stored.texts)
        _write(folder / name, page(unit, texts, made.figures, looks))
        _write(folder / _part_name(name), json.dumps(_plain(part(name, unit, texts, made.figures))))
        records[name] = {"constructs": [record_of(one) for one in summaries(unit, made.figures)]}
        if made.waits:
            _write(folder / _waiting(name), json.dumps(document_of(made.stored)))
        else:
            (folder / _waiting(name)).unlink(missing_ok=True)
    known = _known_records(folder) | records
    _write(folder / RECORD, json.dumps({"version": VERSION, "pages": known}, indent=1, sort_keys=True) + "\n")
    found = {name: [summary_of(one) for one in record["constructs"]] for name, record in known.items()}
    parts = {name: shown for name in found if (shown := _part(folder / _part_name(name))) is not None}
    _write(folder / INDEX, index(found, parts, looks))


def _part_name(name: str) -> str:
    """Return the name of the file with what the program's page shows of a file."""
    return f".{name}{_PART}"


def _plain(shown: Part) -> dict[str, Any]:
    fields = {name: getattr(shown, name) for name in names_of_fields(shown) or ()}
    return {"version": VERSION, "part": {name: str(value) for name, value in fields.items()}}


def _part(path: Path) -> Part | None:
    """Return what is known of a file; None where that is of another version of rexcc."""
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Part(**known["part"]) if known.get("version") == VERSION else None


def _waiting(name: str) -> str:
    """Return the name of the file in which the unit of a page waits for a link."""
    return f".{name}{_WAITING}"


def _stored(path: Path) -> StoredUnit | None:
    try:
        return stored_of(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def page_name(source: str, folder: str) -> str:
    """Return the name of the page of a file: its path from the report's folder, without the way up."""
    below = [part for part in Path(os.path.relpath(source, folder)).parts if part != os.pardir]
    return f"{'+'.join(below)}.html"


def _usages(unit: Unit, outcomes: Iterable[Outcome]) -> tuple[tuple[Usage, ...], bool]:
    """Return what a unit's kernels take, as the device's compilers have told, and whether one of these has failed."""
    usages: list[Usage] = []
    failed = False
    for outcome in outcomes:
        command = outcome.command
        if command.target is not None and command.source == unit.source.name:
            usages += _told(outcome)
            failed |= bool(outcome.status)
    return tuple(usages), failed


def _linked(stored: StoredUnit, outcomes: Iterable[Outcome]) -> tuple[Usage, ...]:
    """Return what a unit's kernels take, as links of device code have told."""
    links = (outcome for outcome in outcomes if outcome.command.stage is Stage.DEVICE_LINK)
    return tuple(usage for outcome in links for usage in _told(outcome) if usage.kernel in stored.kernels)


def _told(outcome: Outcome) -> tuple[Usage, ...]:
    """Return what kernels take, as a compiler or linker of device code has told."""
    target = outcome.command.target
    printed = (outcome.stdout + outcome.stderr).decode("utf-8", "replace")
    return () if target is None else target.tools.messages.usages(printed)


def _missing(options: Options, tools: Toolchain, unit: Unit, failed: bool) -> str:
    """Return why nothing is known of what a unit's kernels take."""
    device, told = options.device.tools, unit.translation.report
    if not any(image.target.multiprocessors for image in unit.translation.images):
        if options.may_be_for(options.device) and tools.device is None:
            return f"no {device.title} ({device.compiler}) here, which tells what kernels take; {device.remedy}"
        return f"compiled for the CPU device alone; {device.compiler} tells what kernels take on a GPU"
    if failed:
        return f"{device.compiler} has failed"
    if told is not None and told.has_calls_elsewhere:
        what = "kernels call functions of other files, and what they take is known when these are linked"
        return f"{what}: with --report={options.report_folder}, too"
    if options.mode is Mode.SYNTAX:
        return "nothing was compiled (-fsyntax-only)"
    return f"{device.compiler} has not told"


def _texts(paths: Iterable[str], read: ReadFile) -> Iterator[tuple[str, str]]:
    """Yield the user's files that there are, each with its text."""
    for path in paths:
        data = read(outside(path))
        if data is not None:
            yield path, SourceText.from_bytes(path, data).text


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Make the folder, and keep other commands from writing to it meanwhile."""
    make_folder(folder)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _known_records(folder: Path) -> dict[str, Any]:
    """Return the records of the pages that are there; those of another version of rexcc are left out."""
    try:
        known = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(known, Mapping) or known.get("version") != VERSION:
        return {}
    return {name: record for name, record in known["pages"].items() if (folder / name).is_file()}


def _write(path: Path, text: str) -> None:
    """Write a file at once: who reads it meanwhile sees the old one, or the new one."""
    new = path.with_name(f".{path.name}.new")
    write_file(new, text.encode(errors="surrogateescape"))
    new.replace(path)
