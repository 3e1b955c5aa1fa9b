"""Checks that generated text is the user's outside of lowered regions, byte for byte and in order.

In: what a translation made of a program, as it is observed on its way. Out: nothing, or a failed assertion. Two
independent ways: line by line over the generated text, and by the edits that made it: every replacement must cover
exactly a directive (or an include of a rewritten header), everything else may only be inserted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import support
from rexcc.codegen.host.host_file import HostFile
from rexcc.frontend.scan import scan
from rexcc.pipeline import Image, ReadFile, TranslateOptions, Translation, generate, translate
from rexcc.source.diagnostics import Severity
from rexcc.source.edits import Edit, EditList
from rexcc.source.line_directives import with_own_lines
from rexcc.source.own_names import PREFIX, REX_FORM, ROLES, WORDS, related
from rexcc.source.text import SourceText, from_bytes
from rexcc.target.known import DEFAULT

EXECUTED = Path(__file__).parent / "execution" / "programs"
_CHOSEN = "variant-of-the-gpu"
ASKING = frozenset({"metadirectives.c", "variants.cpp", "variants_alone.c"})
"""Programs that ask for their device, so that kernels for a GPU are others than those of the CPU device alone."""
MEANT = {"sharing.c": ["omp-lost-result"], "metadirectives.c": [_CHOSEN], "variants.cpp": [_CHOSEN] * 2}
"""What programs do on purpose: the first shows that the value of a first-private variable never comes back, the others
choose what a GPU executes, which the CPU device then does too."""
MACROS = {
    "atomic_macros.c",
    "atomics.c",
    "attributes.cpp",
    "bounds_of_two_signs.c",
    "builtin_atomics.c",
    "complex_types.c",
    "constant_questions.c",
    "counted_macros.c",
    "declarations.c",
    "dialect.c",
    "discarded_statements.cpp",
    "explicit_instances.cpp",
    "lambdas_of_macros.cpp",
    "generic_mathematics.c",
    "generic_typedefs.c",
    "half_choices.cpp",
    "heads_that_macros_make.cpp",
    "hidden_globals.cpp",
    "inside_scan_types.c",
    "inside_shapes.c",
    "lambdas_kept_by_lambdas.cpp",
    "lambdas_of_older_standards.cpp",
    "lambdas_of_teams.cpp",
    "late_stores.c",
    "loop_ends.c",
    "loop_indices.c",
    "loops.c",
    "macro_arguments.cpp",
    "macro_declarations.c",
    "macro_declarations.cpp",
    "macro_statements.c",
    "macros_by_name.cpp",
    "macros_of_declarations.cpp",
    "macros_of_functions.cpp",
    "members_in_macros.cpp",
    "present_bounds.c",
    "present_bounds.cpp",
    "present_made.cpp",
    "recurrences.cpp",
    "reduce_macros.c",
    "reductions.c",
    "semicolons.c",
    "statements_beside_in_macros.c",
    "tiles.c",
    "types_in_expressions.c",
    "values_of_macros.c",
    "values_of_macros.cpp",
    "variable_specifiers.c",
    "variables_of_unused_methods.cpp",
}
"""Programs whose directives come from macros: their uses are replaced by their expansion."""
BRANCHES = {"forbidden_members.cpp",
            "pointed_ranges.cpp", "metadirectives.c", "metadirectives.cpp", "variants.cpp", "variants_alone.c",
            "dispatches.c",
            "metadirectives_everywhere.cpp", "transformations.c", "transformations.cpp",
            "captured_packs.cpp", "lambda_orders.cpp", "packs_of_classes.cpp", "regions_of_generic_lambdas.cpp",
            "cplusplus_forms.cpp",
            "regions_of_lambda_bodies.cpp", "generic_outer_lambdas.cpp",
            "lambdas_through_templates.cpp", "lambdas_that_name_members.cpp", "ranges.cpp", "device_words.cpp",
            "words_of_cuda.c", "words_of_cuda.cpp",
            "mixed.c", "lambda_places.cpp", "names_of_c.c", "argument_classes.cpp", "made_ranges.cpp",
            "generic_functors.cpp", "generic_functor_classes.cpp", "macro_operands.c",
            "host_templates.cpp", "lambda_values.cpp", "function_packs.cpp", "types_of_parameters.cpp",
            "partial_specialisations.cpp", "lambda_references.cpp", "lambda_references_unmapped.cpp",
            "lambda_references_overlapping.cpp", "lambda_references_in_threads.cpp", "lambda_tasks_of_forms.cpp",
            "lambda_forms.cpp", "lambda_members.cpp",
            "execution_policies.cpp", "execution_spaces.cpp", "lambdas_mapped_together.cpp",
            "lambdas_of_methods.cpp", "copies_by_members.cpp", "lambdas_with_locals.cpp", "lambda_state.cpp",
            "lambdas_with_definitions.cpp",
            "regions_of_local_classes.cpp", "lambda_sizes.cpp", "lambdas_in_objects.cpp",
            "lambdas_in_objects_of_templates.cpp", "lambdas_handed_on.cpp", "defaults_in_specialisations.cpp",
            "returned_local_classes.cpp", "copies_of_tuples.cpp", "default_templates.cpp",
            "lambdas_given_and_held.cpp", "local_classes_of_templates.cpp",
            "regions_in_empty_namespaces.cpp", "lambdas_that_end.cpp", "lambdas_in_lambdas.cpp",
            "returned_lambdas.cpp", "lambdas_of_class_types.cpp",
            "lambdas_of_private_names.cpp", "lambdas_of_methods_outside.cpp", "types_by_using.cpp",
            "constant_lambdas.cpp", "few_teams.cpp", "forms_of_instances.cpp", "values_of_maps.cpp",
            "addresses_by_operators.cpp", "lambdas_without_results.cpp", "constructs_in_hidden_methods.cpp",
            "constructs_in_local_classes.cpp", "constructs_in_unnamed_calls.cpp",
            "constant_objects_made_by_calls.cpp"}  # fmt: skip
"""Their texts are others: metadirectives that the program decides are statements, calls have the names of variants,
loops are as transformations make them, lambdas that templates get are objects of classes, bodies of
lambdas are function templates, classes of functions are not
in these,
range-based loops have indices, names of CUDA's variables are others."""
RENAMED = {
    "cplusplus_forms.cpp",
    "variants.cpp",
    "variants_alone.c",
    "metadirectives_everywhere.cpp",
    "device_addresses.cpp",
}
"""Programs whose host file has other names than the text: host and device call different functions, or members and
qualified names mean device addresses in a block."""
COPYING = {
    "device_pointers_with_scopes.cpp",
    "item_shapes.cpp",
    "lambdas_of_globals.cpp",
    "names_of_scopes.cpp",
    "scopes.cpp",
    "target_tasks.cpp",
}
"""Programs whose host versions have copies of globals: a name loses its scope, and a lambda captures the copy."""
READ_OTHERWISE = {"texts.c"}
"""Programs with a byte-order mark, which becomes blanks, and universal character names, which become letters."""


