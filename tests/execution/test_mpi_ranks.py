"""Ranks of a node get devices of their own where the program does not choose; MPI's wrappers and CMake start rexcc."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import mpi_programs
import support
from support import Bench

pytestmark = pytest.mark.usefixtures("runtime")

DEVICES = 4
"""Of libomptarget's host plugin."""
ASKING = """
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
int chosen(void);
static int device_of_region(void) {
  int found = -1;
#pragma omp target map(from : found)
  found = omp_get_device_num();
  return found;
}
static void *in_a_thread(void *found) {
  *(int *)found = device_of_region();
  return 0;
}
int main(void) {
  int of_thread = -1, of_team = -1;
  pthread_t thread;
  int by_default = omp_get_default_device();
  pthread_create(&thread, 0, in_a_thread, &of_thread);
  pthread_join(thread, 0);
#pragma omp parallel num_threads(2)
#pragma omp critical
  of_team = device_of_region();
  printf("%d %d %d %d %d\\n", by_default, device_of_region(), of_thread, of_team, chosen());
  return 0;
}
"""
NOBODY = "int chosen(void) { return 0; }\n"
RANK = "OMPI_COMM_WORLD_LOCAL_RANK"
WITH_MPI = """
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, ranks, device = -1;
  double mine[8], others[8] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#pragma omp target data map(from : mine) map(tofrom : others)
  {
#pragma omp target map(from : device)
    {
      for (int i = 0; i < 8; i++) mine[i] = 10 * rank + i;
      device = omp_get_device_num();
    }
#pragma omp target data use_device_addr(mine, others)
    MPI_Sendrecv(mine, 8, MPI_DOUBLE, (rank + 1) % ranks, 0, others, 8, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  printf("rank %d on device %d got %g\\n", rank, device, others[7]);
  MPI_Finalize();
  return 0;
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.16)
project(ring {language})
find_package(MPI REQUIRED)
add_executable(ring ring.{ending})
target_link_libraries(ring MPI::MPI_{language})
"""


def run(program: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program as a rank; without a launcher of these tests themselves."""
    foreign = ("OMP_", "REX_", "LIBOMPTARGET", "OMPI_", "MPI_", "PMI", "SLURM_", "MV2_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return subprocess.run(
        [str(program)], env=kept | environment, capture_output=True, text=True, timeout=support.PATIENCE, check=False
    )


def test_a_rank_has_its_device_in_all_threads(bench: Bench) -> None:
    program = bench.build({"asking.c": ASKING, "chosen.c": NOBODY}, "-w")
    for rank in (0, 1, DEVICES, DEVICES + 2):
        device = rank % DEVICES
        assert run(program, **{RANK: str(rank)}).stdout == f"{device} {device} {device} {device} 0\n"
    assert run(program).stdout == "0 0 0 0 0\n"


def test_what_is_said_of_a_rank(bench: Bench) -> None:
    program = bench.build({"asking.c": ASKING, "chosen.c": NOBODY}, "-w")
    said = run(program, REX_INFO="1", **{RANK: "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}).stderr.splitlines()
    about = "rex: rank 1 of 2 on this node (OMPI_COMM_WORLD_LOCAL_RANK): "
    assert said[0] == f"{about}its default device is 1 of 4; REX_SPREAD_RANKS=0 leaves all ranks on device 0"
    assert [line for line in said[1:] if "rank" in line] == []
    assert run(program, **{RANK: "1"}).stderr == ""


@pytest.mark.parametrize(
    ("environment", "device", "why"),
    [
        ({"REX_SPREAD_RANKS": "0"}, 0, "REX_SPREAD_RANKS=0"),
        ({"OMP_DEFAULT_DEVICE": "3"}, 3, "OMP_DEFAULT_DEVICE is set"),
        ({"OMP_DEFAULT_DEVICE": "3", "REX_SPREAD_RANKS": "1"}, 3, "OMP_DEFAULT_DEVICE is set"),
    ],
)
def test_the_user_chooses(bench: Bench, environment: dict[str, str], device: int, why: str) -> None:
    program = bench.build({"asking.c": ASKING, "chosen.c": NOBODY}, "-w")
    done = run(program, REX_INFO="1", **{RANK: "2"}, **environment)
    assert done.stdout == f"{device} {device} {device} {device} 0\n"
    assert f"ranks are not spread over the 4 devices: {why}\n" in done.stderr


BY_ROUTINE = """
#include <omp.h>
int chosen(void) {
  if (omp_in_parallel()) omp_set_default_device(1);
  return 0;
}
"""
BY_CLAUSE = """
int chosen(void) {
  int a = 0;
#pragma omp target device(0)
  a++;
  return a;
}
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BY_ROUTINE, "the program calls omp_set_default_device()"),
        (BY_CLAUSE, "the program names devices (REX_SPREAD_RANKS=1 spreads them all the same)"),
    ],
    ids=["routine", "clause"],
)
@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_the_program_chooses(bench: Bench, text: str, why: str, compiler: str) -> None:
    """Also in a file without regions, and with gcc, whose linker lists symbols in its own way."""
    program = bench.build({"asking.c": ASKING, "chosen.c": text}, "-w", f"--host-compiler={compiler}")
    done = run(program, REX_INFO="1", **{RANK: "2"})
    assert done.stdout == "0 0 0 0 0\n"
    assert f"ranks are not spread over the 4 devices: {why}\n" in done.stderr


