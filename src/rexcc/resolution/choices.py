"""Which directive a metadirective becomes, on the host and on the device (OpenMP 5.2, 7.4).

In: a parsed unit and the devices of the build. Out: a :class:`Choice` for each metadirective: the directives to try in
order, with the conditions that only the running program knows. A directive is chosen once for the host's text, where
the host executes it, and once for device code; inside a target region the first is for the host's version of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rexcc.frontend.forms import METADIRECTIVES
from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.contexts import HOST, Condition, Context, Device, Value, candidates
from rexcc.openmp.model import Clause, Directive, Expression, KeywordClause
from rexcc.openmp.selectors import ContextSelector, WhenClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field

Place = tuple[str, int]
"""A file and the start of a directive's site in it."""


@dataclass(frozen=True)
class Branch:
    """A directive, None for ``nothing``, and the conditions under which it is chosen."""

    conditions: tuple[Condition, ...]
    variant: Directive | None


@dataclass(frozen=True)
class Choice:
    """What a metadirective becomes; the last branch of each has no conditions."""

    directive: Directive
    construct: Construct | None
    host: tuple[Branch, ...]
    device: tuple[Branch, ...]
    in_region: bool

    @property
    def is_static(self) -> bool:
        """Whether the compiler can choose."""
        return len(self.host) == 1 and len(self.device) == 1


@dataclass(eq=False)
class Surroundings:
    """What is known of a unit: the devices it is compiled for, the main one first, its requirements, its choices.

    ``prefixes`` are the construct traits that a function's declarations give it, by the hash of the declaration.
    """

    unit: ParsedUnit
    devices: tuple[Device, ...]
    requirements: frozenset[str]
    choices: dict[Place, Choice] = field(default_factory=dict)
    prefixes: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def constructs(self, construct: Construct | None, on_device: bool) -> tuple[str, ...] | None:
        """Return the leaves of a construct and those around it up to a target construct, outermost first.

        None where one of them is not chosen yet.
        """
        found: tuple[str, ...] = ()
        current = construct
        while current is not None:
            leaves = self._leaves(current, on_device)
            if leaves is None:
                return None
            found = (*leaves, *found)
            if "target" in leaves:
                return found
            current = current.parent
        return found

    def around(self, function_hash: int, construct: Construct | None, on_device: bool) -> tuple[str, ...] | None:
        """Return the construct set of a place in a function."""
        found = self.constructs(construct, on_device)
        if found is None or "target" in found:
            return found
        prefix = self.prefixes.get(function_hash, ())
        return (*(("target",) if on_device and "target" not in prefix else ()), *prefix, *found)

    def _leaves(self, construct: Construct, on_device: bool) -> tuple[str, ...] | None:
        if construct.directive.name not in METADIRECTIVES:
            return construct.directive.leaves
        choice = self.choices.get((construct.probe.site.source.path, construct.probe.site.start))
        if choice is None or not choice.is_static:
            return None
        (branch,) = choice.device if on_device else choice.host
        return branch.variant.leaves if branch.variant is not None else ()

    def context(self, constructs: tuple[str, ...], device: Device, value: Value) -> Context:
        """Return the context of a place."""
        return Context(constructs, device, self.requirements, self.devices, value)


def requirements_of(unit: ParsedUnit) -> frozenset[str]:
    """Return what the unit's ``requires`` directives ask for."""
    clauses = (c for _, d in unit.declaratives if d.name == "requires" for c in d.clauses)
    return frozenset(_requirement(clause) for clause in clauses)


def _requirement(clause: Clause) -> str:
    return f"{clause.name}({clause.keyword})" if isinstance(clause, KeywordClause) else clause.name


def choose(around: Surroundings) -> None:
    """Fill in the choices of all metadirectives whose surroundings are known, outer ones first."""
    for place, group in metadirectives(around.unit).items():
        first = group[0]
        constructs = [around.around(function_key(c), c.parent, on) for c in group for on in (False, True)]
        if any(found is None for found in constructs):
            continue
        host, device = constructs[0] or (), constructs[1] or ()
        value = common_value(group)
        in_region = "target" in host
        variants = _variants(first.directive)
        around.choices[place] = Choice(
            first.directive,
            first,
            _branches(variants, around.context(host, HOST, value)),
            _branches(variants, around.context(device, around.devices[0], value)),
            in_region,
        )
    for site, directive in _undelimited(around.unit):
        context = around.context((), HOST, literal_value)
        branches = _branches(_variants(directive), context)
        around.choices[(site.source.path, site.start)] = Choice(directive, None, branches, branches, False)


def other_devices(around: Surroundings, choice: Choice) -> bool:
    """Whether a device of the build other than the main one would choose another directive in a region."""
    if choice.construct is None or not choice.in_region:
        return False
    constructs = around.around(function_key(choice.construct), choice.construct.parent, True) or ()
    value = common_value([choice.construct])
    variants = _variants(choice.directive)
    return any(_branches(variants, around.context(constructs, d, value)) != choice.device for d in around.devices[1:])


def metadirectives(unit: ParsedUnit) -> dict[Place, list[Construct]]:
    """Return the metadirectives in functions, outer ones first; a template has one construct per instantiation."""
    found: dict[Place, list[Construct]] = {}
    for function in unit.functions:
        for construct in function.walk():
            if construct.directive.name in METADIRECTIVES:
                site = construct.probe.site
                found.setdefault((site.source.path, site.start), []).append(construct)
    return found


def function_key(construct: Construct) -> int:
    """Return what a construct's function is known by."""
    return int(construct.function.cursor.canonical.hash)


def _undelimited(unit: ParsedUnit) -> Iterator[tuple[PragmaSite, Directive]]:
    """Yield the metadirectives that stand for declarations only."""
    for file, directive in unit.declaratives:
        if directive.name in METADIRECTIVES:
            yield site_of(file.scan.pragmas, directive), directive


def site_of(sites: Sequence[PragmaSite], directive: Directive) -> PragmaSite:
    """Return the place of a directive of a file."""
    return next(s for s in sites if s.start <= directive.span.start and directive.span.end <= s.end)


def common_value(group: Iterable[Construct]) -> Value:
    """Return the evaluation of a directive's expressions; in a template, what all instantiations agree on."""
    constructs = tuple(group)

    def value(expression: Expression) -> int | None:
        found = {c.value_of(expression) for c in constructs}
        return found.pop() if len(found) == 1 else None

    return value


def literal_value(expression: Expression) -> int | None:
    """Return the value of a literal."""
    text = expression.text.strip()
    return {"true": 1, "false": 0}.get(text, int(text) if text.isdigit() else None)


def _variants(directive: Directive) -> tuple[WhenClause, ...]:
    return tuple(directive.of_type(WhenClause))


def _branches(clauses: tuple[WhenClause, ...], context: Context) -> tuple[Branch, ...]:
    """Return the directives to try, the last of them unconditionally."""
    whens = [clause for clause in clauses if clause.selector is not None]
    selectors: list[ContextSelector] = [clause.selector for clause in whens if clause.selector is not None]
    found = [Branch(c.conditions, whens[c.index].variant) for c in candidates(selectors, context)]
    if not found or found[-1].conditions:
        otherwise = next((clause.variant for clause in clauses if clause.selector is None), None)
        found.append(Branch((), otherwise))
    return tuple(Branch(b.conditions, _something(b.variant)) for b in found)


def _something(variant: Directive | None) -> Directive | None:
    return None if variant is not None and variant.name == "nothing" else variant
