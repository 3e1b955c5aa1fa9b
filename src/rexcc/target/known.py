"""The targets that there are."""

from __future__ import annotations

from rexcc.target.cpu import CPU
from rexcc.target.nvptx import NVPTX

__all__ = ["CPU", "DEFAULT", "TARGETS"]

DEFAULT = NVPTX
"""The target whose kernels a command makes beside those of the CPU device."""

TARGETS = (NVPTX, CPU)
