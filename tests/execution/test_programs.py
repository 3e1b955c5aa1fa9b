"""Programs that print what their regions computed: on the CPU device, as host version, and with OpenMP ignored."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import support
from rexcc.driver.translate_sources import Translate
from rexcc.pipeline import Translation, translate
from rexcc.pipeline.records import GeneratedFile
from support import Bench
from users_text import ASKING, Observer, check_users_text

HERE = Path(__file__).parent
NAMES = sorted(p.name for p in (HERE / "programs").iterdir())
REDUCING = [n for n in NAMES if n.startswith("reduc")]
REPORTED = sorted(p.name for p in (HERE / "reported").iterdir())
AS_ON_A_GPU = [
    "tiles.c",
    "tiles.cpp",
    "jammed.c",
    "tile_conditions.c",
    "quotients.cpp",
    "loops.c",
    "nests.c",
    "nest_divisors.c",
    "templates.cpp",
    "transposed.c",
    "stencils.cpp",
]

BUSY = {"nest_divisors.c"}
"""Programs that compute for so long that optimising them is less work."""

LONG = {
    "classes.cpp",
    "discarded_statements.cpp",
    "host_bounds.cpp",
    "loops.c",
    "present_bounds.cpp",
    "reductions.c",
    "regions_of_generic_lambdas.cpp",
    "scopes.cpp",
    "sines.cpp",
    "templates.cpp",
    "templates_of_the_library.cpp",
    "virtual_class_templates.cpp",
}
"""Programs that promise something and take long to optimise, which is an extended test."""

LIBRARIES = dict.fromkeys(("complex_types.c", "wide_reductions.c"), ("-Wl,--no-as-needed", "-latomic"))
"""What clang's code for the host version calls."""

pytestmark = pytest.mark.usefixtures("runtime")


def read(folder: str, name: str) -> dict[str, str]:
    return {name: (HERE / folder / name).read_bytes().decode()}


def compare(bench: Bench, files: dict[str, str], *arguments: str, translate: Translate | None = None) -> None:
    expected = bench.plain(files)
    program = bench.build(files, *arguments, translate=translate)
    assert support.on_device(program).splitlines() == expected.splitlines()
    assert support.on_host(program).splitlines() == expected.splitlines()


@pytest.mark.parametrize("name", support.sampled(NAMES, 14))
def test_device_host_version_and_plain_execution_agree(bench: Bench, name: str) -> None:
    """And generated text is the user's: it is that of the driver's own translation."""
    promises = name in support.PROMISING - LONG
    level = ("-O1",) if name in BUSY else support.OPTIMISED_KERNELS if promises else ()
    observer = Observer()
    observes = name not in ASKING
    compare(
        bench,
        read("programs", name),
        "-w",
        *level,
        *LIBRARIES.get(name, ()),
        translate=observer.translate if observes else None,
    )
    if observes:
        assert observer.made is not None
        check_users_text(HERE / "programs" / name, observer.made)


@pytest.mark.parametrize("name", support.sampled(NAMES, 120))
def test_nvcc_takes_the_kernels(bench: Bench, name: str) -> None:
    """The CPU device's compiler has been asked; nvcc's knows other names, and device headers of its own."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    folder = bench.place(read("programs", name))
    quickly = ("-w", "-Xptxas", "-O0")
    assert support.rexcc(folder, "--target=nvptx", "--offload-arch=sm_90", *quickly, "-c", name) == 0


UNREACHED_LOCK = """
struct counter { int n; counter(int n) : n(n) {}
  counter &operator=(const counter &from) {
#pragma omp critical(counting)
    n += from.n;
    return *this;
  }
  int twice() const { return 2 * n; } };
int main() {
  int a[9];
#pragma omp target teams distribute parallel for map(from: a)
  for (int i = 0; i < 9; i++) a[i] = counter(i).twice();
  return a[8] - 16;
}
"""
"""A header's critical section, in a member that no kernel calls."""


def image_of(bench: Bench, text: str) -> bytes:
    """Return the image that nvcc makes of a program's kernels."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    folder = bench.place({"t.cpp": text})
    assert support.rexcc(folder, "--target=nvptx", "--offload-arch=sm_90", "-save-temps=obj", "-c", "t.cpp") == 0
    (image,) = (path.read_bytes() for path in folder.rglob("*.cubin"))
    return image


def test_images_have_no_locks_that_no_kernel_takes(bench: Bench) -> None:
    """An image with variables is loaded once, and its kernels are not queued."""
    image = image_of(bench, UNREACHED_LOCK)
    assert b"critical" not in image and b"4lock" not in image


PAIRS = """
struct Best { double value; int at; };
#pragma omp declare reduction(least: Best: omp_out = omp_in.value < omp_out.value ? omp_in : omp_out) \\
    initializer(omp_priv = Best{1e30, -1})
