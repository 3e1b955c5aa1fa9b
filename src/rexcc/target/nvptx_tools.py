"""NVIDIA's tool chain: nvcc makes a cubin for each architecture.

In: a command line in the target's terms. Out: nvcc's commands. What it makes of options, where the GPUs of this machine
are asked for, how its messages are read, and what its linker does are in modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rexcc.source.patterns import regex
from rexcc.source.records import replace
from rexcc.target import nvptx_inputs
from rexcc.target.commands import (
    LIBRARY_ON_DEVICES,
    NO_SPECIAL_FUNCTIONS,
    Arguments,
    Around,
    CommandLine,
    Given,
    Group,
    Job,
    LinkError,
    LinkInput,
    LinkPlan,
    Step,
)
from rexcc.target.llvm_abi import abi_of
from rexcc.target.nvptx_devices import DEPENDENCE, gpus
from rexcc.target.nvptx_headers import NO_CUDA_HEADER, without_headers
from rexcc.target.nvptx_image import OldHeader
from rexcc.target.nvptx_lambdas import may_mark_lambdas
from rexcc.target.nvptx_link import linked
from rexcc.target.nvptx_messages import NvccMessages
from rexcc.target.nvptx_options import FOREIGN_OPTIONS, OWN_OPTIONS, SPELLINGS, TO_ASSEMBLER
from rexcc.target.nvptx_paths import MappedPaths, path_maps, without_hashes
from rexcc.target.nvptx_pieces import defined_twice, finished, piece_word, pieces_of, plan_of
from rexcc.target.nvptx_standard import standard_for
from rexcc.target.options import translated, words_of_lost
from rexcc.target.special_functions import without_special_functions
from rexcc.target.tools import Compiler, DeviceReport, Finding, Load, Place, ToolChain, Where

_LEVELS = {"": "3", "0": "0", "1": "1", "2": "2", "s": "2", "z": "2", "g": "1"}
_OLDEST_STANDARD, _NEWEST_STANDARD = 17, 20
_LAMBDAS = ("--extended-lambda",)
_FROM_PYPI = "pip install 'rexcc[cuda]'"

_TELLING = ("-Xptxas", "-v")
"""For the assembler to say what each kernel takes."""

_DEBUGGED = "-G"
"""Lets cuda-gdb see variables: of code that is not optimised, and not made at the link."""

_PLAIN_STRINGS = "-U_FORTIFY_SOURCE"
"""Ubuntu's gcc defines the macro where it optimizes. The C library then defines ``memmove`` and others for the host, in
the way of ours."""

_TO_STAGES = frozenset({"-Xptxas", "-Xcicc"})
_UNREAD = frozenset({"-Xnvcc", "-Xnvcc="})
_LIMITS = ("-maxrregcount", "--maxrregcount")

_PART = Group(("-rdc=true", "-maxrregcount=64"), "NVCCPART")
"""A function does not know which kernels of other files call it. Its registers have to be there in blocks of any size
(65536 for 1024 threads), or the linker refuses what calls it; the launch bounds of kernels come before this,
and the user's own limit stands in its place."""

_PART_AS_LIMITED = Group(("-rdc=true",), "NVCCPART")

_IR_PART = Group(("-rdc=true", "-dlto", "-ltoir"), "NVCCPART")
"""The same as NVVM's intermediate representation: nvJitLink inlines functions of other files, and knows who calls what.
"""
_IR, _CONTRACT, _APPROXIMATE = "ir", "contract", "approximate"
"""What a part says to its link: that it is intermediate representation, and what its arithmetic may do. nvJitLink goes
by its own options alone (``-fma``, ``-ftz`` …), so those of the compilation have to reach it."""

_READING = regex(r"--?(?:pre-)?include\b(?!-path)|-optf\b|--options-file\b|-.*,-include\b")
"""Options by which nvcc reads a file of the user's in front of a device file. It may have CUDA's words and lambdas."""

NO_CONST_FUNCTIONS = "-D__const__=__unused__"
"""libstdc++ has the attribute at ``std::array``'s ``rbegin`` and ``rend``. nvcc believes that such a function writes
nothing, also not the object of a class that it returns, and then takes the whole kernel for impossible."""

_NO_LIBRARY = (
    "the device code of these files is linked by nvJitLink, which was there when they were compiled and is not here: "
    "pip install nvidia-nvjitlink, or compile them again"
)
_LINKING = ("-Xnvlink", "-suppress-stack-size-warning")
"""Functions that call themselves are no mistake, and nvcc is silent about them within a file."""


