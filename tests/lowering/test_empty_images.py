"""Files that map data and have nothing that a device executes: their image is empty, and nothing is read for it."""

from __future__ import annotations

import pytest

from support import translate_text

DATA = """
double a[9];
int main() {
#pragma omp target data map(a)
  {
#pragma omp target update from(a)
  }
}
"""
EXECUTED = {
    "a region": "void f() {\n#pragma omp target\n  { a[0] = 1; }\n}\n",
    "a device function": "#pragma omp declare target\nint f(int i) { return i; }\n#pragma omp end declare target\n",
    "a variable for devices": "#pragma omp declare target\nint known = 3;\n#pragma omp end declare target\n",
}


@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_data_constructs_alone_have_an_image_without_code(name: str):
    made = translate_text(DATA, name)
    assert made.device and made.cpu_device and made.host
    assert "#include" not in made.device.text
    assert [image.has_code for image in made.images] == [False, False]
    assert "REX_OFFLOAD_MODULE_WITHOUT_ENTRIES" in made.host.text
    assert "#include" not in made.cpu_device.text
    assert made.cpu_headers == ""


@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
@pytest.mark.parametrize("text", EXECUTED.values(), ids=EXECUTED.keys())
def test_whatever_a_device_executes_is_code(name: str, text: str):
    made = translate_text(DATA + text, name, alone=False)
    assert made.device and '#include "rex_' in made.device.text
    assert all(image.has_code for image in made.images)
