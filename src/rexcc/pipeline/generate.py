"""The files of one translation unit, printed from what the lowering has made.

In: :class:`~rexcc.pipeline.lower.Lowering`. Out: :class:`~rexcc.pipeline.records.Translation`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from rexcc.analysis.batches.launch_waits import LaunchWaits
from rexcc.analysis.batches.quiet_parts import QuietParts, quiet_parts
from rexcc.analysis.device_constructs import may_defer_tasks
from rexcc.analysis.named_devices import names_devices
from rexcc.analysis.recursion import calls_itself
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.codegen.device.device_file import DeviceFile, device_file
from rexcc.codegen.device.entry_points import cpu_device_file, cpu_device_headers
from rexcc.codegen.host.batches import mark_batches
from rexcc.codegen.host.host_file import HostFile, host_files
from rexcc.codegen.registration.globals import DeviceVariable
from rexcc.codegen.registration.registration import EmbeddedImage, Registration
from rexcc.codegen.registration.unit_names import UnitNames, host_names, unit_mark, unit_name
from rexcc.codegen.registration.weak_functions import weak_function_lines
from rexcc.codegen.slice.variables import device_variables
from rexcc.lowering.listing import kernel_node, verify
from rexcc.lowering.model.remarks import remark_diagnostics
from rexcc.lowering.queue_remarks import queue_remarks
from rexcc.pipeline.lower import Lowering
from rexcc.pipeline.records import GeneratedFile, Image, TranslateOptions, Translation
from rexcc.pipeline.stages import stage
from rexcc.pipeline.unit_part import unit_part
from rexcc.report.unit import unit_report
from rexcc.source.file_names import safe_name
from rexcc.source.line_directives import at_users_lines, with_own_lines
from rexcc.source.records import dataclass, replace
from rexcc.source.text import outside
from rexcc.target.known import CPU
from rexcc.target.messages import Reached


def generate(state: Lowering) -> Translation:
    """Print the files."""
    for kernel in state.kernels if state.options.verify else ():
        with stage("verifier", kernel.region.construct.span, state.sink):
            verify(kernel)
    names = _names(state)
    with stage("device file", None, state.sink):
        made = device_file(
            state.files, state.unit, state.kernels, state.declared, names, state.options.clang_arguments, state.sink,
            state.separate,
        )  # fmt: skip
        variables = device_variables(made.writer, made.namespaces)
        devices = _device_files(state, made, names, variables)
    if state.sink.has_errors:
        return Translation(True, tuple(state.sink.found))
    with stage("host file", None, state.sink):
        for function in state.unit.functions:
            written = function.template or function.node
            if (written.file, written.start) in made.writer.options.called:
                state.edits.replace_loops(function)
        quiet = quiet_parts(state.unit, state.options.alone)
        mark_batches(state.edits, quiet.runs)
        _tell_waits(state, quiet)
        registration = _registration(state, made, variables, devices.images)
        host = host_files(state.files, state.edits, names, registration, quiet)
        return Translation(
            has_offload=True,
            diagnostics=tuple(state.sink.found),
            host=_host_file(state.options, host.main),
            device=devices.device,
            cpu_device=devices.cpu,
            headers=tuple(_host_file(state.options, header) for header in host.headers),
            images=tuple(map(_outside, devices.images)),
            part=registration.part,
            forced=tuple(outside(path) for path in host.forced),
            reached=_reached_outside(made.reached),
            listing=tuple(map(kernel_node, state.kernels)) if state.options.listing else (),
            report=unit_report(state.edits, state.kernels, state.data, made, names) if state.options.report else None,
            cpu_headers=devices.cpu_headers,
            wants_shared_heap=requirements(state.unit) & UNIFIED_SHARED_MEMORY != 0,
        )
    return Translation(True, tuple(state.sink.found))


def _names(state: Lowering) -> UnitNames:
    source = state.files.main
    stem = safe_name(posixpath.splitext(posixpath.basename(source))[0])
    device, cpu = f"rex_lib_{stem}.{state.options.target.source}", f"rex_host_{stem}.{CPU.source}"
    return UnitNames(source, stem, host_names(state.files)[source], device, cpu)


@dataclass(frozen=True)
class _DeviceFiles:
    """The files of devices and the images to make of them; ``cpu_headers`` is what the CPU device's begins with."""

    device: GeneratedFile | None = None
    cpu: GeneratedFile | None = None
    cpu_headers: str = ""
    images: tuple[Image, ...] = ()


