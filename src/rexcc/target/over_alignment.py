"""How the CPU device moves objects whose types ask for more alignment than its memory has.

In: the text of a device file, and the words of its compiler. Out: the words by which nothing depends on it, or none;
they are tried first, for assemblers before binutils 2.38 do not know them, and their code takes such objects for
aligned ones.

libomptarget's host plugin takes memory from ``malloc``, which aligns to 16 bytes, so a mapped object of ``alignas(32)``
may lie beside its alignment. With AVX, compilers move such an object by instructions that stop the
program there. GNU's assembler encodes these as those that ask for no alignment, which take the same time; no other
instruction of AVX asks for any.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from rexcc.source.patterns import regex
from rexcc.target.commands import Arguments

_OF_MEMORY = 16
"""The alignment of what the plugin allocates."""
_ASKING = regex(r"\b(?:alignas|_Alignas|(?:__)?aligned(?:__)?|(?:__)?vector_size(?:__)?)\b(?:\s*\(\s*(\d+)\s*\))?")
"""What asks for an alignment, with its number where that is written."""
_WITH_AVX = ("-march=", "-mavx", "-mfma", "-mf16c")
_PROCESSORS = ("x86_64", "amd64")
_MOVES = "-Wa,-muse-unaligned-vector-move"
_WORDS: dict[str, Arguments] = {"gcc": (_MOVES,), "clang": ("-fno-integrated-as", _MOVES)}


def without_alignment(text: str, words: Iterable[str], family: str) -> Arguments:
    """Return the words for the host compiler of a ``family``, where device code may have such types."""
    if os.uname().machine.lower() not in _PROCESSORS or not any(word.startswith(_WITH_AVX) for word in words):
        return ()
    return _WORDS.get(family, ()) if _may_ask(text) else ()


def _may_ask(text: str) -> bool:
    """Whether a text may have a type of more alignment than the memory's: a number that is not written may be any."""
    return any(match[1] is None or int(match[1]) > _OF_MEMORY for match in _ASKING.finditer(text))
