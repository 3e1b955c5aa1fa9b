"""Ranks of a node: what launchers say, which device each gets, how many cores are its own, and who chooses instead."""

from __future__ import annotations

import os

import pytest
from runtime_workshop import RUNTIME, Workshop

OPEN_MPI, HYDRA = "OMPI_COMM_WORLD_LOCAL_", "MPI_LOCAL"
SLURM = {"SLURM_LOCALID": "3", "SLURM_NODEID": "1", "SLURM_STEP_TASKS_PER_NODE": "2,8(x2)"}
KINDS = ("nobody", "user", "switched off", "routine", "file", "other runtime")


@pytest.fixture(scope="session")
def ranks(shop: Workshop) -> str:
    """The runtime's units for ranks with a main that asks them; what they call of other units is not reached."""
    words = (f"-I{RUNTIME / 'src'}", "-O0", "-ffunction-sections", "-fdata-sections")
    made = shop.compile("clang++-19", "ranks.cpp", *words, target="ranks.o")
    return shop.link(made, "-Wl,--gc-sections", target="ranks")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "none 0 0, device 0, cores 8"),
        ({f"{OPEN_MPI}RANK": "5", f"{OPEN_MPI}SIZE": "8"}, f"{OPEN_MPI}RANK 5 8, device 1, cores 1"),
        ({f"{HYDRA}RANKID": "2", f"{HYDRA}NRANKS": "3"}, f"{HYDRA}RANKID 2 3, device 2, cores 2"),
        ({"MV2_COMM_WORLD_LOCAL_RANK": "1"}, "MV2_COMM_WORLD_LOCAL_RANK 1 0, device 1, cores 8"),
        ({"PMI_LOCAL_RANK": "9", "PMI_LOCAL_SIZE": "16"}, "PMI_LOCAL_RANK 9 16, device 1, cores 0"),
        (SLURM, "SLURM_LOCALID 3 8, device 3, cores 1"),
        ({f"{OPEN_MPI}RANK": "1", f"{OPEN_MPI}SIZE": "2"} | SLURM, f"{OPEN_MPI}RANK 1 2, device 1, cores 4"),
        ({f"{OPEN_MPI}RANK": "one"}, "none 0 0, device 0, cores 8"),
        ({f"{OPEN_MPI}RANK": "-1"}, "none 0 0, device 0, cores 8"),
        ({"PMIX_RANK": "7", "OMPI_COMM_WORLD_RANK": "7"}, "none 0 0, device 0, cores 8"),
    ],
)
def test_what_launchers_say(shop: Workshop, ranks: str, variables: dict[str, str], said: str) -> None:
    """Of 4 devices and 8 cores that all ranks have in common. A rank among all nodes is none of its node."""
    assert shop.call(ranks, "4", "8", "0", **(without_launcher() | variables)).stdout == f"{said}\n"


def test_a_rank_that_is_bound_has_its_cores_for_itself(shop: Workshop, ranks: str) -> None:
    variables = {f"{OPEN_MPI}RANK": "1", f"{OPEN_MPI}SIZE": "16"}
    assert shop.call(ranks, "1", "2", "1", **(without_launcher() | variables)).stdout.endswith("device 0, cores 2\n")


@pytest.mark.parametrize(
    ("counts", "node", "count"),
    [("4", 0, 4), ("4", 1, 0), ("4(x2),1", 1, 4), ("4(x2),1", 2, 1), ("2,8(x2)", 2, 8), ("", 0, 0), ("x", 0, 0)],
)
def test_counts_of_slurm(shop: Workshop, ranks: str, counts: str, node: int, count: int) -> None:
    assert shop.call(ranks, counts, str(node)).stdout == f"{count}\n"


def test_who_chooses_the_default_device(shop: Workshop, ranks: str) -> None:
    """The user's wish comes before what the program does, and OMP_DEFAULT_DEVICE before all."""
    for line in shop.call(ranks).stdout.splitlines():
        given, kind = line.split(": ")
        has_default, wish, routine, names, cuda = map(int, given.split())
        if has_default:
            expected = "user"
        elif wish >= 0:
            expected = "nobody" if wish else "switched off"
        else:
            expected = "routine" if routine else "file" if names else "other runtime" if cuda else "nobody"
        assert KINDS[int(kind)] == expected, line


def without_launcher() -> dict[str, str]:
    """Return the variables by which a launcher of these tests themselves would be seen, set to nothing."""
    known = ("OMPI_COMM_WORLD_", "MPI_LOCAL", "MV2_COMM_WORLD_", "PMI_LOCAL_", "SLURM_")
    return {name: "" for name in os.environ if name.startswith(known)}
