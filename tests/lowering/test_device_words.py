"""Names of the user's that generated code has too."""

from __future__ import annotations

import re

import pytest

from rexcc import runtime
from rexcc.analysis.reachable_functions import ROUTINES
from rexcc.target.nvptx import NVPTX
from rexcc.transformation.device_words import HELPERS
from support import compiled, errors, translate_text

WORDS = NVPTX.words.variables
HEADERS = ("kmp", "rows", "runtime", "geometry", "divide", "tripcount", "module", "llvm_abi", "templates")
REGION = "#pragma omp target teams distribute parallel for\n for (int i = 0; i < n; i++) p[i] = "


def test_the_list_is_what_the_headers_declare() -> None:
    texts = (re.sub(r"//[^\n]*|#\s*include[^\n]*", "", (runtime.INCLUDE / f"rex_{h}.h").read_text()) for h in HEADERS)
    found = {name for text in texts for name in re.findall(r"\brex_[a-z]\w*", text)}
    assert {name for name in found if not name.startswith("rex_offload")} == HELPERS


def test_the_routines_are_those_of_the_device_headers() -> None:
    texts = (header.read_text() for header in runtime.INCLUDE.glob("rex_device_*.h"))
    found = {name for text in texts for name in re.findall(r"^REX_DEVICE [\w ]*[* ](omp_\w+)\(", text, re.M)}
    assert found == ROUTINES


def test_other_functions_are_not_routines_by_the_beginning_of_their_name() -> None:
    source = "double omp_half(double);\nvoid f(double x) {\n#pragma omp target\n  x = omp_half(x);\n}\n"
    assert [d.code for d in errors(source)] == ["undefined-device-function"]


@pytest.mark.parametrize("word", [*WORDS, "rex_min", "rex_rows"])
def test_the_programs_own_names_become_others(word: str) -> None:
    text = f"static int {word} = 3; /* {word} */\nvoid f(int n, int *p) {{\n{REGION}{word};\n}}\n"
    output = compiled(text)
    assert f"static int rex_users_{word} = 3; /* {word} */" in output.host
    assert f"rex_users_{word}" in output.kernels[0].body


@pytest.mark.parametrize("word", WORDS)
def test_names_that_others_know_stay(word: str) -> None:
    text = f"int {word} = 3;\nvoid f(int n, int *p) {{\n{REGION}i;\n}}\n"
    assert f"int {word} = 3;" in compiled(text).host
    shown = f"#define SHOW(x) #x\nstatic int {word} = 3;\nconst char *s = SHOW({word});\n"
    assert f"static int {word} = 3;" in compiled(f"{shown}void f(int n, int *p) {{\n{REGION}i;\n}}\n").host


@pytest.mark.parametrize("text", ['R"(a " gridDim " b)"', 'LR"x(it\'s )" gridDim)x"', '"gridDim \\" gridDim"'])
def test_strings_that_hold_a_name_stay(text: str) -> None:
    program = f"const auto *s = {text};\nstatic int gridDim = 3;\nvoid f(int n, int *p) {{\n{REGION}gridDim;\n}}\n"
    output = compiled(program, "names.cpp")
    assert f"= {text};" in output.host and "int rex_users_gridDim = 3;" in output.host


@pytest.mark.parametrize(
    "text",
    [
        "#include <assert.h>\nstatic void g(int gridDim) { assert(gridDim > 0); }\n",
        "static const char *gridDim(void) { return __func__; }\nconst char *g(void) { return gridDim(); }\n",
        "typedef int gridDim;\nstatic const char *g(gridDim) { return __PRETTY_FUNCTION__; }\n",
    ],
)
def test_names_of_which_strings_are_made_stay(text: str) -> None:
    output = compiled(f"{text}static int blockDim = 2;\nvoid f(int n, int *p) {{\n{REGION}blockDim;\n}}\n", "names.cpp")
    assert "rex_users_gridDim" not in output.host
    assert "int rex_users_blockDim = 2;" in output.host


@pytest.mark.parametrize(
    ("head", "word"),
    [
        ("int gridDim = 3;\n", "gridDim"),
        ("int rex_min = 3;\n", "rex_min"),
    ],
)
def test_names_that_stay_and_are_in_the_way(head: str, word: str) -> None:
    found = errors(f"{head}void f(int n, int *p) {{\n{REGION}{word};\n}}\n")
    assert {d.code for d in found} == {"unsupported-name"} and all(f"'{word}'" in d.message for d in found)
    assert all(d.span is not None and word in d.span.text for d in found)


def test_a_macro_that_makes_a_string_of_something_else_is_nothing() -> None:
    text = "#define SHOW(x) #x\nconst char *s = SHOW(hello);\nstatic int gridDim = 3;\n"
    output = compiled(f"{text}void f(int n, int *p) {{\n{REGION}gridDim;\n}}\n")
    assert "int rex_users_gridDim = 3;" in output.host


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        (
            "#define WITH(x) x##Dim\nstatic int gridDim = 3;\nint g(void) { return WITH(grid); }\n",
            "return rex_users_gridDim ;",
        ),
        ("#define SHOW(x) #x\nstatic int gridDim = 1;\nconst char *s = SHOW(gridDim);\n", 's = "gridDim" ;'),
        ("#include <assert.h>\nstatic int gridDim = 3;\nvoid g(void) { assert(gridDim > 0); }\n", '"gridDim > 0"'),
    ],
)
def test_macros_of_the_program_are_expanded_first(head: str, kept: str) -> None:
    assert kept in compiled(f"{head}void f(int n, int *p) {{\n{REGION}gridDim;\n}}\n").host


