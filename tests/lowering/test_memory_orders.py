"""Flushes in kernels: what stands in front of one, and what behind it, stays there.

Texts of kernels are looked at: a program that waits for a flag needs threads that run at the same time.
"""

from __future__ import annotations

import pytest

from support import translate_text

HEAD = """struct pair { double x, y; };
"""
PRODUCER = """
void produce(int n, const int *rows, double *y, int *flag) {{
#pragma omp target teams distribute parallel for map(tofrom: y[0:n], flag[0:n]) map(to: rows[0:n])
  for (int i = 0; i < n; i++) {{
    y[i] = 1;
    y[i] += rows[i];
    {0}
    flag[i] = 1;
  }}
}}
"""
CONSUMER = """
void consume(int n, double *to, struct pair *p, int *flag) {{
#pragma omp target teams distribute parallel for map(tofrom: flag[0:n]) map(from: to[0:n]) map(tofrom: p[0:n])
  for (int i = 0; i < n; i++) {{
    if (i == 0) p->x = 2;
    double s = 0;
    for (int k = 0; k < 3; k++) {{
      int v = 0;
      while (v == 0) {{
        {0}
        v = flag[k];
      }}
      {1}
      s += p->x * 2 + p->x;
    }}
    to[i] = s;
  }}
}}
"""


def device(source: str) -> str:
    found = translate_text(HEAD + source, "a.c").device
    assert found is not None
    return found.text


def atomic(what: str) -> str:
    return f"\n#pragma omp atomic {what}\n"


@pytest.mark.parametrize(
    "before", [atomic("write release"), atomic("write seq_cst"), "\n#pragma omp flush\n" + atomic("write"), "send();"]
)
def test_an_element_is_stored_in_front_of_a_flush(before: str) -> None:
    head = "static void send(void) {\n#pragma omp flush\n}\n"
    assert "rex_cached" not in device(head + PRODUCER.format(before))


def test_a_relaxed_operation_is_no_flush() -> None:
    assert "rex_cached_y" in device(PRODUCER.format(atomic("write")))
    assert "rex_field_p_x" in device(CONSUMER.format(atomic("read relaxed"), ""))


def test_the_order_of_all_atomic_operations() -> None:
    requires = "#pragma omp requires atomic_default_mem_order(acq_rel)\n"
    assert "rex_cached" not in device(requires + PRODUCER.format(atomic("write")))
    assert "rex_cached_y" in device(requires + PRODUCER.format(atomic("write relaxed")))


@pytest.mark.parametrize(
    ("read", "behind"),
    [(atomic("read acquire"), ""), (atomic("read seq_cst"), ""), (atomic("read"), "\n#pragma omp flush\n"),
     (atomic("read"), "\n#pragma omp flush acquire\n")],
)  # fmt: skip
def test_a_field_is_read_behind_a_flush(read: str, behind: str) -> None:
    assert "rex_field" not in device(CONSUMER.format(read, behind))


def test_bins_do_not_delay_what_a_called_function_sends() -> None:
    source = """
static void send(void) {{
{0}
}}
void count(int n, const int *a, int *h) {{
#pragma omp target teams distribute parallel for map(tofrom: h[0:64]) map(to: a[0:n])
  for (int i = 0; i < n; i++) {{
#pragma omp atomic
    h[a[i]]++;
    send();
  }}
}}
"""
    assert "rex_bin_add" in device(source.format(""))
    assert "rex_bin_add" not in device(source.format("#pragma omp flush"))


@pytest.mark.parametrize("access", ["flag[i] = 1;", "flag[i]++;", "while (!flag[i]) {}"])
def test_accesses_to_atomic_objects_of_c_flush(access: str) -> None:
    """Those that are not of the compilers' own functions; the CPU device alone has such objects."""
    for atomic_type, cached in (("_Atomic int", False), ("volatile int", True)):
        source = PRODUCER.format("").replace("flag[i] = 1;", access).replace("int *flag", f"{atomic_type} *flag")
        found = translate_text(source, "a.c", architectures=()).device
        assert found is not None and ("rex_cached_y" in found.text) == cached


def test_memory_that_a_kernel_only_reads_may_change_behind_a_flush() -> None:
    source = """
void consume(int n, double *to, const double *data, int *flag) {{
#pragma omp target teams distribute parallel for map(tofrom: flag[0:n]) map(from: to[0:n]) map(to: data[0:n])
  for (int i = 0; i < n; i++) {{
    int v = 0;
    double s = data[i];
    while (v == 0) {{
{0}
      v = flag[i];
    }}
    to[i] = data[i] - s;
  }}
}}
"""
    assert "__restrict__ data" not in device(source.format(atomic("read acquire")))
    assert "__restrict__ data" in device(source.format(atomic("read")))
