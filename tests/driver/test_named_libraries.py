"""Links without the standard libraries: the runtime comes only where there are regions."""

from __future__ import annotations

import subprocess
from pathlib import Path

import fake
import pytest

from rexcc.driver.link.named_libraries import with_needed_runtime
from rexcc.driver.main import main
from rexcc.driver.options.parser import parse

ALONE = "int helper(int x) { return x + 1; }\n"
WAYS = ("-Wl,-static", "-Wl,--relocatable", "-Wl,--oformat=binary", "-Wl,--whole-archive")


@pytest.mark.builds
@pytest.mark.parametrize("way", WAYS)
def test_code_for_no_system_is_linked_as_the_user_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """libomptarget cannot be linked in such ways; with all of its archives taken whole, the runtime is not complete."""
    monkeypatch.chdir(tmp_path)
    Path("alone.c").write_text(ALONE)
    assert main(["-nostdlib", "-no-pie", "-Wl,-e,helper", way, "alone.c", "-o", "alone"], fake.FakeCompiler()) == 0


@pytest.mark.builds
@pytest.mark.parametrize(
    ("words", "has_runtime"),
    [
        ("alone.o", False),
        ("alone.o regions.o", True),
        ("alone.o libregions.a", True),
        ("alone.o -Wl,--whole-archive,libregions.a,--no-whole-archive", True),
        ("alone.o -L. -lregions", True),
        ("alone.o -L . -l regions", True),
        ("alone.o -lregions", False),
        ("missing.o -Lmissing -lmissing", False),
    ],
)
def test_where_regions_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, has_runtime: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("alone", ALONE),
        ("regions", "void rex_offload_init(void); void f(void) { rex_offload_init(); }"),
    ):
        Path(f"{name}.c").write_text(text)
        subprocess.run(["cc", "-c", f"{name}.c"], check=True)
    subprocess.run(["ar", "rcs", "libregions.a", "regions.o"], check=True)
    assert with_needed_runtime(parse(["-nostdlib", *words.split()]), ()).runtime_libraries is has_runtime
    assert with_needed_runtime(parse(words.split()), ()).runtime_libraries
