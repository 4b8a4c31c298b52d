"""What a bill's format must tell, so that the rest can add it up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.evidence.bill_table import Table


@dataclass(frozen=True, slots=True)
class Format:
    """A bill's columns, in snake case, and the SQL that turns them into charges.

    Attributes
    ----------
    texts, numbers : tuple of str
        Columns that `charges` reads; one that a file lacks is NULL.
    presence : tuple of str
        Columns of which it matters alone whether they are filled.
    identity, content : tuple of str
        Columns that say which charge a record is, the first of them never empty; and those in which a repetition of
        it is the same. No content: all columns.
    kind, period : str
        The column without which a record says nothing, and the one that dates it.
    cash, amortised : str
        Names of the two costs.
    charges : str
        Common table expressions from `named` to `charges`: charge, purchase, instance, region, currency, hours, within
        (hours inside a block that was bought in hours), bought (hours of such a block), cash, amortised, list, net,
        unused_hours, unused_cost, negated, correction, open, odd_unit, unit_assumed, unread.
    """

    title: Callable[[Table], str]
    knows: Callable[[Sequence[str]], bool]
    texts: tuple[str, ...]
    presence: tuple[str, ...]
    numbers: tuple[str, ...]
    identity: tuple[str, ...]
    content: tuple[str, ...]
    kind: str
    period: str
    cash: str
    amortised: str
    charges: str
