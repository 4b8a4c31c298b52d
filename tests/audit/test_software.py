"""Releases that cannot have run on the hardware."""

from __future__ import annotations

import pytest

from simulator.audit.software import release
from tests.audit.clean_study import Find


@pytest.mark.parametrize(
    ("text", "numbers"), [("2.20", (2, 20)), ("Neuron SDK 2.21.0", (2, 21, 0)), ("latest", ())], ids=str
)
def test_release(text: str, numbers: tuple[int, ...]) -> None:
    assert release(text) == numbers


@pytest.mark.parametrize(("sdk", "fires"), [("2.20", True), ("2.20.2", True), ("2.21", False), ("2.31.0", False)])
def test_sdk_older_than_hardware(find: Find, sdk: str, fires: bool) -> None:
    assert ("sdk_older_than_hardware" in find(more=f'[reported.trn2]\nsdk = "{sdk}"\n')) is fires
    assert "sdk_older_than_hardware" not in find(more=f'[reported.h100]\nsdk = "{sdk}"\n')
