"""Errors of ptxas, which assembles what nvcc has compiled, in the user's words, and what it tells of kernels.

In: what a command printed in which ptxas ran, nvcc or a link of device code. Out: errors, without places but the
kernel's: ptxas knows its own input only; with ``-v`` the registers and the memory that each kernel takes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rexcc.source.patterns import regex
from rexcc.target.messages import KERNEL_NAME
from rexcc.target.occupancy import Usage

_ERROR = regex(
    r"ptxas (?:(?P<place>[^\n;]*?, line \d+); )?(?P<kind>error|fatal) *: (?P<text>[^\n]*?)(?=; ptxas |$)", re.MULTILINE
)
_KERNEL = regex(rf"(?:Entry f|F)unction '(?:{KERNEL_NAME}\w*|(?P<other>[^']*))' (?P<rest>.*)")
_TOO_MUCH = regex(r"uses too much (?P<what>[\w ]+) \((?P<used>0x[0-9a-f]+) bytes, (?P<most>0x[0-9a-f]+) max\)")
_ABORTED = "Ptx assembly aborted"
_SPACES = {
    "shared data": ("that the threads of a team share", "a block has {}", "team-memory"),
    "local data": ("for the variables of each thread", "a thread has {}", ""),
    "parameter space": ("for its arguments", "a launch has {}", ""),
    "constant space": ("for constants", "the GPU has {}", ""),
}
"""What is used up: what it is for, how much of it there is, and the code of the explanation."""


def assembler_errors(printed: str, assembly: Sequence[str]) -> list[str]:
    """Return ptxas's errors for the user, each once; none where it printed none.

    ``assembly`` are the places of the user's inline assembly, which ptxas is the first to read.
    """
    found: dict[str, None] = {}
    for match in _ERROR.finditer(printed):
        if not match["text"].startswith(_ABORTED):
            found[_in_words(match["text"].strip(), bool(match["place"]), assembly)] = None
    return list(found)


def whose(match: re.Match[str]) -> str:
    """Return how the user knows the kernel of a message."""
    return f"in '{match['function']}', line {match['line']}," if match["line"] else f"'{match['other']}'"


def _in_words(text: str, is_instruction: bool, assembly: Sequence[str]) -> str:
    if is_instruction and assembly:
        others = "" if len(assembly) == 1 else f" (or one of those at {', '.join(assembly[1:])})"
        said = f"{assembly[0]}: error: NVIDIA's assembler does not take this statement{others}: {text}"
        return f"{said}; inline assembly in device code has to be the GPU's (PTX) [unsupported-declaration]"
    if is_instruction:
        reason = "an inline assembly statement may have it"
        return f"error: NVIDIA's assembler does not take an instruction of the device code: {text}; {reason}"
    kernel = _KERNEL.match(text)
    if kernel is None:
        return f"error: NVIDIA's assembler does not take the device code: {text}"
    too_much = _TOO_MUCH.match(kernel["rest"])
    if too_much is None or too_much["what"] not in _SPACES:
        return f"error: NVIDIA's assembler does not take the kernel {whose(kernel)} it says: {kernel['rest']}"
    what, most, code = _SPACES[too_much["what"]]
    limit = most.format(int(too_much["most"], 16))
    needed = f"error: the kernel {whose(kernel)} needs {int(too_much['used'], 16)} bytes {what}; {limit}"
    return f"{needed}: map large arrays instead{f' [{code}]' if code else ''}"


_PROPERTIES = regex(
    r"^(?:ptxas +\.)? +\d+ bytes stack frame, \d+ bytes spill stores, \d+ bytes spill loads(?:\n|\Z)", re.MULTILINE
)
_ENTRY = regex(r"Compiling entry function '(?P<kernel>[^'\n]+)' for '(?P<architecture>[^'\n]+)'")
_NEXT = "Compiling entry function"
_OF_RUNTIME = "rex_bring_home"
"""The runtime's own kernel (``rex_device_arrivals.h``)."""
_REGISTERS = regex(r"Used (\d+) registers")
_SHARED = regex(r"(\d+)(?:\+(\d+))? bytes smem")
_STACK = regex(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")


def kernel_usages(printed: str) -> tuple[Usage, ...]:
    """Return what ``ptxas -v`` has told of the user's kernels; of one that was compiled again, what was told last."""
    found: dict[tuple[str, str], Usage] = {}
    for head in _ENTRY.finditer(printed):
        told = printed[head.end() :].partition(_NEXT)[0]
        registers, shared = _REGISTERS.search(told), _SHARED.search(told)
        stack = _STACK.search(told)  # the kernel's own comes first, then those of functions that it calls
        if registers is not None and head["kernel"] != _OF_RUNTIME:
            sizes = [int(size) for size in stack.groups()] if stack is not None else [0, 0, 0]
            of_block = sum(int(size) for size in shared.groups() if size) if shared is not None else 0
            key = head["kernel"], head["architecture"]
            found[key] = Usage(*key, int(registers[1]), of_block, *sizes)
    return tuple(found.values())


def without_usages(printed: str) -> str:
    """Return what was printed without the lines on kernels that do not say whose they are."""
    return _PROPERTIES.sub("", printed)
