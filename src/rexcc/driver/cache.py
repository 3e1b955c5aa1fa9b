"""The user's cache: the compiled runtime helper, so that it is compiled once and not for every program.

In: options and toolchain. Out: the path at which the archive is or will be. The path holds a hash of everything that
the archive depends on; nothing in the cache can change what is built, only how long it takes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Sequence
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


def keep(outcomes: Sequence[Outcome], place: Path) -> None:
    """Copy a freshly made archive to the cache; a cache that cannot be written is no error."""
    made = [o.command.output for o in outcomes if o.command.stage is Stage.HELPER and o.status == 0]
    if not made or not made[-1] or not made[-1].endswith(".a"):
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent)
        os.close(handle)
        shutil.copyfile(made[-1], temporary)
        Path(temporary).replace(place)
    except OSError:
        return
