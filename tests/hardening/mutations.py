"""Ways to spoil a file: bytes, lines, and tokens put in each other's place or turned into something nasty."""

# Every mutation has one signature.
# ruff: noqa: ARG001, ARG005

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

TOKEN = re.compile(rb'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*|[-+]?[0-9][0-9_.eE+:-]*|\{[^{}\n]*\}|\[[^\[\]\n]*\]|[=,.|;]')
NUMBERS = (
    b"0", b"-0.0", b"-1", b"1", b"1e308", b"-1e308", b"1e-308", b"5e-324", b"nan", b"inf", b"-inf", b"1" + b"0" * 400,
    b"-9" + b"9" * 5000, b"1" + b"0" * 30, b"9223372036854775808", b"0x7fffffffffffffff", b"1_000", b"1,5", b"1e999",
    b"0.1e-1", b"1979-05-27", b"07:32:00", b"true", b"''", b"1e16", b"65535", b"2147483648",
)  # fmt: skip
WORDS = (
    b'"../../../../etc/passwd"', b'"/dev/zero"', b'"/dev/stdin"', b'"\\u001b[31mred\\u001b[0m"', b'"\x1b]0;title\x07"',
    b'"\\u202egnp.exe"', b'"' + b"x" * 100_000 + b'"', b'"=cmd|\'/c calc\'!A1"', b'"<script>alert(1)</script>"',
    b'"[bold red]markup[/]"', b'"[/]"', b'"[link=http://x]y"', b'"{{7*7}}"', b'"%s%s%n"', b'"\xc3\x28"',
    b'"\\uD800"', b'""',
    b'"trn2.utilization"', b'"NULL"', b'"*"', b'"[!"',
)  # fmt: skip
DEEP = (
    b"[" * 5000, b"{a=" * 3000, b"[" * 900 + b"]" * 900, b"{a=" * 400 + b"1" + b"}" * 400, b"{" * 4000, b"(" * 4000,
    b".".join([b"a"] * 3000), b'{"a":' * 3000, b"a" * 50_000,
)  # fmt: skip

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def _at(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def flip(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = _at(data, random)
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def insert(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = _at(data, random)
    return data[:at] + random.randbytes(random.choice([1, 1, 2, 8])) + data[at:]


def cut(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    return data[: _at(data, random)]


def hole(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = _at(data, random)
    return data[:at] + data[at + random.choice([1, 1, 2, 5, 40, 400]) :]


def repeat(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    at = _at(data, random)
    piece = data[at : at + random.choice([1, 4, 60, 600])]
    return data[:at] + piece * random.choice([2, 3, 50]) + data[at + len(piece) :]


def _lines(change: Callable[[list[bytes], Random, Sequence[bytes]], None]) -> Mutation:
    def mutate(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
        lines = data.splitlines(keepends=True) or [b"\n"]
        change(lines, random, others)
        return b"".join(lines)

    return mutate


@_lines
def drop_line(lines: list[bytes], random: Random, others: Sequence[bytes]) -> None:
    del lines[random.randrange(len(lines))]


@_lines
def double_line(lines: list[bytes], random: Random, others: Sequence[bytes]) -> None:
    lines.insert(random.randrange(len(lines) + 1), random.choice(lines))


@_lines
def swap_lines(lines: list[bytes], random: Random, others: Sequence[bytes]) -> None:
    a, b = random.randrange(len(lines)), random.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


@_lines
def foreign_line(lines: list[bytes], random: Random, others: Sequence[bytes]) -> None:
    theirs = random.choice(others).splitlines(keepends=True) or [b"\n"]
    lines.insert(random.randrange(len(lines) + 1), random.choice(theirs))


def _token(choose: Callable[[bytes, list[bytes], Random], bytes]) -> Mutation:
    def mutate(data: bytes, random: Random, others: Sequence[bytes]) -> bytes:
        found = list(TOKEN.finditer(data))
        if not found:
            return data
        at = random.choice(found)
        new = choose(at.group(), [each.group() for each in found], random)
        return data[: at.start()] + new + data[at.end() :]

    return mutate


another_token = _token(lambda _, tokens, random: random.choice(tokens))
nasty_number = _token(lambda _, tokens, random: random.choice(NUMBERS))
nasty_word = _token(lambda _, tokens, random: random.choice(WORDS))
deep = _token(lambda _, tokens, random: random.choice(DEEP))
no_token = _token(lambda _, tokens, random: b"")
scaled_number = _token(lambda token, _, random: token + random.choice([b"0", b"00000", b"e5", b"e-9", b".5", b"%"]))

MUTATIONS: tuple[Mutation, ...] = (
    flip, insert, cut, hole, repeat, drop_line, double_line, swap_lines, foreign_line, another_token, another_token,
    nasty_number, nasty_number, nasty_number, nasty_word, nasty_word, deep, no_token, scaled_number,
)  # fmt: skip


def mutated(samples: Sequence[bytes], seed: int) -> bytes:
    """One of the samples after one to four mutations; a function of the seed."""
    random = Random(seed)
    data = random.choice(samples)
    for _ in range(random.choice([1, 1, 2, 2, 3, 4])):
        data = random.choice(MUTATIONS)(data, random, samples)
    return data
