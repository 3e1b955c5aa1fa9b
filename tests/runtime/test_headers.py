"""What the device headers must not say: what a compiler goes wrong over, names of each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rexcc import runtime
from rexcc.target.commands import LIBRARY_ON_DEVICES, Around, CommandLine, HostCompiler, Job
from rexcc.target.nvptx_tools import NO_CONST_FUNCTIONS, NvidiaTools


def test_a_pointer_is_asked_for_one_address_space_only() -> None:
    """nvcc 13.0 mixes up ``__isShared`` and ``__isLocal`` of one pointer (see ``is_shared`` in the reductions)."""
    asked = {
        name
        for header in runtime.INCLUDE.glob("rex_device_*.h")
        for name in re.findall(r"\b__is([A-Z]\w+)\(", header.read_text())
    }
    assert asked == {"Local"}


@pytest.mark.parametrize("language", ["c", "c++"])
def test_nvcc_takes_all_device_headers_together(tmp_path: Path, language: str) -> None:
    """A device file includes those that its program needs: each name is declared in one of them alone."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    first = ["#define REX_SOURCE_IS_C"] if language == "c" else []
    library = [f"#include <{name}>" for name in ("atomic", "complex", "cstdint")]
    ours = [f'#include "{header.name}"' for header in sorted(runtime.INCLUDE.glob("rex_device_*.h"))]
    source = tmp_path / "all.cu"
    source.write_text("\n".join([*first, '#include "rex_nvidia.h"', *library, *ours]) + "\n")
    flags = ["-std=c++17", "--expt-relaxed-constexpr", "-D_GLIBCXX_BITS_SPECFUN_H", "-w", f"-I{runtime.INCLUDE}"]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, str(source), "-o", str(tmp_path / "all.ptx")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_nvcc_takes_them_where_the_compiler_behind_it_checks_strings(tmp_path: Path) -> None:
    """Ubuntu's gcc defines ``_FORTIFY_SOURCE`` by itself, as the words in front do here."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    source = tmp_path / "a.cu"
    source.write_text('#include "rex_nvidia.h"\n')
    host = HostCompiler("gcc", "g++", "gcc")
    job = Job(str(source), str(tmp_path / "a.cubin"), "sm_90", text="#include <string>")  # with all headers
    (step,) = NvidiaTools().image(job, CommandLine(optimization="2"), Around("nvcc", host, str(runtime.INCLUDE), 19))
    assert not step.quicker
    environment = {**os.environ, "NVCC_PREPEND_FLAGS": "-D_FORTIFY_SOURCE=2"}
    done = subprocess.run(step.argv, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


ALGORITHMS = """#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>
struct A { int v; };
struct B { int w; };
extern "C" __global__ void copies(int *p, int n) { std::copy(p, p + n, p + n); }
extern "C" __global__ void shifts(int *p, int n) { std::move_backward(p, p + n, p + n + 1); }
extern "C" __global__ void fills(char *p, int n) { std::fill(p, p + n, 'x'); }
extern "C" __global__ void sorts(int *p, int n) { std::sort(p, p + n); }
extern "C" __global__ void moves(int *p, int n) { std::rotate(p, p + 1, p + n); std::reverse(p, p + n); }
extern "C" __global__ void compares(const int *p, int *q, int n) { *q = std::equal(p, p + n, q + 1); }
extern "C" __global__ void finds(int *q) { *q = (int)std::string_view("hello world").find("wor"); }
extern "C" __global__ void visits(std::variant<A, B> *v, int *q) {
  *q = std::visit([](const auto &x) { return (int)sizeof x; }, *v);
}
"""


def test_nvcc_leaves_nothing_out_of_the_librarys_algorithms(tmp_path: Path) -> None:
    """Calls of functions that are not ``constexpr``, from system headers, it would leave out without a word."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    (tmp_path / "a.cu").write_text(ALGORITHMS)
    flags = ["-std=c++20", "--expt-relaxed-constexpr", "-w", *LIBRARY_ON_DEVICES]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, "a.cu", "-o", "a.ptx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    kernels = re.findall(r"\.entry (\w+)\((.*?)^}", (tmp_path / "a.ptx").read_text(), re.S | re.M)
    assert len(kernels) == 8
    assert [name for name, code in kernels if "st." not in code] == []


