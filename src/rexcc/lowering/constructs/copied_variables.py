"""The code of one private copy: its declaration, its first value, and the way back to the original.

In: a variable of a clause's list. Out: statements in which the copy has its original's name, and the original, where it
is still needed, another one; the copy may be an array whose extents only the run knows, or have a type without a
spelling here.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import classes, spelling, types
from rexcc.kernel.code import elements
from rexcc.kernel.ir import (
    Assign,
    Bind,
    Code,
    CopyBytes,
    Declare,
    Do,
    Stmt,
)
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.text.extents import element_of, is_runtime_array
from rexcc.lowering.text.runtime_arrays import array_name, check_alignment, named_array
from rexcc.lowering.text.variables import copy_array
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True)
class Listed:
    """A variable in a clause's list: its type without reference, how the clause spells it."""

    variable: Variable
    kind: Type
    text: str
    place: Span

    @property
    def name(self) -> str:
        """The variable's name, which the copy has too."""
        return self.variable.name

    @property
    def original(self) -> str:
        """The name of the original inside the block."""
        return own_name(self.name)


def declaration(context: Context, made: Listed) -> str:
    """Return the declaration of a copy, without semicolon; the original is still known by the user's spelling."""
    if _is_spelled(context, made):
        return spelling.declare(made.kind, made.name)
    return f"{type_text(context, made)} {made.name}"


def type_text(context: Context, made: Listed) -> str:
    """Return the type of a copy; where it has no spelling here, by the original."""
    if _is_spelled(context, made):
        return spelling.spell_value(made.kind)
    word = "decltype" if context.unit.is_cplusplus else "__typeof__"  # which C code has, too
    return f"rex_value_type<{word}({made.text})>"


def _is_spelled(context: Context, made: Listed) -> bool:
    """Whether code can name a variable's type here; classes without a name may be the region's own."""
    if context.is_pattern or spelling.is_unnamed(made.kind) or is_adjusted(made):
        return False
    return not spelling.has_given_name(made.kind)


def declared_copy(context: Context, made: Listed, value: str | None = None) -> Declare:
    """Return the declaration of a copy as a statement."""
    return Declare(declaration(context, made), made.name, value)


def plain_copy(context: Context, made: Listed) -> Code:
    """Return the code of a copy without a value of its own."""
    if is_runtime_copy(made):
        return runtime_copy(context, made)
    return (declared_copy(context, made),)


def value_copy(context: Context, made: Listed) -> Code:
    """Return the code of a copy with its original's value."""
    if is_runtime_copy(made):
        return (*runtime_copy(context, made), runtime_assignment(made, False))
    if types.is_array(made.kind) and not is_adjusted(made):
        return bound_original(made), *array_copy(context, made)
    own = declared_copy(context, made, made.original)
    if types.is_scalar(made.kind) or types.is_pointer(made.kind):
        return Declare(f"const auto {made.original}", made.original, made.text), own
    return bound_original(made), own


def bound_original(made: Listed) -> Bind:
    """Return the other name of the original, inside of the block where the copy has the variable's."""
    return Bind(f"auto &{made.original}", made.original, made.text)


def array_copy(context: Context, made: Listed) -> Code:
    """Return the code that declares an array with its original's values, known under another name by now.

    The elements of a class are copied as a structure around the array copies them: by their constructor.
    """
    element = types.shape_of(made.kind).element
    if not context.is_pattern and (not types.is_record(element) or classes.is_copied_as_bytes(element)):
        if classes.is_fixed_array(made.kind):
            return (Bind(f"auto &{made.name}", made.name, made.original),)  # nobody can tell
        return declared_copy(context, made), copy_array(made.kind, made.name, made.original, f"sizeof {made.name}")
    holder, copy = related("holder", made.name), related("copy", made.name)
    return (
        Do(f"struct {holder} {{ rex_object_type<__typeof__({made.original})> value; }};"),
        Declare(f"{holder} {copy}", copy, arguments=(f"reinterpret_cast<{holder} &>({made.original})",)),
        Bind(f"auto &{made.name}", made.name, f"{copy}.value"),
    )


def assignment(context: Context, made: Listed, target: str, source: str) -> Stmt:
    """Return the statement that copies the value of a variable of this type."""
    if not types.is_array(made.kind) or is_adjusted(made):
        return Assign(target, source)
    element = types.shape_of(made.kind).element
    if not context.is_pattern and (not types.is_record(element) or classes.is_copied_as_bytes(element)):
        return copy_array(made.kind, target, source, f"sizeof {target}")
    pointer = f"rex_element_type<__typeof__({target})> *"
    copied = Assign(f"(({pointer}){target})[__rex_e]", f"(({pointer}){source})[__rex_e]")
    (loop,) = elements(f"sizeof {target} / sizeof *({pointer}){target}", (copied,))
    return loop


def is_runtime_copy(made: Listed) -> bool:
    """Whether a copy is an array whose extents only the run knows."""
    return is_runtime_array(made.kind) and made.variable.cursor.kind.name != "PARM_DECL"


def runtime_copy(context: Context, made: Listed, is_shared: bool = False) -> Code:
    """Return the code that declares an array with the extents of its original, of the thread or of its block."""
    if context.is_pattern:
        message = f"a copy of the variable-length array '{made.name}' in a template cannot be lowered yet"
        raise error("unsupported-clause", message, made.place)
    element, dimensions = element_of(made.kind)
    check_alignment(element, made.name, made.place)
    kind = f"{spelling.spell(element)}, {dimensions}" if dimensions > 1 else spelling.spell(element)
    name = array_name(made.name)
    holder, memory = ("rex_team_array", ("__rex_memory",)) if is_shared else ("rex_thread_array", ())
    return (
        Bind(f"const rex_array<{kind}> &{made.original}", made.original, name),
        Declare(f"{holder}<{kind}> {name}", name, arguments=(*memory, made.original)),
        named_array(made.name, element, dimensions),
    )


def runtime_assignment(made: Listed, is_back: bool) -> CopyBytes:
    """Return the statement that copies the elements of an original to its copy, or back."""
    ends = (f"{made.original}.data", f"{array_name(made.name)}.data")
    target, source = ends if is_back else reversed(ends)
    return CopyBytes(target, source, f"{made.original}.bytes")


def is_adjusted(made: Listed) -> bool:
    """Whether a variable's type in a kernel is not what clang says: array parameters, pointers to run-time arrays."""
    is_parameter = made.variable.cursor.kind.name == "PARM_DECL" and types.is_array(made.kind)
    is_reference = types.is_reference(made.variable.type)
    return (is_parameter and not is_reference) or types.has_runtime_extent(made.kind)
