"""Links device code of several files for an NVIDIA GPU with nvJitLink, which inlines functions across files.

As a command: ``python -m rexcc.target.nvptx_link LIBRARY OPTION… INPUT… -o OUTPUT``. Inputs are what nvcc makes with
``-ltoir`` (NVVM's intermediate representation) or relocatable cubins; the output is a cubin. ``nvlink`` could do the
same, but not with NVIDIA's packages for Python, which lack the library that it needs for intermediate representation.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_CUBIN, _IR = 1, 3
"""``nvJitLinkInputType`` of ``nvJitLink.h``."""
_ELF = b"\x7fELF"
_MISSING = (
    "the device code of several files is linked by nvJitLink, which was there when they were compiled and is not here: "
    "pip install nvidia-nvjitlink, or compile them again"
)


class LinkError(Exception):
    """The link failed; the text says why."""


def main(arguments: Sequence[str]) -> int:
    """Link as the command line says; return the exit status."""
    library, *words, _, output = arguments
    options = [word for word in words if word.startswith("-")]
    inputs = [Path(word) for word in words if not word.startswith("-")]
    if not library:
        print(f"error: {_MISSING}", file=sys.stderr)
        return 1
    try:
        image = linked(ctypes.CDLL(library), options, [(str(path), path.read_bytes()) for path in inputs])
        Path(output).write_bytes(image)
    except (LinkError, OSError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


def linked(library: Any, options: Sequence[str], inputs: Sequence[tuple[str, bytes]]) -> bytes:
    """Return the cubin that inputs, names with contents, are linked to by nvJitLink's library. Raises LinkError."""
    handle = ctypes.c_void_p()
    words = (ctypes.c_char_p * len(options))(*(word.encode() for word in options))
    if library.nvJitLinkCreate(ctypes.byref(handle), ctypes.c_uint32(len(options)), words):
        raise LinkError(f"nvJitLink does not take the options {' '.join(options)}")
    try:
        for name, data in inputs:
            kind = _CUBIN if data.startswith(_ELF) else _IR
            if library.nvJitLinkAddData(handle, kind, data, ctypes.c_size_t(len(data)), name.encode()):
                raise LinkError(f"nvJitLink cannot read the device code in {name}: {_log(library, handle)}")
        if library.nvJitLinkComplete(handle):
            raise LinkError(f"nvJitLink: {_log(library, handle)}")
        return _filled(handle, library.nvJitLinkGetLinkedCubinSize, library.nvJitLinkGetLinkedCubin)
    finally:
        library.nvJitLinkDestroy(ctypes.byref(handle))


def _filled(handle: ctypes.c_void_p, size_of: Any, fill: Any) -> bytes:
    """Return the bytes that two functions of the library give."""
    size = ctypes.c_size_t()
    size_of(handle, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    fill(handle, buffer)
    return buffer.raw


def _log(library: Any, handle: ctypes.c_void_p) -> str:
    text = _filled(handle, library.nvJitLinkGetErrorLogSize, library.nvJitLinkGetErrorLog)
    lines = text.rstrip(b"\0").decode(errors="replace").splitlines()
    return "; ".join(filter(None, map(str.strip, lines))) or "it does not say why"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
