"""What linkers print about images of the CPU device that lack something, and how the user reads it."""

from __future__ import annotations

import pytest

from rexcc.target.cpu_messages import HostMessages
from rexcc.target.messages import Reached

_WHAT = (
    "'f(int)' is needed by device code{}, but nothing defines it for the CPU device: let the host call it, or define "
    "it in 'declare target' [undefined-device-function]"
)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            "/usr/bin/ld: /tmp/a.o: in function `OUT__1__my_f__5__body__(void*, int*)':\n"
            "rex_host_a.cpp:(.text+0x5a): undefined reference to `f(int)'\n"
            "/usr/bin/ld: rex_host_a.cpp:(.text+0x7a): undefined reference to `f(int)'\n",
            [f"error: {_WHAT.format(' of the region in ' + chr(39) + 'my_f' + chr(39) + ', line 5')}"],
        ),
        (
            "/usr/bin/ld: /tmp/a.o: in function `helper()':\nsrc/a.c:7: undefined reference to `f(int)'\n",
            [f"src/a.c:7: error: {_WHAT.format('')}"],
        ),
        (
            "ld.lld: error: undefined symbol: f(int)\n>>> referenced by a.c:7 (src/a.c:7)\n>>>   /tmp/a.o:(h())\n",
            [f"a.c:7: error: {_WHAT.format('')}"],
        ),
        (
            "ld.lld: error: undefined symbol: f(int)\n>>> referenced by rex_host_a.cpp\n"
            ">>>               /tmp/a.o:(OUT__1__my_f__5__body__)\n",
            [f"error: {_WHAT.format(' of the region in ' + chr(39) + 'my_f' + chr(39) + ', line 5')}"],
        ),
        ("ld: cannot find -lfoo\n", []),
    ],
)
def test_what_an_image_lacks_is_an_error_of_ours(printed: str, expected: list[str]) -> None:
    assert list(HostMessages().errors(printed, Reached())) == expected


@pytest.mark.parametrize("symbol", ["f", "f(int)", "my::space::f(int, char const*)"])
def test_the_place_of_a_call_is_known_without_debug_information(symbol: str) -> None:
    printed = f"/usr/bin/ld: rex_host_a.cpp:(.text+0x5a): undefined reference to `{symbol}'\n"
    (error,) = HostMessages().errors(printed, Reached(library=(("g", "a.c:1:1"), ("f", "a.c:7:3"))))
    assert error.startswith(f"a.c:7:3: error: '{symbol}' is needed by device code, but ")
