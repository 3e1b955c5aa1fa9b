"""NVIDIA's tool chain: nvcc makes a cubin for each architecture.

In: a command line in the target's terms. Out: nvcc's commands. Where nvcc may be, its options, its messages and the
driver stand in modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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

_PART = Group(("-rdc=true", "-maxrregcount=64"), "NVCCPART")
"""A function does not know which kernels of other files call it. Its registers have to be there in blocks of any size
(65536 for 1024 threads), or the linker refuses what calls it; the launch bounds of kernels come before this."""

_LINKING = ("-Xnvlink", "-suppress-stack-size-warning")
"""Functions that call themselves are no mistake, and nvcc is silent about them within a file."""


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
        """Return nvcc's command for an image, and that for a relocatable object.

        An image is not made of the object: it is compiled as if there were no other file, which makes better code.
        """
        form = Group(("-cubin", f"-arch={job.architecture}"))
        flags = Group(_flags(line, around), "NVCCFLAGS")
        program = Group((around.compiler,), self.variable)
        steps = [Step(program, (form, _PART, flags), job.source, job.part)] if job.part else []
        if job.output:
            steps.append(Step(program, (form, flags), job.source, job.output, _finish(job.architecture, around)))
        return tuple(steps)

    def linked(
        self, parts: Sequence[str], output: str, architecture: str, line: CommandLine, around: Around
    ) -> tuple[Step, ...]:
        """Return nvcc's command for its device linker."""
        form = Group(("-dlink", "-cubin", f"-arch={architecture}", *_LINKING, *_host_compiler(around)))
        program = Group((around.compiler,), self.variable)
        finish = _finish(architecture, around)
        return (Step(program, (form, Group(tuple(parts[1:]))), parts[0], output, finish),)

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


def _finish(architecture: str, around: Around) -> OldHeader | None:
    """Return what makes an image one that old runtimes know; nvcc's linker wants objects as nvcc makes them."""
    return OldHeader(architecture) if around.llvm_version <= LAST_RUNTIME_WITH_OLD_HEADER else None


def _host_compiler(around: Around) -> Arguments:
    """Return the option that names the host compiler: nvcc looks for gcc and g++ by itself."""
    return () if around.has_usual_host else ("-ccbin", around.host.cxx)


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
    return (*flags, *_host_compiler(around), *translated(line.given, SPELLINGS), "-isystem", around.include)
