"""Variants of a program that differ from it in one choice for each of its kernels: ``rexcc bench --tune``.

In: a manifest, rexcc, and the choices to try. Out: jobs with one executable for each choice, and the kernels with what
a choice is for each. A choice is put into all kernels of a program at once, by a file of ``--tuned``; each kernel is
timed by itself, so one build tries a choice for all of them. What a choice leaves as it is, by the kernel's tree, is
not built and not measured.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rexcc.bench.building import Build, first_error
from rexcc.bench.manifest import Manifest, Program
from rexcc.bench.plan import OURS, Job, TunedKernel
from rexcc.bench.variants import Variant, command
from rexcc.driver.commands.processors import usable_cpus
from rexcc.driver.options.command_parts import UsageError
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import Choice, Entry, KernelKey, tuned_text, words_of_choice

_SWITCHES = (
    Optimisation.TILES, Optimisation.GROUPS, Optimisation.LIGHT_LOOPS, Optimisation.SMALL_GRIDS, Optimisation.BINS,
    Optimisation.ELEMENTS,
    Optimisation.HOISTING, Optimisation.NEIGHBOURS, Optimisation.DIVISIONS, Optimisation.READ_ONLY,
)  # fmt: skip
CHOICES: Mapping[str, Choice] = {
    **{f"threads-{number}": Choice(threads=number) for number in (64, 128, 256, 512)},
    **{f"registers-{number}": Choice(registers=number) for number in (40, 64, 128)},
    **{f"unroll-{number}": Choice(unroll=number) for number in (1, 2, 4, 8)},
    **{f"no-{one.value}": Choice(left_out=frozenset({one})) for one in _SWITCHES},
}
"""What is tried, by the names of the variants."""

ROUNDS = 5
"""In which kernels are timed; nothing else is."""

_Listing = dict[KernelKey, str]


def chosen(written: str | None) -> dict[str, Choice]:
    """Return the choices that a command line names, all of them where it names none."""
    names = written.split(",") if written else list(CHOICES)
    unknown = next((name for name in names if name not in CHOICES), None)
    if unknown is not None:
        raise UsageError(f"bench: unknown choice '{unknown}'; known are {', '.join(CHOICES)}")
    return {name: CHOICES[name] for name in names}


def refuse_others(wishes: argparse.Namespace) -> None:
    """Refuse options that tuning does not take: it compares builds of ours, by the times of kernels."""
    chosen(wishes.choices)
    if wishes.history or wishes.variants or wishes.variant:
        raise UsageError("bench --tune compares builds of rexcc; leave --history, --variants and --variant out")
    if "--tuned" in wishes.rexcc_flags:
        raise UsageError("bench --tune starts from the usual choices; leave --tuned out of --rexcc-flags")
    if wishes.no_cupti:
        raise UsageError("bench --tune needs the times of kernels; leave --no-cupti out")


@dataclass(frozen=True)
class Tuning:
    """Builds the variants of a manifest's programs into ``folder`` for one architecture."""

    manifest: Manifest
    folder: Path
    ours: Variant
    choices: Mapping[str, Choice]
    architecture: str
    reuse: bool
    say: Callable[[str], None]

    def jobs(self) -> tuple[tuple[Job, ...], tuple[TunedKernel, ...]]:
        """Build everything; return the jobs, in which our own build is the reference, and the kernels."""
        self.folder.mkdir(parents=True, exist_ok=True)
        jobs: list[Job] = []
        kernels: list[TunedKernel] = []
        for program in self.manifest.programs:
            variants, found = self._variants(program)
            own = dataclasses.replace(self.manifest, programs=(program,))
            built = Build(own, self.folder, (self.ours, *variants), self.reuse, self.say).jobs()
            jobs += map(_compared_with_ours, built)
            kernels += found
        return tuple(jobs), tuple(kernels)

    def _variants(self, program: Program) -> tuple[list[Variant], list[TunedKernel]]:
        """Return the variants that differ from the program as it is, with the kernels in which they do."""
        try:
            usual, names = self._listed(program, self.ours)
        except UsageError as problem:
            self.say(f"{program.name}: {problem}")
            return [], []
        tried = {name: self._tried(program, name, usual) for name in self.choices}
        with ThreadPoolExecutor(usable_cpus()) as pool:
            listings = list(pool.map(lambda variant: self._listed(program, variant)[0], tried.values()))
        changed = {
            name: frozenset(key for key in usual if found.get(key) != usual[key])
            for name, found in zip(tried, listings, strict=True)
        }
        kernels = [
            TunedKernel(program.name, names[key], parts_of(key), words)
            for key in usual
            if (words := {n: words_of_choice(self.choices[n]) for n, keys in changed.items() if key in keys})
        ]
        return [variant for name, variant in tried.items() if changed[name]], kernels

    def _tried(self, program: Program, name: str, kernels: _Listing) -> Variant:
        """Return the variant with a choice for all kernels, whose file is written."""
        file = self.folder.resolve() / f"{program.name}.{name}.tune"
        entries = [Entry(key, self.architecture, self.choices[name]) for key in kernels]
        file.write_text(tuned_text(entries), encoding="utf-8")
        with_file = (f"--tuned={file}",)
        return dataclasses.replace(
            self.ours, name=name, cc=(*self.ours.cc, *with_file), cxx=(*self.ours.cxx, *with_file)
        )

    def _listed(self, program: Program, variant: Variant) -> tuple[_Listing, dict[KernelKey, tuple[str, ...]]]:
        """Return the trees of a program's kernels, and their names. Of those that share a name no time is known."""
        argv = (*command(variant, program, self.manifest.folder, Path("-")), "--emit=kernel=json")
        done = subprocess.run(argv, cwd=self.manifest.folder, capture_output=True, check=False)
        if done.returncode:
            raise UsageError(first_error(done.stderr.decode(errors="replace"), done.returncode))
        kernels = [kernel for unit in json.loads(done.stdout)["units"] for kernel in unit["kernels"]]
        listing: _Listing = {}
        names: dict[KernelKey, tuple[str, ...]] = {}
        for kernel in kernels:
            key = KernelKey(kernel["within"], kernel["function"], kernel["directive"], kernel["text"])
            listing[key] = listing.get(key, "") + kernel["listing"]
            names[key] = tuple(dict.fromkeys((*names.get(key, ()), *kernel["names"])))
        uses = Counter(name for own in names.values() for name in own)
        alone = {key for key, own in names.items() if all(uses[name] == 1 for name in own)}
        return {key: text for key, text in listing.items() if key in alone}, names


def _compared_with_ours(job: Job) -> Job:
    """Return a job in which our own build is right, unless the manifest says that outputs are not compared."""
    if job.compare.reference == "none":
        return job
    return dataclasses.replace(job, compare=dataclasses.replace(job.compare, reference=OURS))


def parts_of(key: KernelKey) -> dict[str, Any]:
    """Return a key's parts by their names."""
    return {"file": key.file, "function": key.function, "directive": key.directive, "text": key.text}
