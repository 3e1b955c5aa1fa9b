"""The standard of C++ that nvcc compiles a device file by.

In: the program's standard and the text of the device file. Out: a standard. Functions of the C++ library are device
code where they are ``constexpr`` (nvcc's ``--expt-relaxed-constexpr``), which the algorithms of ``<algorithm>`` and
``<numeric>``, ``std::swap``, and assignments of pairs and tuples are from C++20 on. A text that names some of them is
compiled by that, unless it may mean something else then: a word of C++20's is a name in it, or a class with a defaulted
constructor may be an aggregate.
"""

from __future__ import annotations

from rexcc.source.patterns import regex

CXX20 = 20
_NAMES = (
    "swap exchange swap_ranges iter_swap fill fill_n copy copy_n copy_if copy_backward sort partial_sort nth_element "
    "accumulate inner_product partial_sum adjacent_difference iota reduce transform transform_reduce reverse rotate "
    "unique remove remove_if replace replace_if generate generate_n find find_if find_if_not count count_if any_of "
    "all_of none_of for_each for_each_n equal mismatch search lexicographical_compare lower_bound upper_bound "
    "equal_range binary_search merge includes make_heap push_heap pop_heap sort_heap is_sorted is_permutation "
    "next_permutation prev_permutation partition pair make_pair tuple make_tuple tie optional"
)
CONSTEXPR_LATER = frozenset(_NAMES.split())
"""Functions, and classes with members, that are ``constexpr`` since C++20."""
_ANY = "|".join(sorted(CONSTEXPR_LATER))
_NEWER = regex(rf"\bstd\s*::\s*(?:{_ANY})\b")
_IMPORTED = regex(rf"\busing\s+namespace\s+std\s*;[\s\S]*\b(?:{_ANY})\b")
_OTHERWISE = regex(
    r"\b(?:concept|requires|consteval|constinit|char8_t|co_(?:await|return|yield))\b|\bu8['\"]|=\s*(?:default|delete)\b"
)


def standard_for(standard: int, text: str) -> int:
    """Return the standard for a device file of a program in an older one."""
    if standard >= CXX20 or "std" not in text:
        return standard
    is_wanted = _NEWER.search(text) is not None or _IMPORTED.search(text) is not None
    return CXX20 if is_wanted and _OTHERWISE.search(text) is None else standard
