"""The variables of the environment that users may set, for documents: what each is for, and what it may be.

In: nothing. Out: :data:`VARIABLES`. Those that name the folder of a target's tools are the target's (``ToolChain``).
``tests/driver/test_written_documents.py`` looks whether the sources ask for others.
"""

from __future__ import annotations

from rexcc.source.records import dataclass

COMPILING, RUNNING = "when rexcc compiles", "when a program runs"


@dataclass(frozen=True)
class Variable:
    """A variable: when it counts, its legal values, the value that stands for none, and what it does."""

    name: str
    when: str
    values: str
    default: str
    text: str


VARIABLES = (
    Variable("OMP_TARGET_OFFLOAD", RUNNING, "disabled, default, mandatory", "default",
             "Whether regions run on the device, or on the host; `mandatory` ends the program where none can."),
    Variable("REX_INFO", RUNNING, "0, 1", "0", "Say for each region where it ran, with teams and threads, and why."),
    Variable("REX_PROFILE", RUNNING, "0, 1, FILE.json, trace:FILE", "0",
             "Tell what each construct took: calls, time and bytes, as a table at exit (1), as a file for "
             "`rexcc --profile=`, or as a trace for Perfetto; several are separated by commas, and `%p` in a name is "
             "the process. Launches are waited for one by one."),
    Variable("REX_SYNCHRONOUS", RUNNING, "0, 1", "0",
             "Wait for each kernel, and leave all launches to libomptarget; to find faults."),
    Variable("REX_WATCHDOG", RUNNING, "seconds", "0",
             "End the program, and say where, when a kernel, or a construct that waits for one, takes longer; 0 is for "
             "ever."),
    Variable("REX_WAIT", RUNNING, "spin, yield, block", "what `--rex-wait` said, else spin",
             "How the host waits for the GPU: `spin` and `yield` take a core, `block` takes longer. Where more ranks "
             "of MPI share the cores than there are, the default is `yield`."),
    Variable("REX_INIT", RUNNING, "eager, overlap", "what `--rex-init` said, else eager",
             "When the GPU is started: before `main`, or beside its beginning."),
    Variable("REX_SPREAD_RANKS", RUNNING, "0, 1", "where nobody chooses a device",
             "Whether ranks of MPI on one node get different default devices. By itself: where neither the user nor "
             "the program chooses, by `omp_set_default_device()`, `device` clauses, numbers given to routines, or for "
             "CUDA. 0 leaves all on device 0, 1 spreads them also where the program names devices."),
    Variable("OMP_DEFAULT_DEVICE", RUNNING, "a number", "0",
             "The device of regions that name none; with it ranks are not spread."),
    Variable("REX_COPY_THREADS", RUNNING, "0 to 64", "half of the cores that are the rank's, at most 8",
             "Threads that copy a large array; copies that are under way at once, also to and from several GPUs, share "
             "half of the cores. 0 and 1 leave all copies to libomptarget."),
    Variable("REX_HOST_CORES", RUNNING, "1 and more", "the cores of the process", "Cores of the CPU device."),
    Variable("REX_CHECK", RUNNING, "bounds, unmapped, undefined, stale, race", "all of them",
             "Which checks a program makes that is built with `--check`; several are separated by commas."),
    Variable("REX_CHECK_STATUS", RUNNING, "a number", "1",
             "The exit status of such a program when it has found something and would have ended well."),
    Variable("REX_CUBIN", RUNNING, "a file", "", "Use the kernels of this image in place of the program's own."),
    Variable("OMP_TEAMS_THREAD_LIMIT", RUNNING, "a number", "",
             "Threads a team has at most, where the program names no number."),
    Variable("OMP_NUM_TEAMS", RUNNING, "a number", "",
             "Teams there are at most, where the program names no number. Loops with a thread for each iteration have "
             "as many as these need, unless they ask for them (`omp_get_num_teams`)."),
    Variable("LIBOMPTARGET_STACK_SIZE", RUNNING, "bytes", "1024 on GPUs, 16384 where device code calls itself",
             "Stack of each thread on the device; recursion that is deeper needs more."),
    Variable("LIBOMPTARGET_HEAP_SIZE", RUNNING, "bytes", "8388608 on GPUs",
             "What kernels have for `malloc` and `new`, all threads together; where it is used up they get null."),
    Variable("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", RUNNING, "bytes", "16777216, or a 2048th of the GPU's memory",
             "Blocks of device memory up to this size are kept for the next that is as large; 0 keeps none. Where more "
             "ranks of MPI than GPUs share the node, the default is 8192."),
    Variable("LIBOMPTARGET_INFO", RUNNING, "bits, -1 for all", "0",
             "libomptarget tells what it maps and copies; with it rexcc leaves launches and copies to libomptarget."),
    Variable("LIBOMPTARGET_PROFILE", RUNNING, "a file", "",
             "libomptarget writes when it did what; with it rexcc leaves copies to libomptarget."),
    Variable("NVTX_INJECTION64_PATH", RUNNING, "a library", "",
             "The tool that hears of each construct as a range of NVTX; Nsight's tools set it themselves."),
    Variable("OMP_TOOL", RUNNING, "enabled, disabled", "enabled",
             "Whether OpenMP has tools; without, `REX_PROFILE` does not hear of libomptarget's copies and kernels."),
    Variable("OMP_TOOL_LIBRARIES", RUNNING, "libraries", "",
             "Tools that watch the program; with them rexcc leaves launches and copies to libomptarget."),
    Variable("LIBCLANG_PATH", COMPILING, "a file", "that of rexcc's package", "The libclang that reads C and C++."),
    Variable("LD_LIBRARY_PATH", COMPILING, "folders", "", "Where LLVM's OpenMP runtime is looked for first."),
    Variable("XDG_CACHE_HOME", COMPILING, "a folder", "~/.cache",
             "Where what is made once is kept: the runtime's helper, linked device code (at most 1 GiB, two weeks), "
             "images of kernels and precompiled headers (256 MiB each)."),
    Variable("REXCC_CACHE", COMPILING, "0, 1", "1",
             "With 0 kernels are compiled also where an earlier command has compiled the same, and not kept."),
    Variable("XDG_DATA_HOME", COMPILING, "a folder", "~/.local/share",
             "Below it, in `rexcc`, lies the runtime that `rexcc doctor --install` has brought."),
    Variable("TMPDIR", COMPILING, "a folder", "/tmp", "Where temporary files lie."),
    Variable("NO_COLOR", COMPILING, "anything", "", "No colours in messages, unless options ask for them."),
    Variable("CLICOLOR_FORCE", COMPILING, "1", "0", "Colours also where no terminal reads the messages."),
    Variable("CLICOLOR", COMPILING, "0", "1", "No colours on a terminal either."),
    Variable("REXCC_DEBUG", COMPILING, "1", "", "Show the traceback of an internal error."),
)  # fmt: skip
