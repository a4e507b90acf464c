"""The command line: `temporal-recall serve | ask | plan | add | import | reindex | sync | replay | sources`."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer
from pydantic import SecretStr, ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

import adapters
from adapters import SourceError
from adapters._times import to_ms
from planner.explaining import Branch
from planner.explaining import explain as explain_times
from planner.modes import TemporalMode
from planner.plan import ContextPlan, make_plan, zone_of
from temporal_recall import clock, importers
from temporal_recall.errors import RecallError
from temporal_recall.settings import Settings, data_folder
from temporal_recall.sources import PLANNED_SOURCES, build_sources

# The store, the server and the HTTP client load in the commands that need them: they take longer than the other commands do.
if TYPE_CHECKING:
    import uvicorn

    from adapters._store import NewMessage, Store

cli = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Ask a person's timeline what happened, was said, is planned, was made or is due.",
)
out, err = Console(highlight=False), Console(stderr=True, highlight=False)


def _somebody(user: str | None) -> str | None:
    if user is not None and (not user.strip() or "\x00" in user):
        raise typer.BadParameter("must not be blank")
    return user


User = Annotated[str, typer.Option("--user", envvar="TEMPORAL_RECALL_USER", help="Whose timeline.", callback=_somebody)]
NowOption = Annotated[
    str | None, typer.Option("--now", help="The moment of the question, ISO 8601 with an offset; default: the clock.")
]
Mode = Annotated[TemporalMode | None, typer.Option("--mode", help="Overrule the temporal mode.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main() -> None:
    """Entry point of the console script; an error that the user can mend is one line on stderr and exit code 2."""
    try:
        cli()
    except ValidationError as error:
        for e in error.errors():
            name, *inside = map(str, e["loc"]) if e["loc"] else [""]
            setting = f"setting {_prefix(error.title)}{name.upper()}{''.join('.' + part for part in inside)}"
            err.print(Text.assemble((setting, "red"), ": " + e["msg"].removeprefix("Value error, ")), soft_wrap=True)
        raise SystemExit(2) from error
    except (RecallError, SourceError, ValueError, OSError, OverflowError) as error:
        err.print(Text(str(error), style="red"))
        for field, message in getattr(error, "fields", []):
            err.print(Text(f"  {field}: {message}"))
        raise SystemExit(2) from error


def _prefix(model: str) -> str:
    """What the settings of a class begin with: a source's with its name."""
    known: dict[str, type[Any]] = {Settings.__name__: Settings}
    if model not in known:
        known |= {registered.settings.__name__: registered.settings for registered in adapters.registry().values()}
    return str(known.get(model, Settings).model_config.get("env_prefix", ""))


def _store(settings: Settings, *, semantic: bool = False) -> Store:
    from adapters._store import Store

    return Store(settings.database_url.get_secret_value(), semantic=semantic)


def _now(text: str | None, settings: Settings) -> dt.datetime:
    if text is None:
        return clock.now(settings.zone)
    try:
        now = dt.datetime.fromisoformat(text)
        if now.tzinfo is None:
            return now.replace(tzinfo=settings.zone)
        there = now.astimezone(settings.zone)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"--now is a time in ISO 8601 form, as in 2026-09-03T22:00:00+08:00: {error}") from error
    return there if now.utcoffset() == there.utcoffset() else now


@cli.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8080,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 1,
    with_sample: Annotated[
        bool, typer.Option("--sample", help="Serve a small sample life laid around today, and ask it one question.")
    ] = False,
) -> None:
    """Serve the HTTP API."""
    import uvicorn

    from temporal_recall.auth import is_loopback

    settings = Settings()
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # its INFO lines hold addresses with user ids
    if not settings.verifies:
        if not is_loopback(host):
            raise ValueError(
                f"no way to verify callers is configured, so {host} is refused: set TEMPORAL_RECALL_TOKEN or listen on 127.0.0.1"
            )
        err.print("[yellow]No way to verify callers is configured: answering callers on this machine only.[/]")
    if with_sample:
        anyio.run(_serve_sample, settings, host, port)
        return
    anyio.run(_can_serve, settings)
    uvicorn.run(
        "temporal_recall.api:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level="warning",
        access_log=False,
    )


