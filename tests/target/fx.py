"""A device that does not exist: 64 threads in a warp, other limits, words, architectures and tools of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rexcc.target.commands import Around, CommandLine, Finish, Group, Job, NotAnImageError, Step
from rexcc.target.messages import Messages, Reached
from rexcc.target.model import Architectures, Capabilities, Limits, Target, Traits, Words
from rexcc.target.options import Meaning, OwnOption, Spelling, translated, words_of_lost
from rexcc.target.tools import Compiler, Device, DeviceReport, Finding, Load, Place, ToolChain, Where

SEAL = b"FX image\n"
SPELLINGS = {
    "-I": Spelling(("--headers={}",)),
    "-Xfx": Spelling(("{}",)),
    "-fwrapv": Spelling(("--wrapping",), "kernels for fx are slower with {}"),
    "-fshort-wchar": Spelling(note="{} means nothing to fxcc", is_refused=True),
}


@dataclass(frozen=True)
class Unseal(Finish):
    """Takes the seal of fxcc's images off, which the runtime does not know."""

    note = "The tail takes off the seal that fxcc's images have."

    def applied(self, data: bytes) -> bytes:
        if not data.startswith(SEAL):
            raise NotAnImageError(f"not an image of fxcc ({len(data)} bytes)")
        return data[len(SEAL) :]

    def shell(self, quoted_path: str) -> tuple[str, ...]:
        return (f"tail -c +{len(SEAL) + 1} {quoted_path} > {quoted_path}.bare", f"mv {quoted_path}.bare {quoted_path}")


class FxMessages(Messages):
    """fxcc writes ``[file @ line] what``, and counts what it has compiled."""

    def __init__(self) -> None:
        super().__init__(noise=r"fxcc: \d+ kernels", place=r"^\[(\S+) @ (\d+)\] (.*)")

    def wrong_calls(self, text: str, reached: Reached) -> tuple[str, ...]:
        lines = (line for line in text.splitlines() if line.endswith("is not there"))
        return tuple(f"{line} on the device" for line in lines)


class FxTools(ToolChain):
    """fxcc, which compiles for one architecture at a time, by a name without a number."""

    title = "Fx compiler"
    compiler = "fxcc"
    variable = "FXCC"
    remedy = "ask Fx for it, or name its folder with --fx-path=DIR"
    places = (Place(Where.VARIABLE, "FX_HOME", "FX_HOME"), Place(Where.PATH, compiler, "PATH"))
    own_options = (
        OwnOption("--fx-path=", Meaning.FOLDER, "DIR", "the folder of fxcc"),
        OwnOption("-Xfx", Meaning.WORDS, "ARG", "pass ARG to fxcc"),
    )
    foreign_options = (OwnOption("--fx-arch=", Meaning.ARCHITECTURES, pattern="[a-z]+", form="fx_{}"),)
    spellings = SPELLINGS
    messages = FxMessages()

    def image(self, job: Job, line: CommandLine, around: Around) -> tuple[Step, ...]:
        form = Group((f"--for={job.architecture}",))
        own = (f"--level={line.optimization or 1}", f"--c++={line.standard}", *words_of_lost(line.given, SPELLINGS))
        flags = Group((*own, *translated(line.given, SPELLINGS), f"--headers={around.include}"), "FXFLAGS")
        return (Step(Group((around.compiler,), self.variable), (form, flags), job.source, job.output, Unseal()),)

    def devices(self, load: Load) -> DeviceReport:
        try:
            return DeviceReport((Device("Fx 1", load("libfx.so").architecture()),))
        except OSError:
            return DeviceReport(problem="no libfx.so")

    def examined(self, found: Compiler | None, version: str) -> Iterator[Finding]:
        yield Finding(self.title, "ok" if found else "without", version or "none", self.remedy)


FX = Target(
    name="fx",
    title="the Fx",
    vendor="Fx",
    triples=("fx64",),
    language="Fx C++",
    source="fxc",
    words=Words(
        thread="fx_lane",
        threads="fx_lanes",
        block="fx_group",
        blocks="fx_groups",
        team_memory="fx_local",
        barrier="fx_meet();",
        fence="fx_publish();",
        read_only_load="fx_load",
        kernel="fx_entry",
        device="fx_function",
        both="fx_everywhere",
        bounds="fx_most({})",
        variables=("fx_lane", "fx_lanes", "fx_group", "fx_groups"),
        xomp_thread="fx_number()",
        xomp_threads="fx_count()",
    ),
    limits=Limits(warp=64, threads=512, team_bytes=1024, own_bytes=128, resident_bytes=256, least_bound=2),
    capabilities=Capabilities(
        host_functions=frozenset({"strtol"}),
        instead={"strtol": "count on your fingers"},
        lacking_types=frozenset({"VECTOR"}),
        read_only_types=frozenset({"INT"}),
    ),
    architectures=Architectures(pattern="fx_[a-z]+", form="fx_NN", default="fx_one"),
    traits=Traits(frozenset({"nohost", "gpu", "any"}), frozenset({"fx"})),
    header="fx_device.h",
    names=frozenset({"fx_meet"}),
    xomp="fx_xomp.h",
    image="fximage",
    tools=FxTools(),
    entry_header="fx_entries.h",
)
"""Its devices are started by the runtime's host plugin, so that this machine can be one."""
