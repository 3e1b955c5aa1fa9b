"""The command line parser.

In: the arguments as the shell handed them over. Out: :class:`Options`, or :class:`UsageError` with one line of text.
What an option means stands in ``option_table``; here is only how arguments are taken apart.
"""

from __future__ import annotations

import functools
import importlib
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode, UsageError
from rexcc.driver.options.languages import Language
from rexcc.driver.options.option_table import OTHER, ROWS, Row, Shape, rows
from rexcc.source.records import replace
from rexcc.target.commands import Given
from rexcc.target.known import CPU, DEFAULT, DEVICES
from rexcc.target.model import Target

_RESPONSE_DEPTH = 10
_MISSPELT = 0.8
"""How alike an unknown option and one of ours must be for it to be a mistake and not the host compiler's."""


def expand_response_files(argv: Sequence[str], depth: int = 0) -> list[str]:
    """Replace each ``@file`` by the words in it; one that cannot be read stays as it is, as with gcc."""
    words: list[str] = []
    for argument in argv:
        words += _response_words(argument, depth) if argument.startswith("@") else [argument]
    return words


def _response_words(argument: str, depth: int) -> list[str]:
    path = Path(argument[1:])
    if depth == _RESPONSE_DEPTH:
        raise UsageError(f"response files nested too deeply at '{argument}'")
    try:
        text = path.read_text(errors="surrogateescape")
        words = shlex.split(text)
    except OSError:
        return [argument]
    except ValueError as problem:
        raise UsageError(f"{path}: {problem}") from None
    return expand_response_files(words, depth + 1)


@functools.cache
def _by_spelling(device: Target) -> dict[str, Row]:
    return {row.spelling: row for row in (ROWS if device is DEFAULT else rows(device))}


def parse(argv: Sequence[str], devices: Sequence[Target] = DEVICES) -> Options:
    """Return the meaning of a command line, without the program's name; its kernels are for one of ``devices``."""
    arguments = expand_response_files(argv)
    options = Options(argv=tuple(arguments), device=_device_of(arguments, devices), devices=tuple(devices))
    rest = iter(arguments)
    for argument in rest:
        options = _take(options, argument, rest)
    return _checked(options)


def _device_of(arguments: Sequence[str], devices: Sequence[Target]) -> Target:
    """Return the device that a command line names last, the first one where it names none."""
    named = [device for argument in arguments for device in devices if argument == f"--target={device.name}"]
    return named[-1] if named else devices[0]


def _take(options: Options, argument: str, rest: Iterator[str]) -> Options:
    if argument == "-" or not argument.startswith("-"):
        return options.with_input(argument)
    row = _row_of(options.device, argument)
    value, words = _value(row, argument, rest)
    options = options.with_flag(row.to, words).with_given(Given(row.spelling, argument, value))
    return row.action(options, value)


def _row_of(device: Target, argument: str) -> Row:
    known = _by_spelling(device)
    for length in range(len(argument), 0, -1):
        row = known.get(argument[:length])
        if row and _fits(row, joined=length < len(argument)):
            return row
    _refuse_misspelt(device, argument)
    return OTHER


def _fits(row: Row, joined: bool) -> bool:
    if joined:
        return row.shape in (Shape.JOINED, Shape.EITHER, Shape.BOTH)
    return row.shape is not Shape.BOTH


def _value(row: Row, argument: str, rest: Iterator[str]) -> tuple[str, tuple[str, ...]]:
    """Return an option's value and the arguments that it and its option are."""
    joined = argument[len(row.spelling) :]
    if row.shape is Shape.FLAG or row.shape is Shape.JOINED:
        return joined, (argument,)
    if row.shape is Shape.EITHER and joined:
        return joined, (argument,)
    value = next(rest, None)
    if value is None:
        raise UsageError(f"option '{argument}' needs an argument")
    return value, (argument, value)


def _refuse_misspelt(device: Target, argument: str) -> None:
    """Refuse what looks like one of rexcc's own options; anything else is the host compiler's to judge."""
    name = argument.partition("=")[0]
    if not name.startswith("--"):
        return
    own = (row.spelling for row in _by_spelling(device).values() if row.help and row.spelling.startswith("--"))
    names = tuple(name.rstrip("=") for name in own)
    if name in names:
        raise UsageError(f"option '{name}' needs a value: '{name}=...'")
    close = importlib.import_module("difflib").get_close_matches(name, names, n=1, cutoff=_MISSPELT)
    if close:
        raise UsageError(f"unknown option '{argument}'; did you mean '{close[0]}'?")


def _refuse_with_checks(options: Options) -> None:
    """Refuse what a program that is checked cannot have: a device whose memory nobody looks at, or another runtime that
    the compiler calls at each access."""
    if options.targets != frozenset({CPU.name}):
        raise UsageError(f"--check runs kernels on the CPU device; leave --target={options.device.name} out")
    if options.mode is Mode.EMIT_SOURCES:
        raise UsageError("--check needs a build; to read the generated sources, keep them: -save-temps=DIR")
    others = {"address", "hwaddress", "memory", "thread"} & options.sanitizers
    if others:
        raise UsageError(f"--check and -fsanitize={min(others)} exclude each other; make two builds")


def _refuse_with_heap(options: Options) -> None:
    """Refuse what has a heap of its own, beside which the program cannot have another."""
    if options.other_heaps:
        both = f"--memory={options.memory} and {options.other_heaps[0]}"
        raise UsageError(f"{both} exclude each other: both replace the program's heap")


def _checked(options: Options) -> Options:
    if options.information:
        return options
    if not options.inputs:
        return _without_inputs(options)
    if options.mode in (Mode.SYNTAX, Mode.ASSEMBLY, Mode.OBJECT) and options.output and len(options.sources) > 1:
        raise UsageError(f"cannot write {len(options.sources)} outputs to '{options.output}'; leave -o out or link")
    _refuse_mixture(options)
    if options.checked:
        _refuse_with_checks(options)
    if options.memory:
        _refuse_with_heap(options)
    others = [source.path for source in options.sources if source.language not in (Language.C, Language.CXX)]
    if options.mode is Mode.INSPECT and (others or not options.sources):
        name = f"--emit={options.inspection}"
        raise UsageError(
            f"{name} reads C and C++; '{others[0]}' is neither" if others else f"{name} needs a source file"
        )
    if options.mode in (Mode.EMIT_SOURCES, Mode.REPORT) and not options.sources:
        name = "report" if options.mode is Mode.REPORT else "src"
        raise UsageError(f"--emit={name} needs a source file")
    if options.report is not None and options.mode in (Mode.INSPECT, Mode.EMIT_SOURCES):
        raise UsageError("--report=DIR is for builds; --emit=report -o DIR writes a report alone")
    return options


def _refuse_mixture(options: Options) -> None:
    """Refuse a source that only the host compiler can take beside one whose target regions would then be left out."""
    alone = [source.path for source in options.sources if source.language is Language.ALONE]
    if alone and len(options.sources) > len(alone) and options.mode > Mode.PREPROCESS and options.openmp:
        raise UsageError(f"'{alone[0]}' cannot be compiled together with other sources; compile it by itself with -c")


def _without_inputs(options: Options) -> Options:
    asks_linker = any(isinstance(item, str) and item.startswith(("-Wl,", "-Xlinker")) for item in options.link_items)
    if options.mode is Mode.QUERY or options.verbose or options.dry_run or asks_linker:
        return replace(options, mode=Mode.QUERY)
    raise UsageError("no input files (rexcc --help shows the options)")
