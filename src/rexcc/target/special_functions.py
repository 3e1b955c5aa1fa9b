"""Whether device code may need the mathematical special functions of the C++ library.

In: the text of a device file of a program in C++, and the words of its compiler. Out: the word that leaves them out, or
nothing. libstdc++ defines them in ``<cmath>``, which nvcc's own headers include, and they are most of what a compiler
reads for a small kernel. Nobody can see that they are left out where the text has none of their names, nor those of the
macros that tell of them, and all of its headers are the library's own, which do not call them: ``rex_nvidia.h``
includes what else their header would have brought.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.source.patterns import regex
from rexcc.target.commands import NO_SPECIAL_FUNCTIONS, Arguments
from rexcc.target.included_headers import headers_beside_c

_NAMED = regex(
    r"\b(?:assoc_la|assoc_le|airy_|comp_ellint|conf_hyperg|cyl_|ellint|expint|hermite|hyperg|laguerre|legendre"
    r"|riemann_|sph_|betaf\b|betal\b)|MATH_SPEC_FUNCS|math_special_functions|SPECFUN"
)
_BETA = regex(r"::\s*beta\b|\bbeta\s*[(<]")
"""A call of ``std::beta``, or its name with its namespace; the name alone is usual for numbers."""
_IS_A_NUMBER = regex(
    r"\b(?:float|double|int|long|short|char|unsigned|auto)\b(?:[\s*&]|const\b|__restrict__\b)*\bbeta\b"
)
_BETA_ALONE = regex(r"\bbeta\b")
_NAMES = (
    "algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono "
    "cinttypes ciso646 climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp "
    "csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype "
    "deque exception execution expected filesystem format forward_list fstream functional future generator "
    "initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory "
    "memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex "
    "scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace stdexcept "
    "stdfloat stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits "
    "typeindex typeinfo unordered_map unordered_set utility valarray variant vector version"
)
_LIBRARY = frozenset(f"<{name}>" for name in _NAMES.split())
_READS_MORE = regex(r"--?(?:pre-)?include\b(?!-path)|-imacros|-optf\b|--options-file\b|-.*,-(?:include|imacros)\b|@")
"""Options by which a compiler reads another file in front of a device file."""


def without_special_functions(text: str, words: Iterable[str]) -> Arguments:
    """Return the word that leaves the functions out, where device code cannot need them."""
    return () if _may_need(text) or any(map(_tells_more, words)) else NO_SPECIAL_FUNCTIONS


def _may_need(text: str) -> bool:
    if _NAMED.search(text) or _BETA.search(text):
        return True
    if _BETA_ALONE.search(text) and not _IS_A_NUMBER.search(text):
        return True
    return not _LIBRARY.issuperset(headers_beside_c(text))


def _tells_more(word: str) -> bool:
    return _READS_MORE.match(word) is not None or _may_need(word)
