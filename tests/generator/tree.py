"""Program text as a tree: statements with the directives above them, in a form that a reducer can take apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False)
class Clause:
    """A clause; ``loose``: the program means the same without it."""

    text: str
    loose: bool = False


@dataclass(eq=False)
class Directive:
    """A directive with its clauses."""

    name: str
    clauses: list[Clause] = field(default_factory=list)

    def add(self, text: str, loose: bool = False) -> Directive:
        """Append a clause."""
        self.clauses.append(Clause(text, loose))
        return self

    def __str__(self) -> str:
        return " ".join(["#pragma omp", self.name, *(c.text for c in self.clauses)])


@dataclass(eq=False)
class Node:
    """A statement: one line, or (with ``body``) a head and the statements between its braces.

    ``loose``: the reducer may drop it; ``rest`` then stays in its place (the barrier that a dropped construct implied).
    """

    text: str = ""
    body: list[Node] | None = None
    directives: list[Directive] = field(default_factory=list)
    loose: bool = True
    rest: str = ""

    def lines(self, indent: str) -> Iterator[str]:
        """Give the lines of the statement."""
        for directive in self.directives:
            yield str(directive)
        if self.body is None:
            if self.text:
                yield indent + self.text
            return
        yield f"{indent}{self.text} {{" if self.text else f"{indent}{{"
        for node in self.body:
            yield from node.lines(indent + "  ")
        yield indent + "}"

    def walk(self) -> Iterator[Node]:
        """Give the node and everything in it."""
        yield self
        for node in self.body or ():
            yield from node.walk()


def line(text: str, *directives: Directive, loose: bool = True) -> Node:
    """Return a statement of one line."""
    return Node(text, None, list(directives), loose)


def fixed(text: str, *directives: Directive) -> Node:
    """Return a statement of one line that the meaning of others needs."""
    return Node(text, None, list(directives), loose=False)


def block(head: str, body: list[Node], *directives: Directive, rest: str = "") -> Node:
    """Return a statement with braces."""
    return Node(head, body, list(directives), rest=rest)


def joined(nodes: list[Node], indent: str = "  ") -> str:
    """Return the text of statements, each line ended."""
    return "".join(f"{text}\n" for node in nodes for text in node.lines(indent))


BARRIER = "#pragma omp barrier"


def barrier() -> Node:
    """Return a barrier, which no reduction may drop."""
    return Node(BARRIER, loose=False)
