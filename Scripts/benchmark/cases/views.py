"""Building a view anew, beside a bare SQLite loop that writes the same rows."""

import json
import sqlite3

from measure import Aim, rows
from rows import LIST, MAILBOX, write_steps


def rebuild(run):
    found = []
    for view, shape, options in (
            ("mailbox", MAILBOX, ()), ("list", LIST, ("--lists",))):
        run.say(f"rebuild of the view {view}")
        events = run.size(500_000, 100_000)
        data = run.fill(events, *options)
        with run.service(directory=data) as service:
            service.wait_for_views()
        tables = schema(data / "views", view)
        with run.service(directory=data) as service:
            steps = run.work / "steps"
            replay = run.children.start(
                [run.swipestream, "replay", "--endpoint", service.endpoint], stdout=-1)
            write_steps(replay.stdout, tables, shape, steps)
            run.children.end(replay)
            ours, theirs = run.interleave(
                lambda: service.bench("rebuild", "--view", view),
                lambda: bare_rows(run, steps, events))
        run.remove(data)
        steps.unlink()
        found += rows(
            ours, theirs, "bare SQLite, a statement an event",
            (f"{view}, {events:,} events", "1/s", "perSecond", Aim("ratio", at_least=0.8)))
    return found


def schema(directory, view):
    """The view's tables and indexes, as its file has them."""
    (path,) = directory.glob(f"{view}*.sqlite")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        return ";\n".join(
            sql for (sql,) in database.execute("SELECT sql FROM sqlite_schema WHERE sql NOT NULL"))


def bare_rows(run, steps, events):
    path = run.work / "bare.sqlite"
    line = json.loads(run.children.run([run.bare, "rows", steps, path]))
    path.unlink()
    return {"perSecond": events / line["seconds"]}
