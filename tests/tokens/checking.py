"""The check of one file: translate it, preprocess what was written and what was generated, compare.

In: a command line as for ``rexcc``, with one source. Out: :class:`Checked`.
"""

from __future__ import annotations

import os
import posixpath
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from rexcc import pipeline
from rexcc.codegen.device.complex_words import ComplexWords
from rexcc.codegen.registration.unit_names import host_names
from rexcc.driver import translate_sources as driver
from rexcc.driver.commands import flags
from rexcc.driver.large_stack import with_large_stack
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input
from rexcc.driver.options.languages import Language
from rexcc.driver.options.parser import parse
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.targets import Targets
from rexcc.driver.tools.toolchain import Toolchain
from rexcc.frontend.files import UserFiles
from rexcc.pipeline import GeneratedFile, Translation, generate
from rexcc.source.diagnostics import Severity, render
from rexcc.source.text import SourceText, inside, outside, to_bytes
from rexcc.target.cpu import image_flags
from rexcc.target.known import CPU
from tokens.comparing import Difference, LexersDisagreeError, Sides, compared
from tokens.origins import Origins, Users, origins
from tokens.streams import NotPreprocessedError, Stream, stream
from tokens.tracing import Mark, Trace, traced

CLANG = "clang-19"
_OURS = str(toolchain.RUNTIME_SOURCES / "include")
_USERS_TOO = f"{_OURS}/omp.h"
_FOLDERS = HostAnswers()
"""What compilers have told of their headers."""


@dataclass
class Checked:
    """``problem`` says why there is nothing to compare; ``copied`` of the user's tokens were found in generated text.

    ``lost`` are copies that could not be followed, which the check knows nothing of.
    """

    problem: str = ""
    differences: list[Difference] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    copied: dict[str, int] = field(default_factory=dict)


def check(arguments: Sequence[str], folder: str = ".", spoil: Any = None) -> Checked:
    """Check one file; ``folder`` is where the command runs, ``spoil`` changes generated texts (for tests)."""
    options = parse(arguments)
    before = Path.cwd()
    os.chdir(folder)
    try:
        return _checked(options, spoil)
    except NotPreprocessedError as problem:
        return Checked(f"clang: {problem}")
    except LexersDisagreeError as problem:
        return Checked(f"no token of this check's at {problem}")
    finally:
        os.chdir(before)


def _checked(options: Options, spoil: Any) -> Checked:
    source = options.sources[0]
    if driver.read_file(source.name) is None:
        return Checked(f"failed: there is no file '{source.name}'")
    host = toolchain.find_host_compiler(options.host_compiler)
    tools = Toolchain(host=host, runtime=None, device=None, headers=_FOLDERS)
    wishes = driver.translate_options(options, tools, _targets(options), source)
    with _words_as_written():
        trace, files, found = _traced(source.name, wishes)
        plain = with_large_stack(lambda: pipeline.translate(source.name, wishes, driver.read_file))
    errors = [render(d) for d in found.diagnostics if d.severity is Severity.ERROR]
    if errors:
        return Checked(f"refused: {errors[0].splitlines()[0]}")
    if not found.has_offload or found.host is None:
        return Checked("nothing to offload")
    result = Checked()
    result.lost += _changed_by_marks(trace, plain, found)
    with tempfile.TemporaryDirectory() as work:
        _compare(_Case(options, tools, source, trace, files, found, Path(work).resolve(), spoil), result)
    return result


def _words_as_written() -> AbstractContextManager[Any]:
    """Let the types of C's complex numbers be the user's words, of which device code has one: it has no marks."""
    return mock.patch.object(ComplexWords, "applied", lambda _, text: text)


def _targets(options: Options) -> Targets:
    wanted = options.chosen_targets
    gpus = options.architectures or ("sm_90",)
    return Targets((), True) if wanted == {"host"} else Targets(tuple(a for a in gpus if a != "native"), True)


