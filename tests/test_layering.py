"""The packages are layers: a module imports only from its own package and from those before it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rexcc
from modules import MODULES, ROOT, facts_of

LAYERS = ["source", "target", "openmp", "clang", "frontend", "program", "resolution", "analysis", "inspection",
          "transformation", "kernel", "lowering", "codegen", "report", "runtime", "pipeline", "driver",
          "bench"]  # fmt: skip

PACKAGES = {
    "lowering": ["model", "text", "c", "instances", "maps", "cleanups", "reductions", "loops", "atomics", "constructs",
                 "arguments", "generic", "host", "data", ""],
    "codegen": ["places", "registration", "closure", "slice", "device", "host", ""],
    "driver": ["options", "tools", "messages", "commands", "caches", "link", "outputs", ""],
}  # fmt: skip
"""The packages of layers in the order in which they may use each other; last a layer's own modules, which use all."""


def layer_of(module: str) -> str:
    """Return the layer of ``rexcc.<layer>[.…]``; empty for the package itself."""
    parts = module.split(".")
    layer = parts[1] if len(parts) > 1 else ""
    return "driver" if layer == "__main__" else layer  # the command under another name


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(p for p in parts if p != "__init__")


def imports(path: Path) -> list[str]:
    """Return the modules of rexcc that a module imports."""
    return [name for name in facts_of(path).imports if name.split(".")[0] == "rexcc"]


NAMES = {module_name(p) for p in MODULES}


def test_the_documented_order_is_the_tested_one() -> None:
    assert rexcc.__doc__ is not None
    assert re.findall(r"``(\w+)``", rexcc.__doc__) == LAYERS


def test_every_package_is_a_layer() -> None:
    assert {layer_of(module_name(p)) for p in MODULES} - {""} == set(LAYERS)


def test_imports_go_up_only() -> None:
    wrong = [f"{path} imports {name}" for path in MODULES for name in imports(path) if not _is_above(path, name)]
    assert wrong == []


def _is_above(path: Path, name: str) -> bool:
    """Whether a module may import a name."""
    mine, used = layer_of(module_name(path)), layer_of(name)
    return used not in LAYERS or (mine in LAYERS and LAYERS.index(used) <= LAYERS.index(mine))


@pytest.mark.parametrize("layer", PACKAGES)
def test_the_packages_of_a_layer_are_layers_too(layer: str) -> None:
    packages = {p.name for p in (ROOT / layer).iterdir() if (p / "__init__.py").exists()}
    assert packages == set(PACKAGES[layer]) - {""}
    for path in (ROOT / layer).rglob("*.py"):
        mine = _package_of(layer, module_name(path))
        for name in (n for n in imports(path) if n.startswith(f"rexcc.{layer}.")):
            used = _package_of(layer, _module(name))
            assert PACKAGES[layer].index(used) <= PACKAGES[layer].index(mine), f"{path} imports {name}"


def _package_of(layer: str, module: str) -> str:
    parts = module.split(".")
    return parts[2] if len(parts) > 2 and parts[2] in PACKAGES[layer] else ""


def test_no_import_inside_a_function() -> None:
    assert [f"{path}:{line}" for path in MODULES for line in facts_of(path).inner_imports] == []


def test_every_module_says_what_it_is_for() -> None:
    assert [path for path in MODULES if len((facts_of(path).docstring or "").split("\n")[0]) <= 10] == []


def test_there_are_no_import_cycles() -> None:
    graph = {module_name(p): {_module(name) for name in imports(p)} for p in MODULES}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            for below in sorted(graph.get(name, ())):
                visit(below, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def _module(name: str) -> str:
    """Return the module of an imported name, which may be a module itself."""
    return name if name in NAMES else name.rsplit(".", 1)[0]


def test_only_the_commands_and_libclang_touch_files() -> None:
    for path in MODULES:
        if layer_of(module_name(path)) in ("driver", "bench", ""):
            continue
        touching = {"open", "read_bytes", "write_text", "write_bytes", "system", "Popen"}
        assert facts_of(path).calls.isdisjoint(touching), path


SPELLED = {"lowering/arguments/parameters.py", "lowering/c/conversions.py", "lowering/generic/declarations.py",
           "lowering/text/runtime_arrays.py"}  # fmt: skip
"""Modules that ask whether a type is spelled with ``const``, because they write it."""


def test_one_place_says_what_is_constant_or_volatile() -> None:
    """libclang's own answers do not look through typedefs."""
    asking = {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in MODULES}
    assert {name for name, text in asking.items() if "is_volatile_qualified" in text} == {"clang/types.py"}
    assert {name for name, text in asking.items() if "is_const_qualified" in text} == {"clang/types.py"} | SPELLED
