"""Making a failing program smaller: drop blocks, statements, clauses, variables, as long as it fails in the same way.

Only what may go without changing the meaning of the rest goes (``Node.loose``), so that a reduced program is a program
whose result still does not depend on threads.
"""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from generator.program import Block, unit_text
from generator.tree import Clause, Directive, Node, joined

Change = Callable[[], object]


class Reducer:
    """The state of a reduction: the blocks as they are, and the test that they must keep failing."""

    def __init__(self, blocks: list[Block], fails: Callable[[list[Block]], bool], until: float) -> None:
        self.blocks = copy.deepcopy(blocks)
        self.fails, self.until = fails, until
        self.fine = False
        self.current = unit_text(self.blocks)
        self.known = {self.current: True}

    def run(self) -> list[Block]:
        """Return the smallest blocks found."""
        for block in list(self.blocks):
            if len(self.blocks) > 1:
                self.attempt(partial(_drop, self.blocks, [block]))
        if not self.attempt(partial(_soften, self.blocks)) and "map(from:" in self.current:  # only that fails
            return self.blocks
        for self.fine in (False, True):
            while self._round() and time.monotonic() < self.until:
                pass
        return self.blocks

    def attempt(self, change: Change) -> bool:
        """Make a change; take it back if the program no longer fails."""
        if time.monotonic() > self.until:
            return False
        undo = _memory(self.blocks)
        change()
        text = unit_text(self.blocks)
        if text not in self.known:
            self.known[text] = self.fails(self.blocks)
        if not self.known[text]:
            undo()
        elif text != self.current:
            self.current = text
            return True
        return False

    def _round(self) -> bool:
        better = False
        for block in self.blocks:
            better |= self._only_region(block)
            for nodes in [block.body, *block.functions]:
                better |= self._statements(nodes)
            self.attempt(partial(_tidy, block))
        return better

    def _only_region(self, block: Block) -> bool:
        """Try to keep one of the outermost regions, then all but one."""
        regions = [n for n in block.body if n.body is not None]
        better = False
        for keep in regions if len(regions) > 1 else []:
            others = [n for n in regions if n is not keep]
            if self.attempt(partial(_remove, block.body, others)):
                better = True
                break
        self.attempt(partial(_tidy, block))
        return better

    def _statements(self, nodes: list[Node]) -> bool:
        better = self._halves(nodes)
        for node in list(nodes):
            if any(n is node for n in nodes):
                better |= self._statement(nodes, node)
        return better

    def _halves(self, nodes: list[Node]) -> bool:
        loose = [n for n in nodes if n.loose]
        if len(loose) > 1 and self.attempt(partial(_remove, nodes, loose)):
            return True
        size, better = len(nodes) // 2, False
        while size > 2:
            for start in range(0, len(nodes), size):
                part = [n for n in nodes[start : start + size] if n.loose]
                if len(part) > 1:
                    better |= self.attempt(partial(_remove, nodes, part))
            size //= 2
        return better

    def _statement(self, nodes: list[Node], node: Node) -> bool:
        if node.loose and self.attempt(partial(_remove, nodes, [node])):
            return True
        if node.loose and node.body is not None and self.attempt(partial(_hoist, nodes, node)):
            return True
        better = self._statements(node.body) if node.body is not None else False
        return (self.fine and self._details(node)) or better

    def _details(self, node: Node) -> bool:
        better = False
        for directive in node.directives:
            for clause in list(directive.clauses):
                if clause.loose:
                    better |= self.attempt(partial(_drop, directive.clauses, [clause]))
        if not node.loose or "malloc(" in node.text:
            return better
        simple = _simpler(node.text) if node.body is None else ""
        if simple and self.attempt(partial(setattr, node, "text", simple)):
            return True
        return self._expressions(node) or better

    def _expressions(self, node: Node) -> bool:
        """Put numbers in the place of parts of a statement's expressions, the longest first."""
        better, tried = False, set()
        while found := [part for part in _parts(node.text) if part not in tried]:
            tried.add(found[0])
            for simple in ("1u", "3u"):
                text = node.text.replace(found[0], simple, 1)
                if self.attempt(partial(setattr, node, "text", text)):
                    better = True
                    break
        return better


def _memory(blocks: list[Block]) -> Callable[[], None]:
    """Return what takes later changes of blocks back."""
    nodes = [inner for block in blocks for outer in _outermost(block) for inner in outer.walk()]
    clauses = [clause for block in blocks for clause in _all_clauses(block)]
    lists: list[list[Any]] = [blocks, *(d.clauses for block in blocks for d in _directives(block))]
    for block in blocks:
        lists += [block.body, block.helpers, block.functions, *block.functions, *_bodies(block)]
    contents = [list(items) for items in lists]
    texts = [thing.text for thing in (*nodes, *clauses)]

    def restore() -> None:
        for items, before in zip(lists, contents, strict=True):
            items[:] = before
        for thing, text in zip((*nodes, *clauses), texts, strict=True):
            thing.text = text

    return restore


def _soften(blocks: list[Block]) -> None:
    """Let values come in wherever they only go out, so that a statement that sets them may go."""
    for directive in [d for block in blocks for d in _directives(block) if "exit" not in d.name]:
        into = "map(to:" if "enter" in directive.name else "map(tofrom:"
        for clause in directive.clauses:
            clause.text = re.sub(r"^map\((?:from|alloc):", into, clause.text)


def _drop(items: list[Any], gone: list[Any]) -> None:
    items[:] = [item for item in items if not _among(item, gone)]


def _among(item: object, others: Iterable[object]) -> bool:
    return any(other is item for other in others)


def _remove(nodes: list[Node], gone: list[Node]) -> None:
    kept: list[Node] = []
    for node in nodes:
        if not _among(node, gone):
            kept.append(node)
        elif node.rest:
            kept.append(Node(node.rest, loose=False))
    nodes[:] = kept


