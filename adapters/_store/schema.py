"""Tables of the embedded store.

Every key begins with `person`, the number given to a user id on first sight: it is the partition key of a scale-out and the wall
between people. Times are Unix milliseconds, UTC. SQLite runs in WAL mode; any database SQLAlchemy speaks to will do.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()
_Long = BigInteger().with_variant(Integer, "sqlite")

# One row a person and source. `messages` counts them; their `terms`, `undated` and `newest_ms` are kept up for scoring. The first
# `blocks` x 2048 messages stand in tr_index and tr_blocks, the others in tr_tail. `rules` is the version of the reading that their
# derived columns come from; `revision` grows when what was indexed is read anew, so that nobody scores with what they remember.
people = Table(
    "tr_people", metadata,
    Column("person", _Long, primary_key=True, autoincrement=True),
    Column("source", String(32), nullable=False, server_default="chat"),
    Column("user_id", String(512), nullable=False),
    Column("messages", Integer, nullable=False, default=0),
    Column("terms", _Long, nullable=False, default=0),
    Column("undated", Integer, nullable=False, server_default="0"),
    Column("newest_ms", BigInteger),
    Column("blocks", Integer, nullable=False, server_default="0"),
    Column("rules", Integer, nullable=False, server_default="0"),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("embedded", Integer, nullable=False, server_default="0"),  # the first so many messages have vectors of `model`
    Column("model", Integer, nullable=False, server_default="0"),
    UniqueConstraint("user_id", "source", name="tr_people_user_source"),
)  # fmt: skip
requests = Table(
    "tr_requests", metadata,
    Column("person", _Long, nullable=False),
    Column("request_id", String(512), nullable=False),
    Column("session_id", String(512), nullable=False),
    PrimaryKeyConstraint("person", "request_id"),
)  # fmt: skip
messages = Table(
    "tr_messages", metadata,
    Column("person", _Long, nullable=False),
    Column("no", Integer, nullable=False),
    Column("request_id", String(512), nullable=False),
    Column("position", Integer, nullable=False),
    Column("session_id", String(512), nullable=False),
    Column("role", String(128), nullable=False),
    Column("content", Text, nullable=False),
    Column("observed_ms", BigInteger),
    Column("event_ms", BigInteger),
    Column("event_end_ms", BigInteger),
    Column("event_grain", SmallInteger),
    Column("status", String(16), nullable=False),
    Column("type", String(16), nullable=False),
    Column("importance", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("negated", Boolean, nullable=False),
    Column("moved", Boolean, nullable=False),
    Column("question", Boolean, nullable=False),
    Column("length", Integer, nullable=False),
    Column("aside", Boolean, nullable=False),
    Column("time_spans", String(512), nullable=False),
    Column("told", String(32)),  # where it tells of several events: the characters that tell of this one, "start-end"
    Column("said", Text),  # its words as merging compares them, blanks between; NULL where they have not been read
    Column("marks", SmallInteger),  # what any of its events may do to what was told before (timeline.py); NULL where not read
    Column("given_importance", Float),  # what the source itself says, where it does
    Column("given_confidence", Float),
    PrimaryKeyConstraint("person", "no"),
    UniqueConstraint("person", "request_id", "position"),
    Index("tr_messages_observed", "person", "observed_ms"),
    Index("tr_messages_event", "person", "event_ms"),
)  # fmt: skip
# The further events of messages that tell of several.
events = Table(
    "tr_events", metadata,
    Column("person", _Long, nullable=False),
    Column("no", Integer, nullable=False),
    Column("part", SmallInteger, nullable=False),  # 1, 2, ...
    Column("told", String(32), nullable=False),
    Column("event_ms", BigInteger, nullable=False),
    Column("event_end_ms", BigInteger),
    Column("event_grain", SmallInteger),
    Column("status", String(16), nullable=False),
    Column("type", String(16), nullable=False),
    Column("importance", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("negated", Boolean, nullable=False),
    Column("moved", Boolean, nullable=False),
    Column("time_spans", String(512), nullable=False),
    PrimaryKeyConstraint("person", "no", "part"),
    Index("tr_events_event", "person", "event_ms"),
)  # fmt: skip
# A term's postings in a block of 2048 messages (see postings.py), and how many they are.
index = Table(
    "tr_index", metadata,
    Column("person", _Long, nullable=False),
    Column("term", String(128), nullable=False),
    Column("block", Integer, nullable=False),
    Column("count", Integer, nullable=False),
    Column("postings", LargeBinary, nullable=False),
    PrimaryKeyConstraint("person", "term", "block"),
    sqlite_with_rowid=False,
)  # fmt: skip
# How many messages of all blocks hold a term.
terms = Table(
    "tr_terms", metadata,
    Column("person", _Long, nullable=False),
    Column("term", String(128), nullable=False),
    Column("count", Integer, nullable=False),
    PrimaryKeyConstraint("person", "term"),
    sqlite_with_rowid=False,
)  # fmt: skip
# What scoring needs of every message of a block, and the block's terms.
blocks = Table(
    "tr_blocks", metadata,
    Column("person", _Long, nullable=False),
    Column("block", Integer, nullable=False),
    Column("columns", LargeBinary, nullable=False),
    Column("terms", LargeBinary, nullable=False),
    PrimaryKeyConstraint("person", "block"),
)  # fmt: skip
# The postings of the batches that fill no block yet, each from message `first` on.
tail = Table(
    "tr_tail", metadata,
    Column("person", _Long, nullable=False),
    Column("first", Integer, nullable=False),
    Column("postings", LargeBinary, nullable=False),
    PrimaryKeyConstraint("person", "first"),
)  # fmt: skip
# The vectors of every 16 messages (see vectors.py).
vectors = Table(
    "tr_vectors", metadata,
    Column("person", _Long, nullable=False),
    Column("chunk", Integer, nullable=False),
    Column("signs", LargeBinary, nullable=False),
    Column("numbers", LargeBinary, nullable=False),
    PrimaryKeyConstraint("person", "chunk"),
)  # fmt: skip
# How far a remote source is mirrored for a person: completely up to `upto_ms`, and up to `cursor` behind it.
mirrors = Table(
    "tr_mirrors", metadata,
    Column("person", _Long, primary_key=True, autoincrement=False),
    Column("upto_ms", BigInteger, nullable=False),
    Column("cursor", Text),
)  # fmt: skip

version = Table("alembic_version", metadata, Column("version_num", String(32), primary_key=True))
