"""The makefile of ``--emit=src``.

In: options, toolchain and translated units. Out: the text of a makefile that a person can read and change, with the
plan's flags: those of an image come from its target's tools. It builds the images of devices where their compiler is,
the CPU device's always; an image that is left out is an empty file, which the runtime helper passes over.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rexcc.driver.commands import flags
from rexcc.driver.commands.plan import Unit, image_job
from rexcc.driver.link import device_groups, device_link
from rexcc.driver.link.device_parts import Part
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Input, UsageError
from rexcc.driver.options.languages import Language, stem
from rexcc.driver.outputs.makefile_words import as_path, in_recipe, in_variable, user_rule
from rexcc.driver.tools.toolchain import HEAP, HELPER, Toolchain
from rexcc.pipeline import Image
from rexcc.source.file_names import safe_name
from rexcc.target.commands import Arguments, Group, LinkInput, Step
from rexcc.target.llvm_abi import PREFERRED
from rexcc.target.model import Target

MAKEFILE = "Makefile"
RUNTIME_FOLDER = "rex_runtime"
"""Where the headers and the library of every program lie, apart from what was made of the user's files."""

FIRST_LINE = "# Builds what rexcc generated; needs the compilers and LLVM's OpenMP runtime, not rexcc."

_USUAL_NAMES = ["libomptarget.so", "libomp.so"]
_HELPER_OBJECT = f"{stem(HELPER)}.o"
_HEAP_OBJECT = f"{stem(HEAP)}.o"
_PATH_OPTIONS = ("-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-L")


def makefile(
    options: Options, tools: Toolchain, units: tuple[Unit, ...], folder: str, is_program: bool,
    groups: Sequence[device_groups.Group],
) -> str:  # fmt: skip
    """Return the text of the makefile for the sources in ``folder``; ``groups`` are units whose device code calls each
    other."""
    return _Makefile(options, tools, units, folder, groups).text(is_program)


