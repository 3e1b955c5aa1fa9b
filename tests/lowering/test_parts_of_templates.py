"""Objects of class templates whose parts depend on the parameters: as bytes travels only what is known to be bytes.

Clang does not tell which class such a base is, nor what ``Alias<N>`` means for a number, so a class that is copied by a
constructor of its own may be behind each of the names here.
"""

from __future__ import annotations

import pytest
from analysis_tools import regions

from rexcc.analysis.batches.copied_bytes import CopiedBytes
from support import compiled

HEAD = """
#include <utility>
static int total;
struct Counted { int n; Counted() : n(0) {} Counted(const Counted &o) : n(o.n + 1) { total++; } };
struct Plain { int n; };
struct With { Counted c; };
using Alias = Counted;
template <int N> struct pick { using type = Counted; };
template <> struct pick<0> { using type = Plain; };
template <int N> using pick_t = typename pick<N>::type;
template <class T> struct Impl { T t; };
template <class T> using Same = Impl<T>;
template <int N, class T = pick_t<N>> struct Chosen { T t; };
template <class T, int N> struct Special { T t; };
template <int N> struct Special<int, N> { Counted c; };
template <class... T> struct Several : Impl<T>... {};
template <class T> struct Counting { Counted c; };
template <template <class> class C, class T> struct Of { C<T> c[2]; };
template <class T> struct Names { using B = pick_t<1>; using I = Impl<pick_t<1>>; T u; };
template <class T, int N> struct Array { T a[N]; };
template <class T> struct Nest { struct In { T t[2]; }; In in; };
template <class A, class B = Counted> struct Two { A a; B b; };
template <class A> using Second = Two<A, Counted>;
template <class A> struct Below : Two<A, With> {};
template <class A> struct Inside { using B = Two<A, With>; B b; };
template <class A, class B> struct Holds { using B2 = Nest<B>; B2 b; A x; };
template <class A, class... B> struct Row : Row<B...> { A a; };
template <class A> struct Row<A> { A a; };
template <class A, class B = Counted, int N = 3> struct Many { B b[N]; A a; };
template <class A, class B> struct Points { B b; A *a; };
"""
REFERRING = [
    "template <class B> struct Refers { using data_t = pick_t<sizeof(B)>; data_t &data; data_t *all[2]; "
    "Refers(data_t &d) : data(d) {} }; struct A : Refers<X> { using Refers<X>::Refers; };",
    "template <class... B> struct Refers { Holds<B..., pick_t<3>> &data; }; struct A : Refers<X> {};",
]
"""What a part refers or points to is no object of it."""
OF_BYTES = [
    "struct A { using B = Impl<pick_t<0>>; B b; X x; };",
    "struct A { using B = Impl<X>; B b[2]; };",
    "struct A : Array<X, N> { X y[N]; };",
    "struct A { using Base = Array<X, N>; Base b; Points<pick_t<N>, X> p; };",
    "struct A : Points<Plain, X> { };",
    "struct A { pick_t<N> *p; X x; };",
]
OTHERS = [
    "struct A : Impl<pick_t<N>> { X x; };",
    "struct A : Same<pick_t<N>> {};",
    "struct A : Array<Counted, N> { X x; };",
    "struct A : Array<pick_t<N>, N> { X x; };",
    "struct A : Two<X, Counted> {};",
    "struct A : Two<X, Alias> {};",
    "struct A : Two<X, With> {};",
    "struct A : Two<X> {};",
    "struct A : Second<X> {};",
    "struct A : Below<X> {};",
    "struct A : Inside<X> {};",
    "struct A : Chosen<N> { X x; };",
    "struct A : Several<X, pick_t<N>> {};",
    "struct A : std::pair<X, pick_t<N>> {};",
    "struct A : Holds<X, pick_t<N>> {};",
    "struct A : Row<X, int, Counted> {};",
    "struct A : Row<X, int, pick_t<N>> {};",
    "struct A : Many<X> {};",
    "struct A : Of<Counting, X> {};",
    "struct A : Names<X> { typename Names<X>::B b; };",
    "struct A : Names<X> { typename Names<X>::I b; };",
    "struct A { using B = Impl<pick_t<N>>; B b; };",
    "struct A { pick_t<N> a[2]; };",
    "struct A { Impl<pick_t<N>> a[2]; };",
    "struct A { using B = typename pick<N>::type; B b; };",
    "struct A { using B = pick_t<N>; using C = B; Impl<C> b[2]; };",
    "struct A { using B = Impl<Counted>; B b; X x; };",
    "struct A { using B = Special<int, N>; B b; X x; };",
    "struct A { using B = Two<X>; B b[2]; };",
    "struct A { using B = Second<X>; B b; };",
    "struct A { using B = Array<pick_t<N>, N>; B b; X x; };",
    "struct A { using B = Nest<pick_t<N>>; B b; };",
    "struct A { using B = Points<X, pick_t<N>>; B b; };",
    "struct A { using B = Many<X>; B b; };",
    "struct A { typedef pick_t<N> type; typedef Impl<type> base; base b; };",
    "struct A { struct In { X x; Counted t; }; using Q = In; Q in[2]; };",
]


def source(classes: list[str], how: str) -> str:
    """Return a program with a function for each class, whose object a region copies."""
    region = f"#pragma omp target {how} map(tofrom : x)\n{{ auto b = a; x += sizeof b; }}\nreturn x;"
    spaces = (
        f"namespace n{i} {{ template <class X, int N> {text}\nint f{i}(A<long, 2> a) {{ int x = 0;\n{region} }} }}\n"
        for i, text in enumerate(classes)
    )
    return HEAD + "".join(spaces)


@pytest.mark.parametrize(("classes", "is_bytes"), [(OF_BYTES, True), (OTHERS, False)])
@pytest.mark.parametrize("how", ["firstprivate(a)", "map(to : a)"])
def test_only_objects_of_known_parts_are_bytes(how: str, classes: list[str], is_bytes: bool) -> None:
    text = source(classes, how).replace("total++; ", "")  # kernels cannot name it
    output = compiled(text, "t.cpp", arguments=("-w",))
    assert len(output.kernels) == len(classes)
    for index in range(len(classes)):
        body = output.kernel(f"__f{index}__").body
        is_copied = "rex_unpack_object<" in body or (how != "map(to : a)" and "const n" in body)
        assert is_copied is is_bytes, classes[index]


@pytest.mark.parametrize(("classes", "is_silent"), [(OF_BYTES, True), (OTHERS, False)])
def test_copies_are_silent_of_known_parts_alone(classes: list[str], is_silent: bool) -> None:
    for region, text in zip(regions(source(classes, "firstprivate(a)"), "t.cpp"), classes, strict=True):
        (argument,) = region.owner.node.cursor.get_arguments()
        assert CopiedBytes(region.unit).is_copied_silently(argument.type) is is_silent, text


def test_what_parts_refer_to_is_not_made() -> None:
    parts = [text.replace("struct A", "template <class X, int N> struct A") for text in REFERRING]
    spaces = (f"namespace n{i} {{ {text} int f{i}(A<long, 2> a) {{ int x = 0;\n#pragma omp target map(from: x)\n"
              "x = sizeof a; return x; } }\n" for i, text in enumerate(parts))  # fmt: skip
    for region, text in zip(regions(HEAD + "".join(spaces), "t.cpp"), parts, strict=True):
        (argument,) = region.owner.node.cursor.get_arguments()
        copies = CopiedBytes(region.unit)
        assert copies.is_copied_silently(argument.type), text
        assert copies.constructors.called_by(argument.type) is not None, text
