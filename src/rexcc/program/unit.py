"""One translation unit, parsed: files, directives, clang's tree, and the constructs that join them.

In: the user's files and clang's arguments. Out: :class:`ParsedUnit`. clang parses without ``-fopenmp`` (with it, region
bodies vanish from libclang's tree); directives reach it as probe statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, TypeVar

from clang.cindex import Diagnostic as ClangDiagnostic

from rexcc.clang import library
from rexcc.clang.tree import Node, Tree
from rexcc.frontend.clang_errors import report_errors
from rexcc.frontend.declared_mappers import DeclaredMapper, declared_mappers
from rexcc.frontend.declared_reductions import DeclaredReduction, declared_reductions
from rexcc.frontend.declared_uses import uses_in_templates
from rexcc.frontend.files import UserFiles
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.instances import Instances, split_listed
from rexcc.frontend.needed_expansions import MacroUses
from rexcc.frontend.parsing import (
    NO_ADDITIONS,
    Additions,
    Directives,
    clang_unit,
    directives_of,
    is_active,
    probed,
    scopes_of_declared,
    skipped_ranges,
)
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.system_headers import SystemHeaders
from rexcc.frontend.use_places import UsePlace, use_places
from rexcc.openmp.model import Directive
from rexcc.program.constructs import ConstructFunction
from rexcc.program.found_constructs import functions_with_constructs
from rexcc.program.library_functions import LibraryFunctions
from rexcc.program.optimisations import Optimisation
from rexcc.program.tuned import Entry
from rexcc.source.compiler_macros import Macros
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink
from rexcc.source.records import dataclass, field, replace
from rexcc.source.text import Span
from rexcc.target.known import DEFAULT
from rexcc.target.model import Target

_Kept = TypeVar("_Kept")


@dataclass(frozen=True, eq=False)
class ParsedUnit:
    """A parsed translation unit.

    ``declarations`` are the user's top-level cursors, in order; ``instances`` what clang makes of his templates;
    ``skipped`` the ranges of each user file that the
    preprocessor left out, in the user's offsets; ``system`` knows the system headers; ``reductions`` and
    ``mappers`` are those that the user declares; ``target`` is the device that kernels are for; ``compiler_macros``
    tell who the host's compiler is, ``openmp_date`` is what ``_OPENMP`` means;
    ``left_out`` are optimisations that the user does not want,
    ``tuned`` choices for kernels on the architecture that there are images for; ``lambda_classes`` are the names of the
    classes that lambdas have become;
    ``hidden`` collects the places of macros whose tokens need edits, ``library_functions`` the functions of the
    system's headers that device code calls.
    """

    files: dict[str, ProbedFile]
    main: str
    tree: Tree
    declarations: tuple[Node, ...]
    instances: Instances
    functions: tuple[ConstructFunction, ...]
    declaratives: tuple[tuple[ProbedFile, Directive], ...]
    skipped: dict[str, list[tuple[int, int]]]
    is_cplusplus: bool
    system: SystemHeaders
    reductions: tuple[DeclaredReduction, ...] = ()
    mappers: tuple[DeclaredMapper, ...] = ()
    target: Target = DEFAULT
    compiler_macros: Macros = ()
    openmp_date: int = 202011
    left_out: frozenset[Optimisation] = frozenset()
    tuned: tuple[Entry, ...] = ()
    lambda_classes: frozenset[str] = frozenset()
    hidden: set[tuple[str, int]] = field(default_factory=set)
    library_functions: LibraryFunctions = field(default_factory=LibraryFunctions)
    _kept: dict[object, Any] = field(default_factory=dict, repr=False)

    def kept(self, make: Callable[[ParsedUnit], _Kept]) -> _Kept:
        """Return what is made of this unit, once; it lives as long as the unit, which it may refer to."""
        if make not in self._kept:
            self._kept[make] = make(self)
        found: _Kept = self._kept[make]
        return found

    @cached_property
    def use_places(self) -> dict[str, tuple[UsePlace, ...]]:
        """The uses of macros in each file, with the definitions."""
        return use_places(self.declarations, self.files)

    @cached_property
    def macro_uses(self) -> MacroUses:
        """The uses of macros, into whose arguments not every edit may go."""
        return MacroUses(self.declarations, self.files)

    def span(self, node: Node) -> Span | None:
        """Return a node's place in the user's text, None outside the user's files."""
        file = self.files.get(node.file)
        if file is None:
            return None
        start = file.original(node.start)
        return Span(file.scan.source, start, max(start, file.original(max(node.start, node.end - 1)) + 1))

    def user_text(self, node: Node) -> str:
        """Return the characters of a node as the user wrote them."""
        span = self.span(node)
        return span.text if span else ""

    def is_whole(self, node: Node) -> bool:
        """Whether the text in an expression's range is that expression: no macro's that an argument begins or ends.

        Such a range has half of the brackets around the arguments, or a comma between two.
        """
        depth, text = 0, self.user_text(node)
        is_argument = node.cursor.extent.start.offset != node.start
        for character in text:
            depth += (character in "([{") - (character in ")]}")
            if depth < 0 or (depth == 0 and character == "," and is_argument):
                return False
        return bool(text) and depth == 0


