"""What programs ask their compiler: which names are asked for, what is answered, how texts ask for the answers."""

from __future__ import annotations

import pytest

from rexcc.source.compiler_macros import arguments, definitions, for_device, for_libclang
from rexcc.source.compiler_questions import ANSWERED, answers, questions, text_of

WRAPPED = """#ifdef __has_cpp_attribute
#define HAS(x) __has_cpp_attribute(x)
#else
#define HAS(x) 0
#endif
#define HAS_OF(scope, x) HAS(scope::x)
#define BUILT(x) __has_builtin(__builtin_##x)
#if HAS_OF(clang, kept) /* not(asked) */ && BUILT(bswap)
int in_code = 1;
#elif HAS(other :: shared)
#endif
"""


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("__has_cpp_attribute", "kept"),
        ("__has_cpp_attribute", "clang::kept"),
        ("__has_cpp_attribute", "gnu::shared"),
        ("__has_cpp_attribute", "other::shared"),
        ("__has_builtin", "__builtin_bswap"),
    ],
)
def test_names_of_arguments_and_what_macros_make_of_them_are_asked_for(question: str, name: str) -> None:
    assert (question, name) in questions([WRAPPED])


def test_macros_of_one_file_ask_for_another() -> None:
    names = dict.fromkeys(name for _, name in questions(["#define HAS __has_builtin\n", "#if HAS(one)\n#endif\n"]))
    assert "one" in names


@pytest.mark.parametrize(
    ("macros", "argument", "name"),
    [
        ("#define JOIN(a, b) a##b\n", "JOIN(__builtin_, trap)", "__builtin_trap"),
        ("", "JOIN(__builtin_ , trap)", "__builtin_trap"),  # of a header of the system
        ("#define BUILT(x) WITH(x)\n#define WITH(x) __builtin_##x\n", "BUILT(trap)", "__builtin_trap"),
    ],
)
def test_names_of_macros_that_ask_nothing_themselves_are_asked_for(macros: str, argument: str, name: str) -> None:
    assert ("__has_builtin", name) in questions(
        [f"#define HAS(x) __has_builtin(x)\n{macros}#if HAS({argument})\n#endif\n"]
    )


def test_what_belongs_to_a_condition_is_no_name() -> None:
    """A preprocessor that is asked for an operator of its own takes what follows for an operand."""
    text = "#if not defined(A) and __has_include(<b.h>) && __has_embed(<c>) || __has_builtin(one)\n#endif\n"
    text += "#if __has_feature(two) && !__is_identifier(__int64) && !__is_target_os(linux)\n#endif\n"
    assert {name for _, name in questions([text])} == {"A", "b", "c", "h", "one", "two", "__int64", "linux"}


def test_only_conditions_and_what_asks_have_names_and_files_without_questions_none() -> None:
    names = {name for _, name in questions([WRAPPED, "#define in_macro 1\n"])}
    assert not names & {"in_code", "in_macro", "asked"}
    assert questions(["#if defined(__has_include) && A\n#define A __has_include(<a.h>)\n#endif\n"]) == ()


def test_answers_are_of_questions_that_the_compiler_has() -> None:
    asked = (("__has_builtin", "one"), ("__has_builtin", "two"), ("__has_attribute", "three"), ("__has_feature", "a"))
    assert text_of(asked).count("#ifdef __has_builtin") == 2
    printed = "rex_answer 0\nrex_answer 0 1\nrex_answer 1\nrex_answer 1 0\nrex_answer 2\nrex_answer 2 201907L\n"
    found = [
        ("__has_attribute", ""),
        ("__has_attribute(three)", "201907"),
        ("__has_builtin", ""),
        ("__has_builtin(one)", "1"),
    ]
    assert answers([], asked, printed) == (ANSWERED, *found)


def test_a_question_in_an_expression_has_an_answer_that_is_a_number() -> None:
    texts = ["#define HAS(x) __has_attribute(x)\n", "int a = HAS(gnu::one) + HAS( two );\n", "#if HAS(three)\n#endif\n"]
    asked = questions(texts)
    assert {name for _, name in asked} >= {"gnu::one", "two", "three"}
    printed = "".join(f"rex_answer {n} {int(name == 'two')}\n" for n, (_, name) in enumerate(asked))
    found = dict(answers(texts, asked, printed))
    values = {name: found.get(f"__has_attribute({name})") for name in ("gnu::one", "two", "three")}
    assert values == {"gnu::one": "0", "two": "1", "three": None}
    assert for_device("#define HAS(x) __has_attribute(x)\nint a = HAS(gnu::one);\n").endswith(
        "int a = HAS(gnuone  );\n"
    )


