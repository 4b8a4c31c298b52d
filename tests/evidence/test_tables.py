"""Records of a table: physical line numbers stay right, and one bad quote costs one line."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from simulator.evidence.lines import Line
from simulator.evidence.tables import Broken, Header, Record, find_header, records

HEADER = Header(1, ",", ("a", "b", "c"))


def lines(text: str) -> Iterable[Line]:
    return [Line(i, part) for i, part in enumerate(text.split("\n"), 1)]


def read(text: str) -> list[tuple[int, int, object]]:
    found = records(lines(text), HEADER)
    return [(r.number, r.span, r.cells if isinstance(r, Record) else r.reason) for r in found]


def test_quoted_line_breaks() -> None:
    assert read('a,b,c\n1,"x\n\ny ""z""",3\n4,5,6') == [
        (1, 1, ("a", "b", "c")),
        (2, 3, ("1", 'x\n\ny "z"', "3")),
        (5, 1, ("4", "5", "6")),
    ]


def test_an_open_quote_gives_up_its_own_line_only() -> None:
    assert read('a,b,c\n1,"open,3\n4,5,6\n7,"8",9')[1:] == [
        (2, 1, "a quote is not closed"),
        (3, 1, ("4", "5", "6")),
        (4, 1, ("7", "8", "9")),
    ]


def test_two_open_quotes_do_not_swallow_what_is_between_them() -> None:
    assert [number for number, _, cells in read('a,b,c\n1,"o,3\n4,5,6\n7,"o,9\n1,2,3') if isinstance(cells, tuple)] == [
        1,
        3,
        5,
    ]


def test_a_quote_inside_a_cell_is_a_character() -> None:
    assert read('a,b,c\n1,5" disk,3')[1] == (2, 1, ("1", '5" disk', "3"))


def test_widths() -> None:
    assert read("a,b,c\n1,2\n1,2,3,\n1,2,3,4\n")[1:] == [
        (2, 1, "2 cells, expected 3"),
        (3, 1, ("1", "2", "3")),
        (4, 1, "4 cells, expected 3"),
        (5, 1, ()),
    ]


def test_header_below_a_title() -> None:
    header = find_header(["Report;of", "sep=;", "", "x;y"], lambda names: "x" in names)
    assert header == Header(4, ";", ("x", "y"))


@given(st.lists(st.text(alphabet='ab",; \\', max_size=12), max_size=30))
def test_every_line_has_one_place(texts: list[str]) -> None:
    whole = [Line(i, text) for i, text in enumerate(["a,b,c", *texts], 1)]

    covered = [n for r in records(whole, HEADER) for n in range(r.number, r.number + r.span)]

    assert covered == [line.number for line in whole]
    assert all(isinstance(r, Record | Broken) for r in records(whole, HEADER))
