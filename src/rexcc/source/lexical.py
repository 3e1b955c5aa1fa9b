"""Regular expressions of what is no code in C and C++: comments, literals, lines of the preprocessor.

Out: texts of patterns, of which the stages that look at the user's text make theirs. They are for whole tokens from
left to right, so that a quotation mark in a comment begins no literal. A comment matches in one way only: no pattern
finds what it looks for in the rest of one. ``DIRECTIVE`` asks for ``re.MULTILINE``.
"""

from __future__ import annotations

SPLICE = r"\\[ \t]*\r?\n"
"""The end of a line that goes on; GNU's compilers allow blanks in front of it."""
LINE_COMMENT = rf"//(?:{SPLICE}|[^\n\\]|\\(?![ \t]*\r?\n))*(?![^\n])"
BLOCK_COMMENT = r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
COMMENT = rf"{LINE_COMMENT}|{BLOCK_COMMENT}"
BLANK = rf"(?:\s|{SPLICE}|{COMMENT})*"
"""Whatever may stand between two tokens."""

STRING = r"\"(?:\\[\s\S]|[^\"\\\n])*\""
CHARACTER = r"(?<![0-9A-Fa-f])'(?:\\[\s\S]|[^'\\\n])+'"
"""A character; no part of a number with separators, as in ``1'000``."""
LITERAL = rf"{STRING}|{CHARACTER}"
RAW_STRING = r"\b(?:L|u8|u|U)?R\"(?P<delimiter>[^()\\\s]{0,16})\([\s\S]*?\)(?P=delimiter)\""
"""A raw string of C++; it has to be tried in front of ``STRING``, and once in a pattern."""

DIRECTIVE = rf"^[ \t]*(?:\#|%:)(?:{SPLICE}|[^\n])*"
"""A line of the preprocessor with those that continue it."""

BRACKET = r"<:(?!:(?![:>]))|<:(?=:[^][<>:;]*:>)"
"""The digraph of an opening bracket. ``<::`` is ``<`` and ``::`` in C++ (ISO C++, [lex.pptoken]) but where an array
section of C ends, as in ``a<::n:>``: no bracket would open what ``:>`` closes there in C++."""
