"""The GPUs of this machine, asked through the CUDA driver's library.

Out: names and architectures, or nothing where there is no driver or no GPU. No CUDA installation is needed for that,
and no context is made on the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rexcc.source.later import later
from rexcc.target.tools import Dependence, Device, DeviceReport, Load

if TYPE_CHECKING:
    import ctypes
else:
    ctypes = later("ctypes")

_LIBRARY = "libcuda.so.1"
_COMPUTE_CAPABILITY_MAJOR = 75
_COMPUTE_CAPABILITY_MINOR = 76

DEPENDENCE = Dependence(
    files=("/proc/driver/nvidia/version",),
    nodes=("nvidia*",),
    variables=("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"),
)


def gpus(load: Load) -> DeviceReport:
    """Return the GPUs that the driver offers."""
    try:
        cuda = load(_LIBRARY)
    except OSError:
        return DeviceReport(problem=f"no NVIDIA driver ({_LIBRARY})")
    status = cuda.cuInit(0)
    driver = _driver_version(cuda)
    if status != 0:
        return DeviceReport(driver=driver, problem=f"the NVIDIA driver finds no usable GPU (cuInit: error {status})")
    count = _number(cuda.cuDeviceGetCount)
    if not count:
        return DeviceReport(driver=driver, problem="the NVIDIA driver finds no GPU")
    return DeviceReport(tuple(_gpu(cuda, index) for index in range(count)), driver)


def _driver_version(cuda: Any) -> str | None:
    number = _number(cuda.cuDriverGetVersion)
    return f"CUDA {number // 1000}.{number % 1000 // 10}" if number else None


def _gpu(cuda: Any, index: int) -> Device:
    device = ctypes.c_int()
    cuda.cuDeviceGet(ctypes.byref(device), index)
    major = _number(cuda.cuDeviceGetAttribute, _COMPUTE_CAPABILITY_MAJOR, device)
    minor = _number(cuda.cuDeviceGetAttribute, _COMPUTE_CAPABILITY_MINOR, device)
    name = ctypes.create_string_buffer(256)
    cuda.cuDeviceGetName(name, len(name), device)
    return Device(name.value.decode(errors="replace"), f"sm_{major}{minor}")


def _number(function: Callable[..., int], *rest: object) -> int:
    """Call a driver function that stores a number first; 0 when it fails."""
    result = ctypes.c_int()
    return result.value if function(ctypes.byref(result), *rest) == 0 else 0
