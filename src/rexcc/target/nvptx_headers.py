"""Whether a device file can be compiled without CUDA's headers and those of the C and C++ library.

In: the text of a device file, and the words of its compiler. Out: the words that leave the headers out. nvcc reads
``cuda_runtime.h`` in front of every file, which is most of the work for a small kernel. ``include/device`` has what
kernels use most of it and of the library, under the library's own names; ``rex_cuda_words.h`` says how.

A command with these words makes the same image, or fails, and is then repeated without them (``Step.quicker``): each
function there is the builtin that CUDA's header calls, and a name that is there has all the overloads and all the
meanings that it has in the library, so that no call finds another function. What is not there is not declared at all,
and a file that names it does not compile. So the text may include no other header, which could ask what is declared,
and use nothing that compilers declare by themselves: to nvcc that is the host's where no header says otherwise, and it
leaves out what calls it, without a word. Such are ``operator new``, what exceptions and types at run time need, and
builtin functions. Nor may a template ask whether an expression compiles ([temp.deduct]): to that, a name that is not
declared is an answer. One thing differs, to the better: a template that calls ``max`` of ``using namespace std`` finds
CUDA's function of that name with CUDA's headers, which returns the other value for one that is no number.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.source.patterns import regex
from rexcc.target.commands import Arguments
from rexcc.target.included_headers import headers_beside

NO_CUDA_HEADER = "-D__CUDA_RUNTIME_H__"
"""The guard of the header that nvcc includes in front of any file. Where another CUDA has another word, it is read."""
_FOLDER = "device"
_NAMES = (
    "algorithm assert.h cassert cmath cstdio cstdlib cstring limits math.h stdio.h stdlib.h string.h "
    "cfloat climits cstddef cstdint float.h limits.h stdbool.h stddef.h stdint.h"
)
_THERE = frozenset(f"<{name}>" for name in _NAMES.split())
"""Headers that ``include/device`` has, and those that declare no functions."""
_WITH_MORE = regex(r"rex_device_(?:complex|std_atomic|std_complex|virtual)\.h")
"""Headers of ours that include others of the library."""
_BUILTINS = "assume|assume_aligned|expect|memcpy|offsetof|trap|unreachable"
"""What is no function, or the same function whatever is declared."""
_DECLARED_BY_ITSELF = regex(
    r"\b(?:new|delete|virtual|throw|try|catch|typeid|dynamic_cast|thread_local|co_\w+"
    rf"|__builtin_(?!(?:{_BUILTINS})\b)\w*|__(?:sync|atomic|c11|nvvm)_\w*)\b"
)
_TEMPLATE = regex(r"\btemplate\b|[(,]\s*(?:const\s+)?auto\b")
_ASKS = regex(
    r"\b(?:decltype|requires|(?:__)?typeof\w*|noexcept\s*\("
    r"|(?:sizeof|_?[aA]lignof|__alignof\w*)\b\s*(?:\([^)]*\(|[!~+\-*&\s]*[\w:]+\s*\())"
)
"""Operators that take an expression of which they want the type, or whether it is one."""
_NOT_IN_LIMITS = regex(
    r"\b(?:is_modulo|is_iec559|traps|tinyness_before|round_(?:style|error)|(?:has_)?signaling_NaN|has_denorm(?:_loss)?"
    r"|max_digits10|(?:min|max)_exponent(?:10)?)\b"
)
"""What ``numeric_limits`` of the library has besides, of which a template may ask whether it is there."""
_REDUCES = regex(
    r"\b(?:rex_detail\b|rex_\w*(?:reduc|scan|into|partial|element|group|member|sharing|hull|span|width|range|order|leave"
    r"|combiner|identity|apart|copies|chunk|last)|REX_\w*(?:COMBINER|SCAN|REDUC|INTO|ELEMENT|GROUP|LANES|TEAMS_OF_ROWS))"
)
"""Names of what headers of reductions, prefix sums and groups declare."""
NO_REDUCTIONS = "-DREX_NO_REDUCTIONS"
"""The macro that leaves these headers out."""
_DEFINES = regex(r"-[DU].*|-.*,-[DU].*")


def without_headers(text: str, words: Iterable[str], include: str) -> Arguments:
    """Return the words by which a file is compiled without the headers, none where it may need them.

    ``include`` is the folder of our headers. A macro of the user's may change what headers declare.
    """
    needs = _WITH_MORE.search(text) or _DECLARED_BY_ITSELF.search(text) or any(map(_DEFINES.fullmatch, words))
    asks = _TEMPLATE.search(text) and (_ASKS.search(text) or _NOT_IN_LIMITS.search(text))
    if needs or asks or not _THERE.issuperset(headers_beside(text)):
        return ()
    fewer = () if _REDUCES.search(text) else (NO_REDUCTIONS,)
    return (NO_CUDA_HEADER, "-DREX_CUDA_WORDS", *fewer, "-isystem", f"{include}/{_FOLDER}")
