"""Ranges of cases are labels in device code, for nvcc takes their first value alone."""

from __future__ import annotations

import pytest

from support import compiled, expect_error, on_one_line

REGION = """{0}
void f(int n, int *p) {{
#pragma omp target teams distribute parallel for map(p[0 : n])
  for (int i = 0; i < n; i++) {{ {1} }}
}}
"""


@pytest.mark.parametrize(
    ("labels", "made"),
    [
        ("case 2 ... 4:", "case 2: case 3: case 4: "),
        ("case -1 ... 1:", "case -1: case 0: case 1: "),
        ("case 'a'...'c':", "case 'a': case 98: case 99: "),
        ("case 5 ... 5:", "case 5: "),
        ("case 2147483647 ... 2147483649:", "case 2147483647: case 2147483648LL: case 2147483649LL: "),
    ],
)
@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_each_value_is_a_label(labels: str, made: str, name: str) -> None:
    switch = f"switch ((long)p[i]) {{ {labels} p[i] = 1; }}"
    assert made in on_one_line(compiled(REGION.format("", switch), name).device)
    function = f"static void set(long x, int *to) {{ switch (x) {{ {labels} *to = 1; }} }}"
    assert made in on_one_line(compiled(REGION.format(function, "set(i, p);"), name).device)


@pytest.mark.parametrize(
    ("kind", "labels", "made"),
    [
        ("unsigned", "case 4294967294u ... 4294967295u:", "case 4294967294u: case 4294967295LL: "),
        ("unsigned", "case -2 ... 4294967295u:", "case -2: case 4294967295LL: "),
        ("unsigned long", "case -2ul ... -1ul:", "case -2ul: case 18446744073709551615ULL: "),
        ("unsigned long", "case 9223372036854775807ul ... 9223372036854775808ul:",
         "case 9223372036854775807ul: case 9223372036854775808ULL: "),
        ("unsigned char", "case 255 ... 256:", "case 255: case 256: "),
        ("unsigned char", "case -1 ... 0:", "case -1: case 0: "),
    ],
)  # fmt: skip
def test_values_are_of_the_type_of_the_switch(kind: str, labels: str, made: str) -> None:
    """C converts labels to that type, which is the promoted one of what it is about."""
    switch = f"{kind} x = p[i]; switch (x) {{ {labels} p[i] = 1; }}"
    assert made in on_one_line(compiled(REGION.format("", switch), "t.c").device)


@pytest.mark.parametrize(
    ("before", "code"),
    [
        ("enum class Hue {{ red, green, blue }};", "switch ((Hue)p[i]) { case Hue::red ... Hue::blue: p[i] = 1; }"),
        ("", "auto g = [&](int x) { switch (x) { case 0 ... 2: p[i] = 1; } }; g(i);"),
        ("struct S {{ int a; int of(int x) {{ switch (x) {{ case 0 ... 2: return a; }} return 0; }} }};",
         "S s{i}; p[i] = s.of(i);"),
        ("template <class T> T of(T x) {{ switch (x) {{ case 0 ... 2: return 1; }} return 0; }}", "p[i] = of(i);"),
    ],
)  # fmt: skip
def test_no_range_is_left(before: str, code: str) -> None:
    device = compiled(REGION.format(before.replace("{{", "{").replace("}}", "}"), code), "t.cpp").device
    assert "..." not in device[device.index("p[") if not before else device.index("switch") :]


@pytest.mark.parametrize(
    ("before", "label", "which"),
    [
        ("", "case 4 ... 2000:", "that has 1997 values, more than 1000"),
        ("", "case 4 ... 2:", "that has no values"),
        ("template <int A> int of(int x) { switch (x) { case 4 ... A: return 1; } return 0; }", "",
         "whose values the text does not show"),
    ],
)  # fmt: skip
def test_other_ranges_are_refused(before: str, label: str, which: str) -> None:
    code = f"switch (p[i]) {{ {label} p[i] = 1; }}" if label else "p[i] = of<7>(i);"
    source = REGION.format(before, code).replace("case 4", "case «4»")
    message = f"a range of cases {which} cannot be lowered; write an 'if', or the values as cases of their own"
    expect_error(source, "unsupported-control-flow", message, "t.cpp")


def test_a_range_that_is_empty_in_the_type_of_the_switch_is_refused() -> None:
    source = REGION.format("", "switch ((unsigned)p[i]) { case «-1» ... 3: p[i] = 1; }")
    which = "a range of cases that has no values cannot be lowered"
    expect_error(source, "unsupported-control-flow", f"{which}; write an 'if', or the values as cases of their own")


def test_macros_may_hold_a_part_of_a_range() -> None:
    macros = "#define TO ... 5\n#define RANGE 7 ... 8\n#define CASES case 10 ... 11"
    code = "switch (p[i]) { case 4 TO: case RANGE: CASES: p[i] = 1; }"
    text = on_one_line(compiled(REGION.format(macros, code)).device)
    assert "case 4: case 5 : case 7: case 8 : case 10: case 11 : " in text


def test_ranges_in_the_combiner_of_a_declared_reduction() -> None:
    combiner = "omp_out += ({ int r = 0; switch (omp_in) { case 1 ... 3: r = 1; } r; })"
    before = f"#pragma omp declare reduction(few: int: {combiner}) initializer(omp_priv = 0)"
    code = "int few = 0;\n#pragma omp simd reduction(few: few)\nfor (int k = 0; k < 9; k++) few += k; p[i] = few;"
    for name in ("t.c", "t.cpp"):
        device = compiled(REGION.format(before, code).replace("{ int few", "\n{ int few"), name).device
        assert "case 1: case 2: case 3: r = 1;" in device and "..." not in device
