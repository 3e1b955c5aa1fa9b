"""Helpers of the suite: translate a text in process, build and run it on the CPU device, take generated text apart.

Nothing here knows how the compiler works: the helpers see texts, the public ``translate`` function and the driver.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import itertools
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rexcc.driver.main import main
from rexcc.driver.tools import omp_runtimes, toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.translate_sources import Translate
from rexcc.pipeline import TranslateOptions, Translation, translate
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import Entry
from rexcc.source.compiler_macros import Macros
from rexcc.source.diagnostics import Diagnostic, Severity, render
from rexcc.target.known import DEFAULT

PROGRAMS = Path(__file__).parent / "programs"
STUBS = Path(__file__).parent / "execution" / "plain"
PROMISING = frozenset((Path(__file__).parent / "execution" / "promises.txt").read_text().split())
"""The programs of ``execution/programs`` and ``reported`` whose kernels promise something by ``__restrict__``.

Only an optimiser shows whether a promise holds, and optimising is most of the work; the others go without.
"""
OPTIMISED_KERNELS = ("-O1", "-Xarch_host", "-O0")
"""Options of a build whose kernels are optimised, and nothing else."""

PATIENCE = 600
"""Seconds until a command counts as one without an end, on a busy machine too."""

LIGHT_MATHEMATICS = {"c": (), "c++": ("-D_GLIBCXX_BITS_SPECFUN_H",)}
"""Leaves the special functions of C++17 out of <cmath>, as rexcc does for the CPU device: they, and the headers that
they include, are most of it."""

Headers = Mapping[str, str]


def options_of(name: str) -> TranslateOptions:
    """Return the options with which a file is translated where nothing else is asked for."""
    language = language_of(name)
    return TranslateOptions(language=language, system_includes=system_includes(language), verify=True)


@functools.cache
def system_includes(language: str) -> tuple[str, ...]:
    """Return the host compiler's own include directories."""
    host = toolchain.find_host_compiler(None)
    return HostAnswers().folders(host.cxx if language == "c++" else host.cc, language, ())


def language_of(name: str) -> str:
    """Return the language of a file by its name."""
    return "c" if name.endswith((".c", ".h")) else "c++"


def as_bytes(text: str | bytes) -> bytes:
    """Return a source's bytes."""
    return text if isinstance(text, bytes) else text.encode("utf-8")


def translate_text(
    source: str | bytes,
    name: str = "t.c",
    headers: Headers | None = None,
    arguments: Sequence[str] = (),
    scheduler: str = "direct",
    architectures: Sequence[str] = ("sm_90",),
    cpu_device: bool = True,
    openmp_version: int = 0,
    remarks: bool = False,
    map_remarks: bool = False,
    reduction: str = "device",
    alone: bool = True,
    strict_aliasing: bool = True,
    wraps: bool = False,
    reciprocals: bool = False,
    left_out: frozenset[Optimisation] = frozenset(),
    tuned: Sequence[Entry] = (),
    listing: bool = False,
    compiler_macros: Macros = (),
    is_kept: bool = True,
) -> Translation:
    """Translate a program given as text; ``headers`` are the other files that exist."""
    files = {name: as_bytes(source)} | {path: as_bytes(text) for path, text in (headers or {}).items()}
    language = language_of(name)
    options = TranslateOptions(
        language=language,
        clang_arguments=(*LIGHT_MATHEMATICS[language], *arguments),
        system_includes=system_includes(language),
        architectures=tuple(architectures),
        cpu_device=cpu_device,
        scheduler=scheduler,
        reduction=reduction,
        openmp_version=openmp_version,
        remarks=remarks,
        map_remarks=map_remarks,
        verify=True,
        alone=alone,
        strict_aliasing=strict_aliasing,
        wraps=wraps,
        reciprocals=reciprocals,
        left_out=left_out,
        tuned=tuple(tuned),
        listing=listing,
        compiler_macros=compiler_macros,
        is_kept=is_kept,
    )
    return translate(name, options, files.get)


_USES = {
    "assert.h": r"assert\w*",
    "limits.h": r"[A-Z]+_(?:MIN|MAX)",
    "math.h": r"(?:a?(?:sin|cos|tan)h?|sincos|exp[2m]?1?0?|log(?:10|2|1p|b)?|pow|sqrt|cbrt|hypot|f?abs|fmax|fmin|fma"
    r"|fmod|remainder|floor|ceil|trunc|l?l?round|l?l?rint|nearbyint|copysign|ldexp|frexp|modf|scalbl?n|ilogb|erfc?|[lt]gamma"
    r"|fdim|isnan|isinf|isfinite|signbit|HUGE_VAL|INFINITY|NAN|M_[A-Z0-9_]+)[fl]?",
    "omp.h": r"omp_\w+",
    "stdio.h": r"f?printf|puts|putchar|stdout|stderr|FILE|fopen|getchar|scanf|fflush",
    "stdlib.h": r"malloc|calloc|realloc|free|exit|abort|l?abs|rand|s?rand|atoi|atof|qsort|getenv|size_t|NULL|EXIT_\w+",
}
"""Headers of C, and what tests use of them."""


