"""The rewritten host file ``rose_<name>`` and rewritten user headers.

In: the edits of the lowered constructs. Out: the user's bytes with these edits. In front stand the helper's include and
the kernel keys, at the end the entries and images.
"""

from __future__ import annotations

import posixpath
import re
import zlib

from rexcc.codegen.base_file import name_base_file
from rexcc.codegen.copied_constants import ImageConstant, constant_lines
from rexcc.codegen.globals import DeviceVariable, pointers_declared, pointers_defined
from rexcc.codegen.host_edits import HostEdits
from rexcc.codegen.indirect import IndirectFunctions
from rexcc.codegen.unit_parts import UnitPart
from rexcc.codegen.virtual_functions import VirtualFunctions
from rexcc.frontend.files import UserFiles
from rexcc.frontend.scan import IncludeLine
from rexcc.lowering.host.template_keys import key_specialisation
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.map_types import MapFlag
from rexcc.source.file_names import safe_name
from rexcc.source.line_directives import OWN, c_string, line_directive
from rexcc.source.records import dataclass
from rexcc.source.text import to_bytes
from rexcc.target.model import Target

_OF_LIBRARIES = "#pragma GCC system_header"
"""What the copy of a header begins with whose warnings the user does not see."""


@dataclass(frozen=True)
class HostFiles:
    """The host file's name and text, and the rewritten headers: (name, text). Their own lines have no numbers yet."""

    name: str
    text: str
    headers: tuple[tuple[str, str], ...]
    forced: tuple[str, ...] = ()


def host_names(files: UserFiles) -> dict[str, str]:
    """Return the ``rose_`` name of each user file that may have to be rewritten, unique among them.

    That of a header says which unit has this copy: another one has other names and values in it.
    """
    names: dict[str, str] = {}
    unit = posixpath.splitext(safe_name(posixpath.basename(files.main)))[0]
    for path in files.scans:
        name = safe_name(posixpath.basename(path))
        if path != files.main:
            name = f".{unit}".join(posixpath.splitext(name))
        unique, count = f"rose_{name}", 1
        while unique in names.values():
            count += 1
            unique = f"rose_{count}_{name}"
        names[path] = unique
    return names


def host_files(
    files: UserFiles, edits: HostEdits, kernels: list[Kernel], variables: list[DeviceVariable],
    found: tuple[IndirectFunctions, VirtualFunctions], images: tuple[tuple[int, str], ...], device_name: str,
    arguments: tuple[str, ...], required: int, part: UnitPart | None = None, said: tuple[str, ...] = (),
    quiet: tuple[list[str], list[str]] = ([], []), constants: tuple[ImageConstant, ...] = (),
) -> HostFiles:  # fmt: skip
    """Return the rewritten files; ``arguments`` are clang's, by which two objects of one source differ; ``found``
    are the functions that device code finds by the host's addresses; ``images`` are architectures' numbers and files;
    ``required`` is what libomptarget shall know of the unit's requirements; ``part`` is what the devices' linker shall
    find; ``said`` is what the runtime shall know of the file; ``quiet`` are lines about functions that several
    files know, in front and at the end; ``constants`` are those that the image may have twice."""
    names = host_names(files)
    touched = _touched(files, edits)
    for path in touched:
        for line, target in files.included[path]:
            word = "import" if line.word == "import" else "include"
            if target in touched and target != path:
                edits.of(edits.unit.files[path]).replace(line.start, line.end, f'#{word} "{names[target]}"')
            elif target not in touched and (spelled := _from_main(files, path, line, target)) is not None:
                edits.of(edits.unit.files[path]).replace(line.start, line.end, f"#include {spelled}")
    for path, found_edits in edits.lists.items():
        edits.unit.macro_uses.check(path, found_edits.edits)
    main = files.scans[files.main].source
    headers = tuple(
        (names[p], name_base_file(_rewritten(edits, p, p in files.libraries), main.path))
        for p in files.scans
        if p in touched and p != files.main
    )
    forced = tuple(p for p in files.forced if p in touched and p != files.main)
    body = name_base_file(edits.of(edits.unit.files[files.main]).apply(main.text), main.path)
    declared = [*_declared(kernels, variables, said), *quiet[0]]
    defined = [*quiet[1], *_epilogue(files, kernels, variables, found, images, arguments, required, part, constants)]
    text = "".join([
        *(f"{line}\n" for line in (*_head(files.main, device_name, kernels, edits.unit.target), *_own(declared))),
        *(f'#include "{names[path]}"\n' for path in forced),
        f"{line_directive(1, main.path)}\n",
        body if body.endswith("\n") else f"{body}\n",
        *(f"{line}\n" for line in (OWN, *_own(defined))),
    ])  # fmt: skip
    return HostFiles(names[files.main], text, headers, forced)


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