class _Makefile:
    """The parts of one makefile; paths in it are relative to its folder."""

    def __init__(
        self,
        options: Options,
        tools: Toolchain,
        units: tuple[Unit, ...],
        folder: str,
        groups: Sequence[device_groups.Group],
    ) -> None:
        self.options = options
        self.tools = tools
        self.units = units
        self.folder = folder
        self.groups = groups

    def text(self, is_program: bool) -> str:
        """Return the whole text."""
        goal = self._goal() if is_program or "-shared" in self.options.link_items else ""
        rules = [rule for unit in self.units for rule in self._unit_rules(unit)]
        objects = " ".join([*map(self._object, self.units), *(self._further_objects() if goal else [_HELPER_OBJECT])])
        link = [f"{goal}: {objects}\n\t$(LINK) {self._link_items()} $(LIBS) -o $@"] if goal else []
        rules += self._group_rules() if goal else []
        parts = [self._head(goal or objects), *link, *rules, self._helper_rule(), self._clean_rule(goal)]
        return "\n\n".join(parts) + "\n"

    def _head(self, goal: str) -> str:
        linker = "CXX" if flags.link_driver(self.options, self.tools) == self.tools.host.cxx else "CC"
        lines = [
            FIRST_LINE,
            *self._usage(),
            "",
            f"CC    = {self._program(self.tools.host.cc)}",
            f"CXX   = {self._program(self.tools.host.cxx)}",
            *self._runtime_lines(),
            *self._compiler_lines(),
            "",
            *self._flag_lines(),
            f"LINK      = $({linker})",
            f"LIBS      = {self._libraries()}",
            "",
            f"all: {goal}",
            ".PHONY: all clean",
        ]
        return "\n".join(lines)

    def _runtime_lines(self) -> list[str]:
        """Return the variables of the folders of LLVM's libraries."""
        runtime = self.tools.runtime
        folders = runtime.folders if runtime else (f"/usr/lib/llvm-{PREFERRED}/lib",)
        return [f"{name:<5} = {in_variable(path)}" for name, path in zip(("LLVM", "OMP"), folders, strict=False)]

    def _targets(self) -> list[Target]:
        """Return the devices that there are images for."""
        return list(dict.fromkeys(image.target for unit in self.units for image in unit.translation.images))

    def _program(self, path: str) -> str:
        """Return a command for a variable: one that is found on PATH has no folder."""
        return in_variable(self._moved(path) if "/" in path else path)

    def _usage(self) -> list[str]:
        targets = self._targets()
        if len(targets) < 2:
            return []
        compilers = [target.tools.compiler for target in targets if not target.tools.is_hosts]
        return [
            f"# make           GPU and CPU device (only the CPU device where there is no {', '.join(compilers)})",
            "# make GPU=no    CPU device only",
        ]

    def _compiler_lines(self) -> list[str]:
        """Return the variables of the compilers that are not the host's; without one its images are left out."""
        found = [target for target in self._targets() if not target.tools.is_hosts]
        lines = [
            f"{target.tools.variable:<5} = {self._program(self.tools.around(target).compiler)}" for target in found
        ]
        names = " ".join(f"$(shell command -v $({target.tools.variable}))" for target in found)
        return [*lines, f"GPU  := $(if {names},yes,no)"] if found else []

    def _flag_lines(self) -> list[str]:
        macros = flags.contract_flags(self.tools, ".")
        lines = []
        for name, language in (("CFLAGS", Language.C), ("CXXFLAGS", Language.CXX)):
            sources = [u.source for u in self.units if u.source.language is language]
            if sources:
                lines.append(f"{name:<9} = {self._words((*self._host_flags(sources[0]), *macros))}")
        language = Language.CXX if self.options.has_cxx else Language.C
        made = [(unit, image) for unit in self.units for image in unit.translation.images]
        steps = [step for unit, image in made for step in self._steps(unit, image, language)]
        steps += [step for _, _, found in self._linked_images() for step in found]
        groups = {group.variable: group.words for step in steps for group in step.words if group.variable}
        return [*lines, *(f"{name:<9} = {self._words(words)}" for name, words in groups.items())]

    def _steps(self, unit: Unit, image: Image, language: Language) -> tuple[Step, ...]:
        """Return the steps that make an image, with paths as the makefile sees them."""
        job = image_job(unit, image, lambda name: self._in_folder(unit, name))
        line = flags.for_device_code(self.options, language)
        return image.target.tools.image(job, line, self.tools.around(image.target))

    def _host_flags(self, source: Input) -> Arguments:
        forced = tuple(path for unit in self.units for path in unit.translation.forced)
        return flags.rewritten_flags(self.options, self.tools, source, forced)

    def _libraries(self) -> str:
        runtime = self.tools.runtime
        names = [Path(path).name for path in (runtime.omptarget, runtime.omp)] if runtime else _USUAL_NAMES
        variables = ("$(LLVM)", "$(OMP)") if runtime and len(runtime.folders) > 1 else ("$(LLVM)", "$(LLVM)")
        libraries = (f"{variable}/{name}" for variable, name in zip(variables, names, strict=True))
        paths = (f"-Wl,-rpath,{variable}" for variable in dict.fromkeys(variables))
        system = ("-lstdc++", "-lm", "-lpthread", "-ldl")
        return " ".join((*libraries, *system, *paths, *flags.unread_libraries(self.options)))

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
        if not unit.translation.has_offload:
            source = self._moved(unit.source.path)
            compiler = " ".join((compiler, *flags.language_selection(unit.source)))
            return [user_rule(self._object(unit), source, f"{compiler} -c", "-o $@")]
        compiler = " ".join((compiler, *flags.rewritten_language(unit.source)))
        assert unit.translation.host
        images = [*self._images(unit), *self._parts(unit)]
        source = self._in_folder(unit, unit.translation.host.name)
        quote = self._words(flags.quote_folder(unit.source.path), in_recipe)
        folder = os.path.dirname(source)  # noqa: PTH120 - a spelling, empty for the makefile's own
        if folder:
            quote = f"{quote} -UREX_IMAGE_DIR '-DREX_IMAGE_DIR=\"{folder}\"'"
        rule = f"{self._object(unit)}: {' '.join([source, *images])}\n\t{compiler} {quote} -c $< -o $@"
        return [rule, *(self._image_rule(unit, image) for image in unit.translation.images)]

    def _images(self, unit: Unit) -> list[str]:
        """Return the images that the unit's object file embeds."""
        return [self._in_folder(unit, image.name) for image in unit.translation.images if image.name]

    def _parts(self, unit: Unit) -> list[str]:
        """Return the relocatable objects that the unit's object file embeds."""
        return [self._in_folder(unit, image.part) for image in unit.translation.images if image.part]

    def _image_rule(self, unit: Unit, image: Image) -> str:
        """Return the rules for an image; of a compiler that may not be there they can make an empty file."""
        device = unit.translation.device
        assert device
        sources = dict.fromkeys((self._in_folder(unit, image.source), self._in_folder(unit, device.name)))
        rules = []
        steps = self._steps(unit, image, unit.source.language)
        for step in steps:
            needed = " ".join(sources) if step.source == steps[0].source else step.source
            rules.append(self._rule_of_step(image.target, step, needed))
        return "\n\n".join(rules)

    def _rule_of_step(self, target: Target, step: Step, needed: str) -> str:
        recipe = [f"\t{self._command(step)}"]
        note = []
        if step.finish is not None:
            note = [f"# {step.finish.note}"]
            recipe += [f"\t@{command}" for command in step.finish.shell("$@")]
        if not target.tools.is_hosts:
            recipe = ["ifeq ($(GPU),yes)", *recipe, "else", "\t: > $@", "endif"]
        return "\n".join([*note, f"{step.output}: {needed}", *recipe])

    def _group_rules(self) -> list[str]:
        """Return the rules for the device code of files that call each other's, and for the object that has it."""
        if not self.groups:
            return []
        rules = [
            self._rule_of_step(target, step, " ".join(paths))
            for target, paths, steps in self._linked_images()
            for step in steps
        ]
        images = (file for group in self.groups for _, _, file in group.images)
        own = self._words(device_link.compiling_flags(self.options, self.tools, "."), in_recipe)
        needed = " ".join([device_link.SOURCE, *images])
        return [*rules, f"{device_link.OBJECT}: {needed}\n\t$(CC) {own} -c $< -o $@"]

    def _linked_images(self) -> Iterator[tuple[Target, list[str], tuple[Step, ...]]]:
        """Yield the images of several units: the device, the objects, and the steps that link them; in front of an
        image the source of its tables, where there are any, and the steps that compile it."""
        for group in self.groups:
            for target, architecture, file in group.images:
                image = (target, architecture, file)
                made = device_link.table_steps(self.options, self.tools, group, image, lambda name: name)
                for step in made:
                    yield target, [step.source], (step,)
                paths = [self._part_of(part, (target, architecture)) for part in group.parts]
                paths += [step.output for step in made]
                objects = [LinkInput(path) for path in paths]
                yield target, paths, device_link.steps(self.options, self.tools, objects, image)

    def _part_of(self, part: Part, device: tuple[Target, str]) -> str:
        """Return the relocatable object of a unit for a device."""
        found = (
            self._in_folder(unit, image.part)
            for unit in self.units
            if unit.translation.part is part.facts
            for image in unit.translation.images
            if (image.target.name, image.architecture) == (device[0].name, device[1])
        )
        return next(found)

    def _further_objects(self) -> list[str]:
        heap = [_HEAP_OBJECT] if flags.heap_archives(self.options) else []
        return [*([device_link.OBJECT] if self.groups else []), *heap, _HELPER_OBJECT]

    def _command(self, step: Step) -> str:
        """Return a step as a recipe has it."""
        words = (self._group(group) for group in (step.program, *step.words))
        return " ".join([*filter(None, words), "$< -o $@"])

    def _group(self, group: Group) -> str:
        return f"$({group.variable})" if group.variable else self._words(group.words, in_recipe)

    def _helper_rule(self) -> str:
        own = self._words(flags.helper_flags(self.options, self.tools))
        rule = f"{_HELPER_OBJECT}: {RUNTIME_FOLDER}/{HELPER}\n\t$(CXX) {own} -c $< -o $@"
        for name in flags.heap_archives(self.options):
            heap = self._words((*flags.helper_flags(self.options, self.tools), *flags.archive_flags(name)))
            rule += f"\n\n{_HEAP_OBJECT}: {RUNTIME_FOLDER}/{HEAP}\n\t$(CXX) {heap} -c $< -o $@"
        return rule

    def _clean_rule(self, goal: str) -> str:
        images = [(unit, image) for unit in self.units for image in unit.translation.images]
        steps = [step for unit, image in images for step in self._steps(unit, image, unit.source.language)]
        steps += [step for _, _, linked in self._linked_images() for step in linked]
        objects = (*map(self._object, self.units), *self._further_objects())
        made = dict.fromkeys([*([goal] if goal else []), *objects, *(step.output for step in steps)])
        return f"clean:\n\trm -f {' '.join(made)}"

    def _link_items(self) -> str:
        items = [item if isinstance(item, str) else self._link_input(item) for item in self.options.link_items]
        return self._words(items, in_recipe, verbatim="$^") if any(items) else "$^"

    def _link_input(self, item: Input) -> str:
        """Return an object or archive of the user's; the first source stands for all objects."""
        if item.language is Language.LINK:
            return as_path(self._moved(item.path))
        return "$^" if item == self.options.sources[0] else ""

    def _moved(self, path: str) -> str:
        if "\n" in path:
            raise UsageError(f"a makefile cannot name {path!r}: it has a line break")
        return path if os.path.isabs(path) else os.path.relpath(path, self.folder)  # noqa: PTH117 - a spelling

    def _words(self, arguments: Iterable[str], quoted: Callable[[str], str] | None = None, verbatim: str = "") -> str:
        """Return arguments of a command: paths seen from the makefile, quoted for make and the shell.

        They are for a variable, or with :func:`in_recipe` for a recipe.
        """
        quoted = quoted or in_variable
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
            return RUNTIME_FOLDER
        if after in _PATH_OPTIONS:
            return self._moved(argument)
        for option in ("-I", "-L", "-iquote", "-idirafter"):
            if argument.startswith(option) and argument != option:
                return option + self._moved(argument.removeprefix(option))
        return argument
