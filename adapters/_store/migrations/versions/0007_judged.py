"""What messages are judged by before they are read, beside what they are scored by: their weights, status, type and what they correct;
how many messages hold a term.

The columns of all blocks are written anew. Whether a message puts right what was told before is not known of those that were written
earlier: until `reindex` has read them, all that tell of an event may.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa
from alembic import op

revision, down_revision = "0007", "0006"

_BLOCK, _NONE, _MOST, _DAY = 2048, -(2**62), 65535, 5
_COLUMNS = np.dtype(
    [
        ("observed", "<i8"), ("event", "<i8"), ("event_end", "<i8"), ("importance", "<f4"), ("confidence", "<f4"), ("length", "<u2"),
        ("role", "<u2"), ("kind", "u1"), ("grain", "u1"), ("marks", "u1"), ("question", "u1"),
    ]
)  # fmt: skip


def upgrade() -> None:
    op.add_column("tr_messages", sa.Column("marks", sa.SmallInteger))
    connection = op.get_bind()
    messages = sa.table("tr_messages", *map(sa.column, (
        "person", "no", "role", "observed_ms", "event_ms", "event_end_ms", "length", "question", "status", "type", "importance",
        "confidence", "moved", "told", "event_grain",
    )))  # fmt: skip
    blocks = sa.table("tr_blocks", *map(sa.column, ("person", "block", "columns")))
    for person, block in connection.execute(sa.select(blocks.c.person, blocks.c.block)).all():
        first = block * _BLOCK
        mine = (messages.c.person == person, messages.c.no >= first, messages.c.no < first + _BLOCK)
        rows = connection.execute(sa.select(messages).where(*mine).order_by(messages.c.no)).all()
        body = sa.bindparam("body", _packed(rows), sa.LargeBinary)
        connection.execute(sa.update(blocks).where(blocks.c.person == person, blocks.c.block == block).values(columns=body))
    op.create_table(
        "tr_terms",
        sa.Column("person", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("term", sa.String(128), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person", "term"),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO tr_terms (person, term, count) SELECT person, term, SUM(count) FROM tr_index GROUP BY person, term")


def _packed(rows: Sequence[Any]) -> bytes:
    roles: dict[str, int] = {}
    kinds: dict[tuple[str, str], int] = {}
    columns = []
    for row in rows:
        observed, event, end = (_NONE if at is None else at for at in (row.observed_ms, row.event_ms, row.event_end_ms))
        corrects = row.moved or row.status == "cancelled" or row.event_ms is not None
        role = roles.setdefault(row.role, len(roles))
        kind = kinds.setdefault((row.status, row.type), len(kinds))
        marks = (row.told is not None) | 2 * bool(corrects) | 4 * (row.status == "done")
        weights = row.importance, row.confidence, min(row.length, _MOST), min(role, _MOST)
        columns.append((observed, event, end, *weights, kind, row.event_grain or _DAY, marks, bool(row.question)))
    names = json.dumps([list(roles), list(kinds)]).encode()
    return len(names).to_bytes(4, "little") + names + np.array(columns, _COLUMNS).tobytes()
