"""What a host file tells the runtime of its unit: the keys of kernels, the table of entries, the images.

In: kernels, variables on the device and images of a unit. Out: :class:`Registration`, with the lines that stand in
front of the user's text and those behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.codegen.registration.addressed_functions import AddressedFunctions
from rexcc.codegen.registration.globals import DeviceVariable, pointers_declared, pointers_defined
from rexcc.codegen.registration.unit_parts import UnitPart
from rexcc.lowering.host.template_keys import key_specialisation
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.map_types import MapFlag
from rexcc.source.line_directives import c_string
from rexcc.source.records import dataclass

_ENTRIES = "__rex_offload_entries"
_IMAGES = "__rex_offload_images"


@dataclass(frozen=True)
class EmbeddedImage:
    """An image that the host file embeds: the number of its architecture, by which the runtime chooses, and its
    file."""

    number: int
    file: str


@dataclass(frozen=True)
class ImageConstant:
    """A constant that an image may have twice: its name and its bytes."""

    name: str
    size: int


@dataclass(frozen=True, eq=False)
class Registration:
    """What the runtime knows of a unit.

    ``source`` is the user's file; ``name`` and ``mark`` are the unit's own in the program; ``addressed`` are functions
    that device code finds by the host's addresses; ``constants`` are those that an image may have twice; ``required``
    is what libomptarget knows of the unit's requirements; ``part`` is what the link of device code reads; ``facts`` are
    macros by which the file says what it does.
    """

    source: str
    name: str
    mark: str
    kernels: Sequence[Kernel]
    variables: Sequence[DeviceVariable]
    addressed: AddressedFunctions
    images: Sequence[EmbeddedImage]
    constants: Sequence[ImageConstant]
    required: int
    part: UnitPart | None
    facts: Sequence[str]

    def in_front(self) -> list[str]:
        """Return the lines in front of the user's text."""
        rows = (a.row for k in self.kernels for a in k.arguments)
        reductions = ["REX_REDUCTIONS"] if any(MapFlag.PARTIALS in row.flags for row in rows) else []
        ids = [f"REX_KERNEL_ID({stem})" for k in self.kernels for stem in k.stems]
        return [*ids, *reductions, *self.facts, *pointers_declared(self.variables)]

    def behind(self) -> list[str]:
        """Return the lines behind the user's text: the table of entries, the images, and the module that announces
        both; where there are none, what the link reads alone."""
        read_by_link = self.part.host_lines() if self.part is not None else []
        entries = self._entries()
        if not entries and not self._is_module:
            return read_by_link
        return [
            *(key_specialisation(k) for k in self.kernels if _has_key_at_end(k)),
            *self.addressed.host_lines(self.name),
            *pointers_defined(self.variables, self.addressed.global_rows),
            *entries,
            *self._module(bool(entries)),
            *read_by_link,
        ]

    @property
    def _is_joined(self) -> bool:
        """Whether the link may join the unit's device code with that of others."""
        return self.part is not None and bool(self.part.objects)

    @property
    def _is_module(self) -> bool:
        """Whether there are images that the program has to announce, now or after the link of device code."""
        return bool(self.images) or self._is_joined

    def _entries(self) -> list[str]:
        """Return the table of entries; nothing where it would be empty."""
        rows = [f"REX_KERNEL_ENTRY({stem})" for k in self.kernels for stem in k.stems]
        rows += [variable.entry for variable in self.variables]
        rows += self.addressed.entries(self.mark if self._is_joined else "")
        if not rows and not (self.required and self._is_module):
            return []
        rows += [f"REX_REQUIRES_ENTRY({self.required})"] if self.required else []
        table = [f"static struct __tgt_offload_entry {_ENTRIES}[] = {{", *(f"    {row}," for row in rows), "};"]
        return [*table, *(["REX_WANTS_SHARED_HEAP"] if self.required else [])]

    def _module(self, has_entries: bool) -> list[str]:
        """Return the images and the module with them."""
        source = c_string(self.source)
        if not self.images:
            form, table = ("WITHOUT_IMAGES", f", {_ENTRIES}") if has_entries else ("ALONE", "")
            return [f"REX_OFFLOAD_MODULE_{form}({source}{table})"]
        named = [(f"__rex_image_{self.name}_{n}", image) for n, image in enumerate(self.images)]
        form = "REX_OFFLOAD_MODULE" if has_entries else "REX_OFFLOAD_MODULE_WITHOUT_ENTRIES"
        return [
            *(f'REX_IMAGE({name}, "{image.file}")' for name, image in named),
            f"static struct rex_offload_image {_IMAGES}[] = {{",
            *(f"    REX_IMAGE_ROW({name}, {image.number})," for name, image in named),
            "};",
            *_constant_table(self.constants),
            f"{form}({source}, {f'{_ENTRIES}, ' if has_entries else ''}{_IMAGES})",
        ]


def _has_key_at_end(kernel: Kernel) -> bool:
    return kernel.region.owner.template is not None and kernel.region.owner.place is None


def _constant_table(constants: Iterable[ImageConstant]) -> list[str]:
    """Return the table of the constants."""
    rows = [f'    {{"{c.name}", {c.size}}},' for c in constants]
    if not rows:
        return []
    return [
        "static const struct rex_offload_constant __rex_offload_constants[] = {", *rows, "};",
        "#undef REX_OFFLOAD_CONSTANTS", f"#define REX_OFFLOAD_CONSTANTS __rex_offload_constants, {len(rows)}",
    ]  # fmt: skip
