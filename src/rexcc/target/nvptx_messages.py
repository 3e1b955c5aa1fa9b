"""What nvcc prints: the lines that say nothing to the user, and calls of functions without device code.

In: what nvcc printed, and the functions that kernels reach. Out: text and errors in the user's words.

nvcc's warnings are left out: the host compiler warns of what the user wrote, where it is asked to, and the rest is
about text that he did not write. What only a device's compiler knows has words of ours. One kind of warning is an
error: where a method that host and device share calls a function of the host, nvcc leaves the call out. What device
code never executes may do that, but a kernel that reaches it would compute something else. Of libraries that nvcc reads
as they are, instances of templates count as reached: the unit's device code makes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.messages import KERNEL_NAME, Messages, Reached
from rexcc.target.nvptx_assembler import assembler_errors, kernel_usages, whose, without_usages
from rexcc.target.occupancy import Usage

_CALL = regex(
    r"^(?P<file>\S.*?)(?:\((?P<line>\d+)\)|:(?P<number>\d+)): (?:warning|error)(?: #\d+-D)?: "
    r'calling a (?:constexpr )?__host__ function(?:\("(?P<callee>.*?)"\))? '
    r'from a (?P<caller>(?:__\w+__ )+)function(?:\("(?P<name>.*?)"\))? is not allowed',
    re.MULTILINE,
)

_HEAD = regex(
    r"^(?:\w+ |\S.*?(?:\(\d+\)|:\d+): )?"
    r"(?P<kind>[Ww]arning|[Rr]emark|(?:catastrophic |fatal )?error)\b(?: #\d+\S*?)? *:"
)
"""How a message begins: its place, or the tool, and its kind."""
_BEHIND = regex(r"^\s|^\S.*?: note: |^$")
"""How the lines of a message behind the first begin."""
_AHEAD = regex(r"In file included from ")
_ERROR = regex(
    r"^(?P<file>\S[^(\n]*?)(?:\((?P<line>\d+)\)|:(?P<number>\d+)): (?:catastrophic |fatal )?error(?: #\d+(?:-D)?)?: "
    r"(?P<text>[^\n]*)",
    re.MULTILINE,
)
_OWN_WORDS = regex(r"calling a (?:constexpr )?__host__ function|rexcc: the host lays out")
"""What errors say that are told elsewhere."""
_GENERATED = regex(r"(?:^|/)(?:rex_(?:host|lib)_|rose_)|/runtime/include/")
_ABSENT = regex(r'identifier "(?P<name>.+)" is undefined in device code')
"""What is said again of a function of the host that is called."""
_UNDECLARED = regex(r'identifier "(?P<name>[^"]+)" is undefined')
_ASSEMBLY = regex(r"\basm\b|unknown register name")
_STANDARD = regex(r"/(?:c\+\+|gcc|clang|cccl|nvidia|cuda[\w.-]*|runtime/include)/")
"""Folders of the standard library's headers, the device's compiler's and ours, which know what they leave out."""
_FATAL = regex(r"^nvcc fatal\s*: (?P<text>[^\n]*)", re.MULTILINE)
_UNKNOWN_GPU = regex(r"Unsupported gpu architecture '(?:compute|sm|lto)_(?P<name>[^']*)'")
_UNKNOWN_STACK = regex(
    rf"Stack size for entry function '(?:{KERNEL_NAME}\w*|(?P<other>[^'\n]*))' "
    r"cannot be statically determined"
)


@dataclass(frozen=True, eq=False)
class NvccMessages(Messages):
    """How nvcc's messages are read."""

    noise: str = (
        r"ptxas info|nvcc info|Remark: The warnings can be suppressed|\s*detected during compilation of secondary"
    )
    place: str = r"^(\S[^(\n]*)\((\d+)\): (error|warning|remark|catastrophic error)"

    def readable(self, text: str) -> str:
        """Return nvcc's output without warnings, and ours of what only it knows."""
        errors = super().readable("\n".join(_without_warnings(without_usages(text).splitlines())))
        return "\n".join([*unknown_stacks(text), *([errors] if errors else [])])

    def errors(self, text: str, reached: Reached) -> tuple[str, ...]:
        """Return the errors in the user's words, those of ptxas too; none where one is about text of ours."""
        known = (*super().errors(text, reached), *assembler_errors(text, reached.assembly), *refused_commands(text))
        return (*known, *compile_errors(text))

    def may_be_of_standard(self, text: str) -> bool:
        """Whether nvcc's front end refuses what the user wrote in C++: no call, layout or assembly is meant."""
        texts = (match["text"] for match in _ERROR.finditer(text))
        return any(not _OWN_WORDS.search(said) and not _ASSEMBLY.search(said) for said in texts)

    def usages(self, text: str) -> tuple[Usage, ...]:
        """Return what ptxas has told of the kernels (``-Xptxas -v``)."""
        return kernel_usages(text)

    def wrong_calls(self, text: str, reached: Reached) -> tuple[str, ...]:
        """Return the calls of host functions that device code would execute, as errors."""
        return tuple(call.text() for call in host_calls(text, reached))


