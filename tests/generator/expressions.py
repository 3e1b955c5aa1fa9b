"""Expressions: unsigned numbers made of what a place may read, conditions, and the functions that expressions call."""

from __future__ import annotations

from generator.kinds import Kind
from generator.maker import Maker
from generator.places import READ, Item, Place, extents

PURE = """\
static unsigned {name}(unsigned a, unsigned b) {{
  unsigned r = a * {k}u + {c}u;
  for (unsigned i = 0; i < b % {n}u; i++) r = r * 5u + (r >> 7) + i;
  return r;
}}
"""

RECURSIVE = """\
static unsigned {name}(unsigned a, unsigned b) {{
  if (b % {n}u == 0) return a + {c}u;
  return {name}(a * {k}u + b, b % {n}u - 1u) ^ a;
}}
"""

BY_STRUCT = """\
static cell {name}_cell(cell v, unsigned by) {{
  v.a += (int)(by % 100u);
  v.c[1] = (short)(v.c[0] + {c});
  return v;
}}

static unsigned {name}(unsigned a, unsigned b) {{
  cell v = {name}_cell(cell_of(a), b % {k}u);
  return (unsigned)v.a + (unsigned)(int)(v.b * 4) + (unsigned)v.c[1];
}}
"""

THROUGH_POINTER = """\
static void {name}_at(unsigned *p, const unsigned *q) {{
  *p = *p * {k}u + q[1];
  p[1] ^= *q + {c}u;
}}

static unsigned {name}(unsigned a, unsigned b) {{
  unsigned at[2] = {{a, b}}, by[2] = {{b % {n}u, {c}u}};
  {name}_at(at, by);
  return at[0] + at[1];
}}
"""

TABLE = """\
#pragma omp declare target
static {constant}unsigned {name}_at[4] = {{{k}u, {c}u, {n}u, 77u}};

static unsigned {name}(unsigned a, unsigned b) {{ return {name}_at[a % 4u] * b + {name}_at[b % {n}u % 4u]; }}
#pragma omp end declare target
"""

TEMPLATE = """\
template <typename T, int N> static T {name}_of(T a, const T &b) {{
  T r = a;
  for (int i = 0; i < N; i++) r = r * {k}u + b;
  return r;
}}

static unsigned {name}(unsigned a, unsigned b) {{
  auto twice = [a](unsigned v) {{ return v * 2u + a; }};
  return {name}_of<unsigned, {n}>(twice(b), a % {c}u);
}}
"""

CLASS = """\
class {name}_sum {{
  unsigned total = {c}u;

public:
  {name}_sum &operator+=(unsigned v) {{
    total = total * {k}u + v;
    return *this;
  }}
  unsigned value() const {{ return total; }}
}};

static unsigned {name}(unsigned a, unsigned b) {{
  {name}_sum sum;
  sum += a;
  sum += b;
  return sum.value();
}}
"""

OPERATORS = ("+", "+", "*", "-", "^", "|", "&")


def number(m: Maker, place: Place, depth: int = 2) -> str:
    """Return an unsigned expression whose value is the same for every number of teams and threads."""
    if depth <= 0 or m.chance(0.2):
        return _leaf(m, place)
    shape = m.number(0, 9)
    one = number(m, place, depth - 1)
    if shape == 0:
        return f"({one} >> {m.number(1, 9)})"
    if shape == 1:
        return f"({one} % {m.number(2, 60)}u)"
    other = number(m, place, depth - 1)
    if shape == 2:
        return f"({one} < {other} ? {_leaf(m, place)} : {other})"
    if shape == 3:
        return f"{_function(m)}({one}, {other})"
    return f"({one} {m.pick(OPERATORS)} {other})"


def value(m: Maker, place: Place, kind: Kind, depth: int = 2) -> str:
    """Return an expression for an assignment to a variable of this type."""
    return kind.made_of(number(m, place, depth))


def condition(m: Maker, place: Place) -> str:
    """Return a condition that is true now and then."""
    period = m.number(2, 7)
    return f"{number(m, place, 1)} % {period}u {m.pick(('==', '!=', '<'))} {m.number(0, period - 1)}u"


def _leaf(m: Maker, place: Place) -> str:
    shape = m.number(0, 9)
    slots = [s for s in place.slots if s.index and s.extent > 1]
    items = [i for i in place.visible() if place.readable(i)] if shape < 5 else []
    if items:
        return element(m, place, m.pick(items))
    if slots and shape < 8:
        return f"(unsigned)({m.pick(slots).index})"
    if shape == 9 and not place.pure and m.chance(0.5):
        return f"(unsigned){api(m, place)}"
    return f"{m.number(0, 99)}u"


def element(m: Maker, place: Place, item: Item) -> str:
    """Return an unsigned expression of an element that the place may read, and remember the access."""
    kept = place.kept(item)
    place.note(item, kept, READ)
    indices = [s.index for s in kept[len(item.home) :] if s.extent > 1]
    for extent in item.dims[len(extents(kept[len(item.home) :])) :]:
        indices.append(any_index(m, place, extent))
    return item.kind.read(item.element(indices), m.number(0, 2))


def any_index(m: Maker, place: Place, extent: int) -> str:
    """Return an index below ``extent``."""
    slots = [s for s in place.slots if s.index and s.extent > 1]
    if not slots or m.chance(0.1):
        return str(m.number(0, extent - 1))
    slot = m.pick(slots)
    if slot.extent <= extent and m.chance(0.3):
        return slot.index
    return f"((unsigned)({slot.index}) * {m.number(1, 7)}u + {m.number(0, 9)}u) % {extent}u"


def api(m: Maker, place: Place) -> str:
    """Return something true about the device routines; without OpenMP it is 1."""
    level = place.nesting
    if place.strict:
        return "API(omp_get_team_num() < omp_get_num_teams())"
    facts = [
        "omp_get_team_num() < omp_get_num_teams()",
        "omp_get_thread_num() < omp_get_num_threads()",
        "omp_get_thread_num() >= 0",
        f"omp_get_level() == {level}",
        "omp_get_active_level() <= omp_get_level()",
        "omp_get_team_size(omp_get_level()) == omp_get_num_threads()",
        "omp_get_ancestor_thread_num(omp_get_level()) == omp_get_thread_num()",
        "omp_get_ancestor_thread_num(0) == 0",
        "omp_get_team_size(0) == 1",
        "omp_get_num_devices() >= 0",
        "omp_get_max_threads() >= 1",
        "omp_get_thread_limit() >= omp_get_num_threads()",
    ]
    if level == 0:
        facts += ["omp_get_num_threads() == 1", "omp_get_thread_num() == 0", "!omp_in_parallel()"]
    if place.threads is not None:
        facts.append(f"omp_get_num_threads() <= {place.threads}")
    return f"API({m.pick(facts)})"


def _function(m: Maker) -> str:
    if m.pure and m.chance(0.6):
        return m.pick(m.pure)
    shapes = [PURE, PURE, RECURSIVE, BY_STRUCT, THROUGH_POINTER, TABLE]
    shape = m.pick(shapes + [TEMPLATE, CLASS] * 2 if m.cpp else shapes)
    name = f"{m.prefix}_{m.name('f')}"
    m.pure.append(name)
    constant = m.pick(("const ", ""))
    numbers = {"k": m.number(2, 9), "c": m.number(2, 99), "n": m.number(2, 6)}
    m.helpers.append(shape.format(name=name, constant=constant, **numbers))
    return name
