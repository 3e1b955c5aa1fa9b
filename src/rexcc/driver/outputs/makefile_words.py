"""Words of a makefile: what make and the shell take for one word.

In: words of commands, and paths. Out: text for recipes and for values of variables.
"""

from __future__ import annotations

import re
import shlex

from rexcc.driver.options.command_parts import UsageError
from rexcc.source.patterns import regex

_PLAIN = regex(r"(?![-@])[A-Za-z0-9_./+@,-]+")


def user_rule(target: str, source: str, command: str, rest: str) -> str:
    """Return the rule for a file of the user's; one whose name make cannot write is always compiled."""
    if _PLAIN.fullmatch(source):
        return f"{target}: {source}\n\t{command} $< {rest}"
    return f".PHONY: {target}\n{target}:\n\t{command} {in_recipe(as_path(source))} {rest}"


def as_path(path: str) -> str:
    """Return a path that no command takes for an option."""
    return f"./{path}" if path.startswith(("-", "@")) else path


def in_recipe(word: str) -> str:
    """Return a word for the shell as it stands in a recipe."""
    if "\n" in word:
        raise UsageError(f"a makefile cannot give {word!r} to a command: it has a line break")
    return shlex.quote(word).replace("$", "$$")


def in_variable(word: str) -> str:
    """Return a word for the shell as it stands in the value of a variable, where make knows comments."""
    return re.sub(r"(\\*)#", r"\1\1\\#", in_recipe(word))
