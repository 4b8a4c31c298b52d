"""Sections of a study that other parts of the program own; typed here because they stand in the same file."""

from __future__ import annotations


class Reported: ...


class Evidence: ...


class Poc: ...


class Memo: ...
