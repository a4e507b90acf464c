"""pymap, in memory, with the accounts user1, user2 and so on up to a number: `python imap_process.py PORT PASSWORD NUMBER`."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from typing import Any

from pymap.backend.dict import Config, DictBackend, Identity, Login
from pymap.main import run
from pymap.service import services
from pymap.user import Passwords, UserMetadata


class Many(DictBackend):
    @classmethod
    async def init(cls, args: Namespace, **overrides: Any) -> tuple[DictBackend, Config]:
        config = Config.from_args(args, **overrides)
        login = Login(config)
        secret = await Passwords(config).hash_password(args.demo_password)
        for number in range(args.users):
            user = f"user{number + 1}"
            await Identity(user, login, None, frozenset()).set(UserMetadata(config, user, password=secret))
        return cls(login, config), config


if __name__ == "__main__":
    port, password, users = sys.argv[1:]
    arguments = Namespace(
        debug=False, host="127.0.0.1", port=int(port), cert=None, key=None, tls=False, proxy_protocol=None, passlib_cfg=None, set_uid=None,
        set_gid=None, inherited_sockets=None, demo_data=False, demo_user="demo", demo_password=password, users=int(users),
    )  # fmt: skip
    asyncio.run(run(arguments, Many, [services["imap"]]))
