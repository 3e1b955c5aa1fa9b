"""The types of the generated variables: how a value is made for them, and how they are read into an unsigned number."""

from __future__ import annotations

from dataclasses import dataclass

from random_programs.arrays import FILL, SHOW


@dataclass(frozen=True)
class Kind:
    """A type; ``family`` is ``small`` (arithmetic on it wraps), ``signed``, ``unsigned``, ``real`` or ``cell``."""

    name: str
    family: str

    def made_of(self, number: str) -> str:
        """Return an expression of this type from an unsigned expression; small enough that sums stay exact."""
        if self.family == "cell":
            return f"cell_of({number})"
        if self.family == "real":
            return f"({self.name})(({number}) % 64u) * 0.5f"
        if self.family == "signed":
            return f"({self.name})(({number}) % 2000u) - 700"
        if self.name == "unsigned long long":
            return f"({self.name})({number}) * 4294967311ull"
        return f"({self.name})({number})"

    def read(self, expression: str, choice: int = 0) -> str:
        """Return an unsigned expression of a value of this type."""
        if self.family == "cell":
            return (f"(unsigned){expression}.a", f"(unsigned)(int){expression}.b", f"(unsigned){expression}.c[1]")[
                choice
            ]
        if self.family == "real":
            return f"(unsigned)(int){expression}"
        return f"(unsigned){expression}"

    @property
    def word(self) -> str:
        """The type as part of a name."""
        return self.name.replace(" ", "_")


def _kinds(family: str, *names: str) -> tuple[Kind, ...]:
    return tuple(Kind(name, family) for name in names)


SMALL = _kinds("small", "signed char", "unsigned char", "short", "unsigned short")
SIGNED = _kinds("signed", "int", "int", "long", "long long")
UNSIGNED = _kinds("unsigned", "unsigned", "unsigned", "unsigned long", "unsigned long long")
REAL = _kinds("real", "float", "double", "double")
CELL = Kind("cell", "cell")
NUMBERS = SMALL + SIGNED * 2 + UNSIGNED + REAL * 2
KINDS = (*NUMBERS, *NUMBERS, CELL)
INT = Kind("int", "signed")

PRELUDE = """\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#define API(x) ((x) != 0)
#else
#define API(x) 1
#endif

typedef struct {
  int a;
  double b;
  short c[2];
} cell;

static cell cell_of(unsigned v) {
  cell r;
  r.a = (int)(v % 5000u);
  r.b = (v % 32u) * 0.25;
  r.c[0] = (short)v;
  r.c[1] = (short)(v / 7u);
  return r;
}

static unsigned long long worth_of(cell v) {
  return (unsigned long long)(v.a + v.c[0] * 3 + v.c[1]) + (unsigned)(v.b * 4);
}
"""

# Where the order of the elements depends on the order of threads.
COUNT = """\
static void count_{word}(const char *name, const {type} *p, long n) {{
  unsigned long long h = 7;
  for (long k = 0; k < n; k++) h += {worth} * 2654435761u;
  printf("%s %llu\\n", name, h);
}}
"""


def helpers(kinds: set[Kind]) -> str:
    """Return the host functions that fill and print arrays of these types."""
    parts = []
    for kind in sorted(kinds, key=lambda k: k.word):
        whole = "(unsigned long long)(long long)(p[k] * 2)" if kind.family == "real" else "(unsigned long long)p[k]"
        worth = "worth_of(p[k])" if kind.family == "cell" else whole
        made = kind.made_of("v")
        parts += [t.format(word=kind.word, type=kind.name, worth=worth, made=made) for t in (SHOW, COUNT, FILL)]
    return "\n".join(parts)
