"""Types that are named through using declarations: device code gets these, wherever the name stands."""

from __future__ import annotations

import re

import pytest

from support import compiled, translate_text

FORMS = {
    "a": "{T} f_a(int n) {{ return n; }}",
    "b": "auto f_b(int n) -> {T} {{ return {T}(n); }}",
    "c": "template <class X> {T} f_c(X n) {{ return {T}(n); }}",
    "d": "struct D {{ static {T} f(int n) {{ return n; }} }}; int f_d(int n) {{ return D::f(n); }}",
    "e": "enum E : {T} {{ one }}; int f_e(int n) {{ return one + n; }}",
    "g": "template <class X> int size() {{ return sizeof(X); }} int f_g(int n) {{ return size<{T}>() + n; }}",
    "h": "template <class X = {T}> X made() {{ return 3; }} int f_h(int n) {{ return made() + n; }}",
    "i": "int f_i(int n) {{ auto l = [](int i) -> {T} {{ return i; }}; return l(n) + sizeof({T}); }}",
    "j": "{T} asked(int); int f_j(int n) {{ decltype(asked(1)) m = n; return m; }}",
    "k": "template <{T} N> int value() {{ return N; }} int f_k(int n) {{ return value<4>() + n; }}",
}
"""Functions that name a type in one way each."""


def _program(head: str, forms: dict[str, str]) -> str:
    calls = " + ".join(f"f_{form}(1)" for form in forms)
    functions = "\n".join(text.format(T=f"type_{form}") for form, text in forms.items())
    return f"{head}\n{functions}\nint main() {{\n  int k;\n#pragma omp target map(from: k)\n  k = {calls};\n}}\n"


def test_the_users_using_declarations() -> None:
    types = "\n".join(f"typedef unsigned type_{form};" for form in (*FORMS, "unused"))
    brought = "\n".join(f"using lib::type_{form};" for form in (*FORMS, "unused"))
    device = compiled(_program(f"namespace lib {{\n{types}\n}}\n{brought}", FORMS), "t.cpp").device
    assert set(re.findall(r"using lib::type_(\w+);", device)) == set(FORMS)


@pytest.mark.parametrize("form", ["a", "i"])
def test_those_of_the_library(form: str) -> None:
    """The header that has them is another one than that of the type of C."""
    text = _program("#include <cstdint>", {form: FORMS[form]}).replace(f"type_{form}", "std::uint32_t")
    found = translate_text(text, "t.cpp").device
    assert found is not None and "#include <cstdint>" in found.text