int main() {
  int sum = 0;
#pragma omp target teams distribute reduction(+: sum)
  for (int team = 0; team < 9; team++) {
    Best best{1e30, -1};
#pragma omp parallel for reduction(least: best)
    for (int i = 0; i < 99; i++) if (99. - i < best.value) best = Best{99. - i, i};
    sum += best.at;
  }
  return sum - 9 * 98;
}
"""


def test_the_runtime_knows_the_locks_of_reductions(bench: Bench) -> None:
    """By name, so that kernels of the image are queued."""
    image = image_of(bench, PAIRS)
    name = b"__rex_reduction_lock"
    known = (support.RUNTIME / "src" / "rex_cubin.cpp").read_bytes()
    assert name in image and b'"' + name + b'"' in known


SHAPES = """#include <assert.h>
struct Shape { virtual int area(int side) const = 0; };
struct Square : Shape { int area(int side) const override { return side * side; } };
struct Twin : Shape { int area(int side) const override { return 2 * side * side; } };
int main() {
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
  for (int i = 0; i < 9; i++) {
    Square one;
    Twin two;
    const Shape *shape = i % 3 ? (const Shape *)&one : (const Shape *)&two;
    assert(i < 9);
    sum += shape->area(i);
  }
  return sum != 249;
}
"""


def test_the_runtime_knows_what_the_language_puts_into_images(bench: Bench) -> None:
    """Tables of virtual functions and names of functions, so that kernels of the image are queued."""
    image = image_of(bench, SHAPES)
    known = (support.RUNTIME / "src" / "rex_cubin.cpp").read_bytes()
    for name in (b"__unnamed_", b"_ZTV"):
        assert name in image and b'"' + name + b'"' in known


@pytest.mark.extended
@pytest.mark.parametrize("name", sorted(LONG))
def test_promises_to_the_compiler_are_kept(bench: Bench, name: str) -> None:
    compare(bench, read("programs", name), "-w", *support.OPTIMISED_KERNELS)


@pytest.mark.parametrize("name", support.sampled(AS_ON_A_GPU, 6))
def test_tiles_as_large_as_on_a_gpu_run_the_same_iterations(bench: Bench, name: str) -> None:
    files = read("programs", name)
    program = bench.build(files, "-w", "-DREX_TILE=4", *(["-O1"] if name in BUSY else []))
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


@pytest.mark.parametrize(
    ("name", "option"),
    support.sampled(
        [
            ("groups.c", "-DREX_GROUPS_ON_CPU"),
            ("folds.c", "-DREX_GROUPS_ON_CPU"),
            ("team_nests.cpp", "-DREX_EACH_ON_CPU"),
            ("bins.c", "-DREX_BINS_ON_CPU"),
            ("looked_up_arrays.cpp", "-DREX_COLUMNS_ON_CPU"),
            ("light_reductions.c", "-DREX_EACH_ON_CPU"),
            ("fours.c", "-DREX_EACH_ON_CPU -DREX_FOURS_ON_CPU"),
            ("late_stores.c", "-DREX_EACH_ON_CPU -DREX_FOURS_ON_CPU"),
            ("several_sines.cpp", "-DREX_SINES_ON_CPU"),
            ("neighbour_turns.cpp", "-DREX_EACH_ON_CPU"),
            ("transposed.c", "-DREX_NARROW_ON_CPU -DREX_TILE=4"),
            ("nest_divisors.c", "-DREX_NARROW_ON_CPU"),
            ("nest_divisors.c", "-DREX_NARROW_ON_CPU -DREX_TILE=4"),
            ("tiles.c", "-DREX_NARROW_ON_CPU -DREX_TILE=4"),
            ("stencils.cpp", "-DREX_NARROW_ON_CPU -DREX_TILE=4"),
            ("asked_bounds.cpp", "-DREX_NARROW_ON_CPU"),
            ("asked_bounds.cpp", "-DREX_NARROW_ON_CPU -DREX_TILE=4"),
        ],
        4,
    ),
)
def test_what_only_a_gpu_gains_by_is_right_on_the_cpu_device_too(bench: Bench, name: str, option: str) -> None:
    """There a group of threads is one thread, blocks have no bins, nests count with 64 bits, and a thread executes one
    iteration after another and loads one element after another."""
    files = read("programs", name)
    program = bench.build(files, "-w", "-O1", *option.split())
    for cores in ("1", "2", "8"):
        assert support.on_device(program, REX_HOST_CORES=cores).splitlines() == bench.plain(files).splitlines(), cores


def test_options_lay_types_out_on_the_device_too(bench: Bench) -> None:
    options = ("-fshort-enums", "-fpack-struct", "-fshort-wchar", "-fwrapv", "-DWRAPS", "-O2")
    files = read("programs", "layouts_by_option.c")
    expected = bench.plain(files, *options)
    assert expected != bench.plain(files)
    assert support.on_device(bench.build(files, "-w", *options)).splitlines() == expected.splitlines()


@pytest.mark.parametrize("standard", ["gnu++11", "c++14"])
def test_lambdas_are_those_of_older_standards(bench: Bench, standard: str) -> None:
    """Functions that deduce their results are C++14's, lambdas that are no copies of temporary ones C++17's."""
    compare(bench, read("programs", "lambdas_of_older_standards.cpp"), "-w", f"-std={standard}")
    compare(bench, read("programs", "lambdas_without_results.cpp"), "-w", f"-std={standard}")


def test_loops_have_the_forms_that_older_standards_have(bench: Bench) -> None:
    """Lambdas that take arguments of any type are C++14's, by which the CPU device's file is compiled then."""
    compare(bench, read("programs", "rows.cpp"), "-w", "-std=c++11")
    name = "older_standard.cpp"
    files = read("programs", name)
    compare(bench, files, "-std=c++11")
    text = support.translate_text(files[name], name).device
    assert text is not None and "rex_of_usual_roots" in text.text and "rex_sines_in_turns" in text.text


def test_functions_and_parameters_may_have_no_types(bench: Bench) -> None:
    compare(bench, read("standards", "c89.c"), "-w", "-std=gnu89")


@pytest.mark.parametrize("name", support.sampled(["templates.cpp", "reduce_all_teams.cpp", "team_changes.cpp"], 3))
def test_kernels_are_compiled_in_the_standard_of_the_user(bench: Bench, name: str) -> None:
    """Headers and generated text have nothing that compilers refuse in C++11."""
    compare(bench, read("programs", name), "-w", "-std=gnu++11")


REPEATED = """#include <stdio.h>
#define N 64
static float value(int i) {
  volatile float wait = 0;
  for (int k = 0; k < i * 7919 % N * 500; k++) wait += 1;
  return i % 3 ? 0.3f * (float)i : 1e7f;
}
int main(void) {
  float sum = 0, part[2] = {0}, of_teams = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum, part) num_teams(N)
  for (int i = 0; i < N; i++) sum += value(i), part[i % 2] += value(i);
