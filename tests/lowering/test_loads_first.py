"""Iterations with several stores load what they need before the first, and compare addresses.

What they compute is compared in ``execution/programs/loads_first.cpp``.
"""

from __future__ import annotations

import pytest

from rexcc.program.optimisations import left_out
from support import compiled, translate_text

HEAD = """
struct arrays { int n, k; float *x, *y, *a, *b; int *at; volatile float *seen; struct { float v; } *parts; };
void f(struct arrays *p, float *restrict one, float *restrict two, const float *three, int n) {
"""
GRID = "target teams distribute parallel for"
BODY = "p->x[i] = p->a[i] * 2; p->y[i] -= p->b[i + p->k] + p->a[i + 1];"


def device_of(body: str, clauses: str = "", strict: bool = True, options: tuple[str, ...] = ()) -> str:
    """Return the kernel's text, with single spaces."""
    source = f"{HEAD}#pragma omp {GRID} {clauses}\nfor (int i = 0; i < n; i++) {{ {body} }}\n}}\n"
    found = translate_text(source, strict_aliasing=strict, left_out=left_out(options))
    assert found.device is not None
    return " ".join(found.device.text.split())


def test_loads_come_first_where_no_store_is_to_them() -> None:
    device = device_of(BODY)
    assert "float *const __rex_place_x = &p->x[i];" in device
    tests = ("p->y[i]", "p->b[i + p->k]", "p->a[i + 1]")
    asked = f"rex_differs(__rex_place_x, {', '.join(f'&{test}' for test in tests)})"
    first, _, other = device.partition(f"if ({asked}) {{")[2].partition("} else {")
    assert "const float __rex_early_b = p->b[i + p->k];" in first
    assert "p->x[i] = p->a[i] * 2; *__rex_place_y = __rex_early_y - (__rex_early_b + __rex_early_a);" in first
    assert BODY in other


def test_what_a_store_before_surely_wrote_stays() -> None:
    device = device_of("p->x[i] = p->a[i]; p->y[i] = p->x[i] + p->b[i] + p->b[i + 1];")
    assert "p->y[i] = p->x[i] + __rex_early_b + __rex_early_b_2;" in device


def test_members_of_the_methods_object_keep_their_names() -> None:
    source = f"""
struct field {{ int n; float *a, *b, *c; void step() {{
#pragma omp {GRID}
for (int i = 0; i < n; i++) {{ a[i] = b[i + 1] + this->c[i]; b[i] *= c[i + 1]; }} }} }};
void f(field &x) {{ x.step(); }}
"""
    device = " ".join(compiled(source, "x.cpp").device.split())
    assert "*__rex_place_b = __rex_early_b * (__rex_early_c);" in device
    assert "__rex_this->b[i] *= __rex_this->c[i + 1];" in device


@pytest.mark.parametrize(
    "body",
    [
        "p->x[i] = p->a[i]; p->y[i] = 2;",  # nothing to load
        "p->y[i] = p->a[i] + p->b[i];",  # one store
        "int k = i; p->x[i] = p->a[i]; k = k + 1; p->y[k] = p->b[k] + p->b[k + 1];",
        "p->x[i] = 1; int k = p->at[i]; p->at[k] = 2; p->y[p->at[k]] = p->b[p->at[k]] + p->a[p->at[k + 1]];",
        "p->x[i] = 1; if (p->a[i] > 0) p->y[i] = p->b[i] + p->b[i + 1];",
        "p->x[i] = 1; p->y[i] = p->a[i] > 0 ? p->b[i] : p->b[i + 1];",
        "p->x[i] = 1; p->seen[i] = p->b[i] + p->b[i + 1];",
        "p->x[i] = 1; p->parts[i].v = p->b[i] + p->b[i + 1];",
        "p->x[i] = 1; p->y[i] = 3; for (int k = 0; k < n; k++) p->y[k] += p->b[i];",
        "one[i] = three[i]; two[i] = two[i + n] + three[i + 1];",  # told apart already
    ],
)
def test_others_stay_as_they_are(body: str) -> None:
    assert "__rex_early_" not in device_of(body)


def test_atomic_operations_order_what_is_loaded() -> None:
    body = "p->x[i] = 1;\n#pragma omp atomic\np->a[0] += 1;\np->y[i] = p->b[i] + p->b[i + 1];"
    assert "__rex_early_" not in device_of(body)


@pytest.mark.parametrize("clauses", ["num_teams(2)", "reduction(+: n)", "lastprivate(n)"])
def test_so_do_loops_of_other_forms(clauses: str) -> None:
    assert "__rex_early_" not in device_of(BODY, clauses)


def test_options_leave_it_out() -> None:
    assert "__rex_early_" in device_of(BODY)
    assert "__rex_early_" not in device_of(BODY, strict=False)
    assert "__rex_early_" not in device_of(BODY, options=("no-hoisting",))
