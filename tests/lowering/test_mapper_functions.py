"""Declared mappers and iterators in the host file: functions and loops as a careful person writes them."""

from __future__ import annotations

import re

import pytest

from support import compiled, expect_error

VEC = "typedef struct { int n; double *p; } vec;\n"
DECLARED = f"{VEC}#pragma omp declare mapper(vec v) map(v, v.p[0 : v.n])\n"


def function(host: str, name: str) -> str:
    """Return the text of a mapper's function."""
    start = host.index(f"REX_MAPPER {name}(")
    return host[start : host.index("\n}\n", start) + 3]


def test_a_mapper_becomes_a_function_in_the_place_of_its_directive() -> None:
    host = compiled(f"{DECLARED}void f(vec w) {{\n#pragma omp target map(tofrom: w)\n  w.p[0] = 1;\n}}\n").host
    comment = "/* #pragma omp declare mapper(vec v) map(v, v.p[0 : v.n]) */\n"
    assert host.index(comment) < host.index("REX_MAPPER rex_mapper_vec(") < host.index('#line 3 "t.c"\nvoid f(vec w)')
    text = function(host, "rex_mapper_vec")
    assert "vec *v = __rex_map_begin;\n" in text
    assert "for (; __rex_map_item.count > 0; __rex_map_item.count--, v++) {" in text
    assert "(void *)&v->p, (void *)&v->p[0], (__INT64_TYPE__)(sizeof v->p[0] * (__SIZE_TYPE__)v->n)," in text
    assert "malloc" not in text and "v." not in re.sub(r'REX_MAP_NAME\(".*?"', "", text)
    assert host.count("{(void *)rex_mapper_vec}") == 1


def test_in_cplusplus_the_variable_is_a_reference() -> None:
    source = f"{DECLARED}void f(vec w) {{\n#pragma omp target map(tofrom: w)\n  w.p[0] = 1;\n}}\n"
    text = function(compiled(source, "t.cpp").host, "rex_mapper_vec")
    assert "vec *__rex_map_element = (vec *)__rex_map_begin;\n" in text and "vec &v = *__rex_map_element;\n" in text
    assert "(void *)&v.p, (void *)&v.p[0]," in text


def test_what_nothing_uses_is_only_a_comment() -> None:
    unused = f"{VEC}#pragma omp declare mapper(vec v) map(v)\nvoid f(int *p) {{\n#pragma omp target\n  p[0] = 1;\n}}\n"
    host = compiled(unused).host
    assert "/* #pragma omp declare mapper(vec v) map(v) */" in host and "REX_MAPPER" not in host
    assert "__arg_mappers" not in host


USES = {
    "target": "#pragma omp target map(to: w)\n  (void)w.n;",
    "implicit": "#pragma omp target\n  w.n++;",
    "elements": "  vec a[3];\n#pragma omp target map(tofrom: a)\n  a[0].n++;",
    "section": "  vec *q = &w;\n#pragma omp target map(tofrom: q[0:k])\n  q[0].n++;",
    "pointee": "  vec *q = &w;\n#pragma omp target map(tofrom: *q)\n  q->n++;",
    "data": "#pragma omp target data map(to: w)\n  w.n++;",
    "enter": "#pragma omp target enter data map(to: w)",
    "exit": "#pragma omp target exit data map(from: w)",
    "update": "#pragma omp target update to(w)",
    "named default": "#pragma omp target update from(mapper(default): w)",
}


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_default_mappers_are_used_without_being_named(name: str, language: str) -> None:
    found = compiled(f"{DECLARED}void f(vec w, int k) {{\n{USES[name]}\n}}\n", f"t.{language}").blocks
    (block,) = [b for b in found if "__arg_mappers" in b.text]
    assert "(void *)rex_mapper_vec" in block.text


