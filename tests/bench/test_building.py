"""Variants, their commands, and building with compilers that are shell scripts."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest
from fake_programs import program

from rexcc.bench.building import Build, first_error, relabel
from rexcc.bench.manifest import Manifest, Program
from rexcc.bench.plan import EXACT, Comparison
from rexcc.bench.variants import Machine, Variant, command, cuda_version, gcc, native_clang, ours
from rexcc.driver.tools.toolchain import OpenMPRuntime
from rexcc.target.tools import Compiler

RUNTIME = OpenMPRuntime("/llvm/lib", "/llvm/lib/libomptarget.so", "/llvm/lib/libomp.so", 19)
GPU = Machine("nvptx", "sm_90", RUNTIME, Compiler("/cuda/bin/nvcc", "PATH"))
CPU = Machine("host", "sm_90", RUNTIME, None)


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    source, twin = tmp_path / "a.c", tmp_path / "a.cu"
    source.write_text("good\n")
    twin.write_text("good\n")
    plain = Program("plain", (source,))
    twice = Program("twice", (source,), cuda_sources=(twin,), runs=(("small", ("1",)), ("large", ("2",))))
    return Manifest("m", tmp_path, (plain, twice))


def compiler(manifest: Manifest, name: str, body: str = "") -> Variant:
    """A compiler that writes a program which says its name, and counts its calls in a file."""
    folder = manifest.folder / "compilers"
    script = f"""for out; do :; done
