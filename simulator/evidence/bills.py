"""Bills: AWS Cost and Usage Reports and FOCUS exports, as CSV, CSV.gz or Parquet.

A record becomes a charge (what it is, how it was bought, where, hours, cash, amortised and list cost) by the rules of
its format; DuckDB adds up the charges that belong together, and `bill_facts` turns the sums into facts.
"""

import re
from collections.abc import Iterator

from simulator.evidence import bill_azure, bill_cur, bill_focus
from simulator.evidence.bill_facts import facts
from simulator.evidence.bill_file import opened
from simulator.evidence.bill_format import Format
from simulator.evidence.bill_notes import notes
from simulator.evidence.bill_sums import IGNORED, SUMS, UNREADABLE, Sums
from simulator.evidence.bill_table import Table, columns_of, quoted
from simulator.evidence.lines import EvidenceError, Head, Source
from simulator.evidence.options import Options
from simulator.evidence.reading import KEEP_TEXT, Ledger, Reading
from simulator.evidence.registry import Match
from simulator.evidence.row_filter import ANYWHERE, Condition, FilterError, conditions
from simulator.evidence.tables import Broken, Header

NAMES = ("bill", "cur", "focus", "azure")
LOOKS_FOR = (
    "a cloud bill with columns lineItem/LineItemType and lineItem/UnblendedCost (AWS CUR; 2.0: line_item_...), "
    "ChargeCategory and BilledCost (FOCUS), or ChargeType and MeterCategory (Azure cost details)"
)

FORMATS = (bill_cur.FORMAT, bill_focus.FORMAT, bill_azure.FORMAT)


def sniff(head: Head) -> Match | None:
    for form in FORMATS:
        if columns_of(head, form.knows):
            return Match(0.99, "columns of a cloud bill")
    return None


def read(source: Source, options: Options) -> Reading:
    """Charges -> instance-hours, costs and rates by instance type, purchase kind, region and currency."""
    for form in FORMATS:
        if header := columns_of(source.head, form.knows):
            break
    else:
        raise EvidenceError(source.path, "no header of a bill in the first lines", LOOKS_FOR)
    import duckdb

    try:
        return _added_up(source, header, form, options.filter)
    except duckdb.Error as error:
        found = str(error).splitlines()[0][:200]
        raise EvidenceError(
            source.path, f"cannot be read as a table ({found})", "a whole CSV or Parquet file"
        ) from error


def _added_up(source: Source, header: Header, form: Format, expression: str | None) -> Reading:
    ledger = Ledger()
    with opened(source, header, form.numbers, form.identity, ledger) as table:
        repeated, disputed = _repeated(table, form)
        left_out = _left_out(table, expression, source.path) if expression else 0
        _folded(table, form)
        sums = tuple(_sums(table, form))
        if any(s.charge == UNREADABLE for s in sums):
            for record, reason in _unreadable(table, form):
                ledger.reject(record, reason)
        ignored = sum(s.span for s in sums if s.charge in IGNORED)
        used = sum(s.span for s in sums if s.used)
        ledger.tally(used=used, ignored=ignored + left_out, merged=repeated)
        filtered = (f"filter {expression!r} leaves out {left_out:,} records",) if expression else ()
        said = (form.title(table), *filtered, *notes(sums, table, form, repeated, disputed))
        return ledger.close(source, NAMES[0], facts(sums, form, table), said)


def _repeated(table: Table, form: Format) -> tuple[int, int]:
    """Records that repeat another one, put into the table `repeated`; and those that share an identity but differ.

    The same line item delivered twice is one charge; an identity with two different contents is two.
    """
    table.connection.execute("CREATE TEMP TABLE repeated (_line BIGINT)")
    if not table.shared:
        return 0, 0
    identity = [sql for name in form.identity if (sql := table.sql(name))]
    content = [sql for name in form.content if (sql := table.sql(name))] or list(table.places.values())
    keyed = (
        f"SELECT *, hash({', '.join(identity)}) AS _identity, hash({', '.join(content)}) AS _content "
        f"FROM ({table.scan}) WHERE cell({identity[0]}) IS NOT NULL"
    )
    table.query(f"CREATE TEMP TABLE shared AS SELECT _identity FROM ({keyed}) GROUP BY _identity HAVING count(*) > 1")
    table.query(
        "CREATE TEMP TABLE ranked AS SELECT _line, _span, "
        "row_number() OVER (PARTITION BY _identity, _content ORDER BY _line) AS nth "
        f"FROM ({keyed}) WHERE _identity IN (SELECT _identity FROM shared)"
    )
    table.connection.execute("INSERT INTO repeated SELECT _line FROM ranked WHERE nth > 1")
    merged, firsts, identities = table.connection.execute(
        "SELECT coalesce(sum(_span) FILTER (nth > 1), 0), count(*) FILTER (nth = 1), (SELECT count(*) FROM shared) "
        "FROM ranked"
    ).fetchone()
    if merged:
        table.where = "_line NOT IN (SELECT _line FROM repeated)"
    return int(merged), firsts - identities


