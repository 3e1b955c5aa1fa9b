"""Groups of files whose device code calls each other.

In: parts of units, from what was linked or from all units of a makefile. Out: :class:`Group`: parts that need each
other, with an image for each device; whether a command links all that there will be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from rexcc.codegen.registration.unit_parts import Mention
from rexcc.driver.link import device_parts, joined_tables
from rexcc.driver.link.device_parts import Device, Missing, Part
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input, Mode, UsageError
from rexcc.source.diagnostics import Severity
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.known import TARGETS
from rexcc.target.model import Target

SYSTEM_LIBRARIES = frozenset({"-lm", "-lpthread", "-ldl", "-lrt", "-lstdc++", "-lomp", "-lgomp"})
_FURTHER = regex(r"(?:^|,)(?:-l|-r\b|-T|@|-Xlinker)|\.(?:a|o|so|ld)\b")
"""Arguments of a linker that may bring further files."""
_MAIN = regex(rb"\bmain\s*\(")


@dataclass(frozen=True, eq=False)
class Group:
    """Parts that need each other, and their images: target, architecture and file of each. ``joined`` are their
    tables, in a source ``number``."""

    number: int
    parts: tuple[Part, ...]
    images: tuple[tuple[Target, str, str], ...]

    @cached_property
    def joined(self) -> joined_tables.Joined:
        """The functions that ask for what all parts have in tables."""
        return joined_tables.joined_of(self.parts)

    @property
    def sources(self) -> dict[str, str]:
        """The sources of the tables by their names."""
        targets = {target.name: target for target, _, _ in self.images} if self.joined else {}
        made = (targets[name] for name in sorted(targets))
        return {joined_tables.source_name(self.number, t): joined_tables.text(self.joined, t) for t in made}


def is_complete(options: Options) -> bool:
    """Whether a command, or the makefile that it writes, links nothing but its own sources and libraries of the system,
    and nothing else is linked with it later: a program. A report is on what would be linked."""
    if options.mode is not Mode.LINK and not _makes_linking_makefile(options):
        return False
    if "-shared" in options.link_items:
        return False
    files = all(item.language.is_source for item in options.link_items if not isinstance(item, str))
    return files and not may_bring_further(options)


def may_bring_further(options: Options) -> bool:
    """Whether the linker may take more files than those that the command names as such."""
    words = (item for item in options.link_items if isinstance(item, str) and item not in SYSTEM_LIBRARIES)
    return any(map(_FURTHER.search, words))


def _makes_linking_makefile(options: Options) -> bool:
    if options.mode not in (Mode.EMIT_SOURCES, Mode.REPORT) or "-c" in options.argv:
        return False
    return any(map(has_main, options.sources))


def has_main(source: Input) -> bool:
    """Whether a source may have a program's beginning, as far as its text shows that."""
    try:
        data = source.data if source.data is not None else Path(source.path).read_bytes()
    except OSError:
        return False
    return _MAIN.search(data) is not None


def groups_of(
    options: Options,
    parts: Sequence[Part],
    of_libraries: Callable[[], list[Part]] = list,
    of_host: Callable[[], frozenset[str]] = frozenset,
) -> list[Group]:
    """Return the groups of parts that need each other; ``of_libraries`` gives those of shared libraries, ``of_host``
    the functions that these have for the host. Raises MissingDeviceCodeError, and UsageError where files have no device
    in common."""
    are_linked = any(part.facts.needs or part.facts.asks for part in parts) or device_parts.any_shared(parts)
    if not are_linked and device_parts.defined_twice(parts) is None:
        return []
    wanted, offered = device_parts.missing(parts), list[Part]()
    if wanted:
        offered = of_libraries()
        parts = device_parts.with_libraries(parts, offered)
        wanted = device_parts.missing(parts, offered)
    if wanted and "-shared" not in options.link_items:
        device_parts.borrow(parts, wanted, of_host())
        wanted = device_parts.missing(parts, offered)
    if wanted:
        raise MissingDeviceCodeError(wanted, parts, "-shared" in options.link_items)
    found = device_parts.groups(parts)
    for part in (part for group in found for part in group if part.copies > 1):
        what = f"{part.facts.source} is linked {part.copies} times, in objects that keep its symbols from each other"
        raise UsageError(f"{what}: device code that calls other files' cannot tell them apart; link it once")
    return [Group(number, tuple(group), _images(options, group, number)) for number, group in enumerate(found)]


