"""The command line, as a person uses it, in a folder of its own: real commands, and what else they do and say called in this process."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from support import items_of

from adapters import registry
from adapters._store.embedding import installed
from temporal_recall import cli

NOW = "2026-09-03T22:00:00+08:00"
LINES = (
    '{"role": "user", "content": "今天和房东签了合同", "timestamp": "2026-09-02T10:00:00"}\n'
    '{"role": "user", "content": "下周三飞北京出差", "timestamp": "2026-09-02T11:00:00+08:00"}\n'
    "rubbish\n"
    '{"role": "user"}\n'
    '{"role": "user", "content": "明天下午三点开会", "timestamp": 1788327000000}\n'
)


Ended = subprocess.CompletedProcess[str]


def environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TEMPORAL_RECALL_")}
    own = {"COLUMNS": "140", "NO_COLOR": "1", "TEMPORAL_RECALL_SEMANTIC": "off"}
    return kept | own | dict.fromkeys(("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"), str(home))


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """As `run`, in this process: what a command does and says, once it is known to run by itself."""

    def called(*args: str, text: str = "", **env: str) -> Ended:
        with monkeypatch.context() as patch:
            for name in os.environ.keys() - environment(tmp_path).keys():
                patch.delenv(name)
            for name, value in (environment(tmp_path) | env).items():
                patch.setenv(name, value)
            patch.chdir(tmp_path)
            patch.setattr(sys, "argv", ["temporal-recall", *args])
            patch.setattr(sys, "stdin", io.StringIO(text))
            for console in (cli.out, cli.err):  # made when the module was loaded
                patch.setattr(console, "width", 140)
            with pytest.raises(SystemExit) as ended:  # anything else would be a traceback
                cli.main()
        return subprocess.CompletedProcess(args, int(ended.value.code or 0), *capsys.readouterr())

    return called


def run(tmp_path: Path, *args: str, text: str | None = None, **env: str) -> Ended:
    command = [sys.executable, "-c", "from temporal_recall.cli import main; main()", *args]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environment(tmp_path) | env,
        input=text,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )


def test_add_and_ask(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """Lines go in, bad ones are named with their reason, a second time changes nothing, and the question finds them."""
    added = run(tmp_path, "add", "-", text=LINES)
    assert added.returncode == 0
    assert "read 5, added 3, known before 0, bad 2" in added.stdout
    assert "line 3 left out" in added.stderr
    assert "line 4 left out" in added.stderr
    assert "read 5, added 0, known before 3, bad 2" in call("add", "-", text=LINES).stdout
    asked = run(tmp_path, "ask", "我这周做了什么", "--now", NOW, "--json")
    answer = json.loads(asked.stdout)
    assert [item["content"] for item in answer["items"]] == ["今天和房东签了合同", "明天下午三点开会"][: len(answer["items"])]
    shown = call("ask", "下周有什么安排", "--now", NOW, "--explain")
    assert "下周三飞北京出差" in shown.stdout
    assert "temporal_match" in shown.stdout


def test_reindex(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """Nothing to do is said so; --all reads everything again, and all is found as before."""
    call("add", "-", text=LINES)
    assert "people 0, messages 0" in call("reindex").stdout
    assert "people 1, messages 3" in run(tmp_path, "reindex", "--all").stdout
    answer = json.loads(call("ask", "房东的合同", "--now", NOW, "--json").stdout)
    assert "今天和房东签了合同" in json.dumps(answer, ensure_ascii=False)


EXPORT = (
    "[25/08/2026, 09:00:00] Bob: \u200eMessages and calls are end-to-end encrypted.\n"
    "[25/08/2026, 09:00:05] Bob: The review is moved to Thursday\n"
    "[26/08/2026, 21:15:30] Ada: Fine, I'll bring the samples\n"
)


def test_import(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """An export comes in once; what is left out is counted, and written with its place; the question finds it."""
    (tmp_path / "_chat.txt").write_text("no header\n" + EXPORT, encoding="utf-8")
    refused = call("import", "whatsapp", "_chat.txt", "--now", NOW)
    assert refused.returncode == 2
    assert "--me, one of Ada, Bob" in refused.stderr
    dry = call("import", "whatsapp", "_chat.txt", "--me", "Ada", "--now", NOW, "--dry-run")
    assert "would add 2, known before 0, skipped 1, bad 1" in dry.stdout
    added = run(tmp_path, "import", "whatsapp", "_chat.txt", "--me", "Ada", "--now", NOW, "--report", "report.json")
    assert "read 4, added 2, known before 0, skipped 1, bad 1" in added.stdout
    assert "_chat.txt:1: no message before this line" in added.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [(row["place"], row["reason"]) for row in report["left"]] == [
        ("_chat.txt:1", "no message before this line"),
        ("_chat.txt:2", "system line"),
    ]
    again = call("import", "whatsapp", "_chat.txt", "--me", "Ada", "--now", NOW)
    assert "added 0, known before 2" in again.stdout
    asked = call("ask", "what did Bob say last week about the review?", "--now", NOW, "--json")
    assert "The review is moved to Thursday" in [item["content"] for item in json.loads(asked.stdout)["items"]]


@pytest.mark.parametrize(("args", "says"), [
    (("msn", "x.txt"), "no format 'msn'"), (("whatsapp", "x.txt", "--date-order", "ydm"), "--date-order is dmy, mdy or ymd"),
    (("chatgpt", "x.txt"), "bad 1"), (("whatsapp", "x.txt", "--timezone", "Mars"), "Mars"), (("slack", "x.txt"), "users.json"),
])  # fmt: skip
def test_an_import_that_cannot_be(tmp_path: Path, call: Callable[..., Ended], args: tuple[str, ...], says: str) -> None:
    """One line that names what is wrong, exit code 2, no traceback."""
    (tmp_path / "x.txt").write_text("no export")
    failed = call("import", *args)
    assert failed.returncode == 2
    assert says in failed.stdout + failed.stderr
    assert "Traceback" not in failed.stderr


def test_plan_and_explain(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """A plan is JSON, or a tree of characters, rules and readings."""
    plan = json.loads(run(tmp_path, "plan", "上周五聊了什么", "--now", NOW).stdout)
    assert plan["time"]["expression"] == "上周五"
    tree = call("plan", "the last Friday of last month", "--now", NOW, "--explain").stdout
    assert "en.nth" in tree
    assert "Weekday weekday=4" in tree


def test_a_plan_waits_for_no_store_and_no_server(tmp_path: Path) -> None:
    """What only understands a question loads neither the database's libraries nor those of the network."""
    command = """if True:
        import sys
        from temporal_recall.cli import main
        try:
            main()
        finally:
            print(*sys.modules, file=sys.stderr)"""
    ended = subprocess.run(
        [sys.executable, "-c", command, "plan", "yesterday"],
        capture_output=True, text=True, env=environment(tmp_path), cwd=tmp_path, timeout=60, check=True,
    )  # fmt: skip
    loaded = set(ended.stderr.split())
    assert "planner.plan" in loaded
    assert loaded & {"sqlalchemy", "numpy", "httpx", "fastapi", "uvicorn", "jwt"} == set()


