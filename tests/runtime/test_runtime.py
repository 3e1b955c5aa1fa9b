"""The runtime helpers, built and run the way a user would do it by hand.

The programs have the shape of generated code. They run on the CPU device through libomptarget's host plugin: real
registration, real mapping, real launches. A make-believe ``libcuda.so.1`` stands in for machines with a GPU that does
not fit.
"""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from clang import cindex
from runtime_workshop import INCLUDE, PROGRAMS, RUNTIME, WARNINGS, Workshop, tool

import rexcc.clang.library  # noqa: F401  (sets libclang's binding up, which must not have been used before)
import support

NN_RESULT = "sum 2364161.10 nearest 0.5590\n"
FILL_RESULT = "devices: some\none on device: 1 10\ntwo on device: 100 1000\none on device: 7 16\ntwo on device: 8 908\n"


# The nearest-neighbour example: two kernels, literals, a map and two reductions.


@pytest.fixture(scope="session")
def nn(shop: Workshop) -> str:
    shop.host_image("nn")
    shop.pretend_cubin("rex_lib_nn.sm_90.cubin", 90)
    rose = shop.compile("gcc -std=c99 -pedantic", "rose_nn.c", *WARNINGS, target="rose_nn.o")
    return shop.link(rose, shop.registration, target="nn")


@pytest.mark.parametrize(
    "compiler", ["clang-19", "g++ -x c++ -std=gnu++11", "g++ -x c++ -std=c++20", "clang++-19 -x c++ -std=c++11"]
)
def test_host_file_is_c_and_cplusplus(shop: Workshop, nn: str, compiler: str) -> None:
    name = re.sub(r"\W+", "_", compiler)
    rose = shop.compile(compiler, "rose_nn.c", *WARNINGS, "-Wno-deprecated", target=f"{name}.o")
    program = shop.link(rose, shop.registration, target=name)
    assert shop.call(program).stdout == NN_RESULT


def test_info_names_place_device_and_geometry(shop: Workshop, nn: str) -> None:
    done = shop.call(nn, REX_INFO="1", REX_HOST_CORES="3")
    assert done.stdout == NN_RESULT
    assert [line for line in done.stderr.splitlines() if line.startswith("rex:")] == [
        "rex: nn.c:12 find_distances: CPU device, teams 3, threads 1",
        "rex: nn.c:22 sum_and_nearest: CPU device, teams 3, threads 1",
    ]


def test_without_info_nothing_is_said(shop: Workshop, nn: str) -> None:
    assert not [line for line in shop.call(nn).stderr.splitlines() if not line.startswith("total time")]


def test_disabled_runs_on_the_host(shop: Workshop, nn: str) -> None:
    done = shop.call(nn, OMP_TARGET_OFFLOAD="DISABLED", REX_INFO="1")
    assert done.stdout == NN_RESULT
    assert "rex: nn.c:12 find_distances: host (OMP_TARGET_OFFLOAD=DISABLED)" in done.stderr


def test_mandatory_is_content_with_the_cpu_device(shop: Workshop, nn: str) -> None:
    assert shop.call(nn, OMP_TARGET_OFFLOAD="MANDATORY").stdout == NN_RESULT


def test_the_images_temporary_file_is_removed(shop: Workshop, nn: str) -> None:
    opened = shop.call(tool("strace"), "-f", "-e", "trace=openat,unlink", nn).stderr
    files = set(re.findall(r'"(/tmp/tmpfile_\w+)"', opened))
    assert files
    assert not [file for file in files if Path(file).exists()]


@pytest.mark.parametrize(
    ("content", "complaint"), [(None, "which cannot be read"), (b"no ELF file at all" * 9, "which is not a cubin")]
)
def test_rex_cubin_must_be_a_cubin(shop: Workshop, nn: str, content: bytes | None, complaint: str) -> None:
    path = shop.folder / f"given{complaint.count('not')}.cubin"
    if content is not None:
        path.write_bytes(content)
    done = shop.call(nn, status=1, REX_CUBIN=str(path))
    assert done.stderr == f"rex: REX_CUBIN names {path}, {complaint}\n"


# GPUs that are missing or do not fit.


@pytest.fixture(scope="session")
def fake_driver(shop: Workshop) -> str:
    return shop.fake_driver()


@pytest.fixture(scope="session")
def nn_for_gpu_only(shop: Workshop, nn: str) -> str:
    rose = shop.compile("gcc", "rose_nn.c", "-DTEST_WITHOUT_CPU_DEVICE", target="rose_nn_gpu.o")
    return shop.link(rose, shop.registration, target="nn_gpu")


ON_CPU = "target regions run on the CPU device"
ON_HOST = "target regions run on the host"
STOPS = "the program stops, as OMP_TARGET_OFFLOAD=MANDATORY demands"
TOO_OLD = "the GPU is sm_80 but nn.c was built for sm_90 (build it with --offload-arch=sm_80)"
BROKEN = "the NVIDIA driver does not start (CUDA error 803)"
NO_IMAGE = "and nn.c brings no CPU device image (--target=both)"


