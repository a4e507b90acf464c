"""CalDAV (RFC 4791): which calendars an account has, and their objects, asked for by time or all.

A client of three requests: PROPFIND finds principal, home and calendars (RFC 6764 and 5397), REPORT calendar-query reads them. A
library would do that too; the known one brings an HTTP stack that overwrites urllib3. Servers compare times without zone and
whole days in UTC, and unfold rules in UTC, so a window is asked for a day wider and objects are unfolded here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from xml.etree import ElementTree as XML

import httpx

from adapters._accounts import Account
from adapters._base import SourceError
from adapters._blocking import Stop, in_thread
from adapters._web import Answer, Bearer, Web, raise_for, same_house
from planner.ranges import UTC

_DAV, _CAL, _CS = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
_NAMES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"'
_FIND = f"""<?xml version="1.0" encoding="utf-8"?><D:propfind {_NAMES}><D:prop><D:resourcetype/><D:current-user-principal/>
<C:calendar-home-set/><C:supported-calendar-component-set/><CS:getctag/></D:prop></D:propfind>""".encode()
_DAY = dt.timedelta(days=1)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Collection:
    """A calendar of the account. `tag` changes with its content, "" when the server does not tell."""

    url: httpx.URL
    kinds: frozenset[str]
    tag: str


@dataclass(frozen=True, slots=True)
class Objects:
    """The calendar objects of a collection, each one's text; `truncated` tells that the server held some back."""

    texts: list[bytes]
    truncated: bool


def auth_of(account: Account) -> httpx.Auth | None:
    """Name and password, or a bearer token where no name is set. Raises SourceError when the secret is not where it is said to be."""
    secret = account.secret()
    if account.username is not None:
        return httpx.BasicAuth(account.username, secret or "")
    return Bearer(secret) if secret else None


class Dav:
    """One account on a CalDAV server."""

    def __init__(self, web: Web, account: Account) -> None:
        self.web, self.account = web, account
        self.url = httpx.URL((account.url or "").replace("caldav://", "http://").replace("caldavs://", "https://"))
        self.home: httpx.URL | None = None

    async def collections(self, kind: str, deadline: float) -> list[Collection]:
        """The account's calendars that hold components of `kind`; asked for anew each time, since their tags tell what changed."""
        if self.home is not None:
            return self._of_kind(await self._find(self.home, 1, deadline), kind)
        at = self.url
        for _ in range(4):
            found = await self._find(at, 0, deadline)
            own = next((collection for collection, _, _ in found if collection is not None), None)
            if own is not None:
                self.home = at
                return self._of_kind(found, kind)
            _, home, principal = next(iter(found), (None, None, None))
            if home is not None:
                self.home = self._allowed(home)
                return self._of_kind(await self._find(self.home, 1, deadline), kind)
            if principal is not None and principal != at:
                at = self._allowed(principal)
            elif at == self.url and not at.path.endswith("/.well-known/caldav"):
                listed = await self._find(at, 1, deadline)
                if any(collection is not None for collection, _, _ in listed):
                    self.home = at
                    return self._of_kind(listed, kind)
                at = at.copy_with(path="/.well-known/caldav", query=None)
            else:
                break
        raise SourceError("no calendars are found at this address")

    def _of_kind(self, found: list[Found], kind: str) -> list[Collection]:
        collections = [collection for collection, _, _ in found if collection is not None]
        return [c for c in collections if not c.kinds or kind in c.kinds]

    def _allowed(self, url: httpx.URL) -> httpx.URL:
        if not same_house(self.url, url):
            raise SourceError("the server names an address of somebody else")
        return url

    async def _find(self, url: httpx.URL, depth: int, deadline: float) -> list[Found]:
        headers = {"Depth": str(depth), "Content-Type": "application/xml; charset=utf-8"}
        answer = await self.web.ask(url, "PROPFIND", auth=auth_of(self.account), headers=headers, body=_FIND)
        if answer.status in (404, 405, 501):
            return []
        return await self._parsed(answer, _collections, deadline)

    async def objects(
        self, collection: Collection, kind: str, window: tuple[dt.datetime, dt.datetime] | None, deadline: float
    ) -> Objects:
        """The collection's objects of `kind` that may lie in the window, half-open; all of them when it is None."""
        times = ""
        if window is not None:
            first, last = (moment.astimezone(UTC) for moment in window)
            times = f'<C:time-range start="{first - _DAY:%Y%m%dT%H%M%SZ}" end="{last + _DAY:%Y%m%dT%H%M%SZ}"/>'
        body = f"""<?xml version="1.0" encoding="utf-8"?><C:calendar-query {_NAMES}><D:prop><C:calendar-data/></D:prop><C:filter>
<C:comp-filter name="VCALENDAR"><C:comp-filter name="{kind}">{times}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"""
        headers = {"Depth": "1", "Content-Type": "application/xml; charset=utf-8"}
        url = self._allowed(collection.url)
        answer = await self.web.ask(url, "REPORT", auth=auth_of(self.account), headers=headers, body=body.encode())
        return await self._parsed(answer, _objects, deadline)

    async def _parsed(self, answer: Answer, read: Callable[[XML.Element, Answer], T], deadline: float) -> T:
        raise_for(answer.status)
        return await in_thread(partial(_read, answer, read), deadline)


