"""The machine that measures, for the results: what runs here and how busy it is.

Out: words by name, such as the GPU, its driver, the CPU and the date. What cannot be found out is left out.
"""

from __future__ import annotations

import datetime
import os
import platform
import shutil
import subprocess
from pathlib import Path

_QUERY = ("--query-gpu=name,driver_version,memory.total", "--format=csv,noheader")


def describe() -> dict[str, str]:
    """Return what is known of this machine."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        **_gpu(),
        "cpu": _cpu(),
        "cpus": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        **_load(),
    }


def commit_of(file: Path) -> str:
    """Return the commit of the checkout that has a file among its own, marked where any differs; empty for other files:
    rexcc may be installed in a folder of another program's checkout."""
    words = ("describe", "--always", "--abbrev=12", "--dirty", "--exclude=*")
    return _git(file, *words) if _git(file, "ls-files", "--", file.name) else ""


def _git(file: Path, *words: str) -> str:
    """Return what git says in a file's folder; empty where it cannot."""
    program = shutil.which("git")
    if not program:
        return ""
    command = (program, "-C", str(file.parent), *words)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout.strip()


def _gpu() -> dict[str, str]:
    program = shutil.which("nvidia-smi")
    if not program:
        return {}
    try:
        done = subprocess.run((program, *_QUERY), capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    lines = [line.split(", ") for line in done.stdout.splitlines() if line.count(", ") == 2]
    if done.returncode or not lines:
        return {}
    name, driver, memory = lines[0]
    return {"gpu": f"{name} ({memory})", "gpus": str(len(lines)), "driver": driver}


def _cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _load() -> dict[str, str]:
    try:
        return {"load": f"{os.getloadavg()[0]:.1f}"}
    except OSError:
        return {}