def _without_warnings(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that belong to no warning: its first, notes, and indented lines behind."""
    ahead: list[str] = []
    is_dropped = False
    for line in lines:
        head = _HEAD.match(line)
        if _AHEAD.match(line):
            ahead.append(line)
            continue
        if head is not None or not _BEHIND.match(line):
            is_dropped = head is not None and head["kind"].lower() in ("warning", "remark")
        if not is_dropped:
            yield from (*ahead, line)
        ahead.clear()


def compile_errors(printed: str) -> list[str]:
    """Return nvcc's errors in the user's text that have no words of their own; none where one is in generated text."""
    found: dict[str, None] = {}
    called = {(m["file"], m["line"] or m["number"], _bare_name(m["callee"] or "")) for m in _CALL.finditer(printed)}
    for match in _ERROR.finditer(printed):
        if _GENERATED.search(match["file"]):
            return []
        absent = _ABSENT.fullmatch(match["text"])
        if (
            absent is not None
            and (match["file"], match["line"] or match["number"], _bare_name(absent["name"])) in called
        ):
            continue
        if not _OWN_WORDS.search(match["text"]):
            found[f"{match['file']}:{match['line'] or match['number']}: error: {_in_words(match['text'])}"] = None
    return list(found)


def _in_words(text: str) -> str:
    """Return what nvcc says of the user's text in our words, with names in one kind of quotes."""
    undeclared = _UNDECLARED.fullmatch(text)
    if undeclared is not None:
        name = undeclared["name"]
        return f"'{name}' is declared nowhere for the device; is a header, or a declaration, missing? [host-function]"
    what = text.replace('"', "'")
    if _ASSEMBLY.search(text):
        reason = "inline assembly in device code has to be the GPU's (PTX)"
        return f"nvcc does not take this statement: {what}; {reason} [unsupported-declaration]"
    way = "write it in another way, or build for the CPU device alone (--target=host)"
    return f"nvcc does not take this in device code: {what}; {way} [unsupported-declaration]"


def refused_commands(printed: str) -> list[str]:
    """Return, as errors for the user, why nvcc does not begin: it does not know an architecture, or an option."""
    found = []
    for match in _FATAL.finditer(printed):
        text = match["text"].strip()
        unknown = _UNKNOWN_GPU.search(text)
        what = f"this nvcc does not know the GPU architecture 'sm_{unknown['name']}'" if unknown else f"nvcc: {text}"
        found.append(f"rexcc: error: {what}{'; nvcc --list-gpu-code shows those it knows' if unknown else ''}")
    return list(dict.fromkeys(found))


def unknown_stacks(printed: str) -> list[str]:
    """Return, as warnings for the user, the kernels that may need more stack than their threads have."""
    found: dict[str, None] = {}
    for match in _UNKNOWN_STACK.finditer(printed):
        found[
            f"warning: how much stack the kernel {whose(match)} needs cannot be told: device code calls itself, or "
            "functions through pointers; LIBOMPTARGET_STACK_SIZE sets how many bytes each thread has"
        ] = None
    return list(found)


@dataclass(frozen=True)
class HostCall:
    """A call: its place, the function of the host, and the function that calls it, empty for a region itself."""

    file: str
    line: int
    callee: str
    caller: str

    def text(self) -> str:
        """Return the error for the user."""
        what = f"'{self.callee}'" if self.callee else "a function"
        who = f"'{self.caller}', which device code reaches" if self.caller else "a target region"
        return f"{self.file}:{self.line}: error: {what} has no device code, but is called by {who} [host-function]"


def host_calls(printed: str, reached: Reached) -> list[HostCall]:
    """Return the calls of host functions that device code would execute, each function once in a line."""
    found: dict[tuple[str, int], dict[str, HostCall]] = {}
    for call in _calls(printed, reached):
        found.setdefault((call.file, call.line), {}).setdefault(call.callee, call)
    lines = ([call for name, call in calls.items() if name or len(calls) == 1] for calls in found.values())
    return [call for calls in lines for call in calls]


def _calls(printed: str, reached: Reached) -> Iterator[HostCall]:
    for match in _CALL.finditer(printed):
        file, line = match["file"], int(match["line"] or match["number"])
        is_shared = "__host__" in match["caller"]
        if is_shared and not (_is_inside(file, line, reached) or _is_instance(match, reached)):
            continue
        caller = "" if "__global__" in match["caller"] else _readable(match["name"] or "")
        yield HostCall(file, line, _readable(match["callee"] or ""), caller)


def _is_inside(file: str, line: int, reached: Reached) -> bool:
    return any(file == path and first <= line <= last for path, first, last in reached.functions)


def _is_instance(call: re.Match[str], reached: Reached) -> bool:
    """Whether the function that calls is an instance of a library's template in a header that nvcc reads as it is."""
    file = call["file"]
    is_read = any(file == path for path, *_ in reached.functions)
    return "<" in (call["name"] or "") and not is_read and _STANDARD.search(file) is None


def _bare_name(name: str) -> str:
    """Return a function's name without its parameters, as nvcc writes it in all messages."""
    return re.sub(r"\s|(?<![\w>])::", "", name.partition("(")[0])


def _readable(name: str) -> str:
    """Return a function's name as the user would write it."""
    joined = name.replace("> >", ">>").replace("> ::", ">::").replace("operator [", "operator[")
    return re.sub(r"<\s+", "<", re.sub(r"(?<![\w>])::", "", joined)).removesuffix(" const")
