"""The rewritten host file ``rose_<name>`` and rewritten user headers.

In: the edits of the lowered constructs, and what the runtime has to know. Out: the user's bytes with these edits,
between the lines that tell the runtime.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from rexcc.analysis.batches.quiet_parts import QuietParts
from rexcc.codegen.host.batches import quiet_declared, quiet_defined
from rexcc.codegen.host.host_edits import HostEdits
from rexcc.codegen.host.used_macros import asking_lines
from rexcc.codegen.places.base_file import name_base_file
from rexcc.codegen.registration.registration import Registration
from rexcc.codegen.registration.unit_names import UnitNames, host_names
from rexcc.frontend.files import UserFiles
from rexcc.frontend.scan import IncludeLine
from rexcc.source.line_directives import OWN, line_directive
from rexcc.source.records import dataclass
from rexcc.target.model import Target

_OF_LIBRARIES = "#pragma GCC system_header"
"""What the copy of a header begins with whose warnings the user does not see."""


@dataclass(frozen=True)
class HostFile:
    """A rewritten file. Its own lines have no numbers yet."""

    name: str
    text: str


@dataclass(frozen=True)
class HostFiles:
    """The host file, the rewritten headers, and the files that are included in front of the first line."""

    main: HostFile
    headers: tuple[HostFile, ...]
    forced: tuple[str, ...] = ()


def host_files(
    files: UserFiles, edits: HostEdits, names: UnitNames, registration: Registration, quiet: QuietParts
) -> HostFiles:
    """Return the rewritten files; ``quiet`` is what the unit says of functions that several files know."""
    touched = _touched(files, edits)
    _redirect_includes(files, edits, touched)
    for path, found_edits in edits.lists.items():
        edits.unit.macro_uses.check(path, found_edits.edits)
    main = files.scans[files.main].source
    copies = host_names(files)
    headers = tuple(
        HostFile(copies[p], name_base_file(_rewritten(edits, p, p in files.libraries), main.path))
        for p in files.scans
        if p in touched and p != files.main
    )
    forced = tuple(p for p in files.forced if p in touched and p != files.main)
    body = name_base_file(edits.of(edits.unit.files[files.main]).apply(main.text), main.path)
    declared = [*registration.in_front(), *quiet_declared(quiet)]
    defined = [*quiet_defined(quiet), *registration.behind()]
    text = "".join([
        *(f"{line}\n" for line in (*_head(names, registration, edits.unit.target), *_own(declared))),
        *(f'#include "{copies[path]}"\n' for path in forced),
        f"{line_directive(1, main.path)}\n",
        body if body.endswith("\n") else f"{body}\n",
        *(f"{line}\n" for line in (OWN, *asking_lines(main, body), *_own(defined))),
    ])  # fmt: skip
    return HostFiles(HostFile(names.host, text), headers, forced)


def _redirect_includes(files: UserFiles, edits: HostEdits, touched: Collection[str]) -> None:
    """Let files that are rewritten include the copies of those that are rewritten too, and all others where they
    are."""
    copies = host_names(files)
    for path in touched:
        for line, target in files.included[path]:
            word = "import" if line.word == "import" else "include"
            if target in touched and target != path:
                edits.of(edits.unit.files[path]).replace(line.start, line.end, f'#{word} "{copies[target]}"')
            elif target not in touched and (spelled := _from_main(files, path, line, target)) is not None:
                edits.of(edits.unit.files[path]).replace(line.start, line.end, f"#include {spelled}")


def _from_main(files: UserFiles, path: str, line: IncludeLine, target: str) -> str | None:
    """Return how a header's copy includes a file that the header finds from its own folder; None for as it does.

    The copies look into the main file's folder first, where another file may have the same name.
    """
    folder = posixpath.dirname(files.main)
    if posixpath.dirname(path) == folder or not line.name.startswith('"') or line.name == f'"{target}"':
        return None
    return f'"{target if posixpath.isabs(target) else posixpath.relpath(target, folder or ".")}"'


def _rewritten(edits: HostEdits, path: str, is_library: bool) -> str:
    source = edits.unit.files[path].scan.source
    quiet = f"{_OF_LIBRARIES}\n" if is_library else ""
    return f"{quiet}{line_directive(1, source.path)}\n{edits.of(edits.unit.files[path]).apply(source.text)}"


def _touched(files: UserFiles, edits: HostEdits) -> set[str]:
    """Return the files with edits and those that include such a file; the main file is always one."""
    touched = {path for path, found in edits.lists.items() if found.edits} | {files.main}
    grown = True
    while grown:
        more = {
            p
            for p in files.scans
            if p not in touched and any(t in touched and t != files.main for _, t in files.included[p])
        }
        touched |= more
        grown = bool(more)
    return touched


def _head(names: UnitNames, registration: Registration, target: Target) -> list[str]:
    kernels = f" Kernels: {names.device}" if registration.kernels else ""
    first = f"/* Generated by rexcc from {names.source}.{kernels} */"
    return [first, *target.definitions, '#include "rex_kmp.h"']


def _own(lines: list[str]) -> list[str]:
    """Return declarations of ours as such, of which compilers do not warn."""
    return ["REX_NO_WARNINGS", *lines, "REX_WARNINGS"] if lines else []
