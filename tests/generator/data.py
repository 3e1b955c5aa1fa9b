"""Data clauses of regions, and data environments around several of them."""

from __future__ import annotations

from generator.maker import Maker
from generator.places import READ, WRITE, Access, Item, Storage, extents
from generator.regions import Region
from generator.tree import Clause, Directive, Node, block, fixed, line


def section(m: Maker, item: Item) -> str:
    """Return a list item for all of an item that regions use."""
    if not item.dims:
        return item.name
    if item.nested:
        if item.storage is not Storage.HEAP and m.chance(0.6):
            return item.name
        return f"{item.name}[0:{item.dims[0]}]"
    if item.storage is Storage.HEAP or m.chance(0.4):
        return f"{item.name}[{item.offset or m.pick(('0', ''))}:{item.size}]"
    return item.name


def _written(accesses: list[Access]) -> bool:
    return any(a.mode != READ for a in accesses)


def _whole(item: Item, accesses: list[Access]) -> bool:
    """Tell whether the first access gives each element a value."""
    first = accesses[0]
    if first.mode != WRITE or not first.certain or item.kind.family == "cell":
        return False
    return bool(item.dims) and extents(first.kept) == item.dims and all(s.dense for s in first.kept)


def _movement(m: Maker, item: Item, accesses: list[Access]) -> str:
    if not _written(accesses):
        return m.pick(("to", "to", "tofrom"))
    if not item.printed:
        return m.pick(("alloc", "tofrom"))
    return m.pick(("from", "tofrom")) if _whole(item, accesses) else "tofrom"


def clauses(m: Maker, region: Region, inside: set[Item]) -> None:
    """Give a region its data clauses; what is ``inside`` a data environment is there already."""
    moved: dict[str, list[str]] = {}
    for item, accesses in region.tracker.records.items():
        if item not in m.host.items or region.imports(item):
            continue
        if item in inside:
            if item.dims and not item.offset and m.chance(0.45):
                continue
            moved.setdefault(m.pick(("tofrom", "tofrom", "alloc", "to")), []).append(section(m, item))
        elif not _implicit(m, region, item, accesses):
            moved.setdefault(_movement(m, item, accesses), []).append(section(m, item))
    for kind, names in moved.items():
        text = f"{kind}: " if kind != "tofrom" or m.chance(0.8) else ""
        if m.chance(0.7):
            region.directive.add(f"map({text}{', '.join(names)})")
        else:
            region.directive.clauses += [Clause(f"map({text}{name})") for name in names]


def _implicit(m: Maker, region: Region, item: Item, accesses: list[Access]) -> bool:
    if item.dims:
        return item.storage is not Storage.HEAP and m.chance(0.5)
    if _written(accesses):
        return False
    loops = region.directive.name.split()[-1] in ("for", "simd", "loop", "distribute")
    if m.chance(0.2) and (loops or region.directive.name in ("target", "target teams")):
        region.directive.add(f"firstprivate({item.name})", loose=True)
        return True
    return m.chance(0.8)


def group(m: Maker, regions: list[Region]) -> list[Node]:
    """Return the statements of regions, perhaps with a data environment around them."""
    inside: set[Item] = set()
    if m.chance(0.35):
        used = [i for i in m.host.items if any(r.uses(i) for r in regions)]
        used = [i for i in used if not any(r.copies(i) for r in regions)]
        inside = {i for i in used if m.chance(0.7 if i.dims else 0.2)}
    nodes: list[Node] = []
    between: set[Item] = set()
    for region in regions:
        clauses(m, region, inside)
        nodes += _statement(m, region)
        if inside and region is not regions[-1] and m.chance(0.5):
            nodes += _between(m, inside, between)
    return _around(m, regions, inside, between, nodes) if inside else nodes


def _statement(m: Maker, region: Region) -> list[Node]:
    node = region.node
    if m.chance(0.04):
        region.directive.add("nowait", loose=True)
        return [*region.before, node, fixed("#pragma omp taskwait")]
    if region.repeats > 1:
        counter = m.name("again")
        body = [*region.before, node]
        return [block(f"for (int {counter} = 0; {counter} < {region.repeats}; {counter}++)", body)]
    return [*region.before, node]


def _between(m: Maker, inside: set[Item], between: set[Item]) -> list[Node]:
    """Return statements that show and change an item between two regions, and add it to ``between``."""
    chosen = [i for i in m.host.items if i in inside and i.dims and not i.unordered and i.printed]
    if not chosen:
        return []
    item = m.pick(chosen)
    between.add(item)
    whole = section(m, item)
    first = f"(({item.kind.name} *){item.name})" if item.nested else item.name
    start, stop = item.offset, item.offset + item.size
    made = item.kind.made_of(f"{item.kind.read(f'{first}[k]')} * 3u + (unsigned)k")
    return [
        fixed(f"#pragma omp target update from({whole})"),
        line(f'show_{item.kind.word}("{item.name} between", {first} + {start}, {item.size});'),
        line(f"for (int k = {start}; k < {stop}; k++) {first}[k] = {made};"),
        fixed(f"#pragma omp target update to({whole})"),
    ]


def _around(m: Maker, regions: list[Region], inside: set[Item], between: set[Item], nodes: list[Node]) -> list[Node]:
    moved: dict[str, list[str]] = {}
    for item in m.host.items:
        if item in inside:
            accesses = [a for r in regions for a in r.tracker.records.get(item, [])]
            movement = "tofrom" if item in between else _movement(m, item, accesses)
            moved.setdefault(movement, []).append(section(m, item))
    listed = [(kind, ", ".join(names)) for kind, names in moved.items()]
    if m.chance(0.65):
        directive = Directive("target data", [Clause(f"map({kind}: {names})") for kind, names in listed])
        return [block("", nodes, directive)]
    enter = {"tofrom": "to", "from": "alloc"}
    leave = {"to": "release", "tofrom": "from", "alloc": "release"}
    begin = Directive("target enter data", [Clause(f"map({enter.get(k, k)}: {names})") for k, names in listed])
    end = Directive("target exit data", [Clause(f"map({leave.get(k, k)}: {names})") for k, names in listed])
    return [fixed("", begin), *nodes, fixed("", end)]
