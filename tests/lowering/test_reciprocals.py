"""Divisions by floating-point values of the launch: reciprocals where an option allows them, and nowhere else."""

from __future__ import annotations

import pytest

import support

PARAMETERS = "double *z, float *y, const double *x, double p, double q, float f, int n, int m"


def output(
    body: str, reciprocals: bool = True, name: str = "t.c", before: str = "", remarks: bool = False
) -> tuple[str, str, str]:
    """Return the kernel, the host file and the messages of a loop."""
    source = (
        f"{before}void g({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for\n"
        f"  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n}}\n"
    )
    found = support.translate_text(source, name, reciprocals=reciprocals, remarks=remarks)
    assert found.host is not None and found.device is not None, support.rendered(found)
    (kernel,) = support.kernels_of(found.device.text)
    return kernel.body, found.host.text, support.rendered(found)


def test_the_host_computes_the_reciprocal_of_each_divisor_once() -> None:
    kernel, host, _ = output("z[i] = x[i] * x[i] / p + i / p;")
    assert " * __rex_one_over_p + i * __rex_one_over_p" in kernel
    assert "const double __rex_one_over_p = rex_unpack<double>(__rex_packed_one_over_p);" in kernel
    assert host.count("(void *)(__UINTPTR_TYPE__)rex_reciprocal_bytes(p)") == 1


def test_without_the_option_divisions_stay() -> None:
    kernel, host, _ = output("z[i] = x[i] / p / 3.0;", reciprocals=False)
    assert "/ p / 3.0;" in kernel and "reciprocal" not in host


def test_the_type_is_that_of_the_division() -> None:
    kernel, host, _ = output("y[i] = y[i] / f;\n    z[i] = x[i] / f + i / f;")
    assert "const float __rex_one_over_f = " in kernel and "const double __rex_one_over_f_2 = " in kernel
    assert "rex_reciprocal_bytes_float(f)" in host and "rex_reciprocal_bytes(f)" in host
    assert "* __rex_one_over_f_2 + i * __rex_one_over_f;" in kernel


def test_expressions_of_values_and_constants() -> None:
    kernel, host, _ = output("z[i] = x[i] / (p * q) + x[i] / -p + x[i] / n + x[i] / (2 * (double)f);")
    assert kernel.count(" * __rex_one_over_") == 4 and " / " not in kernel
    assert "rex_reciprocal_bytes((p * q))" in host and "rex_reciprocal_bytes(-(p))" in host
    assert "rex_reciprocal_bytes(n)" in host and "rex_reciprocal_bytes((2 * (double)(f)))" in host


def test_constants_are_no_arguments() -> None:
    kernel, host, _ = output("z[i] = x[i] / 3 + y[i] / 2.5f + x[i] / STEP;", before="#define STEP (0.1 * 3)\n")
    assert "* ((double)1 / 3) + " in kernel and "* ((float)1 / 2.5f) + " in kernel and "reciprocal" not in host


def test_variables_of_the_threads_own_are_multiplied() -> None:
    kernel, _, _ = output("double v = x[i]; v /= p; z[i] = v;\n    z[i + 1] /= p;")
    assert "v *= __rex_one_over_p;" in kernel and "z[i + 1] /= p;" in kernel


def test_lines_stay() -> None:
    kernel, _, _ = output("z[i] = x[i] /\n      (p *\n       q) + 1;")
    assert "*\n      __rex_one_over_p_q\n + 1;" in kernel


def test_threads_that_meet_have_them_too() -> None:
    kernel, _, _ = output("double v = x[i] / p;\n#pragma omp critical\n    z[0] += v;")
    assert "* __rex_one_over_p" in kernel


def test_instances_compute_their_own() -> None:
    source = (
        "template <class T> void g(double *z, T p, int n) {\n#pragma omp target teams distribute parallel for\n"
        "  for (int i = 0; i < n; i++) z[i] = z[i] / p;\n}\n"
        "void use(double *z, int n) { g(z, 2.0f, n); g(z, 3.0, n); }\n"
    )
    found = support.translate_text(source, "t.cpp", reciprocals=True)
    assert found.host is not None and found.device is not None
    kernels = support.kernels_of(found.device.text)
    assert all("const double __rex_one_over_p = (double)1 / p;" in k.body for k in kernels) and len(kernels) == 2
    assert "reciprocal" not in found.host.text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("p += 1; z[i] = x[i] / p;", id="the region changes it"),
        pytest.param("double *at = &p; z[i] = x[i] / p + *at;", id="its address is taken"),
        pytest.param("double v = x[i]; z[i] = 1 / v;", id="another value in each iteration"),
        pytest.param("z[i] = i / n + i / (n + 1);", id="integers"),
        pytest.param("z[i] = x[i] / (n * m);", id="integers that may overflow"),
        pytest.param("z[i] = x[i] / x[0];", id="memory"),
        pytest.param("z[i] = sizeof(x[i] / p);", id="not evaluated"),
        pytest.param("z[i] = OVER(x[i], p);", id="a macro's division"),
        pytest.param("z[i] = x[i] /* by */ / /* that */ p;", id="comments"),
    ],
)
def test_divisions_that_stay(body: str) -> None:
    kernel, host, _ = output(body, before="#define OVER(a, b) ((a) / (b))\n")
    assert "__rex_one_over" not in kernel and "reciprocal" not in host


def test_a_lambda_would_have_to_capture_it() -> None:
    kernel, host, _ = output("auto over = [=](double v) { return v / p; }; z[i] = over(x[i]);", name="t.cpp")
    assert "v / p" in kernel and "reciprocal" not in host


def test_a_kernel_has_only_so_many() -> None:
    terms = " + ".join(f"x[i] / (p + {k})" for k in range(10))
    kernel, host, _ = output(f"z[i] = {terms};")
    assert host.count("rex_reciprocal_bytes") == 8 and kernel.count(" / (p + ") == 2


def test_an_atomic_keeps_its_operation() -> None:
    kernel, _, _ = output("\n#pragma omp atomic\n    z[0] /= p;\n")
    assert "*=" not in kernel


def test_remarks_tell_of_it() -> None:
    _, _, messages = output("z[i] = x[i] / p;", remarks=True)
    assert "this division is a multiplication by the reciprocal" in messages