OTHERS = {
    "a pointer": "  vec *q = &w;\n#pragma omp target enter data map(to: q)",
    "a member": "#pragma omp target enter data map(to: w.n)",
    "behind a member": "#pragma omp target enter data map(to: w.p[0:k])",
    "before it is declared": "",
    "first-private": "#pragma omp target firstprivate(w)\n  w.n++;",
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_object_of_the_class_has_no_mapper(name: str) -> None:
    before = f"{VEC}void g(vec w) {{\n#pragma omp target map(to: w)\n  w.n++;\n}}\n{DECLARED[len(VEC) :]}"
    assert "__arg_mappers" not in compiled(f"{before}void f(vec w, int k) {{\n{OTHERS[name]}\n}}\n").host


def test_mappers_of_parts_are_called() -> None:
    source = (
        f"{DECLARED}struct pair {{ vec a, b[2]; }};\n#pragma omp declare mapper(both : struct pair v) map(v.a, v.b)\n"
        "void f(struct pair s) {\n#pragma omp target map(mapper(both), from: s)\n  s.a.n = 1;\n}\n"
    )
    text = function(compiled(source).host, "rex_mapper_pair_both")
    assert text.count("rex_mapper_vec(__rex_map_handle, ") == 2 and text.count("rex_mapped_type(&__rex_map_item, ") == 2
    assert (
        "(void *)&v->a, (__INT64_TYPE__)(sizeof v->a)," in text
        and "(void *)v->b, (__INT64_TYPE__)(sizeof v->b)," in text
    )


def test_scopes_name_functions_of_their_own() -> None:
    source = (
        f"{VEC}namespace n {{\n#pragma omp declare mapper(m : vec v) map(v)\nvoid g(vec w) {{\n"
        "#pragma omp target enter data map(mapper(m), to: w)\n}\n}\n"
        "void f(vec w) {\n#pragma omp declare mapper(m : vec v) map(v.n)\n"
        "#pragma omp target enter data map(mapper(m), to: w)\n}\n"
    )
    host = compiled(source, "t.cpp").host
    assert "(void *)n::rex_mapper_vec_m" in host
    assert "struct rex_mappers_vec_m_2 {\nREX_NO_WARNINGS\nREX_MAPPER rex_mapper_vec_m_2(" in host
    assert "(void *)rex_mappers_vec_m_2::rex_mapper_vec_m_2" in host


def test_in_c_a_mapper_of_a_block_stands_before_the_function() -> None:
    inside = "#pragma omp declare mapper(vec v) map(v.n)\n#pragma omp target enter data map(to: w)\n"
    host = compiled(f"{VEC}void f(vec w) {{\n{inside}}}\n").host
    assert host.index("REX_MAPPER rex_mapper_vec(") < host.index("void f(vec w)")


HEAD = "struct S { int n; double *x; };\nvoid f(int n, int m, struct S *p, double **r, double *q, double (*t)[8]) {\n"


def test_rows_of_iterators_are_counted_then_filled_in_one_piece_of_memory() -> None:
    host = compiled(
        f"{HEAD}#pragma omp target enter data map(to: p[0:n]) map(iterator(i = 0:n, j = 0:m:2), to: p[i].x[j:1])\n}}\n"
    ).host
    counted = (
        "    __INT32_TYPE__ __arg_num = 1;\n    for (int i = 0; i < n; i++)\n      for (int j = 0; j < m; j += 2)\n"
        "        __arg_num += 2;\n    struct rex_rows __rex_map_rows = rex_new_rows(__arg_num);\n"
    )
    assert host.count(counted) == 1 and host.count("rex_free_rows(&__rex_map_rows);") == 1
    assert host.index("rex_add_row(&__rex_map_rows, (void *)p, (void *)&p[0],") < host.index(
        "    for (int i = 0; i < n; i++)\n      for (int j = 0; j < m; j += 2) {\n"
        "        const __INT32_TYPE__ __rex_round_start = __rex_map_rows.count;\n"
    )
    assert "rex_member_of(__rex_round_start) | REX_MAP_PTR_AND_OBJ | REX_MAP_TO" in host


@pytest.mark.parametrize(
    ("item", "row"),
    [
        ("q[i]", ("q", "&q[0]", "sizeof q[0] * (__SIZE_TYPE__)n")),
        ("t[k][i]", ("t", "&t[k][0]", "sizeof t[k][0] * (__SIZE_TYPE__)n")),
    ],
)
def test_an_index_that_runs_over_neighbours_is_a_section(item: str, row: tuple[str, str, str]) -> None:
    source = f"{HEAD}  int k = 1;\n#pragma omp target enter data map(iterator(i = 0:n), to: {item})\n}}\n"
    (block,) = compiled(source).blocks
    assert "rex_rows" not in block.text and len(block.bases) == 1
    assert row[0] in block.bases[0] and row[1] in block.begins[0]


LOOPED = ["q[i + 1]", "q[2 * i:2]", "t[i][i]", "r[i][0:m]", "p[i].n"]


@pytest.mark.parametrize("item", LOOPED)
def test_other_items_are_rows_of_each_round(item: str) -> None:
    source = f"{HEAD}#pragma omp target enter data map(iterator(i = 0:n), to: {item})\n}}\n"
    (block,) = compiled(source).blocks
    assert "for (int i = 0; i < n; i++) " in block.text and "rex_new_rows(__arg_num)" in block.text


def test_ends_of_regions_give_the_memory_back_and_expect_nothing() -> None:
    source = f"{HEAD}#pragma omp target data map(iterator(i = 0:n), present, to: r[i][0:m])\n  n++;\n}}\n"
    host = compiled(source).host
    begin, end = host.index("__tgt_target_data_begin_mapper("), host.index("__tgt_target_data_end_mapper(")
    expected, freed = (host.index(f"rex_{what}(&__rex_map_rows);") for what in ("expect_nothing", "free_rows"))
    assert begin < expected < end < freed
    kernel = compiled(f"{HEAD}#pragma omp target map(iterator(i = 0:n), to: r[i][0:m])\n  r[0][0] = 1;\n}}\n").host
    assert kernel.index("__tgt_target_kernel(") < kernel.index("rex_free_rows(&__rex_map_rows);")


def test_gaps_with_iterators_are_refused() -> None:
    expect_error(
        f"{HEAD}#pragma omp target update to(iterator(i = 0:n): «r[i][0:m:2]»)\n}}\n",
        "unsupported-item",
        "has gaps, which cannot be lowered in a clause with iterators",
    )


HOLDER = "typedef struct { int a; vec in; } holder;\n"


def test_a_class_with_a_member_that_has_a_mapper_gets_one_behind_it() -> None:
    used = "void f(holder w) {\n#pragma omp target map(tofrom: w)\n  w.a = w.in.n;\n}\n"
    for source in (DECLARED + HOLDER + used, VEC + HOLDER + DECLARED[len(VEC) :] + used):
        found = compiled(source)
        text = function(found.host, "rex_mapper_holder")
        assert found.host.index("REX_MAPPER rex_mapper_vec(") < found.host.index("REX_MAPPER rex_mapper_holder(")
        assert "rex_map_between(&__rex_map_item, __rex_map_at, __rex_map_element + 8," in text
        assert "rex_mapper_vec(__rex_map_handle, __rex_map_element, __rex_map_element + 8, 16," in text
        assert "{(void *)rex_mapper_holder}" in found.blocks[0].text


def test_base_classes_are_arguments_of_the_function() -> None:
    source = f"{DECLARED}struct B : vec {{ int k; }};\nstruct H {{ int k; B b; }};\nvoid f(H h) {{\n"
    host = compiled(f"{source}#pragma omp target enter data map(to: h)\n}}\n", "t.cpp").host
    assert "template <class __rex_class_0, class __rex_base_0>\nREX_MAPPER rex_mapper_B(" in host
    assert "rex_mapper_B<__rex_class_0, __rex_base_0>(__rex_map_handle," in host
    assert "(void *)rex_mapper_H<B, vec >" in host


WITHOUT = {
    "a union": "union u { vec in; int k; } w;",
    "a pointer": "struct u { vec *in; int k; } w;",
    "no such member": "struct u { int k; } w;",
}


@pytest.mark.parametrize("name", WITHOUT)
def test_what_has_no_such_member_has_no_mapper(name: str) -> None:
    source = f"{DECLARED}{WITHOUT[name]}\nvoid f(void) {{\n#pragma omp target map(tofrom: w)\n  w.k = 1;\n}}\n"
    assert "__arg_mappers" not in compiled(source).host


REFUSED = {
    "a virtual base class": (
        "unsupported-item",
        "a virtual base class of 'D', has a default mapper",
        "struct D : virtual vec { int k; };\nvoid f(D &d) {\n#pragma omp target map(tofrom: «d»)\n  d.k = 1;\n}\n",
    ),
    "a base class of a template": (
        "unsupported-template",
        "depends on a template",
        "template <class T> struct D : T { int k; };\nvoid f(D<vec> d) {\n"
        "#pragma omp target map(tofrom: «d»)\n  d.k = 1;\n}\n",
    ),
    "instantiations that differ": (
        "unsupported-template",
        "map 'p' by different mappers",
        "template <class T> struct P { T t; };\ntemplate <class T> void f(T t) {\n  P<T> p{t};\n"
        "#pragma omp target enter data map(to: «p»)\n}\nvoid g(vec v) {\n  f(v);\n  f(1);\n}\n",
    ),
    "a mapper that comes back to its class": (
        "omp-mapper-recursive",
        "mappers cannot recur",
        "struct link { struct loop *p; };\nstruct around { link in; };\nstruct loop { around *q; };\n"
        "#pragma omp declare mapper(link l) map(l.p[0:1])\n#pragma omp declare mapper(loop l) map(«l.q[0:1]»)\n",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_members_whose_mappers_cannot_be_applied_are_refused(name: str) -> None:
    code, message, text = REFUSED[name]
    expect_error(DECLARED + text, code, message, "t.cpp")
