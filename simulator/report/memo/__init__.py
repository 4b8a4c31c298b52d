"""The risk memo: one file that can be mailed, opened offline, printed, and defended line by line."""

from simulator.report.memo.assemble import assemble
from simulator.report.memo.content import MemoContent
from simulator.report.memo.make import make_memo
from simulator.report.memo.pdf import NoPrinterError
from simulator.report.memo.wording import LANGUAGES, Lang, Wording
from simulator.report.memo.write import FORMATS, document, write_charts, write_memo

__all__ = [
    "FORMATS",
    "LANGUAGES",
    "Lang",
    "MemoContent",
    "NoPrinterError",
    "Wording",
    "assemble",
    "document",
    "make_memo",
    "write_charts",
    "write_memo",
]