async def _can_serve(settings: Settings) -> None:
    """Opens what the service opens, once before its processes do. Raises what is wrong with the settings or the store."""
    store = _store(settings)
    try:
        for adapter in build_sources(settings, store).values():
            await adapter.close()
        await store.open()
    finally:
        await store.close()


async def _serve_sample(settings: Settings, host: str, port: int) -> None:
    import uvicorn

    from temporal_recall import folder, sample
    from temporal_recall.api import create_app

    now = clock.now(settings.zone)
    place = data_folder() / "sample"
    shutil.rmtree(place, ignore_errors=True)
    sample.lay_out(place, now)
    settings = settings.model_copy(update={"database_url": SecretStr(f"sqlite:///{place}/store.sqlite3"), "sources": ()})
    async with folder.opened(place, settings, sample.USER, place) as sources:
        app = create_app(settings, sources)
        server = uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False))
        async with anyio.create_task_group() as group:
            group.start_soon(_ask_when_started, server, settings, host, port, now)
            await server.serve()
            group.cancel_scope.cancel()


async def _ask_when_started(server: uvicorn.Server, settings: Settings, host: str, port: int, now: dt.datetime) -> None:
    import httpx

    from temporal_recall import sample

    while not server.started:  # noqa: ASYNC110 (uvicorn has no event to wait for)
        await anyio.sleep(0.02)
    url = f"http://{host}:{port}"
    headers = {"Authorization": f"Bearer {settings.token.get_secret_value()}"} if settings.token is not None else {}
    async with httpx.AsyncClient(base_url=url, timeout=10, headers=headers) as client:
        answer = await client.post(
            "/v1/temporal-recall/query", json={"query": sample.QUESTION, "user_id": sample.USER, "now": now.isoformat()}
        )
    if answer.status_code == 200:
        _print_answer(answer.json())
    else:
        out.print(answer.text)
    out.print(
        f"\nServing on {url} — the API's documentation is at {url}/docs, the sample's user is {sample.USER!r}. Stop with Ctrl-C."
    )


