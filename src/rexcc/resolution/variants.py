"""The variants of a unit's functions (OpenMP 5.2, 7.5).

In: a parsed unit with its ``declare variant`` directives, and the functions that were written as variants. Out: for
each base function its variants with their selectors and how arguments are adjusted; which constructs a variant counts
as its surroundings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.clang.library import template_of
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.model import Directive, ListClause
from rexcc.openmp.selectors import ContextSelector, MatchClause
from rexcc.program.unit import ParsedUnit
from rexcc.resolution.begun_variants import BegunVariant
from rexcc.resolution.choices import site_of
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import dataclass, field
from rexcc.source.text import Span

_SCOPES = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE"})


@dataclass(frozen=True, eq=False)
class Variant:
    """A function that may be called instead of another one.

    ``base`` is the name of the other one, ``text`` what a call names the variant by; ``adjusted`` the indices of the
    arguments that become device pointers; ``appends`` whether further arguments have to be made up; ``span`` the place
    of the directive.
    """

    base: str
    function: Cursor
    text: str
    selector: ContextSelector
    span: Span
    adjusted: tuple[int, ...] = ()
    appends: bool = False


@dataclass(eq=False)
class Variants:
    """The variants of each base function, by the hash of its declaration."""

    of_base: dict[int, list[Variant]] = field(default_factory=dict)

    def of(self, function: Cursor | None) -> list[Variant]:
        """Return the variants of a function, or of its template, in the order of their declaration."""
        if function is None or not self.of_base:
            return []
        found = self.of_base.get(key(function), [])
        template = template_of(function) if not found else None
        return self.of_base.get(key(template), []) if template is not None else found

    def names(self) -> frozenset[str]:
        """Return the names of all base functions."""
        return frozenset(v.base for found in self.of_base.values() for v in found)

    def prefixes(self) -> dict[int, tuple[str, ...]]:
        """Return the constructs that stand around the body of each variant."""
        every = (variant for found in self.of_base.values() for variant in found)
        return {key(v.function): tuple(t.name for t in v.selector.of("construct")) for v in every}


def key(function: Cursor) -> int:
    """Return what a function is known by."""
    return int(function.canonical.hash)


def find_variants(unit: ParsedUnit, begun: Iterable[BegunVariant], sink: DiagnosticSink) -> Variants:
    """Return the variants that a unit declares."""
    found = Variants()
    functions = functions_of(unit)
    for file, directive in unit.declaratives:
        if directive.name == "declare variant":
            _add_declared(found, unit, functions, file, directive, sink)
    for variant in begun:
        _add_begun(found, functions, variant, sink)
    return found


def functions_of(unit: ParsedUnit) -> list[Node]:
    """Return the functions that a unit declares in files and classes."""
    return [n for top in unit.declarations for n in _functions(top)]


def _functions(node: Node) -> Iterator[Node]:
    if node.kind in FUNCTION_KINDS:
        yield node
    elif node.kind in _SCOPES:
        for child in node.children:
            yield from _functions(child)


def _add_declared(
    found: Variants, unit: ParsedUnit, functions: list[Node], file: ProbedFile, directive: Directive,
    sink: DiagnosticSink,
) -> None:  # fmt: skip
    base = _declared_behind(functions, file, directive)
    match = next(directive.of_type(MatchClause), None)
    if base is None or match is None or directive.argument is None:
        if base is None:
            sink.error("omp-variant-base", "a function has to be declared behind 'declare variant'", directive.span)
        return
    name = "".join(directive.argument.text.split())
    named = [f.cursor for f in functions if _is_named(f.cursor, name)] or in_system_headers(unit, name)
    if not named and "<" in name:
        message = f"'{name}' is an instance of a template, which cannot be a variant yet; name a function that calls it"
        sink.error("unsupported-variant", message, directive.argument.span)
        return
    if not named:
        message = f"'{name}' is no function that is declared here"
        sink.error("omp-variant-function", message, directive.argument.span)
        return
    appends = directive.has("append_args")
    fitting = [f for f in named if appends or _same_type(f, base.cursor)]
    if not fitting:
        message = f"'{name}' has the type '{named[0].type.spelling}', its base function '{base.type.spelling}'"
        sink.error("omp-variant-function", message, directive.argument.span)
        return
    text = name if "::" in name or scope_of(base.cursor) == scope_of(fitting[0]) else _full_name(fitting[0])
    adjusted = tuple(_adjusted(base.cursor, directive, sink))
    variant = Variant(str(base.spelling), fitting[0], text, match.selector, directive.span, adjusted, appends)
    found.of_base.setdefault(key(base.cursor), []).append(variant)


def _declared_behind(functions: list[Node], file: ProbedFile, directive: Directive) -> Node | None:
    end = site_of(file.scan.pragmas, directive).end
    behind = (f for f in functions if f.file == file.scan.source.path and file.original(f.start) >= end)
    return min(behind, key=lambda f: f.start, default=None)


def _add_begun(found: Variants, functions: list[Node], begun: BegunVariant, sink: DiagnosticSink) -> None:
    defined = next((f.cursor for f in functions if f.spelling == begun.name), None)
    if defined is None:
        return  # inactive code
    bases = [f.cursor for f in functions if f.spelling == begun.base and scope_of(f.cursor) == scope_of(defined)]
    base = next((b for b in bases if _same_type(b, defined)), None)
    if base is None:
        message = f"no function '{begun.base}' of the same type is declared, of which this could be a variant"
        sink.error("omp-variant-base", message, begun.span)
        return
    found.of_base.setdefault(key(base), []).append(Variant(begun.base, defined, begun.name, begun.selector, begun.span))


def _same_type(one: Cursor, other: Cursor) -> bool:
    """Whether two functions have one type; that a library's throws nothing does not count."""
    first, second = one.type.get_canonical(), other.type.get_canonical()
    return bool(first == second) or _without_exceptions(first) == _without_exceptions(second)


