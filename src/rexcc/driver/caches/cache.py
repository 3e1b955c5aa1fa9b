"""The compiled runtime helper and the architectures of this machine's devices, in the user's cache.

In: what they depend on. Out: a path, or a list of names. Compiling the helper takes seconds, asking the GPU driver a
quarter of one, for every file of a program.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rexcc.driver.caches.cache_files import folder, read, write, write_checked
from rexcc.driver.commands import flags
from rexcc.driver.commands.plan import Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.driver.tools.toolchain import Toolchain
from rexcc.source.digests import sha256
from rexcc.target.model import Target
from rexcc.target.tools import Dependence


def helper_archive(options: Options, tools: Toolchain, name: str = "librexcc.a") -> Path | None:
    """Return where an archive of the runtime belongs; None where none is needed."""
    base = folder()
    if options.mode is not Mode.LINK or not tools.runtime or not options.runtime_libraries or base is None:
        return None
    state = sha256()
    parts = ("include", "src", "check", "memory")
    files = (path for part in parts for path in tools.sources.glob(f"{part}/*") if path.is_file())
    for path in sorted(files, key=str):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    compiler = Path(tools.host.cxx).stat()
    words = (tools.host.cxx, str(compiler.st_mtime_ns), str(compiler.st_size), *flags.helper_flags(options, tools))
    state.update("\0".join(words).encode(errors="surrogateescape"))
    return base / state.hexdigest()[:24] / name


def native_architectures(target: Target, ask: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the architectures of this machine's devices, asking the driver once for each start of the machine."""
    base = folder()
    if base is None:
        return ask()
    place = base / f"gpus-{_device_state(target.tools.dependence)}"
    kept = (read(place) or b"").decode("ascii", errors="replace").split()
    if kept and all(map(target.architectures.is_known, kept)):
        return tuple(kept)
    found = ask()
    if found:
        write(place, " ".join(found).encode())
    return found


def _device_state(dependence: Dependence) -> str:
    """Return a hash of what decides which devices a process sees."""
    files = ("/proc/sys/kernel/random/boot_id", *dependence.files)
    words = [Path(name).read_text() for name in files if Path(name).exists()]
    words += [name for pattern in dependence.nodes for name in sorted(path.name for path in Path("/dev").glob(pattern))]
    words += [os.environ.get(name, "-") for name in dependence.variables]
    return sha256("\0".join(words).encode()).hexdigest()[:24]


def keep(outcomes: Sequence[Outcome], place: Path) -> None:
    """Copy a freshly made archive to the cache."""
    made = [o.command.output or "" for o in outcomes if o.command.stage is Stage.HELPER and o.status == 0]
    path = next((path for path in map(Path, made) if path.name == place.name), None)
    if path is None:
        return
    write_checked(place, path.read_bytes())
