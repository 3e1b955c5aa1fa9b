"""The CPU device: the host's processor, started by the host plugin of the runtime.

Its header gives the words of the GPU's language meanings in C++, so that both devices share a device file. A device
file for another target serves the CPU device too, if the target's header can be read behind this one's.
"""

from __future__ import annotations

from dataclasses import replace

from rexcc.target.nvptx import NVPTX

CPU = replace(NVPTX, name="cpu", header="rex_host_device.h", image="so", tools=None)
