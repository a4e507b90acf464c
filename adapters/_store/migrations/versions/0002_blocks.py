"""Postings in blocks of 2048 messages instead of a row each; several sources a person.

What was written before is found by its time as before, and by its words once `temporal-recall reindex` has read it anew.
"""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"
_LONG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.rename_table("tr_people", "tr_people_before")
    op.create_table(
        "tr_people",
        sa.Column("person", _LONG, primary_key=True, autoincrement=True),
        sa.Column("source", sa.String(32), nullable=False, server_default="chat"),
        sa.Column("user_id", sa.String(512), nullable=False),
        sa.Column("messages", sa.Integer, nullable=False),
        sa.Column("terms", _LONG, nullable=False),
        sa.Column("undated", sa.Integer, nullable=False, server_default="0"),
        sa.Column("newest_ms", sa.BigInteger),
        sa.Column("blocks", sa.Integer, nullable=False, server_default="0"),
        sa.Column("rules", sa.Integer, nullable=False, server_default="0"),
        sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
        sa.UniqueConstraint("user_id", "source", name="tr_people_user_source"),
    )
    op.execute(
        "INSERT INTO tr_people (person, user_id, messages, terms, newest_ms, undated)"
        " SELECT p.person, p.user_id, p.messages, p.terms, p.newest_ms,"
        " (SELECT count(*) FROM tr_messages m WHERE m.person = p.person AND m.observed_ms IS NULL AND m.event_ms IS NULL)"
        " FROM tr_people_before p"
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "SELECT setval(pg_get_serial_sequence('tr_people', 'person'), max(person)) FROM tr_people HAVING count(*) > 0"
        )
    op.drop_table("tr_people_before")
    op.drop_table("tr_postings")
    op.create_table(
        "tr_index",
        sa.Column("person", _LONG, nullable=False),
        sa.Column("term", sa.String(128), nullable=False),
        sa.Column("block", sa.Integer, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("postings", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("person", "term", "block"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tr_blocks",
        sa.Column("person", _LONG, nullable=False),
        sa.Column("block", sa.Integer, nullable=False),
        sa.Column("columns", sa.LargeBinary, nullable=False),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("person", "block"),
    )
    op.create_table(
        "tr_tail",
        sa.Column("person", _LONG, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("postings", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("person", "first"),
    )
