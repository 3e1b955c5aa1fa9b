"""The standard of C++ that nvcc compiles a device file by.

In: the program's standard and the text of the device file. Out: a standard. Functions of the C++ library are device
code where they are ``constexpr`` (nvcc's ``--expt-relaxed-constexpr``), which the algorithms of ``<algorithm>`` and
``<numeric>``, ``std::swap``, ``std::invoke``, and assignments of pairs and tuples are from C++20 on. A text that names
some of them is compiled by that, unless it may mean something else then: a word of C++20's is a name in it, or a class
may be an aggregate in older ones alone: all of its constructors are declared and defaulted or deleted.
"""

from __future__ import annotations

import re

from rexcc.source.lexical import COMMENT, RAW_STRING, STRING
from rexcc.source.patterns import regex

CXX20 = 20
_NAMES = (
    "swap exchange swap_ranges iter_swap fill fill_n copy copy_n copy_if copy_backward sort partial_sort nth_element "
    "accumulate inner_product partial_sum adjacent_difference iota reduce transform transform_reduce reverse rotate "
    "unique remove remove_if replace replace_if generate generate_n find find_if find_if_not count count_if any_of "
    "all_of none_of for_each for_each_n equal mismatch search lexicographical_compare lower_bound upper_bound "
    "equal_range binary_search merge includes make_heap push_heap pop_heap sort_heap is_sorted is_permutation "
    "next_permutation prev_permutation partition pair make_pair tuple make_tuple tie optional variant "
    "invoke ref cref reference_wrapper bind mem_fn not_fn"
)
CONSTEXPR_LATER = frozenset((*_NAMES.split(), "array", "_Bind", "_Bind_result", "_Mem_fn_base", "_Not_fn"))
"""Functions, and classes with members, that are ``constexpr`` since C++20; the last are what functions return."""
_ANY = "|".join(sorted(_NAMES.split()))
_NEWER = regex(rf"\bstd\s*::\s*(?:{_ANY})\b")
_IMPORTED = regex(rf"\busing\s+namespace\s+std\s*;[\s\S]*\b(?:{_ANY})\b")
_ARRAY_FILLED = regex(r"\bstd\s*::\s*array\b[\s\S]*\.\s*(?:fill|swap)\s*\(")
_OTHERWISE = regex(r"\b(?:concept|requires|consteval|constinit|char8_t|co_(?:await|return|yield))\b|\bu8['\"]")
_ARGUMENTS = r"\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*\))*\))*\)"
_NO_NAMES = r"(?!(?:operator|noexcept|throw|decltype|alignas|__attribute__)\b)"
_DEFAULTED = regex(rf"(?<!~)(?<!~\s)\b{_NO_NAMES}(?P<name>\w+)\s*{_ARGUMENTS}[^;{{}}=]*=\s*(?:default|delete)\b")
"""A constructor, or ``operator new``."""
_BEGINS = r"(?:[;{}]|\b(?:public|private|protected)\s*:|\b(?:explicit|constexpr|inline|__device__|__host__)\b)\s*"
_BEHIND = r"\s*(?:noexcept\s*)?(?::[^:]|\{)"
_TOKEN = regex(rf"{COMMENT}|{RAW_STRING}|{STRING}")


def standard_for(standard: int, text: str) -> int:
    """Return the standard for a device file of a program in an older one."""
    if standard >= CXX20 or "std" not in text:
        return standard
    is_wanted = any(pattern.search(text) is not None for pattern in (_NEWER, _IMPORTED, _ARRAY_FILLED))
    is_same = is_wanted and _OTHERWISE.search(text) is None and not _has_older_aggregates(text)
    return CXX20 if is_same else standard


def _has_older_aggregates(text: str) -> bool:
    """Whether a class may have no other constructors than defaulted or deleted ones."""
    text = _TOKEN.sub(" ", text)
    names = {found["name"] for found in _DEFAULTED.finditer(text)}
    return any(not _has_own_constructor(name, text) for name in map(re.escape, names))


def _has_own_constructor(name: str, text: str) -> bool:
    """Whether a class has a constructor with a body, which is no call of a base's constructor."""
    return re.search(rf"(?:{_BEGINS}|\b{name}\s*::\s*){name}\s*{_ARGUMENTS}{_BEHIND}", text) is not None
