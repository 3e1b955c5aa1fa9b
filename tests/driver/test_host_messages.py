"""Messages of the host's compiler about rewritten files, with the user's lines and columns."""

from __future__ import annotations

import pytest

from rexcc.driver.messages.documents import sarif_document
from rexcc.driver.messages.findings import entries_of_text
from rexcc.driver.messages.host_messages import as_users

USERS = {
    "t.c": b"int main(void) { int n = 4; }\nvoid k(int n) { h(n); int k = 1; }\n"
    b"\tint a[3];\tint b; /* \xc3\xa4 */ int c;\n"
    b"int rex_mine(void);\n"
}
UNUSED = "warning: unused variable"


def shown(place: str, message: str, number: int, line: str, below: str) -> str:
    return f"{place}: {message}\n{number:5d} | {line}\n      | {below}"


def users(text: str) -> list[str]:
    return as_users(text, USERS.get).splitlines()


def test_text_of_ours_in_a_line_moves_nothing() -> None:
    line = "int main(void) { rex_offload_init(); int n = 4; }"
    at = line.index("n =")
    found = users(shown(f"t.c:1:{at + 1}", f"{UNUSED} 'n'", 1, line, f"{' ' * at}^~~"))
    assert found == [f"t.c:1:22: {UNUSED} 'n'", "    1 | int main(void) { int n = 4; }", f"      | {' ' * 21}^~~"]


def test_the_rest_of_a_line_that_was_parted() -> None:
    found = users(shown("t.c:2:11", f"{UNUSED} 'k'", 2, "h(n); int k = 1; }", f"{' ' * 10}^"))
    assert found == [f"t.c:2:27: {UNUSED} 'k'", "    2 | void k(int n) { h(n); int k = 1; }", f"      | {' ' * 26}^"]


def test_the_beginning_of_a_line_that_was_parted() -> None:
    line = "void k(int n) { rex_batch_begin(); /* nothing */"
    found = users(shown("t.c:2:12", "warning: unused parameter 'n'", 2, line, "       ~~~~^"))
    assert found[0] == "t.c:2:12: warning: unused parameter 'n'"
    assert found[1:] == ["    2 | void k(int n) { h(n); int k = 1; }", "      |        ~~~~^"]


def test_tabs_and_letters_of_several_bytes() -> None:
    line = "        rex_lock(); int a[3];   int b; /* ä */ int c;"
    at = line.index("c;")
    found = users(shown(f"t.c:3:{at}", f"{UNUSED} 'c'", 3, line, f"{' ' * at}^"))
    column = USERS["t.c"].splitlines()[2].index(b"c;") + 1
    assert found[0] == f"t.c:3:{column}: {UNUSED} 'c'"
    assert found[1][8:].index("c;") == found[2][8:].index("^")


OURS = shown(
    "t.c:1:18", "warning: identifier '__args' is reserved", 1, "{ void *__args[] = {(void *)&n}; }", f"{' ' * 17}^"
)
NOTE = "<scratch space>:7:1: note: expanded from here\n    7 | __rex_quiet_main\n      | ^"
THEIRS = shown("t.c:1:22", f"{UNUSED} 'n'", 1, "int main(void) { int n = 4; }", f"{' ' * 21}^")


def test_warnings_of_text_of_ours_are_left_out_with_their_notes_and_counted_no_more() -> None:
    entry = "t.c:9:1: warning: no previous declaration of '__rex_quiet_main'"
    assert users(f"{OURS}\n{NOTE}\n{THEIRS}\n{entry}\n{NOTE}\n3 warnings generated.") == [
        *THEIRS.splitlines(), "1 warning generated."
    ]  # fmt: skip
    assert users(f"In file included from t.c:1:\n{OURS}\n1 warning generated.") == []


def test_a_name_of_the_users_that_could_be_ours_is_told() -> None:
    told = shown("t.c:4:5", "warning: unused function 'rex_mine'", 4, "int rex_mine(void);", "    ^~~~~~~~")
    assert users(f"{told}\n1 warning generated.") == [*told.splitlines(), "1 warning generated."]


def test_errors_in_text_of_ours_stay() -> None:
    text = OURS.replace("warning: identifier '__args' is", "error: bad").replace("reserved", "text")
    assert users(f"{text}\n1 error generated.") == [*text.splitlines(), "1 error generated."]


MADE = '#line 1 "t.c"\nint main(void) { rex_offload_init(); int n = 4; }\n#line 3 "t.c"\n\trex(); int a[3];\tint b;\n'


def test_gcc_shows_the_users_line_with_the_columns_of_the_compiled_one() -> None:
    at = MADE.splitlines()[1].index("n =")
    text = shown(f"t.c:1:{at + 1}", "warning: unused variable ‘n’", 1, "int main(void) { int n = 4; }", f"{' ' * at}^")
    first, line, below = as_users(text, USERS.get, [MADE]).splitlines()
    assert (first, line[8:].index("n ="), below[8:]) == ("t.c:1:22: warning: unused variable ‘n’", 21, f"{' ' * 21}^")
    at = MADE.splitlines()[3].expandtabs(8).index("a[")
    line = USERS["t.c"].decode().splitlines()[2].expandtabs(8)
    first, *_ = as_users(shown(f"t.c:3:{at + 1}", "warning: ‘a’", 3, line, "^"), USERS.get, [MADE]).splitlines()
    assert first == f"t.c:3:{at + 1}: warning: ‘a’"  # where the line has no end like the user's, nothing is moved


def test_fixits_are_the_users_too() -> None:
    at = MADE.splitlines()[1].index("= 4")
    fix = 'fix-it:"t.c":{%d:%d-%d:%d}:"=\\""'
    text = shown(f"t.c:1:{at + 1}", "warning: x", 1, MADE.splitlines()[1], f"{' ' * at}^")
    printed = as_users(f"{text}\n{fix % (2, at + 1, 2, at + 2)}", USERS.get, [MADE])  # clang counts its own lines
    assert printed.splitlines()[-1] == fix % (1, 24, 1, 25)
    (entry,) = entries_of_text(printed)
    (found,) = entry.fixes
    assert (found.text, found.region.line, found.region.column, found.region.end_column) == ('="', 1, 24, 25)
    assert sarif_document([entry], ["t.c"], 0).count("insertedContent") == 1


def test_what_an_optimiser_tells_has_the_place_of_its_note() -> None:
    lost = "note: could not determine the original source location for src/t.c:13:1"
    found = users(f"warning: loop not vectorized [-Wpass-failed]\n{lost}\n1 warning generated.")
    assert found == ["src/t.c:13:1: warning: loop not vectorized [-Wpass-failed]", "1 warning generated."]
    assert users(lost) == [lost]


@pytest.mark.parametrize(
    "text", ["", "/usr/bin/ld: cannot find -lx", "t.c: In function 'main':\n" + THEIRS, "warning: -O9"]
)
def test_other_text_stays(text: str) -> None:
    assert users(text) == text.splitlines()
