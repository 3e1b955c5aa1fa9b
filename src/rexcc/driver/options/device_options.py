"""What the options that choose devices do to :class:`~rexcc.driver.options.command_line.Options`.

In: the options so far and an option's value: targets, architectures, and what the targets' tools take, in rexcc's words
and in those of clang, gcc and nvcc. Out: the options after it.
"""

from __future__ import annotations

import re

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import To, UsageError
from rexcc.driver.options.option_actions import Action, ignored, nothing, one_of
from rexcc.source.records import replace
from rexcc.target.known import CPU
from rexcc.target.model import Target
from rexcc.target.options import Meaning, OwnOption

BOTH = "both"
NATIVE = "native"
"""The word for the architectures of this machine's devices."""
_ALL = ("all", "all-major")
"""Words of other compilers for whatever they know."""


def targets_by_word(device: Target, devices: tuple[Target, ...]) -> dict[str, frozenset[str]]:
    """Return the values of ``--target=``, each with the names of the targets that it stands for.

    ``device`` is the command's among ``devices``, one of which a command can be for.
    """
    alone = {target.name: frozenset({target.name}) for target in (*devices, CPU)}
    return alone | {BOTH: frozenset({device.name, CPU.name})}


def target(options: Options, value: str) -> Options:
    """``--target=``: rexcc's device targets, or clang's triple of the host, which is passed on."""
    known = targets_by_word(options.device, options.devices)
    if value in known:
        return replace(options, targets=known[value])
    if "-" in value:
        everywhere = To.CODE | To.LINK | To.ABI
        return options.with_flag(everywhere, (f"--target={value}",))
    one_of("--target", value, tuple(known))
    return options


def offload_architectures(options: Options, value: str) -> Options:
    """``--offload-arch=``: architectures add up, ``native`` is this machine's GPU."""
    names = [name.strip() for name in value.split(",")]
    for name in names:
        _check_architecture(options, name)
    new = [name for name in names if name not in options.architectures]
    return replace(options, architectures=options.architectures + tuple(dict.fromkeys(new)))


def _check_architecture(options: Options, name: str) -> None:
    known = options.device.architectures
    if name == NATIVE or known.is_known(name):
        return
    expected = f"expected {known.form}, such as {known.default}, or {NATIVE}"
    for other in options.devices:
        if other is not options.device and name.startswith(other.architectures.beginning):
            expected = f"GPUs of {other.vendor} are chosen by --target={other.name}; else {expected}"
    raise UsageError(f"invalid GPU architecture '{name}'; {expected}")


def own_option(option: OwnOption) -> Action:
    """Return the action of an option of the device's tools."""
    if option.meaning is Meaning.FOLDER:
        return lambda options, value: replace(options, tools_folder=value)
    if option.meaning is Meaning.IGNORED:
        return ignored(option.reason)
    if option.meaning is Meaning.FAST_MATH:
        return lambda options, value: replace(options, fast_math=True)
    if option.meaning is Meaning.WORDS:
        return nothing
    return _architectures_in(option) if option.pattern else offload_architectures


def _architectures_in(option: OwnOption) -> Action:
    """Return the action of an option of which only the architectures in its value mean something here."""

    def act(options: Options, value: str) -> Options:
        if value == NATIVE:
            return offload_architectures(options, value)
        if value in _ALL:
            wish = f"--offload-arch={options.device.architectures.default},..."
            raise UsageError(f"'{option.spelling}{value}': an image is built for each architecture; name them: {wish}")
        found = ",".join(option.form.format(number) for number in re.findall(option.pattern, value))
        options = options.with_remark(f"{option.spelling}{value}: taken for the architectures in it")
        return offload_architectures(options, found) if found else options

    return act


def no_offload_architectures(options: Options, value: str) -> Options:
    """``--no-offload-arch=``: take architectures back, or ``all``."""
    if value == "all":
        return replace(options, architectures=())
    dropped = value.split(",")
    return replace(options, architectures=tuple(a for a in options.architectures if a not in dropped))


def openmp_targets(options: Options, value: str) -> Options:
    """``-fopenmp-targets=``: clang's triples, as device targets."""
    return _imply(options, "-fopenmp-targets", value)


def gcc_offload(options: Options, value: str) -> Options:
    """``-foffload=``: gcc's targets; ``-foffload=disable`` leaves target regions to the host compiler."""
    if value in ("disable", "default"):
        return replace(options, offload=value == "default")
    if value.startswith("-"):
        return options.with_remark(f"ignored: -foffload={value} (an option for gcc's device compiler)")
    return _imply(options, "-foffload", value.split("=")[0])


def _imply(options: Options, spelling: str, value: str) -> Options:
    chosen = frozenset(_device_of(options, spelling, triple) for triple in value.split(","))
    words = " and ".join(sorted(chosen))
    both = chosen | (options.implied_targets or frozenset())
    return replace(options, implied_targets=both).with_remark(f"{spelling}={value} taken as --target={words}")


def _device_of(options: Options, spelling: str, triple: str) -> str:
    for known in options.known_targets:
        if known.has_triple(triple):
            return known.name
    knows = f"rexcc knows {options.device.triples[0]} and {CPU.title} ({CPU.triples[0]})"
    raise UsageError(f"cannot offload to '{triple}' ({spelling}); {knows}")


def openmp_target_option(options: Options, value: str) -> Options:
    """``-Xopenmp-target ARG``: clang's option for the device compiler; only the architecture means something here."""
    name, _, architecture = value.partition("=")
    tools = options.device.tools
    foreign = (o.spelling.rstrip("=") for o in tools.foreign_options if o.meaning is Meaning.ARCHITECTURES)
    known = architecture.startswith(options.device.architectures.beginning)
    if known and name in ("-march", "--offload-arch", *foreign):
        return offload_architectures(options, architecture)
    return options.with_remark(f"ignored: -Xopenmp-target {value}")
