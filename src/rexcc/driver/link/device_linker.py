"""Links device code of several files with a target's library, as a command of its own (``toolchain.LINKER``).

``TARGET LIBRARY OPTION… INPUT… -o OUTPUT``: the options and how the library is called are the target's
(``ToolChain.link_plan`` and ``link``), but for ``--keep=KEY``, by which the whole image is kept (``kept_links``). Where
it links in pieces, several processes make these. The user's cache keeps what was made, for links of the same code. It
prints what that has told, and what is wrong as ``error: …``.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

from rexcc.driver.caches import piece_cache
from rexcc.driver.commands.processors import usable_cpus
from rexcc.source.digests import sha256
from rexcc.source.records import dataclass
from rexcc.target.commands import LinkError, LinkPlan, Piece
from rexcc.target.known import TARGETS
from rexcc.target.tools import ToolChain

_Linked = tuple[bytes, str]
"""What a library has made, and what it has told."""


def _packed(made: _Linked) -> bytes:
    """Return both as the cache keeps them: what was told ends with a null byte."""
    return made[1].encode() + b"\0" + made[0]


def _unpacked(kept: bytes) -> _Linked:
    told, _, image = kept.partition(b"\0")
    return image, told.decode()


@dataclass(frozen=True, eq=False)
class _Linker:
    """A target's library, by its path, with the inputs of a link, names with contents."""

    tools: ToolChain
    library: str
    inputs: tuple[tuple[str, bytes], ...]

    def link(self, options: Sequence[str], inputs: Sequence[tuple[str, bytes]]) -> _Linked:
        """Return what the library makes of inputs. Raises LinkError, and OSError without the library."""
        return self.tools.link(ctypes.CDLL(self.library), options, inputs)

    def image(self, plan: LinkPlan) -> _Linked:
        """Return the image of all inputs: in pieces where a plan has some. A library that cannot do that, as one of an
        older version, links all at once. Raises LinkError."""
        if plan.pieces:
            try:
                made = self._pieces(plan.for_pieces, plan.pieces)
                image, last = self.link(plan.options, [(f"piece {n}", data) for n, (data, _) in enumerate(made)])
                return image, "\n".join(filter(None, (*(told for _, told in made), last)))
            except LinkError as problem:
                print(f"note: device code is linked at once, which takes longer: {problem}", file=sys.stderr)
        return self._pieces(plan.for_pieces, (Piece((), tuple(range(len(self.inputs)))),))[0]

    def piece(self, options: Sequence[str], piece: Piece) -> _Linked:
        """Return a piece. Raises LinkError."""
        return self.link((*options, *piece.options), [self.inputs[n] for n in piece.inputs])

    def _pieces(self, options: Sequence[str], pieces: Sequence[Piece]) -> list[_Linked]:
        """Return pieces, from the cache or made now; an image of one file is not for other links."""
        if len(self.inputs) == 1:
            return [self.piece(options, piece) for piece in pieces]
        state = Path(self.library).stat()
        head = (self.library, str(state.st_size), str(state.st_mtime_ns), *options)
        digests = [sha256(data).hexdigest() for _, data in self.inputs]
        keys = [piece_cache.key_of((*head, *p.options, *(digests[n] for n in p.inputs))) for p in pieces]
        found = [None if data is None else _unpacked(data) for data in piece_cache.kept(keys)]
        missing = [n for n, data in enumerate(found) if data is None]
        new = iter(self._made(options, [(keys[n], pieces[n]) for n in missing]))
        return [data if data is not None else next(new) for data in found]

    def _made(self, options: Sequence[str], pieces: Sequence[tuple[str, Piece]]) -> list[_Linked]:
        processes = min(usable_cpus(), len(pieces))
        if processes < 2:
            made = [self.kept_piece(options, *piece) for piece in pieces]
        else:
            context = importlib.import_module("multiprocessing").get_context("fork")
            with context.Pool(processes, _share, (self, options)) as pool:
                made = pool.map(_made_there, pieces, 1)
        if pieces:
            piece_cache.remove_old()
        return list(made)

    def kept_piece(self, options: Sequence[str], key: str, piece: Piece) -> _Linked:
        """Return a piece, and keep it by its key. Raises LinkError."""
        made = self.piece(options, piece)
        piece_cache.keep(key, _packed(made))
        return made


_shared: list[tuple[_Linker, Sequence[str]]] = []
"""What a process that makes pieces works with."""


def _share(linker: _Linker, options: Sequence[str]) -> None:
    _shared.append((linker, options))


def _made_there(piece: tuple[str, Piece]) -> _Linked:
    linker, options = _shared[-1]
    return linker.kept_piece(options, *piece)


def main(arguments: Sequence[str]) -> int:
    """Link as the command line says; return the exit status."""
    name, library, *words, _, output = arguments
    tools = next(target.tools for target in TARGETS if target.name == name)
    keys = [word.removeprefix(piece_cache.KEEP) for word in words if word.startswith(piece_cache.KEEP)]
    options = [word for word in words if word.startswith("-") and not word.startswith(piece_cache.KEEP)]
    inputs = [Path(word) for word in words if not word.startswith("-")]
    try:
        linker = _Linker(tools, library, tuple((str(path), path.read_bytes()) for path in inputs))
        image, told = linker.image(tools.link_plan(options))
        Path(output).write_bytes(image)
        for key in keys if not told else ():
            piece_cache.keep(key, image)
        if told:
            print(told)
    except (LinkError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0
