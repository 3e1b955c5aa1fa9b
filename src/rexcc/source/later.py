"""Modules of the standard library that are loaded when something of them is first used.

In: a module's name. Out: what stands for the module. Few commands need all that they may need, and such a module takes
as long to load as ten of ours (docs/decisions/037-short-commands.md). Type checkers see the module itself.
"""

from __future__ import annotations

import importlib
from typing import Any


def later(name: str) -> Any:
    """Return what has the attributes of a module."""
    return _Later(name)


class _Later:
    """A module that may not be loaded yet. Attributes are asked for each time: tests put others in their places."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)
