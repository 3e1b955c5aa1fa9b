"""Teams that are a warp or a part of one: several of them are a block.

In: a region whose teams have so few threads by a clause, then its kernel. Out: how many lanes a team is, and whether
all that the kernel says of its block is known to hold for lanes of a warp, too. A multiprocessor has room for few
blocks: of one warp each they leave half of it empty. Before and after::

    for (long long i = blockIdx.x; i < n; i += gridDim.x) { …    REX_TEAMS_OF_LANES(32)
                                                                 for (long long i = blockIdx.x; …

The macro gives the words of the device's language the meaning that they have in such a team, to all that stands in the
kernel's own text (``rex_device_lanes.h``): its number, its barrier, its reductions. Functions that the kernel calls
have them from outside. So it is done where no function can ask for its team, or has memory of a team, and where the
text names nothing of the device headers but what is in a list: what a thread does alone, and what the macro gives.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang.tree import RECORD_KINDS
from rexcc.kernel.code import walk
from rexcc.kernel.ir import Code
from rexcc.kernel.printer import lines
from rexcc.kernel.reductions import Reduce
from rexcc.lowering.generic.region import TeamRegion
from rexcc.lowering.model.launch import Argument, Kernel
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

SEVERAL_TEAMS = 256
"""Threads of a block of several teams, at most."""
_FEWEST = 4
"""Lanes of a team: fewer are seldom asked for."""
_INSIDE = frozenset(
    {
        "parallel", "for", "simd", "for simd", "parallel for", "parallel for simd", "distribute",
        "distribute parallel for", "distribute parallel for simd", "barrier", "atomic", "masked", "master", "single",
        "critical", "nothing",
    }
)  # fmt: skip
"""Constructs that may stand in a region."""
_OF_ONE = frozenset({"simd", "atomic"})
_ANSWERED = frozenset({"omp_get_thread_num", "omp_get_num_threads", "omp_get_team_num", "omp_get_num_teams"})
"""Routines that the kernel's own text may call."""
_TEAM_MEMORY = ("omp_pteam_mem_alloc", "omp_cgroup_mem_alloc")
_CLASSES_AND_LAMBDAS = RECORD_KINDS | {"LAMBDA_EXPR"}
_PARTIALS, _GRID = "__rex_partials", ("_threads_per_block_", "_num_blocks_")
_NAME = regex(r"\b(?:(?:rex|REX|omp|_)_\w+|asm)\b")
_COUNTS = "tripcount_lt|tripcount_le|tripcount_gt|tripcount_ge"
_OPERATORS = "add|mul|and|or|xor|land|lor|min|max"
_KNOWN = regex(
    rf"rex_(?:literal|unpack|unpack_object|partials|index|up_to|type|object_type|value_type|element_type|usual_form"
    rf"|small_form|divmod|{_COUNTS}|late|late_if|each|each_late|each_of_fours|each_of_neighbours|are_aligned|apart"
    rf"|load_neighbours|store_neighbours|load_words|store_words|loaded|in_turns|in_turns_through|is_walk|ahead|sincos"
    rf"|hypot|reduce_for_all|reduce_for_all_straight|reduce_blocks"
    rf"|(?:identity|into|reduce|combine|atomic)_(?:{_OPERATORS}))"
    rf"|rex_critical_\w*|REX_TEAMS_OF_LANES|REX_CRITICAL(?:_IF)?|omp_get_(?:team_num|num_teams)"
    r"|__(?:rex|builtin)_\w+|__(?:restrict|extension|typeof)__"
)
"""What a thread does for itself, and what ``REX_TEAMS_OF_LANES`` gives a team."""
_KNOWN_OF_ROWS = regex(rf"(?!rex_reduce_(?:{_OPERATORS})\b|rex_each_of_|omp_)(?:REX_TEAMS_OF_ROWS|{_KNOWN.pattern})")
"""The same of ``REX_TEAMS_OF_ROWS``."""


def lanes_of_teams(region: TargetRegion, data: RegionData, team: TeamRegion) -> int:
    """Return how many lanes the teams of a region are, if several may be a block, 0 for others."""
    threads, width = team.launch.threads, team.launch.bound
    if Optimisation.WARP_TEAMS in region.left_out or not region.has_teams or threads is None:
        return 0
    if not _FEWEST <= width <= region.unit.target.limits.warp or width & (width - 1):
        return 0
    if region.owner.template is not None and not threads.is_literal:
        return 0
    if not may_be_lanes(region, data, team):
        return 0
    assert region.construct.body is not None
    return 0 if can_tell_threads(region.unit, region.construct.body, _INSIDE, _OF_ONE, _ANSWERED) else width


def may_be_lanes(region: TargetRegion, data: RegionData, team: TeamRegion) -> bool:
    """Whether a region's text is all that may know of its teams, as far as its constructs and calls do not."""
    if team.functions or data.closures or region.choice.threads or region.choice.registers:
        return False
    body = region.construct.body
    assert body is not None
    hidden = any(node.kind in _CLASSES_AND_LAMBDAS for node in body.walk())
    return not hidden and not region.unit.kept(_has_team_memory)


def _has_team_memory(unit: ParsedUnit) -> bool:
    """Whether variables of the program may lie in a team's memory."""
    texts = (file.scan.source.text for file in unit.files.values())
    return bool(unit.kept(GroupVariables).listed) or any(name in text for text in texts for name in _TEAM_MEMORY)


def is_of_lanes(kernel: Kernel, of_rows: bool = False) -> bool:
    """Whether all that a kernel does with its block is known to be right for a team of lanes; ``of_rows``: for one that
    may be a block as well."""
    shape = kernel.geometry
    if kernel.sums or kernel.uses_xomp or kernel.together or kernel.packs or kernel.closures:
        return False
    if shape.shared_bytes or shape.scans or shape.grouped or shape.has_bins or shape.one_team or shape.one_thread:
        return False
    if shape.has_wide or shape.has_large or kernel.team_elements or not all(map(_is_for_any_team, kernel.arguments)):
        return False
    words, known = kernel.region.unit.target.words, _KNOWN_OF_ROWS if of_rows else _KNOWN
    told = set(_NAME.findall(f"{words.barrier} {words.fence} {words.read_only_load}"))
    names = set(_NAME.findall("\n".join(lines(_all_code(kernel), words)))) - told
    return all(map(known.fullmatch, names))


def _all_code(kernel: Kernel) -> Code:
    parameters = kernel.parameters
    start = tuple(s for p in parameters for s in p.prologue)
    end = tuple(s for p in parameters for s in p.epilogue)
    return (*kernel.locals, *start, *kernel.entry, *kernel.code, *end)


def _is_for_any_team(argument: Argument) -> bool:
    """Whether memory that the launch brings along does not go by threads or teams, but for the results of blocks."""
    sized = ("_threads_per_block_",) if argument.parameter and argument.parameter.name == _PARTIALS else _GRID
    if any(word in argument.row.size.text for word in sized):
        return False
    end = argument.parameter.epilogue if argument.parameter is not None else ()
    return all(map(_is_plain, _joined(end)))


def _joined(code: Code) -> Iterator[Reduce]:
    return (statement for statement in walk(code) if isinstance(statement, Reduce))


def _is_plain(reduction: Reduce) -> bool:
    """Whether numbers are joined by operators of the language."""
    return all(o.operator.name and not o.operator.combiner and not o.count for o in reduction.operands)
