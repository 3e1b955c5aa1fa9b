"""Names of the user's that every kernel has as CUDA's own variables, or that the host's generated code uses.

In: the user's files. Out: the files in which ``gridDim``, ``blockDim``, ``blockIdx``, ``threadIdx`` and ``warpSize``
have other names, where the program declares them: a kernel's own lines use CUDA's. So have names that are also those of
the functions which launch blocks call (``rex_min``). All tokens of such a name become
another one, so the program stays the same; it does where no other file and no text can tell: the declarations are local
variables, parameters, members, or static, and no string of the program is made of the name (by a macro, a system
header's like assert() too, or by ``__func__``). Elsewhere the names stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clang.cindex import LinkageKind

from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, VARIABLE_KINDS, Node
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.resolution.rewriting import Replacement, rewrite
from rexcc.frontend.unit import ParsedUnit, parse_unit
from rexcc.source.diagnostics import DiagnosticSink

WORDS = ("gridDim", "blockDim", "blockIdx", "threadIdx", "warpSize")
_HELPERS = (
    "add_row address_on_device array_bytes batch_begin batch_end blocks_of_chunks ceiling collapse default_blocks "
    "default_blocks_reduction default_teams default_threads depend depend_on device_address device_number "
    "device_of_now device_parts dimension distance divisor divisor_bytes empty_task enough_blocks expect_nothing "
    "extent_bytes fetch_original first forget_depends free_buffer free_rows has_reductions images last map_between "
    "map_part map_way mapped mapped_item mapped_object mapped_rows mapped_type max member_of merge_dimensions min "
    "new_buffer new_rows ordered pack pack_word parallel_threads partial_bytes room_bytes rows shared_bytes "
    "store_original target_data_begin_task target_data_end_task target_data_update_task target_kernel_task task "
    "team_per_iteration team_threads threads_of_one_team tiled_blocks tripcount tripcount_ge tripcount_gt "
    "tripcount_le tripcount_lt wait_for_depends whole_warps "
)
HELPERS = frozenset(f"rex_{name}" for name in _HELPERS.split())
"""What the headers declare that a rewritten host file includes; the program itself may call ``rex_offload_…``."""
_ANY = re.compile(rf"\b(?:{'|'.join(WORDS)}|rex_(?!offload)\w+)\b")
_TAKEN = HELPERS.union(WORDS)
_TOKEN = re.compile(
    r"/\*[\s\S]*?\*/|//(?:\\\n|[^\n])*"
    r"|\b(?:L|u8|u|U)?R\"(?P<delimiter>[^()\\\s]{0,16})\([\s\S]*?\)(?P=delimiter)\""
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|(?P<word>[^\W\d]\w*)|\d[\w.']*"
)
_SHOWS_TYPES = re.compile(r"\b(?:typeid|__PRETTY_FUNCTION__|assert|source_location)\b")
_STRINGISES = re.compile(r"^[ \t]*#[ \t]*define\b(?:\\\n|[^\n])*#", re.M)


_TYPE_KINDS = RECORD_KINDS | {"TYPEDEF_DECL"}


def rename_device_words(files: UserFiles, language: str, arguments: tuple[str, ...]) -> UserFiles:
    """Return the files in which no declaration has the name of a variable that kernels have."""
    texts = {name: scan.source.text for name, scan in files.scans.items()}
    if not any(map(_ANY.search, texts.values())) or any(map(_STRINGISES.search, texts.values())):
        return files
    unit = parse_unit(files, language, arguments, DiagnosticSink())
    words = _declared(unit, texts.values()) if unit is not None else frozenset()
    while words:
        sources = {
            name: rewrite(files.source(name), list(_renamed(text, words)))
            for name, text in texts.items()
            if _ANY.search(text)
        }
        found = rewritten(files, sources)
        shown = _shown(parse_unit(found, language, arguments, DiagnosticSink()), words)
        if not shown:
            return found
        words -= shown
    return files


def _shown(unit: ParsedUnit | None, words: frozenset[str]) -> frozenset[str]:
    """Return the words whose new names stand in strings of the program: macros make strings of their arguments."""
    if unit is None:
        return words
    strings = (n.spelling for top in unit.declarations for n in top.walk() if n.kind == "STRING_LITERAL")
    return frozenset(word for text in strings for word in words if _new_name(word) in text)


def _new_name(word: str) -> str:
    return f"rex_users_{word}"


def _declared(unit: ParsedUnit, texts: Iterable[str]) -> frozenset[str]:
    """Return the words that the program declares for itself alone."""
    kinds = VARIABLE_KINDS | FUNCTION_KINDS | _TYPE_KINDS | {"FIELD_DECL", "ENUM_CONSTANT_DECL"}
    nodes = [n for top in unit.declarations for n in top.walk() if n.kind in kinds and n.spelling in _TAKEN]
    types_are_shown = any(_SHOWS_TYPES.search(text) for text in texts)
    shared = {n.spelling for n in nodes if _is_shared(n) or (types_are_shown and n.kind in _TYPE_KINDS)}
    return frozenset(n.spelling for n in nodes) - shared


def _is_shared(declaration: Node) -> bool:
    """Whether other files may know a declaration by its name."""
    if declaration.kind not in VARIABLE_KINDS | FUNCTION_KINDS:
        return False
    return bool(declaration.cursor.linkage == LinkageKind.EXTERNAL)


def _renamed(text: str, words: frozenset[str]) -> Iterator[Replacement]:
    for token in _TOKEN.finditer(text):
        if token["word"] in words:
            yield Replacement(token.start(), token.end(), (_new_name(token["word"]),))
