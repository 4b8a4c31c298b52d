"""Files that are no studies: what a user sees before any key is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.study import Fault, StudyError, load_study
from simulator.study.document import MAX_BYTES, MAX_DEPTH
from tests.study.conftest import GOOD


def refused(path: Path, content: bytes | None = None) -> list[Fault]:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StudyError) as caught:
        load_study(path)
    return list(caught.value.faults)


BROKEN = {
    "duplicate key": (b"a = 1\nb = 2\na = 3\n", 3),
    "duplicate section": (b"[a]\n[b]\n[a]\n", 3),
    "no value": (b"a = 1\nb =\n", 2),
    "end within a text": (b'a = 1\nb = "x', 2),
    "end within an array": (b"a = 1\n\nb = [1,\n2\n", 4),
    "no UTF-8": b"# caf\xe9\n",
    "no UTF-8 later on": (b"a = 1\nb = '\xff\xfe'\n", 2),
    "UTF-16": ("a = 1\n".encode("utf-16"), 1),
    "null byte": (b"a = 1\nb = \x00\n", 2),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_toml_is_refused_with_its_line(case: str, tmp_path: Path) -> None:
    content, line = BROKEN[case] if isinstance(BROKEN[case], tuple) else (BROKEN[case], 1)

    (fault,) = refused(tmp_path / "study.toml", content)

    assert (fault.file, fault.line) == (str(tmp_path / "study.toml"), line)


def test_a_byte_order_mark_and_crlf_change_no_line(tmp_path: Path) -> None:
    text = GOOD.replace("price = 35", "price = -35").replace("\n", "\r\n")

    (fault,) = refused(tmp_path / "study.toml", b"\xef\xbb\xbf" + text.encode())

    assert (fault.line, fault.key) == (16, "options.trn2.price")


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD)

    (missing,) = refused(tmp_path / "study.toml")
    (folder,) = refused(tmp_path)

    assert missing.found == "no such file"
    assert folder.found == "this is a folder"
    assert "mine.toml" in folder.expected


def test_a_file_too_large_to_be_meant_is_not_parsed(tmp_path: Path) -> None:
    (fault,) = refused(tmp_path / "study.toml", b"#" * (MAX_BYTES + 1))

    assert "4 MiB" in fault.found


@pytest.mark.parametrize(
    "content",
    [b"a = " + b"[" * 50_000, b"a = " + b"[" * 20 + b"]" * 20, b".".join([b"a"] * 30) + b" = 1"],
    ids=["beyond the parser", "arrays", "dotted"],
)
def test_nesting_is_limited(content: bytes, tmp_path: Path) -> None:
    (fault,) = refused(tmp_path / "study.toml", content)

    assert str(MAX_DEPTH) in fault.expected


def test_an_escape_in_a_key_does_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(GOOD + '"\\u001b[2J" = 3\n')

    with pytest.raises(StudyError) as caught:
        load_study(tmp_path / "study.toml")

    assert "\x1b" not in str(caught.value)
    assert "\\u001b" in str(caught.value)


def test_a_note_may_have_lines_and_a_title_may_not(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text('note = """one\n\ttwo"""\n' + GOOD)
    assert load_study(path)

    (fault,) = refused(path, ('title = "one\\ntwo"\n' + GOOD).encode())

    assert fault.key == "title"


def test_text_and_digest_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())

    study = load_study(path)

    assert study.text == path.read_bytes()
    assert len(study.sha256) == 64
    assert study.path == str(path)