def _without_exceptions(kind: Type) -> str:
    return str(kind.spelling).removesuffix(" noexcept")


def in_system_headers(unit: ParsedUnit, name: str) -> list[Cursor]:
    """Return the functions with a name that headers of the system declare; those of C are also in ``std``."""
    names = (name, name.removeprefix("::").removeprefix("std::"))
    declared = (f for top in unit.tree.node(unit.tree.unit.cursor).children for f in _functions(top))
    return [f.cursor for f in declared if any(_is_named(f.cursor, n) for n in names)]


def scope_of(function: Cursor) -> str:
    """Return the name of the scope that a function is declared in, with those around it."""
    return _full_name(function).rpartition("::")[0]


def _full_name(function: Cursor) -> str:
    names: list[str] = [str(function.spelling)]
    names += [str(scope.spelling) for scope in enclosing_scopes(function) if scope.spelling]
    return "::".join(reversed(names))


def _is_named(function: Cursor, name: str) -> bool:
    full = _full_name(function)
    return full == name.removeprefix("::") or full.endswith(f"::{name}")


def _adjusted(base: Cursor, directive: Directive, sink: DiagnosticSink) -> Iterator[int]:
    """Yield the indices of the parameters that ``adjust_args`` makes device pointers."""
    names = [str(argument.spelling) for argument in base.get_arguments()]
    for clause in directive.of_type(ListClause):
        operation = next((modifier.name for modifier in clause.modifiers), "nothing")
        if clause.name != "adjust_args" or operation == "nothing":
            continue
        if operation != "need_device_ptr":
            sink.error("unsupported-variant", f"rexcc cannot adjust arguments as '{operation}' yet", clause.span)
            continue
        for item in clause.items:
            if item.whole.text not in names:
                message = f"'{item.whole.text}' is no parameter of the function"
                sink.error("omp-variant-argument", message, item.whole.span)
                continue
            yield names.index(item.whole.text)
