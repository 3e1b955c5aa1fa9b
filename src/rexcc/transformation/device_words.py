"""Names of the user's that kernels say something of the device's by, or that the host's generated code uses.

In: the user's files and the names in the target's words. Out: the files in which these have other names, where the
program declares them or defines macros of them: a kernel's own lines use the target's. So have names that are also
those of the functions which launch blocks call (``rex_min``). All tokens of such a name become another one. The
program stays the same where no other file and no text can tell: the declarations are local variables, parameters,
members, or static, and no string of the program is made of the name (by a macro, a system header's like ``assert``
too, or by ``__func__``). Elsewhere the names stay, and are an error where they stand in the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from clang.cindex import LinkageKind

from rexcc.analysis.checks import needs_lowering
from rexcc.analysis.device_constructs import all_constructs, region_bodies
from rexcc.clang.library import is_inline_function
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, VARIABLE_KINDS, Node
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.own_names import PREFIX
from rexcc.source.patterns import regex
from rexcc.source.text import Span
from rexcc.source.users_names import other_name

_HELPERS = (
    "add_row address address_on_device any_function array_bytes assert_fail batch_begin batch_begin_behind_tasks "
    "batch_begin_of_tasks batch_depth batch_end batch_pause batch_resume batch_taskwait batch_uses batch_wait "
    "block_elements blocks_at_once blocks_of_chunks blocks_with_bins capture captures ceiling collapse default_blocks "
    "default_blocks_reduction default_teams default_threads default_warps depend depend_on device_address "
    "device_number device_of_now device_parts dimension distance divisor divisor_bytes empty_task enough_blocks "
    "even_share even_threads expect_nothing extent_bytes fetch_original first folded forget_depends free_buffer "
    "free_rows group_width has_recursion has_reductions has_tasks host_copy host_element host_read host_reads images "
    "is_own_function is_small_grid is_wide kernel largest_share last light_threads limit_of_few_iterations "
    "limit_of_few_teams limit_of_run limit_teams limit_threads map_between map_captures map_part map_way mapped "
    "mapped_item mapped_object mapped_rows mapped_type max may_come_around member_of merge_dimensions min "
    "names_devices needed_threads nest_blocks new_buffer new_rows object_of object_there on_host ordered pack "
    "pack_double pack_element pack_float pack_word parallel_threads partial_bytes place_of_capture reciprocal_bytes "
    "reciprocal_bytes_float referred room_bytes rows safe_quotient safe_remainder scan_blocks scan_bytes scan_chunks "
    "scan_threads shared_bytes store_original strip_bits strip_rows strip_tiling strips target_data_begin_task "
    "target_data_end_task target_data_update_task target_kernel_task task team_per_iteration team_threads "
    "teams_of_iterations teams_of_lanes there threads_of_few_teams threads_of_many_teams threads_of_one_team "
    "threads_of_several_teams threads_of_share threads_of_steps threads_of_teams tile_rows tiled_blocks tiling "
    "tripcount tripcount_ge tripcount_gt tripcount_le tripcount_lt units unmap_captures unsigned_divisor_bytes "
    "used_threads wait_for_depends want_capture warps_of_few_teams warps_of_teams weak_functions whole_warps"
)
HELPERS = frozenset(f"rex_{name}" for name in _HELPERS.split())
"""What the headers declare that a rewritten host file includes; the program itself may call ``rex_offload_…``."""
_TOKEN = regex(rf"{COMMENT}|{RAW_STRING}|{LITERAL}|(?P<word>[^\W\d]\w*)|\d[\w.']*")
_PLAIN = (
    "x void bool char short int long float double signed unsigned const volatile static extern struct auto if else for "
    "while do return sizeof"
)
_EVERYWHERE = frozenset(_PLAIN.split())
"""What generated text has besides of the device's words, of the names that a macro may have: members and keywords."""
_DEFINITION = regex(r"(?m)^[ \t]*#[ \t]*define[ \t]+(?P<name>(?!x\()\w+)")
_OF_ALL = regex(rf"(?m)^[ \t]*#[ \t]*define[ \t]+(?:{'|'.join(sorted(_EVERYWHERE))})\b")
_OPTION = regex(r"(?:^|\0)-D\0?(?P<name>\w+)")
_SHOWS_TYPES = regex(r"\b(?:typeid|__PRETTY_FUNCTION__|assert|source_location)\b")
_TYPE_KINDS = RECORD_KINDS | {"TYPEDEF_DECL"}
_DECLARING = VARIABLE_KINDS | FUNCTION_KINDS | _TYPE_KINDS | {"FIELD_DECL", "ENUM_CONSTANT_DECL"}


def rename_device_words(
    files: UserFiles, language: str, arguments: tuple[str, ...], sink: DiagnosticSink, taken: tuple[str, ...]
) -> UserFiles:
    """Return the files in which no declaration or macro has a name of the target's words, which is ``taken``.

    Reports names that are in the way and have to stay (``unsupported-name``).
    """
    texts = {name: scan.source.text for name, scan in files.scans.items()}
    wanted = re.compile(rf"\b(?:{'|'.join(taken)}|rex_(?!offload)\w+|{PREFIX}\w+)\b")
    if not any(map(wanted.search, texts.values())) and not any(map(_OF_ALL.search, texts.values())):
        return files
    problems = DiagnosticSink()
    unit = parse_unit(files, language, arguments, problems)
    if unit is None or problems.has_errors:
        return files  # what is wrong is found again by the parse to come
    declared = [
        n
        for top in unit.declarations
        for n in top.walk()
        if n.kind in _DECLARING and (n.spelling in taken or _is_ours(n.spelling))
    ]
    _report_options(unit, arguments, taken, sink)
    words, found = _own(declared, texts.values(), unit.is_cplusplus) | _own_macros(unit, texts, taken), files
    while words:
        found = _with_names(files, words)
        known = _still_known(found, language, arguments, words)
        if not known:
            break
        words -= known
    _report(unit, [n for n in declared if n.spelling not in words], taken, sink)
    return found if words else files


