"""Context selectors: the argument of ``match`` and what stands before the colon of ``when`` (OpenMP 5.2, 7.1 and 7.2).

In: a clause being read. Out: a :class:`ContextSelector`, the trait selectors in source order, with everything that is
wrong reported at its token. What a selector means is :mod:`rexcc.openmp.contexts`'s.
"""

from __future__ import annotations

from rexcc.openmp.expressions import NO_NAMES, read_text
from rexcc.openmp.lexer import Part
from rexcc.openmp.model import Directive, Expression, OtherClause
from rexcc.openmp.site import Site
from rexcc.source.diagnostics import did_you_mean
from rexcc.source.records import dataclass
from rexcc.source.text import Span

TRAITS: dict[str, tuple[str, ...]] = {
    "construct": ("dispatch", "target", "teams", "parallel", "for", "simd"),
    "device": ("kind", "arch", "isa"),
    "target_device": ("kind", "arch", "isa", "device_num"),
    "implementation": ("vendor", "extension", "requires", "unified_address", "unified_shared_memory", "self_maps",
                       "reverse_offload", "dynamic_allocators", "atomic_default_mem_order"),
    "user": ("condition",),
}  # fmt: skip
"""The trait selectors of each set."""

KINDS = ("host", "nohost", "any", "cpu", "gpu", "fpga")
_WITHOUT_ARGUMENT = frozenset(
    {"dispatch", "target", "teams", "parallel", "for", "unified_address", "unified_shared_memory", "self_maps",
     "reverse_offload", "dynamic_allocators"}
)  # fmt: skip
_OPTIONAL_ARGUMENT = frozenset({"simd"})
_EXPRESSIONS = frozenset({"condition", "device_num"})
_SCORED = frozenset({"implementation", "user"})


@dataclass(frozen=True)
class TraitSelector:
    """One trait, such as ``arch(nvptx)`` of ``device``: ``properties`` are names without quotes.

    ``expression`` is the argument of ``condition`` and ``device_num``, ``score`` that of ``score(…):``.
    """

    set: str
    name: str
    properties: tuple[str, ...]
    expression: Expression | None
    score: Expression | None
    span: Span


@dataclass(frozen=True)
class ContextSelector:
    """The trait selectors of all sets, in source order."""

    traits: tuple[TraitSelector, ...]

    def of(self, name: str) -> tuple[TraitSelector, ...]:
        """Return the trait selectors of one set."""
        return tuple(trait for trait in self.traits if trait.set == name)


@dataclass(frozen=True)
class MatchClause(OtherClause):
    """``match(selector)``; ``argument`` is its text."""

    selector: ContextSelector


@dataclass(frozen=True)
class WhenClause(OtherClause):
    """``when(selector: directive)``, ``otherwise(directive)``, ``default(directive)``; ``argument`` is the text.

    ``selector`` is None for the last two, ``variant`` None where no directive stands there, which means ``nothing``.
    """

    selector: ContextSelector | None
    variant: Directive | None


def read_selector(site: Site, part: Part) -> ContextSelector | None:
    """Read ``set={trait, …}, …``; None after reporting what is wrong."""
    found: list[TraitSelector] = []
    seen: set[str] = set()
    pieces = site.stream.split(part) if part.size else []
    for piece in pieces:
        group = _braces(site, piece)
        if group is None:
            return None
        name = site.stream.text(piece.first)
        if name in seen:
            site.error("omp-repeated-selector", f"selector set '{name}' is there twice", Part(piece.first, group.first))
            return None
        seen.add(name)
        traits = _traits(site, name, group)
        if traits is None:
            return None
        found += traits
    return ContextSelector(tuple(found))


def _braces(site: Site, part: Part) -> Part | None:
    """Return what stands in the braces of ``set={…}``."""
    stream, first = site.stream, part.first
    if not part.size or not stream.is_word(first):
        site.error("omp-bad-selector", "expected 'set={trait, …}' of a context selector", _place(part))
        return None
    name = Part(first, first + 1)
    if stream.text(first) not in TRAITS:
        site.unknown("omp-unknown-selector", "selector set", name, TRAITS)
        return None
    if stream.text(first + 1) != "=" or stream.text(first + 2) != "{" or stream.partner[first + 2] != part.stop - 1:
        site.error("omp-bad-selector", f"expected '={{trait, …}}' after '{stream.text(first)}'", name)
        return None
    return Part(first + 3, part.stop - 1)


