"""Names, folders and caches that are meant badly, or are only unusual; and signals in the middle of the work."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import fake
import pytest

import support
from rexcc.driver.caches import cache, cache_files
from rexcc.driver.commands import workspace
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.main import main
from rexcc.driver.options.parser import parse
from rexcc.source.file_names import safe_name
from rexcc.target.known import DEFAULT

HOST = "--target=host"


def rexcc(*arguments: str) -> int:
    return main([HOST, *arguments], fake.FakeCompiler())


@pytest.mark.parametrize("name", ["~ $(shell touch made)`touch made`#x;touch made'%b:|=", "-n"])
def test_a_makefile_takes_any_name(project: Path, name: str):
    folder = Path(f"{name} d")
    folder.mkdir()
    for source in ("prog.c", "kernel.c", "scale.h"):
        Path(source).rename(folder / source)
    (folder / "prog.c").rename(folder / f"{name}.c")
    own = f"./{name} d" if name.startswith("-") else f"{name} d"
    assert rexcc("--emit=src", f"{own}/{name}.c", f"{own}/kernel.c", f"-I{own}", "-DX=a#b", "-o", "out") == 0
    environment = {"PATH": os.environ["PATH"]}
    support.place_helper(Path("out"), environment)
    subprocess.run(["make", "-C", "out", "-s"], env=environment, check=True)
    program = next(p for p in Path("out").iterdir() if p.is_file() and os.access(p, os.X_OK) and p.suffix != ".so")
    assert subprocess.check_output([str(program.absolute())], text=True) == "2 198\n"
    assert not list(Path().rglob("made"))


def test_a_line_break_in_a_name_is_refused(project: Path, capsys: pytest.CaptureFixture[str]):
    Path("prog.c").rename("p\n\ttouch made.c")
    assert rexcc("--emit=src", "p\n\ttouch made.c", "-o", "out") == 2
    assert "line break" in capsys.readouterr().err


def test_headers_are_those_beside_the_users_file(project: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Not what lies around the private folder; where the user names a folder with another header, that is said."""
    for folder in ("src", "temporary", "out/kept"):
        Path(folder).mkdir(parents=True)
    text = Path("kernel.c").read_text()
    Path("src/kernel.c").write_text(text.replace('"scale.h"', '"../scale.h"'))
    for wrong in ("temporary/scale.h", "out/scale.h"):
        Path(wrong).write_text("#error another one\n")
    monkeypatch.setenv("TMPDIR", str(Path("temporary").absolute()))
    assert '"scale.h"' in text and rexcc("-c", "src/kernel.c") == 0
    assert rexcc("-c", "-save-temps=src", "src/kernel.c") == 0
    assert capsys.readouterr().err == "" and [p.name for p in Path("temporary").iterdir()] == ["scale.h"]
    for words in (("-c", "-save-temps=out/kept"), ("--emit=src", "-o", "out/kept")):
        assert rexcc(*words, "src/kernel.c") == 2
        assert capsys.readouterr().err == (
            "rexcc: error: 'src/kernel.c' includes \"../scale.h\", and the generated file would include "
            "'out/kept/../scale.h' instead; keep generated files in another folder\n"
        )
    assert rexcc("--emit=src", "-o", "src/kept", "src/kernel.c") == rexcc(
        "--emit=src", "-o", "src/kept", "src/kernel.c"
    )