ITERATORS = """#include <array>
#include <iterator>
template <int, int> __device__ long two(long n) { return n; }
extern "C" __global__ void first(long n, int *o) {
  *o = __builtin_clzl(two<1, 2>(n)) + __builtin_constant_p(two<1, 2>(n));
}
extern "C" __global__ void further(int *a, int n, int *o) { std::advance(a, n); *o = *a; }
extern "C" __global__ void backwards(int n, int *o) { std::array<int, 5> a{1, 2, 3, 4, n}; *o = *a.rbegin(); }
"""


def test_nvcc_leaves_no_builtins_out_of_the_librarys_iterators(tmp_path: Path) -> None:
    """``std::advance`` asks ``__builtin_constant_p``, and nvcc reads it before our headers; ``rbegin`` is ``const``."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    (tmp_path / "a.cu").write_text(ITERATORS)
    flags = ["-std=c++17", "--expt-relaxed-constexpr", *LIBRARY_ON_DEVICES, NO_CONST_FUNCTIONS]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, "a.cu", "-o", "a.ptx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (tmp_path / "a.ptx").read_text()
    assert "trap;" not in text
    assert "mul.wide.s32" in text[: text.index("backwards")]


THROWING = """#include "rex_nvidia.h"
#include <array>
#include <optional>
#include <string_view>
#include <variant>
extern "C" __global__ void elements(std::array<int, 4> *a, int *q, int n) { *q = a->at(n); }
extern "C" __global__ void characters(int *q, int n) { *q = std::string_view("hello").at(n); }
extern "C" __global__ void parts(int *q, int n) { *q = (int)std::string_view("hello").substr(n).size(); }
extern "C" __global__ void values(std::optional<int> *o, int *q) { *q = o->value(); }
extern "C" __global__ void alternatives(std::variant<int, float> *v, int *q) { *q = std::get<0>(*v); }
"""


def test_nvcc_keeps_the_exceptions_of_constexpr_functions(tmp_path: Path) -> None:
    """A kernel that would throw ends: nvcc would leave out calls of the host's functions that throw."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    (tmp_path / "a.cu").write_text(THROWING)
    flags = ["-std=c++20", "--expt-relaxed-constexpr", "-I", str(runtime.INCLUDE), *LIBRARY_ON_DEVICES]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, "a.cu", "-o", "a.ptx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "a.ptx").read_text()
    kernels = re.findall(r"\.entry (\w+)\((.*?)^}", text, re.S | re.M)
    ends = re.findall(r"\.func +(\w+)\((?:(?!^}).)*?__assert.*?^}", text, re.S | re.M)  # one that has "..." is called
    assert len(kernels) == 5
    assert [name for name, code in kernels if not any(f"{end}," in code for end in ("__assertfail", *ends))] == []


LOOKED_UP = """#include "rex_nvidia.h"
struct Sums { int n; const int *place; double *of; };
extern "C" __global__ void adds(Sums *s, const void *n, rex_literal packed) {
  const int bound = rex_device_value<int>(n, rex_unpack<int>(packed));
  for (int i = threadIdx.x; i < bound; i += blockDim.x) rex_atomic_add(&s->of[s->place[i]], 1.0);
}
extern "C" __global__ void adds_more(Sums *s, const void *n, rex_literal packed) {
  const long long bound = rex_device_value<long long>(n, rex_unpack<long long>(packed));
  for (int i = threadIdx.x; i < bound; i += blockDim.x) rex_atomic_add(&s->of[s->place[i]], 1.0);
}
"""