@cli.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    user: User = "me",
    now: NowOption = None,
    mode: Mode = None,
    limit: Annotated[int, typer.Option(min=1, max=200)] = 50,
    url: Annotated[
        str | None,
        typer.Option("--url", envvar="TEMPORAL_RECALL_ASK_URL", help="Ask a running service instead of the local sources."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show each item's five factors.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a question and print the timeline."""
    settings = Settings()
    at = _now(now, settings)
    body: dict[str, Any] = {"query": question, "user_id": user, "now": at.isoformat(), "limit": limit, "explain": explain}
    if mode is not None:
        body["temporal_mode"] = mode
    answer = (
        anyio.run(_ask_service, url, settings, body)
        if url
        else anyio.run(_ask_here, settings, question, user, at, mode, limit, explain)
    )
    if as_json:
        print(json.dumps(answer, ensure_ascii=False, indent=1))
    else:
        _print_answer(answer)


async def _ask_service(url: str, settings: Settings, body: dict[str, Any]) -> dict[str, Any]:
    import httpx

    headers = {"Authorization": f"Bearer {settings.token.get_secret_value()}"} if settings.token is not None else {}
    try:
        async with httpx.AsyncClient(timeout=30, headers=headers) as client:
            answer = await client.post(f"{url.rstrip('/')}/v1/temporal-recall/query", json=body)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise ValueError(f"{url} cannot be asked: {error or type(error).__name__}") from error
    if answer.status_code != 200:
        raise ValueError(f"{url} answered {answer.status_code}: {answer.text[:500]}")
    found: dict[str, Any] = answer.json()
    return found


async def _ask_here(
    settings: Settings, question: str, user: str, now: dt.datetime, mode: TemporalMode | None, limit: int, explain: bool
) -> dict[str, Any]:
    from temporal_recall.recall import Recall

    store = _store(settings, semantic=settings.by_meaning)
    sources = build_sources(settings, store)
    await store.open()
    try:
        recall = Recall(settings, sources)
        plan = recall.plan(question, user, now, None, mode)
        return await recall.answer(plan, limit, explain=explain)
    finally:
        for adapter in sources.values():
            await adapter.close()
        await store.close()


@cli.command()
def plan(
    question: Annotated[str, typer.Argument(help="The question.")],
    user: User = "me",
    now: NowOption = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show which rule read which characters as what.")] = False,
) -> None:
    """Show how a question is understood, as JSON or explained."""
    settings = Settings()
    at = _now(now, settings)
    names = tuple(settings.sources) or ("meinput", "chat")
    made = make_plan(question, user, at, settings.plan_settings(names))
    if explain:
        _print_plan(made, at)
    else:
        print(json.dumps(made.wire(), ensure_ascii=False, indent=1))


@cli.command()
def add(
    file: Annotated[
        Path,
        typer.Argument(
            help="JSON lines of {role, content, timestamp}: timestamp ISO 8601 or Unix milliseconds; - for standard input."
        ),
    ],
    user: User = "me",
    session: Annotated[str, typer.Option(help="The conversation they belong to.")] = "cli",
    request_id: Annotated[
        str | None, typer.Option(help="Adding the same id again changes nothing; default: made of the file's content.")
    ] = None,
) -> None:
    """Add messages to the embedded store."""
    settings = Settings()
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    batch, bad = _read_messages(text, settings)
    for place, reason in bad:
        err.print(f"[yellow]line {place} left out:[/] {reason}")
    name = request_id or "cli-" + hashlib.sha256(text.encode()).hexdigest()[:16]
    added = anyio.run(_add, settings, user, name, session, batch) if batch else False
    out.print(
        f"read {len(batch) + len(bad)}, added {len(batch) if added else 0}, known before {0 if added else len(batch)}, bad {len(bad)}"
    )
    if bad and not batch:
        raise SystemExit(2)


def _read_messages(text: str, settings: Settings) -> tuple[list[NewMessage], list[tuple[int, str]]]:
    from adapters._store import NewMessage

    batch, bad = [], []
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("not a JSON object")
            role, content, when = row.get("role", "user"), row["content"], row.get("timestamp")
            if not isinstance(content, str) or not content.strip() or not isinstance(role, str) or not role.strip():
                raise ValueError("role and content must be text that is not blank")
            (role + content).encode()
            if "\x00" in role + content:
                raise ValueError("a NUL character cannot be kept")
            if isinstance(when, str):
                moment = dt.datetime.fromisoformat(when.replace("Z", "+00:00"))
                when = to_ms(moment if moment.tzinfo else moment.replace(tzinfo=settings.zone))
            elif when is not None and (not isinstance(when, int) or isinstance(when, bool)):
                raise ValueError("timestamp must be ISO 8601 text or whole Unix milliseconds")
            batch.append(NewMessage(role, content, when))
        except (ValueError, KeyError, AttributeError, TypeError, OverflowError) as error:
            bad.append((place, f"no {error}" if isinstance(error, KeyError) else str(error)))
    return batch, bad


async def _add(settings: Settings, user: str, name: str, session: str, batch: list[NewMessage]) -> bool:
    from adapters._store.writing import add as add_to_store

    store = _store(settings)
    await store.open()
    try:
        return await add_to_store(store, user, name, session, batch, settings.zone_for(user), settings.conventions)
    finally:
        await store.close()


@cli.command()
def reindex(
    user: Annotated[str | None, typer.Option("--user", help="This person only; default: everybody.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what was read under today's rules already.")] = False,
) -> None:
    """Read the stored messages anew after the rules of reading changed. The service may go on serving meanwhile."""
    anyio.run(_reindex, Settings(), user, everything)


async def _reindex(settings: Settings, user: str | None, everything: bool) -> None:
    from rich.progress import MofNCompleteColumn, Progress

    from adapters._store import reindexing

    store = _store(settings)
    await store.open()
    try:
        people = await reindexing.outdated(store, user, everything)
        with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=err) as progress:
            task = progress.add_task("messages", total=sum(person.messages for person in people))
            for person in people:
                async for count in reindexing.reindex(store, person.person, settings.zone_for, settings.conventions):
                    progress.advance(task, count)
        out.print(f"people {len(people)}, messages {sum(person.messages for person in people)}")
    finally:
        await store.close()


@cli.command()
def embed() -> None:
    """Make the vectors of the messages that wait for theirs, as a running service does by itself. Needs the extra `semantic`."""
    settings = Settings()
    if not settings.by_meaning:
        raise ValueError(
            "there is no search by meaning: pip install 'temporal-recall[semantic]' and leave TEMPORAL_RECALL_SEMANTIC on"
        )
    anyio.run(_embed, settings)


async def _embed(settings: Settings) -> None:
    from rich.progress import MofNCompleteColumn, Progress

    store = _store(settings, semantic=True)
    await store.open()
    try:
        assert store.vectors is not None
        with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=err) as progress:
            task = progress.add_task("messages", total=await store.vectors.waiting())
            await store.vectors.drain(lambda count: progress.advance(task, count))
        out.print(f"messages that wait: {await store.vectors.waiting()}")
    finally:
        await store.close()


