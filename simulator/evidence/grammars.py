"""The grammars that a line of a log is shown to, those of steps first."""

from types import ModuleType
from typing import NamedTuple

from simulator.evidence import (
    compile_lines,
    faults,
    huggingface,
    megatron,
    mlperf,
    neuron_train,
    plain_steps,
    progress,
    torchtitan,
)
from simulator.evidence.compile_lines import Event, Kind
from simulator.evidence.messages import Cut, Mark, Message, Parsed, Step

STEP_GRAMMARS: tuple[ModuleType, ...] = (
    megatron,
    torchtitan,
    mlperf,
    huggingface,
    neuron_train,
    progress,
    plain_steps,
)
_EVENT_GRAMMARS = (compile_lines, faults)
NAMES = ("log", *(module.NAME for module in (*STEP_GRAMMARS, *_EVENT_GRAMMARS)))
LOOKS_FOR = ", ".join(module.LOOKS_FOR for module in (*STEP_GRAMMARS, *_EVENT_GRAMMARS))

LAST_STEP = 10**12


class Found(NamedTuple):
    """What a grammar made of a piece of text."""

    grammar: ModuleType
    what: Message | Event | str
    rest: str = ""

    @property
    def cut(self) -> bool:
        return isinstance(self.what, Cut) or (isinstance(self.what, Event) and self.what.kind is Kind.CUT)


def _parsed(grammar: ModuleType, text: str) -> Parsed | None:
    """What a grammar makes of a line; a number that no run reaches is damage."""
    try:
        parsed: Parsed | None = grammar.parse(text)
    except (ValueError, OverflowError):  # thousands of digits in a row
        return Parsed(Cut("a number of too many digits"))
    if parsed and isinstance(parsed.message, Step | Mark) and (parsed.message.iteration or 0) > LAST_STEP:
        return Parsed(Cut("a step that no run reaches"))
    return parsed


class Grammars:
    """Asks the grammar that knew the last step first."""

    def __init__(self) -> None:
        self.likely = STEP_GRAMMARS[0]

    def parse(self, text: str) -> Found | None:
        if len(text) < 3:
            return Found(compile_lines, Event(Kind.DOTS, dots=len(text))) if text and not text.strip(".") else None
        cut: Found | None = None  # to one grammar; to another it may be whole
        for module in (self.likely, *STEP_GRAMMARS):
            if any(trigger in text for trigger in module.TRIGGERS):
                parsed = _parsed(module, text)
                if parsed is not None and not isinstance(parsed.message, Cut):
                    self.likely = module if isinstance(parsed.message, Step) else self.likely
                    return Found(module, *parsed)
                if parsed is not None:
                    cut = cut or Found(module, *parsed)
        if cut:
            return cut
        if event := compile_lines.parse(text):
            return Found(compile_lines, event)
        if kind := faults.parse(text):
            return Found(faults, kind)
        return None
