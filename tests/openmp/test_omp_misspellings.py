"""One slip of a finger in the name of any directive or clause is an error that says the right name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from omp_tools import diagnose

from rexcc.openmp.clauses import CLAUSES
from rexcc.openmp.tables import CONSTRUCTS, takers
from rexcc.source.spelling import is_one_slip, nearest


def slips(name: str) -> Iterator[str]:
    """Yield a name with one letter left out, one replaced, or two swapped, at each of its letters."""
    for i, letter in enumerate(name):
        if letter == " ":
            continue
        if len(name) > 1:
            yield " ".join(f"{name[:i]}{name[i + 1 :]}".split())
        yield f"{name[:i]}{'q' if letter != 'q' else 'z'}{name[i + 1 :]}"
        if i + 1 < len(name) and name[i + 1] not in (" ", letter):
            yield f"{name[:i]}{name[i + 1]}{letter}{name[i + 2 :]}"


def says(text: str, name: str) -> bool:
    """Whether an error about a text says a name."""
    return any(f"'{name}'" in diagnostic.message for diagnostic in diagnose(text))


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_slips_in_names_of_directives(name: str) -> None:
    wrong = [slip for slip in slips(name) if slip not in CONSTRUCTS]
    assert wrong
    assert [slip for slip in wrong if not says(slip, name)] == []


@pytest.mark.parametrize("clause", sorted({row.name for row in CLAUSES if takers(row.name)}))
def test_slips_in_names_of_clauses(clause: str) -> None:
    for directive in takers(clause):
        wrong = [slip for slip in slips(clause) if slip not in CONSTRUCTS[directive].clauses]
        assert wrong, directive
        assert [(directive, slip) for slip in wrong if not says(f"{directive} {slip}(x)", clause)] == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [("privte", "private"), ("privatee", "private"), ("prixate", "private"), ("pirvate", "private"), ("o", "to"),
     ("ot", "to"), ("to", "to")],
)  # fmt: skip
def test_one_slip(written: str, meant: str) -> None:
    assert is_one_slip(written, meant)


@pytest.mark.parametrize("written", ["rpivaet", "privat", "pr", "", "privateee"])
def test_more_than_one_slip(written: str) -> None:
    assert not is_one_slip(written, "privates" if written == "privat" else "private")


def test_the_likeliest_slip_comes_first() -> None:
    assert nearest("sectiosn", ["section", "sections"]) == "sections"
    assert nearest("orderd", ["order", "ordered"]) == "ordered"
    assert nearest("fush", ["fuse", "flush"]) == "flush"
    assert nearest("unlike", ["private", "shared"]) is None