@cli.command()
def sync(
    source: Annotated[str, typer.Argument(help="The source to mirror; meinput is the one that can be.")],
    user: User = "me",
    since: Annotated[
        str | None, typer.Option(help="Where the first run begins, a date in ISO form; default: the horizon.")
    ] = None,
) -> None:
    """Mirror a remote source into the store, so that it is found by event time, by words and far back. Run it again to go on."""
    settings = Settings()
    zone = settings.zone_for(user)
    now = clock.now(zone)
    begin = now - dt.timedelta(days=settings.horizon_days)
    if since is not None:
        moment = dt.datetime.fromisoformat(since)
        begin = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    anyio.run(_sync, settings, source, user, begin, now)


async def _sync(settings: Settings, source: str, user: str, since: dt.datetime, now: dt.datetime) -> None:
    from rich.progress import Progress

    from adapters.meinput import MeInput

    store = _store(settings)
    adapter = build_sources(settings, store).get(source)
    if not isinstance(adapter, MeInput):
        why = (
            f"{source} cannot be mirrored"
            if source != "meinput"
            else "meinput is not configured: set TEMPORAL_RECALL_MEINPUT_URL"
        )
        raise ValueError(why)
    known_as = settings.users.get(user, {}).get(source, user)
    read = added = skipped = undated = 0
    await store.open()
    try:
        with Progress(*Progress.get_default_columns(), console=err) as progress:
            task = progress.add_task(f"mirroring {source}", total=(now - since).total_seconds())
            async for page in adapter.mirror(store, known_as, settings.zone_for(user), now, since, settings.conventions):
                read, added = read + page.read, added + page.added
                skipped, undated = skipped + page.skipped, undated + page.undated
                progress.update(task, completed=(page.upto - since).total_seconds())
    finally:
        await adapter.close()
        await store.close()
        out.print(f"read {read}, added {added}, known before {read - added}, bad {skipped}, without a time {undated}")


