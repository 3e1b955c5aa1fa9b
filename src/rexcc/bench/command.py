"""The command ``rexcc bench``.

In: the arguments behind ``bench``. Out: an exit status: 0, 1 when a program of ours was not built, failed or computed
something else than its reference, 2 for a command line or a manifest that makes no sense.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import shlex
from pathlib import Path

from rexcc.bench import campaign, cupti, folders, history, pack, tuning, variants, winners
from rexcc.bench.building import Build
from rexcc.bench.campaign import Campaign, closing_lines, exit_status
from rexcc.bench.machine import commit_of
from rexcc.bench.manifest import Manifest
from rexcc.bench.packed import add_measuring_options, narrowed, with_settings
from rexcc.bench.plan import MANDATORY, OURS, Job, Plan, TunedKernel
from rexcc.bench.results import Results, merged, read_results
from rexcc.bench.table import table
from rexcc.bench.variants import TIMED, Machine, Variant
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.tools import omp_runtimes, toolchain
from rexcc.driver.tools.toolchain import MissingToolError
from rexcc.target.nvptx import NVPTX

_DESCRIPTION = """Build programs with several compilers, compare their outputs, then measure them.

PATH is a manifest (bench.toml or JSON), a folder with a bench.toml, or a folder of programs (docs/bench.md).
"""


def main(argv: list[str]) -> int:
    """Do what the command line asks for."""
    wishes = _parser().parse_args(argv)
    if wishes.history:
        _refuse_bad_history(wishes)
    if wishes.tune:
        tuning.refuse_others(wishes)
    if wishes.report:
        return _report(wishes)
    machine = _machine(wishes)
    manifests = [_selected(folders.find(path), wishes.only) for path in wishes.path or ["."]]
    _refuse_repeated_names(manifests)
    if wishes.pack:
        return _pack(wishes, machine, manifests)
    return _measure(wishes, machine, manifests)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rexcc bench", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", nargs="*", metavar="PATH", help="manifests or folders (the current one)")
    parser.add_argument("-o", dest="output", metavar="DIR", help="folder for results and executables (bench-results)")
    parser.add_argument("--pack", metavar="DIR", help="build here, and make a folder that measures elsewhere")
    parser.add_argument(
        "--pack-libraries",
        action="store_true",
        help="with --pack: libomptarget, and what it needs, into the folder too",
    )
    parser.add_argument("--report", action="store_true", help="make table and chart of results (PATH: results.json)")
    parser.add_argument("--target", choices=("nvptx", "host"), help="GPU, or CPU device (what this machine has)")
    parser.add_argument("--offload-arch", metavar="ARCH", help="GPU to build for (this machine's)")
    parser.add_argument("--cuda-path", metavar="DIR", help="CUDA installation")
    parser.add_argument("--omp-runtime", metavar="VERSION|PATH", help="LLVM's runtime (the one that rexcc takes)")
    parser.add_argument("--rexcc-flags", metavar="FLAGS", default="", help="more options for rexcc")
    parser.add_argument(
        "--variant", action="append", default=[], metavar="NAME=COMMAND", help="one more compiler of the OpenMP sources"
    )
    parser.add_argument("--tune", metavar="FILE", help="measure choices for each kernel, and write the best to FILE")
    parser.add_argument("--choices", metavar="LIST", help="with --tune: only these, such as threads-128,no-tiles")
    parser.add_argument("--history", metavar="FILE", help="add the results to FILE, and say what has changed since")
    parser.add_argument("--reuse", action="store_true", help="keep executables of peers that are up to date")
    add_measuring_options(parser)
    return parser


def _report(wishes: argparse.Namespace) -> int:
    if not wishes.path:
        raise UsageError("bench --report needs a results.json")
    results = merged([read_results(Path(path)) for path in wishes.path])
    if wishes.output is None:
        print(table(results), end="")
    else:
        campaign.write(results, Path(wishes.output))
        _say_all(closing_lines(results, Path(wishes.output)))
    _say_all([*_history(wishes, results), *_tuned(wishes, results)])
    return exit_status(results)


def _history(wishes: argparse.Namespace, results: Results) -> list[str]:
    return history.add(Path(wishes.history), results) if wishes.history else []


def _tuned(wishes: argparse.Namespace, results: Results) -> list[str]:
    return winners.write(results, Path(wishes.tune)) if wishes.tune else []


def _machine(wishes: argparse.Namespace) -> Machine:
    found = toolchain.native_architectures(NVPTX.tools)
    target = wishes.target or ("nvptx" if found or wishes.pack else "host")
    if not wishes.target and target == "host":
        _say("no GPU here: target regions run on the CPU device, and times are of the CPU (--target=nvptx builds only)")
    host = toolchain.find_host_compiler(None)
    cuda = toolchain.find_compiler(NVPTX.tools, wishes.cuda_path, os.environ)
    if target == "nvptx" and cuda is None:
        raise MissingToolError("no CUDA compiler (nvcc) found; name one with --cuda-path, or use --target=host")
    architecture = wishes.offload_arch or (found[0] if found else NVPTX.architectures.default)
    runtime = omp_runtimes.find_runtime(host, os.environ, wishes.omp_runtime)
    return Machine(target, architecture, runtime, cuda)


def _selected(manifest: Manifest, only: re.Pattern[str] | None) -> Manifest:
    """Leave out the programs that are not wanted, before anything is built."""
    programs = [
        program
        for program in manifest.programs
        if only is None or any(only.search(f"{program.name}/{run}" if run else program.name) for run, _ in program.runs)
    ]
    return dataclasses.replace(manifest, programs=tuple(programs))


def _refuse_bad_history(wishes: argparse.Namespace) -> None:
    """Refuse what cannot be written at the end before anything is measured."""
    if wishes.pack:
        raise UsageError("bench: --history is for results: give it with --report, when they are there")
    history.read(Path(wishes.history))


def _refuse_repeated_names(manifests: list[Manifest]) -> None:
    names = [program.name for manifest in manifests for program in manifest.programs]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise UsageError(f"bench: two manifests have a program '{name}'")
    if not names:
        raise UsageError("bench: no program to measure")


def _pack(wishes: argparse.Namespace, machine: Machine, manifests: list[Manifest]) -> int:
    folder = Path(wishes.pack)
    pack.prepare(folder)
    built = Path(wishes.output) if wishes.output else folder.with_name(f"{folder.name}.build")
    wanted = _wanted(wishes, machine)
    plan = _plan(wishes, machine, manifests, wanted, built, packed=True)
    libraries = _libraries(machine, wanted) if wishes.pack_libraries else ()
    size = pack.pack(plan, folder, libraries)
    _say(f"{len(plan.jobs)} programs, {size / 1e6:.1f} MB; there: python3 {folder.name}/{pack.SCRIPT} -o DIR")
    return int(any(e.path is None for job in plan.jobs for e in job.executables if e.variant == OURS))


def _libraries(machine: Machine, wanted: tuple[Variant, ...]) -> tuple[Path, ...]:
    own = pack.runtime_libraries(machine.runtime) if machine.runtime else ()
    return (*own, *(library for variant in wanted for library in variant.libraries))


def _measure(wishes: argparse.Namespace, machine: Machine, manifests: list[Manifest]) -> int:
    out = Path(wishes.output or "bench-results")
    if wishes.tune and machine.target == "host":
        raise UsageError("bench --tune needs a GPU; with --pack it builds here what is measured elsewhere")
    plan = _plan(wishes, machine, manifests, _wanted(wishes, machine), out / "build", packed=False)
    earlier = campaign.rows_in(out) if wishes.resume else ()
    results = Campaign(plan, Path.cwd(), out, wishes.limit, earlier).run(_say)
    _say_all([*closing_lines(results, out), *_history(wishes, results), *_tuned(wishes, results)])
    return exit_status(results)


def _wanted(wishes: argparse.Namespace, machine: Machine) -> tuple[Variant, ...]:
    return (_ours(wishes, machine),) if wishes.tune else chosen(wishes, machine)


def _plan(
    wishes: argparse.Namespace,
    machine: Machine,
    manifests: list[Manifest],
    wanted: tuple[Variant, ...],
    built: Path,
    packed: bool,
) -> Plan:
    jobs, tuned = _jobs(wishes, machine, manifests, wanted, built)
    activity, no_activity = _activity(wishes, machine, built, packed)
    first = manifests[0]
    usual = Plan("", ())
    plan = Plan(
        title=", ".join(dict.fromkeys(manifest.title for manifest in manifests)),
        jobs=tuple(jobs),
        device="gpu" if machine.target == "nvptx" else "cpu",
        repeats=usual.repeats if first.repeats is None else first.repeats,
        gpu_repeats=usual.gpu_repeats if first.gpu_repeats is None else first.gpu_repeats,
        timeout=usual.timeout if first.timeout is None else first.timeout,
        built=_versions(machine, wanted),
        activity=activity,
        no_activity=no_activity,
        library_folders=machine.runtime.folders if machine.runtime else (),
        tuned=tuned,
    )
    if wishes.tune:
        plan = with_settings(plan, 0, tuning.ROUNDS, None)
    plan = with_settings(plan, wishes.repeats, wishes.gpu_repeats, wishes.timeout)
    return narrowed(plan, wishes.only, None)


def _jobs(
    wishes: argparse.Namespace,
    machine: Machine,
    manifests: list[Manifest],
    wanted: tuple[Variant, ...],
    built: Path,
) -> tuple[list[Job], tuple[TunedKernel, ...]]:
    """Build all programs; return the jobs, and the kernels whose choices are to be measured."""
    if not wishes.tune:
        return [job for one in manifests for job in Build(one, built, wanted, wishes.reuse, _say).jobs()], ()
    choices = tuning.chosen(wishes.choices)
    for_one = (tuning.Tuning(m, built, wanted[0], choices, machine.architecture, wishes.reuse, _say) for m in manifests)
    found = [one.jobs() for one in for_one]
    return [job for jobs, _ in found for job in jobs], tuple(kernel for _, kernels in found for kernel in kernels)


def chosen(wishes: argparse.Namespace, machine: Machine) -> tuple[Variant, ...]:
    """Return the variants to build: ours first, the reference that is not timed last.

    A compiler that was asked for and is missing is a reason in every row; one that was not is left out, and said.
    """
    known = [
        _ours(wishes, machine),
        variants.native_clang(machine),
        variants.gcc(machine),
        variants.cuda_version(machine),
    ]
    _refuse_bad_names(wishes.variant)
    others = [variants.another(written, dict(MANDATORY)) for written in wishes.variant]
    wanted = _asked(wishes.variants) if wishes.variants else {variant.name for variant in known if not variant.missing}
    left_out = [f"{variant.name} ({variant.missing})" for variant in known if variant.name not in wanted]
    if left_out and not wishes.variants:
        _say(f"without {', '.join(left_out)}")
    return (*(variant for variant in known if variant.name in wanted), *others, variants.host_only())


def _ours(wishes: argparse.Namespace, machine: Machine) -> Variant:
    return variants.ours(machine, [*_runtime_option(wishes), *shlex.split(wishes.rexcc_flags)])


def _runtime_option(wishes: argparse.Namespace) -> tuple[str, ...]:
    return (f"{omp_runtimes.OPTION}={wishes.omp_runtime}",) if wishes.omp_runtime else ()


def _asked(written: str) -> set[str]:
    names = written.split(",")
    unknown = [name for name in names if name not in TIMED]
    if unknown:
        raise UsageError(f"bench: unknown variant '{unknown[0]}'; known are {', '.join(TIMED)}")
    return {OURS, *names}


def _refuse_bad_names(written: list[str]) -> None:
    for text in written:
        name, _, command = text.partition("=")
        if not re.fullmatch(r"[\w.+-]+", name) or not command.strip() or name in (*TIMED, "host"):
            raise UsageError(f"bench: --variant wants NAME=COMMAND with a new name, not '{text}'")


def _activity(wishes: argparse.Namespace, machine: Machine, built: Path, packed: bool) -> tuple[str | None, str]:
    if machine.target == "host":
        return None, ""
    if wishes.no_cupti:
        return None, "--no-cupti was given"
    library, problem = cupti.build_library(machine.cuda, built / "lib", packed)
    return (str(library.resolve()) if library else None), problem


def _versions(machine: Machine, wanted: tuple[Variant, ...]) -> dict[str, str]:
    found = {variant.name: variant.version for variant in wanted if variant.version and variant.name != "host"}
    runtime, commit = machine.runtime, commit_of(Path(__file__))
    found |= {history.COMMIT: commit} if commit else {}
    libraries = {"libomptarget": f"LLVM {runtime.version}"} if runtime else {}
    return {**found, **libraries, **({"for": machine.architecture} if machine.target == "nvptx" else {})}


def _say_all(lines: list[str]) -> None:
    for line in lines:
        _say(line)


def _say(line: str) -> None:
    print(line, flush=True)