LINE = re.compile(r'#line (\d+) "((?:[^"\\]|\\.)*)"')
BEHIND_LINE = re.compile(r'^#line \d+ "[^"\n]*"[ \t]*[\w{};].*', re.MULTILINE)
"""Code that the preprocessor would take for a part of the directive."""
GENERATED = re.compile(r"__tgt_|rex_batch_|__device_id|__arg_|__rex_offload|__global__|REX_KERNEL_ENTRY|\brex_reduce\(")
"""What no program writes: of launches, tables and the ends of kernels."""


@dataclass(frozen=True)
class Made:
    """What a translation makes of a program: the host file with the numbers of its own lines, the device file; and
    text, edits and result of the last application of edits to the whole file."""

    translation: Translation
    host: str
    device: str
    text: str
    edits: tuple[Edit, ...]
    result: str


def observed(name: str, options: TranslateOptions, read: ReadFile) -> Made:
    """Translate a program, observe every application of edits to the whole file, and generated host files."""
    applied: list[tuple[str, tuple[Edit, ...], str]] = []
    hosts: dict[str, str] = {}
    apply, host_file = EditList.apply, generate._host_file

    def applying(edits: EditList, text: str, start: int = 0, end: int | None = None, around: Edit | None = None) -> str:
        result = apply(edits, text, start, end, around)
        if start == 0 and end is None:
            applied.append((text, tuple(edits.edits), result))
        return result

    def writing(options: TranslateOptions, file: HostFile) -> generate.GeneratedFile:
        made = host_file(options, file)
        hosts[made.name] = with_own_lines(file.text, file.name)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EditList, "apply", applying)
        patch.setattr(generate, "_host_file", writing)
        found = translate(name, options, read)
    assert found.host is not None, support.rendered(found)
    return Made(found, hosts[found.host.name], found.device.text if found.device else "", *applied[-1])