def with_used_headers(source: str) -> str:
    """Return a text without headers of C of which it names nothing: to read them is half of translating a small one.

    What a text lacks is an error of the translation; lines keep their numbers.
    """
    for header, names in _USES.items():
        line = f"#include <{header}>\n"
        if line in source and not re.search(rf"\b(?:{names})\b", source.replace(line, "")):
            source = source.replace(line, "\n")
    return source


def rendered(found: Translation) -> str:
    """Return all diagnostics as the user sees them."""
    return "\n".join(render(d) for d in found.diagnostics)


def on_one_line(text: str) -> str:
    """Return generated code without its ``#line`` directives and breaks of lines."""
    return " ".join(re.sub(r"^#line .*$", "", text, flags=re.MULTILINE).split())


@dataclass(frozen=True)
class Output:
    """The texts of a translation without errors."""

    host: str
    device: str
    cpu: str
    headers: dict[str, str]
    translation: Translation

    @property
    def kernels(self) -> list[Kernel]:
        """The kernels of the device file, in order."""
        return kernels_of(self.device)

    def kernel(self, part: str) -> Kernel:
        """Return the one kernel whose name contains ``part``."""
        found = [k for k in self.kernels if part in k.name]
        assert len(found) == 1, [k.name for k in self.kernels]
        return found[0]

    @property
    def blocks(self) -> list[Block]:
        """The launch and data blocks of the host file (and rewritten headers), in order."""
        return blocks_of(self.host) + [b for text in self.headers.values() for b in blocks_of(text)]


def compiled(
    source: str | bytes,
    name: str = "t.c",
    headers: Headers | None = None,
    arguments: Sequence[str] = (),
    scheduler: str = "direct",
    reduction: str = "device",
) -> Output:
    """Translate a program that must be accepted."""
    found = translate_text(source, name, headers, arguments, scheduler, reduction=reduction)
    assert not any(d.severity is Severity.ERROR for d in found.diagnostics), rendered(found)
    assert found.host is not None
    return Output(
        found.host.text,
        found.device.text if found.device else "",
        found.cpu_device.text if found.cpu_device else "",
        {h.name: h.text for h in found.headers},
        found,
    )


def errors(source: str | bytes, name: str = "t.c", headers: Headers | None = None) -> list[Diagnostic]:
    """Return the errors of a program that must be refused."""
    found = translate_text(source, name, headers)
    assert found.host is None and found.device is None, "a refused program must give no files"
    return [d for d in found.diagnostics if d.severity is Severity.ERROR]


def only_error(source: str | bytes, name: str = "t.c", headers: Headers | None = None) -> Diagnostic:
    """Return the one error of a program."""
    found = errors(source, name, headers)
    assert len(found) == 1, "\n".join(render(d) for d in found) or "no error"
    return found[0]


def marked(source: str) -> tuple[str, int, int, str]:
    """Take ``«token»`` out of a source: return the text, and line, column and characters of the token."""
    start, end = source.index("«"), source.index("»")
    before = source[:start]
    token = source[start + 1 : end]
    return before + token + source[end + 1 :], before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1, token


def expect_error(source: str, code: str, message: str, name: str = "t.c") -> Diagnostic:
    """Insist on one error with this code and message part, whose range starts at the token marked ``«…»``."""
    text, line, column, token = marked(source)
    found = only_error(text, name)
    shown = render(found)
    assert found.code == code, shown
    assert message in found.message, shown
    assert shown.startswith(f"{name}:{line}:{column}: error: "), shown
    assert found.span is not None and found.span.text.startswith(token), f"{found.span.text if found.span else None}"
    return found


# ---- generated text --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kernel:
    """A kernel of the device file: name, parameter declarations (without the launch environment), body."""

    name: str
    parameters: tuple[str, ...]
    body: str
    bounds: str

    @property
    def names(self) -> list[str]:
        """The parameters' names."""
        return [_declared_name(p) for p in self.parameters]


