"""The runtime helpers: C, C++ and CUDA sources that generated code includes and links. No Python beyond their place."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
INCLUDE = FOLDER / "include"
"""Headers for generated code, and the ``omp.h`` that every compiler of a rexcc build sees."""
SOURCES = FOLDER / "src"
"""Sources linked into every program."""
