"""The further events of messages that tell of several. What was written before is read anew by `reindex`."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0006", "0005"


def upgrade() -> None:
    op.add_column("tr_messages", sa.Column("told", sa.String(32)))
    long = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "tr_events",
        sa.Column("person", long, nullable=False),
        sa.Column("no", sa.Integer, nullable=False),
        sa.Column("part", sa.SmallInteger, nullable=False),
        sa.Column("told", sa.String(32), nullable=False),
        sa.Column("event_ms", sa.BigInteger, nullable=False),
        sa.Column("event_end_ms", sa.BigInteger),
        sa.Column("event_grain", sa.SmallInteger),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("importance", sa.Float, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("negated", sa.Boolean, nullable=False),
        sa.Column("moved", sa.Boolean, nullable=False),
        sa.Column("time_spans", sa.String(512), nullable=False),
        sa.PrimaryKeyConstraint("person", "no", "part"),
    )
    op.create_index("tr_events_event", "tr_events", ["person", "event_ms"])