def parse_unit(
    files: UserFiles,
    language: str,
    arguments: tuple[str, ...],
    sink: DiagnosticSink,
    additions: Additions = NO_ADDITIONS,
) -> ParsedUnit | None:
    """Parse the directives of all files, then the files themselves.

    ``additions`` are texts to put behind directives, for each file by the offset.

    Returns None when clang cannot make a tree at all. Errors of the base language are reported at the user's place.
    """
    question = files.main, files.scans, files.ending, language, arguments, additions
    found, problems = files.last.programs.of(question, lambda: _parsed(files, language, arguments, additions))
    sink.found += problems
    if found is None:
        return None
    functions = LibraryFunctions()
    made: ParsedUnit = replace(
        found, lambda_classes=files.lambda_classes, hidden=set(), library_functions=functions, _kept={}
    )
    return made


def _parsed(
    files: UserFiles, language: str, arguments: tuple[str, ...], additions: Additions
) -> tuple[ParsedUnit | None, list[Diagnostic]]:
    problems, sink = DiagnosticSink([p for scan in files.scans.values() for p in scan.problems]), DiagnosticSink()
    directives = {name: directives_of(scan, problems) for name, scan in files.scans.items()}
    scopes = scopes_of_declared(files, directives, language, arguments)
    parsed = probed(files, directives, language, scopes, additions)
    found = _unit(files, parsed, directives, language, arguments)
    uses = uses_in_templates((*found.reductions, *found.mappers), found.functions) if found is not None else {}
    if uses:
        for name, texts in additions.items():
            uses[name] = dict(texts) | uses.get(name, {})
        parsed = probed(files, directives, language, scopes, uses)
        found = _unit(files, parsed, directives, language, arguments)
    if found is None:
        sink.error("base-language", f"clang cannot parse '{files.main}'", None)
        return None, sink.found
    sink.found += [d for d in problems.found if d.span is None or is_active(d.span, found.skipped)]
    report_errors(found.tree.unit, parsed, _regions(found.functions), sink)
    return found, sink.found


def _regions(functions: Iterable[ConstructFunction]) -> Iterator[Node]:
    """Yield the statements of target constructs."""
    for construct in (each for function in functions for each in function.walk()):
        if (
            construct.body is not None
            and construct.directive.name.split()[0] == "target"
            and "data" not in (construct.directive.name.split())
        ):
            yield construct.body


def _unit(
    files: UserFiles, parsed: dict[str, ProbedFile], directives: Directives, language: str, arguments: tuple[str, ...]
) -> ParsedUnit | None:
    """Return what clang makes of the files with probes."""
    unit = clang_unit(files, parsed, language, arguments)
    if unit is None:
        return None
    tree = Tree(unit, files.ending)
    of_system, of_user = library.top_level(unit)
    skipped = skipped_ranges(tree, parsed, of_user)
    declarations, instances = split_listed(tree, of_user, of_system)
    is_whole = all(found.severity < ClangDiagnostic.Error for found in unit.diagnostics)
    functions = functions_with_constructs(declarations, instances, parsed, is_whole)
    made = [f.node for f in functions if f.template is not None]
    declaratives = ((parsed[n], d) for n, found in directives.items() for d in found.values() if _is_blank(d))
    return ParsedUnit(
        parsed,
        files.main,
        tree,
        declarations,
        instances,
        functions,
        tuple((f, d) for f, d in declaratives if is_active(d.span, skipped)),
        skipped,
        language == "c++",
        SystemHeaders(tree, of_system, declarations),
        declared_reductions(tree, parsed.values(), declarations, made),
        declared_mappers(tree, parsed.values(), declarations, made),
    )


def _is_blank(directive: Directive) -> bool:
    return form_of(directive) is Form.BLANK
