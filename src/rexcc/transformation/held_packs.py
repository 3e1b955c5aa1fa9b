"""Parameter packs that a lambda captures, as members of its class.

In: the name of a lambda's class. Out: the text of a class that holds the elements of a pack, each as a member, and of
what makes its objects on host and device. C++ has no members that are packs, so the call operator gives the body to the
held elements, as a lambda that has the pack as its parameter::

    decltype(auto) operator()(int i) const { return args.call([&](auto &...args) { f(i, args...); }); }
"""

from __future__ import annotations

from collections.abc import Iterable

_TEXT = """\
template <class... rex_types> struct NAME;
template <> struct NAME<> {
  template <class rex_body, class... rex_types>
  constexpr decltype(auto) call(const rex_body &body, rex_types &...elements) const { return body(elements...); } };
template <class rex_type, class... rex_types> struct NAME<rex_type, rex_types...> {
  rex_type first; NAME<rex_types...> others;
  template <class rex_body, class... rex_before>
  constexpr decltype(auto) call(const rex_body &body, rex_before &...before) const {
    return others.call(body, before..., first); }
  template <class rex_body, class... rex_before>
  constexpr decltype(auto) call(const rex_body &body, rex_before &...before) {
    return others.call(body, before..., first); } };
constexpr NAME<> NAME_values() { return {}; }
template <class rex_type, class... rex_types>
constexpr NAME<rex_type, rex_types...> NAME_values(rex_type first, rex_types... others) {
  return {static_cast<rex_type &&>(first), NAME_values(static_cast<rex_types &&>(others)...)}; }
constexpr NAME<> NAME_references() { return {}; }
template <class rex_type, class... rex_types>
constexpr NAME<rex_type &, rex_types &...> NAME_references(rex_type &first, rex_types &...others) {
  return {first, NAME_references(others...)}; }
template <class rex_captured> NAME<> NAME_there(const NAME<> &object, rex_captured &) { return object; }
template <class rex_captured, class rex_type, class... rex_types>
NAME<rex_type &, rex_types &...>
NAME_there(const NAME<rex_type &, rex_types &...> &object, rex_captured &captures) {
  return {__rex_mapped_reference(object.first, captures), NAME_there(object.others, captures)}; }
template <class rex_captured, class rex_type, class... rex_types>
NAME<rex_type, rex_types...> NAME_there(const NAME<rex_type, rex_types...> &object, rex_captured &captures) {
  return {__rex_mapped(object.first, captures), NAME_there(object.others, captures)}; }
"""


def holder(lambda_class: str) -> str:
    """Return the name of the class that holds packs for a lambda's class."""
    return f"{lambda_class}_elements"


def holder_text(lambda_class: str) -> str:
    """Return the class that holds packs, and what makes its objects, as one line: it takes no lines from the user's."""
    return f"{' '.join(_TEXT.replace('NAME', holder(lambda_class)).split())}\n"


def given(lambda_class: str, value: str, *, by_reference: bool) -> str:
    """Return the object that holds a pack; ``value`` is the expression for one element."""
    return f"{holder(lambda_class)}_{'references' if by_reference else 'values'}({value}...)"


def opened(packs: Iterable[str], result: str) -> tuple[str, str]:
    """Return what stands around a lambda's body, so that it has packs with the elements; ``result`` is its written
    result type with the arrow, or empty."""
    names = list(packs)
    heads = [f"{name}.call([&](auto &...{name}) " for name in names]
    return f"{{ return {'{ return '.join(heads)}{result}", "); }" * len(names)