def _is_ours(name: str) -> bool:
    """Whether generated code of the host may use a name."""
    return name in HELPERS or name.startswith(PREFIX)


def _with_names(files: UserFiles, words: frozenset[str]) -> UserFiles:
    """Return the files with new names for words."""
    texts = {name: scan.source.text for name, scan in files.scans.items()}
    changed = {name: text for name, text in texts.items() if any(word in text for word in words)}
    return rewritten(
        files, {name: rewrite(files.source(name), list(_renamed(text, words))) for name, text in changed.items()}
    )


def _still_known(files: UserFiles, language: str, arguments: tuple[str, ...], words: frozenset[str]) -> frozenset[str]:
    """Return the words whose new names can be told from the old ones.

    Strings have them, where macros make strings of their arguments; or macros make the words themselves, and the
    program with new names does not compile.
    """
    problems = DiagnosticSink()
    unit = parse_unit(files, language, arguments, problems)
    if unit is None or problems.has_errors:
        return words
    strings = (n.spelling for top in unit.declarations for n in top.walk() if n.kind == "STRING_LITERAL")
    return frozenset(word for text in strings for word in words if other_name(word) in text)


def _report(unit: ParsedUnit, kept: list[Node], taken: tuple[str, ...], sink: DiagnosticSink) -> None:
    """Report names that have to stay and stand in the way: in a region a kernel's own, anywhere a helper's."""
    if not kept or not needs_lowering(unit):
        return
    bodies = region_bodies(all_constructs(unit))
    keys = {n.cursor.canonical.hash for n in kept}
    uses = (n for body in bodies for n in body.walk() if n.spelling in taken and n.referenced is not None)
    places = [n for n in kept if _is_ours(n.spelling)]
    places += [n for n in uses if n.referenced is not None and n.referenced.canonical.hash in keys]
    for node in places:
        message = f"'{node.spelling}' is a name that generated code has for itself, and this one cannot get another: "
        message += "other files, or strings of the program, know it"
        sink.error("unsupported-name", message, unit.span(node), Note("give it another name"))


def _own_macros(unit: ParsedUnit, texts: Mapping[str, str], taken: tuple[str, ...]) -> frozenset[str]:
    """Return the words that are macros of the program, and of nothing that another file knows."""
    named = {name for path, text in texts.items() for name in _macros(text, unit.skipped.get(path, ()))}
    found = frozenset(name for name in named if name in taken or name in _EVERYWHERE or _is_ours(name))
    nodes = (node for top in unit.declarations for node in top.walk()) if found else ()
    shared = {n.spelling for n in nodes if n.spelling in found and _is_shared(n, unit.is_cplusplus)}
    return found - shared


def _macros(text: str, skipped: Iterable[tuple[int, int]]) -> Iterator[str]:
    """Give the names of the macros that a text defines.

    Programs have CUDA's words as macros that mean nothing (``#define __shared__``), and words of every text as others
    (``#define float double``). In device code they would change what kernels say by these words.
    """
    for match in _DEFINITION.finditer(text):
        if not any(low <= match.start("name") < high for low, high in skipped):
            yield match["name"]


def _report_options(unit: ParsedUnit, arguments: tuple[str, ...], taken: tuple[str, ...], sink: DiagnosticSink) -> None:
    """Report macros of the command line by which the program means something else than the target's words, each where
    it is first used."""
    named = {match["name"] for match in _OPTION.finditer("\0".join(arguments))} & set(taken)
    if not named or not needs_lowering(unit):
        return
    places: dict[str, Span] = {}
    for file in unit.files.values():
        for token in _TOKEN.finditer(file.scan.source.text):
            if token["word"] in named:
                places.setdefault(token["word"], file.scan.source.span(*token.span()))
    for name, place in sorted(places.items()):
        message = f"'{name}' is a name that generated code has for itself, and '-D{name}' gives it another meaning"
        sink.error(
            "unsupported-name", message, place, Note("define it in a file of the program, or give it another name")
        )


def _own(declared: Iterable[Node], texts: Iterable[str], is_cplusplus: bool) -> frozenset[str]:
    """Return the words that the program declares for itself alone."""
    nodes = list(declared)
    types_are_shown = any(_SHOWS_TYPES.search(text) for text in texts)
    shared = {n.spelling for n in nodes if _is_shared(n, is_cplusplus) or (types_are_shown and n.kind in _TYPE_KINDS)}
    return frozenset(n.spelling for n in nodes) - shared


def _is_shared(declaration: Node, is_cplusplus: bool) -> bool:
    """Whether other files may know a declaration by its name. An inline function of C++ is defined in each of them."""
    if declaration.kind not in VARIABLE_KINDS | FUNCTION_KINDS:
        return False
    if is_cplusplus and (declaration.kind == "FUNCTION_TEMPLATE" or is_inline_function(declaration.cursor)):
        return False
    return bool(declaration.cursor.linkage == LinkageKind.EXTERNAL)


def _renamed(text: str, words: frozenset[str]) -> Iterator[Replacement]:
    for token in _TOKEN.finditer(text):
        if token["word"] in words:
            yield Replacement(token.start(), token.end(), (other_name(token["word"]),))
