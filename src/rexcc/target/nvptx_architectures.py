"""Architectures of NVIDIA's GPUs: ``sm_90``, also with the letters of features that later ones have not."""

from __future__ import annotations

from rexcc.target.model import Architectures

SM = Architectures(pattern=r"sm_(\d+)[af]?", form="sm_NN", default="sm_90")


def number_of(architecture: str) -> int:
    """Return 90 for ``sm_90`` and ``sm_90a``."""
    if not SM.is_known(architecture):
        raise ValueError(f"not a GPU architecture: {architecture}")
    return SM.number(architecture)