def _head(source: str, device_name: str, kernels: list[Kernel], target: Target) -> list[str]:
    kernels_note = f" Kernels: {device_name}" if kernels else ""
    first = f"/* Generated by rexcc from {source}.{kernels_note} */"
    return [first, *target.definitions, '#include "rex_kmp.h"']


def _declared(kernels: list[Kernel], variables: list[DeviceVariable], said: tuple[str, ...]) -> list[str]:
    lines = [f"REX_KERNEL_ID({stem})" for k in kernels for stem in k.stems]
    lines += ["REX_REDUCTIONS"] if any(MapFlag.PARTIALS in a.row.flags for k in kernels for a in k.arguments) else []
    return [*lines, *said, *pointers_declared(variables)]


def _own(lines: list[str]) -> list[str]:
    """Return declarations of ours as such, of which compilers do not warn."""
    return ["REX_NO_WARNINGS", *lines, "REX_WARNINGS"] if lines else []


def _epilogue(
    files: UserFiles, kernels: list[Kernel], variables: list[DeviceVariable],
    found: tuple[IndirectFunctions, VirtualFunctions],
    images: tuple[tuple[int, str], ...], arguments: tuple[str, ...], required: int, part: UnitPart | None,
    constants: tuple[ImageConstant, ...],
) -> list[str]:  # fmt: skip
    """Return the table of entries, the embedded images, and the module that announces them; nothing for neither."""
    facts = part.host_lines() if part is not None else []
    is_module = bool(images or (part is not None and part.objects))
    indirect, virtual = found
    joined = part.objects if part is not None else ()
    source = files.scans[files.main].source
    name, mark = unit_name(files, arguments), unit_mark(files, arguments)
    tables = [*indirect.entries(mark if joined else ""), *virtual.entries(mark if joined else "")]
    entries = bool(kernels or variables or tables or (required and is_module))
    if not entries and not is_module:
        return facts
    lines = [*(key_specialisation(k) for k in kernels if _has_key_at_end(k))]
    lines += [*indirect.host_lines, *virtual.host_lines(name)]
    lines += pointers_defined(variables, [*indirect.global_rows, *virtual.global_rows])
    if entries:
        lines.append("static struct __tgt_offload_entry __rex_offload_entries[] = {")
        lines += [f"    REX_KERNEL_ENTRY({stem})," for k in kernels for stem in k.stems]
        lines += [f"    {entry}," for entry in (*(v.entry for v in variables), *tables)]
        lines += [f"    REX_REQUIRES_ENTRY({required}),"] if required else []
        lines += ["};", *(["REX_WANTS_SHARED_HEAP"] if required else [])]
    if not images:
        form, table = ("WITHOUT_IMAGES", ", __rex_offload_entries") if entries else ("ALONE", "")
        lines.append(f"REX_OFFLOAD_MODULE_{form}({c_string(source.path)}{table})")
        return [*lines, *facts]
    identifiers = [f"__rex_image_{name}_{n}" for n in range(len(images))]
    lines += [f'REX_IMAGE({i}, "{name}")' for i, (_, name) in zip(identifiers, images, strict=True)]
    lines.append("static struct rex_offload_image __rex_offload_images[] = {")
    lines += [f"    REX_IMAGE_ROW({i}, {number})," for i, (number, _) in zip(identifiers, images, strict=True)]
    form = "REX_OFFLOAD_MODULE" if entries else "REX_OFFLOAD_MODULE_WITHOUT_ENTRIES"
    table = "__rex_offload_entries, " if entries else ""
    lines += ["};", *constant_lines(constants), f"{form}({c_string(source.path)}, {table}__rex_offload_images)"]
    return [*lines, *facts]


def unit_name(files: UserFiles, arguments: tuple[str, ...]) -> str:
    """Return a part of names that are a unit's own in the whole program."""
    stem = re.sub(r"\W", "_", posixpath.basename(files.scans[files.main].source.path), flags=re.ASCII)
    return f"{stem}_{unit_mark(files, arguments)}"


def unit_mark(files: UserFiles, arguments: tuple[str, ...]) -> str:
    """Return eight digits that tell a translation unit from others of its name, and from itself with other flags.

    Two folders may each have a file of one name and text, which is compiled there and includes other headers.
    """
    source = files.scans[files.main].source
    headers = (scan.source.text for path, scan in sorted(files.scans.items()) if path != files.main)
    what = "\0".join([source.path, *arguments, source.text, *headers])
    return f"{zlib.crc32(to_bytes(what)):08x}"


def _has_key_at_end(kernel: Kernel) -> bool:
    return kernel.region.owner.template is not None and kernel.region.owner.place is None