def test_sources(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """Every source is listed with what it needs; check says what was found, and fails when one cannot be asked."""
    listed = run(tmp_path, "sources").stdout
    assert re.search(r"meinput\s*│\s*not configured", listed)
    assert re.search(r"calendar\s*│\s*not configured", listed)
    assert re.search(r"memory_v2\s*│\s*not configured", listed)
    assert run(tmp_path, "sources", "check").returncode == 0
    failed = call(
        "sources",
        "check",
        TEMPORAL_RECALL_MEINPUT_URL="http://127.0.0.1:9",
        TEMPORAL_RECALL_MEINPUT_TOKEN="hidden-secret",
    )
    assert failed.returncode == 1
    assert "hidden-secret" not in failed.stdout + failed.stderr


ACCOUNTS = (
    '[{"dialect": "addsearch", "url": "http://127.0.0.1:9", "password": "hidden-secret"},'
    ' {"dialect": "hybrid", "url": "http://127.0.0.1:9", "name": "notebook", "user": "ada"},'
    ' {"dialect": "iris", "url": "http://127.0.0.1:9", "password_env": "NOT_SET_HERE"}]'
)


def test_each_account_is_told(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """The list names a source's accounts and whose they are; check tells of each what is wrong with it; no secret is shown."""
    (tmp_path / "daily").mkdir()
    given = {
        "TEMPORAL_RECALL_MEMORY_V2_ACCOUNTS": ACCOUNTS,
        "TEMPORAL_RECALL_NOTES_ACCOUNTS": f"{tmp_path}/daily, {tmp_path}/gone",
    }
    listed = call("sources", **given).stdout
    assert "127.0.0.1:9, of everyone" in listed
    assert "notebook, of ada" in listed
    assert "daily, of the single user" in listed
    verified = call("sources", **given, TEMPORAL_RECALL_TOKEN="t").stdout
    assert "daily, of nobody" in verified
    checked = call("sources", "check", **given)
    assert checked.returncode == 1
    assert "daily: 0 files" in checked.stdout
    assert "gone: there is no such folder" in checked.stdout
    assert "notebook: cannot be reached (ConnectError)" in checked.stdout
    assert "the environment has no NOT_SET_HERE" in checked.stdout
    assert "hidden-secret" not in listed + checked.stdout + checked.stderr


@pytest.mark.parametrize("accounts", ['[{"dialect": "iris", "password": "hidden-secret"}]', '[{"dialect": "iris", "passwort": "hidden-secret"}]', '[{"hidden-secret"'])  # fmt: skip
def test_a_wrong_account_is_named_without_its_secret(call: Callable[..., Ended], accounts: str) -> None:
    """The setting's whole name and what is wrong, never what stands in it."""
    failed = call("sources", TEMPORAL_RECALL_MEMORY_V2_ACCOUNTS=accounts)
    assert failed.returncode == 2
    assert "TEMPORAL_RECALL_MEMORY_V2_ACCOUNTS" in failed.stderr
    assert "hidden-secret" not in failed.stderr


@pytest.mark.parametrize(("env", "says"), [
    ({"TEMPORAL_RECALL_TIMEZONE": "Mars"}, "TEMPORAL_RECALL_TIMEZONE"), ({"TEMPORAL_RECALL_TIMEOUT_SECONDS": "-1"}, "TEMPORAL_RECALL_TIMEOUT_SECONDS"),
    ({"TEMPORAL_RECALL_WEEK_START": "someday"}, "TEMPORAL_RECALL_WEEK_START"), ({"TEMPORAL_RECALL_SOURCES": "nowhere"}, "nowhere"),
    ({"TEMPORAL_RECALL_DATABASE_URL": "hidden-secret"}, "TEMPORAL_RECALL_DATABASE_URL"), ({"TEMPORAL_RECALL_DATABASE_URL": "sqlite://"}, "TEMPORAL_RECALL_DATABASE_URL"),
    ({"TEMPORAL_RECALL_DATABASE_URL": "oracle://ada:hidden-secret@host/db"}, "sqlite, postgresql"), ({"TEMPORAL_RECALL_CHAT_DATABASE_URL": "hidden-secret"}, "TEMPORAL_RECALL_CHAT_DATABASE_URL"),
    ({"TEMPORAL_RECALL_DATABASE_URL": "postgresql://ada:hidden-secret@127.0.0.1:1/db"}, "the store cannot be opened|the driver is missing"),
    ({"TEMPORAL_RECALL_DATABASE_URL": "sqlite:////dev/null/store.sqlite3"}, "/dev/null"), ({"TEMPORAL_RECALL_USER_MAP_FILE": "nowhere.json"}, "TEMPORAL_RECALL_USER_MAP_FILE"),
    ({"TEMPORAL_RECALL_LOG_LEVEL": "LOUD"}, "TEMPORAL_RECALL_LOG_LEVEL"), ({"TEMPORAL_RECALL_SESSION_URL": "portal"}, "TEMPORAL_RECALL_SESSION_URL"),
    ({"TEMPORAL_RECALL_CHAT_TIME_ZONE": "Mars"}, "TEMPORAL_RECALL_CHAT_TIME_ZONE"), ({"TEMPORAL_RECALL_USER_MAP": "{"}, "user_map"),
])  # fmt: skip
def test_a_bad_setting_is_named(call: Callable[..., Ended], env: dict[str, str], says: str) -> None:
    """One line on stderr that names the setting, exit code 2, no traceback and no secret."""
    failed = call("ask", "今天", **env)
    assert failed.returncode == 2
    assert re.search(says, failed.stderr)
    assert "Traceback" not in failed.stderr
    assert "hidden-secret" not in failed.stderr


def test_the_service_does_not_start_without_its_store(tmp_path: Path) -> None:
    """What cannot be opened is said before anything is listened on."""
    failed = run(tmp_path, "serve", "--port", "0", TEMPORAL_RECALL_DATABASE_URL="sqlite:////dev/null/store.sqlite3")
    assert failed.returncode == 2
    assert "/dev/null" in failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.parametrize(("args", "says"), [
    (("replay", "nowhere"), "nowhere"), (("ask", "今天", "--url", "http://127.0.0.1:1"), "http://127.0.0.1:1 cannot be asked"), (("ask", "今天", "--url", "garbage"), "garbage"),
    (("ask", "今天", "--now", "soon"), "--now"), (("ask", "今天", "--now", "9999-12-31T23:00:00+00:00"), "--now"), (("ask", "今天", "--mode", "WHENEVER"), "--mode"),
    (("ask", " "), "query"), (("ask", "今天", "--user", " "), "--user"), (("add", "nowhere.jsonl"), "nowhere.jsonl"), (("add", "-", "--user", ""), "--user"),
])  # fmt: skip
def test_what_a_command_cannot_do_is_said(call: Callable[..., Ended], args: tuple[str, ...], says: str) -> None:
    """Exit code 2 and a word on what is wrong, never a traceback."""
    failed = call(*args, text='{"content": "x"}')
    assert failed.returncode == 2
    assert says in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_line_that_cannot_be_kept_takes_nothing_from_the_others(call: Callable[..., Ended]) -> None:
    """Half a character, NUL, another type, a day that is none: each is told with its line."""
    bad = ('{"content": "\\ud800"}', '{"content": "a\\u0000"}', "[1]", "null", '{"content": "x", "timestamp": "2026-02-30"}')
    added = call("add", "-", text="\n".join([*bad, '{"content": "周五评审", "timestamp": "2026-09-03"}']))
    assert added.returncode == 0
    assert "read 6, added 1, known before 0, bad 5" in added.stdout
    assert all(f"line {n} left out" in added.stderr for n in range(1, 6))


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
        settings = environment(tmp_path)
        del settings["TEMPORAL_RECALL_SEMANTIC"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings)
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
            assert {row["source"]: row["status"] for row in answer["stats"]["sources"]} == dict.fromkeys(registry(), "ok")
            assert all(group["items"] for group in answer["groups"])
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
    assert "Serving on" in out, err
    assert "Traceback" not in err


@pytest.mark.skipif(not installed(), reason="the extra `semantic` is not installed")
def test_embed(tmp_path: Path, call: Callable[..., Ended]) -> None:
    """What was added is found by its meaning once `embed` has run; switched off, it says how to switch it on."""
    lines = '{"role": "user", "content": "My sister got engaged in Rome!", "timestamp": "2026-09-02T10:00:00"}\n'
    assert call("add", "-", text=lines).returncode == 0
    ask = ("ask", "the wedding of a sibling", "--now", "2026-09-03T22:00:00", "--json")
    assert items_of(json.loads(call(*ask, TEMPORAL_RECALL_SEMANTIC="on").stdout)) == []
    assert "messages that wait: 0" in run(tmp_path, "embed", TEMPORAL_RECALL_SEMANTIC="on").stdout
    answer = json.loads(call(*ask, TEMPORAL_RECALL_SEMANTIC="on").stdout)
    assert [item["content"] for item in items_of(answer)] == ["My sister got engaged in Rome!"]
    refused = call("embed")
    assert refused.returncode == 2 and "TEMPORAL_RECALL_SEMANTIC" in refused.stderr
