"""The user's cache: the compiled runtime helper and the architectures of this machine's GPUs.

In: what they depend on. Out: a path, or a list of names. Each entry's name holds a hash of everything that it depends
on, so that the cache changes only how long things take: compiling the helper takes seconds, asking the GPU driver a
quarter of one, for every file of a program. A cache that cannot be read or written is no error.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from rexcc.driver import flags
from rexcc.driver.command_line import Mode, Options
from rexcc.driver.plan import Stage
from rexcc.driver.run import Outcome
from rexcc.driver.toolchain import Toolchain


def folder() -> Path:
    """Return the folder of the cache."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rexcc"


def helper_archive(options: Options, tools: Toolchain) -> Path | None:
    """Return where the archive of the runtime helper belongs; None where none is needed."""
    if options.mode is not Mode.LINK or not tools.runtime or not options.runtime_libraries:
        return None
    state = hashlib.sha256()
    for path in sorted(tools.sources.glob("*/*")):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    compiler = Path(tools.host.cxx).stat()
    words = (tools.host.cxx, str(compiler.st_mtime_ns), str(compiler.st_size), *flags.helper_flags(options, tools))
    state.update("\0".join(words).encode(errors="surrogateescape"))
    return folder() / state.hexdigest()[:24] / "librexcc.a"


def native_architectures(ask: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the architectures of this machine's GPUs, asking the driver once for each start of the machine."""
    place = folder() / f"gpus-{_gpu_state()}"
    try:
        return tuple(place.read_text().split())
    except OSError:
        found = ask()
    if found:
        _write(place, " ".join(found).encode())
    return found


def _gpu_state() -> str:
    """Return a hash of what decides which GPUs a process sees."""
    files = ("/proc/sys/kernel/random/boot_id", "/proc/driver/nvidia/version")
    words = [Path(name).read_text() for name in files if Path(name).exists()]
    words += sorted(path.name for path in Path("/dev").glob("nvidia*"))
    words += [os.environ.get(name, "-") for name in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER")]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]


def keep(outcomes: Sequence[Outcome], place: Path) -> None:
    """Copy a freshly made archive to the cache."""
    made = [o.command.output for o in outcomes if o.command.stage is Stage.HELPER and o.status == 0]
    if not made or not made[-1] or not made[-1].endswith(".a"):
        return
    _write(place, Path(made[-1]).read_bytes())


def _write(place: Path, data: bytes) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(place)
    except OSError:
        return
