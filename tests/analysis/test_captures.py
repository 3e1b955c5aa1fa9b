"""What a lambda's introducer says, where captures have values with commas and angle brackets."""

from __future__ import annotations

import pytest

from rexcc.analysis.captures import capture_list

LISTS = [
    ("[]", "", ()),
    ("[=, x, &y]", "=", ("x", "&y")),
    ("[o = std::pair<int, int>(1, 2), x]", "", ("o = std::pair<int, int>(1, 2)", "x")),
    ("[=, a = f<a, b, c>(1), &y]", "=", ("a = f<a, b, c>(1)", "&y")),
    ("[a = A<B<int, C<int, 2>>, 3>(x), z]", "", ("a = A<B<int, C<int, 2>>, 3>(x)", "z")),
    ("[a = x < y, b, c = z > w]", "", ("a = x < y", "b", "c = z > w")),
    ("[&, p = q->r, k(a > b)]", "&", ("p = q->r", "k(a > b)")),
    ("[a = x >> 2, b = T<1, 2>{}]", "", ("a = x >> 2", "b = T<1, 2>{}")),
    ("[a = b<c, d>::e, h = i<j, k>(2), this]", "", ("a = b<c, d>::e", "h = i<j, k>(2)", "this")),
    ("[k, z, o = T<int, char, double>(a > b)]", "", ("k", "z", "o = T<int, char, double>(a > b)")),
    ("[k, o = T<A, F<int(int)>, int>{a > (b > c)}, z]", "", ("k", "o = T<A, F<int(int)>, int>{a > (b > c)}", "z")),
    ("[k, o = T<int, a == b, int>(1), z]", "", ("k", "o = T<int, a == b, int>(1)", "z")),
    ("[k, s = '<', o = T<int, char, int>(1), z]", "", ("k", "s = '<'", "o = T<int, char, int>(1)", "z")),
    ("[f = [](int a) -> int { return a > 1; }, g = h<int, 4>()]", "",
     ("f = [](int a) -> int { return a > 1; }", "g = h<int, 4>()")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "default", "items"), LISTS)
def test_captures_are_what_commas_divide(text: str, default: str, items: tuple[str, ...]) -> None:
    found = capture_list(text + "(int i) { return i > 2, i < 3; }")
    assert (found.default, found.items, found.end) == (default, items, len(text))