@dataclass(frozen=True)
class Block:
    """A generated host block: its call and the elements of its arrays."""

    call: str
    bases: tuple[str, ...]
    begins: tuple[str, ...]
    sizes: tuple[str, ...]
    types: tuple[str, ...]
    text: str

    def row(self, name: str) -> tuple[str, str, str, str]:
        """Return base, begin, size and type bits of the first row whose base names a variable."""
        for row in zip(self.bases, self.begins, self.sizes, self.types, strict=True):
            if re.search(rf"\b{re.escape(name)}\b", row[0]):
                return row
        raise AssertionError(f"no row of {name} in {self.bases}")

    @property
    def parameter_rows(self) -> list[str]:
        """The bases of the rows that become kernel arguments."""
        return [b for b, t in zip(self.bases, self.types, strict=True) if "PARAM" in t or "IMPLICIT_LITERAL" in t]


def _declared_name(declaration: str) -> str:
    pointer = re.search(r"\(\s*\*\s*(?:const\s+)?(\w+)\s*\)", declaration)
    if pointer:
        return pointer[1]
    words: list[str] = re.findall(r"\w+", re.sub(r"\[.*", "", declaration))
    return words[-1]


def split_list(text: str) -> tuple[str, ...]:
    """Split at top-level commas."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += character in "([{<" and text[at - 1] != "-"
        depth -= character in ")]}" or (character == ">" and text[at - 1] != "-" and depth > 0)
        if character == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return tuple(re.sub(r"\s+", " ", p).strip() for p in parts if p.strip())


def kernels_of(device: str) -> list[Kernel]:
    """Return the kernels of a device file; one with a second form, or one for aligned arrays, has the body of both."""
    found: list[Kernel] = []
    head = re.compile(r'extern "C" __global__ void(?P<bounds>[^\n]*)\n(?P<name>OUT__\w+__kernel__)\(')
    for match in head.finditer(device):
        close = _closing(device, match.end() - 1)
        brace = device.index("{", close)
        parameters = split_list(device[match.end() : close])
        assert parameters[0] == "void *__rex_kernel_launch_env"
        end = device.index("\n}\n", brace)
        body = device[brace + 1 : end]
        second = re.fullmatch(r"(\w+__)(small|wide|large)__kernel__", match["name"])
        if second:
            forms = ["<long long>"] if second[2] == "wide" else ["", "<rex_small_form>"]
            calls = [f"{second[1]}code__{form}(" for form in forms]
            assert any(body.startswith(f"\n  {call}") or f" == 0) {call}" in body for call in calls)
            continue
        shared = device.find(f"REX_KERNEL_CODE void\n{match['name'].replace('kernel__', 'code__')}(")
        if shared >= 0:
            body = device[device.index("{", device.index(")", shared)) + 1 : device.index("\n}\n", shared)]
        found.append(Kernel(match["name"], parameters[1:], body, match["bounds"].strip()))
    return found


def _closing(text: str, at: int) -> int:
    depth = 0
    for position in range(at, len(text)):
        depth += text[position] in "({[" or -(text[position] in ")}]")
        if depth == 0:
            return position
    raise AssertionError("unbalanced text")


def blocks_of(host: str) -> list[Block]:
    """Return the launch and data blocks of a host file, in order of their calls."""
    found: list[Block] = []
    starts = [m.start() for m in re.finditer(r"^ *__INT64_TYPE__ __device_id = ", host, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(host)], strict=True):
        text = host[start:end]
        call = re.search(r"\b__tgt_\w+(?=\(&__rex_place)", text)
        assert call is not None
        bases, begins = _array(text, "__args_base"), _array(text, "__args")
        sizes, types = _array(text, "__arg_sizes"), _array(text, "__arg_types")
        found.append(Block(call[0], bases, begins, sizes, types, text))
    return found


def _array(text: str, name: str) -> tuple[str, ...]:
    match = re.search(rf"\b{name}\[\] = (\{{)", text)
    if match is None:
        return ()
    close = _closing(text, match.start(1))
    return split_list(text[match.end(1) : close])


def side_by_side(devices: Iterable[str]) -> list[str]:
    """Return device files as few texts, for a compiler that takes longer for its own headers than for a program.

    Files that begin with the same includes share a text; each has a namespace there, and its macros end with it.
    """
    texts: dict[str, list[str]] = {}
    for number, device in enumerate(devices):
        end = device.index("\n", device.rindex("\n#include ") + 1) + 1
        head = re.sub(r"^/\*.*\*/\n", "", device[:end])
        code = re.sub(r"\bOUT__", f"OUT__{number}__", device[end:])
        ends = [f"#undef {name}" for name in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", code, re.MULTILINE)]
        texts.setdefault(head, []).extend([f"namespace program_{number} {{", code, "}", *ends])
    return ["\n".join([head, *parts, ""]) for head, parts in texts.items()]


def code_only(text: str) -> str:
    """Return C text without comments and string contents, lines kept."""
    pattern = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'")

    def blank(match: re.Match[str]) -> str:
        return '""' if match[0][0] in "\"'" else " " + "\n" * match[0].count("\n")

    return pattern.sub(blank, text)


# ---- building and running --------------------------------------------------------------------------------------------


QUICK_LINK = "-Wl,--allow-shlib-undefined"
"""Keeps GNU's linker from reading all of LLVM, which libomptarget needs, for undefined symbols: 0.3 s a program."""
QUICK_LINKER = ("-fuse-ld=lld",) if shutil.which("ld.lld-19") else ()
"""Makes clang link with a linker that takes half of the time; gcc, and the tests of the driver, have GNU's."""
RUNTIME = toolchain.RUNTIME_SOURCES
_SHARED: list[Path] = []


