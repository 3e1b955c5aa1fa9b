"""Manifests: which programs to build and measure.

In: the text of ``bench.toml`` (or JSON with the same keys). Out: :class:`Manifest`, or :class:`ManifestError` with its
place. ``docs/bench.md`` describes the keys.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rexcc.bench import keys
from rexcc.bench.figures import JOINED, SECONDS
from rexcc.bench.keys import Table
from rexcc.bench.plan import DECIDERS, EXACT, Comparison, Printed

REFERENCES = ("cuda", "clang", "gcc", "host", "none")
_NAME = re.compile(r"[\w.+-]+")
_OPTIMISED = ("-O3",)
_MATHS = ("-lm",)
_NOT_FOR_ALL = ("name", "sources")


@dataclass(frozen=True)
class Program:
    """A program to build; all files are absolute paths. ``runs`` are names with arguments, one for most programs."""

    name: str
    sources: tuple[Path, ...]
    flags: tuple[str, ...] = _OPTIMISED
    libraries: tuple[str, ...] = _MATHS
    cuda_sources: tuple[Path, ...] = ()
    cuda_flags: tuple[str, ...] = _OPTIMISED
    cuda_libraries: tuple[str, ...] = ()
    runs: tuple[tuple[str, tuple[str, ...]], ...] = (("", ()),)
    cuda_arguments: tuple[str, ...] | None = None
    inputs: tuple[tuple[Path, str], ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    compare: Comparison = EXACT
    expected: Path | None = None
    printed: tuple[Printed, ...] = ()
    ignore_kernels: tuple[str, ...] = ()
    decides: str | None = None
    note: str = ""


@dataclass(frozen=True)
class Manifest:
    """All programs, and settings where the manifest has them. ``folder`` is where compilers run."""

    title: str
    folder: Path
    programs: tuple[Program, ...]
    repeats: int | None = None
    gpu_repeats: int | None = None
    timeout: float | None = None


def read_manifest(file: Path, shown: str) -> Manifest:
    """Return a manifest; ``shown`` is the name that errors use."""
    text = file.read_text(encoding="utf-8", errors="replace")
    return parse_manifest(shown, text, file.resolve().parent)


def parse_manifest(file: str, text: str, folder: Path) -> Manifest:
    """Return the manifest that a text says, with paths relative to ``folder``."""
    top = keys.load(file, text)
    title = top.text("title") or folder.name
    settings = (top.integer("repeats"), top.integer("gpu_repeats"), top.number("timeout"))
    defaults = top.table("defaults")
    _refuse_particulars(defaults)
    programs = [_program(_with_defaults(table, defaults), folder) for table in top.tables("program")]
    top.finish()
    if not programs:
        raise top.error(None, "no [[program]] in the manifest")
    _refuse_repeated_names(top, programs)
    return Manifest(title, folder, tuple(programs), *settings)


def _refuse_particulars(defaults: Table | None) -> None:
    for key in _NOT_FOR_ALL:
        if defaults and defaults.has(key):
            raise defaults.error(key, f"'{key}' cannot be the same for all programs")


def _refuse_repeated_names(top: Table, programs: list[Program]) -> None:
    names = [program.name for program in programs]
    for number, name in enumerate(names):
        if name in names[:number]:
            table = top.tables("program")[number]
            raise table.error("name", f"two programs are called '{name}'")


def _with_defaults(table: Table, defaults: Table | None) -> Table:
    """Return a program's table with the keys of ``[defaults]`` that it lacks; ``compare`` is joined key by key."""
    if defaults is None:
        return table
    data: dict[str, Any] = {**defaults.data, **table.data}
    pair = (defaults.data.get("compare"), table.data.get("compare"))
    if isinstance(pair[0], dict) and isinstance(pair[1], dict):
        data["compare"] = {**pair[0], **pair[1]}
    return dataclasses.replace(table, data=data)