class Observer:
    """Translates for the driver, and remembers what was made.

    The program is translated for a GPU besides, whose image is left out: there is no difference where the program does
    not ask for its device (:data:`ASKING`), and what a GPU cannot have is an error.
    """

    def __init__(self) -> None:
        self.made: Made | None = None

    def translate(self, name: str, options: TranslateOptions, read: ReadFile) -> Translation:
        """Translate a file."""
        assert options.cpu_device and not options.architectures
        images = generate._images
        both = replace(options, architectures=(DEFAULT.architectures.default,), verify=True)

        def for_cpu(*of: Any, **how: Any) -> tuple[Image, ...]:
            return tuple(image for image in images(*of, **how) if image.target is generate.CPU)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(generate, "_images", for_cpu)
            self.made = observed(name, both, read)
        return self.made.translation


def users_text(source: Path) -> str:
    """Return a program's text, for one with a mark of its encoding or universal character names as it is read."""
    data = source.read_bytes()
    return SourceText.from_bytes(source.name, data).text if source.name in READ_OTHERWISE else from_bytes(data)


def pieces(text: str, edits: tuple[Edit, ...]) -> list[str]:
    """Return the parts of the user's text that no replacement covers."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        assert edit.start >= at or edit.start == edit.end
        parts.append(text[at : edit.start])
        at = max(at, edit.end)
    return [*parts, text[at:]]


def replaced_ranges(text: str, edits: tuple[Edit, ...]) -> list[str]:
    return [text[e.start : e.end] for e in edits if e.start < e.end]


def check_users_text(source: Path, made: Made) -> None:
    """Insist on the user's text in what was made of a program, and on no diagnostics but those that are meant."""
    shown = [d for d in made.translation.diagnostics if d.severity is not Severity.REMARK]
    assert [d.code for d in shown] == MEANT.get(source.name, []), [d.message for d in shown]
    if source.parent == EXECUTED:
        assert ("__restrict__" in made.device) == (source.name in support.PROMISING), "tests/execution/promises.txt"
    assert BEHIND_LINE.search(made.device) is None
    if source.name not in READ_OTHERWISE:
        check_line_numbers(source, made)
    check_names(source, made)
    if source.name in RENAMED:
        return
    check_replacements(source, made)
    if source.name not in MACROS | BRANCHES | COPYING:
        check_lines(source, made.host)


WORD = re.compile(r"\b[^\W\d]\w*")
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|^#line[^\n]*', re.DOTALL | re.MULTILINE)
LANGUAGE = re.compile(
    r"__(builtin|tgt)_\w+|__\w+_(TYPE|MAX)__|__(global|shared|device|host|launch_bounds|restrict|typeof|asm|attribute)__"
    r"|__(restrict|syncthreads|ldg|threadfence|is_same|VA_ARGS__)|_Z\w+|_Pragma|_Generic|_Complex|_R\w+"
)
"""Words with an underscore in front that the languages, their compilers and LLVM's runtime have."""


def check_names(source: Path, made: Made) -> None:
    """Names that begin with an underscore are the user's, the languages', REX's, or made in one style."""
    users = set(WORD.findall(users_text(source))) | set(WORD.findall(made.text))
    for text in (made.host, made.device):
        for word in sorted(set(WORD.findall(NO_CODE.sub(" ", text))) - users - REX_FORM):
            if word.startswith("_") and not LANGUAGE.fullmatch(word):
                ending = word.removeprefix(PREFIX)
                is_made = ending in WORDS or any(ending.startswith(f"{role}_") for role in ROLES) or ending in users
                assert word.startswith(PREFIX) and is_made, f"{source.name}: {word}"


def without_own_lines(text: str) -> str:
    """Return a generated text without ``#line`` directives, and without what stood in front of lines of their own."""
    return re.sub(r'^(?:#line (?:0|\d+ "[^"\n]*")|[ \t]+)\r?\n', "", text, flags=re.MULTILINE)


def is_shortened(name: str, new: str) -> bool:
    """Whether a qualified name has become the bare one, or what stands for that where it is another variable's."""
    new = new.removeprefix(related("outer", ""))
    return name.endswith(f"::{new}") and re.fullmatch(r"[\w:]*", name.removesuffix(f"::{new}")) is not None


