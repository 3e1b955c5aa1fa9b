"""Variable-length arrays in code of one thread, and pointers to such arrays: device code of C++ has neither.

In: a function or a statement of device code. Out: edits. ``float a[n], b[n][m];`` becomes ::

    rex_thread_array<float> __rex_array_a(n); float *const a = __rex_array_a.data;
    rex_thread_array<float, 2> __rex_array_b(n, m); const rex_vla<float, 2> b = __rex_array_b.view();

``float (*p)[m] = q;`` becomes ``rex_vla<float, 2> p(q, m);``, a cast to such a pointer one to that view, a parameter
one of its elements with a view in the function, a typedef constants with its extents, and ``sizeof`` what these say.
"""

from __future__ import annotations

import re

from clang.cindex import Type

from rexcc.clang import classes, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.frontend.statements import statement_range
from rexcc.kernel.ir import Declare
from rexcc.lowering.text.alignment import own_alignments
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.extents import (
    Extents,
    bracket_end,
    declared_extents,
    extents_at,
    is_runtime_array,
    is_runtime_pointer,
    name_end,
    typedef_extent,
)
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.edits import Content, Quote, content, listed
from rexcc.source.own_names import own_name, related
from rexcc.source.patterns import regex
from rexcc.source.text import Span

MEMORY = Declare("rex_team_memory __rex_memory", "__rex_memory")
"""What a kernel whose teams have such arrays declares at its start."""
_SIZEOF_TYPE = regex(r"sizeof\s*\(\s*(?P<element>[A-Za-z_][\w\s:]*?[\s*]*)(?P<extents>(?:\[[^\[\]]*\]\s*)+)\)")
_SIZEOF_NAME = regex(r"sizeof\s*\(\s*\w+\s*\)")

_OF_HEAP = 16
"""The alignment, in bytes, of what device code allocates when it runs."""


def array_name(name: str) -> str:
    """Return the name of the object that holds an array of run-time extents."""
    return related("array", name)


def named_array(name: str, element: Type, dimensions: int) -> Declare:
    """Return the declaration by which an array has its own name again."""
    if dimensions > 1:
        kind = f"const rex_vla<{spelling.spell(element)}, {dimensions}>"
        return Declare(f"{kind} {name}", name, f"{array_name(name)}.view()")
    return Declare(spelling.declare_pointer_to(element, f"const {name}"), name, f"{array_name(name)}.data")


def name_text(name: str, found: Extents) -> str:
    """Return the same in the user's text, behind the array's own declaration."""
    made = named_array(name, found.element, found.dimensions)
    return f"; {made.declared} = {made.value}"


def lower_runtime_arrays(body: DeviceBody, top: Node, others: frozenset[Variable] = frozenset()) -> None:
    """Make the edits below a node; ``others`` are arrays whose declarations are lowered elsewhere."""
    for node in top.walk():
        if node.kind in FUNCTION_KINDS:
            _lower_parameters(body, node)
        elif node.kind == "DECL_STMT":
            _lower_statement(body, node, others)
        elif node.kind == "CXX_UNARY_EXPR":
            _lower_sizeof(body, node)
        elif node.kind == "CSTYLE_CAST_EXPR" and is_runtime_pointer(node.type) and not _is_initial(node):
            _lower_cast(body, node)
        elif node.kind == "UNARY_OPERATOR" and node.operator == "&" and is_runtime_pointer(node.type):
            _lower_address(body, node)


def _lower_statement(body: DeviceBody, statement: Node, others: frozenset[Variable]) -> None:
    """Rewrite a declaration statement that has such a variable, or a typedef of such a type."""
    declared = list(statement.children)
    own = [d for d in declared if d.kind == "VAR_DECL" and _is_lowered(d) and Variable(d.cursor) not in others]
    typedefs = [d for d in declared if d.kind == "TYPEDEF_DECL" and _is_lowered(d)]
    if typedefs:
        _lower_typedef(body, statement, typedefs)
    if not own:
        return
    texts = [declarator(body, d, position) for position, d in enumerate(declared)]
    body.edits.rewrite(body.start(declared[0]), body.end(declared[-1]), listed(texts, "; "))


def _is_lowered(variable: Node) -> bool:
    return is_runtime_array(variable.type) or is_runtime_pointer(variable.type)


def declarator(body: DeviceBody, variable: Node, position: int) -> Content:
    """Return the text of one declarator as a declaration of its own."""
    if is_runtime_array(variable.type):
        return thread_array(body, variable)
    if is_runtime_pointer(variable.type):
        return _pointer(body, variable)
    start, end = body.start(variable), body.end(variable)
    if position == 0:
        return (Quote(start, end),)
    declared = spelling.declare(variable.type, variable.spelling)
    at = name_end(body, variable)
    if body.text[at:end].lstrip()[:1] in ("", "=", "(", "{"):
        return (declared, Quote(at, end)) if at < end else (declared,)
    value = _value(body, variable)
    return (declared,) if value is None else (f"{declared} = ", body.quoted(value))