class NvidiaTools(ToolChain):
    """nvcc, ptxas behind it, and the CUDA driver."""

    title = "CUDA compiler"
    compiler = "nvcc"
    linker = "libnvJitLink.so.*"
    linker_remedy = "pip install nvidia-nvjitlink"
    variable = "NVCC"
    newest_standard = _NEWEST_STANDARD
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
    read_variables = ("NVCC_", "CUDA_", "CICC_", "NVVM", "NVIDIA_", "NVHPC")
    option_variables = ("NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS", "NVCC_CCBIN")

    def asks_usage(self, given: Sequence[Given]) -> bool:
        """Whether an option lets ptxas tell what kernels take (``-v``)."""
        words = (word for one in given if one.spelling in TO_ASSEMBLER for word in one.value.split(","))
        return any(word in ("-v", "--verbose") for word in words)

    def image(self, job: Job, line: CommandLine, around: Around) -> tuple[Step, ...]:
        """Return nvcc's command for an image, or that for a relocatable object and what makes the image then.

        Intermediate representation becomes the code that nvcc makes of the source. Of an object with finished code no
        image is made: it is compiled as if there were no other file, which makes better code.
        """
        form = Group(("-cubin", f"-arch={job.architecture}"))
        own = line if not line.is_cxx else replace(line, standard=standard_for(line.standard, job.text))
        usual = job.has_code and own.standard == line.standard
        own_flags = _flags(own, around)
        reads_more = any(map(_READING.match, (*own_flags, *around.further)))
        left_out = () if job.has_code or reads_more else (NO_CUDA_HEADER,)  # nobody needs it there
        flags = Group((*own_flags, *left_out), "NVCCFLAGS" if usual else "")
        of_text = Group(_words_of_text(job, line, (*own_flags, *around.further), reads_more))
        needs_headers = not job.has_code or reads_more
        quicker = () if needs_headers else _quicker(job, line, around)
        program = Group((around.compiler,), self.variable)
        steps = []
        terms = self.terms(line, around) if job.part else ()
        if _IR in terms:
            words = (Group((f"-arch={job.architecture.replace('sm_', 'lto_')}",)), _IR_PART, flags, of_text)
            steps.append(Step(program, words, job.source, job.part, quicker=quicker))
        elif job.part:
            part = _PART_AS_LIMITED if any(word.startswith(_LIMITS) for word in flags.words) else _PART
            step = Step(program, (form, part, flags, of_text), job.source, job.part, quicker=quicker)
            steps += _with_paths(line, step)
        if job.output and _IR in terms and job.is_whole:
            steps += self.linked((LinkInput(job.part, terms),), job.output, job.architecture, line, around)
        elif job.output:
            finish = _finish(job.architecture, around)
            words = (form, flags, of_text, Group(_TELLING if line.tells_usage else ()))
            steps += _with_paths(line, Step(program, words, job.source, job.output, finish, quicker=quicker))
        return tuple(steps)

    def terms(self, line: CommandLine, around: Around) -> Arguments:
        """Return what a relocatable object says to its link: nothing of a cubin, whose code is ready.

        It is one where no linker is here, and where options go to stages of nvcc that are not part of its compilation,
        or may do so.
        """
        flags = _flags(line, around)
        is_unread = any(option.spelling in _UNREAD for option in line.given)
        if not around.linker or is_unread or _DEBUGGED in flags or not _TO_STAGES.isdisjoint(flags):
            return ()
        contracted = next((flag for flag in reversed(flags) if flag.startswith("-fmad=")), "")
        contracts = () if contracted == "-fmad=false" else (_CONTRACT,)
        return (_IR, *contracts, *((_APPROXIMATE,) if line.fast_math else ()))

    def is_ready(self, part: LinkInput) -> bool:
        """Whether an object is a cubin: it has no intermediate representation."""
        return _IR not in part.terms

    def linked(
        self, parts: Sequence[LinkInput], output: str, architecture: str, line: CommandLine, around: Around
    ) -> tuple[Step, ...]:
        """Return the command that links: of nvJitLink, or where that is missing and not needed, of nvcc."""
        finish = _finish(architecture, around)
        others = Group(tuple(part.path for part in parts[1:]))
        if around.linker:
            in_order = (*parts[1:], parts[0])  # as the command has them
            is_apart = not line.links_whole and all(_IR in part.terms for part in parts)
            pieces = pieces_of(in_order) if is_apart else ()
            words = Group((f"-arch={architecture}", *_link_options(parts, line), *map(piece_word, pieces)))
            return (Step(Group(around.linker), (words, others), parts[0].path, output, finish),)
        if any(_IR in part.terms for part in parts):
            raise LinkError(_NO_LIBRARY)
        form = Group(("-dlink", "-cubin", f"-arch={architecture}", *_LINKING, *_host_compiler(around)))
        return (Step(Group((around.compiler,), self.variable), (form, others), parts[0].path, output, finish),)

    def link_plan(self, options: Sequence[str]) -> LinkPlan:
        """Return how nvJitLink links: all at once, or in pieces."""
        return plan_of(options)

    def link(self, library: Any, options: Sequence[str], inputs: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
        """Return the image, or the relocatable object, that nvJitLink makes, and what it tells."""
        both = "" if "-lto" in options else defined_twice(data for _, data in inputs)
        if both:
            raise LinkError(f"'{both}' is defined twice")
        made, told = linked(library, options, inputs)
        return finished(options, made), told

    def listing(self, words: Sequence[str], path: str) -> Arguments:
        """Return the words for the preprocessor behind nvcc."""
        return nvptx_inputs.listing(words, path)

    def tools_behind(self, words: Sequence[str], files: Sequence[str]) -> Arguments:
        """Return the preprocessor, and what the installation has."""
        return nvptx_inputs.tools_behind(words, files)

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


def _with_paths(line: CommandLine, step: Step) -> tuple[Step, ...]:
    """Return the steps by which an image is made whose line tables have the paths that the command line wants, and no
    dates of files.

    By way of PTX nvcc makes the same image.
    """
    form, *others = step.words
    words = {word for group in others for word in group.words}
    if words.isdisjoint(("-lineinfo", _DEBUGGED)):
        return (step,)
    text = f"{step.output.removesuffix('.cubin')}.ptx"
    ptx = Group(("-ptx", *form.words[1:]))
    return (
        Step(step.program, (ptx, *others), step.source, text, MappedPaths(path_maps(line.own))),
        Step(step.program, step.words, text, step.output, without_hashes(step.finish)),
    )


def _words_of_text(job: Job, line: CommandLine, flags: Arguments, reads_more: bool) -> Arguments:
    """Return the words that a device file of a program in C++ asks for; ``reads_more``: nvcc reads other files, too."""
    if not line.is_cxx:
        return ()
    marks = _LAMBDAS if reads_more or may_mark_lambdas(job.text) else ()
    return (*marks, *_without_const(job), *without_special_functions(job.text, flags))


def _quicker(job: Job, line: CommandLine, around: Around) -> Arguments:
    """Return the words by which nvcc reads few headers."""
    return without_headers(job.text, (*translated(line.given, SPELLINGS), *around.further), around.include)


def _without_const(job: Job) -> Arguments:
    """Return the word that takes away the attribute, unless the user's text has it, who may mean the qualifier."""
    return (NO_CONST_FUNCTIONS,) if "__const__" not in job.text else ()


def _link_options(parts: Sequence[LinkInput], line: CommandLine) -> Arguments:
    """Return nvJitLink's options: its code may do what all parts allow."""
    made = [part.terms for part in parts if _IR in part.terms]
    if not made:
        return ()
    contracts = all(_CONTRACT in terms for terms in made)
    rounding = ("-ftz=1", "-prec-div=0", "-prec-sqrt=0") if all(_APPROXIMATE in terms for terms in made) else ()
    level = 0 if line.optimization == "0" else 3  # it knows no others
    lines = ("-lineinfo",) if line.debug or "-lineinfo" in translated(line.given, SPELLINGS) else ()
    told = ("-Xptxas=-v",) if line.tells_usage else ()
    return ("-lto", f"-O{level}", f"-fma={int(contracts)}", *rounding, *lines, *told)


def _finish(architecture: str, around: Around) -> OldHeader | None:
    """Return what makes an image one that old runtimes know; nvcc's linker wants objects as nvcc makes them."""
    return None if abi_of(around.llvm_version).reads_cubins_of_cuda_13 else OldHeader(architecture)


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
    standard = min(max(_OLDEST_STANDARD, line.standard), _NEWEST_STANDARD)
    flags = [f"-O{level}", f"-std=c++{standard}", "--expt-relaxed-constexpr", "-diag-suppress=177,550,780"]
    flags.append(_PLAIN_STRINGS)
    flags += words_of_lost(line.given, SPELLINGS)
    flags += LIBRARY_ON_DEVICES if line.is_cxx else NO_SPECIAL_FUNCTIONS
    if line.fast_math:
        flags += ["--use_fast_math", "-DREX_APPROXIMATE"]
    if line.debug:
        flags.append(_DEBUGGED if level == "0" else "-lineinfo")
    return (*flags, *_host_compiler(around), *translated(line.given, SPELLINGS), "-isystem", around.include)
