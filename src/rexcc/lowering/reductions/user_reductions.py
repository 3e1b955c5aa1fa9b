"""Reductions that the user declares (``declare reduction``): combiner and initializer as device code.

In: a :class:`DeclaredReduction`. Out: its functions ``rex_combine_<name>_<line>`` and ``rex_init_<name>_<line>``, which
stand where the directive stands, and an :class:`Operation` that uses them. A reduction of a block or class has no such
place in the device file; its expressions stand as lambdas where a region needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clang.cindex import Type

from rexcc.analysis.declared_scopes import declared_types, find_declared
from rexcc.analysis.references import collect
from rexcc.analysis.used_reductions import reduced_types
from rexcc.clang import spelling, types
from rexcc.clang.forwarding_constructors import has_forwarding_constructor
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.clang.unevaluated import leaves_unevaluated
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.frontend.scan import blanked
from rexcc.kernel.reductions import Operator
from rexcc.lowering.c.dialect import lower_c
from rexcc.lowering.c.half_choices import cast_half_choices
from rexcc.lowering.reductions.reduction_operators import OPERATORS, is_arithmetic
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.case_ranges import spread_case_ranges
from rexcc.lowering.text.constant_questions import answer_questions
from rexcc.lowering.text.extremes import lower_extremes
from rexcc.lowering.text.qualified import qualify_members
from rexcc.openmp.model import Expression, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, Note, error
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_ORIGINAL = regex(r"\bomp_orig\b")


@dataclass(frozen=True)
class Declared:
    """A declared reduction on a type, as an operation."""

    unit: ParsedUnit
    declared: DeclaredReduction
    kind: Type

    @property
    def operator(self) -> Operator:
        """The combiner as an operator."""
        if has_functions(self.declared):
            return Operator(combiner=_qualified(self.declared, "combine"))
        kind = spelling.spell_bare(self.kind)
        lambda_ = f"[]({kind} &omp_out, {kind} &omp_in) {{ {_combiner(self.unit, self.declared)} }}"
        return Operator(combiner=lambda_, is_object=True)

    @property
    def reads_original(self) -> bool:
        """Whether the initializer reads the original list item."""
        return uses_original(self.declared)

    def initial(self, original: str) -> str | None:
        """Return a call of the initializer, None where there is none."""
        if self.declared.parts.initializer is None:
            return None
        call = self._call(original if self.reads_original else "")
        return f"rex_as_copied({call})" if has_forwarding_constructor(self.kind) else call

    def _call(self, argument: str) -> str:
        if has_functions(self.declared):
            return f"{_qualified(self.declared, 'init')}({argument})"
        kind = spelling.spell_bare(self.kind)
        parameter = f"{kind} &omp_orig" if argument else ""
        return f"[]({parameter}) {{ {_initializer(self.unit, self.declared, kind)} }}({argument})"


def declared_operation(unit: ParsedUnit, operator: str, kind: Type, name: str, place: Span) -> Declared:
    """Return the operation that an identifier means for a type at a place; raises CompileError."""
    found = find_declared(unit, operator, kind, place)
    if found is None:
        raise _unknown(unit, operator, kind, name, place)
    _check_variables(unit, found)
    return Declared(unit, found, kind)


def uses_original(declared: DeclaredReduction) -> bool:
    """Whether the initializer reads the original list item."""
    initializer = declared.parts.initializer
    return initializer is not None and _ORIGINAL.search(initializer.text) is not None


def has_functions(declared: DeclaredReduction) -> bool:
    """Whether combiner and initializer are functions of the device file: the directive is at namespace scope."""
    return declared.block is None and kind_of(declared.scope) not in RECORD_KINDS


def used_reductions(unit: ParsedUnit, constructs: Iterable[Construct]) -> tuple[DeclaredReduction, ...]:
    """Return the declared reductions that the clauses of constructs mean, each once."""
    found: dict[str, DeclaredReduction] = {}
    for construct in constructs:
        for clause in construct.directive.of_type(ReductionClause):
            for kind, place in reduced_types(construct, clause):
                predeclared = clause.operator in OPERATORS and is_arithmetic(kind, unit.is_cplusplus)
                declared = None if predeclared else find_declared(unit, clause.operator, kind, place)
                if declared is not None:
                    found[declared.probe.name] = declared
    return tuple(found.values())


def functions(unit: ParsedUnit, declared: DeclaredReduction) -> str:
    """Return the definitions of the device functions of a reduction."""
    kind = declared.written_type.text.strip()
    if re.search(r"[(\[]", kind):
        kind = f"rex_detail::same<{kind}>"
    head = f"{unit.target.words.device} static inline"
    lines = [
        f"{head} void {_name(declared, 'combine')}({kind} &omp_out, {kind} &omp_in) {{ {_combiner(unit, declared)} }}"
    ]
    if declared.parts.initializer is not None:
        parameter = f"{kind} &omp_orig" if uses_original(declared) else ""
        body = _initializer(unit, declared, kind)
        lines.append(f"{head} {kind} {_name(declared, 'init')}({parameter}) {{ {body} }}")
    return "\n".join(lines) + "\n"


def _name(declared: DeclaredReduction, what: str) -> str:
    identifier = declared.parts.identifier
    word = OPERATORS[identifier].name if identifier in OPERATORS else re.sub(r"\W+", "_", identifier)
    word = "sub" if identifier == "-" else word
    number = f"_{declared.probe.index + 1}" if len(declared.parts.types) > 1 else ""
    return f"rex_{what}_{word}_{declared.probe.site.text.origin.line}{number}"


def _qualified(declared: DeclaredReduction, what: str) -> str:
    names = [_name(declared, what)]
    scope = declared.scope
    while scope is not None and not scope.kind.is_translation_unit():
        if scope.spelling and kind_of(scope) == "NAMESPACE":
            names.append(str(scope.spelling))
        scope = scope.semantic_parent
    return "::".join(reversed(names))


def _combiner(unit: ParsedUnit, declared: DeclaredReduction) -> str:
    return f"{_text(unit, declared, declared.parts.combiner)};"


def _initializer(unit: ParsedUnit, declared: DeclaredReduction, kind: str) -> str:
    """Return the statements that make the first value and return it."""
    initializer = declared.parts.initializer
    assert initializer is not None
    text = _text(unit, declared, initializer)
    made = "rex_as_copied(omp_priv)" if any(map(has_forwarding_constructor, declared.kinds)) else "omp_priv"
    if declared.parts.declares_private:
        return f"{kind} {text}; return {made};"
    return f"{kind} omp_priv; {text}; return {made};"


def _text(unit: ParsedUnit, declared: DeclaredReduction, expression: Expression) -> str:
    """Return an expression as device code on one line."""
    written = expression.text
    if declared.probe.site.text.exact:
        body = DeviceBody(unit, declared.file)
        spread_case_ranges(body, declared.nodes[:1])
        cast_half_choices(body, declared.nodes[:1])
        answer_questions(body, declared.nodes[:1])
        if not unit.is_cplusplus:
            lower_c(body, declared.nodes[0])
        elif not has_functions(declared):
            qualify_members(body, declared.nodes[0])
        lower_extremes(body, expression.span.start, expression.span.end)
        written = blanked(body.edited(expression.span.start, expression.span.end))
    return re.sub(r"\s+", " ", written).strip()


def _check_variables(unit: ParsedUnit, declared: DeclaredReduction) -> None:
    """The expressions may name no variables but their own (OpenMP 5.2, 5.5.11), constants aside."""
    node = declared.nodes[-1]
    for variable in collect([node]).variables.values():
        if not types.is_constant(variable.cursor.type) and not all(map(_is_in_type, variable.uses)):
            message = f"the reduction '{declared.parts.identifier}' may not use the variable '{variable.name}'"
            raise error("omp-reduction-variable", message, unit.span(variable.uses[0]))


def _is_in_type(use: Node) -> bool:
    """Whether a variable is only asked for its type or size; the typedef that may be around is the probe's."""
    around = [use, *use.ancestors()]
    pairs = zip(around[1:], around, strict=False)
    return any(above.kind != "TYPEDEF_DECL" and leaves_unevaluated(above, below) for above, below in pairs)


def _unknown(unit: ParsedUnit, operator: str, kind: Type, name: str, place: Span) -> CompileError:
    spelled = spelling.spell(kind)
    known = declared_types(unit, operator)
    message = f"no reduction '{operator}' is declared for '{name}' of type '{spelled}'"
    how = "…)"
    if operator == "+" and unit.is_cplusplus and types.is_record(kind):
        how = "omp_out = omp_out + omp_in) initializer(omp_priv = {})"
    advice = f"'#pragma omp declare reduction({operator} : {spelled} : {how}' declares one"
    others = f"; there is one for {', '.join(repr(k) for k in known)}" if known else ""
    return error("omp-unknown-reduction", message + others, place, Note(advice))
