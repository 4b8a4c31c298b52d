"""Numbered lines from a file of any size, encoding and compression, in bounded memory."""

import codecs
import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, NamedTuple, Protocol

BLOCK = 1 << 20
LINE_LIMIT = 16 << 20  # a record of neuron-monitor with 32 runtimes is 2 MB; nothing real comes near this
HEAD_BYTES = 256 << 10
BOMB_FLOOR = 64 << 20  # below this an expansion harms nobody
BOMB_RATIO = 200  # text logs shrink 5- to 50-fold; gzip's bound is 1,032

_ANSI = re.compile(r"(?:\x1b|#033)(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\n]*\x07|[@-Z\\-_])")
_CONTROL = dict.fromkeys((0, 0xFEFF), None)

_CONTROL_BYTES = [bytes([code]) for code in range(1, 32) if code not in b"\b\t\n\f\r\x1b"]

_MAGIC = {
    b"PK\x03\x04": "a zip archive (unpack it)",
    b"\x7fELF": "a program",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
    b"\x80\x04": "a pickle",
    b"\x80\x02": "a pickle",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet file",
    b"BZh": "bzip2 (unpack it)",
    b"\xfd7zXZ": "xz (unpack it)",
    b"7z\xbc\xaf": "a 7z archive (unpack it)",
}


class EvidenceError(Exception):
    """A file that cannot be taken as evidence, and what was expected of it."""

    def __init__(self, path: str, found: str, expected: str) -> None:
        super().__init__(f"{path}: {found}; expected {expected}")
        self.path, self.found, self.expected = path, found, expected


class Line(NamedTuple):
    """A line, or a piece of one between two carriage returns."""

    number: int  # where it stands in the file, from 1
    text: str
    span: int = 1  # lines it takes; more than 1 when wrapped lines were joined
    whole: bool = True  # False: the file ends without a line break, so the line may be cut
    fault: str = ""  # why it cannot be read at all (too long)


class Block(NamedTuple):
    """Consecutive whole lines as one text."""

    number: int  # of its first line
    text: str

    def texts(self) -> list[str]:
        texts = self.text.split("\n")
        if not texts[-1]:
            texts.pop()
        return texts

    def lines(self) -> Iterator[Line]:
        return map(Line, count(self.number), self.texts())


@dataclass(frozen=True, slots=True)
class Head:
    """The first part of a file, enough to recognise it by."""

    path: str
    raw: bytes
    text: str
    binary: str  # "" for text, else what it is

    @property
    def lines(self) -> list[str]:
        """Non-empty lines."""
        return [line for line in self.text.splitlines() if line.strip()]


