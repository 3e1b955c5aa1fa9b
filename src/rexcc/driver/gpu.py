"""The GPU of this machine, asked through the CUDA driver itself.

Out: names and architectures, or nothing where there is no driver or no GPU. No CUDA installation is needed, and no
context is made on the device.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from rexcc.source.records import dataclass

_COMPUTE_CAPABILITY_MAJOR = 75
_COMPUTE_CAPABILITY_MINOR = 76


@dataclass(frozen=True)
class Gpu:
    """One GPU, such as ``NVIDIA H200`` and ``sm_90``."""

    name: str
    architecture: str


@dataclass(frozen=True)
class GpuReport:
    """All GPUs; ``driver`` is the CUDA version that the driver supports, ``problem`` why there are no GPUs."""

    gpus: tuple[Gpu, ...] = ()
    driver: str | None = None
    problem: str | None = None


def find_gpus() -> GpuReport:
    """Return the GPUs that the driver offers."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return GpuReport(problem="no NVIDIA driver (libcuda.so.1)")
    status = cuda.cuInit(0)
    driver = _driver_version(cuda)
    if status != 0:
        return GpuReport(driver=driver, problem=f"the NVIDIA driver finds no usable GPU (cuInit: error {status})")
    count = _number(cuda.cuDeviceGetCount)
    if not count:
        return GpuReport(driver=driver, problem="the NVIDIA driver finds no GPU")
    return GpuReport(tuple(_gpu(cuda, index) for index in range(count)), driver)


def native_architectures() -> tuple[str, ...]:
    """Return the architectures of this machine's GPUs, each once."""
    return tuple(dict.fromkeys(gpu.architecture for gpu in find_gpus().gpus))


def _driver_version(cuda: ctypes.CDLL) -> str | None:
    number = _number(cuda.cuDriverGetVersion)
    return f"{number // 1000}.{number % 1000 // 10}" if number else None


def _gpu(cuda: ctypes.CDLL, index: int) -> Gpu:
    device = ctypes.c_int()
    cuda.cuDeviceGet(ctypes.byref(device), index)
    major = _number(cuda.cuDeviceGetAttribute, _COMPUTE_CAPABILITY_MAJOR, device)
    minor = _number(cuda.cuDeviceGetAttribute, _COMPUTE_CAPABILITY_MINOR, device)
    name = ctypes.create_string_buffer(256)
    cuda.cuDeviceGetName(name, len(name), device)
    return Gpu(name.value.decode(errors="replace"), f"sm_{major}{minor}")


def _number(function: Callable[..., int], *rest: object) -> int:
    """Call a driver function that stores a number first; 0 when it fails."""
    result = ctypes.c_int()
    return result.value if function(ctypes.byref(result), *rest) == 0 else 0
