"""Byte-range edits of the user's files: what each stage puts in place of directives.

In: the lowered constructs. Out: :class:`HostEdits`, one list of edits for each file; each directive becomes a comment
and a block, its statement stays.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.analysis.checks import stated_errors
from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.requirements import requires_directives
from rexcc.codegen.host.instances import template_block
from rexcc.codegen.host.key_edits import KeyLines, declare_key, specialise_key
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.scan import PragmaSite
from rexcc.frontend.statements import statement_end
from rexcc.lowering.arguments.outer_lambda_arguments import kept_values
from rexcc.lowering.data.data_constructs import DataBlock
from rexcc.lowering.data.mapper_functions import MapperFunction
from rexcc.lowering.host.host_block import block_after, block_before
from rexcc.lowering.host.host_copies import captured_copies, qualified_uses
from rexcc.lowering.host.host_loops import host_last_indices, host_scan
from rexcc.lowering.host.host_resolved import host_text
from rexcc.lowering.host.host_version import host_directives, host_inner_directives
from rexcc.lowering.host.template_keys import specialised_key
from rexcc.lowering.instances.arguments import never
from rexcc.lowering.instances.packs import with_common_changes
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.lambdas import captures_added
from rexcc.lowering.text.local_labels import behind_local_labels
from rexcc.lowering.text.placing import commented
from rexcc.openmp.unparse import clauses_text
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.resolution.choices import site_of
from rexcc.resolution.rewriting import line_marks
from rexcc.source.diagnostics import DiagnosticSink, error
from rexcc.source.edits import EditList
from rexcc.source.line_directives import OWN, line_directive
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field
from rexcc.source.text import SourceText

_ALLOCATION = regex(r"\s*allocate\b(?!(?=.*\balign\b)(?!.*\ballocator\b))")
"""An ``allocate`` directive that asks for more than an alignment."""


@dataclass(eq=False)
class HostEdits:
    """Edits per user file; ``instances`` are the kernels of the regions of templates, by the base of their names.

    ``renamed`` are the places where data constructs give a name another meaning, ``copied`` those where regions do,
    which are inside of these and stay.
    """

    unit: ParsedUnit
    lists: dict[str, EditList] = field(default_factory=dict)
    instances: dict[str, list[Kernel]] = field(default_factory=dict)
    key_lines: KeyLines = field(default_factory=dict)
    renamed: set[tuple[str, int]] = field(default_factory=set)
    copied: set[tuple[str, int]] = field(default_factory=set)

    def of(self, file: ProbedFile) -> EditList:
        """Return the edit list of a file."""
        return self.lists.setdefault(file.scan.source.path, EditList())

    def comment_out(self, file: ProbedFile, start: int, end: int) -> None:
        """Turn a directive into a comment."""
        self.of(file).replace(start, end, commented(file.scan.source.text[start:end]))

    def replace_kernel(self, kernel: Kernel) -> None:
        """Put a launch block where a region's directive stands, and close it after the region's statement."""
        region = kernel.region
        construct = region.construct
        self._keep_captured(kernel)
        self._drop_register(kernel)
        if region.owner.template is not None:
            known = self.instances.setdefault(kernel.base, [])
            known.append(kernel)
            if len(known) == 1:
                declare_key(self.unit, kernel, self.key_lines)
            return
        self._put(construct, block_before(kernel), block_after(kernel))
        self._replace_inside(kernel)

    def replace_instances(self, kernels: list[Kernel]) -> None:
        """Put the launch block of a template's region in place, when all of its instantiations are known."""
        first = kernels[0]
        for kernel, packs in zip(kernels, with_common_changes(k.packs for k in kernels), strict=True):
            kernel.packs = packs
        self._put(first.region.construct, template_block(kernels), block_after(first))
        self._replace_inside(first)
        for kernel in kernels:
            specialise_key(kernel, self.key_lines)
        if len({specialised_key(kernel) for kernel in kernels}) < len(kernels):
            message = "instantiations that differ in a template parameter without a name cannot be lowered yet; name it"
            raise error("unsupported-template", message, first.region.construct.span)

    def _replace_inside(self, kernel: Kernel) -> None:
        """Put the host's directives in place of those of the constructs merged into a region and inside of it."""
        region = kernel.region
        merged = zip(region.merged, host_directives(region)[1:], strict=True)
        for inner, directive in (*merged, *host_inner_directives(region)):
            self._put_directive(inner, directive)
        self._comment_allocations(region)
        for use, name, copy in qualified_uses(kernel):
            span = self.unit.span(use)
            if span is not None and re.fullmatch(rf".*(?:::|\.|->)\s*{name}", span.text, re.DOTALL):
                edits = self.of(self.unit.files[use.file])
                write = edits.supersede if (use.file, use.start) in self.renamed else edits.rewrite
                write(span.start, span.end, copy)
                self.copied.add((use.file, use.start))
        for node, variables in captured_copies(kernel):
            file = self.unit.files[node.file]
            if edit := captures_added(file.scan.source.text, file.original(node.start), variables):
                self.of(file).insert(*edit)

    def _keep_captured(self, kernel: Kernel) -> None:
        """Copy what lambdas captured behind their declarations, once for all regions that call them."""
        for file, end, text in kept_values(kernel.region, kernel.data):
            if all((e.start, e.end) != (end, end) or text not in e.text for e in self.of(file).edits):
                self.of(file).insert(end, text)

    def _drop_register(self, kernel: Kernel) -> None:
        """Let variables that are passed by address have one: ``register`` forbids it."""
        for attribute in kernel.data.attributes:
            cursor = attribute.variable.cursor
            if cursor.storage_class.name != "REGISTER":
                continue
            node = self.unit.tree.node(cursor)
            file = self.unit.files.get(node.file)
            if file is None:
                continue
            text = file.scan.source.text
            start = max(text.rfind(mark, 0, file.original(node.start)) for mark in ";{}(") + 1
            for word in re.finditer(r"\bregister\b", text[start : file.original(node.end)]):
                self.of(file).replace(start + word.start(), start + word.end(), " " * len(word[0]))

    def replace_loops(self, function: ConstructFunction) -> None:
        """Give loops of a function that kernels call the form that they have in the host version of a region."""
        for construct in function.walk():
            if not is_ours(construct):
                for inner, directive in (*host_scan(self.unit, construct), *host_last_indices(self.unit, construct)):
                    self._put_directive(inner, directive)

    def _put_directive(self, construct: Construct, directive: str) -> None:
        """Put another directive, or none, in place of a construct's."""
        site = construct.probe.site
        text = commented(site.original)
        if directive:
            text += f"\n{OWN}\n{directive}\n{resume(site.source, site.end)}"
        self.of(construct.file).replace(site.start, site.end, text)

    def _comment_allocations(self, region: TargetRegion) -> None:
        """The host has no memory of a team: its ``allocate`` directives would only make it say so."""
        file, body = region.construct.file, region.construct.body
        assert body is not None
        start, end = file.original(body.start), file.original(body.end)
        for site in file.scan.pragmas_in(start, end):
            if _ALLOCATION.match(site.text.text):
                self.comment_out(file, site.start, site.end)

    def insert_keys(self) -> None:
        """Put the lines of templates' keys in front of the declarations that want them."""
        for (path, start), lines in self.key_lines.items():
            file = self.unit.files[path]
            self.of(file).insert(
                start, "\n".join(["", OWN, "REX_NO_WARNINGS", *lines, "REX_WARNINGS", resume(file.scan.source, start)])
            )

    def declare_mapper(self, made: MapperFunction) -> None:
        """Put a mapper's function where its directive stands, in C never into another function."""
        mapper, site = made.mapper, made.mapper.site
        edits, text = self.of(mapper.file), commented(site.original)
        if mapper.block is None or self.unit.is_cplusplus:
            edits.replace(site.start, site.end, f"{text}\n{OWN}\n{made.text}\n{resume(site.source, site.end)}")
            return
        function = next(n for n in (mapper.nodes[0], *mapper.nodes[0].ancestors()) if n.kind == "FUNCTION_DECL")
        start = mapper.file.original(function.start)
        edits.replace(site.start, site.end, text)
        edits.insert(start, f"{text}\n{OWN}\n{made.text}\n{resume(site.source, start)}")

    def comment_out_mappers(self) -> None:
        """Make comments of the mappers that nothing uses."""
        for mapper in self.unit.mappers:
            self._answer(mapper.site)

    def replace_data(self, construct: Construct, block: DataBlock) -> None:
        """Put a data construct's calls where its directive stands."""
        self._put(construct, block.before, block.after)
        for node, name in block.renamed:
            span = self.unit.span(node)
            assert span is not None
            if (node.file, node.start) not in self.copied:
                self.of(self.unit.files[node.file]).replace(span.start, span.end, name)
                self.renamed.add((node.file, node.start))

    def _put(self, construct: Construct, before: str, after: str) -> None:
        site, file = construct.probe.site, construct.file
        edits = self.of(file)
        source = site.source
        text = f"{commented(site.original)}\n{OWN}{before}"
        edits.replace(site.start, site.end, text + resume(source, site.end))
        if construct.body is None:
            return
        end = statement_end(file, construct.body)
        edits.after(site.end, end, f"\n{OWN}{after}{resume(source, end)}")

    def respell_attributes(self) -> None:
        """Spell the directives in attributes that no stage has replaced as pragmas, which all host compilers know."""
        for file in self.unit.files.values():
            edits = self.of(file).edits
            for site in (s for s in file.scan.pragmas if s.is_attribute):
                if not any(e.start <= site.start and site.end <= e.end for e in edits):
                    self.of(file).replace(site.start, site.end, _as_operator(site))

    def replace_requirements(self) -> None:
        """Leave of the ``requires`` directives what concerns the host compiler; some refuse the rest."""
        for file, directive in requires_directives(self.unit):
            site = site_of(file.scan.pragmas, directive)
            kept = clauses_text(directive.named("atomic_default_mem_order"))
            below = f"\n{OWN}\n#pragma omp requires {kept}\n{resume(site.source, site.end)}" if kept else ""
            self.of(file).replace(site.start, site.end, commented(site.original) + below)

    def comment_out_answered(self) -> None:
        """Make comments of the directives that are answered: errors that were reported, and assumptions, which not all
        host compilers know."""
        for site, _ in stated_errors(self.unit):
            self._answer(site)
        for file in self.unit.files.values():
            for probe in file.probes:
                if probe.directive.name == "assume":
                    self._answer(probe.site)

    def _answer(self, site: PragmaSite) -> None:
        edits = self.of(self.unit.files[site.source.path])
        if edits.is_free(site.start, site.end):
            edits.replace(site.start, site.end, commented(site.original))

    def replace_resolved(self) -> None:
        """Put what the host shall read in place of each directive that was resolved and is not lowered, and the user's
        line numbers into texts with more lines than he wrote."""
        for file in self.unit.files.values():
            source, edits = file.scan.source, self.of(file)
            for site in file.scan.pragmas:
                if site.resolved is None or not edits.is_free(site.start, site.end):
                    continue
                text = host_text(site)
                below = f"\n{OWN}\n{text}\n{resume(source, site.end)}" if text else ""
                edits.replace(site.start, site.end, commented(site.original) + below)
            for word in file.scan.host_words:
                edits.replace(word.start, word.end, word.text)
            for offset, number in line_marks(source):
                edits.after(0, offset, f"{line_directive(number, source.users_path(offset))}\n")

    def refuse_instantiation(self, function: ConstructFunction, construct: Construct) -> None:
        """Make a template that this unit does not instantiate fail to compile if it is instantiated after all."""
        condition = never(function.node.cursor)
        if not condition:
            return
        message = "rexcc did not see this instantiation of a template with a target construct"
        opening = f'\n  {{ static_assert({condition}, "{message}");\n'
        self._put(construct, opening + ("  }\n" if construct.body is None else ""), "\n  }\n")

    def insert_init(self, main: Cursor) -> None:
        """Make registration the first statement of ``main``."""
        node = self.unit.tree.node(main)
        body = next((c for c in node.children if c.kind == "COMPOUND_STMT"), None)
        file = self.unit.files.get(node.file)
        if body is not None and file is not None:
            start, end = file.original(body.start) + 1, file.original(body.end) - 1
            start = behind_local_labels(file.scan.source.text, start)
            self.of(file).before(
                start,
                end,
                " rex_offload_init();" if self.unit.is_cplusplus else " REX_DECLARED(rex_offload_init(), 0);",
            )


