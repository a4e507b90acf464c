"""Who may ask, and for whom.

    worker token     TEMPORAL_RECALL_TOKEN, compared in constant time: may ask for anyone
    session token    a JWT (HS256 secret or JWKS) or the portal's word for it (GET {SESSION_URL}): may ask for its own user
    nobody           no verifier configured: callers on loopback only, for anyone

A token comes as `Authorization: Bearer`; the memory door also takes `Authorization: Token` and `X-Api-Key`.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import httpx
import jwt

from temporal_recall.errors import Forbidden, InvalidPlan, SourcesFailed, Unauthenticated
from temporal_recall.settings import Settings

_REMEMBERED_SECONDS = 60.0
_KEYS_SECONDS = 300.0
_REMEMBERED_TOKENS = 10_000
_ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]


@dataclass(frozen=True, slots=True)
class Caller:
    """A verified caller. `user_id` is None for one who may ask for anyone."""

    user_id: str | None

    def may_ask_for(self, user_id: str | None) -> str:
        """The user that is asked for. Raises Forbidden for another's, InvalidPlan when nobody is named."""
        if self.user_id is None:
            if user_id is None:
                raise InvalidPlan("no user is named", [("user_id", "required with this token")])
            return user_id
        if user_id is not None and user_id != self.user_id:
            raise Forbidden("this token may not ask for that user")
        return self.user_id


def token_of(headers: Mapping[str, str], *, door: bool = False) -> str | None:
    """The token of a request's headers (names in lower case), None if there is none. `door` allows the memory door's forms."""
    scheme, _, value = headers.get("authorization", "").strip().partition(" ")
    if value.strip() and scheme.lower() in (("bearer", "token") if door else ("bearer",)):
        return value.strip()
    if door and headers.get("x-api-key", "").strip():
        return headers["x-api-key"].strip()
    return None


class Verifier:
    """Verifies tokens as the settings say; keeps the portal's answers for a minute and a key set for five."""

    def __init__(self, settings: Settings, client: httpx.AsyncClient) -> None:
        self.settings = settings
        self.client = client
        self._remembered: OrderedDict[str, tuple[float, str | None]] = OrderedDict()
        self._keys: tuple[float, jwt.PyJWKSet] | None = None

    async def caller(self, token: str | None, host: str | None) -> Caller:
        """The caller with this token from this host. Raises Unauthenticated; SourcesFailed when the portal cannot be asked."""
        settings = self.settings
        if not settings.verifies:
            if not is_loopback(host):
                raise Unauthenticated("no way to verify callers is configured, so only this machine may ask")
            return Caller(None)
        if token is None:
            raise Unauthenticated("a token is needed")
        if settings.token is not None and hmac.compare_digest(token.encode(), settings.token.get_secret_value().encode()):
            return Caller(None)
        user_id = await self._local(token)
        if user_id is None and settings.session_url:
            user_id = await self._portal(token)
        if user_id is None:
            raise Unauthenticated("the token is not valid")
        return Caller(user_id)

    async def _local(self, token: str) -> str | None:
        settings = self.settings
        try:
            if settings.session_jwt_secret is not None:
                claims = self._decode(token, settings.session_jwt_secret.get_secret_value(), ["HS256"])
                return _user(claims, settings.session_jwt_claim)
            if settings.session_jwks_url:
                kid = jwt.get_unverified_header(token).get("kid")
                keys = (await self._key_set(settings.session_jwks_url)).keys
                key = next((key for key in keys if key.key_id == kid), keys[0] if len(keys) == 1 and kid is None else None)
                if key is None:
                    return None
                claims = self._decode(
                    token, key.key, [key.algorithm_name] if key.algorithm_name in _ASYMMETRIC else _ASYMMETRIC
                )
                return _user(claims, settings.session_jwt_claim)
        except jwt.PyJWTError:
            return None
        return None

    def _decode(self, token: str, key: Any, algorithms: list[str]) -> dict[str, Any]:
        settings = self.settings
        options: Any = {"require": ["exp"], "verify_aud": settings.session_jwt_audience is not None}
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=algorithms,
            audience=settings.session_jwt_audience,
            issuer=settings.session_jwt_issuer,
            options=options,
        )
        return claims

    async def _key_set(self, url: str) -> jwt.PyJWKSet:
        now = anyio.current_time()
        if self._keys is None or now - self._keys[0] > _KEYS_SECONDS:
            try:
                answer = await self.client.get(url)
                answer.raise_for_status()
                self._keys = (now, jwt.PyJWKSet.from_dict(answer.json()))
            except (httpx.HTTPError, ValueError) as error:
                if self._keys is None:
                    raise SourcesFailed("the key set that verifies sessions cannot be fetched") from error
        return self._keys[1]

    async def _portal(self, token: str) -> str | None:
        key = hashlib.sha256(token.encode()).hexdigest()
        now = anyio.current_time()
        remembered = self._remembered.get(key)
        if remembered is not None and now - remembered[0] < _REMEMBERED_SECONDS:
            return remembered[1]
        assert self.settings.session_url is not None
        try:
            answer = await self.client.get(self.settings.session_url, headers={"Authorization": f"Bearer {token}"})
            if answer.status_code in (401, 403):
                user_id = None
            else:
                answer.raise_for_status()
                user_id = _portal_user(answer.json(), self.settings.session_user_field)
        except (httpx.HTTPError, ValueError) as error:
            raise SourcesFailed("the portal that verifies sessions cannot be asked") from error
        self._remembered[key] = (now, user_id)
        self._remembered.move_to_end(key)
        while len(self._remembered) > _REMEMBERED_TOKENS:
            self._remembered.popitem(last=False)
        return user_id


def _user(claims: Mapping[str, Any], claim: str) -> str | None:
    value = claims.get(claim)
    return value if isinstance(value, str) and value.strip() else None


def _portal_user(body: Any, field: str) -> str | None:
    """The user id in the portal's answer: at the dotted `field` if one is set, else where portals usually have it."""
    for path in (
        (field,) if field else ("user_id", "id", "user.id", "user.user_id", "data.user_id", "data.id", "data.user.id", "sub")
    ):
        value = body
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value.strip():
            return value
    return None


def is_loopback(host: str | None) -> bool:
    """Whether a host name or address is this machine's own."""
    if host is None:
        return False
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
