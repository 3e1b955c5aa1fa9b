"""What is known of kernels besides how they were lowered: what they take of a multiprocessor, and times of a run.

In: what the device's assembler has told, or why it has not; a profile. Out: :class:`Figures`, which a page asks.
"""

from __future__ import annotations

from rexcc.report.model import ConstructReport, KernelReport
from rexcc.report.profile import NO_PROFILE, Profile, Timed
from rexcc.source.records import dataclass
from rexcc.target.model import Target
from rexcc.target.occupancy import Occupancy, Usage, better_width, occupancy


@dataclass(frozen=True)
class Figures:
    """``usages`` by the assembler, ``missing`` says why there are none of kernels that have none."""

    usages: tuple[Usage, ...] = ()
    missing: str = ""
    profile: Profile = NO_PROFILE

    def of(self, kernel: KernelReport) -> tuple[Usage, ...]:
        """Return what a kernel takes, for each architecture; that of its usual form where it has two."""
        return tuple(usage for usage in self.usages if usage.kernel == kernel.names[0])

    def second(self, kernel: KernelReport) -> tuple[Usage, ...]:
        """Return what a kernel's second form takes, nothing where it has none."""
        return tuple(usage for usage in self.usages if usage.kernel in kernel.names[1:])

    def timed(self, construct: ConstructReport) -> Timed | None:
        """Return what a run has measured of a construct."""
        return self.profile.of(construct.place.path, construct.place.line)


def occupancy_of(target: Target, usage: Usage, kernel: KernelReport) -> Occupancy | None:
    """Return how many of a kernel's blocks find room, None where the architecture's figures are not known."""
    room = target.multiprocessor(usage.architecture)
    if room is None:
        return None
    return occupancy(room, usage, kernel.threads_of(usage.kernel), target.limits.warp, kernel.launch.shared)


def better_threads(target: Target, usage: Usage, kernel: KernelReport) -> int:
    """Return the threads of a block with which clearly more of a kernel's warps find room, 0 where none is known."""
    room = target.multiprocessor(usage.architecture)
    if room is None or kernel.launch.shared_text:
        return 0
    width = better_width(room, usage, kernel.threads, target.limits.warp, kernel.launch.shared)
    return width if width != kernel.threads else 0
