"""The command ``rexcc``.

In: the arguments of the shell. Out: an exit status: 0, 1 for errors in the user's program or a missing tool, 2 for a
command line that makes no sense, 70 for a defect of rexcc. The compiler proper is loaded only when something is
compiled, so that ``rexcc --version`` is quick.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from rexcc import __version__
from rexcc.driver import compiled_modules
from rexcc.driver.messages import crash
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input, UsageError
from rexcc.driver.options.explain import explained
from rexcc.driver.options.languages import Language, is_read_once
from rexcc.driver.options.parser import parse
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.libclang import needed_library
from rexcc.driver.tools.toolchain import MissingToolError
from rexcc.source.patterns import regex
from rexcc.source.records import replace

_OMP = regex(rb"\bomp\b(?!\.h[>\"])")
"""The word, other than in the name of OpenMP's header."""
_INTERRUPTED = 130
_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None, translate: Any = None) -> int:
    """Run the compiler; ``translate`` replaces the compiler proper in tests."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as for nohup
                signal.signal(number, _interrupt)
        _open_standard_streams()
    status = _guarded(lambda: _run(arguments, translate, is_command=argv is None))
    if argv is None:
        _leave(status)
    return status


def _open_standard_streams() -> None:
    """Give the standard streams whose descriptors are closed one, lest a file that is opened later get theirs."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115


def _leave(status: int) -> NoReturn:
    """End the process, and leave its memory to the system: Python would take it apart, object by object."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.flush()
    compiled_modules.keep()
    os._exit(status)


def _guarded(work: Callable[[], int]) -> int:
    """Do the work; turn what is raised into a message and an exit status."""
    try:
        status = work()
        sys.stdout.flush()
        return status
    except UsageError as problem:
        return _fail(str(problem), 2)
    except MissingToolError as problem:
        return _fail(str(problem), 1)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _BROKEN_PIPE
    except OSError as problem:
        if problem.filename is None and isinstance(problem, FileNotFoundError):
            return _fail("the current folder is no longer there; change to another one", 1)
        return _fail(f"{problem.filename or 'input or output'}: {problem.strerror}", 1)
    except _Interrupted as signalled:
        return 128 + signalled.number
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as problem:  # nothing may reach the user as a traceback
        print(crash.describe(problem, None), file=sys.stderr)
        return crash.EXIT_STATUS


class _Interrupted(KeyboardInterrupt):
    """A signal that ends the process."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def _interrupt(number: int, frame: object) -> None:
    """End as for Ctrl-C, so that started compilers end too and temporary files go; nothing interrupts that."""
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise _Interrupted(number)


def _fail(text: str, status: int) -> int:
    print(f"rexcc: error: {text}", file=sys.stderr)
    return status


def _run(arguments: list[str], translate: Any, is_command: bool) -> int:
    if is_command and arguments[:1] in (["doctor"], ["bench"]):
        gc.enable()  # they may go on for long
    if arguments[:1] == ["doctor"]:
        return int(importlib.import_module("rexcc.driver.tools.doctor").main(arguments[1:]))
    if arguments[:1] == ["bench"]:
        return int(importlib.import_module("rexcc.bench.command").main(arguments[1:]))
    options = parse(arguments)
    if options.information:
        return _inform(options)
    with _without_collection(is_command):
        return _compile(options, {"translate": translate} if translate else {})


def _compile(options: Options, wishes: dict[str, Any]) -> int:
    headers = _host_asked(options)
    compiler = importlib.import_module("rexcc.driver.compile")
    if options.diagnostics == "text":
        return int(compiler.compile_all(options, headers, **wishes))
    options = replace(options, colours="never")  # programs read the document
    documents = importlib.import_module("rexcc.driver.messages.document_run")

    def compile_for(write: Any) -> int:
        return _guarded(lambda: int(compiler.compile_all(options, headers, **wishes, write=write)))

    return int(documents.document_run(options, compile_for))


@contextmanager
def _without_collection(is_last: bool) -> Iterator[None]:
    """Leave cyclic garbage alone: looking for it among a tree's nodes, which all stay, takes much of the time.

    Where this is the last that the process does, nothing looks for it afterwards either.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled and not is_last:
            gc.enable()


def _host_asked(options: Options) -> HostAnswers:
    """Choose the libclang that the compiler proper loads, and ask the host compilers, which answer meanwhile.

    A file that does not mention OpenMP needs no answer, unless something that it includes does.
    """
    headers = HostAnswers()
    if options.for_host_alone or not options.offload:
        return headers
    try:
        host = toolchain.find_host_compiler(options.host_compiler)
    except MissingToolError:
        return headers  # an error, but not the first one to be told
    languages = {source.language for source in options.sources if _may_have_pragmas(source)}
    for language, compiler in ((Language.C, host.cc), (Language.CXX, host.cxx)):
        if language in languages:
            headers.ask(compiler, language.value, options.flags.abi)
    library = needed_library(options, host)
    if library is not None:
        os.environ.setdefault("LIBCLANG_PATH", str(library))
    return headers


def _may_have_pragmas(source: Input) -> bool:
    """Whether a source mentions OpenMP, or cannot be read yet."""
    try:
        return is_read_once(source.path) or _OMP.search(Path(source.path).read_bytes()) is not None
    except OSError:
        return True


def _inform(options: Options) -> int:
    if options.information in ("--help", "--help=all"):
        help_module = importlib.import_module("rexcc.driver.options.help")
        text = help_module.help_text if options.information == "--help" else help_module.whole_help
        print(text(options.device))
        return 0
    if options.information == "--explain":
        print(explained(options.explained))
        return 0
    print(version_text(options.host_compiler))
    return 0


def version_text(host_compiler: str | None) -> str:
    """Return rexcc's version in the line of the host compiler, whose version build systems look for there."""
    try:
        host = toolchain.find_host_compiler(host_compiler)
    except MissingToolError:
        return f"rexcc (no host compiler) {__version__}"
    first, _, rest = toolchain.output_of(host.cc, "--version").partition("\n")
    return f"rexcc (host compiler: {first}) {__version__}\n{rest}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
