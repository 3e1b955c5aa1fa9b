"""Loops of functions that walk along memory with a pointer, and load the elements of several iterations first."""

from __future__ import annotations

import re
from functools import cache

import support

LOOP = "for (int k = 0; k < n; k++)"
FIRST = "p = p + step; *p = last = a * *p + last;"

TAKEN = {
    "moved_first": f"{LOOP} {{ {FIRST} }}",
    "moved_last": f"{LOOP} {{ *p = last = a * *p + last; p += step; }}",
    "by_bytes": f"{LOOP} {{ p = (float *)((char *)p + step); *p = a * *p; }}",
    "by_one": f"{LOOP} {{ *p = last -= *p; p++; }}",
    "backwards": "for (unsigned k = n; k >= 1; k -= 3) { float old = *p; *p = old * k + sqrtf(2.0f); --p; }",
    "through_constants": f"{LOOP} {{ p = p - STEPS; *p = SCALE * *p > last ? *p : last; }}",
}
LEFT = {
    "another_element": f"{LOOP} {{ p += step; *p = *p + p[1]; }}",
    "another_array": f"{LOOP} {{ p += step; *p = *p + q[k]; }}",
    "of_another_pointer": f"{LOOP} {{ p += step; *p = *p + *q; }}",
    "read_behind": f"{LOOP} {{ p += step; *p = *p + last; last = *p; }}",
    "written_twice": f"{LOOP} {{ p += step; *p = *p + last; *p = last; }}",
    "not_always_written": f"{LOOP} {{ p += step; if (last > 0) *p = *p + last; }}",
    "added_in_place": f"{LOOP} {{ p += step; *p += last; }}",
    "only_read": f"{LOOP} {{ p += step; last += *p; }}",
    "both_sides_of_the_move": f"{LOOP} {{ last = *p; p += step; *p = last; }}",
    "moved_twice": f"{LOOP} {{ p += step; *p = *p + last; p++; }}",
    "moved_by_the_index": f"{LOOP} {{ p += k; *p = *p + last; }}",
    "moved_by_what_changes": f"{LOOP} {{ p += step; *p = *p + last; step++; }}",
    "moved_by_a_local": f"{LOOP} {{ int s = step * k; p += s; *p = *p + last; }}",
    "moved_by_a_variable": f"{LOOP} {{ p += moved; *p = *p + last; }}",
    "to_another_pointer": f"{LOOP} {{ p = q + step; *p = *p + last; }}",
    "bound_changes": f"{LOOP} {{ p += step; *p = *p + last; n--; }}",
    "bound_is_memory": "for (int k = 0; k < *counts; k++) { p += step; *p = *p + last; }",
    "index_changes": f"{LOOP} {{ p += step; *p = *p + last; k++; }}",
    "left": f"{LOOP} {{ p += step; *p = *p + last; if (last > 3) break; }}",
    "calls": f"{LOOP} {{ p += step; *p = *p + other(p); }}",
    "address_taken": f"float *r = &last; *r = 2; {LOOP} {{ p += step; *p = *p + last; }}",
    "pointer_exposed": f"float **r = &p; *r = p + 1; {LOOP} {{ p += step; *p = *p + last; }}",
    "volatile": f"volatile float *v = p; {LOOP} {{ v += step; *v = *v + last; }}",
    "as_another_type": f"{LOOP} {{ p += step; *(int *)p = *(int *)p + 1; }}",
    "few_iterations": "for (int k = 0; k < 7; k++) { p += step; *p = *p + last; }",
    "directive": f"\n#pragma unroll\n{LOOP} {{ p += step; *p = *p + last; }}",
    "small_elements": f"short *v = (short *)p; {LOOP} {{ v += step; *v = *v + 1; }}",
    "load_in_a_macro": f"{LOOP} {{ p += step; *p = ADDED(last); }}",
    "move_in_a_macro": f"{LOOP} {{ MOVED; *p = *p + last; }}",
    "labelled": f"if (n > 3) goto in; in: {LOOP} {{ p += step; *p = *p + last; }}",
}


