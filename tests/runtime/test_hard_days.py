"""What a program says that cannot go on, and how it ends: on make-believe GPUs (``two_gpus.cpp``)."""

from __future__ import annotations

import signal

import pytest
from runtime_workshop import Workshop

PLACE = "rex: two_gpus.cpp:1 main: "
GPU = "refused by the make-believe GPU"
TOOL = "; compute-sanitizer tells where\n"
BEHIND = "this kernel, or one that was queued behind it,"
WAITS = f" has failed: {GPU} (REX_SYNCHRONOUS=1 waits for each){TOOL}"
GAVE_UP = "libomptarget has failed\n"


@pytest.mark.parametrize(
    ("how", "settings", "said"),
    [
        ("alone", {}, f"{PLACE}this kernel{WAITS}"),
        ("batch", {}, f"{PLACE}{BEHIND}{WAITS}"),
        ("task", {}, f"{PLACE}this kernel{WAITS}"),
        ("alone", {"REX_SYNCHRONOUS": "1"}, f"{GAVE_UP}{PLACE}this kernel has failed: {GPU}{TOOL}"),
    ],
)
def test_a_kernel_that_fails_is_told_by_its_place(
    shop: Workshop, gpus: str, how: str, settings: dict[str, str], said: str
) -> None:
    done = shop.call(gpus, "fail", how, status=-signal.SIGABRT, **settings)
    assert (done.stdout, done.stderr) == ("", said)


@pytest.mark.parametrize(("how", "what"), [("alone", "this kernel"), ("batch", BEHIND), ("task", "this kernel")])
def test_a_kernel_that_does_not_end_ends_the_program(shop: Workshop, gpus: str, how: str, what: str) -> None:
    done = shop.call(gpus, "stay", how, status=1, REX_WATCHDOG="1")
    assert (
        done.stderr == f"{PLACE}{what} has not ended after 1 second, so the program ends, as REX_WATCHDOG=1 demands\n"
    )


def test_what_is_said_of_a_kernel_that_cannot_be_launched(shop: Workshop, gpus: str) -> None:
    settings = {"FAKE_GPUS_FULL": "1", "REX_SYNCHRONOUS": "1"}
    done = shop.call(gpus, "stay", "alone", status=-signal.SIGABRT, **settings)
    told = "this kernel cannot be launched; 1048576 MiB of the GPU's memory are free"
    assert done.stderr.startswith(f"{GAVE_UP}{PLACE}{told}, from which the stack")


def test_images_that_the_driver_refuses_are_told_by_their_file(shop: Workshop, gpus: str) -> None:
    done = shop.call(gpus, "counts", status=-signal.SIGABRT, FAKE_GPUS_REFUSE="1")
    told = f"rex: the device code of two_gpus.cpp cannot be loaded onto the GPU: {GPU}; "
    assert done.stderr == f"{GAVE_UP}{told}the file is damaged, or has been changed: build it again\n"


def test_a_child_process_cannot_use_the_gpu_of_its_parent(shop: Workshop, gpus: str) -> None:
    for how in ("launch", "data"):
        done = shop.call(gpus, "child", how)
        assert done.stdout == "4 checks, 0 failures\n"
        assert done.stderr.startswith(f"{PLACE}this process was forked after its parent had started the GPU")
    done = shop.call(gpus, "child", "routines")
    assert (done.stdout, done.stderr) == ("4 checks, 0 failures\n", "")


def test_tasks_end_where_another_thread_ends_the_program(shop: Workshop, gpus: str) -> None:
    done = shop.call(gpus, "exit_in_thread", status=3)
    assert done.stdout.endswith(" 0 failures at exit\n")