def sentences(stderr: str) -> list[str]:
    return [line.removeprefix("rex: ") for line in stderr.splitlines() if line.startswith("rex: ")]


@pytest.mark.parametrize(
    ("gpu", "expected"), [("none", []), ("80", [f"{TOO_OLD}, so {ON_CPU}"]), ("broken", [f"{BROKEN}, so {ON_CPU}"])]
)
def test_the_cpu_device_steps_in(shop: Workshop, nn: str, fake_driver: str, gpu: str, expected: list[str]) -> None:
    done = shop.call(nn, LD_LIBRARY_PATH=fake_driver, FAKE_CUDA=gpu)
    assert done.stdout == NN_RESULT
    assert sentences(done.stderr) == expected


@pytest.mark.parametrize(
    ("gpu", "reason"),
    [("none", f"no NVIDIA GPU was found {NO_IMAGE}"), ("80", TOO_OLD), ("broken", f"{BROKEN} {NO_IMAGE}")],
)
def test_the_host_steps_in(shop: Workshop, nn_for_gpu_only: str, fake_driver: str, gpu: str, reason: str) -> None:
    done = shop.call(nn_for_gpu_only, LD_LIBRARY_PATH=fake_driver, FAKE_CUDA=gpu)
    assert done.stdout == NN_RESULT
    assert sentences(done.stderr) == [f"{reason}, so {ON_HOST}"]


def test_no_driver_at_all(shop: Workshop, nn_for_gpu_only: str) -> None:
    done = shop.call(nn_for_gpu_only, REX_INFO="1", LD_LIBRARY_PATH="")
    assert done.stdout == NN_RESULT
    if "GPU" not in done.stderr.split("CPU device image")[0]:
        assert sentences(done.stderr)[0] == f"no NVIDIA driver (libcuda.so.1) was found {NO_IMAGE}, so {ON_HOST}"


