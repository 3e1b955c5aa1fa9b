"""The targets that there are."""

from __future__ import annotations

from rexcc.target.cpu import CPU
from rexcc.target.nvptx import NVPTX

__all__ = ["CPU", "DEFAULT", "DEVICES", "TARGETS"]

DEVICES = (NVPTX,)
"""Those of which a command makes kernels for one, beside those of the CPU device."""

DEFAULT = DEVICES[0]
"""The one of a command that names none."""

TARGETS = (*DEVICES, CPU)
