"""The command line, as a person uses it: real commands in a folder of their own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

NOW = "2026-09-03T22:00:00+08:00"
LINES = (
    '{"role": "user", "content": "今天和房东签了合同", "timestamp": "2026-09-02T10:00:00"}\n'
    '{"role": "user", "content": "下周三飞北京出差", "timestamp": "2026-09-02T11:00:00+08:00"}\n'
    "rubbish\n"
    '{"role": "user"}\n'
    '{"role": "user", "content": "明天下午三点开会", "timestamp": 1788327000000}\n'
)


def run(tmp_path: Path, *args: str, text: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TEMPORAL_RECALL_")}
    environment |= {
        "XDG_DATA_HOME": str(tmp_path),
        "LOCALAPPDATA": str(tmp_path),
        "HOME": str(tmp_path),
        "COLUMNS": "140",
        "NO_COLOR": "1",
    } | env
    command = [sys.executable, "-c", "from temporal_recall.cli import main; main()", *args]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, input=text, cwd=tmp_path, timeout=60, check=False
    )


def test_add_and_ask(tmp_path: Path) -> None:
    """Lines go in, bad ones are named with their reason, a second time changes nothing, and the question finds them."""
    added = run(tmp_path, "add", "-", text=LINES)
    assert added.returncode == 0
    assert "read 5, added 3, known before 0, bad 2" in added.stdout
    assert "line 3 left out" in added.stderr
    assert "line 4 left out" in added.stderr
    assert "read 5, added 0, known before 3, bad 2" in run(tmp_path, "add", "-", text=LINES).stdout
    asked = run(tmp_path, "ask", "我这周做了什么", "--now", NOW, "--json")
    answer = json.loads(asked.stdout)
    assert [item["content"] for item in answer["items"]] == ["今天和房东签了合同", "明天下午三点开会"][: len(answer["items"])]
    shown = run(tmp_path, "ask", "下周有什么安排", "--now", NOW, "--explain")
    assert "下周三飞北京出差" in shown.stdout
    assert "temporal_match" in shown.stdout


def test_reindex(tmp_path: Path) -> None:
    """Nothing to do is said so; --all reads everything again, and all is found as before."""
    run(tmp_path, "add", "-", text=LINES)
    assert "people 0, messages 0" in run(tmp_path, "reindex").stdout
    assert "people 1, messages 3" in run(tmp_path, "reindex", "--all").stdout
    answer = json.loads(run(tmp_path, "ask", "房东的合同", "--now", NOW, "--json").stdout)
    assert "今天和房东签了合同" in json.dumps(answer, ensure_ascii=False)


def test_plan_and_explain(tmp_path: Path) -> None:
    """A plan is JSON, or a tree of characters, rules and readings."""
    plan = json.loads(run(tmp_path, "plan", "上周五聊了什么", "--now", NOW).stdout)
    assert plan["time"]["expression"] == "上周五"
    tree = run(tmp_path, "plan", "the last Friday of last month", "--now", NOW, "--explain").stdout
    assert "en.nth" in tree
    assert "Weekday weekday=4" in tree


def test_sources(tmp_path: Path) -> None:
    """Every source is listed with what it needs; check says what was found, and fails when one cannot be asked."""
    listed = run(tmp_path, "sources").stdout
    assert re.search(r"meinput\s*│\s*not configured", listed)
    assert re.search(r"calendar\s*│\s*planned", listed)
    assert run(tmp_path, "sources", "check").returncode == 0
    failed = run(
        tmp_path,
        "sources",
        "check",
        TEMPORAL_RECALL_MEINPUT_URL="http://127.0.0.1:9",
        TEMPORAL_RECALL_MEINPUT_TOKEN="hidden-secret",
    )
    assert failed.returncode == 1
    assert "hidden-secret" not in failed.stdout + failed.stderr


@pytest.mark.parametrize(("env", "says"), [
    ({"TEMPORAL_RECALL_TIMEZONE": "Mars"}, "TEMPORAL_RECALL_TIMEZONE"), ({"TEMPORAL_RECALL_TIMEOUT_SECONDS": "-1"}, "TEMPORAL_RECALL_TIMEOUT_SECONDS"),
    ({"TEMPORAL_RECALL_WEEK_START": "someday"}, "TEMPORAL_RECALL_WEEK_START"), ({"TEMPORAL_RECALL_SOURCES": "nowhere"}, "nowhere"),
])  # fmt: skip
def test_a_bad_setting_is_named(tmp_path: Path, env: dict[str, str], says: str) -> None:
    """One line on stderr that names the setting, exit code 2, no traceback."""
    failed = run(tmp_path, "ask", "今天", **env)
    assert failed.returncode == 2
    assert says in failed.stderr
    assert "Traceback" not in failed.stderr


def test_serve_refuses_the_world_without_a_token(tmp_path: Path) -> None:
    """Without a way to verify callers only loopback is listened on."""
    refused = run(tmp_path, "serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.returncode == 2
    assert "TEMPORAL_RECALL_TOKEN" in refused.stderr


def test_the_sample_is_served(tmp_path: Path) -> None:
    """serve --sample asks its question of its sample life, fills both groups, and goes on serving until it is stopped."""
    with httpx.Client(timeout=5) as client:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        command = [
            sys.executable,
            "-u",
            "-c",
            "from temporal_recall.cli import main; main()",
            "serve",
            "--sample",
            "--port",
            port,
        ]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TEMPORAL_RECALL_")} | {
            "XDG_DATA_HOME": str(tmp_path),
            "LOCALAPPDATA": str(tmp_path),
            "HOME": str(tmp_path),
        }
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        try:
            for _ in range(300):
                try:
                    if client.get(f"http://127.0.0.1:{port}/health").status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.1)
            answer = client.post(
                f"http://127.0.0.1:{port}/v1/temporal-recall/query", json={"query": "我这周有什么重要的事？", "user_id": "demo"}
            ).json()
            assert [row["status"] for row in answer["stats"]["sources"]] == ["ok", "ok"]
            assert all(group["items"] for group in answer["groups"])
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
    assert "Serving on" in out, err
    assert "Traceback" not in err
