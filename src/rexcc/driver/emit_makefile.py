"""The makefile of ``--emit=src``.

In: options, toolchain and translated units. Out: the text of a makefile that a person can read and change, with the
plan's flags. It builds the GPU images where there is nvcc and the CPU device's images always; an image that is left out
is an empty file, which the runtime helper passes over.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable

from rexcc.driver import cubin, flags
from rexcc.driver.command_line import Input, Options, UsageError
from rexcc.driver.languages import Language, stem
from rexcc.driver.plan import CPU_DEVICE, Unit
from rexcc.driver.toolchain import Toolchain
from rexcc.source.file_names import safe_name
from rexcc.target.nvptx import NVIDIA_TOOLS

MAKEFILE = "Makefile"

FIRST_LINE = "# Builds what rexcc generated; needs the compilers and LLVM's OpenMP runtime, not rexcc."

_PLAIN = re.compile(r"(?![-@])[A-Za-z0-9_./+@,-]+")
_PATH_OPTIONS = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-L")


def makefile(options: Options, tools: Toolchain, units: tuple[Unit, ...], folder: str, is_program: bool) -> str:
    """Return the text of the makefile for the sources in ``folder``."""
    return _Makefile(options, tools, units, folder).text(is_program)


class _Makefile:
    """The parts of one makefile; paths in it are relative to its folder."""

    def __init__(self, options: Options, tools: Toolchain, units: tuple[Unit, ...], folder: str) -> None:
        self.options = options
        self.tools = tools
        self.units = units
        self.folder = folder

    def text(self, is_program: bool) -> str:
        """Return the whole text."""
        goal = self._goal() if is_program or "-shared" in self.options.link_items else ""
        rules = [rule for unit in self.units for rule in self._unit_rules(unit)]
        objects = " ".join([*map(self._object, self.units), "register_cubin.o"])
        link = [f"{goal}: {objects}\n\t$(LINK) {self._link_items()} $(LIBS) -o $@"] if goal else []
        parts = [self._head(goal or objects), *link, *rules, self._helper_rule(), self._clean_rule(goal)]
        return "\n\n".join(parts) + "\n"

    def _head(self, goal: str) -> str:
        linker = "CXX" if flags.link_driver(self.options, self.tools) == self.tools.host.cxx else "CC"
        lines = [
            FIRST_LINE,
            *self._usage(),
            "",
            f"CC    = {_in_variable(self.tools.host.cc)}",
            f"CXX   = {_in_variable(self.tools.host.cxx)}",
            f"LLVM  = {_in_variable(self.tools.runtime.folder if self.tools.runtime else '/usr/lib/llvm-19/lib')}",
            *self._cuda_lines(),
            "",
            *self._flag_lines(),
            f"LINK      = $({linker})",
            f"LIBS      = {self._libraries()}",
            "",
            f"all: {goal}",
            ".PHONY: all clean",
        ]
        return "\n".join(lines)

    def _images_for(self) -> set[str]:
        """Return the devices that there are images for."""
        names = [architecture for unit in self.units for architecture, _ in unit.translation.image_names]
        return {CPU_DEVICE if name == CPU_DEVICE else "gpu" for name in names}

    def _usage(self) -> list[str]:
        if len(self._images_for()) < 2:
            return []
        return [
            "# make           GPU and CPU device (only the CPU device where there is no nvcc)",
            "# make GPU=no    CPU device only",
        ]

    def _cuda_lines(self) -> list[str]:
        if "gpu" not in self._images_for():
            return []
        nvcc = self.tools.cuda.nvcc if self.tools.cuda else NVIDIA_TOOLS.compiler
        return [f"NVCC  = {_in_variable(nvcc)}", "GPU  := $(if $(shell command -v $(NVCC)),yes,no)"]

    def _flag_lines(self) -> list[str]:
        macros = flags.contract_flags(self.options, self.tools, ".")
        lines = []
        for name, language in (("CFLAGS", Language.C), ("CXXFLAGS", Language.CXX)):
            sources = [u.source for u in self.units if u.source.language is language]
            if sources:
                lines.append(f"{name:<9} = {self._words((*self._host_flags(sources[0]), *macros))}")
        language = Language.CXX if self.options.has_cxx else Language.C
        if "gpu" in self._images_for():
            lines.append(f"NVCCFLAGS = {self._words(flags.nvcc_flags(self.options, self.tools, language))}")
        if CPU_DEVICE in self._images_for():
            lines.append(f"CPUFLAGS  = {self._words(flags.cpu_image_flags(self.options, self.tools, language))}")
            lines.append(f"CPULINK   = {self._words(flags.cpu_link_flags())}")
        return lines

    def _host_flags(self, source: Input) -> flags.Arguments:
        forced = tuple(path for unit in self.units for path in unit.translation.forced)
        return flags.rewritten_flags(self.options, self.tools, source, forced)

    def _libraries(self) -> str:
        libraries = "$(LLVM)/libomptarget.so $(LLVM)/libomp.so -lstdc++ -lm -lpthread -ldl -Wl,-rpath,$(LLVM)"
        return " ".join((libraries, *flags.unread_libraries(self.options)))

    def _goal(self) -> str:
        name = safe_name(stem(self.units[0].source.path))
        return f"lib{name}.so" if "-shared" in self.options.link_items else name

    def _object(self, unit: Unit) -> str:
        host = unit.translation.host
        name = stem(host.name) if host else safe_name(stem(unit.source.path))
        return self._in_folder(unit, f"{name}.o")

    def _in_folder(self, unit: Unit, name: str) -> str:
        return os.path.normpath(os.path.relpath(unit.file(name), self.folder))

    def _unit_rules(self, unit: Unit) -> list[str]:
        compiler = "$(CXX) $(CXXFLAGS)" if unit.source.language is Language.CXX else "$(CC) $(CFLAGS)"
        compiler = " ".join((compiler, *flags.language_selection(unit.source)))
        if not unit.translation.has_offload:
            source = self._moved(unit.source.path)
            return [_rule(self._object(unit), source, f"{compiler} -c", "-o $@")]
        assert unit.translation.host
        images = [self._in_folder(unit, name) for _, name in unit.translation.image_names]
        images += [self._in_folder(unit, part.file)] if (part := unit.translation.part) is not None else []
        source = self._in_folder(unit, unit.translation.host.name)
        quote = self._words(flags.quote_folder(unit.source.path), _in_recipe)
        rule = f"{self._object(unit)}: {' '.join([source, *images])}\n\t{compiler} {quote} -c $< -o $@"
        return [rule, *(self._image_rule(unit, *image) for image in unit.translation.image_names)]

    def _image_rule(self, unit: Unit, architecture: str, name: str) -> str:
        device, cpu = unit.translation.device, unit.translation.cpu_device
        image = self._in_folder(unit, name)
        assert device
        kernels = self._in_folder(unit, device.name)
        if architecture == CPU_DEVICE:
            assert cpu
            part = unit.translation.part
            if part is None:
                return f"{image}: {self._in_folder(unit, cpu.name)} {kernels}\n\t$(CXX) $(CPUFLAGS) $(CPULINK) $< -o $@"
            compiled = self._in_folder(unit, part.file)
            rule = f"{compiled}: {self._in_folder(unit, cpu.name)} {kernels}\n\t$(CXX) $(CPUFLAGS) -c $< -o $@"
            return f"{rule}\n\n{image}: {compiled}\n\t$(CXX) -fPIC -pthread $(CPULINK) $< -o $@"
        lines = [f"{image}: {kernels}", "ifeq ($(GPU),yes)"]
        words = " ".join(NVIDIA_TOOLS.image_words(architecture))
        lines.append(f"\t$(NVCC) {words} $(NVCCFLAGS) $< -o $@")
        if self.tools.llvm_version <= cubin.LAST_RUNTIME_WITH_OLD_HEADER:
            lines.insert(
                0, "# The two printf give a cubin of CUDA 13 the header that LLVM's libomptarget up to 21 knows."
            )
            lines += [f"\t@{command}" for command in cubin.shell_commands("$@", architecture)]
        return "\n".join([*lines, "else", "\t: > $@", "endif"])

    def _helper_rule(self) -> str:
        own = self._words(flags.helper_flags(self.options, self.tools))
        return f"register_cubin.o: register_cubin.cpp\n\t$(CXX) {own} -c $< -o $@"

    def _clean_rule(self, goal: str) -> str:
        images = [self._in_folder(u, name) for u in self.units for _, name in u.translation.image_names]
        made = [*([goal] if goal else []), *map(self._object, self.units), "register_cubin.o", *images]
        return f"clean:\n\trm -f {' '.join(made)}"

    def _link_items(self) -> str:
        items = [item if isinstance(item, str) else self._link_input(item) for item in self.options.link_items]
        return self._words(items, _in_recipe, verbatim="$^") if any(items) else "$^"

    def _link_input(self, item: Input) -> str:
        """Return an object or archive of the user's; the first source stands for all objects."""
        if item.language is Language.LINK:
            return _named(self._moved(item.path))
        return "$^" if item == self.options.sources[0] else ""

    def _moved(self, path: str) -> str:
        if "\n" in path:
            raise UsageError(f"a makefile cannot name {path!r}: it has a line break")
        return path if os.path.isabs(path) else os.path.relpath(path, self.folder)  # noqa: PTH117 - a spelling

    def _words(self, arguments: Iterable[str], quoted: Callable[[str], str] | None = None, verbatim: str = "") -> str:
        """Return arguments of a command: paths seen from the makefile, quoted for make and the shell.

        They are for a variable, or with :func:`_in_recipe` for a recipe.
        """
        quoted = quoted or _in_variable
        words: list[str] = []
        after = ""
        for argument in arguments:
            word = self._seen_from_folder(argument, after)
            after = argument
            if word:
                words.append(word if word == verbatim else quoted(word))
        return " ".join(words)

    def _seen_from_folder(self, argument: str, after: str) -> str:
        if argument == self.tools.include:
            return "."
        if after in _PATH_OPTIONS:
            return self._moved(argument)
        for option in ("-I", "-L"):
            if argument.startswith(option) and argument != option:
                return option + self._moved(argument[2:])
        return argument


def _rule(target: str, source: str, command: str, rest: str) -> str:
    """Return the rule for a file of the user's; one whose name make cannot write is always compiled."""
    if _PLAIN.fullmatch(source):
        return f"{target}: {source}\n\t{command} $< {rest}"
    return f".PHONY: {target}\n{target}:\n\t{command} {_in_recipe(_named(source))} {rest}"


def _named(path: str) -> str:
    """Return a path that no command takes for an option."""
    return f"./{path}" if path.startswith(("-", "@")) else path


def _in_recipe(word: str) -> str:
    """Return a word for the shell as it stands in a recipe."""
    if "\n" in word:
        raise UsageError(f"a makefile cannot give {word!r} to a command: it has a line break")
    return shlex.quote(word).replace("$", "$$")


def _in_variable(word: str) -> str:
    """Return a word for the shell as it stands in the value of a variable, where make knows comments."""
    return re.sub(r"(\\*)#", r"\1\1\\#", _in_recipe(word))
