"""What a rewritten header includes: the files that the header itself finds, in its own folder first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import support

REGION = """#include "size.h"
static inline int f(void) {
  int r;
#pragma omp target map(from : r)
  r = SIZE;
  return r;
}
"""
MAIN = '#include "{name}"\nint main(void) {{ return f(); }}\n'


def copy_of(name: str, headers: Mapping[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the rewritten text of a header; clang looks for headers on disk."""
    monkeypatch.chdir(folder)
    for path, text in headers.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    found = support.compiled(MAIN.format(name=name), headers=headers)
    assert "#define SIZE 7" in found.device
    (text,) = found.headers.values()
    return text


@pytest.mark.parametrize("folder", ["inc", "a/b"])
def test_a_header_of_another_folder(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {f"{folder}/region.h": REGION, f"{folder}/size.h": "#define SIZE 7\n", "size.h": "#define SIZE 1\n"}
    assert f'#include "{folder}/size.h"\n' in copy_of(f"{folder}/region.h", headers, tmp_path, monkeypatch)


def test_a_header_of_the_same_folder_keeps_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {"region.h": REGION, "size.h": "#define SIZE 7\n"}
    assert '#include "size.h"\n' in copy_of("region.h", headers, tmp_path, monkeypatch)
