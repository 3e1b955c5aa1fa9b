"""Linking the device code of a program whose report is made and nothing else, so that figures of its kernels are known.

In: a command's units. Out: the commands that make an image for a GPU of those whose device code calls each other. None
where further files may be linked, or where something is missing: that is for the link to say.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rexcc.driver.commands.plan import Command, Stage, Unit, image_steps
from rexcc.driver.commands.workspace import write_file
from rexcc.driver.link import device_groups, device_link
from rexcc.driver.link.device_groups import Group
from rexcc.driver.link.device_parts import Part
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.outputs.emit import parts_of
from rexcc.driver.tools.toolchain import MissingToolError, Toolchain
from rexcc.pipeline import Image
from rexcc.target.commands import LinkInput
from rexcc.target.model import Target


def commands(options: Options, tools: Toolchain, units: Iterable[Unit], folder: str) -> list[Command]:
    """Return the commands for a report on ``units``; images are made in ``folder``."""
    units = tuple(units)
    if options.dry_run or not device_groups.is_complete(options):
        return []
    try:
        groups = device_groups.groups_of(options, parts_of(units))
        return [one for group in groups for one in _group_commands(options, tools, units, group, folder)]
    except (device_groups.MissingDeviceCodeError, UsageError, MissingToolError):
        return []


def _group_commands(
    options: Options, tools: Toolchain, units: tuple[Unit, ...], group: Group, folder: str
) -> Iterator[Command]:
    for name, source in group.sources.items():
        write_file(Path(folder) / name, source.encode())
    for target, architecture, file in group.images:
        if target.multiprocessors:
            yield from _link_commands(options, tools, units, group, (target, architecture, f"{folder}/{file}"))


def _link_commands(
    options: Options, tools: Toolchain, units: tuple[Unit, ...], group: Group, made: tuple[Target, str, str]
) -> Iterator[Command]:
    target, architecture, output = made
    folder = os.path.dirname(output)  # noqa: PTH120 - a spelling, not a file
    objects = []
    for part in group.parts:
        unit, image = _image_of(units, part, target, architecture)
        objects.append(device_link.input_of(unit.file(image.part), part.objects[target.name, architecture][1], part))
        for step in () if image.name else image_steps(options, tools, unit, image):
            yield Command(Stage.IMAGE, step.argv, (step.source,), step.output, unit.source.name, target=target)
    tables = device_link.table_steps(options, tools, group, made, lambda name: f"{folder}/{name}")
    for step in tables:
        yield Command(Stage.DEVICE_LINK, step.argv, (step.source,), step.output, target=target)
    objects += [LinkInput(step.output, objects[0].terms, is_asked=True) for step in tables]
    paths = tuple(one.path for one in objects)
    for step in device_link.steps(options, tools, objects, made):
        yield Command(Stage.DEVICE_LINK, step.argv, paths, step.output, target=target, finish=step.finish)


def _image_of(units: Iterable[Unit], part: Part, target: Target, architecture: str) -> tuple[Unit, Image]:
    """Return the unit of a part, and what is made of it for a device."""
    return next(
        (unit, image)
        for unit in units
        if unit.translation.part is part.facts
        for image in unit.translation.images
        if image.part and (image.target.name, image.architecture) == (target.name, architecture)
    )