def test_a_number_that_no_file_with_regions_names_ends_the_program(bench: Bench) -> None:
    """Memory of device 0 is not that of this rank's regions."""
    text = "#include <omp.h>\nint chosen(void) { int d = 0; omp_target_free(omp_target_alloc(8, d), d); return 5; }\n"
    program = bench.build({"asking.c": ASKING, "chosen.c": text}, "-w")
    done = run(program, **{RANK: "1"})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "rex: omp_target_alloc() is asked for device 0, but this rank's default device is 1, "
    )
    assert run(program, REX_SPREAD_RANKS="0", **{RANK: "1"}).stdout == "0 0 0 0 5\n"
    assert run(program, **{RANK: "0"}).stdout == "0 0 0 0 5\n"


def test_a_library_of_a_program_that_chooses(bench: Bench) -> None:
    """The one that registers first, which is the library, sees what both of them say."""
    folder = bench.place(
        {"asking.c": ASKING, "lib.c": "int chosen(void) {\n#pragma omp target device(0)\n;\nreturn 0; }"}
    )
    assert support.rexcc(folder, "-w", "-shared", "-fPIC", "lib.c", "-o", "libchosen.so") == 0
    assert support.rexcc(folder, "-w", "asking.c", "-L.", "-lchosen", "-Wl,-rpath,.", "-o", "program") == 0
    folder_of_libraries = {"LD_LIBRARY_PATH": str(folder)}
    assert run(folder / "program", **folder_of_libraries, **{RANK: "2"}).stdout == "0 0 0 0 0\n"
    done = run(folder / "program", REX_SPREAD_RANKS="1", **folder_of_libraries, **{RANK: "2"})
    assert done.stdout == "2 2 2 2 0\n"


def test_a_library_of_a_program_without_regions(bench: Bench) -> None:
    """There is nobody else to choose."""
    folder = bench.place({"lib.c": ASKING.replace("int main(void)", "int ask(void)"), "main.c": ""})
    (folder / "lib.c").write_text((folder / "lib.c").read_text() + NOBODY)
    (folder / "main.c").write_text("int ask(void);\nint main(void) { return ask(); }\n")
    assert support.rexcc(folder, "-w", "-shared", "-fPIC", "lib.c", "-o", "libask.so") == 0
    subprocess.run(["gcc", "main.c", "-L.", "-lask", "-o", "program"], cwd=folder, check=True)
    assert run(folder / "program", LD_LIBRARY_PATH=str(folder), **{RANK: "3"}).stdout == "3 3 3 3 0\n"


RING = "rank 0 on device 0 got 27\nrank 1 on device 1 got 7\nrank 2 on device 2 got 17\n"


@pytest.fixture(params=mpi_programs.NAMES)
def mpi(request: pytest.FixtureRequest) -> str:
    """An MPI of Debian's."""
    name: str = request.param
    mpi_programs.require(name)
    return name


@pytest.mark.parametrize("name", support.sampled(["ring.cpp", "ring.c"], 2))
def test_the_wrappers_of_mpi_start_rexcc(bench: Bench, mpi: str, tmp_path: Path, name: str) -> None:
    folder = bench.place({name: WITH_MPI})
    mpi_programs.build(mpi, folder, mpi_programs.with_rexcc(tmp_path), name, "-o", "ring")
    assert mpi_programs.launch(mpi, 3, folder / "ring") == RING


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("openmpi", "C"),
        ("mpich", "CXX"),
        pytest.param("openmpi", "CXX", marks=pytest.mark.extended),
        pytest.param("mpich", "C", marks=pytest.mark.extended),
    ],
)
def test_cmake_finds_mpi_for_rexcc(bench: Bench, name: str, language: str, tmp_path: Path) -> None:
    """What CMake asks of a compiler is most of the work: each MPI is always found for one language."""
    mpi_programs.require(name)
    if shutil.which("cmake") is None:
        pytest.skip("no cmake")
    ending, wrapper = ("c", "mpicc") if language == "C" else ("cpp", "mpicxx")
    texts = {f"ring.{ending}": WITH_MPI, "CMakeLists.txt": CMAKE.format(language=language, ending=ending)}
    folder = bench.place(texts)
    environment = mpi_programs.with_rexcc(tmp_path)
    compilers = (f"-DCMAKE_{language}_COMPILER=rexcc", f"-DMPI_{language}_COMPILER={wrapper}.{name}")
    for words in (("-S", ".", "-B", "build", *compilers), ("--build", "build")):
        subprocess.run(["cmake", *words], cwd=folder, env=environment, check=True, capture_output=True)
    assert mpi_programs.launch(name, 3, folder / "build" / "ring") == RING
