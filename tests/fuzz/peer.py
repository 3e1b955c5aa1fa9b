"""What clang says of directives that are accepted here.

In: directives. Out: those whose syntax clang finds wrong, with its words, and of these the ones that the whole front
end accepts: expressions are resolved by the base language, so the parser alone does not see all that is wrong in them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from fuzz.pragmas import parse
from rexcc.frontend.files import SearchPath, gather
from rexcc.frontend.preprocessed import preprocess
from rexcc.openmp.directives import Association
from rexcc.openmp.tables import association_of
from rexcc.openmp.unparse import clause_text, unparse
from rexcc.program.unit import parse_unit
from rexcc.source.diagnostics import CompileError, DiagnosticSink

_CONTEXT = """\
typedef struct s { int x, n; int *p; struct s *q; struct s *r; } T; typedef void *omp_interop_t;
namespace std { template <class A, class B> int max(A, B); template <class T> struct vector { T *v; }; }
namespace ns { extern int k; } extern int g; int f(int *p, int n); int v; typedef enum { omp_all_memory } omp_memory;
struct C { int m;"""
_PARAMETERS = "int a, int b, int c, int *p, int *q, int n, int x"
_VARIABLES = "int d, e, h, i, j, k, l, y, z, o;"
_DECLARED = f"{_CONTEXT} {_PARAMETERS} {_VARIABLES}"
_SEMANTIC = re.compile(
    r"expected (?:addressable|variable|array|pointer|an? (?:object|lvalue|array)|access|'[a-z]+' (?:type|subscript)"
    r"|string literal"
    r"|at least one .*clause|reference|.* to have|.* type|depobj expression|lvalue|'bind' clause)|unknown type name"
)
_SYNTAX = re.compile(r"expected|extra tokens|unexpected OpenMP|unknown|missing|incorrect|unexpected")
_LINE = re.compile(r"^[^:\n]+:(\d+):(\d+): error: (.*)$", re.MULTILINE)
_FILE_SCOPE = frozenset({"threadprivate", "requires", "assumes", "declare target", "declare mapper", "groupprivate",
                         "declare reduction", "declare induction"})  # fmt: skip
_PATIENCE = 60
"""Seconds that clang gets for one group."""
Complaints = dict[int, list[str]]
"""Messages by the index of a directive."""


def _stands_outside(text: str) -> bool:
    """Whether a directive stands outside functions."""
    directive, _ = parse(text)
    if directive is None:
        return False
    outside = (Association.DECLARATION, Association.DELIMITED, Association.END)
    return directive.name in _FILE_SCOPE or association_of(directive) in outside


def _program(texts: Sequence[str], group: Iterable[int]) -> tuple[str, dict[int, int]]:
    """Return a program with each directive in a function of its own, or in front of one, and their lines."""
    lines: dict[int, int] = {}
    program = _CONTEXT.splitlines()
    for index in group:
        outside = _stands_outside(texts[index])
        opening = f"int f{index}({_PARAMETERS})"
        program.append("};" if outside else f"{opening} {{ {_VARIABLES} for (;;) {{")
        lines[len(program) + 1] = index
        program.append(f"#pragma omp {texts[index]}")
        program.append(f"{opening};" if outside else "for (int i = 0; i < n; i++) a = a + 1; } }")
        program += [f"struct C{index} {{ int m;"] if outside else []
    return "\n".join([*program, "};", ""]), lines


def _alone(text: str) -> bool:
    """Whether a directive may change what those behind it mean."""
    return re.search(r"\b(?:begin|end|declare|requires|assumes|error|metadirective)", text) is not None


def _in_groups(texts: Sequence[str], ask: Callable[[list[int]], Complaints | None], most: int) -> Complaints:
    """Ask about many directives at a time; one that may disturb others, or whose group fails, on its own."""
    found: Complaints = {}
    together = [i for i, text in enumerate(texts) if not _alone(text)]
    groups = [together[i : i + most] for i in range(0, len(together), most)]
    groups += [[i] for i, text in enumerate(texts) if _alone(text)]
    while groups:
        group = groups.pop()
        answer = ask(group)
        if answer is not None:
            found.update(answer)
        elif len(group) > 1:
            groups += [group[: len(group) // 2], group[len(group) // 2 :]]
    return found


def clang_errors(texts: Sequence[str], folder: Path) -> Complaints:
    """Return the syntax errors that clang reports on the line of each directive."""

    def ask(group: list[int]) -> Complaints | None:
        program, lines = _program(texts, group)
        path = folder / "fuzz.cpp"
        path.write_text(program, encoding="latin-1")
        command = ["clang-19", "-fopenmp", "-fopenmp-version=52", "-std=c++17", "-fsyntax-only", "-Wno-everything",
                   "-Werror=extra-tokens", "-ferror-limit=0", "-fno-caret-diagnostics", str(path)]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:  # some directives make clang 19 loop for ever
            return None
        if done.returncode not in (0, 1):
            return None
        found: Complaints = {}
        for match in _LINE.finditer(done.stderr.decode("latin-1")):
            index = lines.get(int(match[1]), -1)
            if index >= 0 and _SYNTAX.search(match[3]) and not _SEMANTIC.search(match[3]):
                found.setdefault(index, []).append(f"{match[2]}: {match[3]}")
        return found

    return _in_groups(texts, ask, 200)


def our_errors(texts: Sequence[str]) -> Complaints:
    """Return what the front end reports on the line of each directive."""

    def ask(group: list[int]) -> Complaints | None:
        program, lines = _program(texts, group)
        sink = DiagnosticSink()
        files = gather("fuzz.cpp", SearchPath.from_arguments(()), {"fuzz.cpp": program.encode("latin-1")}.get)
        flags = ("-std=gnu++17",)
        try:
            if files is None or parse_unit(preprocess(files, "c++", flags), "c++", flags, sink) is None:
                return None
        except CompileError as refused:  # what ends a translation says nothing of the other directives
            if len(group) > 1:
                return None
            return {index: [str(refused)] for index in group}
        found: Complaints = {}
        for diagnostic in sink.found:
            if diagnostic.span is not None and diagnostic.span.line in lines:
                found.setdefault(lines[diagnostic.span.line], []).append(diagnostic.message)
        return found

    return _in_groups(texts, ask, 50)


def known_to_clang(seeds: Sequence[str], folder: Path) -> list[str]:
    """Return the directives that clang knows, each with those of its clauses that it knows."""
    pieces: list[tuple[str, str, str]] = []
    for seed in seeds:
        directive, _ = parse(seed)
        assert directive is not None
        head = unparse(directive)[: len(seed) - len(" ".join(map(clause_text, directive.clauses)))].rstrip()
        pieces += [(seed, head, clause_text(clause)) for clause in directive.clauses] or [(seed, head, "")]
    refused = clang_errors([f"{head} {clause}" for _, head, clause in pieces], folder)
    kept: dict[str, str] = {}
    for index, (seed, head, clause) in enumerate(pieces):
        if index not in refused:
            kept[seed] = f"{kept.get(seed, head)} {clause}".rstrip()
    whole = list(kept.values())
    refused = clang_errors(whole, folder)
    return [text for index, text in enumerate(whole) if index not in refused]


def explained(text: str, complaints: Sequence[str]) -> str:
    """Return why a directive is right although clang refuses it; nothing when it is not."""
    reasons = [_reason(text, complaint) for complaint in complaints]
    return reasons[0] if all(reasons) else ""


def _reason(text: str, complaint: str) -> str:
    column, _, message = complaint.partition(": ")
    at = int(column) - 1 - len("#pragma omp ")
    word = re.match(r"[A-Za-z_]\w*", text[at:]) or re.search(r"[A-Za-z_]\w*(?=\s*$)", text[:at])
    known = word is None or word[0] in KEYWORDS or re.search(rf"\b{word[0]}\b", _DECLARED)
    if not known and message in ("expected expression", "expected unqualified-id", "expected ')'", "expected ':'"):
        return "an unknown name is no syntax"
    return next((reason for pattern, reason in REASONS if re.search(pattern, f"{message}\n{text}")), "")


KEYWORDS = frozenset([
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double",
    "else", "enum", "extern", "false", "float", "for", "goto", "if", "inline", "int", "long",
    "register", "return", "short", "signed", "sizeof", "static", "struct", "switch", "this",
    "true", "typedef", "union", "unsigned", "void", "volatile", "while",
])  # fmt: skip
"""Words that C, or C++ without a meaning for C, keeps for itself."""

REASONS: tuple[tuple[str, str], ...] = (
    (r"expected expression\nmetadirective$", "a metadirective without clauses means 'nothing' (7.4)"),
    (r"expected ('\]'|unqualified-id|expression)\n.*(:[^\]\[:]*:|::)[^\[]*\]", "sections have strides (3.2.5)"),
    (r"expected unqualified-id\n.*::\w", "an unknown name behind '::' is no syntax"),
    (r"expected declarator.*\n.*mapper *\( *(\w+ *:)? *\w+ +\w+ *\)", "an unknown type is no syntax"),
    (r"'present' in OpenMP clause 'defaultmap'\n.*(self|storage|private)", "OpenMP 6.0 has these"),
    (r"unexpected OpenMP clause '(nowait|depend)' in directive '#pragma omp target data'", "OpenMP 6.0 has these"),
    (r"unexpected OpenMP clause '(priority|device_type|replayable)' in directive", "OpenMP 6.0 has these"),
    (r"incorrect map type.*\n.*(ref_ptr|ref_ptee|self|attach|storage)", "OpenMP 6.0 has these"),
    (r"expected 'ancestor' or 'device_num'.*\n.*device\(target", "any clause may name its construct (OpenMP 6.0)"),
    (r"extra tokens.*\n[\w\s]+,", "a comma may stand between name and clauses (5.1)"),
    (r"(extra tokens|is expected).*\n *cancel", "clauses have no order (5.2)"),
    (r"('reduction' clause|nested name).*\n.*\w::\w", "an unknown scope is no syntax"),
    (r"OpenMP clause 'reduction'\n.*reduction\((parallel|for|simd)", "any clause may name its construct (OpenMP 6.0)"),
    (r"expected an OpenMP directive\n *(declare_|target_|cancellation_)", "OpenMP 6.0 has these"),
    (r"unexpected OpenMP directive '#pragma omp end", "what an end belongs to is seen with the whole file"),
    (r"expected '\)'\n.*\(\w+\) *\w", "a name in parentheses may be a type"),
    (r"expected ','\n.*map\([^:]*(:[^:)]*\))?\s*:", "the map type may be left out behind modifiers (5.8.3)"),
    (r"expected '\)'\n.*\w\"", "a word in front of a literal may be a macro"),
)
"""What clang 19 refuses and OpenMP 5.2 allows: a pattern of its message and the directive, and the reason."""
