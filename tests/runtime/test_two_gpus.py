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
    ],
)
def test_small_blocks_are_kept_unless_devices_are_shared(
    shop: Workshop, gpus: str, variables: dict[str, str], kept: str
) -> None:
    """By libomptarget, which is told before it starts: a 2048th of a device's memory. The user's choice counts."""
    assert shop.call(gpus, "kept", **variables).stdout == f"{kept}\n"


@pytest.mark.parametrize(
    ("what", "copies"),
    [
        ("counts", "4"),
        ("batches", "4"),
        ("beside", "4"),
        ("arrival", "4"),
        ("threads 64", "4"),
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
