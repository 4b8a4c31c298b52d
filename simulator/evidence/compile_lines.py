"""Lines of Neuron's compile logs -> what each says, in all of the format's spellings.

Old (`NCC_WRAPPER`), later (`NEURON_CC_WRAPPER`, `NEURON_CACHE`) and 2026
(`PID [INFO]: Compilation Successfully Completed for model.MODULE_...`).
"""

import re
from enum import Enum, auto
from typing import NamedTuple

NAME = "neuron-compile"
LOOKS_FOR = "Neuron compile logs"


class Kind(Enum):
    START = auto()
    MISS = auto()  # announced, the compiler is not called yet
    DOTS = auto()
    PASS = auto()  # "Compiler status PASS": says neither which graph nor when
    END = auto()
    HIT = auto()
    FAILURE = auto()
    CACHED_FAILURE = auto()
    WAIT = auto()
    TRIAL_BEGIN = auto()
    TRIAL_END = auto()
    TRIAL_GRAPH = auto()
    OTHER = auto()
    CUT = auto()


class Event(NamedTuple):
    kind: Kind
    module: str | None = None
    pid: str | None = None
    dots: int = 0
    exit: str | None = None


_MODULE = re.compile(r"MODULE_(?:\d+_[A-Za-z]\w*?\.\d+_)?(\w+(?:\+\w+)?)(?=[/.,\s'\")])")
_PID = re.compile(r"\d\d:\d\d:\d\d\.\d+:\s+(\d+)\s+(?:\[?[A-Z]+\]?)")
_DOTS = re.compile(r"^(?:\[?\w+\]?: ?)?\s*(\.{1,200})\s*$")
_WORDS = ("NCC_WRAPPER", "NEURON_C", "PARALLEL_COMPILE", "MODULE_", "ompil", "cached neff", "neuron_parallel")

_RULES: tuple[tuple[str, Kind], ...] = (
    ("Compiler status PASS", Kind.PASS),
    ("Using a cached neff", Kind.HIT),
    ("cached failed neff", Kind.CACHED_FAILURE),
    ("No compilation was done", Kind.TRIAL_GRAPH),
    ("Running trial run", Kind.TRIAL_BEGIN),
    ("tarting parallel compilation", Kind.TRIAL_END),
    ("Total failed compilations", Kind.TRIAL_END),
    ("Exiting with a successfully compiled graph", Kind.END),
    ("Compilation Successfully Completed", Kind.END),
    ("ompilation succeeded", Kind.END),
    ("non-zero exit status", Kind.FAILURE),
    ("Compiler status ERROR", Kind.FAILURE),
    ("Failed compilation", Kind.FAILURE),
    ("ompilation failed", Kind.FAILURE),
    ("Call compiler with cmd", Kind.START),
    ("No candidate found under", Kind.START),
    ("using following command: neuronx-cc", Kind.START),
    ("the corresponding graph will be recompiled", Kind.MISS),
    ("must be compiling", Kind.WAIT),
)
_OF_ANY_COMPILER = ("non-zero exit status", "Failed compilation", "ompilation failed", "ompilation succeeded")
_NEURON = ("neuron", "NEURON", "NCC", "MODULE_")
_EXIT = re.compile(r"exit status (\d+)")
_NEEDS_MODULE = frozenset({Kind.HIT, Kind.START, Kind.MISS})
_PLAIN_COMMAND = re.compile(r"(?:^|[$#]\s+)(?:[A-Z_]+=\S+ )*(?:torchrun|python3?|srun|mpirun) ")
_COMMAND = re.compile(r"(?:^|[$#+]\s+|&& )(?:[A-Z_]+=\S+ )*neuron_parallel_compile\s+\S")


def parse(text: str) -> Event | None:
    if match := _DOTS.match(text):
        return Event(Kind.DOTS, dots=len(match[1]))
    if not any(word in text for word in _WORDS):
        return Event(Kind.TRIAL_END) if _PLAIN_COMMAND.search(text) else None
    pid = _PID.search(text)
    for words, kind in _RULES:
        if words in text:
            if words in _OF_ANY_COMPILER and not any(name in text for name in _NEURON):
                return None
            module = _module(text)
            if module is None and kind in _NEEDS_MODULE:
                return Event(Kind.CUT if kind is not Kind.START else kind, None, pid[1] if pid else None)
            status = _EXIT.search(text) if kind is Kind.FAILURE else None
            return Event(kind, module, pid[1] if pid else None, exit=status[1] if status else None)
    if _COMMAND.search(text) or "NEURON_EXTRACT_GRAPHS_ONLY=1" in text:
        return Event(Kind.TRIAL_BEGIN)
    if "_WRAPPER||" in text or "NEURON_CACHE||" in text or "PARALLEL_COMPILE||" in text:
        return Event(Kind.OTHER, pid=pid[1] if pid else None)
    return None


def _module(text: str) -> str | None:
    """The innermost hash with its flags; a name that runs into the end of the line may be wrapped."""
    names: list[str] = _MODULE.findall(text)
    if not names:
        return None
    flagged = [name for name in names if "+" in name]
    return (flagged or names)[0]
