"""How many teams and threads a launch has: the lines of the launch block that compute them.

In: a lowered kernel. Out: the trip count, the teams and the threads of each as variables of the host. What the program
left open is computed by the functions of ``runtime/include/rex_geometry.h``.
"""

from __future__ import annotations

from rexcc.lowering.host.kernel_keys import usual_key
from rexcc.lowering.host.template_keys import key_tile, room_of_few_teams
from rexcc.lowering.loops.joined_values import least_iterations
from rexcc.lowering.loops.single_iteration import asks_for_league
from rexcc.lowering.loops.tiles import TILE
from rexcc.lowering.model.launch import Kernel

_INDENT = "    "


def geometry_lines(kernel: Kernel) -> list[str]:
    """Return the lines that declare the trip count, the teams and the threads of each."""
    shape = kernel.geometry
    lines: list[str] = []
    if shape.tripcount:
        lines.append(f"{_INDENT}__INT64_TYPE__ __rex_tripcount = {shape.tripcount};")
    count = "__rex_tripcount" if shape.tripcount else "__INT64_MAX__"
    if shape.grouped:
        width = f"rex_group_width(__device_id, {count}, {shape.grouped}, {shape.limit})"
        lines.append(f"{_INDENT}int __rex_group_width = {width};")
        count = f"rex_collapse({count}, __rex_group_width)"
    blocks = _blocks(kernel, count)
    if shape.teams_if:
        blocks = f"({shape.teams_if}) ? {blocks} : 1"
    both = [
        f"{_INDENT}int _threads_per_block_ = {_threads(kernel, count)};",
        f"{_INDENT}int _num_blocks_ = {blocks};",
    ]
    if shape.lanes:
        both = _several_teams(kernel, count)
    lines += reversed(both) if kernel.fits_threads_to_teams else both
    if shape.shared_bytes:
        lines.append(f"{_INDENT}__UINT32_TYPE__ __rex_shared_bytes = {shape.shared_bytes};")
    return lines


def _threads(kernel: Kernel, count: str) -> str:
    shape = kernel.geometry
    if shape.one_thread:
        return "1"
    if shape.threads is not None and kernel.fits_threads_to_teams:
        return f"rex_used_threads(__device_id, {count}, _num_blocks_, {shape.threads.as_int})"
    if shape.threads is not None:
        return shape.threads.as_int
    if not kernel.region.loops or kernel.region.has_inner_parallel:
        return "rex_team_threads(__device_id, 256)"
    if shape.one_team:
        return f"rex_threads_of_one_team(__device_id, {count}, {shape.limit})"
    if shape.scans:
        return f"rex_scan_threads(__device_id, {count}, {shape.limit})"
    unit = "warps" if shape.reduces or shape.grouped else "threads"
    if kernel.fits_threads_to_teams:
        room = room_of_few_teams(kernel)
        return f"rex_{unit}_of_{'few_' if room else ''}teams(__device_id, {count}, _num_blocks_, {shape.limit}{room})"
    return f"rex_default_{unit}(__device_id, {count}, {shape.limit})"


def _several_teams(kernel: Kernel, count: str) -> list[str]:
    """Return the lines for teams of which several may be a block."""
    shape, region = kernel.geometry, kernel.region
    is_open = shape.teams is None and bool(region.loops) and not shape.team_chunk
    teams = f"rex_teams_of_lanes(__device_id, {count}, {shape.lanes}, {int(shape.has_light_loops)})"
    teams = teams if is_open else _blocks(kernel, count)
    is_exact = shape.teams is not None or not region.loops or bool(shape.teams_if)
    if shape.teams_if:
        teams = f"({shape.teams_if}) ? {teams} : 1"
    threads = f"rex_threads_of_several_teams(__device_id, &_num_blocks_, {shape.lanes}, {int(is_exact)})"
    return [f"{_INDENT}int _num_blocks_ = {teams};", f"{_INDENT}int _threads_per_block_ = {threads};"]


def _blocks(kernel: Kernel, count: str) -> str:
    shape = kernel.geometry
    if shape.one_team:
        return "1"
    if shape.teams is not None:
        return shape.teams.as_int
    if not kernel.region.loops:
        return "rex_default_teams(__device_id)"
    if shape.team_chunk and shape.tripcount:
        return f"rex_blocks_of_chunks(__rex_tripcount, {shape.team_chunk})"
    if kernel.region.has_inner_parallel:
        return f"rex_teams_of_iterations(__device_id, {count}, _threads_per_block_, {int(shape.has_light_loops)})"
    if shape.scans:
        return f"rex_scan_blocks(__device_id, {count}, _threads_per_block_)"
    if shape.has_bins:
        return f"rex_blocks_with_bins(__device_id, {count}, _threads_per_block_, {shape.additions})"
    if shape.reduces:
        kind = f"{usual_key(kernel)}, {least_iterations(kernel)}"
        return f"rex_default_blocks_reduction(__device_id, {count}, _threads_per_block_, {kind})"
    is_template = kernel.region.owner.template is not None
    tile = key_tile(kernel) if is_template else str(shape.tile)
    blocks = f"rex_default_blocks(__device_id, {count}, _threads_per_block_)"
    if tile != "1":
        is_nest = len(kernel.region.loops) > 1 and (is_template or shape.tile == TILE)
        function = "rex_nest_blocks" if is_nest else "rex_tiled_blocks"
        blocks = f"{function}(__device_id, {count}, _threads_per_block_, {tile})"
    return f"(int)rex_limit_teams({blocks})" if asks_for_league(kernel.region) else blocks