# A collection, or the addresses of the home of calendars and of the principal that a response names.
Found = tuple[Collection | None, httpx.URL | None, httpx.URL | None]


def _read(answer: Answer, read: Callable[[XML.Element, Answer], T], stop: Stop) -> T:
    try:
        if b"<!DOCTYPE" in answer.body[:4096] or b"<!ENTITY" in answer.body[:4096]:
            raise SourceError("the server's answer defines entities")
        tree = XML.fromstring(answer.body)
    except XML.ParseError as error:
        raise SourceError("the server's answer is no XML: is this a CalDAV address?") from error
    if tree.tag != f"{_DAV}multistatus":
        raise SourceError("the server's answer is not that of a CalDAV server")
    return read(tree, answer)


def _responses(tree: XML.Element) -> Iterator[tuple[str, str, list[XML.Element]]]:
    """Each response's address, its status, and the properties it has."""
    for response in tree.iterfind(f"{_DAV}response"):
        found = []
        for part in response.iterfind(f"{_DAV}propstat"):
            if " 200" in (part.findtext(f"{_DAV}status") or " 200"):
                found += list(part.find(f"{_DAV}prop") or ())
        yield (response.findtext(f"{_DAV}href") or "").strip(), response.findtext(f"{_DAV}status") or "", found


def _collections(tree: XML.Element, answer: Answer) -> list[Found]:
    found: list[Found] = []
    for href, _, properties in _responses(tree):
        collection, kinds, tag = False, set[str](), ""
        home = principal = None
        for one in properties:
            if one.tag == f"{_DAV}resourcetype":
                collection = one.find(f"{_CAL}calendar") is not None
            elif one.tag == f"{_CAL}supported-calendar-component-set":
                kinds = {part.get("name", "").upper() for part in one.iterfind(f"{_CAL}comp")}
            elif one.tag == f"{_CS}getctag":
                tag = (one.text or "").strip()
            elif one.tag == f"{_CAL}calendar-home-set":
                home = _address(one, answer)
            elif one.tag == f"{_DAV}current-user-principal":
                principal = _address(one, answer)
        own = Collection(answer.url.join(href), frozenset(kinds), tag) if collection else None
        found.append((own, home, principal))
    return found


def _address(one: XML.Element, answer: Answer) -> httpx.URL | None:
    href = (one.findtext(f"{_DAV}href") or "").strip()
    return answer.url.join(href) if href else None


def _objects(tree: XML.Element, answer: Answer) -> Objects:
    texts, truncated = [], False
    for _, status, properties in _responses(tree):
        truncated = truncated or " 507" in status
        texts += [one.text.encode() for one in properties if one.tag == f"{_CAL}calendar-data" and one.text]
    return Objects(texts, truncated)