def check_replacements(source: Path, made: Made) -> None:
    """Replacements are directives, and globals' names with a scope of which the host version has a copy."""
    original, text, edits = users_text(source), made.text, made.edits
    if source.name not in MACROS | BRANCHES:
        assert text == original
    assert without_own_lines(made.result) in without_own_lines(made.host)
    sites = {p.original for p in scan(SourceText(source.name, text)).pragmas}
    directives = tuple(e for e in edits if not is_shortened(text[e.start : e.end], e.text))
    for replaced in replaced_ranges(text, directives):
        assert replaced in sites, replaced
    for edit in directives:
        if edit.start < edit.end:
            comment = "/* " + text[edit.start : edit.end].replace("/*", "/ *").replace("*/", "* /").rstrip() + " */"
            is_attribute = not text.startswith(("#", "_Pragma"), edit.start)
            assert edit.text.startswith(comment) or (is_attribute and edit.text.startswith('_Pragma("omp '))
    at = 0
    for piece in pieces(text, edits):
        found = made.result.find(piece, at)
        assert found >= 0, piece
        at = found + len(piece)


def counted(text: str, name: str) -> list[tuple[str, int, str]]:
    """Return the file and the number that each line of a generated file counts as, and the line."""
    found, path, number = [], name, 1
    for line in text.split("\n"):
        said = LINE.fullmatch(line)
        if said:
            number, path = int(said[1]), said[2]
            continue
        found.append((path, number, line))
        number += 1
    return found


def check_line_numbers(source: Path, made: Made) -> None:
    """What the compiler makes counts as lines of its own files, and no line as one that the user's has not."""
    original, device = users_text(source), made.translation.device
    last = original.count("\n") + 1
    for text, name in ((made.host, f"rose_{source.name}"), (made.device, device.name if device else "")):
        lines = text.split("\n")
        for path, number, line in counted(text, name):
            if path == name:
                assert lines[number - 1] == line, f"{name}: {number} is not {line}"
            elif path == source.name:
                assert number <= last or not line.strip(" {};"), f"{path} has no line {number}: {line}"
                is_users = line in original or line.replace("rex_users_", "") in original  # a name of CUDA's is renamed
                assert is_users or not GENERATED.search(line), f"{path}:{number}: {line}"


ASKED = "REX_HOST_READ("


def check_lines(source: Path, host: str) -> None:
    """Every line without a directive stands in the host file."""
    for made in (" rex_offload_init();", " REX_DECLARED(rex_offload_init(), 0);", " [[maybe_unused]]"):
        host = host.replace(made, "")
    host = _without_questions(host)
    original = users_text(source)
    spans = [(p.start, p.end) for p in scan(SourceText(source.name, original)).pragmas]
    offset, at = 0, host.index("\n#line ")
    for number, whole in enumerate(original.split("\n"), 1):
        line = whole.rstrip("\r")
        inside = any(start < offset + len(whole) and offset <= end for start, end in spans)
        offset += len(whole) + 1
        if inside or not line.strip():
            continue
        found = host.find(line, at)
        found = found if found >= 0 else host.find(f"{line.rstrip(' }')}\n", at)  # a region ends in front of braces
        at = found + len(line) if found >= 0 else _end_of_split_line(line, number, host, at, source.name)


def _without_questions(host: str) -> str:
    """Return a host file with what it reads between launches as the user wrote it (``REX_HOST_READ``)."""
    while (begin := host.find(ASKED)) >= 0:
        end, depth = begin + len(ASKED), 1
        while depth:
            depth += (host[end] == "(") - (host[end] == ")")
            end += 1
        host = f"{host[:begin]}{host[begin + len(ASKED) : end - 1]}{host[end:]}"
    return host


def _end_of_split_line(line: str, number: int, host: str, at: int, name: str) -> int:
    """Where a region or a run ends in the middle of a line, the rest of the line follows a ``#line`` of its number, and
    may be split again."""
    mark = f'#line {number} "{name}"\n'
    for resumed in re.finditer(re.escape(mark), host):
        for length in range(len(line) - 1, 0, -1):
            begin = host.find(f"{line[:length]}\n", at, resumed.start())
            end = _end_of_rest(line[length:], mark, host, resumed.end()) if begin >= 0 else -1
            if end >= 0:
                return end
    raise AssertionError(line)


def _end_of_rest(rest: str, mark: str, host: str, at: int) -> int:
    """Return where what is left of a line ends, which begins at a place, braces aside; -1 if it does not."""
    if not rest.strip(" }"):
        return at
    if host.startswith(rest, at):
        return at + len(rest)
    piece = host[at : host.index("\n", at)]
    if not piece or not rest.startswith(piece):
        return -1
    behind = rest[len(piece) :]
    resumed = host.find(mark, at)
    return _end_of_rest(behind, mark, host, resumed + len(mark) if resumed >= 0 else len(host))