class Source:
    """One file: a head to recognise it by, then its lines, its digest and its size.

    `sha256` and `bytes` are those of the file as it lies on the disk; they are complete once it was read through.
    """

    def __init__(self, path: str | Path) -> None:
        self.file = Path(path)
        self.path = str(path)
        self.notes: list[str] = []
        self._digest: str | None = None
        self._not_utf8 = 0
        try:
            if not self.file.is_file():
                raise EvidenceError(self.path, "a folder" if self.file.is_dir() else "no such file", "a file")
            self.bytes = self.file.stat().st_size
            with self.file.open("rb") as stream:
                start = stream.read(4)
            self.compression = "gz" if start[:2] == b"\x1f\x8b" else "zst" if start == b"\x28\xb5\x2f\xfd" else ""
            self.head = self._read_head()
        except OSError as error:
            raise EvidenceError(self.path, error.strerror or "cannot be opened", "a readable file") from error

    @property
    def sha256(self) -> str:
        if self._digest is None:
            with self.file.open("rb") as stream:
                self._digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return self._digest

    def lines(self) -> Iterator[Line]:
        """Every line, decoded and free of terminal codes; the pieces of a progress bar one by one."""
        for piece in self.pieces():
            if isinstance(piece, Block):
                yield from piece.lines()
            else:
                yield piece

    def pieces(self) -> Iterator["Block | Line"]:
        """The same lines, as blocks where they are plain: a reader may take a block of regular lines at one stroke."""
        if self.head.binary:
            raise EvidenceError(self.path, self.head.binary, "text")
        number, pending, dropped = 1, b"", 0
        for block in self._utf8_blocks():
            data = pending + block if pending else block
            # A carriage return that ends the block may be half of CRLF: it waits for the next block.
            cut = max(data.rfind(b"\n"), data.rfind(b"\r", 0, len(data) - 1)) + 1
            done, pending = data[:cut], data[cut:]
            if dropped and done:
                first = min(i for i in (done.find(b"\n"), done.find(b"\r"), len(done)) if i >= 0) + 1
                yield Line(number, "", fault=f"a line of {dropped + first - 1:,} bytes, over {LINE_LIMIT:,}")
                number += done[first - 1 : first] == b"\n"
                done, dropped = done[first:], 0
            if done:
                yield from self._split(done, number)
                number += done.count(b"\n")
            if dropped or len(pending) > LINE_LIMIT:
                dropped, pending = dropped + len(pending), b""
        if dropped:
            yield Line(number, "", whole=False, fault=f"a line of {dropped:,} bytes, over {LINE_LIMIT:,}")
        elif pending:
            for piece in self._split(pending, number):
                for line in piece.lines() if isinstance(piece, Block) else (piece,):
                    yield line._replace(whole=False)
        if self._not_utf8:
            self.notes.append(f"{self._not_utf8:,} lines are not UTF-8: read as Latin-1")

    def document(self, limit: int = 256 << 20) -> str:
        """The whole text, for formats that are one document; files over `limit` bytes are refused."""
        if self.head.binary:
            raise EvidenceError(self.path, self.head.binary, "text")
        parts: list[bytes] = []
        size = 0
        for block in self._utf8_blocks():
            size += len(block)
            if size > limit:
                raise EvidenceError(self.path, f"one document of over {limit >> 20} MB", "a smaller one")
            parts.append(block)
        return self._decode(b"".join(parts))

    def _split(self, data: bytes, number: int) -> Iterator["Block | Line"]:
        text = self._decode(data)
        if "\r" in text:  # one character is found many times faster than two
            text = text.replace("\r\n", "\n")
        if "\r" not in text:
            yield Block(number, text or "\n")  # zero bytes alone are a line too, an empty one
            return
        for piece in re.split(r"(?<=\n)|(?<=\r)", text):
            bare = piece.rstrip("\r\n")
            if bare or piece.endswith("\n"):
                yield Line(number, bare)
            number += piece.endswith("\n")

    def _decode(self, data: bytes) -> str:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = "".join(self._decode_line(line) for line in data.splitlines(keepends=True))
        if "\x1b" in text or ("#" in text and "#033" in text):
            text = _ANSI.sub("", text)
        return text.translate(_CONTROL) if "\x00" in text or "\ufeff" in text else text

    def _decode_line(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError:
            self._not_utf8 += 1
            return line.decode("latin-1").replace("\x85", " ")

    def _utf8_blocks(self) -> Iterator[bytes]:
        """Blocks of UTF-8 (or of an unknown 8-bit code) without a byte-order mark."""
        encoding = _utf16(self.head.raw)
        if encoding is None:
            first = True
            for block in self.raw_blocks():
                yield block.removeprefix(codecs.BOM_UTF8) if first else block
                first = False
            return
        self.notes.append("UTF-16")
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        for block in self.raw_blocks():
            yield decoder.decode(block).encode("utf-8", "replace")
        yield decoder.decode(b"", final=True).encode("utf-8", "replace")

    def raw_blocks(self) -> Iterator[bytes]:
        """Decompressed blocks; digests the file on the way, refuses what expands without measure."""
        digest = hashlib.sha256()
        expanded = 0
        with self.file.open("rb") as stream:
            hashing = _Hashing(stream, digest)
            try:
                unpacked = self._unpacked(io.BufferedReader(hashing, BLOCK))
                while block := unpacked.read1(BLOCK):  # not read(): what precedes damage is kept
                    expanded += len(block)
                    if expanded > BOMB_FLOOR and expanded > BOMB_RATIO * max(self.bytes, 1):
                        raise EvidenceError(
                            self.path, f"expands over {BOMB_RATIO}-fold, to more than {expanded >> 20} MB", "a log"
                        )
                    yield block
            except (EOFError, zlib.error, gzip.BadGzipFile):
                self.notes.append(f"the {self.compression} archive is cut or damaged after {expanded:,} bytes")
            except OSError as error:
                raise EvidenceError(self.path, error.strerror or "cannot be read", "a readable file") from error
            except Exception as error:
                if type(error).__module__.partition(".")[0] != "zstandard":
                    raise
                self.notes.append(f"the zst archive is cut or damaged after {expanded:,} bytes")
            while hashing.read(BLOCK):
                pass
        self._digest = digest.hexdigest()

    def _unpacked(self, stream: io.BufferedReader) -> "_Stream":
        if self.compression == "gz":
            return gzip.GzipFile(fileobj=stream)
        if self.compression == "zst":
            import zstandard

            window = 1 << 27  # 128 MB, zstd's own default bound: a window is memory
            return zstandard.ZstdDecompressor(max_window_size=window).stream_reader(stream, read_across_frames=True)
        return stream

    def _read_head(self) -> Head:
        blocks, size = [], 0
        for block in self.raw_blocks():
            blocks.append(block)
            size += len(block)
            if size >= HEAD_BYTES:
                break
        raw = b"".join(blocks)[:HEAD_BYTES]
        self.notes.clear()
        encoding = _utf16(raw)
        text = raw.decode(encoding, "replace") if encoding else self._decode(raw.removeprefix(codecs.BOM_UTF8))
        self._not_utf8 = 0
        return Head(self.path, raw, text.lstrip("\ufeff"), "" if encoding else _binary(raw))


class _Stream(Protocol):
    def read1(self, size: int = ..., /) -> bytes: ...


class _Hashing(io.RawIOBase):
    """Digests what passes through it, so that one pass over the file is enough."""

    def __init__(self, stream: IO[bytes], digest: "hashlib._Hash") -> None:
        self._stream, self._digest = stream, digest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        block = self._stream.read(len(buffer))
        self._digest.update(block)
        buffer[: len(block)] = block
        return len(block)


def _utf16(raw: bytes) -> str | None:
    """UTF-16 by its mark, or by every other byte being zero as in any text of letters and digits."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = raw[:2000]
    for encoding, zeros, letters in (
        ("utf-16-le", sample[1::2], sample[::2]),
        ("utf-16-be", sample[::2], sample[1::2]),
    ):
        if len(zeros) >= 8 and zeros.count(0) > 0.8 * len(zeros) and letters.count(0) < 0.05 * len(letters):
            return encoding
    return None


def _binary(raw: bytes) -> str:
    for magic, name in _MAGIC.items():
        if raw.startswith(magic):
            return name
    # A crashed node leaves runs of zero bytes in a log, so some are forgiven.
    sample = raw[:8192]
    controls = sum(map(sample.count, _CONTROL_BYTES))
    return "a binary file" if sample.count(0) > 0.5 * len(sample) or controls > 0.05 * len(sample) else ""