def _left_out(table: Table, expression: str, path: str) -> int:
    """Restrict the table to the records that a filter accepts; returns how many it leaves out."""
    try:
        alternatives = conditions(expression, {name.lower() for name in table.names})
    except FilterError as error:
        raise EvidenceError(path, f"filter: {error}", "a condition on columns of the file") from error
    sides = (" AND ".join(_condition(table, condition) for condition in every) for every in alternatives)
    wanted = " OR ".join(f"({side})" for side in sides)
    ((count,),) = table.query(
        f"SELECT coalesce(sum(_span), 0)::BIGINT FROM ({table.scan}) WHERE {table.where} AND NOT ({wanted})"
    ).fetchall()
    table.where = f"{table.where} AND ({wanted})"
    return int(count)


def _condition(table: Table, condition: Condition) -> str:
    anywhere = f"concat_ws(chr(10), {', '.join(table.places.values())})"
    cell = f"lower(trim(coalesce({anywhere if condition.key == ANYWHERE else table.sql(condition.key)}, '')))"
    value = re.escape(condition.value)
    pattern = value if condition.part else rf"(?:.*[,;|]\s*)?{value}(?:\s*[,;|].*)?"
    test = "regexp_matches" if condition.part else "regexp_full_match"
    found = f"{test}({cell}, {quoted(pattern)}, 's')"
    return f"NOT {found}" if condition.negated else found


def _folded(table: Table, form: Format) -> None:
    """Add up records whose texts are the same and whose numbers have the same signs, into the table `folded`.

    Every rule of a format looks at texts and signs alone and is linear in the numbers, so it may work on these few sums
    instead of on each record.
    """
    texts = [f"{table.sql(n) or 'NULL::VARCHAR'} AS {n}" for n in form.texts]
    presence = [f"cell({sql}) IS NOT NULL AS {n}" if (sql := table.sql(n)) else f"false AS {n}" for n in form.presence]
    numbers = [f"{_number(table, n)} AS {n}" for n in form.numbers]
    signs = " + ".join(
        f"CASE WHEN {n} IS NULL THEN 0 ELSE {4**i}::BIGINT * (2 + sign({n})) END" for i, n in enumerate(form.numbers)
    )
    period = f"left({table.sql(form.period) or 'NULL'}, 10)"
    fractional = [  # an amount by rules, as a CUR's amortised one, is no column that an exporter could have rounded
        f"count(*) FILTER ({name} <> round({name})) AS {alias}" if name in form.numbers else f"count(*) AS {alias}"
        for name, alias in ((form.cash, "_fractional_cash"), (form.amortised, "_fractional_amortised"))
    ]
    table.query(
        f"CREATE TEMP TABLE folded AS WITH typed AS (SELECT _line, _span, {period} AS _period, "
        f"{', '.join((*texts, *presence, *numbers))}, {_bad(table, form)} AS bad "
        f"FROM ({table.scan}) WHERE {table.where}) "
        f"SELECT {', '.join((*form.texts, *form.presence))}, bad, {signs} AS _signs, count(*) AS _records, "
        f"sum(_span)::BIGINT AS _span, min(_line) AS _first, max(_line) AS _last, min(_period) AS _from, "
        f"max(_period) AS _to, {', '.join(f'fsum({n}) AS {n}' for n in form.numbers)}, {', '.join(fractional)} "
        f"FROM typed GROUP BY ALL"
    )


def _number(table: Table, name: str) -> str:
    sql = table.sql(name)
    return f"num_{'comma' if table.mark == ',' else 'point'}({sql})" if sql else "NULL::DOUBLE"


def _bad(table: Table, form: Format) -> str:
    """Why a record's numbers cannot be read, or NULL."""
    checks = [
        f"CASE WHEN {_number(table, n)} IS NULL AND cell({sql}) IS NOT NULL "
        f"THEN '{table.spelling(n)} is not a number' END"
        for n in form.numbers
        if (sql := table.sql(n))
    ]
    return f"coalesce({', '.join((*checks, 'NULL'))})"


def _sums(table: Table, form: Format) -> Iterator[Sums]:
    cells = ", ".join(f"cell({n}) AS {n}" for n in form.texts)
    heading = f"coalesce({form.kind} = '{table.spelling(form.kind)}', false) AS heading"
    rows = table.query(
        f"WITH named AS (SELECT * EXCLUDE ({', '.join(form.texts)}), {cells}, {heading} FROM folded), "
        f"{form.charges} {SUMS}"
    )
    names = [column[0] for column in rows.description]
    for row in rows.fetchall():
        yield Sums(**dict(zip(names, row, strict=True)))


def _unreadable(table: Table, form: Format) -> Iterator[tuple[Broken, str]]:
    kind = table.sql(form.kind)
    cells = ", ".join(f"coalesce({sql}, '')" for sql in table.places.values())
    whole = f"left(concat_ws(',', {cells}), {KEEP_TEXT})"
    rows = table.query(
        f"SELECT _line, {whole}, _span, coalesce({_bad(table, form)}, 'no {table.spelling(form.kind)}') AS reason "
        f"FROM ({table.scan}) WHERE (reason NOT LIKE 'no %' OR cell({kind}) IS NULL) "
        f"AND {kind} IS DISTINCT FROM '{table.spelling(form.kind)}' AND {table.where} ORDER BY _line"
    )
    while batch := rows.fetchmany(1000):
        for line, text, span, reason in batch:
            yield Broken(line, text, span, reason), reason