@cache
def functions() -> dict[str, str]:
    """Return the device's text of each function, by its name."""
    declared = "float *p, float *q, int *counts, int n, int step, float a"
    code = {
        name: f"float walk_{name}({declared}) {{ float last = 1; {body} return last; }}"
        for name, body in (TAKEN | LEFT).items()
    }
    calls = " ".join(f"o[i] += walk_{name}(x + i, y, c, n, m, 0.5f);" for name in code)
    source = (
        "#include <math.h>\n#pragma omp declare target\nstatic const float SCALE = 0.5f; enum { STEPS = 3 };\n"
        "int moved;\n#define ADDED(x) (x + *p)\n#define MOVED p += step; last = last + 1\n"
        "float other(float *p) { return *p; }\n" + "\n".join(code.values()) + "\n#pragma omp end declare target\n"
        "void k(float *x, float *y, float *o, int *c, int n, int m) {\n"
        "#pragma omp target teams distribute parallel for map(tofrom: x[0:n], y[0:n], c[0:n], o[0:n])\n"
        f"  for (int i = 0; i < n; i++) {{ {calls} }}\n}}\n"
    )
    found = support.translate_text(source, "t.c", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    text = found.device.text
    starts = {name: text.index(f"float walk_{name}(") for name in code}
    return {name: text[start : text.index("return last;", start)] for name, start in starts.items()}


def test_loops_that_walk_load_first_and_no_others() -> None:
    found = functions()
    assert [name for name, text in found.items() if "rex_in_turns" in text] == list(TAKEN)


def test_elements_are_loaded_by_the_users_move() -> None:
    found = functions()
    moved = re.search(r"__rex_walked_p = (.*);\n", found["by_bytes"])
    assert moved is not None and moved[1] == "[=](float *p) { p = (float *)((char *)p + step); return p; }"
    first, last = found["moved_first"], found["moved_last"]
    go_on, load = (
        "__rex_place_p = __rex_walked_p(__rex_place_p);",
        "__rex_ahead_p[__rex_turn_number] = *__rex_place_p;",
    )
    assert first.index(go_on) < first.index(load) < first.index("*p = last = a * __rex_ahead_p[__rex_turn_number]")
    assert last.index(load) < last.index(go_on) < last.index("*p = last = a * __rex_ahead_p[__rex_turn_number]")
    assert re.search(r"rex_in_turns_through<unsigned(?: int)?, 8,\s+-3>\(", found["backwards"]) is not None


REGIONS = {
    "a pointer of its own": (f"float *p = x + i; {LOOP} {{ *p = s = s * a + *p; p += m; }}", True),
    "the pointer of a mapped array": (f"{LOOP} {{ *x = s = s * a + *x; x += m; }}", True),
    "a mapped number": (f"float *p = x + i; {LOOP} {{ *p = s = s * held + *p; p += m; }}", False),
    "a number whose address is taken": (
        f"float *p = x + i, *r = &s; {LOOP} {{ *p = s = s * a + *p; p += m; }} *r += 1;",
        False,
    ),
    "a row of another pointer": (f"float *p = x + i; {LOOP} {{ *p = s = s * a + *p + y[k]; p += m; }}", False),
}


def test_regions() -> None:
    kernels = "".join(
        "#pragma omp target teams distribute parallel for map(tofrom: x[0:n], y[0:n], held)\n"
        f"  for (int i = 0; i < n; i++) {{ float s = 0; {code} y[i] = s; }}\n"
        for code, _ in REGIONS.values()
    )
    source = f"void k(float *x, float *y, int n, int m, float a, float held) {{\n{kernels}}}\n"
    found = support.translate_text(source, "t.c", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    texts = re.split(r"/\* t\.c:\d+ ", found.device.text)[1:]
    are_taken = ["rex_is_walk" in text for text in texts]
    assert are_taken == [is_taken for _, is_taken in REGIONS.values()]
    assert "const auto __rex_walked_p = [=](float *p) { p += m; return p; };" in texts[0]


REFERENCES = {
    "number": "float *p, float &last, int n, int step",
    "step": "int *p, int last, int n, const int &step",
    "bound": "int *p, int last, const int &n, int step",
    "pointer": "float *&p, float last, int n, int step",
}


def test_what_a_reference_names_may_be_an_element() -> None:
    calls = {"number": "x, x[3], n, m", "step": "c, 1, n, c[3]", "bound": "c, 1, c[3], m", "pointer": "q, 1, n, m"}
    code = "\n".join(
        f"inline void walk_{name}({declared}) {{ {LOOP} {{ p += step; *p = last = *p + last; }} }}"
        for name, declared in REFERENCES.items()
    )
    local = f"float &last = *p; {LOOP} {{ p += step; *p = last = *p + last; }}"
    constant = f"{LOOP} {{ p += step; *p = *p + 1; }}"
    code += f"\ninline void walk_local(float *p, int n, int step) {{ {local} }}"
    code += f"\n#define KNOWN constexpr\nKNOWN void walk_known(float *p, int n, int step) {{ {constant} }}"
    made = "".join(f"walk_{name}({values}); " for name, values in calls.items())
    source = (
        f"{code}\nvoid k(float *x, int *c, int n, int m) {{\n#pragma omp target map(x[0:n], c[0:n])\n"
        f"  {{ float *q = x; {made}walk_local(x, n, m); walk_known(x, n, m); }}\n}}\n"
    )
    found = support.translate_text(source, "t.cpp", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    assert "walk_known(float" in found.device.text and "rex_in_turns" not in found.device.text
