"""Tables of device code that several files have in common, brought together at the link.

A file finds the device's function for an address of the host in its own table (pointers to functions, virtual functions
of the host's objects). In: the parts of a group. Out: the names of the functions that ask all of them, and the source
that defines these, which is compiled for each device of the group (``rex_device_joined.h``).
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.driver.link.device_parts import Part
from rexcc.target.model import Target

Joined = tuple[tuple[str, tuple[str, ...]], ...]
"""The functions to make, each with those that it asks."""


def joined_of(parts: Sequence[Part]) -> Joined:
    """Return the functions that some of the parts call."""
    asked = dict.fromkeys(name for part in parts for name in part.facts.asks)
    found = {name: [own for part in parts for known, own in part.facts.finds if known == name] for name in asked}
    return tuple((name, tuple(owners)) for name, owners in found.items())


def source_name(number: int, target: Target) -> str:
    """Return the name of a group's source for a target."""
    return f"rex_joined_{number}.{target.source}"


def text(joined: Joined, target: Target) -> str:
    """Return the source."""
    word = target.words.device
    lines = ["/* Tables of several files, joined by rexcc. */", *([f"#define {word}"] if target.entry_header else [])]
    for owner in dict.fromkeys(owner for _, owners in joined for owner in owners):
        lines.append(f'extern "C" {word} void *{owner}(const void *key);')
    for name, owners in joined:
        lines.append(f'extern "C" {word} void *{name}(const void *key) {{')
        lines += [f"  if (void *found = {owner}(key)) return found;" for owner in owners]
        lines += ["  return 0;", "}"]
    return "\n".join(lines) + "\n"