def test_the_users_makefile_stays(project: Path, capsys: pytest.CaptureFixture[str]):
    Path("Makefile").write_text("all:\n")
    assert rexcc("--emit=src", "kernel.c", "-o", ".") == 2
    assert Path("Makefile").read_text() == "all:\n"
    assert "not a makefile of rexcc's" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("-c folder.c", "'folder.c' is a directory; name the files in it"),
        ("--emit=ast folder.c", "'folder.c' is a directory; name the files in it"),
        ("-c missing.c", "no such file: 'missing.c'"),
        ("--emit=src -o prog.c kernel.c", "'prog.c' is a file; name a folder for what is generated"),
        ("--emit=src -o taken kernel.c", "'taken/rex_runtime' is a file; name a folder for what is generated"),
        ("--emit=report -o out --profile=none.json kernel.c", "--profile: cannot read 'none.json': No such file"),
        ("--host-compiler=no-such-compiler kernel.c", "host compiler 'no-such-compiler' not found; 'rexcc doctor'"),
        ("--host-compiler=sort kernel.c", "'sort' is no host compiler: it does not print its macros"),
        ("--explain nonsense-of-mine", "no error or warning has the code 'nonsense-of-mine'; --explain all shows them"),
    ],
)
def test_what_is_named_and_is_not_what_is_wanted(project: Path, line: str, told: str, capsys) -> None:
    Path("folder.c").mkdir()
    Path("taken").mkdir()
    Path("taken/rex_runtime").touch()
    assert rexcc(*line.split()) != 0
    assert told in capsys.readouterr().err


def test_names_of_generated_files_are_plain_and_differ():
    assert safe_name("rose-1.2_x") == "rose-1.2_x"
    names = {safe_name(name) for name in ("a b.c", "a;b.c", "a_b.c", "a b", "\udcff.c")}
    assert len(names) == 5
    assert all(name.isascii() and set(name).isdisjoint(" ;$'") for name in names)


@pytest.mark.parametrize("line", [("-c", "kernel.c", "-o", "kernel.c"), ("-c", "kernel.c", "-o", "./link.c"),
                                  ("-E", "kernel.c", "-o", "kernel.c"), ("-c", "kernel.c", "-MD", "-MF", "kernel.c"),
                                  ("-S", "kernel.c", "-o", "hard.c")])  # fmt: skip
