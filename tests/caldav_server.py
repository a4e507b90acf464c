"""A CalDAV server of one's own: Radicale, started once a test run on a free port of this machine, and stopped with it."""

from __future__ import annotations

import atexit
import itertools
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import httpx

_NUMBERS = itertools.count()


@cache
def _started() -> tuple[str, Path]:
    """The server's address and the file of its users, which it reads at every request."""
    folder = Path(tempfile.mkdtemp(prefix="temporal-recall-radicale-"))
    users = folder / "users"
    users.write_text("nobody:nothing\n")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "server-hosts": f"127.0.0.1:{port}", "auth-type": "htpasswd", "auth-htpasswd-filename": str(users), "auth-htpasswd-encryption": "plain",
        "auth-delay": "0", "storage-filesystem-folder": str(folder / "collections"), "logging-level": "critical",
    }  # fmt: skip
    command = [sys.executable, "-m", "radicale", *(f"--{name}={value}" for name, value in options.items())]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop() -> None:
        server.terminate()
        server.wait(10)
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    url = f"http://127.0.0.1:{port}"
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError("Radicale did not start")
        try:
            httpx.get(url, timeout=1)
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return url, users
    raise RuntimeError("Radicale does not answer")


@cache
def person(whose: str) -> tuple[str, str, str]:
    """A user of the server, the same for the same `whose` and new for any other: its address, name and password."""
    url, users = _started()
    name = f"user{next(_NUMBERS)}"
    with users.open("a") as file:
        file.write(f"{name}:secret-{name}\n")
    return url, name, f"secret-{name}"


def put(url: str, name: str, password: str, text: str, calendar: str = "calendar") -> None:
    """Lays a whole calendar down under that name, instead of what it held."""
    headers = {"Content-Type": "text/calendar; charset=utf-8"}
    answer = httpx.put(f"{url}/{name}/{calendar}/", content=text.encode(), headers=headers, auth=(name, password), timeout=30)
    answer.raise_for_status()
