"""What a reader must be told because no file says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The keys of an `[[evidence]]` table that bear on reading; None is "not told".

    Attributes
    ----------
    reader : str
        Name of the reader, instead of recognising the content.
    instances, devices_per_instance : int
        Instances that ran the job, and accelerators (as the framework counts them) in each.
    tokens_per_step : float
        Tokens of one optimizer step, where the log tells neither batch nor sequence length.
    sequence, layers, hidden : int
        Shape of the model; `sequence` also turns samples into tokens.
    parameters : float
        Parameters of the model (active ones for a mixture of experts).
    time_zone : str
        Zone of times that carry none, e.g. "Europe/Berlin" or "UTC".
    filter : str
        Which rows of a bill, a timesheet or Slurm's accounts count, e.g. "project = Trainium".
    share_done : float
        Share of the port that was done when the timesheet was drawn, 0 < share <= 1.
    column : str
        Column of a plain CSV, as NAME or QUANTITY=NAME.
    period_seconds : float
        Seconds between two records of telemetry that has no clock of its own.
    hours_per_day : float
        Working hours of a "1d" in a worklog.
    """

    reader: str | None = None
    instances: int | None = None
    devices_per_instance: int | None = None
    tokens_per_step: float | None = None
    sequence: int | None = None
    layers: int | None = None
    hidden: int | None = None
    parameters: float | None = None
    time_zone: str | None = None
    filter: str | None = None
    share_done: float | None = None
    column: str | None = None
    period_seconds: float | None = None
    hours_per_day: float | None = None
