"""``--diagnostics=json`` and ``--diagnostics=sarif``: findings as a document for programs.

In: entries. Out: text. The JSON form is gcc's (``-fdiagnostics-format=json``), which editors know, with rexcc's codes
as ``option``; the other is SARIF 2.1.0 with the explanations of ``--explain`` as its rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from rexcc import __version__
from rexcc.driver.messages.findings import Entry, Region, Replacement
from rexcc.driver.options import explain

Json = dict[str, Any]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "remark": "note", "note": "note"}


def json_document(entries: Sequence[Entry]) -> str:
    """Return an array with one object per finding, as gcc writes it, on one line."""
    return json.dumps([_gcc_form(entry) for entry in entries])


def _gcc_form(entry: Entry) -> Json:
    found: Json = {"kind": entry.kind, "message": entry.message}
    if entry.code:
        found["option"] = entry.code
    found["locations"] = [_gcc_range(entry.region)] if entry.region else []
    found["children"] = [_gcc_form(note) for note in entry.notes]
    if entry.fixes:
        found["fixits"] = [_gcc_fix(fix) for fix in entry.fixes]
    return found | {"column-origin": 1, "escape-source": False}


def _gcc_range(region: Region) -> Json:
    last = region.end_column - 1 if region.end_line > region.line else max(region.column, region.end_column - 1)
    caret, finish = _gcc_point(region.file, region.line, region.column), _gcc_point(region.file, region.end_line, last)
    return {"caret": caret} if caret == finish else {"caret": caret, "finish": finish}


def _gcc_fix(fix: Replacement) -> Json:
    region = fix.region
    start = _gcc_point(region.file, region.line, region.column)
    return {"start": start, "next": _gcc_point(region.file, region.end_line, region.end_column), "string": fix.text}


def _gcc_point(file: str, line: int, column: int) -> Json:
    return {"file": file, "line": line, "column": column, "display-column": column}


def sarif_document(entries: Sequence[Entry], arguments: Sequence[str], status: int) -> str:
    """Return a SARIF log: the findings with a place as results, the others as notifications of the run."""
    placed = [entry for entry in entries if entry.region is not None or entry.code]
    others = [entry for entry in entries if entry.region is None and not entry.code]
    rules = sorted({entry.code for entry in placed if entry.code})
    run = {
        "tool": {"driver": {"name": "rexcc", "version": __version__, "rules": [_rule(code) for code in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": status == 0,
                "exitCode": status,
                "arguments": list(arguments),
                "toolExecutionNotifications": [
                    {"level": _LEVELS[entry.kind], "message": {"text": entry.message}} for entry in others
                ],
            }
        ],
        "results": [_result(entry, rules) for entry in placed],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str) -> Json:
    if code not in explain.known_codes():  # an option of the host compiler, such as -Wunused-variable
        return {"id": code}
    found = explain.explanation(code)
    text = explain.explained(code)
    return {
        "id": code,
        "shortDescription": {"text": f"{found.title[0].upper()}{found.title[1:]}."},
        "fullDescription": {"text": found.text},
        "help": {"text": text},
    }


def _result(entry: Entry, rules: list[str]) -> Json:
    found: Json = {"level": _LEVELS[entry.kind], "message": {"text": entry.message}}
    if entry.code:
        found |= {"ruleId": entry.code, "ruleIndex": rules.index(entry.code)}
    if entry.region:
        found["locations"] = [_location(entry.region)]
    if entry.notes:
        found["relatedLocations"] = [_related(index, note) for index, note in enumerate(entry.notes)]
    fixes = [_fix(entry.fixes)] if entry.fixes else []
    fixes += [_fix(note.fixes) | {"description": {"text": note.message}} for note in entry.notes if note.fixes]
    return found | ({"fixes": fixes} if fixes else {})


def _related(index: int, note: Entry) -> Json:
    place = _location(note.region) if note.region else {}
    return {"id": index, "message": {"text": note.message}} | place


def _location(region: Region) -> Json:
    shown = _region(region) | ({"snippet": {"text": region.text}} if region.text else {})
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(region.file)}, "region": shown}}


def _region(region: Region) -> Json:
    end = {"endLine": region.end_line, "endColumn": region.end_column}
    return {"startLine": region.line, "startColumn": region.column} | end


def _fix(fixes: Sequence[Replacement]) -> Json:
    changes = [
        {
            "artifactLocation": {"uri": _uri(file)},
            "replacements": [
                {"deletedRegion": _region(fix.region), "insertedContent": {"text": fix.text}}
                for fix in fixes
                if fix.region.file == file
            ],
        }
        for file in dict.fromkeys(fix.region.file for fix in fixes)
    ]
    return {"artifactChanges": changes}


def _uri(path: str) -> str:
    """Return a path as a URI reference; relative ones stay relative."""
    if PurePath(path).is_absolute():
        return "file://" + quote(path, errors="surrogateescape")
    return quote(path, errors="surrogateescape")
