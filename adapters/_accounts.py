"""The places a source reads: several calendars, mailboxes, profiles or servers of one person, or of several people.

    TEMPORAL_RECALL_CALENDAR_ACCOUNTS='~/work.ics, https://example.org/team.ics'
    TEMPORAL_RECALL_CALENDAR_ACCOUNTS='[{"url": "https://dav.example.org", "username": "ada", "password_env": "DAV", "user": "ada"}]'

An account with a `user` is read for that person alone. One without is read for whoever asks, and only while the service answers a
single person: as soon as callers are verified, it belongs to nobody and is told as such.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import anyio
from pydantic import BaseModel, BeforeValidator, ConfigDict, SecretStr, model_validator
from pydantic_settings import NoDecode

from adapters._base import Items, SearchContext, SourceError, chosen

log = logging.getLogger("temporal_recall")


class Account(BaseModel):
    """One place. Either `path` or `url` says where; the secret comes from `password_env`, `password_file` or, least well, `password`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    user: str | None = None
    path: Path | None = None
    url: str | None = None
    username: str | None = None
    password: SecretStr | None = None
    password_env: str | None = None
    password_file: Path | None = None

    @model_validator(mode="after")
    def _one_place(self) -> Account:
        if (self.path is None) == (self.url is None):
            raise ValueError("an account has either a path or a url")
        if sum(s is not None for s in (self.password, self.password_env, self.password_file)) > 1:
            raise ValueError("an account has one of password, password_env, password_file")
        return self

    @property
    def place(self) -> Path:
        """The path, with `~` made out."""
        assert self.path is not None
        return self.path.expanduser()

    @property
    def many(self) -> bool:
        """Whether the place keeps many people apart by the id it is asked with, so that the account needs no user."""
        return False

    @property
    def label(self) -> str:
        """How messages call it: its name, or its file's or host's; never a secret or a whole address."""
        if self.name:
            return self.name
        return (
            self.place.name
            if self.path is not None
            else (self.url or "").partition("://")[2].partition("/")[0].rpartition("@")[2]
        )

    def secret(self) -> str | None:
        """The password or token. Raises SourceError if it is said to be in a place where it is not."""
        if self.password is not None:
            return self.password.get_secret_value()
        if self.password_env is not None:
            found = os.environ.get(self.password_env)
            if not found:
                raise SourceError(f"{self.label}: the environment has no {self.password_env}")
            return found
        if self.password_file is not None:
            try:
                return self.password_file.expanduser().read_text(encoding="utf-8").strip()
            except OSError as error:
                raise SourceError(f"{self.label}: password_file cannot be read ({type(error).__name__})") from error
        return None


A = TypeVar("A", bound=Account)


def _spelled(value: Any) -> Any:
    """JSON, or a plain list of paths and addresses parted by commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith(("[", "{")):
        read = json.loads(value)
        value = [read] if isinstance(read, dict) else read
    else:
        value = [part.strip() for part in value.split(",") if part.strip()]
    return [_place(entry) if isinstance(entry, str) else entry for entry in value]


def _place(text: str) -> dict[str, str]:
    return {"url": text} if "://" in text else {"path": text}


# `accounts: Accounts[MyAccount] = ()` in a source's settings.
Accounts = Annotated[tuple[A, ...], NoDecode, BeforeValidator(_spelled)]


def of_user(accounts: Sequence[A], user_id: str, single: bool) -> list[A]:
    """The accounts to read for a person; `single` tells that the service answers nobody else."""
    return [account for account in accounts if account.user == user_id or (account.user is None and (single or account.many))]


async def read_all(accounts: Sequence[A], ctx: SearchContext, read: Callable[[A], Awaitable[Items]]) -> Items:
    """What all accounts hold, read at once, at most `ctx.retrieval.limit`, best first.

    An account that fails, even by a bug, is told in `problems` and takes nothing from the others. Raises a SourceError when all fail.
    """
    found: list[Items] = []
    failed: list[tuple[A, SourceError]] = []

    async def one(account: A) -> None:
        try:
            found.append(await read(account))
        except SourceError as error:
            failed.append((account, error))
        except Exception as error:  # a bug that one account's content meets: the others still answer
            log.exception("account failed", extra={"account": account.label})
            failed.append((account, SourceError(f"it could not be read: {type(error).__name__}")))

    async with anyio.create_task_group() as group:
        for account in accounts:
            group.start_soon(one, account)
    if failed and not found:
        raise failed[0][1]
    items = [item for part in found for item in part]
    kept = chosen(items, ctx)
    return Items(
        kept,
        truncated=len(kept) < len(items) or any(part.truncated for part in found),
        undated=sum(part.undated for part in found),
        skipped=sum(part.skipped for part in found),
        problems=[f"{account.label}: {error}" for account, error in failed] + [p for part in found for p in part.problems],
    )


async def check_all(accounts: Sequence[A], check: Callable[[A], Awaitable[str]]) -> str:
    """One line of what every account holds, all asked at once. Raises the first SourceError of those that cannot be asked, with the
    whole line: what is wrong with each, beside what was found at the others.
    """
    lines: list[str] = [""] * len(accounts)
    failed: list[SourceError] = []

    async def one(n: int, account: A) -> None:
        try:
            lines[n] = f"{account.label}: {await check(account)}"
        except SourceError as error:
            lines[n] = f"{account.label}: {error}"
            failed.append(error)

    async with anyio.create_task_group() as group:
        for n, account in enumerate(accounts):
            group.start_soon(one, n, account)
    if failed:
        raise type(failed[0])("; ".join(lines)) from failed[0]
    return "; ".join(lines)
