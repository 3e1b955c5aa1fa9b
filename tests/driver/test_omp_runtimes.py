"""LLVM's OpenMP runtimes: found in folders made up for it, and chosen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rexcc.driver.tools import doctor, omp_runtimes, runtime_places
from rexcc.driver.tools.toolchain import MissingToolError, OpenMPRuntime


def llvm(folder: Path, version: str, *, omp: bool = True) -> None:
    folder.mkdir(parents=True)
    (folder / f"libomptarget.so.{version}").touch()
    (folder / "libomptarget.so").symlink_to(f"libomptarget.so.{version}")
    if omp:
        (folder / "libomp.so").touch()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with several versions, of which one has its libomp elsewhere, as Debian's LLVM 22."""
    for version in ("14.0", "18.1", "19.1", "23.1"):
        llvm(tmp_path / f"llvm-{version[:2]}" / "lib", version)
    llvm(tmp_path / "llvm-22" / "lib", "22.1", omp=False)
    common = tmp_path / "x86_64-linux-gnu"
    common.mkdir()
    (common / "libomptarget.so.22.1").symlink_to("../llvm-22/lib/libomptarget.so.22.1")
    (common / "libomp.so.5").touch()
    folders = [*sorted(tmp_path.glob("llvm-*/lib")), tmp_path]
    monkeypatch.setattr(omp_runtimes, "_usual_folders", lambda host, environment: folders)
    return tmp_path


def versions(found: list[OpenMPRuntime]) -> list[int]:
    return [runtime.version for runtime in found]


def test_the_preferred_version_comes_first_then_the_newest_and_what_is_not_known_last(machine: Path):
    assert versions(omp_runtimes.find_runtimes(None, {})) == [19, 22, 18, 23]


def test_what_programs_would_load_comes_before_all_others(machine: Path):
    named = {"LD_LIBRARY_PATH": f"/nowhere:{machine}/llvm-22/lib"}
    assert versions(omp_runtimes.find_runtimes(None, named)) == [22, 19, 18, 23]


def test_a_libomp_in_the_folder_of_the_machines_libraries_belongs_to_the_version_beside(machine: Path):
    found = omp_runtimes.find_runtime(None, {}, "22")
    assert found == OpenMPRuntime(
        str(machine / "llvm-22/lib"),
        str(machine / "llvm-22/lib/libomptarget.so"),
        str(machine / "x86_64-linux-gnu/libomp.so.5"),
        22,
    )
    assert found.folders == (str(machine / "llvm-22/lib"), str(machine / "x86_64-linux-gnu"))


def test_a_runtime_with_its_own_libomp_takes_no_other(machine: Path):
    found = omp_runtimes.find_runtime(None, {})
    assert found
    assert (found.version, found.folders) == (19, (str(machine / "llvm-19/lib"),))


@pytest.mark.parametrize(
    "named", ["", "llvm-22/lib", "llvm-23/lib", "llvm-18/lib:llvm-19/lib", "llvm-23/lib:llvm-18/lib"]
)
def test_the_runtime_that_is_taken_is_the_first_known_one_of_all(machine: Path, named: str):
    environment = {"LD_LIBRARY_PATH": ":".join(f"{machine}/{name}" for name in named.split(":"))} if named else {}
    every = omp_runtimes.find_runtimes(None, environment)
    assert omp_runtimes.find_runtime(None, environment) == next(runtime for runtime in every if runtime.is_known)


def test_places_behind_the_preferred_version_are_not_looked_at(machine: Path, monkeypatch: pytest.MonkeyPatch):
    places = [machine / "llvm-18/lib", machine / "llvm-19/lib"]

    def folders(*_: object) -> Iterator[Path]:
        yield from places
        raise AssertionError("looked further")

    monkeypatch.setattr(omp_runtimes, "_usual_folders", folders)
    found = omp_runtimes.find_runtime(None, {})
    assert found and found.version == 19


def test_a_runtime_needs_both_libraries(tmp_path: Path):
    llvm(tmp_path / "lib", "19.1", omp=False)
    assert str(tmp_path) not in str(omp_runtimes.find_runtimes(None, {"LD_LIBRARY_PATH": str(tmp_path / "lib")}))


@pytest.mark.parametrize("wish", ["llvm-18", "llvm-18/lib", "llvm-18/lib/libomptarget.so", "18"])
def test_a_runtime_is_chosen_by_version_installation_folder_or_library(machine: Path, wish: str):
    found = omp_runtimes.find_runtime(None, {}, wish if wish.isdecimal() else str(machine / wish))
    assert found
    assert found.version == 18


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("21", "no OpenMP runtime of LLVM 21 found (--omp-runtime); here are: 19, 22, 18, 23"),
        ("/nowhere", "no libomptarget with its libomp in '/nowhere' (--omp-runtime)"),
        ("23", "--omp-runtime=23 is LLVM 23's runtime; rexcc knows the binary interfaces of LLVM 17 to 22"),
        ("llvm-14", "--omp-runtime={} is LLVM 14's runtime; rexcc knows the binary interfaces of LLVM 17 to 22"),
    ],
)
def test_a_wish_that_cannot_be_fulfilled_is_an_error(machine: Path, wish: str, message: str):
    wish = str(machine / wish) if wish.startswith("llvm") else wish
    with pytest.raises(MissingToolError) as raised:
        omp_runtimes.find_runtime(None, {}, wish)
    assert str(raised.value) == message.format(wish)