def _place(part: Part) -> Part:
    return part if part.size else Part(part.first, part.first + 1)


def _traits(site: Site, set_name: str, group: Part) -> list[TraitSelector] | None:
    found: list[TraitSelector] = []
    for piece in site.stream.split(group):
        trait = _trait(site, set_name, piece)
        if trait is None:
            return None
        if set_name != "construct" and any(t.name == trait.name for t in found):
            site.error("omp-repeated-selector", f"trait '{trait.name}' is there twice", piece)
            return None
        found.append(trait)
    return found


def _trait(site: Site, set_name: str, part: Part) -> TraitSelector | None:
    stream, first = site.stream, part.first
    if not part.size or not stream.is_word(first):
        site.error("omp-bad-selector", f"expected a trait of '{set_name}'", _place(part))
        return None
    name, group = stream.text(first), stream.group_at(first + 1)
    if name not in TRAITS[set_name]:
        site.unknown("omp-unknown-selector", f"trait of '{set_name}'", Part(first, first + 1), TRAITS[set_name])
        return None
    after = group.stop + 1 if group else first + 1
    if after != part.stop:
        message = f"unexpected '{stream.text(after)}' after trait '{name}'"
        site.error("omp-bad-selector", message, Part(after, part.stop))
        return None
    if not _has_right_form(site, name, group, first):
        return None
    if group is None:
        return TraitSelector(set_name, name, (), None, None, stream.span(part))
    return _with_argument(site, set_name, name, group, stream.span(part))


def _has_right_form(site: Site, name: str, group: Part | None, at: int) -> bool:
    if group is None and name not in _WITHOUT_ARGUMENT | _OPTIONAL_ARGUMENT:
        site.error("omp-missing-argument", f"trait '{name}' needs an argument in parentheses", Part(at, at + 1))
        return False
    if group is not None and name in _WITHOUT_ARGUMENT and not _is_score_only(site, group):
        site.error("omp-unexpected-argument", f"trait '{name}' takes no argument", Part(at + 1, group.stop + 1))
        return False
    return True


def _is_score_only(site: Site, group: Part) -> bool:
    return site.stream.text(group.first) == "score"


def _with_argument(site: Site, set_name: str, name: str, group: Part, span: Span) -> TraitSelector | None:
    """Read ``(score(e): properties)``."""
    stream = site.stream
    score: Expression | None = None
    rest = group
    if stream.text(group.first) == "score" and stream.group_at(group.first + 1) is not None:
        value = stream.group_at(group.first + 1)
        assert value is not None
        if set_name not in _SCORED:
            place = Part(group.first, value.stop + 1)
            site.error("omp-bad-selector", f"a trait of '{set_name}' takes no score", place)
            return None
        score = read_text(site, value)
        rest = Part(value.stop + 1, group.stop)
        if rest.size and stream.text(rest.first) != ":":
            site.error("omp-missing-colon", "missing ':' after 'score'", Part(group.first, value.stop + 1))
            return None
        rest = Part(min(rest.first + 1, rest.stop), rest.stop)
        if score is None:
            return None
    if name in _EXPRESSIONS:
        if not rest.size:
            site.error("omp-missing-argument", f"trait '{name}' needs an expression", _place(rest))
            return None
        expression = read_text(site, rest)
        return TraitSelector(set_name, name, (), expression, score, span) if expression else None
    properties = _properties(site, name, rest)
    return TraitSelector(set_name, name, properties, None, score, span) if properties is not None else None


def _properties(site: Site, name: str, part: Part) -> tuple[str, ...] | None:
    """Read names and strings; clauses, for ``requires`` and ``simd``, keep their text."""
    if not part.size:
        if name in _WITHOUT_ARGUMENT:
            return ()
        site.error("omp-missing-argument", f"trait '{name}' needs an argument", _place(part))
        return None
    found: list[str] = []
    for piece in site.stream.split(part):
        text = site.stream.expression(piece).text if piece.size else ""
        if not text or text in NO_NAMES or (piece.size > 1 and name not in ("requires", "simd")):
            site.error("omp-bad-selector", f"expected a name or a string in trait '{name}'", _place(piece))
            return None
        text = text.strip('"')
        if name == "kind" and text not in KINDS:
            hint = did_you_mean(text, KINDS) or f"; known: {', '.join(KINDS)}"
            site.error("omp-unknown-keyword", f"unknown kind of device '{text}'{hint}", piece)
            return None
        found.append(text)
    return tuple(found)
