"""Reductions that the host finishes (REX's scheme): a buffer with the result of each block, and a host loop.

In: the arguments of a kernel and the variables that all teams reduce. Out: the variable's argument becomes the buffer,
and the host block gets lines that allocate it, add what the blocks have left, and free it. Served are values with an
operator of the language in constructs that wait for their kernel; all others stay with the device.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.kernel.reductions import Among, Reduce
from rexcc.lowering.model.host_values import Size, number, pointer
from rexcc.lowering.model.launch import Argument, HostSum, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, MapFlag
from rexcc.lowering.reductions.partials import Joined, is_plain_row
from rexcc.source.records import dataclass, replace

_STATEMENTS = {
    "&&": "{0} = {0} && {1};",
    "||": "{0} = {0} || {1};",
    "min": "if ({1} < {0}) {0} = {1};",
    "max": "if ({0} < {1}) {0} = {1};",
}
"""What differs from ``a op= b``."""


_BLOCKS = Argument(
    MapRow(number("_num_blocks_"), None, Size("sizeof _num_blocks_", 4), IMPLICIT_LITERAL, "teams",
           reason="the host adds the teams' results"),
    Parameter("rex_literal", "__rex_partial_count"),
)  # fmt: skip


@dataclass(frozen=True)
class OnHost:
    """The arguments with buffers in them, the variables that the device finishes all the same, and the others' sums."""

    arguments: tuple[Argument, ...]
    joined: tuple[Joined, ...]
    sums: tuple[HostSum, ...]


def finished_on_host(arguments: Sequence[Argument], joined: Sequence[Joined]) -> OnHost:
    """Turn what the host can finish into buffers."""
    served = {one.name: one for one in joined if _is_served(one)}
    made: list[Argument] = []
    added: list[Argument] = []
    sums: list[HostSum] = []
    done: list[Joined] = []
    for argument in arguments:
        name = argument.parameter.name if argument.parameter is not None else ""
        if name not in served or not is_plain_row(argument.row):
            made.append(argument)
            continue
        total = _sum(served[name])
        sums.append(total)
        done.append(served[name])
        if MapFlag.IMPLICIT not in argument.row.flags:
            made.append(_only_mapped(argument))
        added.append(_buffer(argument, total))
    if added:
        assert added[0].parameter is not None
        left = Reduce(tuple(one.operand for one in done), Among.HOST, "rex_unpack<int>(__rex_partial_count)")
        added[0] = replace(added[0], parameter=replace(added[0].parameter, epilogue=(left,)))
    rest = tuple(one for one in joined if one not in done)
    return OnHost((*made, *added, *([_BLOCKS] if added else [])), rest, tuple(sums))


def lines_before(sums: Sequence[HostSum]) -> list[str]:
    """Return the lines that make the buffers."""
    return [f"{s.type} *{s.buffer} = ({s.type} *)rex_new_buffer(_num_blocks_ * sizeof({s.type}));" for s in sums]


def lines_when_launched(sums: Sequence[HostSum]) -> list[str]:
    """Return the lines that add what the blocks have left; the original is the device's where it has one."""
    lines: list[str] = []
    for one in sums:
        place = f"(void *)&{one.host}, sizeof {one.host}, __device_id"
        lines += [
            f"rex_fetch_original({place});",
            f"for (int __rex_partial = 0; __rex_partial < _num_blocks_; __rex_partial++) {one.statement}",
            f"rex_store_original({place});",
        ]
    return lines


def lines_after(sums: Sequence[HostSum]) -> list[str]:
    """Return the lines that free the buffers."""
    return [f"rex_free_buffer({one.buffer});" for one in sums]


def _is_served(one: Joined) -> bool:
    """Whether the host can join a variable's values: it is reduced as a whole, by an operator of the language."""
    return bool(one.name and one.host and not one.operand.operator.combiner and not one.operand.count)


def _sum(one: Joined) -> HostSum:
    host, buffer, operator = one.host, f"__reduction_buffer_{one.operand.value}", str(one.operand.operator)
    pattern = _STATEMENTS.get(operator, f"{{0}} {operator}= {{1}};")
    return HostSum(f"__typeof__({host})", buffer, host, pattern.format(host, f"{buffer}[__rex_partial]"))


def _only_mapped(argument: Argument) -> Argument:
    """Return an argument that the kernel does not get; the clause asks for its row all the same."""
    flags = tuple(flag for flag in argument.row.flags if flag is not MapFlag.PARAM)
    return Argument(replace(argument.row, flags=flags), None)


def _buffer(argument: Argument, one: HostSum) -> Argument:
    place, size = pointer(one.buffer), Size(f"_num_blocks_ * sizeof({one.type})")
    flags, reason = (MapFlag.PARAM, MapFlag.FROM), "the host adds the teams' results"
    row = MapRow(place, place, size, flags, one.buffer, reason=reason)
    return replace(argument, row=row)
