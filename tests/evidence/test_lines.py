"""Would catch: a line lost, numbered wrongly, or held in memory whole."""

import gzip
import hashlib
from pathlib import Path

import pytest
import zstandard

from simulator.evidence import lines
from simulator.evidence.lines import EvidenceError, Line, Source


def read(path: Path, data: bytes) -> list[Line]:
    path.write_bytes(data)
    source = Source(path)
    got = list(source.lines())
    assert source.sha256 == hashlib.sha256(data).hexdigest()
    assert source.bytes == len(data)
    return got


def texts(got: list[Line]) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in got]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", [(1, "a"), (2, "b")]),
        (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
        (b"a\n\nb", [(1, "a"), (2, ""), (3, "b")]),
        (b"\xef\xbb\xbfa\n", [(1, "a")]),
        ("zürich\n".encode("utf-16"), [(1, "zürich")]),
        ("a b c d e f g h\nz\n".encode("utf-16-le"), [(1, "a b c d e f g h"), (2, "z")]),
        ("zürich\nok\n".encode("latin-1"), [(1, "zürich"), (2, "ok")]),
        (b" 10%\r 20%\r 30%\nend\n", [(1, " 10%"), (1, " 20%"), (1, " 30%"), (2, "end")]),
        (b"\x1b[32mstep\x1b[0m: 1\x1b[A\n#033[Ax\n", [(1, "step: 1"), (2, "x")]),
        (b"a\x00\x00b\n", [(1, "ab")]),
        (b"a\n\x00\x00", [(1, "a"), (2, "")]),  # a crashed node's last line
        (gzip.compress(b"a\nb\n"), [(1, "a"), (2, "b")]),
        (zstandard.compress(b"a\nb\n"), [(1, "a"), (2, "b")]),
        (b"", []),
    ],
)
def test_lines_are_numbered_as_on_the_disk(tmp_path: Path, data: bytes, expected: list[tuple[int, str]]) -> None:
    assert texts(read(tmp_path / "log", data)) == expected


@pytest.mark.parametrize("block", [1, 2, 3, 7])
def test_blocks_of_any_size_give_the_same_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    data = "eins\r\nzwölf\r 5%\r 6%\r\n\r\nlast".encode()
    whole = read(tmp_path / "log", data)
    monkeypatch.setattr(lines, "BLOCK", block)
    assert read(tmp_path / "log", data) == whole


def test_a_line_over_the_limit_is_one_line_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_LIMIT", 100)
    monkeypatch.setattr(lines, "BLOCK", 64)
    got = read(tmp_path / "log", b"a\n" + b"x" * 1000 + b"\nb\n")
    assert texts(got) == [(1, "a"), (2, ""), (3, "b")]
    assert got[1].fault == "a line of 1,000 bytes, over 100"


def test_a_last_line_without_an_end_may_be_cut(tmp_path: Path) -> None:
    assert [line.whole for line in read(tmp_path / "log", b"a\nb")] == [True, False]


def test_a_cut_archive_gives_what_it_holds_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "log.gz"
    data = gzip.compress("".join(f"line {i * i}\n" for i in range(100_000)).encode())
    path.write_bytes(data[: len(data) // 2])
    source = Source(path)
    assert len(list(source.lines())) > 1000
    assert any("cut or damaged" in note for note in source.notes)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_an_archive_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(lines, "BOMB_FLOOR", 1 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(pack(b"0" * (4 << 20)))
    with pytest.raises(EvidenceError, match="expands over"):
        list(Source(path).lines())


@pytest.mark.parametrize("data", [b"PK\x03\x04....", b"\x7fELF" + bytes(100), bytes(range(256)) + bytes(900)])
def test_binary_files_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    source = Source(path)
    assert source.head.binary
    with pytest.raises(EvidenceError):
        list(source.lines())


def test_what_is_no_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="a folder"):
        Source(tmp_path)
    with pytest.raises(EvidenceError, match="no such file"):
        Source(tmp_path / "none")