@cli.command("import")
def import_export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(importers.FORMATS)}.")],
    file: Annotated[
        Path, typer.Argument(exists=True, help="The export: a file, a folder, or the archive as it was downloaded.")
    ],
    user: User = "me",
    me: Annotated[
        str | None, typer.Option("--me", help="Your name in the export, where it does not say which of its people you are.")
    ] = None,
    zone: Annotated[str | None, typer.Option("--timezone", help="Zone of times without one; default: the user's.")] = None,
    date_order: Annotated[
        str | None, typer.Option("--date-order", help="dmy, mdy or ymd, where a WhatsApp export's dates do not tell.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be added.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", help="Write everything that was left out to this file, as JSON.")
    ] = None,
    now: NowOption = None,
) -> None:
    """Bring a chat program's export into the embedded store; a second time nothing is added."""
    settings = Settings()
    if form not in importers.FORMATS:
        raise ValueError(f"no format {form!r}: one of {', '.join(importers.FORMATS)}")
    if date_order not in (None, "dmy", "mdy", "ymd"):
        raise ValueError("--date-order is dmy, mdy or ymd")
    options = importers.Options(zone_of(zone) if zone else settings.zone_for(user), _now(now, settings), me, date_order)
    made = anyio.run(_import, settings, user, form, file, options, dry_run)
    importers.shown(made, out, err, dry_run)
    if report is not None:
        whole = {"format": form, "file": file.name, "user": user, "dry_run": dry_run, **made.wire()}
        report.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if not made.added + made.known:
        raise SystemExit(2)


async def _import(
    settings: Settings, user: str, form: str, file: Path, options: importers.Options, dry_run: bool
) -> importers.Report:
    store = _store(settings)
    await store.open()
    try:
        with importers.bar(err) as moved:
            return await importers.bring_in(
                store, user, form, file, options, settings.zone_for(user), settings.conventions, dry_run=dry_run, progress=moved
            )
    finally:
        await store.close()


@cli.command("replay")
def replay_cases(
    folders: Annotated[list[Path], typer.Argument(help="Case folders, or folders that hold them.")],
    update: Annotated[bool, typer.Option("--update", help="Write what comes out as the expected answer.")] = False,
) -> None:
    """Replay recorded questions and compare with their expected answers."""
    from temporal_recall import replay

    cases = replay.find(folders)
    if not cases:
        raise ValueError(f"no case in {', '.join(map(str, folders))}: a case is a folder with a request.json")
    failed = 0
    for case in cases:
        differences = anyio.run(replay.run, case, update)
        failed += bool(differences)
        out.print(("[red]differs[/]" if differences else "[green]same[/]   ") + f" {case.name}")
        for line in differences[:12]:
            out.print(Text("    " + line))
    if failed:
        raise SystemExit(1)


_CHECK_SECONDS = 15  # what a source may take that is asked whether it can be asked

sources_cli = typer.Typer(help="The sources: which are configured, and whether they answer.", invoke_without_command=True)
cli.add_typer(sources_cli, name="sources")


@sources_cli.callback()
def sources(context: typer.Context) -> None:
    """List every source: configured, or what is missing."""
    if context.invoked_subcommand is None:
        anyio.run(_list_sources, False)


@sources_cli.command("check")
def sources_check() -> None:
    """Ask every configured source and say what was found."""
    if not anyio.run(_list_sources, True):
        raise SystemExit(1)


async def _list_sources(check: bool) -> bool:
    settings = Settings()
    store = _store(settings)
    configured = build_sources(settings, store)
    table = Table("source", "state", "found" if check else "needs")
    good = True
    if check:
        await store.open()
    for name, registered in adapters.registry().items():
        adapter = configured.get(name)
        if adapter is None:
            table.add_row(name, "not configured", registered.needs)
            continue
        if not check:
            table.add_row(name, "configured", Text(_places(registered.settings(), settings) or registered.needs))
            continue
        try:
            with anyio.fail_after(_CHECK_SECONDS):
                table.add_row(name, "[green]ok[/]", Text((await adapter.check()).replace("; ", "\n")))
        except (SourceError, TimeoutError) as error:
            good = False
            status, said = (error.status, str(error)) if isinstance(error, SourceError) else ("timeout", "no answer")
            table.add_row(name, f"[red]{status}[/]", Text(said.replace("; ", "\n")))
    for name in PLANNED_SOURCES:
        if name not in adapters.registry():
            table.add_row(name, "planned", "not written yet")
    out.print(table)
    for adapter in configured.values():
        await adapter.close()
    await store.close()
    return good


