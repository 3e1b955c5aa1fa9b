"""Paths and dates in the line tables of kernels, about which nvcc has no option.

In: the words of a command line by which clang and gcc map paths. Out: what does the same to the PTX that ptxas makes an
image of. PTX names the files of its lines by absolute paths, one ``.file`` directive for each. Where that has no date
and size, ptxas writes those of the file, so that the same text gives other bytes elsewhere. Names that belong to one
file have a hash of its path in them, which tells those of linked files apart; an image of one file has no others.
"""

from __future__ import annotations

import re
import shlex

from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.target.commands import Arguments, Finish

_OPTION = regex(r"-f(?:file|debug)-prefix-map=([^=]+)=(.*)", re.DOTALL)
_HASH = regex(rb"_INTERNAL_[0-9a-f]{8}_")
_NO_HASH = b"_INTERNAL_00000000_"
_DATED = b", 1, 1"
"""A date and a size; ptxas takes 0 for none."""
_FILE = regex(rb'^(\s*\.file\s+\d+\s+")((?:[^"\\]|\\.)*)"$', re.MULTILINE)


def path_maps(words: Arguments) -> tuple[tuple[str, str], ...]:
    """Return the prefixes of paths to replace, with what stands for them; of several that fit the first counts."""
    found = (_OPTION.fullmatch(word) for word in reversed(words))
    return tuple((match[1], match[2]) for match in found if match)


@dataclass(frozen=True)
class MappedPaths(Finish):
    """Replaces prefixes of the paths in PTX, and gives all files one date."""

    maps: tuple[tuple[str, str], ...]
    note = "The sed gives line tables a date, or ptxas takes the files', and maps paths as -ffile-prefix-map does."

    def applied(self, data: bytes) -> bytes:
        """Return the PTX with other paths."""
        return _FILE.sub(lambda found: found[1] + self._mapped(found[2]) + b'"' + _DATED, data)

    def _mapped(self, path: bytes) -> bytes:
        for old, new in self.maps:
            prefix = old.encode(errors="surrogateescape")
            if path.startswith(prefix):
                return new.encode(errors="surrogateescape") + path[len(prefix) :]
        return path

    def shell(self, quoted_path: str) -> tuple[str, ...]:
        """Return the commands that do so."""
        scripts = [f"-e {shlex.quote(_script(old, new))}" for old, new in self.maps]
        mapped = (f"sed -E -i {' '.join(scripts)} {quoted_path}",) if scripts else ()
        date = rf's/^([[:space:]]*\.file[^"]*".*")$/\1{_DATED.decode()}/'
        return (*mapped, f"sed -E -i '{date}' {quoted_path}")


@dataclass(frozen=True)
class NoHashes(Finish):
    """Replaces the hashes of paths in an image of a file that is linked with no other; ``then`` is done after it."""

    then: Finish | None
    note: str

    def applied(self, data: bytes) -> bytes:
        """Return the image without them."""
        data = _HASH.sub(_NO_HASH, data)
        return self.then.applied(data) if self.then else data

    def shell(self, quoted_path: str) -> tuple[str, ...]:
        """Return the commands that do so."""
        script = f"s/{_HASH.pattern.decode()}/{_NO_HASH.decode()}/g"
        others = self.then.shell(quoted_path) if self.then else ()
        return (f"LC_ALL=C sed -E -i '{script}' {quoted_path}", *others)


def without_hashes(then: Finish | None) -> NoHashes:
    """Return what takes the hashes out of an image, and does then what else is to be done."""
    text = "The sed takes a hash of the file's path out of names in line tables."
    return NoHashes(then, f"{text} {then.note}" if then else text)


def _script(old: str, new: str) -> str:
    """Return sed's words for a prefix; it goes on with the next line where this one has it."""
    apart = next(mark for mark in "|#,@!%~\x01" if mark not in old + new)
    return rf's{apart}^([[:space:]]*\.file[^"]*"){_escaped(old)}{apart}\1{_escaped(new)}{apart};t'


def _escaped(text: str) -> str:
    return re.sub(r"([][\\.*^$|+?(){}&])", r"\\\1", text)
