"""Device code that calls itself through several files.

In: parts that are linked together. Out: whether one of their functions calls itself through another file, which no file
can know of itself (``analysis/recursion.py``): threads need more stack then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from rexcc.driver.link.device_parts import Part

_Function = tuple[str, str]
"""A file's module and a function's name in it; no module for a name that a file calls and others have."""
_Calls = Mapping[_Function, Sequence[_Function]]


def calls_itself(parts: Iterable[Part]) -> bool:
    """Whether device code of some parts calls itself from one to the other."""
    calls = _calls_of(parts)
    try:
        TopologicalSorter(calls).prepare()
    except CycleError:
        return any(_comes_back(calls, function) for function in calls if not function[0])
    return False


def _calls_of(parts: Iterable[Part]) -> _Calls:
    """Return what calls what; a call from one file to another is one of a name without a file, which calls what has
    it."""
    found: dict[_Function, list[_Function]] = {}
    for part in parts:
        module, own = part.facts.module, frozenset(part.facts.has)
        for name, *called in part.facts.calls:
            is_here = (other.isdigit() or other in own for other in called)
            named = [(module if here else "", other) for here, other in zip(is_here, called, strict=True)]
            found[module, name] = named
            if name in own:
                found.setdefault(("", name), []).append((module, name))
    return found


def _comes_back(calls: _Calls, function: _Function) -> bool:
    seen, waiting = set[_Function](), [function]
    while waiting:
        for called in calls.get(waiting.pop(), ()):
            if called == function:
                return True
            if called not in seen:
                seen.add(called)
                waiting.append(called)
    return False
