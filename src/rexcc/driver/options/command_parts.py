"""The parts that a command line is made of: inputs, flags by the commands that they are for, dependency rules, and how
far to go.

In: words of the user's. Out: records, of which :class:`~rexcc.driver.options.command_line.Options` is made.
"""

from __future__ import annotations

from enum import Enum, Flag, IntEnum, auto

from rexcc.driver.options.languages import STANDARD_INPUT, Language, is_preprocessed
from rexcc.source.records import dataclass
from rexcc.target.commands import Given


class UsageError(Exception):
    """The command line makes no sense; the text is one line for the user."""


class Mode(IntEnum):
    """How far to go. Of several modes on a line the smallest wins, as with gcc and clang."""

    QUERY = 0
    DEPENDENCIES = 1
    PREPROCESS = 2
    INSPECT = 3
    EMIT_SOURCES = 4
    REPORT = 5
    SYNTAX = 6
    ASSEMBLY = 7
    OBJECT = 8
    LINK = 9


class Level(Enum):
    """What the command line makes of one warning; it goes before ``-Werror`` for all."""

    OFF = "-Wno-CODE"
    WARNING = "-Wno-error=CODE"
    ERROR = "-Werror=CODE"
    AS_OTHERS = "-WCODE"


class To(Flag):
    """Which commands an option is for.

    HOST compiles the user's (rewritten) files; CLANG is HOST if that is clang; PARSE is libclang; CPU makes the CPU
    device's image; ABI is for whatever we compile ourselves (target, sysroot, C++ library); LINK is the linker. RAW is
    the host compiler where it gets the whole line (``-E``, ``-print-…``): everything but rexcc's own options.
    """

    NOTHING = 0
    HOST = auto()
    CLANG = auto()
    PARSE = auto()
    CPU = auto()
    ABI = auto()
    LINK = auto()
    RAW = auto()
    CODE = HOST | PARSE | CPU | RAW


@dataclass(frozen=True)
class Input:
    """A file named on the command line; ``index`` counts inputs from 0, ``forced`` is the ``-x`` in force.

    ``data`` is what came on standard input, for the source that is read from there once its text is needed.
    """

    path: str
    language: Language
    index: int
    forced: str | None = None
    data: bytes | None = None

    @property
    def name(self) -> str:
        """The path, or what compilers call standard input in messages."""
        return "<stdin>" if self.path == STANDARD_INPUT else self.path

    @property
    def is_preprocessed(self) -> bool:
        """Whether a preprocessor has written the file."""
        return is_preprocessed(self.path, self.forced)


@dataclass(frozen=True)
class Dependencies:
    """The ``-M`` options: ``kind`` is ``-M`` (all headers) or ``-MM`` (no system headers), None when none is asked for.

    ``rules`` are passed on as they are: ``-MT x``, ``-MQ x``, ``-MP``, ``-MG`` in one flat tuple.
    """

    kind: str | None = None
    file: str | None = None
    rules: tuple[str, ...] = ()

    @property
    def has_target(self) -> bool:
        """Whether the user named the target of the rule."""
        return any(rule in ("-MT", "-MQ") for rule in self.rules)


@dataclass(frozen=True)
class Flags:
    """Options by the commands that they are for (see :class:`To`), in the order given.

    ``given`` are all of them, for the compilers of device code, which have spellings of their own.
    """

    host: tuple[str, ...] = ()
    clang: tuple[str, ...] = ()
    parse: tuple[str, ...] = ()
    cpu: tuple[str, ...] = ()
    abi: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    given: tuple[Given, ...] = ()

    def plus(self, to: To, spelled: tuple[str, ...]) -> Flags:
        """Return flags with one option more."""

        def extended(old: tuple[str, ...], where: To) -> tuple[str, ...]:
            return old + spelled if where in to else old

        return Flags(
            extended(self.host, To.HOST),
            extended(self.clang, To.CLANG),
            extended(self.parse, To.PARSE),
            extended(self.cpu, To.CPU),
            extended(self.abi, To.ABI),
            extended(self.raw, To.RAW),
            self.given,
        )