#pragma omp target teams distribute reduction(+ : of_teams) num_teams(N)
  for (int i = 0; i < N; i++) {
    float mine = 0;
#pragma omp parallel for reduction(+ : mine)
    for (int j = 0; j < 2; j++) mine += value(i);
    of_teams += mine;
  }
  printf("%a %a %a %a\\n", sum, part[0], part[1], of_teams);
  return 0;
}
"""


def test_equal_runs_have_equal_bits_on_request(bench: Bench) -> None:
    program = bench.build({"repeated.c": REPEATED}, "-w", "--rex-reduction=reproducible")
    assert len({support.on_device(program, REX_HOST_CORES=cores) for cores in ("1", "3", "8") * 6}) == 1


@pytest.mark.parametrize("name", support.sampled(REDUCING, 9))
def test_every_way_to_reduce_has_the_same_results(bench: Bench, name: str) -> None:
    """A program is built for each way of which it has reductions: other ways make the text that is run above."""
    files = read("programs", name)
    ways = ("device", "reproducible", "atomic", "host")
    made = {way: support.translate_text(files[name], name, architectures=(), reduction=way) for way in ways}
    texts = {way: [text_of(f) for f in (found.host, found.cpu_device, found.device)] for way, found in made.items()}
    for way in ways[1:]:
        if texts[way] != texts["device"]:
            program = bench.build(files, "-w", translate=lambda *_, found=made[way]: found)
            assert support.on_device(program).splitlines() == bench.plain(files).splitlines(), way


def text_of(file: GeneratedFile | None) -> str:
    assert file is not None
    return file.text


@pytest.mark.parametrize("name", support.sampled(["nests.c", "loops.c", "between_loops.c"], 3))
def test_the_xomp_scheduler_runs_the_same_iterations(bench: Bench, name: str) -> None:
    files = read("programs", name)
    program = bench.build(files, "-w", "-O0", "--rex-scheduler=xomp")
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


@pytest.mark.parametrize(
    "name",
    support.sampled(
        ["members.c", "templates.cpp", "between_loops.c", "attributes.cpp", "attributes.c", "transformations.c"], 3
    ),
)
def test_gcc_as_host_compiler(bench: Bench, name: str) -> None:
    files = read("programs", name)
    program = bench.build(files, "-w", "--host-compiler=gcc")
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


OLDEST = """#include <stdio.h>
int main(void)
{
  int i, a[9], sum = 0;
#pragma omp target parallel for map(from: a)
  for (i = 0; i < 9; i++)
    a[i] = i;
  for (i = 0; i < 9; i++)
    sum += a[i];
  printf("%d\\n", sum);
  return 0;
}
"""


def test_gcc_compiles_the_oldest_c(bench: Bench) -> None:
    program = bench.build({"old.c": OLDEST}, "-ansi", "--host-compiler=gcc")
    assert support.on_device(program) == "36\n"


@pytest.mark.parametrize("name", support.sampled(REPORTED, 6))
def test_what_once_went_wrong(bench: Bench, name: str) -> None:
    promising = f"reported/{name}" in support.PROMISING
    made: list[Translation] = []

    def observed(*source: Any) -> Translation:
        made.append(translate(*source))
        return made[-1]

    level = support.OPTIMISED_KERNELS if promising else ()
    compare(bench, read("reported", name), "-w", *level, translate=observed)
    assert any("__restrict__" in text_of(found.device) for found in made) == promising, "tests/execution/promises.txt"
