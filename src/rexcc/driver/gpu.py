"""The devices of this machine, asked through the library of their driver.

In: a tool chain, which knows how to ask. Out: names and architectures, or why there are none.
"""

from __future__ import annotations

import ctypes

from rexcc.target.tools import DeviceReport, ToolChain


def find_devices(tools: ToolChain) -> DeviceReport:
    """Return the devices that a tool chain's driver offers."""
    return tools.devices(ctypes.CDLL)


def native_architectures(tools: ToolChain) -> tuple[str, ...]:
    """Return the architectures of this machine's devices, each once."""
    return tuple(dict.fromkeys(device.architecture for device in find_devices(tools).devices))