@pytest.mark.parametrize("program", ["nn", "nn_for_gpu_only"])
def test_mandatory_stops_where_the_gpu_does_not_fit(
    shop: Workshop, fake_driver: str, program: str, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(program)
    done = shop.call(path, status=1, LD_LIBRARY_PATH=fake_driver, FAKE_CUDA="80", OMP_TARGET_OFFLOAD="mandatory")
    assert done.stderr == f"rex: {TOO_OLD}, so {STOPS}\n"


def test_rex_cubin_of_another_architecture(shop: Workshop, nn: str, fake_driver: str) -> None:
    shop.pretend_cubin("given.cubin", 90)
    done = shop.call(nn, LD_LIBRARY_PATH=fake_driver, FAKE_CUDA="80", REX_CUBIN="given.cubin")
    reason = "the GPU is sm_80 but the cubin that REX_CUBIN names was built for sm_90"
    assert sentences(done.stderr) == [f"{reason}, so {ON_CPU}"]


def test_images_that_libomptarget_refuses(shop: Workshop, nn: str, fake_driver: str) -> None:
    done = shop.call(nn, LD_LIBRARY_PATH=fake_driver, FAKE_CUDA="90")
    assert done.stdout == NN_RESULT
    assert sentences(done.stderr) == [f"libomptarget accepts none of this program's device images, so {ON_HOST}"]


# Two modules whose kernels and variables have the same names.


class Fill:
    """The modules' objects, and how to compile one more time."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop
        for name, start in (("one", "1"), ("two", "100")):
            (shop.folder / name).mkdir()
            shop.host_image("fill", f"-DFILL_START={start}", target=f"{name}/rex_lib_fill.host.so")
        self.objects = self.compiled("gcc -std=c99 -pedantic")
        self.main = shop.compile("gcc", "fill_main.c", target="fill_main.o")

    def compiled(self, compiler: str, *flags: str, suffix: str = "") -> list[str]:
        return [
            self.shop.compile(
                compiler,
                "rose_fill.c",
                *flags,
                *(f"-DNAME={name}", f"-DFILL_START={start}", f'-DIMAGE_FOLDER="{name}"', '-DREX_IMAGE_DIR="."'),
                target=f"fill_{name}{suffix}.o",
            )
            for name, start in (("one", "1"), ("two", "100"))
        ]

    def shared(self, index: int, target: str) -> str:
        self.shop.link("-shared", self.objects[index], self.shop.registration, target=target)
        return target


@pytest.fixture(scope="session")
def fill(shop: Workshop) -> Fill:
    return Fill(shop)


def test_two_modules_in_one_program(shop: Workshop, fill: Fill) -> None:
    program = shop.link(fill.main, *fill.objects, shop.registration, target="fill_both")
    assert shop.call(program).stdout == FILL_RESULT


def test_a_module_in_a_static_library(shop: Workshop, fill: Fill) -> None:
    shop.call("ar", "rcs", "libfill_two.a", fill.objects[1])
    program = shop.link(fill.main, fill.objects[0], shop.registration, "libfill_two.a", target="fill_static")
    assert shop.call(program).stdout == FILL_RESULT


def test_a_module_in_a_shared_library(shop: Workshop, fill: Fill) -> None:
    library = fill.shared(1, "libfill_two.so")
    program = shop.link(fill.main, fill.objects[0], shop.registration, library, "-Wl,-rpath,.", target="fill_shared")
    assert shop.call(program).stdout == FILL_RESULT


def test_a_main_that_knows_nothing_of_its_shared_libraries(shop: Workshop, fill: Fill) -> None:
    libraries = fill.shared(0, "libfill_first.so"), fill.shared(1, "libfill_second.so")
    program = shop.link(fill.main, *libraries, "-Wl,-rpath,.", target="fill_libraries")
    assert shop.call(program).stdout == FILL_RESULT


def test_libraries_that_come_and_go(shop: Workshop, fill: Fill) -> None:
    fill.shared(0, "libone.so"), fill.shared(1, "libtwo.so")
    plugin = shop.compile("gcc", "fill_plugin.c", target="fill_plugin.o")
    done = shop.call(shop.link(plugin, target="fill_plugin"))
    assert done.stdout == "fill_one on device: 1 10\nfill_two on device: 100 1000\n" * 3


def test_disabled_needs_no_registration(shop: Workshop, fill: Fill) -> None:
    program = shop.link(fill.main, *fill.objects, shop.registration, target="fill_disabled")
    done = shop.call(program, OMP_TARGET_OFFLOAD="disabled")
    assert done.stdout == FILL_RESULT.replace("some", "none").replace("device:", "host:")


GARBAGE = ("-ffunction-sections", "-fdata-sections")


@pytest.mark.parametrize(
    ("compiler", "link"),
    [
        ("gcc -O3", ("gcc", "-Wl,--gc-sections")),
        ("clang-19 -O3", ("clang-19", "-fuse-ld=lld", "-Wl,--gc-sections")),
        ("gcc -O3 -flto", ("gcc", "-O3", "-flto=1", "-flto-partition=max", "-Wl,--gc-sections")),
        ("clang-19 -O3 -flto", ("clang-19", "-fuse-ld=lld", "-flto", "-Wl,--gc-sections")),
        ("g++ -x c++ -O3", ("g++", "-pie", "-Wl,--gc-sections")),
    ],
)
def test_optimising_linkers_keep_the_modules(shop: Workshop, fill: Fill, compiler: str, link: tuple[str, ...]) -> None:
    suffix = re.sub(r"\W+", "_", compiler)
    objects = fill.compiled(compiler, *GARBAGE, suffix=suffix)
    driver, *flags = link
    program = shop.link(*flags, fill.main, *objects, shop.registration, target=f"fill{suffix}", compiler=driver)
    assert shop.call(program).stdout == FILL_RESULT


def test_a_program_that_only_moves_data(shop: Workshop) -> None:
    shop.host_image("data")
    rose = shop.compile("gcc", "rose_data.c", "-DTEST_WITH_IMAGE", *WARNINGS, target="rose_data.o")
    program = shop.link(rose, shop.registration, target="data")
    assert shop.call(program).stdout == "devices, mapped elsewhere, x[0] 1\n"


def test_a_program_without_modules_and_a_library_loaded_later(shop: Workshop, fill: Fill) -> None:
    """Nothing is registered that would give the library's registration another meaning."""
    fill.shared(0, "libfill_later.so")
    rose = shop.compile("gcc", "rose_data.c", *WARNINGS, target="rose_nothing.o")
    program = shop.link(rose, shop.registration, target="nothing")
    assert shop.call(program).stdout == "no devices, x[0] -1\n"
    assert shop.call(program, "./libfill_later.so").stdout == "no devices, x[0] -1\nlibrary on device\n"


def test_link_units_agree_on_one_kind_of_device(shop: Workshop, fill: Fill, nn: str, fake_driver: str) -> None:
    """The library has images for the CPU device only and comes first; the program would take the GPU."""
    library = fill.shared(0, "libfill_cpu.so")
    program = shop.link(
        "-Wl,--no-as-needed", library, "rose_nn.o", shop.registration, "-Wl,-rpath,.", target="nn_mixed"
    )
    done = shop.call(program, LD_LIBRARY_PATH=fake_driver, FAKE_CUDA="90")
    assert done.stdout == NN_RESULT
    assert sentences(done.stderr) == [f"another part of this program uses the CPU device, so {ON_HOST}"]


def test_objects_for_different_runtimes(shop: Workshop, fill: Fill) -> None:
    newer = fill.compiled("gcc", "-DREX_LLVM_VERSION=22", suffix="_22")
    program = shop.link(fill.main, *newer, shop.registration, target="fill_22")
    reason = "fill.c and register_cubin.cpp were compiled with different values of REX_LLVM_VERSION"
    assert sentences(shop.call(program, status=1).stderr) == [reason]


def test_regions_before_and_after_main(shop: Workshop, fill: Fill) -> None:
    main = shop.compile("gcc", "fill_lifetime.c", target="fill_lifetime.o")
    done = shop.call(shop.link(main, fill.objects[0], shop.registration, target="fill_lifetime"))
    stages = ("constructor", "main", "atexit", "destructor")
    assert done.stdout == "".join(f"{stage} on device: 1000\n" for stage in stages)


def test_threads_register_and_launch_at_once(shop: Workshop, fill: Fill) -> None:
    main = shop.compile("gcc", "fill_threads.c", target="fill_threads.o")
    program = shop.link(main, fill.objects[0], shop.registration, "-pthread", target="fill_threads")
    assert shop.call(program).stdout == "1600 of 1600 launches right\n"


# Device code: reductions, atomics, barriers, views, the scheduler.


def test_device_operations_through_libomptarget(shop: Workshop) -> None:
    shop.host_image("ops")
    shop.pretend_cubin("rex_lib_ops.sm_90.cubin", 90)
    rose = shop.compile("g++ -std=c++11 -O0", "rose_ops.cpp", *WARNINGS, target="rose_ops.o")
    program = shop.link(rose, shop.registration, target="ops")
    assert re.fullmatch(r"\d+ checks, 0 failures\n", shop.call(program).stdout)


@pytest.mark.parametrize(
    "compiler", support.sampled(["clang++-19 -std=c++20 -DREX_HOST_UCONTEXT", "g++ -std=gnu++17"], 2)
)
def test_device_headers_alone(shop: Workshop, compiler: str) -> None:
    words = compiler.split()
    target = re.sub(r"\W+", "_", compiler)
    shop.call(tool(words[0]), *words[1:], "-O1", *WARNINGS, INCLUDE, PROGRAMS / "device.cpp", "-pthread", "-o", target)
    assert shop.call(f"./{target}").stdout == "0 failures\n"


def test_the_kernel_that_brings_rows_home_copies_each_byte_once(shop: Workshop) -> None:
    words = ("-std=c++17", *WARNINGS, "-Wno-unknown-pragmas", INCLUDE, PROGRAMS / "arrivals.cpp")
    shop.call(tool("g++"), *words, "-o", "arrivals")
    assert shop.call("./arrivals").stdout == "wrong: 0\n"


@pytest.mark.parametrize("compiler", support.sampled(["clang++-19 -std=c++20", "g++ -std=gnu++17"], 2))
def test_teams_of_threads(shop: Workshop, compiler: str) -> None:
    words = compiler.split()
    target = re.sub(r"\W+", "_", f"teams {compiler}")
    source = ("-x", "c++", PROGRAMS / "teams.cu")
    shop.call(tool(words[0]), *words[1:], "-O1", *WARNINGS, INCLUDE, *source, "-pthread", "-o", target)
    assert re.search(r"\n\d{5,} checks, 0 failures\n$", shop.call(f"./{target}").stdout)
    stuck = shop.call(f"./{target}", "stuck", status=-signal.SIGABRT, REX_HOST_CORES="1")
    problem = "not all threads of team 0 reach the same barrier: 40 of its 40 threads would wait for ever"
    assert stuck.stderr == f"rex: {problem}\n"


@pytest.mark.parametrize(
    ("program", "flags"),
    [
        ("rex_lib_ops", "-std=c++17 -arch=sm_90 -Xptxas -O0"),
        ("rex_lib_nn", "-std=c++20 -arch=sm_75 -Xptxas -O0"),
        ("teams", "-std=c++17 -arch=sm_75 -Xcicc -O0 -Xptxas -O0"),  # a tenth of the time
    ],
)
def test_nvcc_takes_the_same_text(shop: Workshop, program: str, flags: str) -> None:
    target = f"{program}.of_nvcc.cubin"
    source = PROGRAMS / f"{program}.cu"
    done = shop.call(tool("nvcc"), *flags.split(), "-cubin", INCLUDE, source, "-o", target)
    assert (shop.folder / target).read_bytes()[:4] == b"\x7fELF"
    assert "warning" not in (done.stderr + done.stdout).lower()


HOST_COMPILERS = ["gcc -std=c99", "clang-19", "g++ -x c++ -std=c++11", "clang++-19 -x c++ -std=c++20"]


def test_functions_that_cuda_lacks_are_those_of_the_host(shop: Workshop) -> None:
    shop.call("g++", "-std=c++17", *WARNINGS, INCLUDE, PROGRAMS / "builtins.cpp", "-o", "builtins")
    assert shop.call("./builtins").stdout == "0 failures\n"


@pytest.mark.parametrize("program", ["arithmetic.c", "geometry.c"])
@pytest.mark.parametrize("compiler", HOST_COMPILERS)
def test_host_arithmetic(shop: Workshop, compiler: str, program: str) -> None:
    words = compiler.split()
    target = re.sub(r"\W+", "_", f"{program} {compiler}")
    shop.call(tool(words[0]), *words[1:], *WARNINGS, "-pedantic", INCLUDE, PROGRAMS / program, "-o", target)
    assert shop.call(f"./{target}").stdout == "0 failures\n"


# omp.h.


@pytest.mark.parametrize("compiler", ["clang-19", "clang++-19 -x c++"])
def test_omp_header_agrees_with_llvm(shop: Workshop, compiler: str) -> None:
    words = compiler.split()
    source = PROGRAMS / "omp_abi.c"
    shop.call(tool(words[0]), *words[1:], "-w", "-fopenmp", "-fsyntax-only", source)
    seen = []
    for target, flags in (("abi_llvm", ["-fopenmp"]), ("abi_ours", [INCLUDE])):
        shop.call(*words, "-w", *flags, source, "-o", target)
        seen.append(shop.call(f"./{target}").stdout)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("compiler", ["gcc", "g++ -x c++", "clang-19", "clang++-19 -x c++"])
def test_omp_header_with_the_compilers_openmp(shop: Workshop, compiler: str) -> None:
    name = re.sub(r"\W+", "_", f"user {compiler}")
    user = shop.compile(compiler, "omp_user.c", "-Wall", "-Wno-uninitialized", target=f"{name}.o")
    assert shop.call(shop.link(user, target=name)).stdout == "42 2 of %n threads\n"


def front_end_complaints(shop: Workshop, program: str, language: str, standard: str, *more: str) -> list[str]:
    """Parse a program the way the front end does, with the wheel's libclang and no headers of clang."""
    gcc = shop.call("gcc", "-print-file-name=include").stdout.strip()
    flags = ("-x", language, f"-std={standard}", "-D_OPENMP=202111", "-idirafter", gcc, "-Wall", "-Wextra", *more)
    unit = cindex.Index.create().parse(str(PROGRAMS / program), args=[*flags, INCLUDE])
    return [str(diagnostic) for diagnostic in unit.diagnostics]


@pytest.mark.parametrize(("language", "standard"), [("c", "gnu17"), ("c", "c99"), ("c++", "c++11"), ("c++", "gnu++20")])
def test_omp_header_in_our_front_end(shop: Workshop, language: str, standard: str) -> None:
    assert not front_end_complaints(shop, "omp_abi.c", language, standard)


def test_generic_mathematics_in_our_front_end(shop: Workshop) -> None:
    assert not front_end_complaints(shop, "tgmath_user.c", "c", "gnu17", "-DREX_FRONT_END")


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_generic_mathematics_of_the_compilers(shop: Workshop, compiler: str) -> None:
    target = f"tgmath_{compiler[0]}"
    shop.call(tool(compiler), INCLUDE, PROGRAMS / "tgmath_user.c", "-o", target, "-lm")
    shop.call(f"./{target}")


QUEUE = """enter
look for __omp_rtl_device_environment
find kernel
new queue
leave
- outside of batches
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
wait
leave
- outside, absent
libomptarget launches and waits
- outside, unknown
libomptarget launches and waits
- update outside
enter
bring 12 bytes to 1008: ''
fetch 5 bytes from 1020
wait
leave
- update outside, absent
libomptarget updates
- second device
enter 1
look for __omp_rtl_device_environment
find kernel
new queue 1
leave 1
- outside
enter 1
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
wait 1
leave 1
- update outside
enter 1
bring 12 bytes to 2008: ''
fetch 5 bytes from 2020
wait 1
leave 1
- first
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- in a batch inside, refused by the driver
refused
wait
libomptarget launches and waits
- after that
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- update in the queue
bring 12 bytes to 1008: 'first update'
bring 5 bytes to 1020: ', two'
- between updates
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- update back
bring 12 bytes to 1008: 'first update'
fetch 5 bytes from 1020
wait
- update of what is absent
libomptarget updates
- update of too much
libomptarget updates
- update on another device
leave
libomptarget updates
- update of nothing
enter
bring 12 bytes to 1008: 'first update'
- update of another kind
bring 12 bytes to 1008: 'first update'
bring 5 bytes to 1020: 'ddddd'
- update first in the queue
bring 12 bytes to 1008: 'first update'
bring 5 bytes to 1020: 'ddddd'
- update of all there
bring 12 bytes to 1008: 'first update'
bring 90 bytes to 1000: ''
- update of what is not all there
wait
libomptarget updates
- before attached pointers
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- update of attached pointers
wait
libomptarget updates
- not all there
libomptarget launches and waits
- all there
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- a part of it
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- not all there, but implicit
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
2 questions
0 further ones of pairs
- before a copy
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- with a copy
wait
libomptarget launches and waits
- absent
libomptarget launches and waits
- own copy
bring 13 bytes to 5000: 'first-private'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
- too large a copy
wait
libomptarget launches and waits
- the results of teams
bring 64 bytes to 5000: ''
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
- again
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1008
- with more of them
bring 64 bytes to 5000: ''
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
- task
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- of another device
wait
leave
libomptarget launches and waits
- unknown
enter
libomptarget launches and waits
- last
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- end
wait
leave
- next batch
- before another thread unmaps
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- while it does
wait
libomptarget launches and waits
unmapped after 1 wait
- in a batch after that
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- end
wait
leave
- outside after that
libomptarget launches and waits
- using a member of the host's
enter
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- read
wait
- end
leave
- using pinned memory
enter
leave
- launch
libomptarget launches and waits
- end
- using an array that ends there
enter
leave
- launch
libomptarget launches and waits
- using one with an element there
enter
leave
- launch
libomptarget launches and waits
- using one of which the driver does not say
enter
leave
- launch
libomptarget launches and waits
- using a member around others
enter
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- using the same one
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- not one of the first
wait
- using pinned memory
leave
- launch
libomptarget launches and waits
- behind it
libomptarget launches and waits
- end
- before another GPU's
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- of the host
wait
libomptarget launches and waits
- before another GPU's
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- of another GPU
wait
leave
libomptarget launches and waits
- behind it
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- end
wait
leave
- update on another GPU
libomptarget updates
- behind it
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- end
wait
leave
- before a task of the host's
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- of the host
wait
- end
leave
- first
enter 1
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- behind it
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- of the other
leave 1
enter
enter 1
wait 1
leave 1
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- task
leave
enter 1
enter
wait
leave
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- task of the other
leave 1
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- after its tasks
leave
enter 1
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- after more than tasks
leave 1
enter
enter 1
wait 1
leave 1
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- task
leave
enter 1
enter
wait
leave
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- read
wait 1
- task
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- task of the other
leave 1
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- update back
leave
enter 1
wait 1
enter
wait
leave
libomptarget updates
- task of the other
leave 1
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- of a third
wait
leave
libomptarget launches and waits
- task
enter 1
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2000 1
- task of the other
leave 1
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- end
wait
enter 1
wait 1
leave 1
leave
- outside of batches
libomptarget launches and waits
- before nothing is executed
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- before the queue is left
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
wait
leave
- left
- while it is
libomptarget launches and waits
- behind it
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- and once more
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- end
wait
leave
- before an assertion fails
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
wait
leave
- behind it
libomptarget launches and waits
"""


SMALL_ROWS = """\
- new
libomptarget maps 1 row, 9 bytes, type 0
enter
bring 9 bytes to 3000: '12345678'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
fetch 9 bytes from 3000
wait
leave
libomptarget unmaps, type 0
- home: ddddddddd
- new, implicit
libomptarget maps 1 row, 9 bytes, type 512
enter
bring 9 bytes to 3000: '12345678'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
fetch 9 bytes from 3000
wait
leave
libomptarget unmaps, type 512
- home: ddddddddd
- new, to
libomptarget maps 1 row, 8 bytes, type 0
enter
bring 8 bytes to 3000: '12345678'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
wait
leave
libomptarget unmaps, type 0
- home: 12345678
- new, from
libomptarget maps 1 row, 4 bytes, type 0
enter
refused
wait
leave
libomptarget unmaps, type 0
libomptarget launches and waits
- home: 12345678
- new, alloc
libomptarget maps 1 row, 32 bytes, type 0
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
wait
leave
libomptarget unmaps, type 0
- home: 12345678
- new, always
libomptarget launches and waits
- home: 12345678
- new, too large
libomptarget launches and waits
- home: 12345678
- new, not mapped as a whole
libomptarget maps 1 row, 33 bytes, type 0
libomptarget unmaps, type 0
libomptarget launches and waits
- home: 12345678
- new, unknown kernel
libomptarget launches and waits
- home: 12345678
- from, not as before
libomptarget maps 1 row, 4 bytes, type 0
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
fetch 4 bytes from 3000
wait
leave
libomptarget unmaps, type 0
- home: dddd5678
- from, as before
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
fetch 4 bytes from 5000
wait
leave
- home: dddd5678
- new, as before
enter
bring 9 bytes to 5000: '12345678'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
fetch 9 bytes from 5000
wait
leave
- home: ddddddddd
- new, as before, implicit
libomptarget maps 1 row, 9 bytes, type 512
enter
bring 9 bytes to 3000: '12345678'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
fetch 9 bytes from 3000
wait
leave
libomptarget unmaps, type 512
- home: ddddddddd
- before something new
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- new, as before
bring 9 bytes to 5000: '12345678'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
fetch 9 bytes from 5000
wait
- home: ddddddddd
- before something new
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- new, not as before
wait
libomptarget maps 1 row, 6 bytes, type 0
enter
new queue
bring 6 bytes to 3000: '123456'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
fetch 6 bytes from 3000
wait
leave
libomptarget unmaps, type 0
- home: dddddd78
- to, not as before
libomptarget maps 1 row, 7 bytes, type 0
enter
bring 7 bytes to 3000: '1234567'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
wait
leave
libomptarget unmaps, type 0
- home: 12345678
- to, as before
bring 7 bytes to 5000: '1234567'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
- home: 12345678
- end
wait
leave
- to, as before
enter
bring 7 bytes to 5000: '1234567'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 4992
wait
leave
- home: 12345678
- to, as before, implicit
libomptarget maps 1 row, 7 bytes, type 512
enter
bring 7 bytes to 3000: '1234567'
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
wait
leave
libomptarget unmaps, type 512
- home: 12345678
- a pointer into it
libomptarget maps 1 row, 7 bytes, type 0
enter
bring 7 bytes to 3000: '1234567'
queue kernel: 7 x 64, 0 bytes, environment (nil), 3000 3006
wait
leave
libomptarget unmaps, type 0
- a pointer behind it
libomptarget maps 1 row, 7 bytes, type 0
enter
bring 7 bytes to 3000: '1234567'
queue kernel: 7 x 64, 0 bytes, environment (nil), 3000 3007
wait
leave
libomptarget unmaps, type 0
- there
enter
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 2992
wait
leave
- home: 12345678
- new and there
enter
bring 9 bytes to 5000: '12345678'
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
fetch 9 bytes from 5000
wait
leave
- home: ddddddddd
- new, and mapped meanwhile
libomptarget launches and waits
- home: 12345678
- new and there, where that is still being brought
libomptarget maps 1 row, 10 bytes, type 0
libomptarget unmaps, type 0
libomptarget launches and waits
- home: 12345678
- new, where another thread has unmapped
libomptarget launches and waits
- home: 12345678
"""


OBJECTS = """\
- absent
enter
bring 24 bytes: 7, 1010, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
wait
leave
- absent, in a batch
enter
bring 24 bytes: 7, 1010, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
- end
wait
leave
- beside a new row
libomptarget maps 1 row, 9 bytes, type 0
enter
bring 9 bytes: 0, 0, 0
bring 24 bytes: 7, 1010, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 3000
fetch 9 bytes from 3000
wait
leave
libomptarget unmaps, type 0
- refused by the driver
enter
bring 24 bytes: 7, 1010, 1040
refused
leave
libomptarget launches and waits
- without a member's value
enter
bring 24 bytes: 0, 1010, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
wait
leave
- implicit
enter
bring 24 bytes: 7, 1010, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
wait
leave
- a member that comes home
libomptarget launches and waits
- always
libomptarget launches and waits
- of nothing
libomptarget launches and waits
- more than is there
libomptarget launches and waits
- what is absent
libomptarget launches and waits
- a pointer of another object
libomptarget launches and waits
- another row leads into it
libomptarget launches and waits
- another row leads there from before
libomptarget launches and waits
- of another row's
libomptarget launches and waits
- in a batch
enter
bring 24 bytes: 7, 1010, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
- in memory that the GPU has access to
wait
libomptarget launches and waits
- end
leave
- a pointer before all
enter
bring 24 bytes: 7, 1010, 0
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 1000
wait
leave
- from byte 4 on
enter
bring 88 bytes: 1030, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 5064
wait
leave
- from byte 8 on
enter
bring 88 bytes: 1030, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 5064
wait
leave
- from byte 16 on
enter
bring 88 bytes: 1030, 1040
queue kernel: 7 x 64, 0 bytes, environment (nil), 5000 5064
wait
leave
"""


IN_ORDER = """- kernel
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
- home
fetch 3 bytes from 1000
- home
fetch 3 bytes from 1008
- up, and not on its way home
bring 4 bytes to 1004: '5678'
- 123456789 123456789 123456789
- up, and on its way home
wait
bring 3 bytes to 1010: 'd23'
- ddd45678ddd23456789 123456789
- kernel
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
- home
fetch 3 bytes from 1020
- end
wait
leave
- ddd45678ddd23456789 ddd456789
- queues nothing: 0
- kernel
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
- home at once
fetch 1 bytes from 1014
wait
- ddd45678ddd234d6789 ddd456789
"""

RESTATED = """- attached by libomptarget
libomptarget launches and waits
- and again
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
wait
leave
- in a batch
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
- another value
wait
libomptarget launches and waits
- and again
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
- end
wait
leave
- data is mapped
- beside it
enter
refused
leave
libomptarget launches and waits
- data is mapped
- in the pointer's place
libomptarget launches and waits
- and again
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
wait
leave
- data is mapped
- attached to something else
libomptarget launches and waits
- and again
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
wait
leave
- something has been unmapped
libomptarget launches and waits
- and again
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
wait
leave
- always
libomptarget launches and waits
- behind it
libomptarget launches and waits
- and again
enter
queue kernel: 7 x 64, 0 bytes, environment (nil), 42 1000
wait
leave
- more than is there
libomptarget launches and waits
- more than is there, again
libomptarget launches and waits
- what is not there
libomptarget launches and waits
- and again
libomptarget launches and waits
"""

ARRIVALS = """enter
look for __omp_rtl_device_environment
find rex_bring_home
find kernel
new queue
leave
- outside of batches
enter
fetch 5 bytes from 1020
wait
leave
....................ddddd..........................................................................
- with nothing in the queue
enter
fetch 5 bytes from 1020
wait
....................ddddd..........................................................................
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- behind it
bring home by 1 x 256: 5 from 1020
wait
....................kkkkk..........................................................................
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- behind it
bring home by 1 x 256: 5 from 1020
wait
....................kkkkk..........................................................................
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- three rows and one of nothing
bring home by 1 x 256: 40 from 1000 7 from 1061 20 from 1077
wait
kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk.....................kkkkkkk.........kkkkkkkkkkkkkkkkkkkk..
- launch
refused
libomptarget launches and waits
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- five rows
fetch 3 bytes from 1000
fetch 3 bytes from 1010
fetch 3 bytes from 1020
fetch 3 bytes from 1030
fetch 3 bytes from 1040
wait
ddd.......ddd.......ddd.......ddd.......ddd........................................................
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- one to the device and two home
bring 3 bytes to 1000: '...'
fetch 3 bytes from 1010
fetch 3 bytes from 1020
wait
..........ddd.......ddd............................................................................
- launch
queue kernel: 7 x 64, 16 bytes, environment (nil), 42 1000
- refused by the driver
refused
wait
libomptarget updates
...................................................................................................
- with nothing in the queue
fetch 90 bytes from 1000
wait
dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd.........
- to the device
bring 5 bytes to 1020: '.....'
...................................................................................................
- behind that
fetch 5 bytes from 1020
wait
....................ddddd..........................................................................
- end
leave
"""


def test_launches_and_updates_wait_only_where_they_must(shop: Workshop, queue: str) -> None:
    variables = "variables: 001110\nof math: 10 10 00 00\nof reductions: 10\nof language: 10 10 00 00 0\n"
    variables += "of libraries: 110000\nconstants: 100 100 100 100 100 100 10000\nkernels: 1000\ncalls: 100\n"
    assert shop.call(queue, LD_LIBRARY_PATH="queue_cuda").stdout == variables + QUEUE


def test_small_rows_travel_with_the_kernel(shop: Workshop, queue: str) -> None:
    """libomptarget maps and unmaps them; what is special about a row, or a launch, is left to it alone."""
    _, _, told = shop.call(queue, "small", LD_LIBRARY_PATH="queue_cuda").stdout.partition("- new\n")
    assert "- new\n" + told == SMALL_ROWS


def test_tasks_that_depend_on_each_other_are_queued_until_one_cannot_be(shop: Workshop, queue: str) -> None:
    """What is on its way home is there before it is brought again. A batch that has made tasks queues none the next
    time."""
    told = shop.call(queue, "tasks", LD_LIBRARY_PATH="queue_cuda").stdout.partition("leave\n- kernel\n")[2]
    queued, _, tasks = told.partition("- unknown\n")
    assert "- kernel\n" + queued == IN_ORDER
    assert "- queues nothing: 1\n" in tasks


def test_mappings_that_are_restated_need_nothing_of_libomptarget(shop: Workshop, queue: str) -> None:
    """Where a launch of libomptarget's has left the pointer attached as it would have to be, and nothing was done since
    then that could have changed it."""
    told = shop.call(queue, "restated", LD_LIBRARY_PATH="queue_cuda").stdout.partition("- attached by")
    assert told[1] + told[2] == RESTATED


def test_objects_that_are_absent_travel_with_the_kernel(shop: Workshop, queue: str) -> None:
    """What their pointers lead to must be there as a whole, nothing of them may come home, and members are aligned."""
    _, _, told = shop.call(queue, "objects", LD_LIBRARY_PATH="queue_cuda").stdout.partition("- absent\n")
    assert "- absent\n" + told == OBJECTS


def test_rows_come_home_from_behind_kernels_by_a_kernel(shop: Workshop, queue: str) -> None:
    done = shop.call(queue, "arrivals", LD_LIBRARY_PATH="queue_cuda").stdout
    assert done.partition("calls: 100\n")[2] == ARRIVALS


def test_rows_come_home_by_the_engine_where_ranks_share_a_device(shop: Workshop, queue: str) -> None:
    """Three devices. A kernel would have to wait for its rank's turn, the engine for copies has not to."""
    for ranks, kernels in ((3, 3), (4, 0)):
        variables = {"OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": str(ranks)}
        done = shop.call(queue, "arrivals", LD_LIBRARY_PATH="queue_cuda", **variables).stdout
        assert done.count("bring home by") == kernels
        assert ("find rex_bring_home" in done) == (kernels > 0)


@pytest.mark.parametrize(
    ("wait", "what"),
    [("1", "this kernel"), ("4", "this update"), ("5", "this kernel, or one that was queued behind it,")],
)
def test_a_kernel_that_fails_is_told_by_its_place(shop: Workshop, queue: str, wait: str, what: str) -> None:
    done = shop.call(queue, status=-6, LD_LIBRARY_PATH="queue_cuda", FAKE_QUEUE_FAILS=wait)
    words = "words of the driver (REX_SYNCHRONOUS=1 waits for each); compute-sanitizer tells where"
    assert done.stderr == f"rex: queue.cpp:1 main: {what} has failed: {words}\n"


def test_a_kernel_that_ends_the_program_may_have_had_no_memory(shop: Workshop, queue: str) -> None:
    """The device tells no more than that: a kernel that may print costs milliseconds."""
    failing = {"FAKE_QUEUE_FAILS": "1", "FAKE_QUEUE_ERROR": "719"}
    done = shop.call(queue, status=-6, LD_LIBRARY_PATH="queue_cuda", **failing)
    assert "words of the driver, as where it calls abort(), or no device memory is left for an array" in done.stderr


def test_every_file_says_its_licence() -> None:
    files = [path for folder in ("include", "src") for path in (RUNTIME / folder).iterdir() if path.is_file()]
    assert len(files) > 10
    for path in files:
        assert path.read_text(encoding="utf-8").startswith("// SPDX-License-Identifier: Apache-2.0\n"), path
