"""C programs of csmith in a target region: ``python -m fuzz.csmith --count 300`` in the folder ``tests``.

csmith (https://github.com/csmith-project/csmith) writes C without undefined behaviour; its functions and variables
become device code, its ``main`` a region. Programs that do not end in time are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from random_programs.compilers import plain_output
from random_programs.run import main
from random_programs.series import Series

HEADERS = "/usr/include/csmith"
OPTIONS = ("--max-funcs", "4", "--max-block-depth", "3", "--max-array-dim", "2", "--concise")
SECONDS = 5
_CRC = re.compile(r'transparent_crc\((.*), "[^"]*", print_hash_value\);')
_PRINTED = re.compile(r"^\s*if \(print_hash_value\).*$", re.M)


@dataclass(frozen=True)
class Program:
    """A program of csmith's with its computation in a target region."""

    name: str
    text: str


class Csmith(Series[Program]):
    """Programs of csmith's, which compute the same without OpenMP."""

    batch = 1

    def __init__(self, seed: int, level: str = "-O1") -> None:
        super().__init__(seed, level)
        self.flags += ["-fwrapv", f"-I{HEADERS}"]

    def language(self, number: int) -> str:
        """Return the language of a program."""
        return "c"

    def make(self, number: int, language: str) -> list[Program]:
        """Return a program, or none where csmith makes none."""
        command = ("csmith", "--seed", str((self.seed - 1) * 1_000_000 + number), *OPTIONS)
        made = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return [Program(f"p{number}", region_of(made))] if "int main (" in made else []

    def parts(self, blocks: Sequence[Program]) -> list[str]:
        """Return the text of the only program."""
        return ["", *(block.text for block in blocks), ""]

    def expected(self, place: Path, source: Path, blocks: Sequence[Program]) -> tuple[str | None, str]:
        """Return what a program prints without OpenMP."""
        output, complaint = plain_output(place, source, self.flags, SECONDS)
        return output, "" if "no end" in complaint else complaint

    def reduced(self, blocks: list[Program], fails: Callable[[list[Program]], bool], until: float) -> list[Program]:
        """Return the program: its lines depend on each other."""
        return blocks


def region_of(text: str) -> str:
    """Return a program of csmith's with its computation in a target region."""
    head, main = text.split("int main (", 1)
    include = head.index('#include "csmith.h"')
    body = main[main.index("crc32_gentab();") + len("crc32_gentab();") : main.index("platform_main_end")]
    body = _PRINTED.sub("", body)
    body = _CRC.sub(r"sum = (sum ^ (unsigned long)(\1)) * 1099511628211ul;", body)
    before = '#include <stdio.h>\n#include "csmith.h"\n#pragma omp declare target\n'
    after = "#pragma omp end declare target\nint main(void) {\n  unsigned long sum = 14695981039346656037ul;\n"
    region = f"#pragma omp target map(tofrom : sum)\n  {{\n    int i, j, k; (void)i; (void)j; (void)k;\n{body}\n  }}\n"
    declarations = head[include + len('#include "csmith.h"') :]
    return f'{before}{declarations}{after}{region}  printf("%lu\\n", sum);\n  return 0;\n}}\n'


if __name__ == "__main__":
    sys.exit(main(Csmith))
