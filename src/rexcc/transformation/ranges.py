"""Range-based loops of worksharing constructs in device code become loops with an index.

In: the user's files. Out: the files with other headers of such loops (OpenMP 5.2, 4.4.1: such a loop is canonical
where its iterators are random access iterators). Before and after::

    for (int &v : a) v++;
    for (int __rex_at_3_8 = 0; __rex_at_3_8 < 100; ++__rex_at_3_8) { int &v = (a)[__rex_at_3_8]; v++; }

The iterators must be pointers: those of arrays, and of classes whose ``begin()`` and ``end()`` give them; or objects of
classes with random access, which have ``[]`` or ``+=``, but not those of a library's container: its elements are not
on a device. The range is named several times, so it must have no effects, and the body must not change which object it
is: a name, or a view of the library's or the user's made of names where the loop stands (``made_ranges``). Other loops
stay, and are refused where the loop is lowered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import is_exposed, may_be_changed
from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.loop_ranges import begin_of
from rexcc.analysis.references import is_written
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.scan import FileScan
from rexcc.frontend.statements import statement_end
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.lexical import COMMENT
from rexcc.source.patterns import regex
from rexcc.transformation.made_ranges import makes_range, reads_changed_memory

_RANGE = regex(r"\bfor\s*\([^;(){}]*[^:]:[^:]")
_BEHIND = regex(rf"(?:\s|\{{|#[^\n]*\n|{COMMENT})*for\s*\([^;(){{}}]*[^:]:[^:]")
"""What stands behind a directive: such a loop, further directives and comments in front of it."""
_LOOP_LEAVES = frozenset({"for", "distribute", "simd", "loop", "taskloop"})
_NAMES = frozenset(
    {
        "DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR", "CXX_THIS_EXPR",
        "INTEGER_LITERAL", "TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF",
    }
)  # fmt: skip
_NUMBERS = frozenset({"ENUM_CONSTANT_DECL", "TEMPLATE_NON_TYPE_PARAMETER"})
_METHODS = ("begin", "end")
_VIEWS = frozenset({"span", "basic_string_view", "iota_view"})
"""Classes of the library that have nothing but a pointer and a length, or two numbers."""
_MADE_VIEWS = frozenset({"span", "iota_view"})
_ARITHMETIC = frozenset("+-*/%&")
_VALUES = frozenset({"INIT_LIST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR"})
"""What else the numbers and pointers that such a view is made of may be."""


def index_ranges(files: UserFiles, language: str, arguments: tuple[str, ...]) -> UserFiles:
    """Return the files in which the range-based loops that threads share have indices."""
    if language != "c++" or not any(map(_may_share, files.scans.values())):
        return files
    problems = DiagnosticSink()
    unit = parse_unit(files, language, arguments, problems)
    if unit is None or problems.has_errors:
        return files  # what is wrong is found again by the parse to come
    found: dict[str, dict[tuple[int, int], list[Replacement]]] = {}
    for construct, of_template in _sharing_constructs(unit):
        path = construct.file.scan.source.path
        for loop in _ranges(construct):
            found.setdefault(path, {})[(loop.start, loop.end)] = list(_edits(construct, loop, of_template))
    sources = {path: rewrite(files.source(path), _joined(edits.values())) for path, edits in found.items()}
    return rewritten(files, sources) if sources else files


def _may_share(scan: FileScan) -> bool:
    """Whether a range-based loop may stand behind a directive, or in a nest of collapsed loops."""
    text = scan.source.text
    if any("collapse" in site.text.text for site in scan.pragmas):
        return _RANGE.search(text) is not None
    return any(_BEHIND.match(text, site.end) is not None for site in scan.pragmas)


def _joined(loops: Iterable[list[Replacement]]) -> Iterator[Replacement]:
    """Yield the edits of loops, those at one place as one."""
    places: dict[tuple[int, int], str] = {}
    for edit in (edit for edits in loops for edit in edits):
        known = places.get((edit.start, edit.end), "")
        places[edit.start, edit.end] = known + "".join(map(str, edit.parts))
    return (Replacement(start, end, (text,)) for (start, end), text in places.items())


def _sharing_constructs(unit: ParsedUnit) -> Iterator[tuple[Construct, bool]]:
    """Yield the constructs of device code with associated loops, and whether they are in a template."""
    for function in unit.functions:
        for construct in function.walk():
            if is_ours(construct) and construct.body is not None and _LOOP_LEAVES & set(construct.directive.leaves):
                yield construct, function.template is not None


def _ranges(construct: Construct) -> Iterator[Node]:
    """Yield the range-based loops of a construct's nest, as deep as it may go."""
    statement = alone(construct.body) if construct.body is not None else None
    while statement is not None and statement.kind in ("FOR_STMT", "CXX_FOR_RANGE_STMT"):
        if statement.kind == "CXX_FOR_RANGE_STMT":
            yield statement
        inner = alone(statement.children[-1])
        statement = inner if construct.directive.has("collapse") else None


