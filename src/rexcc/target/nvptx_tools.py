"""NVIDIA's tool chain: nvcc makes a cubin for each architecture.

In: a command line in the target's terms. Out: nvcc's commands. Where nvcc may be, its options, its messages and the
driver stand in modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.target.commands import Arguments, Around, CommandLine, Group, Job, Step
from rexcc.target.nvptx_driver import DEPENDENCE, gpus
from rexcc.target.nvptx_image import LAST_RUNTIME_WITH_OLD_HEADER, OldHeader
from rexcc.target.nvptx_messages import NvccMessages
from rexcc.target.nvptx_options import FOREIGN_OPTIONS, OWN_OPTIONS, SPELLINGS
from rexcc.target.options import translated, words_of_lost
from rexcc.target.tools import Compiler, DeviceReport, Finding, Load, Place, ToolChain, Where

_LEVELS = {"": "3", "0": "0", "1": "1", "2": "2", "s": "2", "z": "2", "g": "1"}
_OLDEST_STANDARD = 17
_FROM_PYPI = "pip install 'rexcc[cuda]'"


class NvidiaTools(ToolChain):
    """nvcc, ptxas behind it, and the CUDA driver."""

    title = "CUDA compiler"
    compiler = "nvcc"
    variable = "NVCC"
    remedy = f"{_FROM_PYPI}, or name an installation with --cuda-path=DIR"
    places = (
        Place(Where.VARIABLE, "CUDA_HOME", "CUDA_HOME"),
        Place(Where.VARIABLE, "CUDA_PATH", "CUDA_PATH"),
        Place(Where.PATH, compiler, "PATH"),
        Place(Where.FOLDER, "/usr/local/cuda", "/usr/local/cuda"),
        Place(Where.PACKAGE, "nvidia/cu[0-9]*", "PyPI (rexcc[cuda])"),
        Place(Where.PACKAGE, "nvidia/cuda_nvcc", "PyPI"),
    )
    own_options = OWN_OPTIONS
    foreign_options = FOREIGN_OPTIONS
    spellings = SPELLINGS
    messages = NvccMessages()
    dependence = DEPENDENCE

    def image(self, job: Job, line: CommandLine, around: Around) -> tuple[Step, ...]:
        """Return nvcc's command; what old runtimes do not know of its image is written anew."""
        form = Group(("-cubin", f"-arch={job.architecture}"))
        flags = Group(_flags(line, around), "NVCCFLAGS")
        is_old = around.llvm_version <= LAST_RUNTIME_WITH_OLD_HEADER
        finish = OldHeader(job.architecture) if is_old else None
        program = Group((around.compiler,), self.variable)
        return (Step(program, (form, flags), job.source, job.output, finish),)

    def devices(self, load: Load) -> DeviceReport:
        """Return the GPUs, as the CUDA driver tells of them."""
        return gpus(load)

    def examined(self, found: Compiler | None, version: str) -> Iterator[Finding]:
        """Say whether there is an nvcc, and of which release."""
        if found is None:
            yield Finding(self.title, "without", f"no {self.compiler}: CPU device only", _FROM_PYPI)
            return
        release = next((line for line in version.splitlines() if "release" in line), "unknown version")
        yield Finding(self.title, "ok", f"{release}  {found.path}  ({found.found_by})")

    def examined_devices(self, report: DeviceReport) -> Iterator[Finding]:
        """Say which driver and GPUs there are."""
        if report.driver:
            yield Finding("NVIDIA driver", "ok", f"for {report.driver} and earlier")
        for found in report.devices:
            yield Finding("GPU", "ok", f"{found.name} ({found.architecture})")
        if report.problem:
            yield Finding("GPU", "without", f"{report.problem}: programs run on the CPU device here")


def _flags(line: CommandLine, around: Around) -> Arguments:
    """Return nvcc's flags for a device file, without the architecture.

    Of unused variables the host compiler speaks, where it is asked to: a kernel has names that its region may not need,
    and a loop's index may have the name of the variable that gets its last value. Functions of the standard library are
    compiled for devices only where they are constexpr, such as those of ``std::array`` from C++17 on.
    """
    level = _LEVELS.get(line.optimization or "", "3")
    standard = max(_OLDEST_STANDARD, line.standard)
    flags = [f"-O{level}", f"-std=c++{standard}", "--expt-relaxed-constexpr", "-diag-suppress=177,550,780"]
    flags += words_of_lost(line.given, SPELLINGS)
    if line.is_cxx:
        flags.append("--extended-lambda")
    if line.fast_math:
        flags.append("--use_fast_math")
    if line.debug:
        flags.append("-lineinfo")
    if not around.has_usual_host:  # nvcc looks for gcc and g++ by itself
        flags += ["-ccbin", around.host.cxx]
    return (*flags, *translated(line.given, SPELLINGS), "-isystem", around.include)
