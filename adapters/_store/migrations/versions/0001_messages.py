"""People, their requests and messages, and one row for each term of each message."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0001", None
_LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "tr_people",
        sa.Column("person", _LONG, primary_key=True, autoincrement=True),
        sa.Column("user_id", sa.String(512), nullable=False, unique=True),
        sa.Column("messages", sa.Integer, nullable=False),
        sa.Column("terms", _LONG, nullable=False),
        sa.Column("newest_ms", sa.BigInteger),
    )
    op.create_table(
        "tr_requests",
        sa.Column("person", _LONG, nullable=False),
        sa.Column("request_id", sa.String(512), nullable=False),
        sa.Column("session_id", sa.String(512), nullable=False),
        sa.PrimaryKeyConstraint("person", "request_id"),
    )
    op.create_table(
        "tr_messages",
        sa.Column("person", _LONG, nullable=False),
        sa.Column("no", sa.Integer, nullable=False),
        sa.Column("request_id", sa.String(512), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("session_id", sa.String(512), nullable=False),
        sa.Column("role", sa.String(128), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("observed_ms", sa.BigInteger),
        sa.Column("event_ms", sa.BigInteger),
        sa.Column("event_end_ms", sa.BigInteger),
        sa.Column("event_grain", sa.SmallInteger),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("importance", sa.Float, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("negated", sa.Boolean, nullable=False),
        sa.Column("moved", sa.Boolean, nullable=False),
        sa.Column("question", sa.Boolean, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("aside", sa.Boolean, nullable=False),
        sa.Column("time_spans", sa.String(512), nullable=False),
        sa.PrimaryKeyConstraint("person", "no"),
        sa.UniqueConstraint("person", "request_id", "position"),
    )
    op.create_index("tr_messages_observed", "tr_messages", ["person", "observed_ms"])
    op.create_index("tr_messages_event", "tr_messages", ["person", "event_ms"])
    op.create_table(
        "tr_postings",
        sa.Column("person", _LONG, nullable=False),
        sa.Column("term", sa.String(128), nullable=False),
        sa.Column("no", sa.Integer, nullable=False),
        sa.Column("count", sa.SmallInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "term", "no"),
        sqlite_with_rowid=False,
    )
