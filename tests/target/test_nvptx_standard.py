"""By which standard of C++ nvcc compiles a device file."""

from __future__ import annotations

import pytest

from rexcc.target.commands import Around, CommandLine, HostCompiler, Job
from rexcc.target.nvptx_standard import standard_for
from rexcc.target.nvptx_tools import NvidiaTools


@pytest.mark.parametrize(
    ("standard", "text", "wanted"),
    [
        (17, "std::swap(a, b);", 20),
        (14, "using std :: sort; sort(p, q);", 20),
        (17, "using namespace std;\nfill(p, q, 0);", 20),
        (17, "std::pair<int, double> best; best = {1, 2};", 20),
        (17, "std::max(a, b); swapped = std::swapped;", 17),
        (23, "std::swap(a, b);", 23),
        (17, "int requires; std::swap(a, b);", 17),
        (17, "struct V { V() = default; int x; }; std::swap(a, b);", 17),
        (17, "struct V { V() = delete; V(const V &) = default; int x; }; std::swap(a, b);", 17),
        (17, "struct V { V() = default; V(int i);\n int x; }; std::swap(a, b);", 17),
        (17, "struct V { V() = default; explicit V(int (&i)[2]) noexcept : x(i[0]) {} int x; }; std::swap(a, b);", 20),
        (17, "struct V { V() = default; constexpr V(int i) { x = i; } int x; }; std::swap(a, b);", 20),
        (17, "struct V { virtual ~V() = default; V &operator=(const V &) = default; int x; }; std::swap(a, b);", 20),
        (17, "struct V { V() noexcept(sizeof(int) > (2)) = default; int x; }; std::swap(a, b);", 17),
        (17, "struct V { V() __attribute__((cold)) = default; int x; }; std::swap(a, b);", 17),
        (17, "struct V { V(int (*f)(int (*)(int))) = delete; int x; }; std::swap(a, b);", 17),
        (17, "struct V { V() /* a; b */ = /* c */ default; int x; }; std::swap(a, b);", 17),
        (17, "struct V { V() = default; int x; }; struct W : V { W() : V() {} }; std::swap(a, b);", 17),
        (17, "struct V { V() = default; int x; /* V(int) : x() {} */ }; std::swap(a, b);", 17),
        (17, "struct V { V() = default;\n  // by\n  V(int i) : x(i) {} int x; }; std::swap(a, b);", 20),
        (17, "struct V { V() = default; V(int); int x; }; V::V(int i) : x(i) {} std::swap(a, b);", 20),
        (17, "struct V { V &operator=(V &&) noexcept(true) = default; int x; }; std::swap(a, b);", 20),
        (17, "std::array<int, 3> a; a.fill(4);", 20),
        (17, "std::array<int, 3> a; a[0] = 4;", 17),
        (14, "std::invoke(f, 1);", 20),
        (17, 'f(u8"text"); std::swap(a, b);', 17),
    ],
)
def test_algorithms_want_a_later_standard(standard: int, text: str, wanted: int) -> None:
    assert standard_for(standard, text) == wanted


def test_the_command_has_the_standard_and_no_variable_of_other_files() -> None:
    around = Around("nvcc", HostCompiler("clang", "clang++", "clang"), "include", 19)
    line = CommandLine(is_cxx=True, standard=17)
    for text, standard, variable in (("std::swap(a, b);", 20, ""), ("a = b;", 17, "NVCCFLAGS")):
        (step,) = NvidiaTools().image(Job("s.cu", "s.cubin", "sm_90", text=text), line, around)
        found = [group.variable for group in step.words if f"-std=c++{standard}" in group.words]
        assert found == [variable]