def test_what_members_lead_to_is_global_memory_in_loops_with_looked_up_bounds(tmp_path: Path) -> None:
    """Where a kernel tests an address, nvcc asks at each atomic addition what kind of memory a member leads to."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    (tmp_path / "a.cu").write_text(LOOKED_UP)
    flags = ["-std=c++17", "-w", "-I", str(runtime.INCLUDE)]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, "a.cu", "-o", "a.ptx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    code = dict(re.findall(r"\.entry (\w+)\((.*?)^}", (tmp_path / "a.ptx").read_text(), re.S | re.M))
    assert list(code) == ["adds", "adds_more"]
    for name, text in code.items():
        assert "atom.global.add.f64" in text and not re.search(r"\b(?:atom\.add|ld\.(?!param|global))", text), name


WORDS = """#include <assert.h>
#define __host__
#define __device__
#define __CUDA_ARCH__ 900
#define __trap abort
#include <stdlib.h>
#include "rex_device_exceptions.h"
static void thrown(const char *what, ...) { va_list values; va_start(values, what); rex_thrown_with(what, values); }
int main(int count, char **given) {
  switch (count) {
  case 1: thrown("%s: __n (which is %zu) >= _Nm (which is %zu)", "array::at", (size_t)7, (size_t)-1);
  case 2: thrown("%zu%% of %s, %d and %", (size_t)0, "all");
  default: thrown("%s%s", given[1], given[2]);
  }
}
"""


def test_the_words_of_exceptions_have_their_values(tmp_path: Path) -> None:
    """glibc's ``__assert_fail`` is called as the GPU's."""
    (tmp_path / "a.cpp").write_text(WORDS)
    command = ["g++", "-w", "-fsanitize=address", "-I", str(runtime.INCLUDE), "a.cpp", "-o", "a"]
    subprocess.run(command, check=True, cwd=tmp_path)

    def said(*given: str) -> str:
        done = subprocess.run([tmp_path / "a", *given], capture_output=True, text=True, check=False)
        return done.stderr.partition("Assertion `")[2].rpartition("' failed.")[0]

    assert said() == "array::at: __n (which is 7) >= _Nm (which is 18446744073709551615)"
    assert said("1") == "0% of all, %d and %"
    assert said("a" * 200, "b" * 200) == "a" * 200 + "b" * 55


def test_registers_of_assembly_have_no_names_that_variables_can_have() -> None:
    """A variable of the user's is a symbol of its own name, and hides a register of that name: without a warning."""
    text = "".join(header.read_text() for header in runtime.INCLUDE.glob("rex_device_*.h"))
    names = re.findall(r"\.reg\s+\.\w+\s+([^;]+);", text)
    assert names
    assert [name for name in names if not re.fullmatch(r"%%\w+", name)] == []


HALVES = """#include "rex_nvidia.h"
#include "rex_device_half.h"
extern "C" __global__ void widens(const _Float16 *h, float *f) { f[threadIdx.x] = h[threadIdx.x]; }
extern "C" __global__ void rounds(const float *f, _Float16 *h) { h[threadIdx.x] = f[threadIdx.x]; }
extern "C" __global__ void constant(_Float16 *h) { constexpr _Float16 one = 1; h[threadIdx.x] = one; }
"""


def test_halves_are_converted_by_an_instruction(tmp_path: Path) -> None:
    """Not by the loops that are there for constants, although the C++ library is told that everything is constant."""
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc")
    (tmp_path / "h.cu").write_text(HALVES)
    flags = ["-std=c++17", "--expt-relaxed-constexpr", f"-I{runtime.INCLUDE}", *LIBRARY_ON_DEVICES]
    command = ["nvcc", "-ptx", "-arch=sm_90", *flags, "h.cu", "-o", "h.ptx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    code = dict(re.findall(r"\.entry (\w+)\((.*?)^}", (tmp_path / "h.ptx").read_text(), re.S | re.M))
    assert [name for name in code if "bra" in code[name]] == []
    assert "cvt.f32.f16" in code["widens"]
    assert "cvt.rn.f16.f32" in code["rounds"]
    assert "15360" in code["constant"]