def test_an_input_is_no_output(project: Path, line: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    before = Path("kernel.c").read_text()
    Path("link.c").symlink_to("kernel.c")
    Path("hard.c").hardlink_to("kernel.c")
    assert rexcc(*line) == 2
    assert "is the input" in capsys.readouterr().err
    assert Path("kernel.c").read_text() == before


def test_no_output_is_fine(project: Path):
    assert rexcc("prog.c", "kernel.c", "-o", "/dev/null") == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("kind", ["pipe", "link", "file", "others"])
def test_what_lies_in_the_place_of_a_work_folder_is_left_alone(tmp_path: Path, kind: str):
    place, target = tmp_path / "place", tmp_path / "target"
    target.mkdir()
    (target / "precious").touch()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "link":
        place.symlink_to(target)
    elif kind == "file":
        place.touch()
    else:
        place.mkdir()
        place.chmod(0o777)
    assert workspace.take(str(place)) is None
    assert (target / "precious").exists()


def test_a_work_folder_is_one_commands(tmp_path: Path):
    place = tmp_path / "place"
    first = workspace.take(str(place))
    assert first is not None
    assert workspace.take(str(place)) is None
    os.mkfifo(place / "process")
    (place / "link").symlink_to(tmp_path)
    (place / "inner").mkdir()
    os.close(first)
    second = workspace.take(str(place))
    assert second is not None
    assert not list(place.iterdir())
    os.close(second)
    assert tmp_path.exists()


def _kept(tmp_path: Path) -> Path:
    archive = tmp_path / "librexcc.a"
    archive.write_bytes(b"archive")
    place = cache.folder()
    assert place
    place = place / "hash" / "librexcc.a"
    cache.keep([Outcome(Command(Stage.HELPER, ("ar",), (), str(archive)), 0, b"", b"")], place)
    return place


def test_a_private_folder_goes_with_all_that_is_in_it(project: Path, tmp_path: Path):
    Path("kept").mkdir()
    with workspace.open_workspace(parse(["-c", "kernel.c"])) as private:
        inside = Path(private.folder)
        (inside / "below" / "deep").mkdir(parents=True)
        (inside / "below" / "deep" / "file").touch()
        (inside / "link").symlink_to(Path("kept").absolute())
        (inside / "broken").symlink_to("nowhere")
        assert inside.is_relative_to(tmp_path / "tmp")
    assert not list((tmp_path / "tmp").iterdir())
    assert Path("kept").is_dir()


def test_an_archive_is_used_while_nobody_else_can_have_changed_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = _kept(tmp_path)
    assert cache_files.is_intact(place)
    for path, mode in ((place, 0o666), (place.parent, 0o777), (place.parent.parent, 0o777)):
        old = path.stat().st_mode
        path.chmod(mode)
        assert not cache_files.is_intact(place)
        path.chmod(old)
    assert cache_files.is_intact(place)
    place.write_bytes(b"arch")
    assert not cache_files.is_intact(place)
    place.unlink()
    os.mkfifo(place)
    assert not cache_files.is_intact(place)
    assert cache_files.is_intact(_kept(tmp_path))


def test_nonsense_about_the_gpus_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache.native_architectures(DEFAULT, lambda: ("sm_90",)) == ("sm_90",)
    folder = cache.folder()
    assert folder
    next(folder.glob("gpus-*")).write_bytes(b"sm_90 -o\xff")
    assert cache.native_architectures(DEFAULT, lambda: ("sm_80",)) == ("sm_80",)


@pytest.mark.parametrize(("base", "home"), [("relative", "also"), ("", "")])
def test_relative_folders_are_no_cache(monkeypatch: pytest.MonkeyPatch, base: str, home: str):
    monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.setenv("HOME", home)
    assert cache.folder() is None
    assert cache.native_architectures(DEFAULT, lambda: ("sm_90",)) == ("sm_90",)


@pytest.mark.parametrize("line", ["-c kernel.c", "-c -fno-openmp kernel.c"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_compilers_and_takes_temporary_files_along(project: Path, line: str, number: signal.Signals):
    """The compiler is a script that starts another process, as drivers of compilers do; it takes longer than the test
    waits. Where it is not the whole command, it leaves a file, as nvcc does."""
    slow = Path("slow/clang-19")
    slow.parent.mkdir()
    slow.write_text(
        '#!/bin/sh\ncase " $* " in *" -c "*) ;; *) exec "${0##*/}" "$@" ;; esac\n'
        f"{'' if '-fno-openmp' in line else 'mktemp'}\nsleep {3 * support.PATIENCE} & echo $! > pid; wait\n"
    )
    slow.chmod(0o755)
    slow.with_name("clang++-19").symlink_to("clang-19")
    command = [sys.executable, "-m", "rexcc", HOST, f"--host-compiler={slow.absolute()}", *shlex.split(line)]

    def hear() -> None:  # the suite itself may run where signals are ignored, as under nohup
        signal.signal(number, signal.SIG_DFL)

    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=hear)
    deadline = time.monotonic() + support.PATIENCE
    while not (Path("pid").exists() and Path("pid").read_text().strip()) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    assert process.wait(support.PATIENCE) == 128 + number
    child = Path(f"/proc/{Path('pid').read_text().strip()}/cmdline")
    deadline = time.monotonic() + support.PATIENCE
    while child.exists() and child.read_bytes() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not child.exists() or not child.read_bytes()
    assert not list(Path(os.environ["TMPDIR"]).iterdir())


def test_compilers_have_a_folder_for_temporary_files(project: Path, monkeypatch: pytest.MonkeyPatch):
    """The user's may not be there. What they get is the command's own, and is removed with it."""
    told = Path("told/clang-19")
    told.parent.mkdir()
    told.write_text('#!/bin/sh\necho "$TMPDIR" >> used\nmktemp > /dev/null\nexec "${0##*/}" "$@"\n')
    told.chmod(0o755)
    told.with_name("clang++-19").symlink_to("clang-19")
    monkeypatch.setenv("TMPDIR", str(project / "nowhere"))
    assert main([HOST, f"--host-compiler={told.absolute()}", "-c", "kernel.c"]) == 0
    (used,) = {*Path("used").read_text().split()} - {str(project / "nowhere")}
    assert not Path(used).exists()
    assert os.environ["TMPDIR"] == str(project / "nowhere")
