"""Methods of classes that no kernel calls have no body in device code where that would lack their constructs."""

from __future__ import annotations

import pytest

import support

REGION = """
int run(Box b) {
  int s = 0;
#pragma omp target map(tofrom: s)
  s = b.n;
  return s;
}
"""
NEEDED = {
    "single": "#pragma omp single\n n += 1;",
    "barrier": "#pragma omp barrier\n",
    "a task": "#pragma omp parallel\n{\n#pragma omp task\n n += 1;\n}",
    "private copies": "int i = 0;\n#pragma omp parallel private(i)\n i = n;",
    "an atomic update": "#pragma omp parallel\n{\n#pragma omp atomic\n n += 1;\n}",
}
UNNEEDED = {
    "a shared loop": "#pragma omp parallel for\n for (int i = 0; i < 9; i++) p[i] = n;",
    "a sum": "int s = 0;\n#pragma omp parallel for reduction(+: s)\n for (int i = 0; i < 9; i++) s += p[i];",
    "simd": "#pragma omp simd\n for (int i = 0; i < 9; i++) p[i] = n;",
}


def device_text(head: str, code: str) -> str:
    text = f"struct Box {{ int n, *p; {head} {{\n{code}\n}} }};{REGION}"
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert found.device is not None, support.rendered(found)
    return found.device.text


@pytest.mark.parametrize("code", NEEDED.values(), ids=NEEDED)
@pytest.mark.parametrize("head", ["void f()", "friend void f(Box &, int n)"])
def test_device_code_has_no_body_without_its_constructs(head: str, code: str) -> None:
    text = device_text(head, code)
    assert "the host's" in text
    assert "#pragma omp" not in text


@pytest.mark.parametrize("code", UNNEEDED.values(), ids=UNNEEDED)
def test_what_one_thread_does_so_anyway_stays(code: str) -> None:
    assert "the host's" not in device_text("void f()", code)


@pytest.mark.parametrize("head", ["virtual void f()", "auto f()", "~Box()"])
def test_what_classes_cannot_do_without_stays(head: str) -> None:
    assert "the host's" not in device_text(head, NEEDED["single"])