def _device_files(
    state: Lowering, made: DeviceFile, names: UnitNames, variables: Sequence[DeviceVariable]
) -> _DeviceFiles:
    """Return the files of devices; none for a unit that has nothing to do with them. Data constructs alone want a
    device too."""
    if not (state.kernels or variables or state.lowered or state.separate.any):
        return _DeviceFiles()
    images = _images(state, names, has_code=made.has_code)
    device = GeneratedFile(outside(names.device), made.text)
    started = next((t for t in state.options.targets if t.entry_header), None)
    if started is None:
        return _DeviceFiles(device, images=images)
    targets = (state.options.target, started)
    cpu = GeneratedFile(outside(names.cpu), cpu_device_file(state.kernels, names, made, targets))
    return _DeviceFiles(device, cpu, cpu_device_headers(made, targets), images)


def _registration(
    state: Lowering, made: DeviceFile, variables: Sequence[DeviceVariable], images: Sequence[Image]
) -> Registration:
    """Return what the host file tells the runtime of the unit."""
    arguments = state.options.clang_arguments
    name = unit_name(state.files, arguments)
    return Registration(
        source=state.files.scans[state.files.main].source.path,
        name=name,
        mark=unit_mark(state.files, arguments),
        kernels=state.kernels,
        variables=variables,
        addressed=made.addressed,
        images=[EmbeddedImage(i.target.architectures.number(i.architecture), i.name) for i in images if i.name],
        constants=made.constants,
        required=requirements(state.unit),
        part=unit_part(state, made, name, images, variables),
        facts=_facts(state),
    )


def _tell_waits(state: Lowering, quiet: QuietParts) -> None:
    """Tell of each kernel whether the host waits for it (``-Rrex=queue``), in the report too."""
    if not (state.options.remarks or state.options.report):
        return
    waits = LaunchWaits(state.unit, quiet)
    for kernel in state.kernels:
        told = queue_remarks(kernel, waits)
        kernel.remarks = (*kernel.remarks, *told)
        span = kernel.region.construct.span
        for found in remark_diagnostics(state.unit, told, span) if state.options.remarks else ():
            state.sink.add(found)


def _facts(state: Lowering) -> tuple[str, ...]:
    """Return what a host file says of itself to the runtime."""
    unit = state.unit
    exported = (definition for f in state.separate.exported if (definition := f.get_definition()) is not None)
    parts = [*(part for k in state.kernels for part in k.region.device_parts), *map(unit.tree.node, exported)]
    facts = {
        "REX_NAMES_DEVICES": names_devices(unit),
        "REX_TASKS": may_defer_tasks(unit),
        "REX_RECURSION": calls_itself(unit.tree, parts),
    }
    return (*(word for word, holds in facts.items() if holds), *weak_function_lines(unit, parts))


def _host_file(options: TranslateOptions, made: HostFile) -> GeneratedFile:
    text = with_own_lines(made.text, made.name) if options.is_kept else at_users_lines(made.text)
    return GeneratedFile(outside(made.name), text)


def _reached_outside(reached: Reached) -> Reached:
    functions = tuple((outside(path), first, last) for path, first, last in reached.functions)
    library = tuple((name, outside(place)) for name, place in reached.library)
    return Reached(functions, library, tuple(map(outside, reached.assembly)))


def _outside(image: Image) -> Image:
    return replace(image, name=outside(image.name), source=outside(image.source), part=outside(image.part))


def _images(state: Lowering, names: UnitNames, *, has_code: bool) -> tuple[Image, ...]:
    """Return the images to make of a device file or, for targets that the host plugin starts, of its entry points."""
    options, target = state.options, state.options.target
    found = [(target, architecture) for architecture in options.architectures]
    found += [(CPU, CPU.architectures.default)] if options.cpu_device else []
    return tuple(
        Image(made_for, architecture,
              "" if state.separate.imported else f"rex_lib_{names.stem}.{architecture}.{made_for.image}",
              names.cpu if made_for.entry_header else names.device,
              f"rex_lib_{names.stem}.{architecture}.o" if state.separate.any else "", has_code)
        for made_for, architecture in found
    )  # fmt: skip
