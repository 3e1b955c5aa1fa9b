"""Images of kernels that an earlier command has compiled: taken where compiling would give the same, and nowhere else.

The compiler is a script with the ways of nvcc: it lists what it reads, and an image is all that it has read.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import fake
import pytest

import support
from rexcc.driver.caches import image_cache, included_files, known_files
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import Outcome, run_plan
from rexcc.driver.options.parser import parse
from rexcc.driver.tools.toolchain import LINKER
from rexcc.source.records import replace
from rexcc.target.nvptx import NVPTX
from rexcc.target.nvptx_image import OldHeader
from rexcc.target.nvptx_inputs import listing, tools_behind

NVCC = """#!/bin/sh
top=$(dirname "$0")/..
echo "$*" >> "$top/starts"
while [ $# -gt 1 ]; do
  case $1 in
    -Xcompiler) list=${2#-MD,-MF,}; shift;;
    -o) output=$2; shift;;
    *) source=$1;;
  esac
  shift
done
headers=
for name in $(sed -n 's/^#include "\\(.*\\)"$/\\1/p' "$source"); do [ ! -e $name ] || headers="$headers $name"; done
[ -z "$list" ] || echo "x.o: $source $top/bin/../include/cuda_runtime.h" $headers > "$list"
[ ! -e "$top/slow" ] || . "$top/slow"
{ printf '\\177ELF\\002\\001%012d\\276\\000%044d' 0 0; cat "$source" $headers; } > "$output"
[ ! -e "$top/says" ] || cat "$top/says" >&2
[ ! -e "$top/fails" ]
"""
TOOLS = ("bin/nvcc.profile", "bin/ptxas", "nvvm/bin/cicc", "nvvm/libdevice/libdevice.10.bc", "include/cuda_runtime.h")
WORDS = ("-cubin", "-arch=sm_90", "-O2", "-std=c++17")


class Place:
    """A folder with a device file, headers and a CUDA of scripts, and commands that compile the file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cuda = folder, folder / "cuda"
        for name in TOOLS:
            self.write(f"cuda/{name}", name)
        for name in ("nvcc", "stand-in"):
            self.write(f"cuda/bin/{name}", NVCC).chmod(0o755)
        self.write("bin/gcc", "#!/bin/sh\n").chmod(0o755)
        self.write("include/a.h", "int a;\n")
        self.write("k.cu", '#include "include/a.h"\nint k;\n')
        (folder / "temporary").mkdir()
        self.options = parse(["-c", "t.c"])
        self.age()

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def age(self) -> None:
        """Wait until what was written now is older than what starts."""
        time.sleep(included_files._CLOCK / 1e9 + 0.005)

    def command(self, *words: str, output: str = "k.cubin") -> Command:
        argv = (str(self.cuda / "bin/stand-in"), *(words or WORDS), "k.cu", "-o", output)
        return Command(Stage.IMAGE, argv, ("k.cu",), output, "t.c", target=NVPTX)

    def outcomes(self, *commands: Command) -> list[Outcome]:
        """Run commands as a build does."""
        found = image_cache.look_up(self.options, commands, "temporary")
        return image_cache.keep(found, run_plan(found.left) if found.left else [])

    def starts(self) -> int:
        """Return how often the compiler was started."""
        told = self.cuda / "starts"
        return len(told.read_text().splitlines()) if told.exists() else 0

    def compiles(self, *words: str) -> bool:
        """Whether the compiler is started for the image, which has to be what it would make."""
        before = self.starts()
        (outcome,) = self.outcomes(self.command(*words))
        assert outcome.command == self.command(*words) and outcome.status == 0
        made, is_new = Path("k.cubin").read_bytes(), self.starts() > before
        (anew,) = run_plan([self.command(*words)])
        assert made == Path("k.cubin").read_bytes() and (outcome.stdout, outcome.stderr) == (anew.stdout, anew.stderr)
        return is_new


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("REXCC_CACHE")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(included_files, "_environment", bytes)  # as if the compiler were no script
    return Place(tmp_path)


