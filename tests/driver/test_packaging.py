"""The recipes of ``packaging``: read as their tools do, and beside what the project itself says it needs."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rexcc import __version__
from rexcc.target.llvm_abi import NEWEST, OLDEST, PREFERRED

TOP = Path(__file__).resolve().parents[2]
RECIPE = TOP / "packaging/spack_repo/rexcc/packages/rexcc/package.py"


def project(pattern: str) -> str:
    """What stands in pyproject.toml."""
    found = re.search(pattern, (TOP / "pyproject.toml").read_text())
    assert found
    return found[1]


class Environment:
    """What Spack gives a package to describe the environment of its users."""

    def __init__(self) -> None:
        self.told: dict[str, str] = {}

    def set(self, name: str, value: str) -> None:
        self.told[name] = value

    def prepend_path(self, name: str, value: str) -> None:
        self.told[name] = f"{value}:…"


class Spec(dict[str, Any]):
    """A package with its variants and dependencies."""

    def satisfies(self, wish: str) -> bool:
        return wish.removeprefix("+") in self


def with_prefix(prefix: str) -> Any:
    spec = Spec()
    vars(spec)["prefix"] = prefix
    return spec


def test_spack(monkeypatch: pytest.MonkeyPatch):
    """The recipe is executed with directives that note what they get."""
    given: list[tuple[str, str, dict[str, Any]]] = []
    spack = ModuleType("spack.package")
    spack.__all__ = ["license", "version", "variant", "depends_on"]  # type: ignore[attr-defined]
    for name in spack.__all__:
        setattr(spack, name, lambda what, name=name, **more: given.append((name, what, more)))
    python = ModuleType("python")
    python.PythonPackage = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spack.package", spack)
    monkeypatch.setitem(sys.modules, "spack", ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack_repo.builtin.build_systems.python", python)
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    names: dict[str, Any] = {}
    exec(compile(RECIPE.read_text(), RECIPE, "exec"), names)
    wanted = {what for name, what, _ in given if name == "depends_on"}
    assert wanted == {
        "python@" + project(r'requires-python = ">=([\d.]+)"') + ":",
        "py-setuptools@" + project(r"setuptools>=(\d+)") + ":",
        "py-libclang@" + project(r"libclang==([\d.]+)"),
        f"llvm@{OLDEST}:{NEWEST} +clang +libomptarget",
        "cuda@12:",
    }
    assert [what for name, what, _ in given if name == "version"] == [__version__]
    assert [more["when"] for _, what, more in given if what == "cuda@12:"] == ["+cuda"]
    package = names["Rexcc"]()
    package.prefix, package.spec = "/rexcc", Spec(cuda=with_prefix("/cuda"))
    environment = Environment()
    package.setup_run_environment(environment)
    assert environment.told == {"CMAKE_PREFIX_PATH": "/rexcc:…", "CUDA_HOME": "/cuda"}
    assert f"rexcc@{__version__}" in RECIPE.read_text()


def test_the_folder_of_spacks_repository_is_named_as_its_kind_wants():
    text = (RECIPE.parents[2] / "repo.yaml").read_text()
    assert re.search(r"api: v2\.\d", text)
    assert f"namespace: {RECIPE.parents[2].name}\n" in text
    assert RECIPE.parents[3].name == "spack_repo"


def test_container_has_the_packages_that_setup_installs():
    text = (TOP / "packaging/Containerfile").read_text().replace("\\\n", " ")
    assert re.findall(r"^(\w+)", text, re.MULTILINE)[:2] == ["ARG", "FROM"]
    (packages,) = re.findall(r"--no-install-recommends ([^&]*)&&", text)
    assert {"g++", "make", "python3-venv", f"libomp-{PREFERRED}-dev"} <= set(packages.split())
    setup = (TOP / "scripts/setup").read_text()
    assert not [name for name in packages.split() if name not in setup]
    assert "[cuda]" in text and re.search(r"^cuda = \[", (TOP / "pyproject.toml").read_text(), re.MULTILINE)
