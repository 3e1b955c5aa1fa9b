"""Types of elements and indices, random choices, and the functions that fill and print arrays."""

from __future__ import annotations

from dataclasses import dataclass

from random_programs.arrays import FILL, SHOW
from random_programs.choices import Choices


@dataclass(frozen=True)
class Kind:
    """A type of elements; ``family``: ``small`` (arithmetic on it never overflows), ``signed``, ``unsigned``, ``real``,
    ``truth``."""

    name: str
    family: str

    def made_of(self, number: str) -> str:
        """Return an expression of this type from an unsigned expression; of reals, one that sums exactly."""
        if self.family == "real":
            return f"({self.name})(({number}) % 4096u) * 0.25f"
        if self.family == "truth":
            return f"({number}) % 3u == 0"
        return f"({self.name})({number})"

    def read(self, expression: str) -> str:
        """Return an unsigned expression of a value of this type."""
        return f"(unsigned)(int)({expression})" if self.family == "real" else f"(unsigned)({expression})"

    @property
    def word(self) -> str:
        """The type as part of a name."""
        return self.name.replace(" ", "_")


KINDS = (
    *(Kind(n, "small") for n in ("signed char", "unsigned char", "short", "unsigned short", "char")),
    *(Kind(n, "signed") for n in ("int", "int", "int", "long", "long long")),
    *(Kind(n, "unsigned") for n in ("unsigned", "unsigned", "unsigned long", "unsigned long long")),
    *(Kind(n, "real") for n in ("float", "float", "double", "double")),
    Kind("_Bool", "truth"),
)
INDICES = {
    "signed char": (-128, 127),
    "char": (-128, 127),
    "unsigned char": (0, 255),
    "short": (-32768, 32767),
    "unsigned short": (0, 65535),
    "int": (-(1 << 31), (1 << 31) - 1),
    "unsigned": (0, (1 << 32) - 1),
    "long": (-(1 << 63), (1 << 63) - 1),
    "unsigned long": (0, (1 << 64) - 1),
    "long long": (-(1 << 63), (1 << 63) - 1),
    "unsigned long long": (0, (1 << 64) - 1),
}
"""Types of indices with their first and last values."""

LIKELY = ("int",) * 8 + ("long", "unsigned", "unsigned long", *INDICES)


def literal(value: int, name: str) -> str:
    """Return a number as a literal that is as wide as a type."""
    low, high = INDICES[name]
    suffix = "" if high < 1 << 31 else "u" if high < 1 << 32 else "l" if low else "ul"
    if value == -(1 << 31) or value == -(1 << 63):
        return f"({value + 1}{suffix} - 1)"
    return f"{value}{suffix}"


class Maker(Choices):
    """The random choices of one program; ``before`` are the functions that it calls."""

    def __init__(self, seed: str, prefix: str, language: str, has_globals: bool) -> None:
        super().__init__(seed, prefix, language)
        self.has_globals = has_globals
        self.before: list[str] = []

    def type_name(self, kind: Kind) -> str:
        """Return a type's name in the program's language."""
        return kind.name.replace("_Bool", "bool") if self.cpp else kind.name


PRELUDE = """\
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#define _Bool bool
#endif

struct rec {
  int a;
  double b;
  short c[3];
  unsigned bits : 7, more : 9;
};
struct cfg {
  int n, k;
  unsigned table[4];
  double half;
};

struct both {
  unsigned a;
  double b;
};
#pragma omp declare reduction(join : struct both : omp_out.a ^= omp_in.a, omp_out.b += omp_in.b) \
    initializer(omp_priv = {0u, 0.0})

#pragma omp declare target
static unsigned mixed(unsigned a, unsigned b) { return a * 31u + (b ^ (a >> 7)); }
static void put_unsigned(unsigned *p, long k, unsigned v) { p[k] = v; }
static void add_double(double *p, long k, unsigned v) { p[k] += (double)(v % 64u) * 0.25; }
#pragma omp end declare target

static unsigned worth_of_rec(const struct rec *r) {
  return (unsigned)r->a + (unsigned)(int)(r->b * 4) * 3u + (unsigned)r->c[0] * 5u + (unsigned)r->c[1] * 7u +
         (unsigned)r->c[2] * 11u + r->bits * 13u + r->more * 17u;
}
static void fill_rec(struct rec *p, long n, unsigned seed) {
  memset(p, 0, sizeof *p * (size_t)n);
  for (long k = 0; k < n; k++) {
    p[k].a = (int)((seed + (unsigned)k) % 900u), p[k].b = (double)(k % 16), p[k].c[1] = (short)k;
  }
}
static void show_rec(const char *name, const struct rec *p, long n) {
  unsigned long long h = 7;
  for (long k = 0; k < n; k++) h = h * 31u + worth_of_rec(p + k);
  printf("%s %llu\\n", name, h);
}
"""
# Kernels of a unit with variables of its own on the device are not queued.
GLOBALS = """\
#pragma omp declare target
static unsigned shared_words[4] = {3u, 5u, 7u, 11u};
static int shared_count = 6;
static unsigned of_words(unsigned k) { return shared_words[k % 4u] + (unsigned)shared_count; }
#pragma omp end declare target
"""


def helpers(has_globals: bool) -> str:
    """Return what all units begin with: types, device functions, and how arrays of all types are filled and printed."""
    parts = []
    for word, kind in sorted({kind.word: kind for kind in KINDS}.items()):
        worth = f"(unsigned long long)(long long)(p[k]{' * 8' if kind.family == 'real' else ''})"
        parts.append(SHOW.format(word=word, type=kind.name, worth=worth))
        parts[-1] += FILL.format(word=word, type=kind.name, made=kind.made_of("v"))
    return PRELUDE + (GLOBALS if has_globals else "") + "\n".join(parts)