def test_messages_have_the_names_of_the_program() -> None:
    text = "static int gridDim = 3;\nstatic int f(int x) { return x * gridDim; }\nvoid g(int *p) {\n"
    text += "#pragma omp target\n  p[0] = f(1);\n}\nint *h(void) { return &gridDim; }\n"
    (found,) = errors(text)
    assert found.message.startswith("'gridDim' is a variable of the host, ")


@pytest.mark.parametrize(
    ("word", "uses"),
    [("__shared__", "__shared__ int q = 1; p[i] = q"), ("__device__", "p[i] = f2()"), ("__ldg(p)", "p[i] = 1 __ldg(p)"),
     ("__syncthreads()", "p[i] = i; __syncthreads()"), ("threadIdx", "p[i] = 1 threadIdx")],
)  # fmt: skip
def test_macros_of_the_words_become_others(word: str, uses: str) -> None:
    name = word.split("(")[0]
    text = f"#define {word}\n__attribute__((unused)) static int f2(void) {{ return 2; }}\n"
    output = compiled(f"{text}void f(int n, int *p) {{\n{REGION[:-7]}{{ {uses}; }}\n}}\n")
    assert f"#define rex_users_{word}\n" in output.host
    assert f"#define {name}" not in output.device


@pytest.mark.parametrize("head", ["inline void __syncthreads() {", "template <class T> void __syncthreads(T *p = 0) {"])
def test_inline_functions_of_the_words_become_others(head: str) -> None:
    call = "__syncthreads<int>()" if "<" in head else "__syncthreads()"
    text = f"{head}\n#pragma omp barrier\n}}\nvoid f() {{\n#pragma omp target parallel\n  {{ {call}; }}\n}}\n"
    device = compiled(text, "t.cpp").device
    assert "void rex_users___syncthreads(" in device and "/* #pragma omp barrier */ __syncthreads();" in device


def test_names_of_cuda_are_in_a_namespace() -> None:
    for name in ("atomicCAS", "__popc", "__vadd2", "__fmul_rn", "make_uint2", "normcdf", "tex2D", "__expf"):
        text = f"static inline int {name}(int a) {{ return a; }}\nvoid f(int n, int *p) {{\n{REGION}{name}(i);\n}}\n"
        assert f"/* CUDA has its own: {name} */" in compiled(text, "t.cpp").device


@pytest.mark.parametrize("option", [("-D__shared__=",), ("-D", "__shared__=")])
def test_words_that_the_command_line_defines(option: tuple[str, ...]) -> None:
    """They mean what it says where the program uses them, and what CUDA says in generated text."""
    text = (
        "void f(int n, int *p) {\n#pragma omp target teams num_teams(2)\n{\n  int part[8];\n#pragma omp parallel for\n"
    )
    text += "  for (int i = 0; i < 8; i++) { __shared__ int k = i; part[i] = k; }\n  p[0] = part[3];\n}\n}\n"
    device = compiled(text, arguments=option).device
    assert "#define __shared__" not in device
    assert "__shared__ int part[8]" in device and "__shared__ int k" not in device and "int k = i;" in device


@pytest.mark.parametrize(
    ("call", "is_global"),
    [("::max(i, 2)", True), ("1 ? ::max(i, 2) : :: max(2, i)", True), ("k::max(i, 2)", False), ("k ::max(i, 2)", False),
     ("i > ::max(i, 2)", True), ("limits<int>::max()", False), ('1 /* " */ + ::max(i, 2)', True),
     ("k/**/::max(i, 2)", False), ("1 // k\n + ::max(i, 2)", True)],
)  # fmt: skip
def test_global_names_of_cuda_are_the_programs(call: str, is_global: bool) -> None:
    """Where CUDA has a global `max`, `::max` finds that, and not what a using directive brings."""
    text = "int max(int a, int b) { return a; }\nnamespace k { inline int max(int a, int b) { return b; } }\n"
    text += "template <class T> struct limits { static T max() { return 7; } };\n"
    device = compiled(f"{text}void f(int n, int *p) {{\n{REGION}{call} + max(3, i);\n}}\n", "t.cpp").device
    assert ("::rex_user::" in device) == is_global


def test_macros_of_words_that_all_text_has() -> None:
    """`gridDim.x` with `#define x 0`, and `long long` with `#define long int`, are no code."""
    macros = "#define x 0\n#define long int\n#ifdef NO\n#define const\n#endif\n#define y(x) (x)\nstruct s { int z; };\n"
    output = compiled(f"{macros}void f(long n, const struct s *q, int *p) {{\n{REGION}q[x].z + y(i);\n}}\n")
    assert "#define rex_users_x 0\n#define rex_users_long int\n#ifdef NO\n#define const\n" in output.host
    assert "#define x" not in output.device and "#define long" not in output.device
    other = "#define x(a) (a)\nextern int x;\n#undef x\n"
    assert "rex_users" not in compiled(f"{other}void f(int n, int *p) {{\n{REGION}i;\n}}\n").host


@pytest.mark.parametrize("version", [0, 45])
def test_the_date_of_openmp_in_device_code(version: int) -> None:
    text = f"enum dates {{ now = _OPENMP }};\nvoid f(int n, int *p) {{\n{REGION}_OPENMP + now;\n}}\n"
    device = translate_text(text, openmp_version=version).device
    assert device is not None and f"#define _OPENMP {201511 if version else 202011}\n" in device.text