def _as_operator(site: PragmaSite) -> str:
    """Return a directive as ``_Pragma``; a comma behind its name is what clang takes in attributes only."""
    text = re.sub(r"^([\w\s]+),", r"\1 ", site.text.text.replace("\n", " ")).strip()
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'_Pragma("omp {quoted}")' + "\n" * site.original.count("\n")


def resume(source: SourceText, offset: int) -> str:
    """Return the ``#line`` that makes the user's text from ``offset`` on count as his own lines again."""
    behind = source.text[offset : offset + 2]
    if behind[:1] in ("\n", "\r"):
        start = offset + 1 + (behind == "\r\n")
        return line_directive(source.users_line(start), source.users_path(start))
    return f"{line_directive(source.users_line(offset), source.users_path(offset))}\n"


def check_all_lowered(unit: ParsedUnit, edits: HostEdits, sink: DiagnosticSink) -> None:
    """Report every active target directive that no stage has replaced: the host compiler must never see one."""
    if sink.has_errors:
        return
    for file in unit.files.values():
        skipped = unit.skipped.get(file.scan.source.path, [])
        replaced = {e.start for e in edits.of(file).edits if e.end > e.start}
        for probe in file.probes:
            start = probe.site.start
            if not probe.directive.leaves[0].startswith("target") or start in replaced:
                continue
            if not any(low <= start < high for low, high in skipped):
                message = f"'{probe.directive.name}' stands where rexcc cannot reach it yet; move it into a function "
                message += "of its own, outside of classes and no coroutine, and call that here"
                sink.error("unsupported-construct", message, probe.directive.span)
