"""The long run, in the folder ``tests``: ``python -m fuzz.run pragmas --count 200000``, ``… programs --count 2000``.

Pragmas go through the parser one by one; those that are accepted are shown to clang, a batch at a time. Every finding
is printed with its number: the same seed and number give the same input again.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fuzz import peer, programs
from fuzz.pragmas import WORDS, WORDS_52, Finding, examine, mutated
from fuzz.seeds import CANONICAL
from random_programs.run import command_line

BATCH = 2000
EVERYTHING = 3
"""One in so many pragmas is made of all that the tables have, and not shown to clang, which knows OpenMP 5.2."""


def pragmas(seed: int, numbers: range, folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with some pragmas."""
    known = peer.known_to_clang(CANONICAL, folder)
    for first in range(numbers.start, numbers.stop, BATCH):
        accepted: list[tuple[int, str]] = []
        for number in range(first, min(first + BATCH, numbers.stop)):
            for_clang = number % EVERYTHING != 0
            text = mutated(seed, number, known, WORDS_52) if for_clang else mutated(seed, number, CANONICAL, WORDS)
            finding, is_accepted = examine(number, text)
            if finding:
                yield finding
            elif is_accepted and for_clang:
                accepted.append((number, text))
        yield from _accepted_wrongly(accepted, folder)


def _accepted_wrongly(accepted: list[tuple[int, str]], folder: Path) -> Iterator[Finding]:
    """Yield the pragmas whose syntax clang refuses, but for those where the specification is on our side."""
    refused = peer.clang_errors([text for _, text in accepted], folder)
    suspects = [accepted[i] for i in refused]
    ours = peer.our_errors([text for _, text in suspects])
    for index, ((number, text), complaints) in enumerate(zip(suspects, refused.values(), strict=True)):
        if index not in ours and not peer.explained(text, complaints):
            yield Finding(number, "clang refuses its syntax", text, complaints[0])


def main(arguments: list[str]) -> int:
    """Run, print what was found and return how many findings there are."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("pragmas", "programs"))
    options = parser.parse_args(arguments)
    numbers = range(options.first, options.first + options.count)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        make = pragmas if options.what == "pragmas" else programs.programs
        for finding in make(options.seed, numbers, Path(folder)):
            found[finding.sort] += 1
            print(f"{finding.sort}: number {finding.number}: {finding.text!r}\n    {finding.detail}", flush=True)
    print(f"{options.count} {options.what}, seed {options.seed}: {dict(found) or 'nothing found'}")
    return sum(found.values())


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
