"""Which device images to build.

In: what the user asked for and what the machine has. Out: architectures of the command's device and whether to build
for the CPU device, with notes for the user. What was asked for and cannot be had is an error; a default that cannot be
had is a note.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.driver.options.command_line import Options
from rexcc.driver.options.device_options import NATIVE
from rexcc.driver.tools.pip_command import in_this_environment
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain
from rexcc.source.records import dataclass
from rexcc.target.known import CPU


@dataclass(frozen=True)
class Targets:
    """The images to build; ``notes`` are shown to the user, ``remarks`` only with ``-v``."""

    architectures: tuple[str, ...]
    cpu_device: bool
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def choose(options: Options, toolchain: Toolchain, native: Callable[[], tuple[str, ...]]) -> Targets:
    """Return the images to build; ``native`` gives the architectures of this machine's devices."""
    cpu_device = options.may_be_for(CPU)
    if not options.may_be_for(options.device):
        return Targets((), cpu_device)
    if toolchain.device is None:
        return _without_compiler(options)
    architectures, remark = _architectures(options, native)
    return Targets(architectures, cpu_device, remarks=(remark,))


def _without_compiler(options: Options) -> Targets:
    tools = options.device.tools
    what, remedy = f"no {tools.title} ({tools.compiler}) found", in_this_environment(tools.remedy)
    if options.chosen_targets or options.architectures:
        raise MissingToolError(f"{what}; {remedy}, or build with --target={CPU.name}")
    return Targets((), True, notes=(f"{what}: building for {CPU.title} only ({remedy})",))


def _architectures(options: Options, native: Callable[[], tuple[str, ...]]) -> tuple[tuple[str, ...], str]:
    known = options.device.architectures
    if not options.architectures:
        found = native()
        if found:
            return found, f"GPU architecture of this machine: {' '.join(found)}"
        return (known.default,), f"no GPU here: building for {known.default}"
    if NATIVE not in options.architectures:
        return options.architectures, f"GPU architectures: {' '.join(options.architectures)}"
    found = native()
    if not found:
        what = f"no usable {options.device.vendor} GPU here; name an architecture, such as {known.default}"
        raise MissingToolError(f"--offload-arch={NATIVE}: {what}")
    named = tuple(a for a in options.architectures if a != NATIVE)
    together = tuple(dict.fromkeys(found + named))
    return together, f"GPU architectures: {' '.join(together)}"
