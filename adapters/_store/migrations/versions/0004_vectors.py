"""Vectors of messages, and how far they are made for each person; what was written before waits for its own."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    op.create_table(
        "tr_vectors",
        sa.Column("person", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("chunk", sa.Integer, nullable=False),
        sa.Column("signs", sa.LargeBinary, nullable=False),
        sa.Column("numbers", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("person", "chunk"),
    )
    op.add_column("tr_people", sa.Column("embedded", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tr_people", sa.Column("model", sa.Integer, nullable=False, server_default="0"))