def _edits(construct: Construct, loop: Node, of_template: bool) -> Iterator[Replacement]:
    """Yield the edits of a loop: its header, and the brace behind it; nothing where it has to stay."""
    file, text = construct.file, construct.file.scan.source.text
    if len(loop.children) != 3 or not (all(map(_is_name, loop.children[1].walk())) or _is_made_view(loop.children[1])):
        return
    variable, given, body = loop.children
    start, begin = file.original(loop.start), file.original(body.start)
    header = re.fullmatch(r"for\s*\((.*[^:]):\s*", text[start : file.original(given.start)], re.S)
    if header is None or not text[file.original(given.end) : begin].strip().startswith(")"):
        return
    name = _range_text(construct, given)
    if any(n.spelling == n2.spelling for n in given.walk() for n2 in variable.walk() if n2.kind == "VAR_DECL"):
        return  # the variable hides the range, which is named behind its declaration too
    if _is_moved(given, body) or reads_changed_memory(given, body):
        return
    line, column = file.scan.source.line_column(start)
    index = f"__rex_at_{line}_{column}"
    parts = _parts(loop, name, index, of_template)
    if parts is None:
        return
    kind, count, before, element = parts
    loop_header = f"for ({kind} {index} = 0; {index} < {count}; ++{index}) {{ {before}"
    yield Replacement(start, begin, (f"{loop_header}{' '.join(header[1].split())} = {element}; ",))
    end = statement_end(file, body)
    yield Replacement(end, end, (" }",))


def _range_text(construct: Construct, given: Node) -> str:
    """Return the range's text, with the class in place of ``std::views::iota``: device code has no object of the
    host's."""
    file, text = construct.file, construct.file.scan.source.text
    start, end = file.original(given.start), file.original(given.end)
    for made in (n for n in given.walk() if n.kind == "DECL_REF_EXPR" and n.spelling == "iota" and n.referenced):
        if library.in_system_header(made.referenced):
            named = file.original(made.start), file.original(made.end)
            return f"{text[start : named[0]]}::std::ranges::iota_view{text[named[1] : end]}"
    return text[start:end]


def _is_name(part: Node) -> bool:
    """Whether a part of a range's expression only says where the range is."""
    return part.kind in _NAMES or part.is_dereference


def _is_made_view(given: Node) -> bool:
    """Whether a range is a view that is made of numbers and pointers there: making it once more does nothing else."""
    record = types.canonical(given.type).get_declaration()
    if not library.in_system_header(record):
        return makes_range(given)
    return record.spelling in _MADE_VIEWS and all(map(_only_computes, given.walk()))


def _only_computes(part: Node) -> bool:
    if part.kind == "CALL_EXPR":
        return part.referenced is not None and library.in_system_header(part.referenced)
    if part.kind in ("UNARY_OPERATOR", "BINARY_OPERATOR"):
        return part.operator in _ARITHMETIC
    return part.kind in _NAMES or part.kind in _VALUES


def _is_moved(given: Node, body: Node) -> bool:
    """Whether the body may change what the range is, which the loop's header names once and one with an index again:
    a scalar that is an index or a pointer on the way, or an object that has ``begin()``."""
    is_fixed = types.is_array(types.without_reference(given.type)) or _has_own_elements(given)
    ways = {
        n.referenced.hash
        for n in given.walk()
        if n.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR") and n.referenced is not None and _is_way(n, is_fixed)
    }
    views = [n.children[1] for n in body.walk() if n.kind == "CXX_FOR_RANGE_STMT" and len(n.children) == 3]
    reading = list(filter(_is_made_view, views))
    uses = (n for n in body.walk() if n.referenced is not None and n.referenced.hash in ways)
    uses = (n for n in uses if not any(view.start <= n.start < view.end for view in reading))
    return any(is_written(use) or is_exposed(use) or (_is_object(use) and may_be_changed(use)) for use in uses)


