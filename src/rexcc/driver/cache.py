"""The user's cache: the compiled runtime helper and the architectures of this machine's devices.

In: what they depend on. Out: a path, or a list of names. Each entry's name holds a hash of everything that it depends
on, so that the cache changes only how long things take: compiling the helper takes seconds, asking the GPU driver a
quarter of one, for every file of a program. A cache that cannot be read or written is no error, and an entry that is
damaged, or that others may have written, is made again: what lies here becomes part of the user's programs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from rexcc.driver import flags
from rexcc.driver.command_line import Mode, Options
from rexcc.driver.plan import Stage
from rexcc.driver.run import Outcome
from rexcc.driver.toolchain import Toolchain
from rexcc.target.model import Target
from rexcc.target.tools import Dependence

_DIGEST = ".sha256"
_OTHERS_WRITE = 0o022


def folder() -> Path | None:
    """Return the folder of the cache; None without a home. A relative name counts for nothing, as XDG says."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if base.is_absolute():
        return base / "rexcc"
    if not Path(os.environ.get("HOME", "/")).is_absolute():
        return None
    try:
        return Path.home() / ".cache" / "rexcc"
    except RuntimeError:
        return None


def helper_archive(options: Options, tools: Toolchain, name: str = "librexcc.a") -> Path | None:
    """Return where an archive of the runtime belongs; None where none is needed."""
    base = folder()
    if options.mode is not Mode.LINK or not tools.runtime or not options.runtime_libraries or base is None:
        return None
    state = hashlib.sha256()
    parts = ("include", "src", "check")
    for path in sorted((path for part in parts for path in tools.sources.glob(f"{part}/*")), key=str):
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    compiler = Path(tools.host.cxx).stat()
    words = (tools.host.cxx, str(compiler.st_mtime_ns), str(compiler.st_size), *flags.helper_flags(options, tools))
    state.update("\0".join(words).encode(errors="surrogateescape"))
    return base / state.hexdigest()[:24] / name


def is_intact(archive: Path) -> bool:
    """Whether an archive in the cache is what :func:`keep` has put there."""
    data, digest = _read(archive), _read(_digest_of(archive))
    return data is not None and digest == _digest(data)


def native_architectures(target: Target, ask: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    """Return the architectures of this machine's devices, asking the driver once for each start of the machine."""
    base = folder()
    if base is None:
        return ask()
    place = base / f"gpus-{_device_state(target.tools.dependence)}"
    kept = (_read(place) or b"").decode("ascii", errors="replace").split()
    if kept and all(map(target.architectures.is_known, kept)):
        return tuple(kept)
    found = ask()
    if found:
        _write(place, " ".join(found).encode())
    return found


def _device_state(dependence: Dependence) -> str:
    """Return a hash of what decides which devices a process sees."""
    files = ("/proc/sys/kernel/random/boot_id", *dependence.files)
    words = [Path(name).read_text() for name in files if Path(name).exists()]
    words += [name for pattern in dependence.nodes for name in sorted(path.name for path in Path("/dev").glob(pattern))]
    words += [os.environ.get(name, "-") for name in dependence.variables]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]


def keep(outcomes: Sequence[Outcome], place: Path) -> None:
    """Copy a freshly made archive to the cache."""
    made = [o.command.output or "" for o in outcomes if o.command.stage is Stage.HELPER and o.status == 0]
    path = next((path for path in map(Path, made) if path.name == place.name), None)
    if path is None:
        return
    data = path.read_bytes()
    _write(place, data)
    _write(_digest_of(place), _digest(data))


def _digest_of(archive: Path) -> Path:
    return archive.with_name(archive.name + _DIGEST)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _read(place: Path) -> bytes | None:
    """Return what a file of the cache holds; None for one that others than this user and root may have written."""
    if not _is_own(place.parent):
        return None
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)  # a pipe is not to be waited for
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            return file.read() if _is_ours(os.fstat(handle), stat.S_IFREG) else None
        except OSError:
            return None


def _write(place: Path, data: bytes) -> None:
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(place.parent):
            return
        handle, temporary = tempfile.mkstemp(dir=place.parent)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(place)
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()


def _is_own(inner: Path) -> bool:
    """Whether a folder of the cache, and the cache that it is in, are this user's alone."""
    base = folder()
    try:
        return all(_is_ours(path.lstat(), stat.S_IFDIR) for path in (inner, *inner.parents) if _is_within(path, base))
    except OSError:
        return False


def _is_within(path: Path, base: Path | None) -> bool:
    return base is not None and path.is_relative_to(base)


def _is_ours(found: os.stat_result, kind: int) -> bool:
    owners = (os.geteuid(), 0)
    return stat.S_IFMT(found.st_mode) == kind and found.st_uid in owners and not found.st_mode & _OTHERS_WRITE
