"""Lines beside the steps: checkpoints, evaluations, profiler dumps, and where a run begins or resumes."""

import re

from simulator.evidence.messages import Mark

_WORDS = ("checkpoint", "valid", "eval", "profil", "train", "resum", "restor", "model")

_RESUMED_AT = re.compile(
    r"(?:successfully loaded checkpoint.* at iteration|resum(?:ing|ed)(?: training)? (?:from|at)(?: global)? step"
    r"|(?:restor|load|resum).*checkpoint.*step[-=_]|restored (?:all )?states? from.*step=|finished loading.*at step)"
    r"\s*(\d+)"
)
_STARTS_AT = re.compile(r"training starts at step (\d+)")
_RESUME = re.compile(
    r"loading (?:the )?checkpoint (?:from|at)|successfully loaded checkpoint|resuming (?:from|training)|resumed from"
    r"|restoring states from the checkpoint|restored all states from|continuing training from checkpoint"
)
_START = re.compile(
    r"^\W*(?:\w+:)?\s*training \.\.\.\s*$|\[before the start of training step\]|\[after megatron is initialized\]"
    r"|building gpt model|\*+ running training|training starts at step|-+training -+|starting training loop"
)
_CHECKPOINT = re.compile(
    r"sav(?:ing|ed) .*(?:checkpoint|model)|checkpoint save|checkpointing|checkpoint .*saved|saving the checkpoint"
)
_EVALUATION = re.compile(
    r"valid(?:ation)? loss|running (?:evaluation|validation)|\*+ eval|evaluating|validate step|validation dataloader"
)
_PROFILER = re.compile(r"(?:dump|export|writ|sav)\w* .*profil|profiler? (?:trace|step|start|stop)|profiling")


def parse(text: str) -> Mark | None:
    lower = text[:2000].lower()
    if not any(word in lower for word in _WORDS):
        return None
    if match := _RESUMED_AT.search(lower):
        return Mark("resume", int(match[1]))
    if (match := _STARTS_AT.search(lower)) and int(match[1]) > 1:
        return Mark("resume", int(match[1]) - 1)
    if _RESUME.search(lower):
        return Mark("resume")
    if _START.search(lower):
        return Mark("start")
    if "profil" in lower and _PROFILER.search(lower):
        return Mark("profiler")
    if _EVALUATION.search(lower):
        return Mark("evaluation")
    if _CHECKPOINT.search(lower):
        return Mark("checkpoint")
    return None