def _places(source: Any, settings: Settings) -> str:
    """The accounts of a source and whose each is, a line each; never a secret or a whole address."""
    whose = "nobody: callers are verified, so it needs a user" if settings.verifies else "the single user"
    return "\n".join(
        f"{account.label}, of {account.user or ('everyone' if account.many else whose)}"
        for account in getattr(source, "accounts", ())
    )


# --- printing -------------------------------------------------------------------------------------------------------------


def _print_answer(answer: dict[str, Any]) -> None:
    plan_, stats = answer["plan"], answer["stats"]
    start, end = (value[:16].replace("T", " ") for value in (answer["time_range"]["start"], answer["time_range"]["end"]))
    out.print(Text(plan_["query"], style="bold"))
    out.print(Text(f"{answer['temporal_mode']}  {start} – {end}  {plan_['timezone']}", style="dim"))
    titles = {"occurred_in_range": "occurred", "mentioned_or_planned": "mentioned or planned"}
    for label, items in [(g["label"], g["items"]) for g in answer["groups"]] or [("", answer["items"])]:
        table = Table(title=titles.get(label, label) or None, title_justify="left", show_edge=False, pad_edge=False)
        for name in ("when", "what", "status", "source", "score"):
            table.add_column(name, overflow="fold", no_wrap=name in ("when", "score"))
        for item in items:
            when = item["event_time"] or item["observed_time"] or ""
            shown = (
                when[:10]
                if item["event_grain"] not in (None, "minute", "hour", "second", "day_part")
                else when[:16].replace("T", " ")
            )
            style = "bold" if item["tier"] == "primary" else ""
            table.add_row(
                shown,
                Text(item["content"].replace("\n", " ")[:160], style=style),
                item["status"],
                item["source"],
                f"{item['recall_score']:.2f}",
            )
            if item.get("score"):
                table.add_row("", Text("  ".join(f"{k} {v:.2f}" for k, v in item["score"].items()), style="dim"), "", "", "")
        out.print(table if items else Text(f"{titles[label]}: nothing" if label else "nothing", style="dim"))
    rows = ", ".join(f"{s['source']} {s['status']} {s['count']} in {s['ms']:.0f} ms" for s in stats["sources"])
    out.print(Text(f"{stats['returned_count']} of {stats['raw_count']} items, {stats['elapsed_ms']} ms ({rows})", style="dim"))
    if stats.get("nearest") and any(stats["nearest"].values()):
        out.print(Text(f"nearest: before {stats['nearest']['before']}, after {stats['nearest']['after']}", style="dim"))


def _print_plan(made: ContextPlan, now: dt.datetime) -> None:
    tree = Tree(Text(made.query, style="bold"))
    tree.add(Text(f"now {now.isoformat()}  zone {made.timezone}"))
    _grow(tree, explain_times(made.query, now)._replace(text="times"))
    mode = made.explanation[-1]
    tree.add(Text(f"mode {made.temporal_mode} by {mode.rule}" + (f" ({mode.text!r})" if mode.text else "")))
    tree.add(Text(f"time [{made.time.start.isoformat()}, {made.time.end.isoformat()}) from {made.time.source}"))
    tree.add(Text("looks for " + (", ".join(made.expanded_queries) or "everything in the range")))
    for retrieval in made.retrievals:
        tree.add(Text(f"{retrieval.source}: observed {retrieval.observed.range}, at most {retrieval.limit}"))
    out.print(tree)


_STYLES = {"text": "", "expression": "cyan", "aside": "dim"}


def _grow(tree: Tree, branch: Branch) -> None:
    node = tree.add(Text(branch.text, style=_STYLES[branch.kind]))
    for below in branch.branches:
        _grow(node, below)
