"""The documentation tells the truth: every setting, source, mode and error is in it, and its examples are read as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import NOW
from test_rules import shown

import adapters
from adapters._base import STATUSES, TYPES
from planner import TemporalMode, read_times
from temporal_recall import calibration, errors
from temporal_recall.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_setting_is_documented() -> None:
    """Each setting of the service and of every source stands in docs/settings.md, and nothing that does not exist does."""
    text = page("settings.md")
    first_cells = re.findall(r"^\| (`[^|]+) \|", text, re.MULTILINE)
    documented = {name for cell in first_cells for name in re.findall(r"`([A-Z][A-Z0-9_]+)`", cell)}
    real = {name.upper() for name in Settings.model_fields}
    for name, registered in adapters.registry().items():
        real |= {f"{name}_{field}".upper() for field in registered.settings.model_fields}
    assert real - documented == set()
    assert documented - real == set()


def test_every_source_mode_and_error_is_documented() -> None:
    """Sources, modes, error codes and statuses, and the qualities of the sources."""
    assert all(f"`{name}`" in page("sources.md") for name in adapters.registry())
    assert all(f"`{mode}`" in page("modes.md") for mode in TemporalMode)
    assert all(f"{word}," in page("api.md").replace(")", ",") for word in (*STATUSES, *TYPES))
    for error in errors.ALL:
        assert f"| {error.status} | `{error.code}` |" in page("api.md")
    for source, quality in calibration.SOURCE_QUALITY.items():
        assert f"{source} {quality:.2f}" in page("ranking.md")


ROWS = re.findall(r"^\|[^|]*\| `([^`]+)` \|(?: `([^`]*)`)? *\|$", page("time.md"), re.MULTILINE)


@pytest.mark.parametrize(("text", "reading"), ROWS, ids=[text for text, _ in ROWS])
def test_the_conventions_are_read_as_documented(text: str, reading: str) -> None:
    """Each example of docs/time.md gives the reading beside it."""
    assert shown(read_times(text, NOW)) == reading


def test_the_page_has_its_examples() -> None:
    """The table was found at all."""
    assert len(ROWS) > 40


def test_links_lead_somewhere() -> None:
    """Every relative link of README and docs names a file that exists."""
    root = DOCS.parent
    for file in [root / "README.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
            assert (file.parent / target).exists(), f"{file.name}: {target}"
