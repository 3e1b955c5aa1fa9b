"""The compiler's dataclasses are those of the standard library, in all that its modules use."""

from __future__ import annotations

import dataclasses
from typing import Any, ClassVar

import pytest

from modules import MODULES, ROOT, facts_of
from rexcc.source import records


def made_by(library: Any) -> dict[str, type]:
    """Return classes of all kinds that the compiler has, made by one of the two libraries."""
    decorator, field = library.dataclass, library.field

    @decorator(frozen=True)
    class Value:
        name: str
        members: tuple[int, ...] = ()
        note: str = field(default="", compare=False)
        hidden: int = field(default=0, repr=False)

    @decorator(frozen=True)
    class Single:
        value: object

    @decorator(frozen=True)
    class Empty:
        pass

    @decorator(frozen=True)
    class Below(Value):
        more: int = 1

    @decorator(frozen=True, eq=False)
    class Identity:
        name: str = ""

    @decorator
    class Changing:
        known: ClassVar[int] = 3
        names: list[str] = field(default_factory=list)
        count: int = 0

        def __post_init__(self) -> None:
            self.count = len(self.names)

        def __repr__(self) -> str:
            return "mine"

    return {made.__name__: made for made in (Value, Single, Empty, Below, Identity, Changing)}


THEIRS, OURS = made_by(dataclasses), made_by(records)
ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "Value": [("a",), ("a", (1,)), ("a", (), "note"), ("a", (), "", 2), ("b",)],
    "Single": [(1,), (2,), ((1, 2),), ("x",)],
    "Empty": [()],
    "Below": [("a",), ("a", (), "", 0, 2)],
    "Identity": [(), ("a",)],
    "Changing": [(), (["a"],)],
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_objects_are_equal_when_the_standard_librarys_are(name: str) -> None:
    theirs = [THEIRS[name](*arguments) for arguments in ARGUMENTS[name] * 2]
    ours = [OURS[name](*arguments) for arguments in ARGUMENTS[name] * 2]
    assert [[a == b for b in ours] for a in ours] == [[a == b for b in theirs] for a in theirs]
    assert not any(a == b for a in ours for b in theirs)


def test_first_objects_are_as_the_later_ones() -> None:
    made = made_by(records)
    for name, arguments in ARGUMENTS.items():
        first, *others = [[vars(made[name](*given)) for given in arguments] for _ in range(records._FEW + 2)]
        assert all(found == first for found in others)
        assert [list(found) for found in first] == [list(vars(THEIRS[name](*given))) for given in arguments]


WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Value", (), {}), ("Value", ("a", (), "", 0, 1), {}), ("Value", ("a",), {"name": "b"}), ("Single", (), {"v": 1}),
    ("Single", (1,), {"v": 1}), ("Empty", (1,), {}), ("Changing", (), {"known": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "named"), WRONG)
def test_wrong_arguments_are_refused_from_the_first_object_on(
    name: str, arguments: tuple[Any, ...], named: dict[str, Any]
) -> None:
    ours = made_by(records)[name]
    for _ in range(2):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            ours(*arguments, **named)


@pytest.mark.parametrize("name", [name for name in ARGUMENTS if name != "Changing"])
def test_equal_objects_have_one_hash(name: str) -> None:
    ours = [OURS[name](*arguments) for arguments in ARGUMENTS[name] * 2]
    assert all(hash(a) == hash(b) for a in ours for b in ours if a == b)


def test_what_can_change_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(OURS["Changing"]())


def test_subclasses_are_not_equal_to_what_they_derive_from() -> None:
    assert OURS["Below"]("a") != OURS["Value"]("a")


@pytest.mark.parametrize("name", ARGUMENTS)
def test_objects_show_their_fields(name: str) -> None:
    for arguments in ARGUMENTS[name]:
        assert repr(OURS[name](*arguments)) == repr(THEIRS[name](*arguments))


@pytest.mark.parametrize("library", [records, dataclasses])
def test_copies_with_other_fields(library: Any) -> None:
    assert library.replace(OURS["Value"]("a", (1,)), name="b") == OURS["Value"]("b", (1,))
    assert library.replace(OURS["Below"]("a", hidden=2), more=3) == OURS["Below"]("a", hidden=2, more=3)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_fields_are_those_of_the_standard_library(name: str) -> None:
    ours, theirs = OURS[name](*ARGUMENTS[name][0]), THEIRS[name](*ARGUMENTS[name][0])
    assert records.names_of_fields(ours) == tuple(f.name for f in dataclasses.fields(theirs))
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert vars(ours) == vars(theirs)
    assert OURS[name].__match_args__ == THEIRS[name].__match_args__
    assert records.names_of_fields(name) is None


@pytest.mark.parametrize("name", ["Value", "Single", "Below"])
def test_arguments_that_are_missing_or_unknown_are_errors(name: str) -> None:
    for given in ({}, {"unknown": 1}):
        with pytest.raises(TypeError):
            OURS[name](**given)


def test_objects_have_lists_of_their_own() -> None:
    first, second = OURS["Changing"](), OURS["Changing"]()
    first.names.append("a")
    assert second.names == []


def test_a_default_that_can_change_is_an_error() -> None:
    with pytest.raises(ValueError, match="default_factory"):

        @records.dataclass
        class Shared:
            names: list[str] = []  # noqa: RUF012


def test_an_object_that_holds_itself_is_shown_once() -> None:
    holder = OURS["Single"]([])
    holder.value.append(holder)
    assert repr(holder).endswith("Single(value=[...])")


COMPILER = [path for path in MODULES if path.relative_to(ROOT).parts[0] != "bench"]


def test_no_module_of_the_compiler_loads_the_standard_librarys() -> None:
    loading = [path for path in COMPILER if any(n.split(".")[0] == "dataclasses" for n in facts_of(path).imports)]
    assert [path.name for path in loading] == ["records.py"], "take rexcc.source.records"
