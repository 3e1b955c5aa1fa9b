"""Functions that headers of the system's folders define, and device code calls, as far as they matter to devices.

In: what a stage finds of them. Out: the headers of those that are code of the host alone. Which functions of a library
its headers mark as device code says the caller; a marked function is the library's word for all that it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rexcc.source.records import dataclass, field

Place = tuple[str, int]
"""Where a function is defined: the file as clang calls it, and the offset of the name."""


@dataclass
class LibraryFunctions:
    """Functions by the places of their definitions: those that the user's device code calls, what each of them calls,
    and those that are device code without a mark, as ``constexpr`` functions."""

    called: set[Place] = field(default_factory=set)
    calls: dict[Place, set[Place]] = field(default_factory=dict)
    unmarked: set[Place] = field(default_factory=set)

    def of_libraries(self, is_of_library: Callable[[str], bool]) -> set[Place]:
        """Return those of libraries that need a mark to be device code."""
        return {place for place in {*self.called, *self.calls} - self.unmarked if is_of_library(place[0])}

    def of_host(self, unusable: Iterable[Place]) -> set[Place]:
        """Return those of the functions that are no device code which device code reaches."""
        wanted, found, seen = set(unusable), set[Place](), set[Place]()
        waiting = list(self.called)
        while waiting:
            place = waiting.pop()
            if place in seen or not (place in wanted or place in self.unmarked):
                continue
            seen.add(place)
            found |= {place} & wanted
            waiting += self.calls.get(place, ())
        return found