echo call >> {folder}/{name}.calls
{body}
printf '#!/bin/sh\\necho {name}\\n' > "$out"
chmod +x "$out"
"""
    path = program(folder, name, script)
    return Variant(name, (path,), (path,))


def build(manifest: Manifest, variants: tuple[Variant, ...], reuse: bool = False) -> tuple[Build, list[str]]:
    said: list[str] = []
    return Build(manifest, manifest.folder / "build", variants, reuse, said.append), said


def test_commands(manifest: Manifest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    monkeypatch.setattr("rexcc.driver.tools.toolchain.output_of", lambda *argv: "")
    twice = manifest.programs[1]
    out = Path("/out/x")
    mine = command(ours(GPU, ("-v",)), twice, manifest.folder, out)
    assert mine[1:] == ("-m", "rexcc.driver.main", "--target=nvptx", "--offload-arch=sm_90", "-v",
                        "-O3", "a.c", "-lm", "-o", "/out/x")  # fmt: skip
    native = command(native_clang(GPU), twice, manifest.folder, out)
    assert native[0] == "/bin/clang-19" and "-fopenmp-targets=nvptx64-nvidia-cuda" in native
    assert native[native.index("-Xopenmp-target") + 1] == "-march=sm_90"
    assert "-fopenmp-targets=x86_64-pc-linux-gnu" in command(native_clang(CPU), twice, manifest.folder, out)
    assert "--target=host" in command(ours(CPU, ()), twice, manifest.folder, out)
    by_hand = command(cuda_version(GPU), twice, manifest.folder, out)
    assert by_hand == ("/cuda/bin/nvcc", "-arch=sm_90", "-O3", "a.cu", "-o", "/out/x")
    assert native_clang(GPU).old_headers
    assert native_clang(Machine("nvptx", "sm_90", None, None)).missing


def test_gcc_names_what_its_programs_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script = tmp_path / "gcc-12"
    script.write_text(
        "#!/bin/sh\ncase $1 in *=*.so.*|*mkoffload) n=${1#*=}; f=$(dirname $0)/lib/../${n##*/}; [ -e $f ] && n=$f; "
        'echo $n;; *) echo "gcc-12 12.2";; esac\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr("rexcc.bench.variants._GCC", ("gcc-12",))
    assert gcc(GPU).missing
    for name in ("mkoffload", "libgomp.so.1", "libgomp-plugin-nvptx.so.1"):
        (tmp_path / name).touch()
    (tmp_path / "lib").mkdir()
    assert gcc(GPU).libraries == (tmp_path / "libgomp.so.1", tmp_path / "libgomp-plugin-nvptx.so.1")
    (tmp_path / "libgomp-plugin-nvptx.so.1").unlink()
    assert gcc(GPU).libraries == (tmp_path / "libgomp.so.1",), "a library that is not there is not brought"


def test_cxx_sources_get_the_cxx_compiler(tmp_path: Path):
    both = Variant("v", ("cc",), ("cxx",))
    assert command(both, Program("p", (tmp_path / "a.c", tmp_path / "b.cpp")), tmp_path, Path("o"))[0] == "cxx"
    assert command(both, Program("p", (tmp_path / "a.c",)), tmp_path, Path("o"))[0] == "cc"


def test_each_program_is_built_once_for_all_of_its_runs(manifest: Manifest):
    made, said = build(manifest, (compiler(manifest, "rexcc"), compiler(manifest, "cuda")))
    jobs = made.jobs()
    assert [(job.name, job.arguments) for job in jobs] == [
        ("plain", ()),
        ("twice/small", ("1",)),
        ("twice/large", ("2",)),
    ]
    assert [e.variant for e in jobs[0].executables] == ["rexcc"]
    assert [e.variant for e in jobs[1].executables] == ["rexcc", "cuda"]
    assert jobs[1].executables == jobs[2].executables
    assert (manifest.folder / "compilers" / "cuda.calls").read_text().count("call") == 1
    assert not said


@pytest.mark.builds
def test_a_failed_build_is_a_reason(manifest: Manifest):
    bad = compiler(manifest, "rexcc", 'echo "note: x" >&2; echo "a.c:1: error: what" >&2; exit 1')
    nothing = compiler(manifest, "gcc", "exit 0")
    made, said = build(manifest, (bad, nothing, Variant("clang", missing="not found")))
    first = made.jobs()[0]
    assert [(e.variant, e.path, e.reason) for e in first.executables] == [
        ("rexcc", None, "a.c:1: error: what"),
        ("gcc", None, "the compiler made no executable"),
        ("clang", None, "not found"),
    ]
    assert "plain: rexcc was not built: a.c:1: error: what" in said


def test_peers_that_are_up_to_date_are_kept_on_request(manifest: Manifest):
    variants = (compiler(manifest, "rexcc"), compiler(manifest, "clang"))
    calls = {name: manifest.folder / "compilers" / f"{name}.calls" for name in ("rexcc", "clang")}
    for name in ("a.c", "a.cu"):
        os.utime(manifest.folder / name, (1_000_000_000, 1_000_000_000))
    for reuse in (False, True):
        assert all(e.path for job in build(manifest, variants, reuse)[0].jobs() for e in job.executables)
    assert calls["clang"].read_text().count("call") == 2
    assert calls["rexcc"].read_text().count("call") == 4
    os.utime(manifest.folder / "a.c", (4_000_000_000, 4_000_000_000))
    build(manifest, variants, True)[0].jobs()
    assert calls["clang"].read_text().count("call") == 4


def test_the_host_version_is_built_only_as_reference(manifest: Manifest):
    source = manifest.programs[0].sources
    programs = (Program("a", source), Program("b", source, compare=Comparison(reference="host")))
    made, _ = build(Manifest("m", manifest.folder, programs), (compiler(manifest, "host"),))
    pairs = made._of(programs[0]), made._of(programs[1])
    assert [len(variants) for variants in pairs] == [0, 1]
    assert EXACT.reference is None


def test_the_telling_line_of_a_compiler():
    assert first_error("In file\nx.c:1: Error: bad\nerror: 2", 1) == "x.c:1: Error: bad"
    assert first_error("killed\n", 9) == "killed"
    assert first_error("", 9) == "the compiler ended with status 9"


def test_cubins_in_executables_get_old_headers(tmp_path: Path):
    header = bytearray(64)
    header[:9] = b"\x7fELF\x02\x01\x01\x41\x08"
    struct.pack_into("<HH", header, 16, 2, 190)
    struct.pack_into("<I", header, 48, 90 << 8)
    other = bytearray(header)
    struct.pack_into("<H", other, 18, 62)
    file = tmp_path / "exe"
    file.write_bytes(b"start" + header + b"middle" + other + header[:40])
    relabel(file)
    new = file.read_bytes()
    assert new[5 + 7 : 5 + 9] == b"\x33\x07"
    assert struct.unpack_from("<I", new, 5 + 48)[0] == 90 << 16 | 0x500 | 90
    assert new[75:] == bytes(other + header[:40])
