"""Statements that make clang instantiate the probes of ``declare reduction`` and ``declare mapper`` in class templates.

In: what a unit declares, and its functions. Out: statements for the members of these classes, and their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from clang.cindex import Cursor

from rexcc.clang.library import template_of
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.tree import Node
from rexcc.frontend.declared_probes import BODY, MapperProbe, ReductionProbe
from rexcc.frontend.probe import ProbedFile


class Declared(Protocol):
    """A declared reduction or mapper."""

    @property
    def file(self) -> ProbedFile:
        """The file of the directive."""

    @property
    def probe(self) -> ReductionProbe | MapperProbe:
        """Its probe."""

    @property
    def pattern(self) -> Node:
        """Its probe as it is written."""

    @property
    def scope(self) -> Cursor:
        """The namespace, class or file that it is declared in."""

    @property
    def block(self) -> tuple[int, int] | None:
        """The range of the block around it, None outside of functions."""

    @property
    def is_dependent(self) -> bool:
        """Whether its types are known in no instantiation of the template around it."""


class Instance(Protocol):
    """A function with constructs; ``template`` is the pattern that it was made from."""

    @property
    def node(self) -> Node:
        """Its definition."""

    @property
    def template(self) -> Node | None:
        """Its pattern."""


def uses_in_templates(declared: Iterable[Declared], functions: Sequence[Instance]) -> dict[str, dict[int, str]]:
    """Return statements that use what class templates declare, for each file by the offset.

    Put into the members of these classes, they make clang give the probes types, which only functions that are used
    have.
    """
    found: dict[str, dict[int, str]] = {}
    for one in declared:
        if not one.is_dependent or one.block is not None:
            continue
        for function in functions:
            body = _body(function)
            if body is not None and body.file == one.pattern.file and _is_member(function.node.cursor, one.scope):
                texts = found.setdefault(body.file, {})
                start = one.file.original(body.start) + 1
                use = f" (void)&{one.probe.name}::{BODY}; "
                if use not in texts.get(start, ""):
                    texts[start] = texts.get(start, "") + use
    return found


def _body(function: Instance) -> Node | None:
    """Return the body of the pattern that a function was made from, None for other functions."""
    pattern = function.template
    if pattern is None or pattern is function.node:
        return None
    return next((c for c in pattern.children if c.kind == "COMPOUND_STMT"), None)


def _is_member(function: Cursor, pattern: Cursor) -> bool:
    templates = (template_of(scope) for scope in enclosing_scopes(function))
    return any(template is not None and template.canonical == pattern.canonical for template in templates)
