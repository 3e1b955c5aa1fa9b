"""Images of kernels that an earlier command has compiled, in the user's cache.

In: the commands of a plan. Out: those that are left to run, and outcomes of the others, whose images are where they
belong. An image is known by the device text, all words of its command, the compiler and the environment that it reads
(the key), and it is taken while what the compilation has read is the same (``included_files``): then compiling would
give the same bytes, and what the compiler has printed is told again. Which commands say enough for that is the target's
(``ToolChain.listing``). An edit of host code leaves the device text as it is, and most of a command's time is nvcc's.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from rexcc.driver.caches import cache_files
from rexcc.driver.caches.cache_files import joined, parts_of
from rexcc.driver.caches.included_files import are_current, read_by, unpacked, version_of
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.driver.tools.toolchain import LINKER
from rexcc.source.digests import sha256
from rexcc.source.records import dataclass, replace

SWITCH = "REXCC_CACHE"
"""The variable that turns this off, with the value 0."""
_FORM = "1"
"""Of entries: another one is for another content."""
_ROOM = 256 << 20  # bytes
_KEPT = 14 * 24 * 3600.0  # seconds
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SOURCE_DATE_EPOCH", "COMPILER_PATH", "LANG", "LANGUAGE")
_KINDS_OF_VARIABLES = ("LC_", "LD_", "GCC_", "CCC_", "CCACHE_", "CLANG_")
"""Variables that compilers read, and beginnings of names of such; the target's tools have others."""
_WRITES = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")
"""Variables by which preprocessors write further files."""
_LAST_WORDS = 3
"""A command ends with the source, ``-o`` and the output (``target.commands.Step``)."""


@dataclass(frozen=True)
class _Wanted:
    """An image that is to be made and kept: the command of the plan, its key, and the list of what it will read; of
    a link of an object that is not there yet neither is known."""

    command: Command
    key: str = ""
    listed: Path | None = None


@dataclass(frozen=True)
class Found:
    """The commands that are left of a plan, outcomes of those whose images were found, and the images to be kept, both
    by the paths of outputs; the time before the first command starts."""

    plan: tuple[Command, ...]
    left: tuple[Command, ...]
    ready: dict[str, Outcome]
    wanted: dict[str, _Wanted]
    started: int


def look_up(options: Options, plan: Sequence[Command], folder: str) -> Found:
    """Take from the cache what is there of a plan; ``folder`` is for temporary files."""
    base = _images() if _is_for_cache(options) else None
    left: list[Command] = []
    ready: dict[str, Outcome] = {}
    wanted: dict[str, _Wanted] = {}
    for number, command in enumerate(plan):
        words = _listing(command, f"{folder}/{number}.inputs.d")
        is_for_cache = base is not None and (bool(words) or _is_link(command))
        is_there = is_for_cache and command.inputs[0] not in wanted  # what a link reads is made, too
        key = _key_of(command) if is_there else ""
        known = _taken(command, base / key) if base is not None and key else None
        if known is not None:
            ready[command.output or ""] = known
            continue
        if key and words:
            wanted[command.output or ""] = _Wanted(command, key, Path(folder) / f"{number}.inputs.d")
            argv, quicker = _with_words(command.argv, words), _with_words(command.quicker, words)
            command = replace(command, argv=argv, quicker=quicker)
        elif is_for_cache and not words:
            wanted[command.output or ""] = _Wanted(command, key)
        left.append(command)
    return Found(tuple(plan), tuple(left), ready, wanted, time.time_ns())


