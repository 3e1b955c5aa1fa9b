"""The rewritten ELF header, in Python and in the shell."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from rexcc.target.commands import NotAnImageError
from rexcc.target.nvptx_image import shell_commands, with_old_header


def new_cubin(body: bytes = b"kernels") -> bytes:
    """A header as CUDA 13 writes it, and something behind it."""
    header = bytearray(64)
    header[:9] = b"\x7fELF\x02\x01\x01\x41\x08"
    struct.pack_into("<HHI", header, 16, 2, 190, 1)
    struct.pack_into("<I", header, 48, 0x6005A02)
    return bytes(header) + body


@pytest.mark.parametrize(
    ("architecture", "flags"),
    [("sm_90", 0x5A055A), ("sm_80", 0x500550), ("sm_120", 0x780578), ("sm_90a", 0x5A0D5A)],
)
def test_three_fields_change_and_nothing_else(architecture: str, flags: int):
    old, new = with_old_header(new_cubin(), architecture), new_cubin()
    assert old[7:9] == b"\x33\x07"
    assert struct.unpack_from("<I", old, 48)[0] == flags
    assert old[:7] + old[9:48] + old[52:] == new[:7] + new[9:48] + new[52:]


def test_twice_is_once():
    once = with_old_header(new_cubin(), "sm_90")
    assert with_old_header(once, "sm_90") == once


@pytest.mark.parametrize("data", [b"", b"\x7fELF\x02", b"#!/bin/sh\n" * 10, new_cubin()[:16] + bytes(48)])
def test_anything_else_is_refused(data: bytes):
    with pytest.raises(NotAnImageError):
        with_old_header(data, "sm_90")


def test_the_shell_does_the_same(tmp_path: Path):
    file = tmp_path / "it's.cubin"
    file.write_bytes(new_cubin())
    quoted = '"$FILE"'
    script = " && ".join(shell_commands(quoted, "sm_90"))
    subprocess.run(["sh", "-c", script], check=True, env={"FILE": str(file), "PATH": "/usr/bin:/bin"})
    assert file.read_bytes() == with_old_header(new_cubin(), "sm_90")
