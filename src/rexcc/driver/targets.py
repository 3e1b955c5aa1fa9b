"""Which device images to build.

In: what the user asked for and what the machine has. Out: GPU architectures and whether to build for the CPU device,
with notes for the user. What was asked for and cannot be had is an error; a default that cannot be had is a note.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.driver.command_line import Options
from rexcc.driver.toolchain import MissingToolError, Toolchain
from rexcc.source.records import dataclass

DEFAULT_ARCHITECTURE = "sm_90"
INSTALL_CUDA = "pip install 'rexcc[cuda]', or name an installation with --cuda-path=DIR"


@dataclass(frozen=True)
class Targets:
    """The images to build; ``notes`` are shown to the user, ``remarks`` only with ``-v``."""

    architectures: tuple[str, ...]
    cpu_device: bool
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def choose(options: Options, toolchain: Toolchain, native: Callable[[], tuple[str, ...]]) -> Targets:
    """Return the images to build; ``native`` gives the architectures of this machine's GPUs."""
    wished = options.chosen_targets
    cpu_device = wished is None or "host" in wished
    if wished is not None and "nvptx" not in wished:
        return Targets((), cpu_device)
    if toolchain.cuda is None:
        return _without_cuda(options)
    architectures, remark = _architectures(options, native)
    return Targets(architectures, cpu_device, remarks=(remark,))


def _without_cuda(options: Options) -> Targets:
    if options.chosen_targets or options.architectures:
        raise MissingToolError(f"no CUDA compiler (nvcc) found; {INSTALL_CUDA}, or build with --target=host")
    note = f"no CUDA compiler (nvcc) found: building for the CPU device only ({INSTALL_CUDA})"
    return Targets((), True, notes=(note,))


def _architectures(options: Options, native: Callable[[], tuple[str, ...]]) -> tuple[tuple[str, ...], str]:
    if not options.architectures:
        found = native()
        if found:
            return found, f"GPU architecture of this machine: {' '.join(found)}"
        return (DEFAULT_ARCHITECTURE,), f"no GPU here: building for {DEFAULT_ARCHITECTURE}"
    if "native" not in options.architectures:
        return options.architectures, f"GPU architectures: {' '.join(options.architectures)}"
    found = native()
    if not found:
        raise MissingToolError("--offload-arch=native: no usable NVIDIA GPU here; name an architecture, such as sm_90")
    named = tuple(a for a in options.architectures if a != "native")
    together = tuple(dict.fromkeys(found + named))
    return together, f"GPU architectures: {' '.join(together)}"
