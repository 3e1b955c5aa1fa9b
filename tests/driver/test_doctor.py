"""``rexcc doctor``."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.driver.main import main
from rexcc.driver.tools import doctor, omp_runtimes, packages, toolchain
from rexcc.driver.tools.packages import Means
from rexcc.driver.tools.toolchain import MissingToolError, OpenMPRuntime
from rexcc.target.commands import HostCompiler
from rexcc.target.tools import Device, DeviceReport, ToolChain


def states() -> dict[str, str]:
    return {finding.part: finding.state for finding in doctor.examine()}


def test_this_machine(capfd: pytest.CaptureFixture[str]):
    assert main(["doctor"]) == 0
    text = capfd.readouterr().out
    assert "[ok]      Python" in text
    assert text.endswith("rexcc is ready.\n")


def test_what_is_missing_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    def none(wish: str | None) -> HostCompiler:
        raise MissingToolError("none")

    monkeypatch.setattr(toolchain, "find_host_compiler", none)
    monkeypatch.setattr(omp_runtimes, "find_runtimes", lambda host, environment: [])
    monkeypatch.setattr(toolchain, "find_compiler", lambda tools, wish, environment: None)
    monkeypatch.setattr(packages, "means", lambda environment: Means("apt-get", is_root=True))
    assert main(["doctor"]) == 1
    text = capfd.readouterr().out
    assert "-> apt-get install g++\n" in text
    assert "-> apt-get install libomp-19-dev\n" in text
    assert "pip install 'rexcc[cuda]'" in text
    assert text.endswith("rexcc cannot compile yet: C compiler, OpenMP runtime\n")


def test_gpus(monkeypatch: pytest.MonkeyPatch):
    report = DeviceReport((Device("H200", "sm_90"),), "CUDA 13.0")

    def find(tools: ToolChain) -> DeviceReport:
        return report

    monkeypatch.setattr("rexcc.driver.tools.toolchain.find_devices", find)
    assert states()["GPU"] == "ok" and states()["NVIDIA driver"] == "ok"
    report = DeviceReport(problem="no driver")
    assert states()["GPU"] == "without"


def test_a_runtime_that_cannot_be_loaded_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "libomp.so").write_text("no library")
    found = OpenMPRuntime(str(tmp_path), str(tmp_path / "libomptarget.so"), str(tmp_path / "libomp.so"), 19)
    monkeypatch.setattr(omp_runtimes, "find_runtimes", lambda host, environment: [found])
    (finding,) = (finding for finding in doctor.examine() if finding.part == "OpenMP runtime")
    assert finding.state == "missing"
    assert f"programs cannot load it: {tmp_path}/libomp.so: file too short" in finding.detail
    assert "LD_LIBRARY_PATH" in finding.remedy


def test_install_gives_the_command_that_brings_the_runtime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    pip = tmp_path / "pip"
    pip.write_text(f'#!/bin/sh\necho "$*" > {tmp_path}/given\nexit ${{STATUS-0}}\n')
    pip.chmod(0o755)
    means = Means("apt-get", pip=(str(pip),), folder="/home/me/.local/share/rexcc")
    monkeypatch.setattr(packages, "means", lambda environment: means)
    monkeypatch.setattr(omp_runtimes, "find_runtimes", lambda host, environment: [])
    assert main(["doctor", "--install"]) == 1  # still missing: this pip brings nothing
    wanted = f"install --no-deps --target /home/me/.local/share/rexcc {packages.RUNTIME_WHEEL}\n"
    assert (tmp_path / "given").read_text() == wanted
    assert capfd.readouterr().out.startswith(f"{pip} {wanted}")
    monkeypatch.setenv("STATUS", "1")
    assert main(["doctor", "--install"]) == 1
    assert capfd.readouterr().err == f"rexcc: error: pip has failed; {pip} {wanted}"
    assert main(["doctor", "--instal"]) == 2
    assert "rexcc doctor takes --install or nothing" in capfd.readouterr().err
    monkeypatch.setattr(packages, "means", lambda environment: Means("dnf"))
    assert main(["doctor", "--install"]) == 1
    assert "nothing for this machine is on PyPI; dnf install libomp   (as root)" in capfd.readouterr().err
