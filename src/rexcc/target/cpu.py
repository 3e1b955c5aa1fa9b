"""The CPU device: the host's processor, started by the host plugin of the runtime.

Its header gives the words of the GPU's language meanings in C++, so that both devices share a device file. A device
file for another target serves the CPU device too, if the target's header can be read behind this one's.
"""

from __future__ import annotations

from dataclasses import replace

from rexcc.target.cpu_tools import HostTools
from rexcc.target.model import Architectures, Capabilities, Traits
from rexcc.target.nvptx import NVPTX

CPU = replace(
    NVPTX,
    name="host",
    title="the CPU device",
    vendor="",
    triples=("x86_64", "aarch64", "powerpc64", "riscv64", "host"),
    language="C++",
    source="cpp",
    capabilities=Capabilities(links_units=True),
    architectures=Architectures(pattern="host", form="host", default="host"),
    traits=Traits(frozenset({"nohost", "cpu", "any"}), frozenset({"x86_64"}), frozenset({"sse", "sse2"})),
    entry_header="rex_host_device.h",
    image="so",
    tools=HostTools(),
)
