"""nvJitLink, which links device code of several files for an NVIDIA GPU and inlines functions across them.

In: the library, its options, and what nvcc made of the files: NVVM's intermediate representation (``-ltoir``) or
relocatable cubins. Out: a cubin, and what was told of its kernels (``-Xptxas=-v``). ``nvlink`` could do the same, but
not with NVIDIA's packages for Python, which lack the library that it needs for intermediate representation. The
functions are those of ``nvJitLink.h``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rexcc.source.later import later
from rexcc.target.commands import LinkError

if TYPE_CHECKING:
    import ctypes
else:
    ctypes = later("ctypes")

_CUBIN, _IR = 1, 3
"""``nvJitLinkInputType``."""
_ELF = b"\x7fELF"
_UNSAID = "Stack size for entry function"
"""What ptxas warns of where functions call themselves, which is no mistake."""


def linked(library: Any, options: Sequence[str], inputs: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
    """Return the cubin that inputs, names with contents, are linked to, and what was told. Raises LinkError."""
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
        told = _filled(handle, library.nvJitLinkGetInfoLogSize, library.nvJitLinkGetInfoLog)
        cubin = _filled(handle, library.nvJitLinkGetLinkedCubinSize, library.nvJitLinkGetLinkedCubin)
        lines = told.rstrip(b"\0").decode(errors="replace").splitlines()
        return cubin, "\n".join(line for line in lines if line.startswith("ptxas") and _UNSAID not in line)
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
