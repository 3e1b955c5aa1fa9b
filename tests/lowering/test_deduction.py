"""Arguments of a partial specialisation's parameters, taken out of the class's."""

from __future__ import annotations

import pytest

from rexcc.lowering.instances.deduction import deduced

T, U = "type-parameter-0-0", "type-parameter-0-1"
TYPE, TWO = (("T", "type"),), (("T", "type"), ("U", "type"))

KNOWN = {
    "a whole argument": (TYPE, (T, "int"), ("float", "int"), {"T": "float"}),
    "what is pointed to": (TYPE, (f"const {T} *",), ("const n::P<int, 2> *",), {"T": "n::P<int, 2>"}),
    "a reference": (TYPE, (f"{T} *const &",), ("double *const &",), {"T": "double"}),
    "a pointer that is one": (TYPE, (f"{T} *",), ("float **",), {"T": "float *"}),
    "a function's types": (TWO, (f"{T} ({U}, int)",), ("void (n::A *, int)",), {"T": "void", "U": "n::A *"}),
    "a nested class, with a scope": (TWO, (f"In<B<{U}>, {T}>",), ("x::In<y::B<char>, z::C<1, 2>>",),
                                     {"T": "z::C<1, 2>", "U": "char"}),
    "a value": ((("N", "value"),), ("List<N, 4>",), ("a::List<-3, 4>",), {"N": "-3"}),
    "values that another template's parameters name": (
        (("A", "value"), ("B", "value")), ("L<B, 2, A>", "char[A]"), ("n::L<5, 2, (Mode)7>", "char[(Mode)7]"),
        {"B": "(Mode) 7", "A": "5"}),
    "a pack of types": (TWO, (f"Do<{T}, {U}...>",), ("n::Do<int, A<1, 2>, char *>",),
                        {"T": "int", "U": "A<1, 2>, char *"}),
    "an empty pack": (TWO, (f"Do<{T}, {U}...>",), ("n::Do<int>",), {"T": "int", "U": ""}),
    "a pack of values": ((("Is", "value"),), ("int_seq<long, Is...>",), ("c::int_seq<long, 0, 1>",), {"Is": "0, 1"}),
    "parts of a pack": (TWO, (f"Do<Pair<{T}, {U} *>...>",), ("n::Do<Pair<int, A<1, 2> *>, Pair<int, long *>>",),
                        {"T": "int", "U": "A<1, 2>, long"}),
    "values in parts of a pack": ((("N", "value"), ("Is", "value")), ("Do<Num<J>, Num<K>...>", "L<K...>"),
                                  ("Do<Num<1>, Num<2>, Num<3>>", "L<2, 3>"), {"N": "1", "Is": "2, 3"}),
    "a template": ((("T", "type"), ("W", "template")), (f"<{T}>",), ("n::Box<int>",), {"T": "int", "W": "n::Box"}),
    "the first of several extents": ((*TYPE, ("N", "value")), (f"{T}[N]",), ("char[3][4]",),
                                     {"T": "char[4]", "N": "3"}),
    "two of three extents": ((*TYPE, ("N", "value")), (f"const {T}[N][4]",), ("const int *[3][4][5]",),
                             {"T": "int *[5]", "N": "3"}),
    "the first of several extents behind a pointer": (
        (*TYPE, ("N", "value")), (f"{T} (*)[N]",), ("int (*)[6][2]",), {"T": "int[2]", "N": "6"}),
    "an extent behind a reference": ((*TYPE, ("N", "value")), (f"{T} (&)[N]",), ("int *(&)[6]",),
                                     {"T": "int *", "N": "6"}),
    "all extents": ((*TYPE, ("N", "value")), (f"{T}[N][2]",), ("float[3][2]",), {"T": "float", "N": "3"}),
    "a parameter twice": (TYPE, (T, f"{T} *"), ("int", "int *"), {"T": "int"}),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_parts_are_found(name: str) -> None:
    parameters, written, given, expected = KNOWN[name]
    values = [name for name, kind in parameters if kind == "value"]
    assert deduced(parameters, written, given, [*values, *values[1:]], {"U", "Is"}) == expected


@pytest.mark.parametrize(
    ("written", "given"),
    [((f"Other<{T}>",), ("n::Box<int>",)), ((T, f"{T} *"), ("int", "float *")), ((f"({T})",), ("int",)),
     ((f"Do<Box<{T}>...>",), ("Do<>",)), ((f"{T} *",), ("int",)),
     ((f"Do<Pair<{T}>...>",), ("Do<Pair<int>, Pair<long>>",)), ((f"Do<{T} *...>",), ("Do<int>",)),
     ((f"Do<{T}>", "List<N>"), ("Do<int>", "List<3>"))],
)  # fmt: skip
def test_what_does_not_match_is_not_told(written: tuple[str, ...], given: tuple[str, ...]) -> None:
    assert deduced(TYPE, written, given) is None
