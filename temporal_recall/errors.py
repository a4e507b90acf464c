"""Every error the service answers with: one class, one code, one HTTP status.

RecallError
  InvalidPlan 400 invalid_plan            Unauthenticated 401 unauthenticated      Forbidden 403 forbidden
  NotFound 404 not_found                  MethodNotAllowed 405 method_not_allowed  TooLarge 413 too_large
  TooMany 429 too_many_requests           Internal 500 internal
  SourcesFailed 503 source_unavailable    RecallTimeout 504 recall_timeout
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class RecallError(Exception):
    """Base: an answer of the form {"error": {"code", "message", "fields"}}. The message never holds a person's text."""

    status = 500
    code = "internal"
    headers: dict[str, str] = {}  # noqa: RUF012 (overridden, never changed)

    def __init__(self, message: str, fields: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.fields = list(fields)

    def body(self) -> dict[str, Any]:
        fields = [{"field": field, "message": message} for field, message in self.fields]
        return {"error": {"code": self.code, "message": self.message, "fields": fields}}


class InvalidPlan(RecallError):
    status, code = 400, "invalid_plan"


class Unauthenticated(RecallError):
    status, code = 401, "unauthenticated"
    headers = {"WWW-Authenticate": "Bearer"}  # noqa: RUF012


class Forbidden(RecallError):
    status, code = 403, "forbidden"


class NotFound(RecallError):
    status, code = 404, "not_found"


class MethodNotAllowed(RecallError):
    status, code = 405, "method_not_allowed"


class TooLarge(RecallError):
    status, code = 413, "too_large"


class TooMany(RecallError):
    status, code = 429, "too_many_requests"
    headers = {"Retry-After": "1"}  # noqa: RUF012


class Internal(RecallError):
    status, code = 500, "internal"


class SourcesFailed(RecallError):
    status, code = 503, "source_unavailable"


class RecallTimeout(RecallError):
    status, code = 504, "recall_timeout"


ALL: tuple[type[RecallError], ...] = (
    InvalidPlan, Unauthenticated, Forbidden, NotFound, MethodNotAllowed, TooLarge, TooMany, Internal, SourcesFailed, RecallTimeout,
)  # fmt: skip
