"""One command, or one query, under way at a time: in a small stream and in a large one."""

from loads import Prepared
from measure import Aim, Row

# While a snapshot is taken: few enough that most of them fall into it.
SNAPSHOT_COMMANDS = 1000
# p99 of the large one beside that of the small one
AIM = Aim("ratio", at_most=1.5)


def sizes(run):
    mails, items = run.size(1_000_000, 100_000), run.size(100_000, 20_000)
    found = compare(run, "mails", mails, "mailbox/large", ("flag", "page"))
    found += compare(run, "items", items, "list/large", ("reorder", "page"), "--lists")
    return found


def compare(run, what, rows, stream, kinds, *options):
    run.say(f"{rows:,} {what} beside 1,000")
    counts = [rows, 1000]
    logs = [of_rows(run, count, *options) for count in counts]
    found = []
    with run.service("--aggregate-memory", 1 << 34, directory=logs[0]) as large, \
            run.service("--aggregate-memory", 1 << 34, directory=logs[1]) as small:
        large.wait_for_views()
        found += snapshot(run, large, stream, counts[0], kinds[0], what)
        for kind in kinds:
            def once(service, count):
                return service.bench(
                    "load", "--kind", kind, "--inflight", 1, "--stream", stream, "--rows", count,
                    "--seconds", run.seconds)
            ours, theirs = run.interleave(
                lambda: once(large, counts[0]), lambda: once(small, counts[1]))
            for name, aim in (("p50", None), ("p99", None if kind == "page" else AIM)):
                found.append(Row(
                    f"{kind} among {rows:,} {what}, {name}", "µs",
                    [line[f"{name}Microseconds"] for line in ours],
                    [line[f"{name}Microseconds"] for line in theirs], f"1,000 {what}", aim))
    for data in logs:
        run.remove(data)
    return found


def of_rows(run, count, *options):
    """A data directory with one mailbox or list of so many."""
    # A list begins with two events, its own and its section's.
    more = 2 if "--lists" in options else 0
    return run.fill(count + more, "--streams", 0, "--new-every", 1, *options)


def snapshot(run, service, stream, rows, kind, what):
    """The stream comes from the log, not from a snapshot, so it gets one then: beside commands."""
    first = {"flag": ("flag", {"mail": 1}), "reorder": ("reorder", {"item": 2, "first": True})}[kind]
    load = Prepared(
        service, "--kind", kind, "--inflight", 1, "--stream", stream, "--rows", rows,
        "--count", SNAPSHOT_COMMANDS)
    with load, service.client() as client:
        client.request("command", stream=stream, command=first[0], data=first[1])
        # As it was: what comes later finds no mail flagged.
        if kind == "flag":
            client.request("command", stream=stream, command="unflag", data=first[1])
        before = client.request("status")["snapshots"]["written"]
        line = load.begin()
        if client.request("status")["snapshots"]["written"] == before:
            # It is over by then where there is little to write.
            run.skip(
                f"{kind} during a snapshot of {rows:,} {what}", "it was over before the load began")
            return []
    return [
        Row(f"{kind} among {rows:,} {what}, during a snapshot, {name}", "µs",
            [line[f"{name}Microseconds"]])
        for name in ("p50", "p99")]
