"""Programs and temporary folders are found as the standard library finds them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from rexcc.driver.commands.workspace import open_workspace
from rexcc.driver.options.parser import parse
from rexcc.driver.tools.programs import temporary_folder, which


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, mode in (("one/plain", 0o644), ("two/plain", 0o755), ("two/other", 0o755)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        path.chmod(mode)
    (tmp_path / "one" / "other").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path}/one:{tmp_path}/two:two")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["plain", "other", "none", "two/plain", "one/plain", "one", "./two/other", "/none"])
def test_programs_are_those_that_the_library_finds(programs: Path, name: str) -> None:
    assert which(name) == shutil.which(name)
    for path in ("", "two", f"{programs}/one", f"{programs}/two"):
        assert which(name, path=path) == shutil.which(name, path=path)


def test_an_empty_path_has_no_programs(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert which("plain") is None


@pytest.mark.parametrize("value", ["{}/two", "{}/none", "two", "{}/two/plain", ""])
@pytest.mark.parametrize("name", ["TMPDIR", "TEMP", "TMP"])
def test_temporary_files_lie_where_the_library_puts_them(
    programs: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    for each in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, value.format(programs))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert Path(temporary_folder()).samefile(tempfile.gettempdir())


def test_a_private_folder_goes_with_all_that_is_in_it(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(programs / "two"))
    (programs / "kept").mkdir()
    with open_workspace(parse(["-c", "kernel.c"])) as workspace:
        inside = Path(workspace.folder)
        (inside / "below" / "deep").mkdir(parents=True)
        (inside / "below" / "deep" / "file").touch()
        (inside / "link").symlink_to(programs / "kept")
        (inside / "broken").symlink_to("nowhere")
    assert sorted(path.name for path in (programs / "two").iterdir()) == ["other", "plain"]
    assert (programs / "kept").is_dir()