def share(folder: Path) -> None:
    """Name the folder of what the workers of a run make only once."""
    folder.mkdir(exist_ok=True)
    _SHARED[:] = [folder]


def shared() -> Path:
    """Return the folder of what the workers of a run make only once."""
    return _SHARED[0]


def made_once(words: Iterable[str | Path], inputs: Iterable[bytes], make: Callable[[Path], None]) -> Path:
    """Return the file that a command makes of its inputs; who is first makes it, the others wait."""
    state = hashlib.sha256("\0".join(str(word) for word in words).encode(errors="surrogateescape"))
    for data in inputs:
        state.update(hashlib.sha256(data).digest())
    path = _SHARED[0] / state.hexdigest()[:32]
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = path.with_suffix(".new")
            make(unfinished)
            unfinished.rename(path)
    return path


STAND_IN = Path(__file__).parent / "stand_in.sh"
"""A compiler for the tests that build programs, with processes of their own too."""


COMPILERS: dict[str, str] = {}
"""The paths of the compilers that have stand-ins."""


def stand_ins(folder: Path) -> None:
    """Put stand-ins of the host compilers in front of them, for all tests: the runtime helper takes 8 s otherwise, each
    time, and headers of images half of the time of all.

    The tests of the helper itself (``runtime``) compile it with the compilers' full names.
    """
    folder.mkdir(exist_ok=True)
    for c_name, cxx_name in (("clang-19", "clang++-19"), ("gcc", "g++")):
        found = {name: shutil.which(name) for name in (c_name, cxx_name)}
        if not all(found.values()):
            continue
        for name, compiler in found.items():
            path = folder / name
            COMPILERS[name] = str(compiler)
            known = {"compiler": compiler, "name": name, "folder": folder, "include": RUNTIME / "include"}
            lines = [f"{variable}={shlex.quote(str(value))}" for variable, value in known.items()]
            _script(path, "\n".join(["#!/bin/bash", *lines, STAND_IN.read_text()]))
    nvcc = toolchain.find_compiler(DEFAULT.tools, None, os.environ)
    if nvcc and not shutil.which("nvcc"):  # that of PyPI, which tests that start it themselves look for, too
        _script(folder / "nvcc", f'#!/bin/sh\nexec {shlex.quote(nvcc.path)} "$@"\n')
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def _script(path: Path, text: str) -> None:
    """Write a script as a whole: other workers may start it already."""
    made = path.with_suffix(f".{os.getpid()}")
    made.write_text(text)
    made.chmod(0o755)
    made.rename(path)


@functools.cache
def runtime_texts() -> tuple[bytes, ...]:
    """Return the contents of the runtime's files."""
    folders = (RUNTIME / "include", RUNTIME / "include/device", RUNTIME / "src")
    return tuple(p.read_bytes() for folder in folders for p in sorted(folder.iterdir()) if p.is_file())


def place_helper(folder: Path, environment: Mapping[str, str] | None = None) -> None:
    """Put the runtime helper's object where the makefile of ``--emit=src`` would make it.

    It comes from an earlier makefile of this run with the same command and texts, for which it was made.
    """
    target = "register_cubin.o"

    def make(*words: str) -> str:
        command = ["make", *words, target]
        return subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout

    def by_makefile(path: Path) -> None:
        make("-s")
        shutil.copyfile(folder / target, path)

    names = {p.name for part in ("include", "src") for p in (RUNTIME / part).iterdir()}
    texts = [p.read_bytes() for p in sorted((folder / "rex_runtime").iterdir()) if p.name in names]
    kept = made_once([make("-n")], texts, by_makefile)
    shutil.copyfile(kept, folder / target)


