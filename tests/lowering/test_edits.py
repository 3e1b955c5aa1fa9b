"""Edits that quote what other edits change, and directives that end a line."""

from __future__ import annotations

from itertools import permutations

import pytest

from rexcc.source.edits import OUTERMOST, EditList, Quote, Quoted, content, listed

TEXT = "for (i = lo; i < n; i++) use(n);\n"


def place(part: str) -> tuple[int, int]:
    start = TEXT.index(part)
    return start, start + len(part)


def test_a_quotation_shows_later_edits_of_its_range() -> None:
    edits = EditList()
    low, high = Quote(*place("lo")), Quote(*place("i < n"))
    edits.rewrite(0, TEXT.index(" use"), ("while (", low, " + ", high, ")"))
    edits.replace(*place("lo"), "this->lo")
    edits.insert(TEXT.index("i < n"), "(long)")
    edits.replace(TEXT.index("n)"), TEXT.index("n)") + 1, "m")
    assert edits.apply(TEXT) == "while (this->lo + (long)i < n) use(m);\n"


def test_what_edits_put_in_a_text_is_put_together_of_parts() -> None:
    low = Quote(0, 1)
    assert content("f(", low, (", ", low), ")") == ("f(", low, ", ", low, ")")
    assert listed(["a", low, ("b", low)]) == ("a", ", ", low, ", ", "b", low)
    assert listed([]) == ()


def test_a_quotation_stands_on_one_line_without_comments() -> None:
    text = 'x = a /* old */ +  // new\n    f("// text");'
    edits = EditList()
    edits.rewrite(0, 3, ("y = ", Quote(4, len(text) - 1), " +"))
    assert edits.apply(text, 0, 3) == 'y = a   +   f("// text") +'


def test_insertions_nest_as_their_ranges_do_whatever_the_order() -> None:
    calls = [
        lambda edits: edits.wrap(0, 3, "<outer>", "</outer>"),
        lambda edits: edits.wrap(0, 1, "<first>", "</first>"),
        lambda edits: edits.wrap(2, 3, "<last>", "</last>"),
        lambda edits: edits.insert(0, "here:"),
        lambda edits: edits.wrap(3, 4, "<next>", "</next>"),
    ]
    for order in permutations(calls):
        edits = EditList()
        for call in order:
            call(edits)
        wanted = "<outer><first>here:a</first>+<last>b</last></outer><next>;</next>"
        assert edits.apply("a+b;") == wanted


def test_of_insertions_for_one_range_the_first_is_the_outermost() -> None:
    edits = EditList()
    edits.wrap(0, 1, "f(", ")/*f*/")
    edits.wrap(0, 1, "g(", ")/*g*/")
    edits.after(0, 1, " one;")
    edits.after(0, 1, " two;")
    assert edits.apply("a") == "f(g(a)/*g*/)/*f*/ one; two;"


def test_a_replacement_at_a_place_follows_what_is_inserted_there() -> None:
    edits = EditList()
    edits.replace(0, 1, "x")
    edits.before(0, 3, "(")
    edits.after(0, 3, ")")
    assert edits.apply("a+b") == "(x+b)"


def test_edits_still_must_not_overlap() -> None:
    edits = EditList()
    edits.replace(0, 5, "a")
    edits.replace(3, 8, "b")
    with pytest.raises(ValueError, match="overlapping"):
        edits.apply(TEXT)


def test_a_line_directive_that_an_edit_ends_with_has_its_own_line() -> None:
    edits = EditList()
    edits.insert(3, '\n#line 7 "t.c"')
    edits.insert(3, " }")
    assert edits.apply("abc\ndef\n") == 'abc\n#line 7 "t.c"\n }\ndef\n'
    alone = EditList()
    alone.insert(3, '\n#line 7 "t.c"')
    assert alone.apply("abc \r\ndef\n") == 'abc\n#line 7 "t.c" \r\ndef\n'
    assert EditList().apply('#line 3 "x" /* the user\'s */\n') == '#line 3 "x" /* the user\'s */\n'


class Enclosed:
    """A structure: brackets with a number around a range, or in its place."""

    def __init__(self, number: int, kept: Quote | None) -> None:
        self.number, self.kept = number, kept

    def text(self, quoted: Quoted) -> str:
        return f"<{self.number} {quoted(self.kept.start, self.kept.end) if self.kept else ''} {self.number}>"


def test_what_stays_of_a_structures_range_keeps_its_edits() -> None:
    edits = EditList()
    edits.restructure(0, 3, Enclosed(1, Quote(2, 3)))
    edits.replace(2, 3, "c")
    edits.after(2, 3, "!")
    edits.after(0, 3, ";")
    edits.before(0, 3, "(")
    assert edits.apply("a+b=") == "(<1 c! 1>;="
    assert edits.is_free(3, 4) and not edits.is_free(0, 1)
    edits.restructure(3, 4, Enclosed(2, None))
    assert edits.apply("a+b=") == "(<1 c! 1>;<2  2>"


def test_of_structures_for_one_range_the_first_is_the_outermost() -> None:
    edits = EditList()
    for number in (1, 2, 3):
        edits.restructure(0, 1, Enclosed(number, Quote(0, 1)))
    edits.insert(0, "this->")
    assert edits.apply("a b") == "<1 <2 <3 this->a 3> 2> 1> b"


def test_structures_and_pairs_of_insertions_nest_as_they_came() -> None:
    edits = EditList()
    edits.wrap(0, 1, "(", ")")
    edits.restructure(0, 1, Enclosed(1, Quote(0, 1)))
    edits.wrap(0, 1, "[", "]")
    assert edits.apply("a;") == "(<1 [a] 1>);" and edits.has_insertion(0)
    edits.restructure(0, 1, Enclosed(2, Quote(0, 1)), OUTERMOST)
    assert edits.apply("a;") == "<2 (<1 [a] 1>) 2>;"


def test_what_goes_with_a_structure_takes_its_edits_along() -> None:
    edits = EditList()
    edits.wrap(2, 3, "(", ")")
    edits.wrap(0, 1, "[", "]")
    edits.restructure(0, 3, Enclosed(1, Quote(0, 1)))
    edits.wrap(0, 3, "f(", ")")
    assert edits.apply("a+b;") == "f(<1 [a] 1>);"


def test_an_edit_around_a_range_is_no_part_of_it() -> None:
    edits = EditList()
    edits.wrap(0, 3, "(", ")")
    edits.wrap(2, 3, "[", "]")
    assert edits.apply("a+b", 2, 3) == "[b]" and edits.apply("a+b", 0, 1) == "a"
