"""A call with a large stack: clang and the stages follow expressions as deep as the user has written them.

In: a function. Out: its result, or its exception. libclang parses in a thread of its own with 8 MiB, which a sum of
20,000 terms exceeds, unless LIBCLANG_NOTHREADS is set; then it parses on the caller's stack.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

_BYTES = 1 << 30
"""Address space; memory is used only as far as the stack grows."""
_CALLS = 200_000

Result = TypeVar("Result")


def with_large_stack(function: Callable[[], Result]) -> Result:
    """Return what a function returns, called in a thread with a large stack; where there is none to be had, here."""
    results: list[Result] = []
    problems: list[BaseException] = []

    def work() -> None:
        try:
            results.append(function())
        except BaseException as problem:
            problems.append(problem)

    os.environ.setdefault("LIBCLANG_NOTHREADS", "1")
    depth, size = sys.getrecursionlimit(), threading.stack_size()
    thread = threading.Thread(target=work, daemon=True)
    try:
        threading.stack_size(_BYTES)
        thread.start()
    except (RuntimeError, ValueError):
        return function()
    finally:
        threading.stack_size(size)
    sys.setrecursionlimit(max(depth, _CALLS))
    try:
        thread.join()
    finally:
        sys.setrecursionlimit(depth)
    if problems:
        raise problems[0]
    return results[0]
