"""C functions that fill arrays of a type with numbers, and print a number that depends on all elements."""

from __future__ import annotations

SHOW = """\
static void show_{word}(const char *name, const {type} *p, long n) {{
  unsigned long long h = 7;
  for (long k = 0; k < n; k++) h = h * 31u + {worth};
  printf("%s %llu\\n", name, h);
}}
"""
FILL = """\
static void fill_{word}({type} *p, long n, unsigned seed) {{
  for (long k = 0; k < n; k++) {{
    unsigned v = (seed + (unsigned)k * 2654435761u) / 65536u;
    p[k] = {made};
  }}
}}
"""
