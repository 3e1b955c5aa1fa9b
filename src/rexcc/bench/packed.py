"""The command of a packed folder: ``python3 bench.py``, which checks and measures what was built elsewhere.

In: ``plan.json`` beside the script. Out: results in a folder, and an exit status. It needs Python 3.10, and
no network, no compiler, no rexcc. ``script.py`` makes the file of this module and those that it uses.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import signal
import sys
from pathlib import Path

from rexcc.bench.campaign import Campaign, closing_lines, exit_status, rows_in
from rexcc.bench.plan import OURS, Plan, plan_from_json

PLAN = "plan.json"
_INTERRUPTED = 130


def packed_main(script: str, argv: list[str]) -> int:
    """Measure the plan beside the script."""
    folder = Path(script).resolve().parent
    wishes = _parser().parse_args(argv)
    plan = plan_from_json(json.loads((folder / PLAN).read_text(encoding="utf-8")))
    plan = narrowed(plan, wishes.only, wishes.variants)
    plan = with_settings(plan, wishes.repeats, wishes.gpu_repeats, wishes.timeout)
    if wishes.no_cupti:
        plan = dataclasses.replace(plan, activity=None, no_activity="--no-cupti was given")
    plan = dataclasses.replace(plan, library_folders=(*plan.library_folders, *wishes.library_path))
    if wishes.list:
        print("\n".join(job.name for job in plan.jobs))
        return 0
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return _campaign(plan, folder, wishes)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _interrupt(number: int, frame: object) -> None:
    """End as for Ctrl-C, so that a program that runs ends too."""
    raise KeyboardInterrupt


def _campaign(plan: Plan, folder: Path, wishes: argparse.Namespace) -> int:
    out = Path(wishes.output)
    results = Campaign(plan, folder, out, wishes.limit, rows_in(out) if wishes.resume else ()).run(_say)
    for line in closing_lines(results, out):
        _say(line)
    return exit_status(results)


def _say(line: str) -> None:
    print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Check and measure the programs of this folder.")
    parser.add_argument("-o", dest="output", default="results", metavar="DIR", help="folder for the results (results)")
    parser.add_argument("--list", action="store_true", help="print the programs' names and end")
    parser.add_argument("--library-path", action="append", default=[], metavar="DIR", help="folder of shared libraries")
    add_measuring_options(parser)
    return parser


def add_measuring_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ``rexcc bench`` and packed folders share."""
    parser.add_argument("--only", metavar="RE", type=_pattern, help="only programs whose name matches")
    parser.add_argument("--variants", metavar="LIST", help="only these, such as rexcc,clang,cuda")
    parser.add_argument("--repeats", type=_count, metavar="N", help="timed rounds")
    parser.add_argument("--gpu-repeats", type=_count, metavar="N", help="rounds with CUPTI")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="seconds for one run")
    parser.add_argument("--limit", type=_seconds, metavar="S", help="seconds for everything; what is left is not run")
    parser.add_argument("--resume", action="store_true", help="keep what the results in DIR have already")
    parser.add_argument("--no-cupti", action="store_true", help="do not measure GPU time")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as problem:
        raise argparse.ArgumentTypeError(f"'{text}' is not a regular expression: {problem}") from None


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of rounds")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time in seconds")
    return value


def narrowed(plan: Plan, only: re.Pattern[str] | None, variants: str | None) -> Plan:
    """Return a plan of some jobs and some variants; ours and references that are not timed stay."""
    jobs = [job for job in plan.jobs if only is None or only.search(job.name)]
    if variants:
        wanted = {OURS, "host", *variants.split(",")}
        jobs = [
            dataclasses.replace(job, executables=tuple(e for e in job.executables if e.variant in wanted))
            for job in jobs
        ]
    return dataclasses.replace(plan, jobs=tuple(jobs))


def with_settings(plan: Plan, repeats: int | None, gpu_repeats: int | None, timeout: float | None) -> Plan:
    """Return a plan with what the command line says in place of the manifest's settings."""
    return dataclasses.replace(
        plan,
        repeats=plan.repeats if repeats is None else repeats,
        gpu_repeats=plan.gpu_repeats if gpu_repeats is None else gpu_repeats,
        timeout=plan.timeout if timeout is None else timeout,
    )


if __name__ == "__main__":
    sys.exit(packed_main(__file__, sys.argv[1:]))