def thread_array(body: DeviceBody, variable: Node) -> Content:
    """Return the declaration of an array that each thread has for itself."""
    found = declared_extents(body, variable, variable.type)
    check_element(body, variable, found)
    name = variable.spelling
    array = content(f"rex_thread_array<{found.arguments}> {array_name(name)}(", listed(found.texts), ")")
    return content(array, name_text(name, found))


def check_element(body: DeviceBody, variable: Node, found: Extents) -> None:
    """Raise CompileError for an array whose elements are more than bytes, or that asks for an alignment of its own."""
    own_alignments(body.unit, (Variable(variable.cursor),))
    if types.is_record(found.element) and not classes.is_trivial(found.element):
        message = f"the elements of the variable-length array '{variable.spelling}' have constructors or a destructor; "
        message += "this cannot be lowered yet; give it a constant extent"
        raise error("unsupported-type", message, body.span(variable))
    check_alignment(found.element, variable.spelling, body.span(variable))


def check_alignment(element: Type, name: str, place: Span | None) -> None:
    """Raise CompileError for elements that memory of run-time extent cannot have."""
    aligned = types.canonical(element).get_align()
    if aligned > _OF_HEAP:
        message = f"the elements of the variable-length array '{name}' are aligned to {aligned} bytes, "
        message += f"those of memory that the run asks for to {_OF_HEAP}; give it a constant extent"
        raise error("unsupported-type", message, place)


def _pointer(body: DeviceBody, variable: Node) -> Content:
    """Return the declaration of a pointer to arrays as a view."""
    found = _inner_extents(body, name_end(body, variable), variable.type)
    value = _value(body, variable)
    given: str | Quote = "nullptr"
    if value is not None:
        cast = value.bare()
        given = body.quoted(cast.children[-1] if cast.kind == "CSTYLE_CAST_EXPR" else value)
    const = "const " if variable.type.is_const_qualified() else ""
    return content(f"{const}{_view(found)} {variable.spelling}(", listed((given, *found.texts)), ")")


def _inner_extents(body: DeviceBody, offset: int, kind: Type) -> Extents:
    """Return the extents of the rows that a pointer points to."""
    return extents_at(body, offset, types.canonical(kind).get_pointee() if _is_plain(kind) else kind)


def _rows_of(body: DeviceBody, offset: int, kind: Type) -> Extents:
    return _inner_extents(body, offset, kind) if is_runtime_pointer(kind) else extents_at(body, offset, kind)


def _is_plain(kind: Type) -> bool:
    return types.kind_name(kind) == "POINTER" and types.kind_name(kind.get_pointee()) == "VARIABLEARRAY"


def _view(found: Extents) -> str:
    """Return the type of a view of rows with these extents."""
    return f"rex_vla<{found.spelled}, {found.dimensions + 1}>"


def _lower_cast(body: DeviceBody, node: Node) -> None:
    """A cast to a pointer to arrays makes a view."""
    start = body.start(node)
    end = bracket_end(body.text, start)
    star = body.text.find("*", start, end)
    found = _inner_extents(body, star + 1, node.type)
    operands = listed((body.quoted(node.children[-1]), *found.texts))
    body.edits.rewrite(start, body.end(node), content(f"{_view(found)}(", operands, ")"))


def _is_initial(cast: Node) -> bool:
    """Whether a cast is the value that a pointer starts with, whose declaration takes its operand."""
    above = next((n for n in cast.ancestors() if n.kind not in ("PAREN_EXPR", "UNEXPOSED_EXPR")), None)
    return above is not None and above.kind == "VAR_DECL" and is_runtime_pointer(above.type)


def _lower_address(body: DeviceBody, node: Node) -> None:
    """``&a[i]`` of an array of arrays is ``a + i``; that of a whole array is its first element's where any pointer is
    wanted."""
    operand = node.children[0].bare()
    if operand.kind == "ARRAY_SUBSCRIPT_EXPR":
        base, index = (body.quoted(child) for child in operand.children)
        body.edits.rewrite(body.start(node), body.end(node), ("(", base, " + (", index, "))"))
        return
    if operand.kind == "DECL_REF_EXPR" and _takes_elements(node):
        body.edits.rewrite(body.start(node), body.end(node), body.quoted(operand))
        return
    message = f"the address of '{body.original(operand)}', an array of run-time extent, cannot be taken here yet"
    raise error("unsupported-type", message, body.span(node))


