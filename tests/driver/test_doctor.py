"""``rexcc doctor``."""

from __future__ import annotations

import pytest

from rexcc.driver import doctor, omp_runtimes, toolchain
from rexcc.driver.main import main
from rexcc.driver.toolchain import MissingToolError
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
    assert main(["doctor"]) == 1
    text = capfd.readouterr().out
    assert "apt-get install clang-19" in text
    assert "apt-get install libomp-19-dev" in text
    assert "pip install 'rexcc[cuda]'" in text
    assert text.endswith("rexcc cannot compile yet: C compiler, OpenMP runtime\n")


def test_gpus(monkeypatch: pytest.MonkeyPatch):
    report = DeviceReport((Device("H200", "sm_90"),), "CUDA 13.0")

    def find(tools: ToolChain) -> DeviceReport:
        return report

    monkeypatch.setattr("rexcc.driver.toolchain.find_devices", find)
    assert states()["GPU"] == "ok" and states()["NVIDIA driver"] == "ok"
    report = DeviceReport(problem="no driver")
    assert states()["GPU"] == "without"
