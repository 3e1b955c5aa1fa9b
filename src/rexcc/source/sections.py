"""Sections of the OpenMP specification as messages and listings name them."""

from __future__ import annotations


def with_version(section: str) -> str:
    """Return a section with the version of the specification that it is of: 5.2 where it does not say."""
    return section if "," in section else f"5.2, {section}"
