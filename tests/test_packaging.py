"""The three top-level packages are this distribution's, and complete."""

from __future__ import annotations

import ast
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("planner", "adapters", "temporal_recall")


def test_the_packages_are_ours_alone() -> None:
    """Another distribution with a top-level `adapters` or `planner` would be imported instead."""
    owners = packages_distributions()
    for package in PACKAGES:
        assert set(owners.get(package, [])) <= {"temporal-recall"}


@pytest.mark.source_tree
def test_no_module_hides_the_standard_library() -> None:
    """A module named like one of the standard library breaks it when it is run as a script; a source has its own name, and is none."""
    sources = {path for path in (ROOT / "adapters").glob("*.py") if not path.name.startswith("_")}
    names = {path.stem for package in PACKAGES for path in {*(ROOT / package).rglob("*.py")} - sources} - {"__init__"}
    assert names & sys.stdlib_module_names == set()


@pytest.mark.source_tree
def test_only_one_module_reads_the_clock() -> None:
    """now is an argument: nothing but temporal_recall/clock.py asks the machine for it."""
    readers = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr in ("now", "utcnow", "today")
                    and isinstance(node.value, ast.Attribute | ast.Name)
                ):
                    owner = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
                    if owner in ("datetime", "date"):
                        readers.add(path.name)
    assert readers == {"clock.py"}
