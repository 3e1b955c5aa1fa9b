"""Reductions of all operators and types: variables, arrays, sections, and what a program declares itself."""

from __future__ import annotations

from loop_generator.arrays import Scope
from loop_generator.kinds import KINDS, Kind, Maker
from loop_generator.settings import Region

_EXACT = 3000
"""Iterations up to which sums of floats are exact."""

_OPERATORS = {
    "+": ("small", "signed", "unsigned", "real"), "-": ("signed", "unsigned"), "*": ("unsigned",),
    "min": ("small", "signed", "unsigned", "real"), "max": ("small", "signed", "unsigned", "real"),
    "&": ("small", "signed", "unsigned"), "|": ("small", "signed", "unsigned"), "^": ("small", "signed", "unsigned"),
    "&&": ("signed", "truth"), "||": ("signed", "truth"),
}  # fmt: skip


def reduction(m: Maker, region: Region, scope: Scope) -> list[str]:
    """Return statements that reduce, with their variables and clauses around the region."""
    lines: list[str] = []
    for _ in range(m.pick((1, 1, 1, 2, 3, 5))):
        operator = m.pick(tuple(_OPERATORS))
        exact = [k for k in KINDS if k.name != "float" or region.extent <= _EXACT]
        kind = m.pick([k for k in exact if k.family in _OPERATORS[operator]])
        lines += (
            _reduced_array(m, region, scope, kind, operator)
            if m.chance(0.2)
            else _reduced(m, region, scope, kind, operator)
        )
    if m.chance(0.1):
        lines += _own_sum(m, region, scope)
    return lines


def _start(operator: str, m: Maker, kind: Kind) -> str:
    if kind.family == "truth" or operator in ("&&", "||"):
        return "1" if operator == "&&" else "0"
    return {"*": "3", "&": "-1" if kind.family != "unsigned" else "4294967295u", "min": "99"}.get(
        operator, str(m.number(0, 50))
    )


def _reduced(m: Maker, region: Region, scope: Scope, kind: Kind, operator: str) -> list[str]:
    name = m.name("s")
    region.before.append(f"{m.type_name(kind)} {name} = ({m.type_name(kind)}){_start(operator, m, kind)};")
    region.clauses.append(f"reduction({operator}: {name})")
    cast = "(double)" if kind.family == "real" else "(long long)"
    show = f'printf("{name} {"%.2f" if kind.family == "real" else "%lld"}\\n", {cast}{name});'
    region.after.append(show)
    return [_combined(m, scope, kind, operator, name)]


def _reduced_array(m: Maker, region: Region, scope: Scope, kind: Kind, operator: str) -> list[str]:
    if operator in ("&&", "||", "*", "min", "max"):
        operator = "+"
        kind = m.pick([k for k in KINDS if k.family == "unsigned"])
    name, size = m.name("h"), m.pick((2, 3, 5, 8, 40))
    region.before += [f"{m.type_name(kind)} {name}[{size}];", f"fill_{kind.word}({name}, {size}, {m.number(0, 99)}u);"]
    region.clauses.append(f"reduction({operator}: {m.pick((name, f'{name}[0:{size}]', f'{name}[:{size}]'))})")
    region.after.append(f'show_{kind.word}("{name}", {name}, {size});')
    return [_combined(m, scope, kind, operator, f"{name}[{scope.number(1)} % {size}u]")]


def _combined(m: Maker, scope: Scope, kind: Kind, operator: str, target: str) -> str:
    value = scope.number()
    if operator in ("&&", "||"):
        return f"{target} = {target} {operator} {'!' if operator == '&&' else ''}({value} % 97u == 3u);"
    made = kind.made_of(value)
    if kind.family == "signed" and operator in "+-":
        made = f"({kind.name})(({value}) % 1000u)"
    if operator in ("min", "max"):
        name = m.name("x")
        sign = "<" if operator == "min" else ">"
        spelled = m.type_name(kind)
        if m.chance(0.5):
            return f"{{ {spelled} {name} = {made}; {target} = {name} {sign} {target} ? {name} : {target}; }}"
        return f"{{ {spelled} {name} = {made}; if ({name} {sign} {target}) {target} = {name}; }}"
    if operator == "*":
        made = f"({made} | 1u)"
    if operator == "&":
        made = f"({made} | {m.pick(('3', '64', '0x3f'))})"
    return f"{target} {operator}= {made};" if m.chance(0.7) else (f"{target} = {target} {operator} ({made});")


def _own_sum(m: Maker, region: Region, scope: Scope) -> list[str]:
    """A reduction that the program declares."""
    name = m.name("w")
    region.before.append(f"struct both {name} = {{{m.number(0, 9)}u, 0.5}};")
    region.clauses.append(f"reduction(join: {name})")
    region.after.append(f'printf("{name} %u %.2f\\n", {name}.a, {name}.b);')
    return [f"{name}.a ^= {scope.number()};", f"{name}.b += (double)({scope.number()} % 64u);"]
