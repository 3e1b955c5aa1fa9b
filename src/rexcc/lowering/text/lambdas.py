"""Lambdas in a region that name variables of file scope, static ones, or ``this``.

In: a region with its attributes. Out: edits of the lambdas' captures. Such variables need no capture on the host; in
the kernel they are local, so a lambda has to capture them, by reference as it sees them on the host::

    [=](int a) { return a * scale; }        the user's, ``scale`` is a global variable
    [=, &scale](int a) { return a * scale; }

The kernel's ``this`` is a local variable too; a default captures it, else it takes the place of the user's. Where the
user captures ``*this``, an object with that name holds the copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.captures import capture_list
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import bracket_end
from rexcc.program.variables import Variable, named_variable
from rexcc.source.patterns import regex

_NOT_LOCAL = frozenset({Kind.DEVICE_GLOBAL, Kind.CONSTANT, Kind.CONSTANT_ARRAY, Kind.NEEDED_CONSTANT})


def capture_globals(body: DeviceBody, region: TargetRegion, data: RegionData) -> None:
    """Let the lambdas of a region capture the kernel's variables that stand for static ones."""
    known = [a.variable for a in data.attributes if a.kind not in _NOT_LOCAL and a.variable.is_global]
    if not known:
        return
    for node in lambdas_in(region.body):
        _capture(body, node, known)


def lambdas_in(top: Node) -> list[Node]:
    """Return the lambdas below a node. libclang shows twice what stands in the first value of a capture."""
    return list({n.start: n for n in top.walk() if n.kind == "LAMBDA_EXPR"}.values())


def _capture(body: DeviceBody, node: Node, known: Iterable[Variable]) -> None:
    used = variables_named(node)
    if edit := captures_added(body.text, body.start(node), (variable for variable in known if variable in used)):
        body.edits.insert(*edit)


def variables_named(made: Node) -> set[Variable | None]:
    """Return what the body of a lambda names; the first values of its captures belong to the code around it."""
    return set(map(named_variable, made.children[-1].walk()))


def captures_added(text: str, start: int, variables: Iterable[Variable]) -> tuple[int, str] | None:
    """Return where in a text a lambda, which starts at an offset, has to name variables that it captures by reference,
    and how; none if it does so anyway."""
    start, end = _captures(text, start)
    captures = text[start:end].strip()
    if captures.startswith("&") and captures[1:].lstrip()[:1] in ("", ","):
        return None
    needed = ", ".join(sorted(f"&{variable.name}" for variable in variables))
    return (end, f", {needed}" if captures else needed) if needed else None


def capture_team_variables(body: DeviceBody, top: Node, shared: Iterable[Variable]) -> None:
    """Let the lambdas below a node copy, or refer to, variables that the team has in static memory: C++ captures no
    static variable, so a copy would follow the variable, and a name among the captures is an error.

    ``[=]`` becomes ``[=, x = x]``, ``[x]`` ``[x = x]``, ``[&x]`` ``[&x = x]``.
    """
    every = frozenset(variable for variable in shared if not types.is_variable_length(variable.type))
    for node in lambdas_in(top) if every else ():
        named = {v.name: v for v in map(named_variable, node.walk()) if v is not None and v in every}
        if named and not body.text.startswith("[", body.start(node)):
            body.expand(body.start(node))
        elif named:
            _capture_team(body, node, named)


def _capture_team(body: DeviceBody, node: Node, named: Mapping[str, Variable]) -> None:
    start, end = _captures(body.text, body.start(node))
    listed = [(at, item, item.lstrip("&").strip()) for at, item in _items(body.text[start:end])]
    for at, item, name in listed:
        if name in named:
            body.edits.replace(start + at, start + at + len(item), f"{item} = {_copy(item, named[name])}")
    if listed and listed[0][1] == "=":
        used = {v.name for v in variables_named(node) if v is not None and v.name in named and v == named[v.name]}
        missing = sorted(used - {name for _, _, name in listed})
        body.edits.insert(end, "".join(f", {name} = {_copy(name, named[name])}" for name in missing))


def _copy(item: str, variable: Variable) -> str:
    """Return what a capture of a variable is initialised with."""
    name = variable.name
    is_array = types.is_array(types.without_reference(variable.type)) and not variable.decays
    return f"rex_copy_of({name})" if is_array and not item.startswith("&") else name


def _items(captures: str) -> Iterator[tuple[int, str]]:
    """Yield the captures in a text with the offsets at which they start."""
    depth = start = 0
    for position, character in enumerate(f"{captures},"):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            part = captures[start:position]
            if part.strip():
                yield start + len(part) - len(part.lstrip()), part.strip()
            start = position + 1


def _captures(text: str, start: int) -> tuple[int, int]:
    """Return where the captures of a lambda are in a text; their first values may have brackets (``[x = a[0]]``)."""
    opened = text.index("[", start)
    return opened + 1, bracket_end(text, opened) - 1


_COPY = regex(r"(?:^|,)\s*(\*\s*this)\s*(?=,|$)")
_COPIED = "__rex_this = rex_copied_object<rex_object_type<decltype(*__rex_this)>>{*__rex_this}"
"""A lambda's copy of the object, which its uses of the kernel's ``this`` reach as they would a pointer."""


def capture_this(body: DeviceBody, top: Node) -> None:
    """Let the lambdas below a node capture the kernel's ``this`` where they name the user's."""
    for node in lambdas_in(top):
        if not body.text.startswith("[", body.start(node)):  # a macro makes it
            if any(n.kind == "CXX_THIS_EXPR" for n in node.walk()):
                body.expand(body.start(node))
            continue
        start, end = _captures(body.text, body.start(node))
        captures = body.text[start:end]
        if capture_list(body.text[start - 1 :]).copies_this and (copied := _COPY.search(captures)):
            body.edits.replace(start + copied.start(1), start + copied.end(1), _COPIED)
            continue
        named = re.search(r"(,\s*)?(?<![*\w])this\b", captures)
        if named is None or re.search(r"\*\s*this", captures):
            continue
        by_default = named[1] and captures.lstrip().startswith("=")
        new = "" if by_default else f"{named[1] or ''}__rex_this"
        body.edits.replace(start + named.start(), start + named.end(), new)