def _hoist(nodes: list[Node], node: Node) -> None:
    """Put a block's statements in its place, for plain braces, branches and loops that only repeat."""
    plain = not node.directives and (not node.text or node.text.startswith(("if", "else", "switch", "for (int again")))
    if plain and not node.rest:
        at = next(i for i, n in enumerate(nodes) if n is node)
        nodes[at : at + 1] = [n for n in node.body or [] if not n.text.startswith(("case ", "default:", "break;"))]


def _simpler(text: str) -> str:
    """Return a statement with a constant instead of what it assigns, "" if there is none."""
    match = re.match(r"^((?:const )?[\w *]*?[\w\])]+(?:\.\w+(?:\[\d\])?)?) ([-+*^|&]?=) ([^=].*);$", text)
    if match is None or re.fullmatch(r"[\w.]+", match[3]) or "{" in text:
        return ""
    return f"{match[1]} {match[2]} 1;"


def _parts(text: str) -> list[str]:
    """Return the parenthesised parts, and the calls, of a statement's expressions, the longest first."""
    found: list[str] = []
    if text.startswith(("for (", "#", "if (omp", "while", "static", "default", "case")):
        return found
    for match in re.finditer(r"(?:\b[A-Za-z_]\w*)?\(", text):
        depth, at = 0, match.end() - 1
        for at in range(match.end() - 1, len(text)):
            depth += (text[at] == "(") - (text[at] == ")")
            if depth == 0:
                break
        part = text[match.start() : at + 1]
        cast = re.fullmatch(r"\([a-z ]+\)", part)
        if len(part) > 6 and not cast and match.start() > 0 and not part.startswith(("if(", "switch(")):
            found.append(part)
    return sorted(set(found), key=len, reverse=True)


def _variables(block: Block) -> list[str]:
    """Return the names that the block's outermost statements and its file-scope lines declare."""
    found = [re.match(r"[\w ]+?[ *(]+(\w+)[)\[\d\]]* *(?:=|;)", n.text) for n in block.body if n.body is None]
    found += [re.match(r"static [\w ]+? (\w+)[;\[]", text) for text in block.helpers]
    return [m[1] for m in found if m is not None]


def _tidy(block: Block) -> None:
    """Remove variables that only data clauses and the host's own lines name, and functions that nothing calls."""
    for name in _variables(block):
        word = re.compile(rf"\b{re.escape(name)}\b")
        plain = [n for n in block.body if n.body is None and not n.text.startswith("#") and word.search(n.text)]
        others = joined([n for n in block.body if not _among(n, plain)])
        rest = "\n".join([others, *(joined(nodes, "") for nodes in block.functions)])
        if not word.search(re.sub(r"\bmap\([^)]*\)", "", rest)):
            _drop(block.body, plain)
            block.helpers[:] = [h for h in block.helpers if not re.match(rf"static [\w ]+ {re.escape(name)}\b[;\[]", h)]
            for clause in _all_clauses(block):
                if clause.text.startswith("map(") and word.search(clause.text):
                    clause.text = _without(clause.text, word)
    _drop_unused(block)
    _drop_uncalled(block)


def _outermost(block: Block) -> list[Node]:
    """Return the statements of the block's functions."""
    return [node for nodes in [block.body, *block.functions] for node in nodes]


def _bodies(block: Block) -> list[list[Node]]:
    """Return the statement lists inside the block's statements."""
    return [inner.body for node in _outermost(block) for inner in node.walk() if inner.body is not None]


def _drop_unused(block: Block) -> None:
    """Remove local variables that only their declarations and first values name."""
    for nodes in _bodies(block):
        for node in list(nodes):
            declared = re.match(r"(?:const )?(?:unsigned |signed |long )*\w+ (\w+)(?:\[\d+\])*(?: = .*)?;$", node.text)
            if node.body is not None or declared is None or node.directives:
                continue
            word = re.compile(rf"\b{declared[1]}\b")
            fills = [n for n in nodes if n.body is None and re.match(r"for \(int q\d", n.text) and word.search(n.text)]
            gone = [node, *[n for n in fills if re.search(rf"\+\+\) \W*(?:\w+ \*\))?{declared[1]}\W", n.text)]]
            if not word.search(joined([n for n in nodes if not _among(n, gone)])):
                _drop(nodes, gone)


def _drop_uncalled(block: Block) -> None:
    for functions in list(block.functions):
        name = re.search(r"(\w+)\(", functions[0].text if functions else "none(")
        others = "".join(
            joined(nodes, "") for nodes in [block.body, *(f for f in block.functions if f is not functions)]
        )
        if name is not None and not re.search(rf"\b{name[1]}\b", others):
            _drop(block.functions, [functions])
    for helper in reversed(block.helpers):
        name = re.match(r"static [\w ]+?(\w+)\(", helper)
        if name is None:
            continue
        others = "".join([joined(block.body), *(joined(f, "") for f in block.functions)])
        others += "".join(h for h in block.helpers if h is not helper)
        if not re.search(rf"\b{name[1]}\b", others):
            _drop(block.helpers, [helper])


def _without(text: str, word: re.Pattern[str]) -> str:
    kind, _, names = text[4:-1].rpartition(": ") if ": " in text else ("", "", text[4:-1])
    kept = [n for n in names.split(", ") if not word.match(n)]
    return f"map({kind + ': ' if kind else ''}{', '.join(kept)})" if kept else ""


def _directives(block: Block) -> Iterator[Directive]:
    for node in _outermost(block):
        for inner in node.walk():
            yield from inner.directives


def _all_clauses(block: Block) -> list[Clause]:
    return [clause for directive in _directives(block) for clause in directive.clauses]