def test_texts_ask_in_other_names_of_the_same_length() -> None:
    ((_, data),) = for_libclang({"a.cpp": WRAPPED})
    text = data.decode()
    assert [len(line) for line in text.splitlines()] == [len(line) for line in WRAPPED.splitlines()]
    assert "HAS(scope##x)" in text
    assert "HAS(othershared   )" in " ".join(text.split("\n")).replace("    )", "   )")
    assert "__has_" not in text


def test_macros_of_one_file_ask_about_scoped_names_of_another() -> None:
    use = "#if HAS(gnu::pure)\nint i = HAS(gnu::cold) + std::max(a::b, 1);\n#endif\n"
    texts = dict(for_libclang({"a.hpp": "#define HAS(x) __has_cpp_attribute(x)\n", "a.cpp": use}))
    assert texts["a.cpp"] == b"#if HAS(gnupure  )\nint i = HAS(gnucold  ) + std::max(a::b, 1);\n#endif\n"
    assert dict(for_libclang({"a.cpp": use})) == {"a.cpp": use.encode()}


@pytest.mark.parametrize("end", ["\\\n", "\\ \t\r\n"])
@pytest.mark.parametrize("begin", ["#", "  %: "])
def test_conditions_that_go_on_in_another_line_have_joined_names(begin: str, end: str) -> None:
    asks = "#define HAS(x) __has_cpp_attribute(x)\n"
    texts = dict(for_libclang({"a.hpp": asks, "a.cpp": f"{begin}if MACRO {end}&& (a::b){end}&& c::d\nint i = e::f;\n"}))
    assert texts["a.cpp"].decode() == f"{begin}if MACRO {end}&& (ab  ){end}&& cd  \nint i = e::f;\n"


def test_device_text_has_answers_and_leaves_scopes_in_code_alone() -> None:
    code = "#if __has_cpp_attribute(gnu::used)\nint i = std::max(a::b, 1);\n#endif\n"
    assert "std::max(a::b, 1)" in for_device(code)
    known = (("__GNUC__", "12"), ANSWERED, ("__has_cpp_attribute", ""), ("__has_cpp_attribute(gnu::used)", "1"))
    lines = definitions(known, [code])
    assert "#define _Rhas_cpp_attribute_of_gnuused 1" in lines
    assert "#undef __has_cpp_attribute" not in lines
    assert "-D_Rhas_cpp_attribute_of_gnuused=1" in arguments(known, "c++")


@pytest.mark.parametrize(
    ("macro", "is_asked"),
    [
        ("HAS(x) (A && __has_builtin(x))", True),
        ("HAS(...) __has_builtin(__VA_ARGS__)", True),
        ("HAS __has_builtin", True),
        ("HAS(x) __has_builtin(of_##x)", True),
        ("HAS(x) (__has_builtin(__builtin_expect) ? __builtin_expect(x, 1) : (x))", False),
    ],
)
def test_names_in_arguments_that_are_none_of_a_question_stay(macro: str, is_asked: bool) -> None:
    assert ("HAS(ab  )" in for_device(f"#define {macro}\nint i = HAS(a::b);\n")) is is_asked


def test_where_nobody_was_asked_readers_answer() -> None:
    assert "-D_Rhas_builtin(...)=__has_builtin(__VA_ARGS__)" in arguments((), "c")
    assert definitions((), ["#if __has_builtin(x)"])[0] == "#ifdef __has_builtin"


def test_texts_in_quotes_ask_nothing() -> None:
    code = [
        'const char *s = "HAS(a::b)", *r = R"x(HAS(a::b))x"; /* HAS(a::b) */\n',
        '#define TOLD "HAS(a::b)" // HAS(a::b)\n',
    ]
    for text in code:
        assert for_device(f"#define HAS(x) __has_attribute(x)\n{text}").endswith(text)
