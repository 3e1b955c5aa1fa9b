#!/usr/bin/env python3
"""Measures links of programs of many files, made at random, whose device code calls that of others.

``scripts/relink.py FOLDER [--units N] [--groups N] [--seed N] [REXCC'S OPTION…]`` writes the program, compiles it with
rexcc and for the host alone, and prints the seconds of each link: wall clock, and processor time of all processes.
Files are in layers: each function calls two of the layer below, of its group. ``--groups 0``: nobody calls others'.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LAYERS = 5
FORMS = ("x * {} + y", "sqrt(fabs(x)) + {} * y", "x > {} ? x - y : x + y", "{} * x * y + 1", "fmax(x, {}) - y * {}")
BEGIN, END = "#pragma omp begin declare target", "#pragma omp end declare target"
REXCC = Path(__file__).parent.parent / ".venv" / "bin" / "rexcc"
NATIVE = ("clang-19", "-fopenmp")


def expression(chance: random.Random) -> str:
    """Return an expression of x and y."""
    return chance.choice(FORMS).replace("{}", str(chance.randrange(1, 9) / 8))


def callees(chance: random.Random, number: int, size: int) -> list[int]:
    """Return the files whose functions that of a file calls, of its group."""
    at, layer = number % size, max(size // LAYERS, 1)
    if at < layer:
        return []
    below = number - at + (at // layer - 1) * layer
    return list(dict.fromkeys((below + at % layer, chance.randrange(below, below + layer))))


def unit(chance: random.Random, number: int, called: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a file."""
    yield from ('#include "units.h"', "#include <math.h>", BEGIN)
    yield f"UNIT double unit_{number}(double x) {{"
    yield f"  double y = 0.5;\n  for (int k = 0; k < {chance.randrange(2, 9)}; k++) y = ({expression(chance)}) * 0.125;"
    yield from (f"  y += unit_{other}(x * {chance.randrange(1, 9) / 8});" for other in called)
    yield from (f"  return ({expression(chance)}) / 16;", "}", END)
    yield f"double run_{number}(const double *in, int n) {{\n  double sum = 0;"
    yield "#pragma omp target teams distribute parallel for map(to: in[0:n]) reduction(+: sum)"
    yield f"  for (int i = 0; i < n; i++) sum += unit_{number}(in[i]);\n  return sum;\n}}"


def write(folder: Path, units: int, groups: int, seed: int) -> list[Path]:
    """Write the program; return its sources."""
    chance, size = random.Random(seed), units // groups if groups else 1
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"unit_{n}.c": "\n".join(unit(chance, n, callees(chance, n, size))) for n in range(units)}
    shared = [BEGIN, *(f"double unit_{n}(double);" for n in range(units)), END] if groups else []
    head = [
        f"#define UNIT {'' if groups else 'static'}",
        *shared,
        *(f"double run_{n}(const double *, int);" for n in range(units)),
    ]
    calls = "\n".join(f"  sum += run_{n}(in, 256);" for n in range(units))
    begin = "  double in[256], sum = 0;\n  for (int i = 0; i < 256; i++) in[i] = i / 64.0;"
    texts["main.c"] = (
        f'#include "units.h"\n#include <stdio.h>\nint main(void) {{\n{begin}\n{calls}\n  printf("%.6f\\n", sum);\n}}'
    )
    for name, text in {**texts, "units.h": "\n".join(head)}.items():
        (folder / name).write_text(f"{text}\n")
    return [folder / name for name in texts]


def compiled(compiler: Sequence[str], sources: Sequence[Path], kind: str) -> list[str]:
    """Compile sources, several at a time; return the objects."""
    objects = [str(source.with_suffix(f".{kind}.o")) for source in sources]
    jobs = [(*compiler, "-O2", "-c", str(s), "-o", o) for s, o in zip(sources, objects, strict=True)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda job: subprocess.run(job, check=True), jobs))
    return objects


def linked(what: str, compiler: Sequence[str], objects: Sequence[str], program: Path) -> None:
    """Link, and print what it took."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run((*compiler, *objects, "-lm", "-o", str(program)), check=True)
    used, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
    spent = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {wall:.2f} s, processors {spent:.2f} s", flush=True)


def main() -> None:
    """Write, build and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, value in (("--units", 500), ("--groups", 1), ("--seed", 1)):
        parser.add_argument(name, type=int, default=value)
    asked, options = parser.parse_known_args()
    sources = write(asked.folder, asked.units, asked.groups, asked.seed)
    rexcc = (str(REXCC), *options)
    with_device, without = compiled(rexcc, sources, "device"), compiled(NATIVE, sources, "host")
    for _ in range(3):
        linked("host alone", NATIVE, without, asked.folder / "host")
    linked("first link", rexcc, with_device, asked.folder / "program")
    for _ in range(3):
        linked("link again", rexcc, with_device, asked.folder / "program")
    for changed in (sources[asked.units // 2], sources[0]):
        changed.write_text(changed.read_text().replace("y = 0.5", "y = 0.25"))
        compiled(rexcc, [changed], "device")
        linked(f"after a change in {changed.name}", rexcc, with_device, asked.folder / "program")


if __name__ == "__main__":
    main()
