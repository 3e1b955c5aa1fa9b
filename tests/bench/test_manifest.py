"""Manifests and folders; errors with their place."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rexcc.bench.folders import find
from rexcc.bench.keys import ManifestError
from rexcc.bench.manifest import parse_manifest
from rexcc.bench.plan import Comparison, Printed

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="TOML needs Python 3.11")

FULL = """title = "All keys"
repeats = 9
timeout = 1.5

[defaults]
flags = ["-O2"]
compare = { relative = 1e-5, drop = ['^Time'] }

[[program]]
name = "first"
sources = ["a.c"]
cuda_sources = ["a.cu"]
libraries = []
arguments = ["1", "2"]
cuda_arguments = ["3"]
inputs = ["data.txt", "data.txt=in/x"]
environment = { A = "b" }
decides = "printed"
note = "words"
ignore_kernels = ["^v"]
[program.compare]
relative = 1e-3
reference = "cuda"
expected = "data.txt"
[[program.time]]
pattern = 't (\\d+)'
unit = "us"
[[program.time]]
name = "rate"
pattern = 'r (\\d+)'
unit = "GB/s"
better = "higher"

[[program]]
name = "second"
sources = ["a.c"]
[program.runs]
small = ["1"]
large = ["9"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.c", "a.cu", "data.txt"):
        (tmp_path / name).write_text("")
    return tmp_path


def test_all_keys(folder: Path):
    found = parse_manifest("bench.toml", FULL, folder)
    assert (found.title, found.repeats, found.gpu_repeats, found.timeout) == ("All keys", 9, None, 1.5)
    first, second = found.programs
    assert first.flags == second.flags == ("-O2",)
    assert (first.libraries, second.libraries) == ((), ("-lm",))
    assert first.compare == Comparison(reference="cuda", relative=1e-3, drop=("^Time",))
    assert second.compare == Comparison(relative=1e-5, drop=("^Time",))
    assert first.expected == folder / "data.txt"
    assert first.inputs == ((folder / "data.txt", "data.txt"), (folder / "data.txt", "in/x"))
    assert first.printed == (
        Printed("time", r"t (\d+)", "us"),
        Printed("rate", r"r (\d+)", "GB/s", better="higher"),
    )
    assert first.runs == (("", ("1", "2")),) and first.cuda_arguments == ("3",)
    assert second.runs == (("small", ("1",)), ("large", ("9",)))
    assert first.environment == (("A", "b"),)


def test_json_means_the_same(folder: Path):
    text = json.dumps(
        {"title": "t", "program": [{"name": "x", "sources": ["a.c"], "time": {"pattern": "(.)", "unit": "s"}}]}
    )
    (program,) = parse_manifest("bench.json", text, folder).programs
    assert program.printed == (Printed("time", "(.)", "s"),)


PROGRAM = '[[program]]\nname = "x"\nsources = ["a.c"]\n'
COMPARE = PROGRAM + "[program.compare]\n"
TIMES = """
[[program.time]]
pattern = '(.)'
unit = 's'
[[program.time]]
name = 'b'
pattern = 'x'
unit = 's'
"""
WRONG = [
    ("title = \n", ":1:9: Invalid value"),
    ("titel = 'x'\n" + PROGRAM, ":1: unknown key 'titel' of the manifest; did you mean 'title'?"),
    ("", ": no [[program]] in the manifest"),
    ("[[program]]\nsources = ['a.c']\n", ":1: [program] 1 of the manifest needs 'name'"),
    (PROGRAM + "sorces = []\n", ":4: unknown key 'sorces' of program 'x'; did you mean 'sources'?"),
    (PROGRAM + "\n" + PROGRAM, ":6: two programs are called 'x'"),
    (PROGRAM + "flags = '-O3'\n", ":4: 'flags' of program 'x' must be a list of strings, not '-O3'"),
    (PROGRAM + "arguments = [1]\n", ":4: 'arguments' of program 'x' must be a list of strings; 1 is none"),
    (COMPARE + "relative = -1\n", ":5: 'relative' of [compare] of program 'x' must not be negative"),
    (COMPARE + "status = true\n", ":5: 'status' of [compare] of program 'x' must be a whole number, not true"),
    (COMPARE + "drop = ['(']\n", ":5: '(' is not a regular expression"),
    (
        COMPARE + "reference = 'clan'\n",
        ":5: unknown 'reference' of [compare] of program 'x': 'clan'; did you mean 'clang'?",
    ),
    (
        PROGRAM + "compare = { reltive = 1.0 }\n",
        ":4: unknown key 'reltive' of [compare] of program 'x'; did you mean 'relative'?",
    ),
    (PROGRAM + "compare = { reference = 'cuda' }\n", ":4: program 'x' has no 'cuda_sources'"),
    (PROGRAM + TIMES, ":10: 'x' needs a group"),
    (PROGRAM + "time = { pattern = '(.)' }\n", ":4: [time] of program 'x' needs 'unit'"),
    (PROGRAM + "decides = 'printed'\n", ":4: program 'x' has no [time]"),
    (PROGRAM + "inputs = ['a.c=../x']\n", ":4: '../x' of program 'x' is not a name in the folder"),
    (PROGRAM + "arguments = []\n[program.runs]\na = []\n", ":5: program 'x' has both 'runs' and"),
    (PROGRAM.replace("a.c", "b.c"), ":3: 'b.c' of program 'x': no such file"),
    (PROGRAM.replace('"x"', '"a/b"'), ":2: 'a/b' is not a name"),
    ("[defaults]\nname = 'x'\n" + PROGRAM, ":2: 'name' cannot be the same for all programs"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=lambda value: value[-50:])
def test_errors_name_their_place(folder: Path, text: str, message: str):
    with pytest.raises(ManifestError) as problem:
        parse_manifest("bench.toml", text, folder)
    assert str(problem.value).startswith("bench.toml" + message)


def test_errors_of_json(folder: Path):
    with pytest.raises(ManifestError, match=r"bench\.json:1:2: "):
        parse_manifest("bench.json", "{", folder)
    with pytest.raises(ManifestError, match=r"bench\.json: unknown key 'a'"):
        parse_manifest("bench.json", '{"a": 1, "program": []}', folder)


def test_a_folder_of_sources(folder: Path):
    (folder / "b.cpp").write_text("")
    found = find(str(folder))
    assert [(p.name, bool(p.cuda_sources)) for p in found.programs] == [("a", True), ("b", False)]


def test_a_folder_of_folders(folder: Path):
    for name in ("one/x.c", "one/y.c", "one/x.cu", "two/z.cpp", "notes/readme.txt"):
        (folder / "all" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "all" / name).write_text("")
    found = find(str(folder / "all"))
    assert [(p.name, len(p.sources), len(p.cuda_sources)) for p in found.programs] == [("one", 2, 1), ("two", 1, 0)]


def test_a_folder_with_a_manifest_and_the_manifest_itself(folder: Path):
    (folder / "bench.toml").write_text(PROGRAM)
    assert find(str(folder)).programs == find(str(folder / "bench.toml")).programs


def test_nothing_to_measure(tmp_path: Path):
    with pytest.raises(ManifestError, match=r"no bench\.toml and no C or C\+\+ sources"):
        find(str(tmp_path))
    with pytest.raises(ManifestError, match="no such manifest or folder"):
        find(str(tmp_path / "x"))
