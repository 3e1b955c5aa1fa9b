"""Several GPUs in one process: two make-believe ones, whose streams are threads, and a libomptarget on them."""

from __future__ import annotations

import re

import pytest
from runtime_workshop import Workshop


def test_the_default_device_is_started_when_the_program_is_loaded(shop: Workshop, gpus: str) -> None:
    """OpenMP begins then: not where the program may set what OpenMP reads."""
    assert shop.call(gpus, "start").stdout == "images: 1 0\n"
    assert shop.call(f"{gpus}_sets", "start").stdout == "images: 0 0\n"


@pytest.mark.parametrize(
    ("variables", "kept"),
    [
        ({}, "4194304"),
        ({"LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD": "0"}, "0"),
        ({"MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2"}, "4194304"),
        ({"MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "3"}, "nothing"),
        ({"CUDA_VISIBLE_DEVICES": "MIG-41b36014-042d-55a3-8c0b-72e1b3f5a7c9"}, "524288"),
    ],
)
def test_small_blocks_are_kept_unless_devices_are_shared(
    shop: Workshop, gpus: str, variables: dict[str, str], kept: str
) -> None:
    """By libomptarget, which is told before it starts: a 2048th of a device's memory. The user's choice counts."""
    assert shop.call(gpus, "kept", **variables).stdout == f"{kept}\n"


@pytest.mark.parametrize(
    ("visible", "told"),
    [
        ("GPU-8b5a,GPU-77f0", "device 1 of 2, 108 units\n"),
        ("1", "device 0 of 1, 108 units\n"),
        ("MIG-41b36014-042d-55a3-8c0b-72e1b3f5a7c9", "device 0 of 1, 16 units\n"),
        ("MIG-GPU-8b5a/1/0,MIG-GPU-8b5a/2/0", "device 0 of 1, 16 units\n"),
    ],
)
def test_ranks_are_spread_over_what_the_driver_shows(shop: Workshop, gpus: str, visible: str, told: str) -> None:
    """Named by numbers, as GPUs, or as instances of one (MIG), of which a process gets one: the driver counts them."""
    rank = {"MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2", "CUDA_VISIBLE_DEVICES": visible, "REX_SPREAD_RANKS": "1"}
    assert shop.call(gpus, "visible", **rank).stdout == told


@pytest.mark.parametrize(
    ("what", "copies"),
    [
        ("counts", "4"),
        ("batches", "4"),
        ("exchanges", "4"),
        ("beside", "4"),
        ("arrival", "4"),
        ("threads 64", "4"),
        ("captures", "4"),
        ("batches", "0"),
        ("threads 16", "0"),
    ],
)
def test_two_devices_are_used_side_by_side(shop: Workshop, gpus: str, what: str, copies: str) -> None:
    done = shop.call(gpus, *what.split(), REX_COPY_THREADS=copies)
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)


def test_children_end_while_another_thread_launches(shop: Workshop, gpus: str) -> None:
    """They have the profile's lock as it was when they were made."""
    done = shop.call(gpus, "forks", REX_COPY_THREADS="4", REX_PROFILE="forks.json")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)


def test_tasks_end_before_the_program_does(shop: Workshop, gpus: str) -> None:
    done = shop.call(gpus, "exit", REX_COPY_THREADS="4")
    assert re.fullmatch(r"\d+ checks, 0 failures\n\d+ checks, 0 failures at exit\n", done.stdout)


def test_launches_and_mappings_leave_nothing_behind(shop: Workshop, gpus: str) -> None:
    done = shop.call(gpus, "growth", "2000", REX_COPY_THREADS="4", FAKE_GPUS_AT_ONCE="1")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", done.stdout)
