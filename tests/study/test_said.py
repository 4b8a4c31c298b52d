"""Catches a sentence that loses what it was made of, or is another text than its English one."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict

from simulator.study import Note
from simulator.study.said import Said, Series

SENTENCE = Said("{count:,} of {what}: {{kept}}", count=1234, what=Series(" or ", (Said("{x:.1%}", x=0.5), "a {b}")))


def test_it_is_its_english_text() -> None:
    text = "1,234 of 50.0% or a {b}: {kept}"

    assert text == SENTENCE
    assert hash(SENTENCE) == hash(text)
    assert json.loads(json.dumps(SENTENCE)) == text


def test_copies_know_what_it_was_made_of() -> None:
    for twin in (copy.deepcopy(SENTENCE), pickle.loads(pickle.dumps(SENTENCE))):
        assert twin == SENTENCE
        assert (twin.template, twin.values["count"]) == (SENTENCE.template, 1234)
        assert (twin.values["what"].between, twin.values["what"].parts) == (" or ", ("50.0%", "a {b}"))


def test_a_record_that_is_taken_apart_keeps_it() -> None:
    message = asdict(Note("code", "info", "here", SENTENCE))["message"]

    assert message.template == SENTENCE.template