def _images(options: Options, group: Sequence[Part], number: int) -> tuple[tuple[Target, str, str], ...]:
    devices = device_parts.devices_of(group)
    if not devices:
        compiled = ", ".join(f"{part.facts.source} for {_device_names(part)}" for part in group)
        call = _call_between(group)
        what = f"{call.place}: '{call.words}' is called in device code, but " if call else ""
        raise UsageError(f"{what}files that need each other are compiled for no device in common: {compiled}")
    targets = {device: _target_of(options, device, group[0].facts.source) for device in devices}
    both = device_parts.defined_twice(group)
    for target in targets.values() if both is not None else ():
        if both is not None and not target.capabilities.weak_functions:
            where = f"defined for the device in {both[1].facts.source} and in {both[2].facts.source}"
            calls = (need for part in group for need in part.facts.needs if need.symbol == both[0])
            place = next((f" (called at {need.place})" for need in calls), "")
            raise UsageError(f"'{both[0]}'{place} is {where}: device code for {target.title} has no weak functions")
    return tuple((t, arch, f"rex_group_{number}.{arch}.{t.image}") for (_, arch), t in targets.items())


def _device_names(part: Part) -> str:
    return " and ".join(architecture for _, architecture in part.objects) or "none"


def _call_between(group: Sequence[Part]) -> Mention | None:
    """Return a call from one part of a group to another, one of parts without a common device where there is such."""
    calls = [
        (need, not device_parts.devices_of([part, owner]))
        for part in group
        for need in part.facts.needs
        for owner in group
        if need.symbol in owner.facts.has
    ]
    return next((need for need, differs in calls if differs), calls[0][0] if calls else None)


def _target_of(options: Options, device: Device, source: str) -> Target:
    """Return the target that a part of a source is for: one that the command can be for, or one that rexcc knows."""
    for target in (*options.known_targets, *TARGETS):
        if target.name == device[0]:
            return target
    what = f"{source} has device code for '{device[0]}', which this rexcc does not know"
    raise UsageError(f"{what}; link with the rexcc that compiled it")


class MissingDeviceCodeError(Exception):
    """Device code calls functions that no linked file has for the device."""

    def __init__(self, wanted: Sequence[Missing], parts: Sequence[Part], is_library: bool = False) -> None:
        super().__init__(", ".join(lack.need.words for lack in wanted))
        self.wanted = tuple(wanted)
        self.is_library = is_library
        self.searched = tuple(dict.fromkeys(part.facts.source for part in parts))

    def report(self) -> None:
        """Tell the user what is missing, where it is called, and where it was looked for."""
        for lack in self.wanted:
            what = f"'{lack.need.words}' is called in device code, but no linked file defines it for the device"
            report.say(f"{lack.need.place}: error: {what} [undefined-device-function]")
            if lack.need.caller:
                report.say(f"{lack.need.place}: note: the call stands in '{lack.need.caller}'")
            if lack.why:
                report.say(f"{lack.place}: note: {lack.why}")
        report.message(Severity.NOTE, f"device code was found in {', '.join(self.searched)}")
        if not all(lack.why for lack in self.wanted):
            report.message(Severity.NOTE, "a function is for the device if its definition stands in 'declare target'")
        if self.is_library:
            text = "device code of a shared library is linked with the library: it cannot call what only a program has"
            report.message(Severity.NOTE, text)
