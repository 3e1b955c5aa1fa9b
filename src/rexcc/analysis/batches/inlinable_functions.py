"""Functions that every compiler can make a part of their callers, and that do the same there.

In: a function with its definition. Out: whether it may be ``always_inline``. Where a function reaches itself, or calls
what returns twice, GCC ends with an error, and clang calls it after all. Where it asks for another processor than its
callers, both tell of an error. What ``alloca`` gives would live as long as the caller.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.call_graph import CallGraph
from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_OF_ITS_FRAME = frozenset(
    {
        "setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "vfork", "getcontext", "alloca",
        "__builtin_setjmp", "__builtin_longjmp", "__builtin_alloca", "__builtin_alloca_with_align",
        "__builtin_alloca_uninitialized", "__builtin_alloca_with_align_uninitialized", "__builtin_return_address",
        "__builtin_frame_address", "__builtin_dwarf_cfa", "__builtin_unwind_init", "__builtin_eh_return",
        "__builtin_apply_args", "__builtin_apply", "__builtin_return",
    }
)  # fmt: skip
"""Functions that return twice, or to which it matters whose frame they are called in."""

_HARMLESS = frozenset(
    {
        "abi_tag", "always_inline", "artificial", "cold", "const", "deprecated", "flatten", "format", "gnu_inline",
        "hot", "leaf", "malloc", "maybe_unused", "nodiscard", "nonnull", "nothrow", "pure", "returns_nonnull", "unused",
        "used", "visibility", "warn_unused_result",
    }
)  # fmt: skip
_ATTRIBUTE = regex(r"(?:__attribute__\s*\(\(|\[\[)\s*(?:\w+\s*::\s*)?_*([a-z]\w*?)_*\b")
_KEPT_APART = regex(r"\b_*no(?:ipa|clone)_*\b")
"""Attributes of GCC's that clang does not know."""
_FOR_PROCESSOR = regex(r"pragma[ \t]+GCC[ \t]+(?:target|optimize)")
"""Options of GCC's for the functions that follow."""


def is_inlinable(unit: ParsedUnit, definition: Cursor, node: Node) -> bool:
    """Whether a function can be a part of all that call it."""
    if not _HARMLESS.issuperset(_ATTRIBUTE.findall(library.printed_head(definition))):
        return False
    if _KEPT_APART.search(unit.user_text(node).partition("{")[0]):
        return False
    if any(_FOR_PROCESSOR.search(file.scan.source.text) for file in unit.files.values()):
        return False
    if any(part.kind == "DECL_REF_EXPR" and _minds_its_frame(part) for part in node.walk()):
        return False
    return not CallGraph(unit.tree, lambda _, called: bool(called.cursor == definition)).leads(node)


def _minds_its_frame(name: Node) -> bool:
    called = name.referenced
    return name.spelling in _OF_ITS_FRAME or (
        called is not None and "returns_twice" in _ATTRIBUTE.findall(library.printed_head(called))
    )
