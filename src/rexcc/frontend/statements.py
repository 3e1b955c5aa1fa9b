"""Where statements begin and end in the user's text: a semicolon belongs to them, which clang's ranges leave out, and
the whole use of a macro whose argument is their first or last token.

In: a node and the file it is in. Out: offsets in the user's text, or :class:`ExpansionNeeded` where a macro hides them.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from rexcc.clang import library, locations
from rexcc.clang.tree import Node, Tree, ends_of_uses, kind_of
from rexcc.frontend.probe import ProbedFile
from rexcc.source.expansion_notes import in_users_text
from rexcc.source.lexical import BLANK, COMMENT, LITERAL, SPLICE
from rexcc.source.needed_expansion import ExpansionNeeded
from rexcc.source.patterns import regex
from rexcc.source.text import Span

_TAIL_LAST_CHILD = frozenset({"FOR_STMT", "WHILE_STMT", "IF_STMT", "CXX_FOR_RANGE_STMT", "LABEL_STMT", "CASE_STMT",
                              "DEFAULT_STMT", "SWITCH_STMT"})  # fmt: skip
_SELF_ENDING = frozenset({"COMPOUND_STMT", "CXX_TRY_STMT", "NULL_STMT", "CXX_CATCH_STMT"})
_BLANK_OR_COMMENT = regex(BLANK)
_DIRECTIVE = rf"(?:\#|%:)[ \t]*(?P<word>if|el|endif)?(?:{SPLICE}|[^\n])*"
_LINE = regex(_DIRECTIVE)
_LINE_OR_HIDDEN = regex(rf"^[ \t]*{_DIRECTIVE}|{LITERAL}|{COMMENT}", re.MULTILINE)
_BRACKET = regex(rf"[()]|{LITERAL}|{COMMENT}")


def statement_end(file: ProbedFile, node: Node) -> int:
    """Return where a statement ends in the user's text, its semicolon included.

    Raises ExpansionNeeded where a macro stands in front of the semicolon, or for it.
    """
    current = node
    while current.kind in _TAIL_LAST_CHILD and current.children:
        current = current.children[-1]
    end = file.original(current.end)
    text = file.scan.source.text
    if current.kind in _SELF_ENDING and not _has_no_braces(current, text[end - 1 : end]):
        return end
    if current.kind == "DECL_STMT" and text[end - 1 : end] == ";":
        return end
    after = _code_behind(text, end)
    while text[after : after + 1] in (")", ","):  # the last token is an argument of a macro
        end = _closing_parenthesis(text, after)
        after = _code_behind(text, end)
    if text[after : after + 1] in ("#", "%"):
        after = _behind_conditions(text, after)
    if text[after : after + 1] == ";":
        return after + 1
    if (current.file, _code_behind(file.buffer, current.end)) in current.tree.once(_macro_uses):
        _expand(file, after)
    return end


def statement_start(file: ProbedFile, node: Node) -> int:
    """Return where a statement begins in the user's text: where a macro is used, if its first token is an argument of
    one that the statement does not stand in as a whole, and nothing of another statement does."""
    start = file.original(node.start)
    uses = node.tree.once(_ranges_of_uses).get(node.file, ())
    last = bisect_left(uses, (node.start, 0)) - 1
    if last < 0 or uses[last][1] <= node.start:
        return start
    began, ended = (file.original(offset) for offset in uses[last])
    return began if statement_end(file, node) >= ended and _is_alone_in(uses[last], node) else start


def _is_alone_in(use: tuple[int, int], node: Node) -> bool:
    """Whether a macro's use holds nothing of what is around a statement, or beside it."""
    above = node.parent
    if above is None:
        return True
    others = [one for one in above.children if one is not node and one.file == node.file]
    return above.start < use[0] and not any(one.start < use[1] and use[0] < one.end for one in others)


def statement_range(file: ProbedFile, node: Node) -> tuple[int, int]:
    """Return where a statement begins and ends in the user's text."""
    return statement_start(file, node), statement_end(file, node)


def _ranges_of_uses(tree: Tree) -> dict[str, list[tuple[int, int]]]:
    """Return where the uses of macros begin and end that no other one holds, for each file, in order."""
    found: dict[str, list[tuple[int, int]]] = {}
    for (name, start), end in sorted(tree.once(ends_of_uses).items()):
        known = found.setdefault(name, [])
        if not known or known[-1][1] <= start:
            known.append((start, end))
    return found


def _macro_uses(tree: Tree) -> frozenset[tuple[str, int]]:
    """Return where macros are used: files and offsets in what clang has read."""
    uses = (c for c in library.of_user(tree.unit) if kind_of(c) == "MACRO_INSTANTIATION")
    places = (locations.range_of(c, tree.names) for c in uses)
    return frozenset((file, start) for file, start, _ in places)


def _expand(file: ProbedFile, offset: int) -> None:
    place = in_users_text(Span(file.scan.source, offset, offset + 1))
    if place is not None:
        raise ExpansionNeeded(frozenset({(place.source.path, place.start)}))


def _has_no_braces(statement: Node, last: str) -> bool:
    """Whether a block stands for the statement that an ``if constexpr`` discards, which is none itself."""
    return statement.kind == "COMPOUND_STMT" and not statement.children and last != "}"


def _code_behind(text: str, offset: int) -> int:
    """Return where the next token stands."""
    match = _BLANK_OR_COMMENT.match(text, offset)
    return match.end() if match else offset


def _behind_conditions(text: str, offset: int) -> int:
    """Return where the next token stands behind lines of the preprocessor, of which the first begins at an offset. What
    is in groups of conditions there is skipped, for the statement would end in it, unless it is the semicolon."""
    after, opened = offset, 0
    while (line := _LINE.match(text, after)) is not None:
        word = line["word"]
        opened += (word == "if") - (word == "endif" and opened > 0)
        after = _code_behind(text, line.end())
        if word in ("if", "el") and text[after : after + 1] != ";":
            after = _end_of_group(text, line.end(), is_last=word == "el" and opened == 0)
    return after


def _end_of_group(text: str, offset: int, is_last: bool) -> int:
    """Return where the line stands that ends a group of a condition; ``is_last``: the one that ends them all."""
    depth = 0
    for token in _LINE_OR_HIDDEN.finditer(text, offset):
        word = token["word"]
        if depth == 0 and (word == "endif" or (word == "el" and not is_last)):
            return token.start() + len(token[0]) - len(token[0].lstrip())
        depth += (word == "if") - (word == "endif")
    return len(text)


def _closing_parenthesis(text: str, offset: int) -> int:
    """Return the end of the parentheses that an offset is in."""
    depth = 1
    for token in _BRACKET.finditer(text, offset):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)


def header_end(file: ProbedFile, loop: Node) -> int:
    """Return where the code behind the header of a ``for`` statement begins."""
    return _code_behind(file.scan.source.text, header_close(file, loop))


def header_close(file: ProbedFile, loop: Node) -> int:
    """Return where the header of a ``for`` statement ends: behind its parenthesis."""
    text = file.scan.source.text
    opened = text.index("(", file.original(loop.start))
    return _closing_parenthesis(text, opened + 1)
