"""Reductions: which variables may take which operators, and the statements that combine values into them."""

from __future__ import annotations

from generator.expressions import condition, number
from generator.kinds import NUMBERS, REAL, SIGNED, SMALL, UNSIGNED, Kind
from generator.maker import Maker
from generator.places import WRITE, Item, Place, Reducer, Storage
from generator.tree import Clause

INTEGERS = (*SIGNED, *UNSIGNED, *SMALL)
KINDS_OF = {
    "+": NUMBERS * 2,
    "-": NUMBERS,
    "*": (*UNSIGNED, *REAL, *SIGNED),
    "min": NUMBERS,
    "max": NUMBERS,
    "&": INTEGERS,
    "|": INTEGERS,
    "^": INTEGERS,
    "&&": SIGNED,
    "||": SIGNED,
}
OPERATORS = ("+", "+", "+", "+", "max", "min", "*", "&", "|", "^", "&&", "||", "-")

# What a variable begins with; for the logical ones 1 and 0, because a loop without iterations changes no other number.
INITIAL = {"*": "3u", "&": "4294967295u", "&&": "701u", "||": "700u", "min": "999u"}


def combine(m: Maker, place: Place, reducer: Reducer) -> str:
    """Return a statement that combines a value into a reduction variable."""
    item, operator = reducer.item, reducer.operator
    name = item.name
    if item.dims:
        name = item.element([f"{number(m, place, 1)} % {item.dims[0]}u"])
    made = _addend(m, place, item.kind, operator)
    if operator in ("min", "max"):
        sign, chosen = "<" if operator == "min" else ">", m.name("r")
        test = f"if ({chosen} {sign} {name}) {name} = {chosen};"
        if m.chance(0.5):
            test = f"{name} = {chosen} {sign} {name} ? {chosen} : {name};"
        return f"{{ {item.kind.name} {chosen} = {made}; {test} }}"
    if operator in ("&&", "||"):
        return f"{name} = {name} {operator} ({made});" if m.chance(0.7) else f"{name} = ({made}) {operator} {name};"
    if operator == "-":
        return f"{name} -= {made};"
    if "%" in name or m.chance(0.6):
        return f"{name} {operator}= {made};"
    return f"{name} = {name} {operator} ({made});" if m.chance(0.5) else f"{name} = ({made}) {operator} {name};"


def _addend(m: Maker, place: Place, kind: Kind, operator: str) -> str:
    if operator in ("&&", "||"):
        return condition(m, place)
    made = number(m, place)
    if operator == "*" and kind.family in ("real", "signed"):
        return f"(({made}) % 3u == 1u ? -1 : 1)"
    if kind.name in ("int", "long", "long long") and operator in ("+", "-"):
        return f"({kind.name})(({made}) % 1000u)"
    return f"({kind.made_of(made)})"


def choose(m: Maker, place: Place, home: Place, most: int = 3, arrays: bool = True) -> list[Reducer]:
    """Return new or reused variables, shared from ``home`` on, for a reduction clause of a construct at ``place``."""
    found: list[Reducer] = []
    for _ in range(m.weighted((5, 0), (6, 1), (2, 2), (1, most))):
        operator = m.pick(OPERATORS)
        old = [i for i in place.visible() if _reusable(i, place, home, operator) and not _among(i, found)]
        if old and m.chance(0.3):
            found.append(Reducer(m.pick(old), operator))
        elif arrays and m.chance(0.15) and operator not in ("&&", "||", "*"):
            found.append(Reducer(_bins(m, home, operator), operator))
        else:
            kind = m.pick(KINDS_OF[operator])
            initial = INITIAL.get(operator, f"{m.number(0, 50)}u")
            found.append(Reducer(m.scalar(home, initial, kind, "s"), operator))
    return found


def _bins(m: Maker, home: Place, operator: str) -> Item:
    kind = m.pick(KINDS_OF[operator])
    return m.array(home, (m.pick((2, 3, 5, 8)),), kind, "h")


def _reusable(item: Item, place: Place, home: Place, operator: str) -> bool:
    if item.dims or item.constant or item.unordered or item not in home.items or operator in ("&&", "||"):
        return False
    return not place.foreign(item) and item.kind in KINDS_OF[operator] and place.allows(item, item.home, WRITE)


def _among(item: Item, found: list[Reducer]) -> bool:
    return any(r.item is item for r in found)


def clauses(m: Maker, reducers: list[Reducer]) -> list[Clause]:
    """Return the reduction clauses of a construct."""
    found = []
    together: dict[str, list[str]] = {}
    for reducer in reducers:
        together.setdefault(reducer.operator, []).append(_listed(m, reducer.item))
    for operator, names in together.items():
        if m.chance(0.5):
            found.append(Clause(f"reduction({operator}: {', '.join(names)})"))
        else:
            found += [Clause(f"reduction({operator}:{name})") for name in names]
    return found


def _listed(m: Maker, item: Item) -> str:
    if not item.dims:
        return item.name
    if item.storage is Storage.HEAP or m.chance(0.5):
        return f"{item.name}[{item.offset}:{item.size}]" if item.offset else f"{item.name}[:{item.size}]"
    return item.name


def reduced(place: Place, reducers: list[Reducer]) -> None:
    """Remember that a construct at ``place`` changes its reduction variables."""
    for reducer in reducers:
        reducer.item.path = reducer.item.home
        place.note(reducer.item, reducer.item.home, WRITE)
