"""The bodies that have been read, kept so that a mail is taken apart once and not for every question."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace

from adapters._mail_message import Body, body_of
from adapters._mail_text import Words
from planner.words import fold

_OWN_AT_MOST, _QUOTED_AT_MOST, _SOUGHT_AT_MOST = 2000, 2000, 1000
_KEPT, _CHARACTERS_KEPT = 20_000, 12_000_000


class Bodies:
    """Bodies by account and mail, those used last; at most so many, and so many characters, of them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Hashable, str], Body] = OrderedDict()
        self._characters = 0
        self._lock = threading.Lock()

    def has(self, account: Hashable, ref: str) -> bool:
        return (account, ref) in self._kept

    def get(self, account: Hashable, ref: str) -> Body | None:
        with self._lock:
            body = self._kept.get((account, ref))
            if body is not None:
                self._kept.move_to_end((account, ref))
            return body

    def read(self, account: Hashable, ref: str, data: bytes) -> None:
        """Takes a mail's bytes apart and keeps what it says."""
        body = body_of(data)
        own = body.words.own[:_OWN_AT_MOST]
        quoted = "" if len(own) > 200 else body.words.quoted[:_QUOTED_AT_MOST]
        body = replace(body, words=Words(own, quoted), sought=fold(own[:_SOUGHT_AT_MOST]))
        with self._lock:
            before = self._kept.pop((account, ref), None)
            self._kept[account, ref] = body
            self._characters += _size(body) - (_size(before) if before is not None else 0)
            while len(self._kept) > _KEPT or self._characters > _CHARACTERS_KEPT:
                self._characters -= _size(self._kept.popitem(last=False)[1])


def _size(body: Body) -> int:
    return (
        len(body.words.own)
        + len(body.sought)
        + len(body.words.quoted)
        + sum(len(i.text) + len(i.title) for i in body.invitations)
    )