def _takes_elements(address: Node) -> bool:
    """Whether the address of an array goes where the address of its first element does as well."""
    above = address.parent
    while above is not None and above.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR"):
        if not is_runtime_pointer(above.type):
            return True
        above = above.parent
    if above is None:
        return False
    if above.kind in ("CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "VAR_DECL"):
        return True
    return above.kind == "BINARY_OPERATOR" and above.operator == "="


def _lower_typedef(body: DeviceBody, statement: Node, typedefs: list[Node]) -> None:
    """The extents of a typedef are what they are where it stands."""
    lines: list[Content] = []
    for typedef in typedefs:
        declared = typedef.cursor.underlying_typedef_type
        found = _rows_of(body, name_end(body, typedef), declared)
        for position, text in enumerate(found.texts):
            extent = typedef_extent(typedef.spelling, position)
            lines.append(content(f"const long long {extent} = ", text, ";"))
    comment = f"/* {body.original(statement).replace('/*', '/ *').replace('*/', '* /')} */"
    body.edits.rewrite(*statement_range(body.file, statement), listed((comment, *lines), " "))


def _lower_parameters(body: DeviceBody, function: Node) -> None:
    """Rewrite the parameters of a function; its body starts with their views."""
    views: list[Content] = []
    for parameter in function.children:
        if parameter.kind != "PARM_DECL" or not _is_lowered(parameter):
            continue
        kind, name = parameter.type, parameter.spelling
        at = name_end(body, parameter)
        if types.has_runtime_extent(kind):
            found = _rows(body, at, kind)
            text = f"rex_rows<{found.spelled}>{f' {own_name(name)}' if name else ''}"
            body.edits.rewrite(body.start(parameter), body.end(parameter), text)
            views.append(content(f"{_view(found)} {name}(", listed((own_name(name), *found.texts)), ");"))
        else:
            start = body.text.index("[", at)
            body.edits.rewrite(start, bracket_end(body.text, start), "[]")
    block = next((c for c in function.children if c.kind == "COMPOUND_STMT"), None)
    if block is not None and views:
        body.edits.before(body.start(block) + 1, body.end(block) - 1, content(" ", listed(views, " ")))


def _rows(body: DeviceBody, offset: int, kind: Type) -> Extents:
    """Return the extents of the rows of a parameter, which is a pointer to them in any case."""
    if is_runtime_pointer(kind):
        return _inner_extents(body, offset, kind)
    found = extents_at(body, offset, kind)
    return Extents(found.element, found.texts[1:])


def _lower_sizeof(body: DeviceBody, node: Node) -> None:
    """Rewrite the size of an array of run-time extents, of a part of one, or of a type."""
    text = body.original(node)
    if not text.startswith("sizeof"):
        return
    operand = node.children[0] if node.children else None
    if operand is None:
        return
    if operand.kind == "TYPE_REF":
        _lower_typedef_size(body, node, operand)
        return
    matched = _SIZEOF_TYPE.fullmatch(text)
    if matched is not None and not _is_expression(body, node, operand):
        extents = re.findall(r"\[([^\[\]]*)\]", matched["extents"])
        factors = [f"sizeof({matched['element'].strip()})", *(f"(__SIZE_TYPE__)({e.strip()})" for e in extents)]
        body.edits.rewrite(body.start(node), body.end(node), f"({' * '.join(factors)})")
    elif is_runtime_array(operand.type):
        body.edits.rewrite(body.start(node), body.end(node), _size_of(body, operand))


def _is_expression(body: DeviceBody, node: Node, operand: Node) -> bool:
    """Whether ``sizeof`` has an operand, not a type: it begins right behind the parenthesis."""
    return operand.kind == "PAREN_EXPR" or not body.text[body.start(node) + 6 : body.start(operand)].strip(" \t\n\r(")


def _lower_typedef_size(body: DeviceBody, node: Node, operand: Node) -> None:
    typedef = operand.referenced
    if typedef is None or typedef.kind.name != "TYPEDEF_DECL" or not is_runtime_array(typedef.type):
        return
    if not _SIZEOF_NAME.fullmatch(body.original(node)):
        message = f"'{body.original(node)}', of a type made of one of run-time extent, cannot be lowered yet"
        raise error("unsupported-type", message, body.span(node))
    found = extents_at(body, body.end(node), typedef.type)
    counts = (content("(__SIZE_TYPE__)", text) for text in found.texts)
    size = listed((f"sizeof({found.spelled})", *counts), " * ")
    body.edits.rewrite(body.start(node), body.end(node), content("(", size, ")"))


def _size_of(body: DeviceBody, operand: Node) -> str:
    """Return the size of an expression that is an array: what so many subscripts leave of a variable."""
    node, subscripts = operand.bare(), 0
    while node.kind != "DECL_REF_EXPR":
        if node.is_pointee:
            subscripts += 1
            node = node.children[0].bare()
            continue
        raise _unmeasured(body, operand)
    name = body.original(node)
    return f"{array_name(name)}.bytes" if subscripts == 0 else f"{name}.bytes_below({subscripts})"


def _unmeasured(body: DeviceBody, operand: Node) -> CompileError:
    message = f"the size of '{body.original(operand)}', an array of run-time extent, cannot be lowered yet"
    return error("unsupported-type", message, body.span(operand))


def _value(body: DeviceBody, variable: Node) -> Node | None:
    """Return what stands behind the ``=`` of a declarator."""
    at = name_end(body, variable)
    values = [c for c in variable.children if c.cursor.kind.is_expression() and body.start(c) > at]
    return values[-1] if values and "=" in body.text[at : body.start(values[-1])] else None
