"""Who may ask: worker tokens, sessions verified by secret, by key set and by the portal, and nobody beyond this machine without one."""

from __future__ import annotations

import json
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from support import batch

from temporal_recall.auth import is_loopback
from temporal_recall.sample import served

pytestmark = pytest.mark.anyio

QUERY = "/v1/temporal-recall/query"
ASK = {"query": "今天", "now": "2026-09-03T22:00:00+08:00"}
SECRET = "a-secret-of-at-least-thirty-two-bytes!"
LATER = 4102444800


def session(
    user: Any = "ada", secret: Any = SECRET, algorithm: str = "HS256", headers: dict[str, str] | None = None, **more: Any
) -> str:
    return jwt.encode({"sub": user, "exp": LATER, **more}, secret, algorithm, headers=headers)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_a_session_asks_for_its_own_user(serve: Any, settings: Any) -> None:
    """With a session token user_id may be left out; its own is fine, another's is forbidden, on every door."""
    settings = settings.model_copy(update={"session_jwt_secret": SecretStr(SECRET)})
    async with serve(settings, token=session()) as client:
        answer = await client.post(QUERY, json=ASK)
        assert (answer.status_code, answer.json()["plan"]["user_id"]) == (200, "ada")
        assert (await client.post(QUERY, json=ASK | {"user_id": "ada"})).status_code == 200
        other = await client.post(QUERY, json=ASK | {"user_id": "bob"})
        assert (other.status_code, other.json()["error"]["code"]) == (403, "forbidden")
        plan = answer.json()["plan"] | {"user_id": "bob"}
        assert (await client.post(QUERY, json={"plan": plan})).status_code == 403
        assert (await client.post("/v1/temporal-recall/plan", json=ASK | {"user_id": "bob"})).status_code == 403
        assert (await client.post("/add", json=batch("r", ("2026-09-03T10:00", "x"), user="ada"))).status_code == 200
        door = await client.post("/add", json=batch("r", ("2026-09-03T10:00", "x"), user="bob"))
        assert door.status_code == 403
        assert "reason" in door.json()["detail"]
        assert (await client.post("/search", json={"query": "x", "user_id": "bob", "top_k": 3})).status_code == 403


@pytest.mark.parametrize(
    "token",
    [session(secret="another-secret-of-thirty-two-bytes-here"), session(exp=1), jwt.encode({"sub": "ada"}, SECRET, "HS256"), session(user=""), "a.b.c",
     jwt.encode({"sub": "ada", "exp": LATER}, None, "none"), jwt.encode({"sub": "ada", "exp": LATER}, SECRET * 2, "HS512"), "", "é"],
)  # fmt: skip
async def test_a_bad_session_is_401(serve: Any, settings: Any, token: str) -> None:
    """A wrong secret, an expired or endless token, no user, no signature, another algorithm, no token at all."""
    settings = settings.model_copy(update={"session_jwt_secret": SecretStr(SECRET)})
    async with serve(settings, token=None) as client:
        answer = await client.post(QUERY, json=ASK, headers={"Authorization": f"Bearer {token}".encode()})  # type: ignore[dict-item]
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthenticated")


async def test_the_worker_must_name_a_user(serve: Any, settings: Any) -> None:
    """The worker token may ask for anyone, but not for nobody."""
    async with serve(settings) as client:
        assert (await client.post(QUERY, json=ASK | {"user_id": "anyone"})).status_code == 200
        answer = await client.post(QUERY, json=ASK)
    assert (answer.status_code, answer.json()["error"]["fields"][0]["field"]) == (400, "user_id")


async def test_sessions_by_key_set(serve: Any, settings: Any) -> None:
    """A JWKS verifies sessions by the key's id; a key that is not in the set does not."""
    key, stranger = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())) | {"kid": "k1", "alg": "ES256", "use": "sig"}
    fetched = 0

    async def keys(_: Request) -> JSONResponse:
        nonlocal fetched
        fetched += 1
        return JSONResponse({"keys": [public]})

    async with served(Starlette(routes=[Route("/jwks", keys)])) as url:  # noqa: SIM117 (the second needs the first's address)
        async with serve(settings.model_copy(update={"session_jwks_url": f"{url}/jwks"}), token=None) as client:
            for _ in range(3):
                good = session(secret=key, algorithm="ES256", headers={"kid": "k1"})
                assert (await client.post(QUERY, json=ASK, headers=bearer(good))).status_code == 200
            for bad in (
                session(secret=stranger, algorithm="ES256", headers={"kid": "k1"}),
                session(secret=key, algorithm="ES256", headers={"kid": "k2"}),
                session(),
            ):
                assert (await client.post(QUERY, json=ASK, headers=bearer(bad))).status_code == 401
    assert fetched == 1


async def test_sessions_by_the_portal(serve: Any, settings: Any) -> None:
    """The portal is asked once a minute a token; its no is 401, its silence 503 and never a yes."""
    asked: list[str] = []

    async def me(request: Request) -> JSONResponse:
        asked.append(request.headers["authorization"])
        if request.headers["authorization"] == "Bearer good":
            return JSONResponse({"user": {"id": "ada"}})
        return JSONResponse({}, 401 if request.headers["authorization"] == "Bearer bad" else 500)

    async with served(Starlette(routes=[Route("/auth/me", me)])) as url:
        configured = settings.model_copy(update={"session_url": f"{url}/auth/me"})
        async with serve(configured, token=None) as client:
            for _ in range(3):
                answer = await client.post(QUERY, json=ASK, headers=bearer("good"))
                assert (answer.status_code, answer.json()["plan"]["user_id"]) == (200, "ada")
                assert (await client.post(QUERY, json=ASK, headers=bearer("bad"))).status_code == 401
            assert asked == ["Bearer good", "Bearer bad"]
            assert (await client.post(QUERY, json=ASK, headers=bearer("odd"))).status_code == 503
    async with serve(configured, token=None) as client:  # the portal is gone
        assert (await client.post(QUERY, json=ASK, headers=bearer("good"))).status_code == 503


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("::1", 200), ("192.168.1.7", 401), ("testclient", 401)])
async def test_without_a_verifier_only_this_machine(serve: Any, settings: Any, host: str, status: int) -> None:
    """Nothing configured: callers on loopback may ask for anyone, others are turned away."""
    async with serve(settings.model_copy(update={"token": None}), token=None, host=host) as client:
        assert (await client.post(QUERY, json=ASK | {"user_id": "ada"})).status_code == status


def test_loopback() -> None:
    """Loopback is an address of this machine, not a name that looks like one."""
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "10.0.0.1", "localhost.evil.example", "::", None, "")] == [False] * 6


async def test_the_user_map(serve: Any, settings: Any) -> None:
    """A source is asked by the id it knows the person by; the answer speaks of the canonical one."""
    mapped = settings.model_copy(update={"user_map": {"ada": {"chat": "portal-7"}}})
    async with serve(mapped) as client:
        await client.post("/add", json=batch("r", ("2026-09-03T10:00", "今天签了合同"), user="portal-7"))
        answer = (await client.post(QUERY, json=ASK | {"user_id": "ada"})).json()
        assert answer["stats"]["raw_count"] == 1
        assert answer["plan"]["user_id"] == "ada"
        assert (await client.post(QUERY, json=ASK | {"user_id": "bob"})).json()["stats"]["raw_count"] == 0
