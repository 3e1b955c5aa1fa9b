"""Choices between what is compared, ``a[i] < a[j] ? a[i] : a[j]``, in device code.

In: a range of device code. Out: edits. A choice between two elements is an element to C++, so nvcc chooses an address,
for which it waits, and loads what it has loaded already for the comparison. Before and after, written out and by a
macro of the user's (``#define MIN(x, y) ((x) < (y) ? (x) : (y))``)::

    m = a[i] < a[j] ? a[i] : a[j];     m = rex_chosen(a[i] < a[j], a[i], a[j]);
    m = MIN(a[i], a[j]);               m = rex_first_if_less(a[i], a[j]);

These functions take and return values. It is the same where the choice is read at once, which C does always and clang's
conversion around it says for C++; where both operands are numbers of one type, and have no effects: both are read for
the comparison, so no more memory is touched, and what another thread writes meanwhile would be a race. Choices inside
of ``atomic`` and ``critical`` stay, for these are told apart by their statements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_NUMBERS = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "FLOAT", "DOUBLE"})
_PLAIN = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "DECL_REF_EXPR",
                    "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "CXX_THIS_EXPR",
                    "CONDITIONAL_OPERATOR", "INTEGER_LITERAL", "TYPE_REF"})  # fmt: skip
_EFFECTS = frozenset({"=", "++", "--", "p++", "p--", ","})
_COMPARED = {"<": "less", ">": "greater", "<=": "at_most", ">=": "at_least"}
_OPPOSITE = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_STATEMENTS = frozenset({"atomic", "critical"})
_USE = regex(r"(?P<name>[A-Za-z_]\w*)\s*\(")

Place = tuple[int, int]
Edits = tuple[tuple[int, int, str], ...]
"""Ranges of a text and what stands there: one for a macro's name, or two for the signs of a choice."""


def lower_choices(body: DeviceBody, start: int, end: int) -> None:
    """Let choices in a range of the user's text be made between values."""
    for place, stop, edits in body.unit.kept(_choices).get(body.file.scan.source.path, ()):
        if not (start <= place and stop <= end):
            continue
        if not all(body.edits.is_free(first, last) for first, last, _ in edits):
            continue
        for first, last, text in edits:
            body.edits.replace(first, last, text)
        if len(edits) > 1:
            body.edits.wrap(place, stop, "rex_chosen(", ")")


def _choices(unit: ParsedUnit) -> dict[str, list[tuple[int, int, Edits]]]:
    """Return, for each file, the choices between values with their edits, outer before inner."""
    left = [c.node for f in unit.functions for c in f.walk() if _STATEMENTS & set(c.directive.leaves)]
    found: dict[str, list[tuple[int, int, Edits]]] = {}
    for path, file in unit.files.items():
        if "?" not in file.scan.source.text and not unit.use_places.get(path):
            continue
        made: dict[Place, Edits] = {}
        for choice in _of_file(unit, path):
            place = file.original(choice.start), file.original(choice.end)
            is_left = any(map(choice.is_inside, left))
            edits = _edits(unit, file.scan.source.text, choice, *place) if not is_left else ()
            made[place] = edits if made.get(place, edits) == edits else ()  # a macro's argument may stand several times
        found[file.scan.source.path] = list(_outside_of_macros(unit, path, made))
    return found


def _outside_of_macros(unit: ParsedUnit, path: str, made: dict[Place, Edits]) -> Iterator[tuple[int, int, Edits]]:
    """Yield choices, outer before inner, that are part of no macro's use but of one that is a choice."""
    text, kept = unit.files[path].scan.source.text, list[Place]()
    for start, end in sorted(made, key=lambda place: (place[0], -place[1])):
        is_part = unit.macro_uses.holds(path, start, end)
        if not made[start, end] or (is_part and not any(_is_argument(text, one, (start, end)) for one in kept)):
            continue
        if len(made[start, end]) == 1:
            kept.append((start, end))
        yield start, end, made[start, end]


def _is_argument(text: str, use: Place, inner: Place) -> bool:
    """Whether a range is all of an argument of a macro's use."""
    before, behind = text[: inner[0]].rstrip(), text[inner[1] :].lstrip()
    return use[0] < inner[0] and inner[1] < use[1] and before[-1:] in ("(", ",") and behind[:1] in (",", ")")


def _of_file(unit: ParsedUnit, path: str) -> Iterator[Node]:
    tops = (top for top in unit.declarations if top.file == path and top.kind != "MACRO_INSTANTIATION")
    return (n for top in tops for n in top.walk() if n.kind == "CONDITIONAL_OPERATOR" and n.file == path)


