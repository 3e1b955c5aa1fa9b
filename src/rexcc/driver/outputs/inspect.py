"""``--emit=pragmas``, ``ast`` and ``kernel``: what was understood of the sources, or made of them.

It goes to standard output or the file ``-o``.

In: options and the findings of the pipeline. Out: text, or one JSON document for all sources (``=json``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rexcc.driver.commands.workspace import write_file
from rexcc.driver.messages import report
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.device_options import NATIVE
from rexcc.driver.tools.targets import Targets
from rexcc.inspection.json_form import json_text
from rexcc.inspection.model import KernelList, OpenMPTree, PragmaList
from rexcc.inspection.text import pragmas_text, tree_text
from rexcc.source.text import readable
from rexcc.target.known import CPU

Found = PragmaList | OpenMPTree | KernelList


def what(options: Options) -> str:
    """Return ``pragmas``, ``ast`` or ``kernel``."""
    return options.inspection.partition("=")[0]


def targets(options: Options) -> Targets:
    """Return the devices that decide about metadirectives: those asked for, whether their tools are there or not."""
    device = options.device
    named = tuple(name for name in options.architectures if name != NATIVE) or (device.architectures.default,)
    return Targets(named if options.may_be_for(device) else (), cpu_device=options.may_be_for(CPU))


def output(options: Options, found: Sequence[Found]) -> None:
    """Write everything in the form that the options ask for."""
    text = json_text(found) + "\n" if options.inspection.endswith("=json") else "".join(map(_text, found))
    data = text.encode("utf-8", errors="surrogateescape")
    if options.output in (None, "-"):
        report.write_bytes_to_stdout(data)
    else:
        write_file(Path(str(options.output)), data)


def _text(found: Found) -> str:
    """Return the text of a unit; its characters stand for bytes, line by line, as in messages."""
    if isinstance(found, KernelList):
        text = "\n".join(kernel.listing for kernel in found.kernels)
    else:
        text = pragmas_text(found) if isinstance(found, PragmaList) else tree_text(found)
    return "".join(f"{readable(line)}\n" for line in text.splitlines())
