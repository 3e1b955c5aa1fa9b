"""Dataclasses that are cheap to define.

In: a class with annotated fields. Out: the dataclass that the standard library would make of it. Every command defines
more than two hundred before it reads a file, and makes a few objects of most of them. The standard library compiles the
text of six methods for each, and to be loaded takes as long as twenty of our modules; here only ``__init__`` is
compiled, for classes of which more objects are made, and the others are functions
(docs/decisions/037-short-commands.md). Type checkers see the standard library's own: it is they who prove that nothing
assigns to a frozen one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar

_MISSING: Any = object()
_FEW = 8
"""How many objects of a class are made before its ``__init__`` is compiled."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:

    def dataclass(cls: type | None = None, *, frozen: bool = False, eq: bool = True) -> Any:
        """Make a class a dataclass, as ``dataclasses.dataclass`` does."""
        return _made(cls, frozen, eq) if cls else lambda decorated: _made(decorated, frozen, eq)

    def field(*, default=_MISSING, default_factory=_MISSING, **more: bool) -> Any:
        """Say more of a field than its default, as ``dataclasses.field`` does: ``repr`` and ``compare`` are known."""
        return _Field(default, default_factory, more.pop("repr", True), more.pop("compare", True), **more)

    def replace(record: Any, /, **changes: Any) -> Any:
        """Return a copy of an object with other values of some fields, as ``dataclasses.replace`` does."""
        for name in record.__class__._record_fields:
            if name not in changes:
                changes[name] = getattr(record, name)
        return record.__class__(**changes)


class _Field:
    """What is known of a field."""

    __slots__ = ("compare", "default", "factory", "shown")

    def __init__(self, default: Any, factory: Any, shown: bool = True, compare: bool = True) -> None:
        self.default, self.factory, self.shown, self.compare = default, factory, shown, compare


def names_of_fields(record: object) -> tuple[str, ...] | None:
    """Return the names of an object's fields, None for one of another class."""
    fields = getattr(record.__class__, "_record_fields", None)
    return None if fields is None else tuple(fields)


def _made(cls: Any, frozen: bool, eq: bool) -> Any:
    own = vars(cls)
    fields = _fields(cls)
    _give(cls, _record_fields=fields, __match_args__=tuple(fields), __dataclass_fields__=_STANDARD)
    if "__init__" not in own:
        cls.__init__ = _first_init(cls, fields)
    if "__repr__" not in own:
        cls.__repr__ = _shown
    if eq:
        values = _values(fields)
        cls.__eq__ = _equality(values)
        cls.__hash__ = _hash(values) if frozen else None
    return cls


def _give(cls: type, **attributes: object) -> None:
    for name, value in attributes.items():
        setattr(cls, name, value)


def _fields(cls: type) -> dict[str, _Field]:
    """Return the fields of a class, those of its bases first, and leave their defaults in the class."""
    found: dict[str, _Field] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= vars(base).get("_record_fields", {})
    for name, annotation in vars(cls).get("__annotations__", {}).items():
        if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            continue
        given = vars(cls).get(name, _MISSING)
        if not isinstance(given, _Field):
            if given.__class__.__hash__ is None:
                raise ValueError(f"field {name} has a default that can change: use default_factory")
            given = _Field(given, _MISSING)
        elif given.default is _MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, given.default)
        found[name] = given
    return found


def _first_init(cls: Any, fields: dict[str, _Field]) -> Callable[..., None]:
    """Return what makes the first objects of a class, field by field, and then puts the compiled ``__init__`` in its
    own place. That one also says what is wrong with a call."""
    left = _FEW

    def make(self: object, *args: Any, **named: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 or not _is_filled(self, fields, args, named):
            cls.__init__ = _compiled_init(cls, fields)
            cls.__init__(self, *args, **named)
        elif hasattr(cls, "__post_init__"):
            self.__post_init__()  # type: ignore[attr-defined]

    return make


def _is_filled(self: object, fields: dict[str, _Field], args: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Give an object its fields, and tell whether the arguments of the call are those of its class."""
    given = dict(zip(fields, args, strict=False)) | named
    if len(given) != len(args) + len(named) or not given.keys() <= fields.keys():
        return False
    for name, of in fields.items():
        if name in given:
            value = given[name]
        elif of.factory is not _MISSING:
            value = of.factory()
        elif of.default is not _MISSING:
            value = of.default
        else:
            return False
        setattr(self, name, value)
    return True


def _compiled_init(cls: type, fields: dict[str, _Field]) -> Callable[..., None]:
    names: dict[str, Any] = {"MISSING_": _MISSING}
    parameters, lines = ["self_"], []
    for name, of in fields.items():
        value = name
        if of.factory is not _MISSING:
            names[f"made_{name}_"] = of.factory
            parameters.append(f"{name}=MISSING_")
            value = f"made_{name}_() if {name} is MISSING_ else {name}"
        elif of.default is not _MISSING:
            names[f"default_{name}_"] = of.default
            parameters.append(f"{name}=default_{name}_")
        else:
            parameters.append(name)
        lines.append(f" self_.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self_.__post_init__()")
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *lines, " return None"]), names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


class _StandardFields:
    """The fields of a class as the standard library's functions for dataclasses ask for them."""

    known: ClassVar[dict[type, dict[str, Any]]] = {}

    def __get__(self, record: object, cls: type) -> dict[str, Any]:
        if cls not in self.known:
            library = importlib.import_module("dataclasses")
            own: dict[str, _Field] = cls._record_fields  # type: ignore[attr-defined]
            made = library.make_dataclass(
                cls.__name__, [(n, Any, library.field(repr=f.shown, compare=f.compare)) for n, f in own.items()]
            )
            self.known[cls] = made.__dataclass_fields__
        return self.known[cls]


_STANDARD = _StandardFields()


def _values(fields: dict[str, _Field]) -> Callable[[object], object]:
    """Return what gives the compared fields of an object, all at once."""
    names = [name for name, of in fields.items() if of.compare]
    return attrgetter(*names) if names else lambda record: ()


def _equality(values: Callable[[object], object]) -> Callable[[object, object], bool]:
    def equal(self: object, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(values: Callable[[object], object]) -> Callable[[object], int]:
    return lambda self: hash(values(self))


@recursive_repr()
def _shown(self: Any) -> str:
    fields: dict[str, _Field] = self.__class__._record_fields
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, of in fields.items() if of.shown)
    return f"{self.__class__.__qualname__}({shown})"