def sampled(values: Iterable[Any], every: int, of: Callable[[Any], bool] = lambda value: True) -> list[Any]:
    """Return parameters of a test; of those that ``of`` names one in so many is always tested, the others if asked."""
    count = itertools.count()
    rest = pytest.mark.extended
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=rest)
        if of(value) and next(count) % every
        else value
        for value in values
    ]


@dataclass(eq=False)
class Bench:
    """A folder in which programs are built and run."""

    folder: Path
    _count: int = 0

    def place(self, files: Mapping[str, str]) -> Path:
        """Write files into a folder of their own."""
        self._count += 1
        folder = self.folder / f"p{self._count}"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(as_bytes(text))
        return folder

    def build(
        self, files: Mapping[str, str], *arguments: str, output: str = "program", translate: Translate | None = None
    ) -> Path:
        """Build all C and C++ files with the driver, in process; return the program.

        Where a promise to the compiler could be wrong (``PROMISING``), tests ask for ``-O1``.
        """
        folder = self.place(files)
        sources = [n for n in files if n.endswith((".c", ".cpp"))]
        words = (*arguments, *sources, "-o", output, "-lm")
        assert rexcc(folder, *words, translate=translate) == 0, f"rexcc failed in {folder}"
        return folder / output

    def plain(self, files: Mapping[str, str], *arguments: str) -> str:
        """Return what the same program prints when OpenMP is ignored; it is built and run once for all tests."""
        inputs = [as_bytes(part) for pair in sorted(files.items()) for part in pair]
        texts = [p.read_bytes() for p in sorted(STUBS.iterdir())]
        made = made_once(
            ("plain", *arguments), [*inputs, *texts], lambda path: _write(path, self._plain(files, *arguments))
        )
        return made.read_bytes().decode()

    def _plain(self, files: Mapping[str, str], *arguments: str) -> str:
        folder = self.place(files)
        sources = [n for n in files if n.endswith((".c", ".cpp"))]
        compiler = "g++" if any(n.endswith(".cpp") for n in sources) else "gcc"
        if shutil.which(compiler) is None:
            pytest.skip(f"no {compiler}")
        command = [
            compiler,
            "-w",
            "-ffp-contract=off",
            "-I",
            str(STUBS),
            *arguments,
            *sources,
            "-o",
            "plain",
            "-lm",
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return run(folder / "plain")


def _write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def require_runtime() -> None:
    """Skip where there is no LLVM OpenMP runtime to link with."""
    if not omp_runtimes.find_runtimes(toolchain.find_host_compiler(None), os.environ):
        pytest.skip("no LLVM OpenMP runtime")


def require_cuda() -> None:
    """Skip where there is no CUDA compiler."""
    if toolchain.find_compiler(DEFAULT.tools, None, os.environ) is None:
        pytest.skip("no CUDA compiler")


NVCC_QUICKLY = ("-Xcicc", "-O0")
"""For nvcc, where it only has to take a text: optimising is half of its work."""


_FOLDERS = HostAnswers()


def host_answers() -> HostAnswers:
    """Return what the host compilers have told this process, who are asked once."""
    return _FOLDERS


"""What compilers have told of their headers."""


def rexcc(folder: Path, *arguments: str, translate: Translate | None = None) -> int:
    """Run the driver in process, in a folder, for the CPU device; what it links, if it does, is linked quickly.

    Nothing is optimised unless the arguments say otherwise: what rexcc generates does not depend on the level, and the
    compilers take half of the time. ``translate`` stands for the compiler proper.
    """
    level = () if any(a.startswith("-O") for a in arguments) else ("-O0",)
    linker = () if any(a.startswith(("--host-compiler", "-flto")) for a in arguments) else QUICK_LINKER
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr("rexcc.driver.main.HostAnswers", host_answers)
        return main(["--target=host", *level, *arguments, QUICK_LINK, *linker], translate)


def run(program: Path, *arguments: str, **environment: str) -> str:
    """Run a program and return its standard output; standard error and status must be clean."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET"))}
    done = subprocess.run(
        [str(program), *arguments],
        cwd=program.parent,
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert done.stderr == "", done.stderr
    return done.stdout


def on_device(program: Path, **environment: str) -> str:
    """Run a program so that every region must run on the device."""
    return run(program, OMP_TARGET_OFFLOAD="MANDATORY", **environment)


def on_host(program: Path, **environment: str) -> str:
    """Run a program so that every region runs its host version; threads that have nothing to do wait asleep."""
    return run(program, **{"OMP_TARGET_OFFLOAD": "DISABLED", "OMP_WAIT_POLICY": "passive"} | environment)
