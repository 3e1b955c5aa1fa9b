"""libclang and its Python binding of version 18, in which what costs much is replaced.

Out: ``declare``, which makes functions of libclang's C interface that the binding leaves out, or does otherwise. Works
with the pinned wheel (18.1.1) and, through ``LIBCLANG_PATH``, with any later libclang. Texts have a character for each
byte on this side.
"""

from __future__ import annotations

import errno
import os
from ctypes import (
    PyDLL,
    c_char_p,
    c_int,
    c_uint,
    c_void_p,
)
from typing import Any

from clang import cindex
from clang.cindex import Config, Cursor, CursorKind, TranslationUnit, Type, TypeKind

from rexcc.source.text import from_bytes, to_bytes

if "LIBCLANG_PATH" in os.environ:
    Config.set_library_file(os.environ["LIBCLANG_PATH"])
elif os.path.exists(_wheels := f"{Config.library_path}/libclang.so"):  # noqa: PTH110
    Config.set_library_file(_wheels)  # the binding asks for the system first, with a module of its own
Config.set_compatibility_check(False)


# Texts have a character for each byte on this side, in both directions; ctypes keeps what it finds when a library is
# loaded.
cindex.c_interop_string.from_param = classmethod(lambda cls, text: text if text is None else cls(cindex.b(text)))
cindex.b = lambda text: text if isinstance(text, bytes) else to_bytes(text)

try:
    lib: Any = cindex.conf.lib
except cindex.LibclangError as _problem:
    _why = str(_problem).split(" To provide a path")[0]
    _way_out = "'pip install libclang==18.1.1' brings it, LIBCLANG_PATH names another"
    raise OSError(errno.ELIBACC, f"cannot be loaded: {_why} {_way_out}", "libclang") from None


for _name, _number in (("FLOAT16", 32), ("BFLOAT16", 39)):  # it refuses types of kinds that it does not know
    if _number >= len(TypeKind._kinds) or TypeKind._kinds[_number] is None:
        setattr(TypeKind, _name, TypeKind(_number))

del cindex.BaseEnumeration.name  # which looks for the kind among all
for _kinds in cindex.BaseEnumeration.__subclasses__():
    for _name, _kind in vars(_kinds).items():
        if isinstance(_kind, _kinds):
            _kind.name = _name


class Text(cindex.Structure):  # type: ignore[misc]
    """A text of libclang's; a function that returns one gives its characters here."""

    _fields_ = (("data", c_void_p), ("flags", c_uint))


_quick = PyDLL(lib._name)
"""The library for calls that are over before another thread would be let in: none is between two of them."""


def declare(name: str, arguments: list[Any], result: Any) -> Any:
    """Return a function of the interface, another one than the binding's, which may look for the unit or for null."""
    function: Any = _quick[name]
    function.argtypes, function.restype = arguments, result
    if result is Text:
        function.errcheck = taken
    return function


_characters = declare("clang_getCString", [Text], c_char_p)
_dispose = declare("clang_disposeString", [Text], None)
is_null = declare("clang_Cursor_isNull", [Cursor], c_int)


def taken(found: Text, *_: Any) -> str | None:
    """Return the characters of a text of libclang's, which it may forget."""
    data = _characters(found)
    text = None if data is None else from_bytes(data)
    _dispose(found)
    return text


for _name, _arguments, *_result in cindex.functionList:  # the binding makes two more objects of each text
    if cindex._CXString in _result and hasattr(lib, _name):
        setattr(lib, _name, declare(_name, _arguments, Text))


def _of_unit(found: Any, _function: Any, arguments: tuple[Any, ...]) -> Any:
    """Return a cursor or type that knows its unit: that of what it was asked of."""
    owner = arguments[0]
    found._tu = owner if isinstance(owner, TranslationUnit) else owner._tu
    return found


def _of_unit_or_none(found: Cursor, function: Any, arguments: tuple[Any, ...]) -> Cursor | None:
    """Return a cursor that knows its unit, None for libclang's null cursor."""
    return None if is_null(found) else _of_unit(found, function, arguments)


_CHECKS = {
    Type.from_result: _of_unit, Cursor.from_result: _of_unit_or_none, Cursor.from_cursor_result: _of_unit_or_none,
}  # fmt: skip
"""What the binding does with results, which takes it three calls of libclang or a look at all arguments."""

for _name, _arguments, *_result in cindex.functionList:
    if len(_result) == 2 and _result[1] in _CHECKS and hasattr(lib, _name):
        _function = declare(_name, _arguments, _result[0])
        _function.errcheck = _CHECKS[_result[1]]
        setattr(lib, _name, _function)


class _AskedOnce:
    """A fact of cursors or types, which the binding looks for again each time: kept under its own name."""

    def __init__(self, name: str, ask: Any) -> None:
        self._name = name
        self._ask = ask

    def __get__(self, asked: Any, _owner: Any) -> Any:
        found = asked.__dict__[self._name] = self._ask(asked)
        return found


_KINDS = {kind.value: kind for kind in CursorKind._kinds if kind is not None}
_EXPRESSIONS = range(CursorKind.UNEXPOSED_EXPR.value, CursorKind.UNEXPOSED_STMT.value)


def _kind_of(cursor: Cursor) -> CursorKind:
    """Return a cursor's kind; libraries have expressions that the binding does not know."""
    number = cursor._kind_id
    if number not in _KINDS and number in _EXPRESSIONS:
        return CursorKind.UNEXPOSED_EXPR
    return _KINDS.get(number) or CursorKind.from_id(number)


_FACTS = (
    (Cursor, "spelling", lib.clang_getCursorSpelling), (Cursor, "type", lib.clang_getCursorType),
    (Cursor, "location", lib.clang_getCursorLocation), (Cursor, "extent", lib.clang_getCursorExtent),
    (Cursor, "hash", lib.clang_hashCursor), (Cursor, "kind", _kind_of),
    (Type, "spelling", lib.clang_getTypeSpelling),
)  # fmt: skip

for _owner, _name, _ask in _FACTS:
    setattr(_owner, _name, _AskedOnce(_name, _ask))