def _program(table: Table, folder: Path) -> Program:
    name = table.needed("name")
    table.name = f"program '{name}'"
    if not _NAME.fullmatch(name):
        raise table.error("name", f"'{name}' is not a name: letters, digits and . _ + - are")
    if not table.texts("sources"):
        raise table.error("sources", f"{table.name} needs 'sources'")
    compare = table.table("compare")
    found = Program(
        name=name,
        sources=_files(table, "sources", folder),
        flags=_or(table.texts("flags"), _OPTIMISED),
        libraries=_or(table.texts("libraries"), _MATHS),
        cuda_sources=_files(table, "cuda_sources", folder),
        cuda_flags=_or(table.texts("cuda_flags"), _OPTIMISED),
        cuda_libraries=table.texts("cuda_libraries") or (),
        runs=_runs(table),
        cuda_arguments=table.texts("cuda_arguments"),
        inputs=tuple(_input(table, written, folder) for written in table.texts("inputs") or ()),
        environment=_environment(table),
        compare=_comparison(compare) if compare else EXACT,
        expected=_expected(compare, folder),
        printed=_all_printed(table),
        ignore_kernels=table.patterns("ignore_kernels") or (),
        decides=table.choice("decides", DECIDERS),
        note=table.text("note") or "",
    )
    table.finish()
    if compare:
        compare.finish()
    _check(table, found)
    return found


def _or(found: tuple[str, ...] | None, default: tuple[str, ...]) -> tuple[str, ...]:
    return default if found is None else found


def _check(table: Table, program: Program) -> None:
    if program.decides == "printed" and not program.printed:
        raise table.error("decides", f"{table.name} has no [time], so 'printed' cannot decide")
    if program.compare.reference == "cuda" and not program.cuda_sources:
        raise table.error("compare", f"{table.name} has no 'cuda_sources', so 'cuda' cannot be its reference")


def _files(table: Table, key: str, folder: Path) -> tuple[Path, ...]:
    return tuple(_file(table, key, written, folder) for written in table.texts(key) or ())


def _file(table: Table, key: str, written: str, folder: Path) -> Path:
    path = folder / written
    if not path.is_file():
        raise table.error(key, f"'{written}' of {table.name}: no such file in {folder}")
    return path


def _input(table: Table, written: str, folder: Path) -> tuple[Path, str]:
    file, _, name = written.partition("=")
    path = _file(table, "inputs", file, folder)
    name = name or path.name
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise table.error("inputs", f"'{name}' of {table.name} is not a name in the folder in which the program runs")
    return path, name


def _runs(table: Table) -> tuple[tuple[str, tuple[str, ...]], ...]:
    runs = table.table("runs")
    arguments = table.texts("arguments")
    if runs is None:
        return (("", arguments or ()),)
    if table.has("cuda_arguments") or arguments is not None:
        raise table.error("runs", f"{table.name} has both 'runs' and 'arguments' or 'cuda_arguments'")
    found = []
    for name in runs.data:
        if not _NAME.fullmatch(name):
            raise runs.error(name, f"'{name}' is not a name: letters, digits and . _ + - are")
        found.append((name, runs.texts(name) or ()))
    return tuple(found)


def _environment(table: Table) -> tuple[tuple[str, str], ...]:
    found = table.table("environment")
    if found is None:
        return ()
    return tuple((name, found.text(name) or "") for name in found.data)


def _expected(compare: Table | None, folder: Path) -> Path | None:
    written = compare.text("expected") if compare else None
    return _file(compare, "expected", written, folder) if compare and written else None


def _comparison(table: Table) -> Comparison:
    usual = EXACT
    stdout, status = table.flag("stdout"), table.integer("status")
    return Comparison(
        reference=table.choice("reference", REFERENCES),
        stdout=usual.stdout if stdout is None else stdout,
        files=table.texts("files") or (),
        drop=table.patterns("drop") or (),
        remove=table.patterns("remove") or (),
        relative=table.number("relative") or 0.0,
        absolute=table.number("absolute") or 0.0,
        expect=table.patterns("expect") or (),
        reject=table.patterns("reject") or (),
        status=usual.status if status is None else status,
    )


def _all_printed(table: Table) -> tuple[Printed, ...]:
    found = tuple(_printed(time) for time in table.tables("time"))
    names = [printed.name for printed in found]
    if len(set(names)) < len(names):
        raise table.error("time", f"two [time] tables of {table.name} have the same name")
    return found


def _printed(table: Table) -> Printed:
    found = Printed(
        name=table.text("name") or "time",
        pattern=table.needed("pattern"),
        unit=table.needed("unit"),
        of=table.choice("of", JOINED) or "median",
        better=table.choice("better", ("lower", "higher")) or "lower",
        cuda_pattern=table.text("cuda_pattern"),
    )
    table.finish()
    for key, pattern in (("pattern", found.pattern), ("cuda_pattern", found.cuda_pattern)):
        if pattern and not table.compiled(key, pattern).groups:
            raise table.error(key, f"'{pattern}' needs a group (…) around the number")
    if found.better == "higher" and found.unit in SECONDS:
        raise table.error("better", f"a time in {found.unit} is better when it is lower")
    return found