def _traced(path: str, wishes: pipeline.TranslateOptions) -> tuple[Trace, dict[str, UserFiles], Translation]:
    """Translate with marks; the texts that were edited are those of the last files that reached the device file."""
    seen: dict[str, UserFiles] = {}
    plain = generate.device_file

    def device_file(files: UserFiles, *rest: Any) -> Any:
        seen["files"] = files
        return plain(files, *rest)

    with traced() as trace, mock.patch.object(generate, "device_file", device_file):
        found = with_large_stack(lambda: pipeline.translate(path, wishes, driver.read_file))
    return trace, seen, found


def _all(found: Translation) -> list[GeneratedFile]:
    return [file for file in (found.host, found.device, found.cpu_device, *found.headers) if file is not None]


def _changed_by_marks(trace: Trace, plain: Translation, found: Translation) -> list[str]:
    """Say which files the marks have changed, the layout aside: of these the check would know nothing."""
    pairs = ((a, trace.unmarked(b.text)[0]) for a, b in zip(_all(plain), _all(found), strict=True))
    return [f"{a.name} depends on the marks" for a, text in pairs if _code_of(text) != _code_of(a.text)]


def _code_of(text: str) -> str:
    """Return the code without blanks, ends of lines and numbers of lines: how it is laid out may depend on them."""
    lines = (line for line in text.splitlines() if not line.startswith("#line "))
    return "".join("".join(lines).split())


@dataclass
class _Case:
    options: Options
    tools: Toolchain
    source: Input
    trace: Trace
    files: dict[str, UserFiles]
    found: Translation
    work: Path
    spoil: Any

    def absolute(self, path: str) -> str:
        """Return where a user's file lies."""
        return posixpath.normpath(posixpath.join(str(Path.cwd()), outside(path)))

    def rewritten(self) -> list[str]:
        """Return the user's files that have copies."""
        names = host_names(self.files["files"])
        made = {header.name for header in self.found.headers}
        return [path for path, name in names.items() if name in made or path == self.files["files"].main]


def _compare(case: _Case, result: Checked) -> None:
    sources = {path: scan.source for path, scan in case.files["files"].scans.items()}
    data = {path: driver.read_file(outside(path)) or b"" for path in _roots(case, sources)}
    users = Users(case.trace, sources, data)
    paths = {case.absolute(path): path for path in data}
    users.same = {path: paths[case.absolute(path)] for path in data}
    read = {absolute: data[path] for absolute, path in paths.items()}
    flags_of_host = _host_flags(case)
    own = (CLANG, *flags.language_selection(case.source), "-x", case.source.language.value)
    original = stream((*own, *flags_of_host, case.source.path), read, Path.cwd(), case.work / "original")
    texts = {file.name: case.trace.unmarked(file.text) for file in _all(case.found)}
    written = _write(case, texts)
    assert case.found.host is not None
    names = [case.found.host.name, *(h.name for h in case.found.headers)]
    folder = flags.quote_folder(case.source.path)
    forced = flags.rewritten_flags(case.options, case.tools, case.source, case.found.forced)
    rewritten = {case.absolute(path) for path in case.rewritten()}
    also = {path: read[path] for path in read if path not in rewritten}
    host = stream(
        (*own, *folder, *forced, "-DREX_LLVM_VERSION=19", '-DREX_IMAGE_DIR="."', written[names[0]]),
        {**also, **{written[n]: Path(written[n]).read_bytes() for n in names}}, Path.cwd(), case.work / "host",
    )  # fmt: skip
    generated = {written[n]: origins(users, *texts[n]) for n in names}
    _judge(
        Sides(
            users,
            {**generated, **{path: _as_it_is(users, paths[path]) for path in also if paths[path] in sources}},
            paths,
        ),
        original,
        host,
        result,
    )
    result.differences += _other_files(case, original, host)
    if case.found.device is not None and case.found.cpu_device is not None:
        _compare_device(case, users, paths, texts, written, original, result)


