"""Calls through pointers to functions: the tables of both sides, what is looked up, and where nothing is."""

from __future__ import annotations

from support import compiled

FUNCTIONS = (
    "#pragma omp begin declare target indirect\nstatic int g(int a) { return a; }\nint h(int a) { return -a; }\n"
)
END = "#pragma omp end declare target\n"
REGION = "int f(int (*p)(int)) {\n  int r;\n#pragma omp target map(from : r)\n  r = p(1) + g(2);\n  return r;\n}\n"


def test_a_pointer_is_a_value_and_its_function_is_looked_up() -> None:
    output = compiled(FUNCTIONS + END + REGION)
    (block,) = output.blocks
    assert block.bases[-1] == "(void *)p" and block.types[-1] == "REX_MAP_IMPLICIT_LITERAL"
    assert "r = rex_indirect(p)(1) + g(2);" in output.device
    assert '#include "rex_device_indirect.h"' in output.device


def test_both_tables_have_the_functions_in_one_order() -> None:
    output = compiled(FUNCTIONS + END + REGION)
    assert "rex_indirect_functions[] = {\n    (void *)g,\n    (void *)h,\n};" in output.host
    assert "if (pointer == rex_indirect_hosts[0]) return (void *)g;\n" in output.device
    assert "if (pointer == rex_indirect_hosts[1]) return (void *)h;\n" in output.device
    assert '{&rex_indirect_hosts, "rex_indirect_functions", sizeof rex_indirect_functions},' in output.host
    assert 'REX_GLOBAL_ENTRY(&rex_indirect_hosts, "rex_indirect_hosts", sizeof rex_indirect_hosts),' in output.host


def test_functions_that_are_only_called_through_pointers_are_on_the_device() -> None:
    assert "__device__ int h(int a) { return -a; }" in compiled(FUNCTIONS + END + REGION).device


def test_one_of_many_functions_of_a_name_is_told_by_its_type() -> None:
    output = compiled(FUNCTIONS + "double h(double a) { return a; }\n" + END + REGION, "t.cpp")
    assert "    (void *)g,\n    (void *)(int (*)(int))h,\n    (void *)(double (*)(double))h,\n" in output.host


def test_a_template_calls_what_its_instantiations_call() -> None:
    called = "template <class F> int apply(F f) { return f(1); }\n"
    for region, text in (("apply(p)", "rex_indirect(f)(1)"), ("apply([](int a) { return a; }) + p(1)", "return f(1)")):
        output = compiled(FUNCTIONS + END + called + REGION.replace("p(1)", region), "t.cpp")
        assert text in output.device


def test_no_table_where_no_pointer_is_called() -> None:
    output = compiled(FUNCTIONS + END + REGION.replace("p(1)", "1").replace("int (*p)(int)", "void"))
    assert "rex_indirect" not in output.host + output.device
    assert "int h(" not in output.device


def test_what_is_not_indirect_is_in_no_table() -> None:
    others = "static int k(int a) { return a + 1; }\nstatic int m(int a) { return a + 2; }\n"
    others += "#pragma omp declare target enter(k) indirect(false)\n#pragma omp declare target enter(m)\n"
    output = compiled(FUNCTIONS + END + others + REGION, "t.cpp")
    assert "(void *)k" not in output.host and "(void *)m" not in output.host
