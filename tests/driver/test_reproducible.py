"""The same source gives the same bytes: by another command, and from another folder where its name is mapped."""

from __future__ import annotations

import os
from pathlib import Path

import fake
import pytest

import support
from rexcc.driver.tools import toolchain
from rexcc.target.known import DEFAULT


@pytest.mark.builds
def test_debug_information_does_not_depend_on_the_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders for temporary files have other names in each command; line tables name files, and hashes and
    dates of them."""
    support.require_runtime()
    target = "both" if toolchain.find_compiler(DEFAULT.tools, None, os.environ) else "host"
    made = []
    for name in ("one", "other"):
        folder, temporary = tmp_path / name, tmp_path / f"{name}.tmp"
        folder.mkdir()
        temporary.mkdir()
        (folder / "kernel.c").write_text(fake.KERNEL)
        (folder / "scale.h").write_text(fake.HEADER)
        for file in folder.iterdir():
            os.utime(file, (len(made) * 86400,) * 2)
        monkeypatch.setenv("TMPDIR", str(temporary))
        words = (f"--target={target}", "--offload-arch=sm_90", "-g", "-O1", f"-ffile-prefix-map={folder}=.", "-c")
        assert support.rexcc(folder, *words, "kernel.c", "-o", f"{name}.o") == 0
        made.append((folder / f"{name}.o").read_bytes())
    assert made[0] == made[1]
    assert str(tmp_path).encode() not in made[0] and b"rex_lib_kernel" in made[0]