def _compare_device(
    case: _Case, users: Users, paths: Mapping[str, str], texts: Mapping[str, tuple[str, list[Mark]]],
    written: Mapping[str, str], original: Stream, result: Checked,
) -> None:  # fmt: skip
    assert case.found.device is not None and case.found.cpu_device is not None
    name, entries = case.found.device.name, case.found.cpu_device.name
    line = flags.for_device_code(case.options, case.source.language)
    own = image_flags(line, case.tools.around(CPU))
    head, rest = _headers_apart(Path(written[entries]).read_bytes(), name, Path(written[name]).read_bytes())
    (case.work / "head.h").write_bytes(head)
    device = stream(
        (CLANG, "-x", "c++", *own, "-imacros", str(case.work / "head.h"), written[name]),
        {written[name]: rest}, Path.cwd(), case.work / "device",
    )  # fmt: skip
    generated = {written[name]: origins(users, *texts[name])}
    from_c = case.source.language is Language.C
    _judge(Sides(users, generated, paths, on_device=True, from_c=from_c), original, device, result)


def _as_it_is(users: Users, path: str) -> Origins:
    """Return the origins of a header that the rewritten file includes as it is."""
    text = users.files[path]
    return Origins(text, {number: (path, number, number) for number in range(len(text.tokens))})


def _headers_apart(entries: bytes, name: str, device: bytes) -> tuple[bytes, bytes]:
    """Return what stands in front of device code, for which only its macros count, and the code, lines kept."""
    before = entries[: entries.index(f'#include "{name}"'.encode())]
    end = 0
    for line in device.splitlines(keepends=True):
        if line.strip() and not line.startswith((b"#define", b"#undef", b"#include", b"/* Kernels of ")):
            break
        end += len(line)
        if not line.strip():
            break
    return before + device[:end], b"\n" * device.count(b"\n", 0, end) + device[end:]


def _judge(sides: Sides, original: Stream, generated: Stream, result: Checked) -> None:
    for path, found in sides.generated.items():
        result.lost += [f"{posixpath.basename(path)}: {text}" for text in found.lost]
        result.copied[posixpath.basename(path)] = len(found.keys)
    result.differences += compared(sides, original, generated)


def _roots(case: _Case, sources: Mapping[str, SourceText]) -> list[str]:
    """Return the user's files, also those that stand in place of their ``#include`` lines now."""
    found = dict.fromkeys(sources)
    for source in sources.values():
        found.update(dict.fromkeys(_below(case.trace, source)))
    return list(found)


def _below(trace: Trace, source: SourceText) -> list[str]:
    if id(source) in trace.rewritten:
        return [source.path, *_below(trace, trace.rewritten[id(source)][1])]
    return [source.path, *(path for p in source.pieces for path in _below(trace, p.place.source))]


def _host_flags(case: _Case) -> tuple[str, ...]:
    return flags.host_flags(case.options, case.tools, case.source)


def _write(case: _Case, texts: Mapping[str, tuple[str, list[Mark]]]) -> dict[str, str]:
    """Write the generated files; return where each is."""
    written: dict[str, str] = {}
    (case.work / "files").mkdir()
    for name, (text, _) in texts.items():
        path = case.work / "files" / name
        path.write_bytes(to_bytes(case.spoil(name, text) if case.spoil else text))
        written[name] = str(path)
    return written


def _other_files(case: _Case, original: Stream, host: Stream) -> list[Difference]:
    """Compare what all other headers are to both: which of their declarations the compiler sees, and how often."""
    left, right = _others(original), _others(host)
    if left == right:
        return []
    at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return [Difference(case.source.path, "the rewritten file", "a header", _around(left, at), _around(right, at))]


def _around(lines: list[bytes], at: int) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").replace("\t", " ") for line in lines[at : at + 2])


def _others(found: Stream) -> list[bytes]:
    ours, too = f"Loc=<{_OURS}/".encode(), f"Loc=<{_USERS_TOO}:".encode()
    return [line for line in found.others if ours not in line or too in line]


def language_of(path: str) -> Language:
    """Return the language of a file by its name."""
    return Language.C if path.endswith(".c") else Language.CXX


__all__ = ["Checked", "Origins", "check", "inside"]