def test_an_image_is_compiled_once(place: Place) -> None:
    assert [place.compiles() for _ in range(3)] == [True, False, False]
    (entry,) = (place.folder / "cache/rexcc/images").iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    Path("include/a.h").touch()
    assert not place.compiles(), "what a file has counts, and not when it was written"


def test_another_output_is_the_same_image(place: Place) -> None:
    first, second = place.command(), place.command(output="other.cubin")
    place.outcomes(first)
    place.outcomes(second)
    assert place.starts() == 1 and Path("k.cubin").read_bytes() == Path("other.cubin").read_bytes()


CHANGES: dict[str, Callable[[Place, pytest.MonkeyPatch], object]] = {
    "the device text": lambda place, _: place.write("k.cu", '#include "include/a.h"\nint l;\n'),
    "a header": lambda place, _: place.write("include/a.h", "int b;\n"),
    "a header of CUDA's": lambda place, _: place.write("cuda/include/cuda_runtime.h", "another"),
    "a header that would be found before": lambda place, _: place.write("include/include/a.h", ""),
    "the compiler": lambda place, _: place.write("cuda/bin/stand-in", NVCC + "#\n"),
    "nvcc behind a script": lambda place, _: place.write("cuda/bin/nvcc", "another"),
    "the assembler": lambda place, _: place.write("cuda/bin/ptxas", "another"),
    "the library of device functions": lambda place, _: place.write("cuda/nvvm/libdevice/libdevice.10.bc", "another"),
    "the preprocessor": lambda place, _: place.write("bin/gcc", "#!/bin/sh\n#\n"),
    "a preprocessor beside nvcc": lambda place, _: place.write("cuda/bin/gcc", "another").chmod(0o755),
    "a CUDA by the environment": lambda _, patch: patch.setenv("CUDA_HOME", "another"),
    "a library before others": lambda _, patch: patch.setenv("LD_PRELOAD_", "x"),
    "folders by the environment": lambda _, patch: patch.setenv("CPATH", "include"),
    "the language of messages": lambda _, patch: patch.setenv("LC_ALL", "xx"),
    "the time by the environment": lambda _, patch: patch.setenv("SOURCE_DATE_EPOCH", "1"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_compiles_again(place: Place, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    assert [place.compiles(), place.compiles()] == [True, False]
    CHANGES[what](place, monkeypatch)
    place.age()
    assert [place.compiles(), place.compiles()] == [True, False]


def test_the_words_of_the_command_count(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [WORDS, (*WORDS, "-w"), (*WORDS, "-DA=1"), (*WORDS, "-isystem", "include"), (*WORDS[:2], "-O3", WORDS[3])]
    assert [place.compiles(*words) for words in given * 2] == [True] * len(given) + [False] * len(given)
    place.write("below/k.cu", Path("k.cu").read_text())
    place.write("below/include/a.h", Path("include/a.h").read_text())
    place.age()
    monkeypatch.chdir(place.folder / "below")
    Path("temporary").mkdir()
    assert place.compiles()
    assert not place.compiles()


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ('#if __has_include("new.h")', ""),
        ("", "#if __has_include(<new.h>)"),
        ("", "#define HAS(X) __has_include(X)\n#if HAS(<new.h>)"),
        ("", "#define HAS __has_include\n#if HAS(<new.h>)"),
        ("", "#if __has_include_next ( <below/new.h> )"),
        ("#define NEW <new.h>", "#if __has_include(NEW)"),
    ],
)
def test_a_header_that_is_asked_for_counts(place: Place, text: str, header: str) -> None:
    place.write("include/a.h", f"{header}\n")
    place.write("k.cu", f'#include "include/a.h"\n{text}\n')
    place.age()
    assert [place.compiles(), place.compiles()] == [True, False]
    place.write("include/other.h", "")
    assert not place.compiles()
    place.write("include/below/new.h", "")
    place.write("include/new.h", "")
    place.age()
    assert [place.compiles(), place.compiles()] == [True, False]


def test_a_header_above_a_folder_of_headers_counts(place: Place) -> None:
    for name in ("one/first/x.h", "two/second/x.h", "two/up.h"):
        place.write(name, "")
    place.write("k.cu", '#include "two/second/../up.h"\n')  # as the compiler tells of "../up.h"
    place.age()
    words = (*WORDS, "-Ione/first", "-Itwo/second")
    assert [place.compiles(*words), place.compiles(*words)] == [True, False]
    place.write("one/up.h", "")
    place.age()
    assert [place.compiles(*words), place.compiles(*words)] == [True, False]


def test_several_folders_in_one_word_and_maps_of_headers(place: Place) -> None:
    words = (*WORDS, "-Ifirst,second")
    assert [place.compiles(*words), place.compiles(*words)] == [True, False]
    place.write("first/a.h", "")
    place.age()
    assert [place.compiles(*words), place.compiles(*words)] == [True, False]
    place.write("map", "")
    place.age()
    assert place.compiles(*WORDS, "-Imap") and place.compiles(*WORDS, "-Imap")


@pytest.mark.parametrize("word", ["__DATE__", "__TIME__", "__TIMESTAMP__"])
def test_what_depends_on_more_than_files_is_not_kept(place: Place, word: str) -> None:
    place.write("include/a.h", f"{word}\n")
    place.age()
    assert place.compiles() and place.compiles()


def test_a_file_that_changes_meanwhile_is_not_relied_on(place: Place) -> None:
    place.write("cuda/slow", "sleep 0.03; touch include/a.h\n")
    assert place.compiles() and place.compiles()
    Path("include/a.h").rename("b.h")
    Path("include/a.h").symlink_to("../b.h")
    place.write("cuda/slow", "sleep 0.03; touch b.h\n")
    place.age()
    assert place.compiles() and place.compiles()
    place.write("cuda/slow", "sleep 0.03; touch cuda/bin/ptxas\n")
    place.age()
    assert place.compiles() and place.compiles()
    place.write("cuda/slow", "mkdir -p include/include; sleep 0.03; echo > include/include/a.h\n")
    place.age()
    assert place.compiles() and place.compiles()


def test_files_that_are_old_are_known_by_their_times(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_files, "_OLD", 0)
    read: list[str] = []
    contents = known_files.contents
    monkeypatch.setattr(known_files, "contents", lambda path: (read.append(path), contents(path))[1])
    place.write("include/a.h", "#if __has_include(<new.h>)\n")
    place.write("include/b.h", "int b;\n")
    place.age()
    assert [place.compiles(), place.compiles()] == [True, False]
    assert "include/a.h" in read
    read.clear()
    place.write("k.cu", '#include "include/a.h"\n#include "include/b.h"\nint l;\n')
    place.age()
    assert [place.compiles(), place.compiles()] == [True, False]
    assert "include/b.h" in read and "include/a.h" not in read
    place.write("include/new.h", "")
    place.age()
    assert [place.compiles(), place.compiles()] == [True, False], "what it asks for is known, too"
    for text in ("int c;\n", "__DATE__;\n"):
        times = Path("include/b.h").stat()
        place.write("include/b.h", text)
        os.utime("include/b.h", ns=(times.st_atime_ns, times.st_mtime_ns))
        place.age()
        assert place.compiles(), "the time of the status tells"
    assert place.compiles()
    (place.folder / "cache/rexcc/known_files").write_bytes(b"damaged")
    assert place.compiles()


def test_files_of_a_file_system_that_is_only_read_are_read_each_time(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_files, "_OLD", 0)
    flags = os.statvfs_result((*os.statvfs(".")[:8], os.ST_RDONLY, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: flags)
    place.compiles()
    assert not (place.folder / "cache/rexcc/known_files").exists()


def test_files_that_were_written_lately_are_read_each_time(place: Place) -> None:
    place.compiles()
    assert not (place.folder / "cache/rexcc/known_files").exists()


def test_errors_are_not_kept_and_warnings_are_told_again(place: Place) -> None:
    place.write("cuda/fails", "")
    place.write("cuda/says", "k.cu(1): warning: so it is\n")
    assert [place.outcomes(place.command())[0].status for _ in range(2)] == [1, 1]
    assert place.starts() == 2
    (place.cuda / "fails").unlink()
    assert [place.compiles() for _ in range(2)] == [True, False]
    assert place.outcomes(place.command())[0].stderr == b"k.cu(1): warning: so it is\n"


@pytest.mark.parametrize("words", [["-v"], ["-g"], ["-S"], ["--report=r"], ["--check"], ["-fsyntax-only"]])
def test_commands_that_show_more_than_an_image(place: Place, words: list[str]) -> None:
    assert [place.compiles(), place.compiles()] == [True, False]
    place.options = parse([*words, "-c", "t.c"])
    assert place.compiles()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REXCC_CACHE", "0"),
        ("SUNPRO_DEPENDENCIES", "x"),
        ("NVCC_APPEND_FLAGS", "-G"),
        ("NVCC_CCBIN", "g++"),
        ("HOME", "none"),
    ],
)
def test_it_can_be_turned_off(place: Place, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    assert [place.compiles(), place.compiles()] == [True, False]
    if name == "HOME":
        monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv(name, value)
    assert place.compiles() and place.compiles()


def test_a_cache_that_is_damaged_or_not_ours(place: Place) -> None:
    place.compiles()
    (entry,) = (place.folder / "cache/rexcc/images").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert [place.compiles(), place.compiles()] == [True, False]
    entry.chmod(0o666)
    assert place.compiles()
    entry.parent.chmod(0o777)
    assert place.compiles() and place.compiles()


def test_the_oldest_images_make_room(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.compiles()
    (first,) = (place.folder / "cache/rexcc/images").iterdir()
    os.utime(first, (1, 1))
    place.compiles()
    assert first.stat().st_mtime > 1, "it is wanted"
    os.utime(first, (time.time() - 15 * 24 * 3600,) * 2)
    place.compiles(*WORDS, "-w")
    assert not first.exists()
    monkeypatch.setattr(image_cache, "_ROOM", 1)
    place.compiles()
    assert not list((place.folder / "cache/rexcc/images").iterdir())


def test_a_script_may_choose_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    first = included_files.version_of(str(tool))
    monkeypatch.setenv("SHLVL", "7")
    assert included_files.version_of(str(tool)) == first
    monkeypatch.setenv("WHICH_CUDA", "12")
    assert included_files.version_of(str(tool)) != first


def test_a_wrapper_of_the_preprocessor_stands_for_it(place: Place) -> None:
    place.write("tools/ccache", "").chmod(0o755)
    (place.folder / "bin/gcc").unlink()
    (place.folder / "bin/gcc").symlink_to(place.folder / "tools/ccache")
    assert "ccache" not in included_files.version_of("gcc")
    assert included_files.version_of("no-such-tool") == ""


def test_what_is_done_behind_the_compiler_counts(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    command = replace(place.command(), finish=OldHeader("sm_90"))
    key = image_cache._key_of(command)
    assert key and key != image_cache._key_of(place.command())
    place.write("module.py", "")
    monkeypatch.setattr(image_cache, "_our_modules", lambda: ["./module.py"])
    first = image_cache._key_of(command)
    place.write("module.py", "another")
    assert image_cache._key_of(command) not in (first, key)


def test_the_link_of_one_object_is_kept_by_what_it_reads(place: Place) -> None:
    place.write("bin/python", '#!/bin/sh\necho >> links\nwhile [ "$1" != -o ]; do i=$1; shift; done\ncat $i > $2\n')
    Path("bin/python").chmod(0o755)
    part = place.command(output="k.o")
    argv = (str(place.folder / "bin/python"), "-c", LINKER, "nvptx", "include/a.h", "-lto", "k.o", "-o", "k.cubin")
    link = Command(Stage.IMAGE, argv, ("k.o",), "k.cubin", "t.c", target=NVPTX)
    for links, starts in ((1, 1), (1, 1), (2, 2)):
        if links == 2:
            place.write("k.cu", "int other;\n")
        assert [outcome.command for outcome in place.outcomes(part, link)] == [part, link]
        assert (len(Path("links").read_text().splitlines()), place.starts()) == (links, starts)
        assert Path("k.cubin").read_bytes() == Path("k.o").read_bytes()
    assert {Path(path).name for path in image_cache._our_modules() if Path(path).exists()} >= {
        "device_linker.py",
        "nvptx_pieces.py",
    }
    place.write("include/a.h", "another library")
    place.outcomes(part, link)
    assert (len(Path("links").read_text().splitlines()), place.starts()) == (3, 2)


def test_outcomes_have_the_order_of_the_plan(place: Place) -> None:
    host = Command(Stage.HOST, ("true",), (), None)
    plan = [replace(host, source="1"), place.command(), replace(host, source="2", output="o")]
    assert [[o.command for o in place.outcomes(*plan)] for _ in range(2)] == [plan, plan]
    place.write("cuda/fails", "")
    later = replace(host, inputs=("k.cubin",), output="o")
    assert [o.command for o in place.outcomes(place.command("-w"), later)] == [place.command("-w")]


@pytest.mark.parametrize(
    "words",
    [("-lineinfo",), ("-Xnvcc", "-keep"), ("-Xptxas", "-o=x"), ("-Xcompiler", "-save-temps"), ("-include", "x"),
     ("-keep",), ("-arch=native",), ("-isystem",), ("-ccbin", "gcc-12"), ("--dryrun",), ("-maxrregcount=x",)],
)  # fmt: skip
def test_commands_of_which_not_enough_is_known(words: tuple[str, ...]) -> None:
    assert listing(WORDS, "/t/l.d") == ("-Xcompiler", "-MD,-MF,/t/l.d")
    assert listing((*WORDS, *words), "/t/l.d") == ()


def test_where_tools_are() -> None:
    assert listing(WORDS, "/t,u/l.d") == listing(WORDS, "/t u/l.d") == ()
    assert tools_behind((), ["/a.h", "/c/bin/../targets/x/include/cuda_runtime.h"])[3] == "/c/bin/../bin/ptxas"
    assert tools_behind((), ["/c/include/cuda_runtime.h"])[0] == "/c/nvvm/bin/gcc:/c/bin/gcc:gcc"
    assert tools_behind(("-ccbin", "/g++"), ["/c/include/cuda_runtime.h"])[::4] == ("/g++", "/c/nvvm/bin/cicc")
    assert tools_behind((), ["/a.h"]) == ()


@pytest.mark.builds
def test_an_edit_of_host_code_compiles_no_kernel(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the whole driver: the object is what it is without the cache."""
    support.require_runtime()
    monkeypatch.setenv("TMPDIR", str(place.folder / "temporary"))
    place.write("scale.h", fake.HEADER)
    words = ("--target=nvptx", "--offload-arch=sm_90", f"--cuda-path={place.cuda}", "-c", "t.c", "-o", "t.o")
    made = []
    for text, switch in ((fake.KERNEL, "1"), (f"{fake.KERNEL}int one;\n", "1"), (f"{fake.KERNEL}int one;\n", "0")):
        place.write("t.c", text)
        monkeypatch.setenv("REXCC_CACHE", switch)
        assert support.rexcc(place.folder, *words, translate=fake.FakeCompiler()) == 0
        made.append((place.starts(), Path("t.o").read_bytes()))
    assert [starts for starts, _ in made] == [1, 1, 2]
    assert made[0][1] != made[1][1] == made[2][1]


def quicker(place: Place) -> Command:
    """Return the command with a quicker form, which has one word more."""
    usual = place.command()
    return replace(usual, quicker=(*usual.argv[:-3], "-DQUICK", *usual.argv[-3:]))


@pytest.mark.parametrize("refuses", [False, True])
def test_an_image_is_kept_of_a_quicker_command_and_of_the_one_in_its_place(place: Place, refuses: bool):
    script = NVCC.replace("while [", 'case "$*" in *-DQUICK*) exit 1;; esac\nwhile [') if refuses else NVCC
    place.write("cuda/bin/stand-in", script).chmod(0o755)
    place.age()
    for starts in (2 if refuses else 1, 0):
        before = place.starts()
        (outcome,) = place.outcomes(quicker(place))
        assert outcome.status == 0 and outcome.command == quicker(place)
        assert Path("k.cubin").is_file()
        assert place.starts() - before == starts
        Path("k.cubin").unlink()
    place.write("include/a.h", "int b;\n")
    before = place.starts()
    place.outcomes(quicker(place))
    assert place.starts() > before