def test_a_version_that_is_not_known_is_never_taken_without_being_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    llvm(tmp_path / "lib", "23.1")
    monkeypatch.setattr(omp_runtimes, "_usual_folders", lambda host, environment: [tmp_path / "lib"])
    assert omp_runtimes.find_runtime(None, {}) is None


def test_doctor_lists_all_with_what_chooses_them(machine: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.setattr(doctor, "_loading_problem", lambda runtime: "")
    llvm(machine / "llvm-19b" / "lib", "19.1")
    folders = [*sorted(machine.glob("llvm-*/lib")), machine]
    monkeypatch.setattr(omp_runtimes, "_usual_folders", lambda host, environment: folders)
    told = [(f.state, f.detail.replace(str(machine), "M")) for f in doctor.examine() if f.part == "OpenMP runtime"]
    assert told == [
        ("ok", "LLVM 19  M/llvm-19/lib/libomptarget.so"),
        ("ok", "LLVM 19  M/llvm-19b/lib/libomptarget.so  (--omp-runtime=M/llvm-19b/lib)"),
        ("ok", "LLVM 22  M/llvm-22/lib/libomptarget.so, M/x86_64-linux-gnu/libomp.so.5  (--omp-runtime=22)"),
        ("ok", "LLVM 18  M/llvm-18/lib/libomptarget.so  (--omp-runtime=18)"),
        ("without", "LLVM 23  M/llvm-23/lib/libomptarget.so: later than 22, whose binary interface rexcc knows"),
    ]


LAYOUTS = {
    "usr/lib/llvm-19/lib": 19,  # Debian, Ubuntu
    "usr/lib/llvm-18/lib/x86_64-unknown-linux-gnu": 18,  # built with a folder for each target
    "usr/lib64/llvm19/lib64": 19,  # Fedora, RHEL
    "usr/lib64": 20,
    "usr/lib": 21,  # Arch
    "usr/lib/llvm/19/lib64": 19,  # Gentoo
    "usr/local/lib64": 22,
    "usr/local/lib": 22,
}


@pytest.mark.parametrize(("folder", "version"), LAYOUTS.items())
def test_layouts_of_distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, version: int):
    """On a machine, in packages unpacked in the user's folder, and below a folder that is named."""
    for root in (tmp_path, tmp_path / "home/.local/share/rexcc"):
        llvm(root / folder, f"{version}.1")
    assert versions(list(omp_runtimes._runtimes_in(runtime_places.folders_below(tmp_path)))) == [version]
    below = runtime_places.folders_below
    monkeypatch.setattr(omp_runtimes, "folders_below", lambda root: below(tmp_path if str(root) == "/" else root))
    monkeypatch.setattr("sys.path", [])
    (found,) = omp_runtimes.find_runtimes(None, {"HOME": str(tmp_path / "home")})[:1]
    assert (found.folder, found.version) == (str(tmp_path / folder), version)
    named = omp_runtimes.find_runtime(None, {}, str(tmp_path))
    assert named and named.folder == str(tmp_path / folder)


def test_rpm_has_only_the_name_with_the_version(tmp_path: Path):
    folder = tmp_path / "usr/lib64"
    llvm(folder, "20.1")
    (folder / "libomptarget.so").unlink()  # that is in a package for developers
    found = omp_runtimes.find_runtime(None, {}, str(tmp_path))
    assert found and found.omptarget == str(folder / "libomptarget.so.20.1")


@pytest.mark.parametrize("where", ["packages", "data", "home"])
def test_a_package_of_pypi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str):
    """Beside rexcc, or where ``rexcc doctor --install`` puts it."""
    bases = {"packages": "site", "data": "xdg/rexcc", "home": "home/.local/share/rexcc"}
    folder = tmp_path / bases[where] / runtime_places.WHEEL_FOLDERS[0]
    llvm(folder, "22.1")
    monkeypatch.setattr("sys.path", ["", str(tmp_path / "site")])
    monkeypatch.setattr(omp_runtimes, "folders_below", lambda root: iter([]))
    own = {"XDG_DATA_HOME": str(tmp_path / "xdg") if where == "data" else "relative", "HOME": str(tmp_path / "home")}
    found = omp_runtimes.find_runtime(None, own)
    assert found and (found.folder, found.version) == (str(folder), 22)
