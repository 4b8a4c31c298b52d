"""Would catch: a reader that raises on what it reads, counts an event twice, or loses a line."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.evidence import EvidenceError, Options, Reading, read
from simulator.evidence.grammars import NAMES as LOGS
from simulator.evidence.registry import readers

from .corpus import CORPUS, counts

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def attempt(path: Path, text: str | bytes, **options: str) -> Reading | None:
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    try:
        got = read(path, Options(**options))  # type: ignore[arg-type]
    except EvidenceError:
        return None
    assert got.used + got.merged + got.ignored + got.rejected_count == got.lines
    if isinstance(text, str) and got.reader in LOGS and "\r" not in text and len(text) < 100_000:
        assert got.lines == text.count("\n") + (text[-1:] not in ("", "\n"))
    return got


@pytest.mark.parametrize("name", CORPUS)
def test_a_cut_file_never_raises_and_balances(name: str, tmp_path: Path) -> None:
    text = CORPUS[name]

    @QUICK
    @given(st.integers(0, len(text)), st.integers(0, 40))
    def check(cut: int, hole: int) -> None:
        attempt(tmp_path / "cut", text[:cut])
        attempt(tmp_path / "hole", text[:cut] + text[cut + hole :])

    check()


@pytest.mark.parametrize("name", CORPUS)
def test_lines_printed_twice_count_once(name: str, tmp_path: Path) -> None:
    lines = CORPUS[name].splitlines(keepends=True)
    once = attempt(tmp_path / "once", "".join(lines))
    assert once is not None

    @QUICK
    @given(st.lists(st.integers(1, 3), min_size=len(lines), max_size=len(lines)))
    def check(times: list[int]) -> None:
        text = "".join(line * n for line, n in zip(lines, times, strict=True))
        twice = attempt(tmp_path / "twice", text)
        assert twice is not None
        assert counts(twice) == counts(once)
        assert twice.lines == text.count("\n")

    check()


@pytest.mark.parametrize("name", CORPUS)
def test_foreign_lines_between_change_no_count(name: str, tmp_path: Path) -> None:
    lines = CORPUS[name].splitlines(keepends=True)
    once = attempt(tmp_path / "once", "".join(lines))
    assert once is not None
    foreign = ["\n", "hello world\n", "> building dataset index ...\n", "\x1b[31m 42 \x1b[0m\n"]
    if "," in lines[0] and "{" not in lines[0]:
        foreign = ["\n"]  # in a table a foreign line is a broken record

    @QUICK
    @given(st.lists(st.sampled_from(["", *foreign]), min_size=len(lines), max_size=len(lines)))
    def check(between: list[str]) -> None:
        text = "".join(line + other for line, other in zip(lines, between, strict=True))
        mixed = attempt(tmp_path / "mixed", text)
        assert mixed is not None
        assert counts(mixed) == counts(once)

    check()


@QUICK
@given(data=st.data())
def test_files_shuffled_together_never_raise(data: st.DataObject, tmp_path: Path) -> None:
    lines = [line for text in CORPUS.values() for line in text.splitlines(keepends=True)]
    chosen = data.draw(st.lists(st.sampled_from(lines), max_size=60))
    attempt(tmp_path / "mixed", "".join(chosen))


@QUICK
@given(text=st.text(max_size=400), name=st.sampled_from(sorted(CORPUS)), reader=st.sampled_from(sorted(readers())))
def test_no_reader_raises_on_what_is_not_its_own(text: str, name: str, reader: str, tmp_path: Path) -> None:
    attempt(tmp_path / "any", text, reader=reader)
    attempt(tmp_path / "other", CORPUS[name], reader=reader)
    attempt(tmp_path / "both", CORPUS[name] + text)


@QUICK
@given(data=st.binary(max_size=600))
def test_bytes_of_any_kind_are_read_or_refused(data: bytes, tmp_path: Path) -> None:
    attempt(tmp_path / "bytes", data)
