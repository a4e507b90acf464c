"""How far the mirrors of remote sources are; what such a source itself says of a record's weight."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    op.create_table(
        "tr_mirrors",
        sa.Column("person", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=False),
        sa.Column("upto_ms", sa.BigInteger, nullable=False),
        sa.Column("cursor", sa.Text),
    )
    op.add_column("tr_messages", sa.Column("given_importance", sa.Float))
    op.add_column("tr_messages", sa.Column("given_confidence", sa.Float))
