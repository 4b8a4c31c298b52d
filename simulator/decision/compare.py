"""Two studies side by side: which inputs differ, how the answer differs, and which of the changes moved it.

The changed inputs are swapped a group at a time: a group moved into A shows what it does first, the same group held
back from B what it does last. Where both agree the change acts by itself; where they differ it acts through the others.
All mixtures of A and B are scenarios of one run, so their differences carry next to no sampling noise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from simulator.decision.swap import Change, changes, differing, swapped
from simulator.engine import DEFAULT_SEED, CaseFigures, Figure, run
from simulator.study import Fault, Study, StudyError, load_study, scenario_of

SCHEMA = "switchodds/compare/1"
DRAWS = 2**14


@dataclass(frozen=True, slots=True)
class Answer:
    """What a study answers for one candidate."""

    p_beats: Figure
    saving: Figure
    saving_share: Figure


@dataclass(frozen=True, slots=True)
class Move:
    """What a group of changes does to a candidate's answer: by itself from A, and as the last step to B.

    The errors are those of two independent runs; common draws make the true ones smaller.
    """

    group: str
    p_beats_first: Figure
    p_beats_last: Figure
    saving_first: Figure
    saving_last: Figure

    @property
    def saving(self) -> float:
        """Change of the mean saving, averaged over both orders."""
        return (self.saving_first.value + self.saving_last.value) / 2

    @property
    def p_beats(self) -> float:
        """Change of P(beats), averaged over both orders."""
        return (self.p_beats_first.value + self.p_beats_last.value) / 2


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two studies: their changes by group, and for each common candidate both answers and what moved them most."""

    a: Study
    b: Study
    changes: Mapping[str, tuple[Change, ...]]
    best: tuple[str, str]
    answers: Mapping[str, tuple[Answer, Answer]]
    moves: Mapping[str, tuple[Move, ...]]

    def to_json(self) -> dict[str, object]:
        """The document that `simulate compare --json` prints."""
        return {
            "schema": SCHEMA,
            "a": _facts(self.a, self.best[0]),
            "b": _facts(self.b, self.best[1]),
            "changes": [
                {"group": group, **asdict(change)} for group, changes in self.changes.items() for change in changes
            ],
            "options": {
                name: {"a": _json(before), "b": _json(after), "moved_by": [_json(move) for move in self.moves[name]]}
                for name, (before, after) in self.answers.items()
            },
        }


def _facts(study: Study, best: str) -> dict[str, object]:
    return {
        "title": study.title, "path": study.path, "sha256": study.sha256, "posterior": study.posterior, "best": best
    }  # fmt: skip


def _json(value: Answer | Move) -> dict[str, object]:
    named = {name: getattr(value, name) for name in value.__dataclass_fields__}
    return {name: each.to_json() if isinstance(each, Figure) else each for name, each in named.items()}


def side(path: str) -> Study:
    """The study of a file, or that of a saved run with what the run changed of it."""
    folder = Path(path)
    if not (folder / "study.toml").is_file():
        return load_study(path)
    changed = folder / "settings.json"
    asked: dict[str, Any] = {"set": (), "scenario": None}
    if changed.is_file():
        asked |= json.loads(changed.read_text("utf-8"))
    return scenario_of(load_study(folder / "study.toml", asked["set"]), asked["scenario"])


def compare(a: Study, b: Study, draws: int = DRAWS, seed: int = DEFAULT_SEED) -> Comparison:
    """Compare two studies.

    Parameters
    ----------
    a, b : Study
        Studies with the same baseline and at least one candidate in common; scenarios are left aside.
    draws, seed : int
        Of the one run that all mixtures of the two share.

    Raises
    ------
    StudyError
        When they have no decision in common.
    """
    common = _common(a, b)
    old, new = (_only(each, common) for each in (a, b))
    groups = differing(old, new)
    mixtures = {"b": new}
    for group, parts in groups.items():
        others = [part for name, others in groups.items() if name != group for part in others]
        mixtures |= {f"first {group}": swapped(old, new, parts), f"last {group}": swapped(old, new, others)}
    result = run(replace(old, scenarios=mixtures), draws, seed)
    base = CaseFigures(result.options, result.decision, result.claims, result.histograms)
    cases = {"a": base, **result.scenarios}
    candidates = [name for name in common if name != a.baseline]
    return Comparison(
        a=a,
        b=b,
        changes=_options_changed(a, b) | {group: changes(parts, old, new) for group, parts in groups.items()},
        best=(cases["a"].decision.best, cases["b"].decision.best),
        answers={name: (_answer(cases["a"], name), _answer(cases["b"], name)) for name in candidates},
        moves={name: _moves(cases, name, groups) for name in candidates},
    )


def _common(a: Study, b: Study) -> list[str]:
    common = [name for name in a.options if name in b.options]
    if a.baseline != b.baseline or len(common) < 2:
        found = f"baseline {b.baseline}, options {', '.join(b.options)}"
        expected = f"baseline {a.baseline} and a candidate of {a.path}: {', '.join(a.options)}"
        raise StudyError([Fault(b.path, 0, "options", found, expected)])
    if a.currency != b.currency:
        raise StudyError([Fault(b.path, 0, "currency", b.currency, f"{a.currency}, as in {a.path}")])
    return common


def _only(study: Study, names: list[str]) -> Study:
    """The study with these options, without scenarios and claims."""
    return replace(study, options={name: study.options[name] for name in names}, scenarios={}, claims=())


def _options_changed(a: Study, b: Study) -> dict[str, tuple[Change, ...]]:
    gone = [Change(f"options.{name}", "there", "gone") for name in a.options if name not in b.options]
    new = [Change(f"options.{name}", "not there", "new") for name in b.options if name not in a.options]
    return {"options": (*gone, *new)} if gone or new else {}


def _answer(case: CaseFigures, name: str) -> Answer:
    figures = case.options[name]
    return Answer(figures.p_beats or Figure(float("nan"), 0), figures.saving.mean, figures.saving_share.mean)


def _moves(cases: Mapping[str, CaseFigures], name: str, groups: Iterable[str]) -> tuple[Move, ...]:
    """Moves of a candidate's answer, the largest change of the mean saving first."""
    answers = {key: _answer(case, name) for key, case in cases.items()}
    return tuple(sorted(_each_move(answers, groups), key=lambda move: -abs(move.saving)))


def _each_move(answers: Mapping[str, Answer], groups: Iterable[str]) -> Iterator[Move]:
    a, b = answers["a"], answers["b"]
    for group in groups:
        first, last = answers[f"first {group}"], answers[f"last {group}"]
        yield Move(
            group,
            less(first.p_beats, a.p_beats),
            less(b.p_beats, last.p_beats),
            less(first.saving, a.saving),
            less(b.saving, last.saving),
        )


def less(one: Figure, other: Figure) -> Figure:
    """A difference, with the error that it would have if the two were independent: at least its own."""
    return Figure(one.value - other.value, (one.mcse**2 + other.mcse**2) ** 0.5)