def keep(found: Found, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Put into the cache what was compiled; return the outcomes of a plan, in its order."""
    done = dict(found.ready)
    others, is_more = [], False
    for outcome in outcomes:
        known = found.wanted.get(outcome.command.output or "")
        if known is None:
            others.append(outcome)
            continue
        done[known.command.output or ""] = replace(outcome, command=known.command)
        is_more |= outcome.status == 0 and _is_kept(known, outcome, found.started)
    base = _images()
    if is_more and base is not None:
        cache_files.remove_old(base, _ROOM, time.time() - _KEPT)
    return list(_in_order(found.plan, done, others))


def _in_order(plan: Sequence[Command], done: dict[str, Outcome], others: Sequence[Outcome]) -> Iterator[Outcome]:
    """Yield outcomes in the order of a plan; those of further commands come last."""
    rest = list(others)
    for command in plan:
        known = done.get(command.output or "") or next((o for o in rest if o.command.output == command.output), None)
        if known is not None:
            yield known
            rest = [outcome for outcome in rest if outcome is not known]
    yield from rest


def _is_for_cache(options: Options) -> bool:
    """Whether a command is one whose images can come from others: debug information names places and times of files,
    and a user who wants to see the compilers at work, or what they tell of kernels, is to see them."""
    looks_on = options.verbose or options.debug or options.report_folder is not None or options.checked
    is_off = os.environ.get(SWITCH) == "0" or any(name in os.environ for name in _WRITES)
    return options.mode in (Mode.OBJECT, Mode.LINK) and not looks_on and not is_off


def _listing(command: Command, path: str) -> tuple[str, ...]:
    """Return the words that have a command's inputs listed; none for one whose image cannot be kept, or is linked."""
    if command.stage is not Stage.IMAGE or command.target is None or not command.output:
        return ()
    if any(name in os.environ for name in command.target.tools.option_variables):
        return ()
    return command.target.tools.listing(_words(command), path)


def _with_words(argv: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """Return a command with further words in front of what it compiles; none without a command."""
    return (*argv[:-_LAST_WORDS], *words, *argv[-_LAST_WORDS:]) if argv else ()


def _is_link(command: Command) -> bool:
    """Whether a command makes an image of the one object of a unit, with a library."""
    return command.stage is Stage.IMAGE and LINKER in command.argv


def _words(command: Command) -> tuple[str, ...]:
    """Return the words of a compilation between the compiler and what it compiles."""
    return command.argv[1:-_LAST_WORDS]


def _key_of(command: Command) -> str:
    """Return the key of a command's image; empty where one is not to be had."""
    program, *words = command.argv[:-1]  # without the output
    linked_by = command.argv[command.argv.index(LINKER) + 2] if _is_link(command) else ""
    try:
        read = Path(command.inputs[0]).read_bytes()
        tools = (program, linked_by) if linked_by else (program,)
        ours = _our_modules() if linked_by or command.finish is not None else ()
        versions = [version_of(tool) for tool in (*tools, *ours)]
    except OSError:
        return ""
    if not all(versions):
        return ""
    finish = command.finish.shell("") if command.finish is not None else ()
    kinds = (*_KINDS_OF_VARIABLES, *(command.target.tools.read_variables if command.target else ()))
    names = sorted(name for name in os.environ if name in _VARIABLES or name.startswith(kinds))
    variables = [f"{name}={os.environ[name]}" for name in names]
    parts = ((_FORM, str(Path.cwd())), versions, variables, finish, words)
    told = [joined([os.fsencode(word) for word in part]) for part in parts]
    return sha256(joined((*told, read))).hexdigest()


def _our_modules() -> list[str]:
    """Return the modules of ours that link, and that change an image behind the compiler."""
    package = Path(__file__).parents[2]
    linker = package / "driver/link/device_linker.py"
    return [str(linker), *sorted(map(str, (package / "target").glob("*.py")))]


def _taken(command: Command, place: Path) -> Outcome | None:
    """Put an image where a command would write it, if it is kept and current; return what came of the command then."""
    data = cache_files.read_entry(str(place)) if cache_files.is_own(place.parent) else None
    if data is None:
        return None
    image, stdout, stderr, inputs = parts_of(data)
    if inputs and not are_current(unpacked(inputs), _words(command), command.inputs[0]):
        return None
    Path(command.output or "").write_bytes(image)
    return Outcome(command, 0, stdout, stderr)


def _is_kept(known: _Wanted, outcome: Outcome, started: int) -> bool:
    """Keep an image, if all that it was made of is known; return whether it is."""
    command, base = known.command, _images()
    assert command.target and command.output
    key, inputs = known.key or _key_of(command), b""
    if known.listed is not None:
        words, tools = _words(command), command.target.tools
        read = read_by(words, command.inputs[0], known.listed, partial(tools.tools_behind, words), started)
        inputs = read.packed() if read is not None else b""
    if base is None or not key or (known.listed is not None and not inputs):
        return False
    try:
        image = Path(command.output).read_bytes()
    except OSError:
        return False
    cache_files.write_entry(base / key, joined((image, outcome.stdout, outcome.stderr, inputs)))
    return True


def _images() -> Path | None:
    base = cache_files.folder()
    return base / "images" if base is not None else None
