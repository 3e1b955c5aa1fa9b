"""Words and attributes of a variable's declaration that device code leaves out, or has others for.

In: the declaration of a variable of the slice. Out: edits of its text, or places of macros that hide what goes. The
runtime finds a ``declare target`` variable by the symbol of its name, so nothing may hide it in its file or image
(``static``, ``visibility``) or call it otherwise (``__asm__``). Of a variable of the host that only code names which no
kernel executes, the file has its own: whatever makes one of all files' or threads' goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rexcc.clang import locations, types
from rexcc.clang.tree import Node
from rexcc.codegen.slice.pieces import SliceContext
from rexcc.frontend.macros import macro_table
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.lexical import BLANK, COMMENT, LITERAL
from rexcc.source.patterns import regex

_CONSTANT = regex(r"[^=({]*\b(?:constexpr|const)\b")
_LINKAGE = ("static", "extern", "inline")
_THREADS = ("thread_local", "__thread")
_SPECIFIER = regex(rf"{COMMENT}|{LITERAL}|(?P<bracket>[({{)}}])|\b(?P<word>{'|'.join((*_LINKAGE, *_THREADS))})\b\s*")
_NONE: dict[str, str] = {}
_LABEL = regex(rf"\b(?:__asm__|__asm|asm)\b{BLANK}\({BLANK}\Z")
_SYMBOL_KINDS = frozenset({"VISIBILITY_ATTR", "ASM_LABEL_ATTR"})


def drop_specifiers(context: SliceContext, body: DeviceBody, node: Node, together: Iterable[Node]) -> None:
    """Leave out what the declaration of a variable has on the host alone; ``together`` are all its declarators."""
    words, has_symbol = _dropped(context, body, node)
    _drop_words(body, node, words)
    for declarator in together if has_symbol else ():
        for attribute in (child for child in declarator.children if child.kind in _SYMBOL_KINDS):
            _drop_attribute(body, declarator, attribute)


def _dropped(context: SliceContext, body: DeviceBody, node: Node) -> tuple[dict[str, str], bool]:
    """Return the words that a variable's declaration loses, each with what stands there instead, and whether the
    runtime has to know its symbol."""
    is_constant = types.is_constant(node.type)
    if context.declared.has_variable(Variable(node.cursor)) and not is_constant:
        return dict.fromkeys(_LINKAGE, ""), True
    if not context.unit.is_cplusplus:  # which as C++ has no other way to name it first
        return ({"static": ""} if is_declared_before(context.unit, node) else _NONE), False
    if is_constant or _CONSTANT.match(body.original(node)) is not None:
        return {"inline": ""}, False  # constants of devices are the file's own
    is_own = node.cursor.storage_class.name == "STATIC"
    return dict.fromkeys(_THREADS, "") | {"inline": "" if is_own else "static "}, False


def is_declared_before(unit: ParsedUnit, node: Node) -> bool:
    """Whether a variable's definition is not its first declaration, which in C may look like a definition."""
    first = node.cursor.canonical
    if first == node.cursor or first.kind.name != "VAR_DECL":
        return False
    return first.storage_class.name == "EXTERN" or not unit.is_cplusplus


def _drop_words(body: DeviceBody, node: Node, words: Mapping[str, str]) -> None:
    """Leave specifiers out, or write others for them, which stand in front of the declared name."""
    depth = 0
    name = body.file.original(locations.file_location(node.cursor.location, node.tree.names)[1])
    for match in _SPECIFIER.finditer(body.text, body.start(node), name):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(match["bracket"], 0)
        if match["word"] in words and depth == 0:
            body.edits.replace(match.start(), match.end(), words[match["word"]])
    hiding = body.unit.kept(_linkage_macros) if words else frozenset()
    for use in body.unit.use_places.get(node.file, ()) if hiding else ():
        start = body.file.original(use.start)
        if body.start(node) <= start <= name and use.definition.spelling in hiding:
            body.expand(start)


def _linkage_macros(unit: ParsedUnit) -> frozenset[str]:
    """Return the user's macros that may stand for specifiers of linkage."""
    return macro_table(file.scan for file in unit.files.values()).users({*_LINKAGE, *_THREADS}) - {*_LINKAGE, *_THREADS}


def _drop_attribute(body: DeviceBody, declarator: Node, attribute: Node) -> None:
    """Leave an attribute inside of a declaration out, the word and the brackets around the symbol's name included; not
    one that an earlier declaration brings, which may be another file's."""
    if attribute.file != declarator.file:
        return
    start, end = body.start(attribute), body.end(attribute)
    if not body.start(declarator) <= start < body.end(declarator):
        return
    for use in body.unit.use_places.get(attribute.file, ()):
        if use.start <= attribute.start < use.end:
            body.expand(body.file.original(use.start))
            return
    if attribute.kind == "ASM_LABEL_ATTR":
        opened = _LABEL.search(body.text, body.start(declarator), start)
        start, end = opened.start() if opened is not None else start, body.text.index(")", end) + 1
    body.edits.replace(start, end, "")
