"""What a caller learns of another file's function when the program is linked."""

from __future__ import annotations

import pytest
from runtime_workshop import INCLUDE, PROGRAMS, WARNINGS, Workshop

IN_C, IN_CPLUSPLUS = ("gcc", "-std=gnu99", "-pedantic"), ("g++", "-xc++", "-std=c++17", "-pedantic")
MAIN = """
int ask(void);
int main(void) { ask(); return 0; }
int __wrap_step(float *a, int n) { return a[0] + n + 4; }
"""
CLANG = ("clang-19", "-std=gnu99")


@pytest.mark.parametrize("compiler", [IN_C, IN_CPLUSPLUS, CLANG], ids=lambda words: words[0])
def test_who_is_quiet(shop: Workshop, compiler: tuple[str, ...]) -> None:
    """The function that the call reaches, in the same link unit, as its own file says: nobody knows of others."""

    def made(target: str, program: str, *flags: str) -> str:
        shop.call(*compiler, *WARNINGS, INCLUDE, "-c", *flags, PROGRAMS / program, "-o", target)
        return target

    def linked(target: str, *words: str) -> str:
        shop.call("gcc", *words, "-Wl,-rpath,$ORIGIN", "-o", target)
        return target

    (shop.folder / "quiet_main.c").write_text(MAIN)
    main = ("quiet_main.c",)
    caller, functions = made("quiet_a.o", "quiet_caller.c", "-fPIC"), made("quiet_b.o", "quiet_functions.c", "-fPIC")
    step = made("quiet_d.o", "quiet_functions.c", "-DOTHERS")
    both = linked("libquiet.so", "-shared", caller, functions)
    said = {
        "together": linked("quiet_1", *main, caller, functions),
        "preempted": linked("quiet_6", "-rdynamic", *main, step, both),
    }
    if compiler == IN_C:
        others = made("quiet_c.o", "quiet_functions.c", "-DOTHERS", "-DALL")
        pair = (("e", "quiet_caller.c"), ("f", "quiet_functions.c"))
        fixed = [made(f"quiet_{n}.o", program, "-fno-pie") for n, program in pair]
        shared = linked("libquiet_functions.so", "-shared", functions)
        said |= {
            "at fixed addresses": linked("quiet_2", "-no-pie", *main, *fixed),
            "by others": linked("quiet_3", *main, caller, others),
            "in one library": linked("quiet_4", *main, both),
            "in another library": linked("quiet_5", *main, caller, shared),
            "wrapped": linked("quiet_7", "-Wl,--wrap=step", *main, caller, functions),
        }
    wanted = {
        "together": "1: 1, 1: 0",
        "at fixed addresses": "1: 1, 1: 0",
        "by others": "2: 0, 1: 0",
        "in one library": "1: 1, 1: 0",
        "in another library": "1: 0, 1: 0",
        "preempted": "2: 0, 1: 0",
        "wrapped": "5: 0, 1: 0",
    }
    for name, program in said.items():
        assert (name, shop.call(f"./{program}").stdout.strip()) == (name, wanted[name])
