"""C programs of csmith in a target region: ``python -m fuzz.csmith --count 300`` in the folder ``tests``.

csmith (https://github.com/csmith-project/csmith) writes C without undefined behaviour; its functions and variables
become device code, its ``main`` a region. What the CPU device computes is compared with what the host compiler's
program does. Programs that do not end in time are left out. ``--keep`` is where those that differ stay.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HEADERS = "/usr/include/csmith"
OPTIONS = ("--max-funcs", "4", "--max-block-depth", "3", "--max-array-dim", "2", "--concise")
SECONDS = 5
_CRC = re.compile(r'transparent_crc\((.*), "[^"]*", print_hash_value\);')
_PRINTED = re.compile(r"^\s*if \(print_hash_value\).*$", re.M)


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


def examined(seed: int, rexcc: str, host: str, folder: Path) -> tuple[str, str]:
    """Return what became of one program, and what was said."""
    source = folder / f"c{seed}.c"
    made = subprocess.run(("csmith", "--seed", str(seed), *OPTIONS), capture_output=True, text=True, check=False)
    if made.returncode or "int main (" not in made.stdout:
        return "not made", made.stderr
    source.write_text(region_of(made.stdout))
    plain, ours = folder / f"plain{seed}", folder / f"ours{seed}"
    flags = ("-w", "-O1", "-fwrapv", f"-I{HEADERS}", str(source), "-o")
    subprocess.run((host, *flags, str(plain)), check=True, capture_output=True)
    expected = _output(plain)
    if expected is None:
        return "too long", ""
    built = subprocess.run((rexcc, "--target=host", *flags, str(ours)), capture_output=True, text=True, check=False)
    if built.returncode:
        errors = [line for line in built.stderr.splitlines() if "error" in line]
        return "refused", (errors or [built.stderr])[0]
    found = _output(ours)
    outcome = "same" if found == expected else "different"
    for path in (plain, ours, *([source] if outcome == "same" else [])):
        path.unlink()
    return outcome, f"{found!r}, not {expected!r}" if outcome != "same" else ""


def _output(program: Path) -> str | None:
    environment = os.environ | {"OMP_TARGET_OFFLOAD": "MANDATORY"}
    try:
        done = subprocess.run(
            (str(program),), capture_output=True, text=True, timeout=SECONDS, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr[:200]}"


def main(arguments: list[str]) -> int:
    """Run, print what was found and return how many programs are not the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rexcc", default="rexcc")
    parser.add_argument("--host", default="cc")
    parser.add_argument("--keep", type=Path, required=True, help="a folder for the programs")
    options = parser.parse_args(arguments)
    options.keep.mkdir(parents=True, exist_ok=True)
    seeds = range(options.first, options.first + options.count)
    found: Counter[str] = Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        tried = pool.map(lambda seed: examined(seed, options.rexcc, options.host, options.keep), seeds)
        for seed, (outcome, said) in zip(seeds, tried, strict=True):
            found[outcome] += 1
            if outcome not in ("same", "too long"):
                print(f"{seed}: {outcome}: {said}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items())))
    return found["refused"] + found["different"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
