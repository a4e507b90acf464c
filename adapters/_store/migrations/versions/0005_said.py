"""What a message says, word by word, as merging compares it; of what was written before it is read when it is asked for."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    op.add_column("tr_messages", sa.Column("said", sa.Text))