def _edits(unit: ParsedUnit, text: str, choice: Node, start: int, end: int) -> Edits:
    """Return the edits of a choice, none where it stays as it is."""
    if len(choice.children) != 3 or not _is_between_elements(choice) or not _is_read(unit, choice):
        return ()
    condition, *chosen = choice.children
    operands = condition.bare().children
    file = unit.files[choice.file]
    places, results = ([_place(file, one) for one in nodes] for nodes in (operands, chosen))
    use = _USE.match(text, start)
    if sorted(places) == sorted(results) and places[0] != places[1] and use is not None:
        if not _is_of_macro(unit, choice):
            return ()
        operator = condition.bare().operator
        return _of_use(text, use["name"], (start, use.end()), end, operator, places, results[0] == places[0])
    if unit.macro_uses.holds(choice.file, start, end) or not _are_same(unit, operands, chosen):
        return ()
    question = _between(text, file.original(condition.end), file.original(chosen[0].start), "?")
    colon = _between(text, file.original(chosen[0].end), file.original(chosen[1].start), ":")
    return ((question, question + 1, ","), (colon, colon + 1, ",")) if min(question, colon) >= 0 else ()


def _place(file: ProbedFile, node: Node) -> Place:
    bare = node.bare()
    return file.original(bare.start), file.original(bare.end)


def _is_of_macro(unit: ParsedUnit, choice: Node) -> bool:
    """Whether a choice is all that a macro with two parameters makes."""
    uses = unit.use_places.get(choice.file, ())
    definition = next((u.definition for u in uses if (u.start, u.end) == (choice.start, choice.end)), None)
    tokens = [token.spelling for token in definition.get_tokens()] if definition is not None else []
    if tokens[1:2] != ["("] or tokens[3:4] != [","] or tokens[5:6] != [")"]:
        return False
    body = [token for token in tokens[6:] if token not in ("(", ")")]
    names = [tokens[2], tokens[4]]
    is_choice = len(body) == 7 and body[1] in _COMPARED and body[3::2] == ["?", ":"]
    return is_choice and sorted(body[0:3:2]) == sorted(body[4::2]) == sorted(names)


def _of_use(text: str, name: str, opened: Place, end: int, operator: str, places: list[Place], first: bool) -> Edits:
    """Return the edit of a macro's use whose two arguments are compared, none where its text is another one.

    ``first``: the choice is the first one compared, where the comparison holds.
    """
    start, begin = opened
    if places[0] > places[1]:
        places, operator, first = places[::-1], _OPPOSITE[operator], not first
    (a, b), (c, d) = places
    around = text[begin:a].strip(), text[b:c].strip(), text[d : end - 1].strip()
    is_use = around == ("", ",", "") and text[end - 1] == ")"
    chosen = "first" if first else "second"
    return ((start, start + len(name), f"rex_{chosen}_if_{_COMPARED[operator]}"),) if is_use else ()


def _are_same(unit: ParsedUnit, operands: Sequence[Node], chosen: Sequence[Node]) -> bool:
    """Whether what is chosen is what is compared, by its text."""
    compared = [unit.user_text(one.bare()).split() for one in operands]
    results = [unit.user_text(one.bare()).split() for one in chosen]
    return results in (compared, compared[::-1])


def _between(text: str, start: int, end: int, character: str) -> int:
    """Return where a character stands in a text that has nothing else but brackets and spaces, -1 for another."""
    found = "".join(text[start:end].replace("(", " ").replace(")", " ").split())
    return text.index(character, start, end) if found == character else -1


def _is_between_elements(choice: Node) -> bool:
    """Whether a choice is one between two elements of one type that it compares."""
    compared = choice.children[0].bare()
    if compared.kind != "BINARY_OPERATOR" or compared.operator not in _COMPARED:
        return False
    nodes = [one.bare() for one in (*compared.children, *choice.children[1:])]
    kinds = {types.kind_name(types.canonical(node.type)) for node in nodes}
    if len(kinds) != 1 or not kinds <= _NUMBERS or not all(map(_is_element, nodes)):
        return False
    return all(_is_plain(inner) for node in nodes for inner in node.walk())


def _is_element(node: Node) -> bool:
    """Whether an operand is in memory, or the choice between such."""
    if node.kind == "CONDITIONAL_OPERATOR":
        return len(node.children) == 3 and _is_between_elements(node)
    if node.kind == "MEMBER_REF_EXPR":
        return any(n.kind in ("ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR") for n in node.walk())
    return node.is_pointee


def _is_plain(node: Node) -> bool:
    is_changing = node.operator in _EFFECTS or node.kind == "COMPOUND_ASSIGNMENT_OPERATOR"
    return node.kind in _PLAIN and not is_changing and not types.is_volatile(node.type)


def _is_read(unit: ParsedUnit, choice: Node) -> bool:
    """Whether a choice is read at once, in the code of a function."""
    if not any(above.kind == "COMPOUND_STMT" for above in choice.ancestors()):
        return False
    above = choice.in_parentheses().parent
    if not unit.is_cplusplus:
        return True
    if above is not None and above.kind == "CONDITIONAL_OPERATOR":
        return above.children[0] is not choice.in_parentheses() and _is_read(unit, above)
    kinds = [types.kind_name(types.canonical(node.type)) for node in (choice, above) if node is not None]
    is_loaded = above is not None and above.kind == "UNEXPOSED_EXPR" and not types.is_constant(above.type)
    return is_loaded and len(set(kinds)) == 1