def _is_object(use: Node) -> bool:
    return types.is_record(types.without_reference(use.type))


def _is_way(name: Node, is_fixed: bool) -> bool:
    kind = types.without_reference(name.type)
    if types.is_constant(kind) or types.is_array(kind):
        return False
    return types.is_scalar(kind) or types.is_pointer(kind) or not is_fixed


def _has_own_elements(given: Node) -> bool:
    """Whether the elements of an object are in its own arrays, so that its values do not decide where they are."""
    record = _class_of(given.type)
    if library.in_system_header(record):
        return bool(record.spelling == "array")
    methods = [given.tree.node(m) for m in record.get_children() if m.spelling in _METHODS]
    return bool(methods) and all(map(_gives_own_array, methods))


def _gives_own_array(method: Node) -> bool:
    """Whether a method names nothing but arrays of its object, the address of an element, and constants."""
    body = next((child for child in method.children if child.kind == "COMPOUND_STMT"), None)
    return body is not None and not any(map(_reads, body.walk()))


def _reads(node: Node) -> bool:
    """Whether an expression may have another value when the object, or another one, has changed."""
    if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
        kind = node.referenced.type if node.referenced is not None else node.type
        return not types.is_array(kind) and not types.is_constant(kind) and not _is_number(node)
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        above = node.in_parentheses().parent
        return above is None or above.kind != "UNARY_OPERATOR" or above.operator != "&"
    return node.kind == "CALL_EXPR" or node.is_dereference


def _is_number(name: Node) -> bool:
    return name.referenced is not None and kind_of(name.referenced) in _NUMBERS


def _class_of(kind: Type) -> Cursor:
    """Return the class that a range is of, the template's where that is an instantiation, which may list no members."""
    record = types.canonical(kind).get_declaration()
    pattern = library.template_of(record) or record
    return pattern.get_definition() or pattern


def _parts(loop: Node, name: str, index: str, of_template: bool) -> tuple[str, str, str, str] | None:
    """Return the index's type, the number of elements, what stands in front of an element, and that; None where the
    iterators have no random access."""
    variable, given, _ = loop.children
    kind = types.without_reference(given.type)
    whole = name if re.fullmatch(r"\w+", name) else f"({name})"
    if types.is_array(kind):
        extent = int(types.canonical(kind).get_array_size())
        if of_template or not 0 < extent < 1 << 31:
            count = f"(__PTRDIFF_TYPE__)(sizeof({name}) / sizeof({whole}[0]))"
            return "__PTRDIFF_TYPE__", count, "", f"{whole}[{index}]"
        return "int", str(extent), "", f"{whole}[{index}]"
    if not types.is_record(kind):
        return None
    record = _class_of(kind)
    methods = {m.spelling for m in record.get_children() if kind_of(m) in ("CXX_METHOD", "USING_DECLARATION")}
    if not methods.issuperset(_METHODS):
        return None
    count = f"{whole}.end() - {whole}.begin()"
    if any("operator*" in n.spelling for n in variable.walk()):
        if library.in_system_header(record) and record.spelling not in _VIEWS:
            return None  # a container's elements are not on a device
        advance = _advance(loop, record)
        if advance is None:
            return None
        if advance != "[]":
            at = f"{index}_at"
            return "__PTRDIFF_TYPE__", count, f"auto {at} = {whole}.begin(); {at} {advance} {index}; ", f"*{at}"
    return "__PTRDIFF_TYPE__", count, "", f"{whole}.begin()[{index}]"


def _advance(loop: Node, record: Cursor) -> str | None:
    """Return the operator by which the iterators of a class, which are objects, get to any element; None for none."""
    begin = begin_of(loop)
    begins = (m for m in record.get_children() if m.spelling == "begin" and kind_of(m) == "CXX_METHOD")
    kinds = [begin.type] if begin is not None else [m.result_type for m in begins]
    iterators = [_class_of(kind) for kind in kinds]
    names = [{str(m.spelling) for m in _members(i)} for i in iterators]
    if not names:
        return None
    if all("operator[]" in of for of in names):
        return "[]"
    return "+=" if all({"operator+=", "operator-"} <= of for of in names) else None


def _members(record: Cursor) -> Iterator[Cursor]:
    """Yield the members and friends of a class."""
    for member in record.get_children():
        yield from member.get_children() if kind_of(member) == "FRIEND_DECL" else (member,)
