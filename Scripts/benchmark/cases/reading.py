"""Reading: the tail of history, live events, and the log itself."""

import json

from bare import BareRouter, push_and_pull
from loads import Prepared
from measure import Aim, Row, rows


def tail(run):
    """A subscription from the log's beginning beside bare PUSH and PULL of messages of that size."""
    events = run.size(2_000_000, 500_000)
    data = run.fill(events, "--new-every", 20)
    with run.service(directory=data) as service:
        service.wait_for_views()
        service.bench("tail")
        ours, theirs = [], []
        for _ in range(run.pairs):
            run.say("tail of history")
            line = service.bench("tail")
            ours.append(line)
            size = max(1, line["bytes"] // line["messages"])
            theirs.append(push_and_pull(run, line["messages"], size))
    run.remove(data)
    for line in ours + theirs:
        line["rate"] = line["bytes"] / line["seconds"] / 1e6
    return [
        *rows(ours, theirs, "bare PUSH and PULL",
              ("bytes to one subscriber", "MB/s", "rate", Aim("ratio", at_least=0.5))),
        *rows(ours, [], "", ("events to one subscriber", "1/s", "perSecond"),
              ("messages that they came in", "", "messages"))]


def live(run):
    """One command under way at a time: until its receipt, and until its event is at a subscriber."""
    run.say("live events")
    with run.service() as service:
        first = service.bench("load", "--inflight", 1, "--seconds", 1)
        with BareRouter(run, first["logBytes"], first["replyBytes"]) as bare:
            ours, theirs = run.interleave(
                lambda: service.bench("live", "--seconds", run.seconds),
                lambda: bare.bench("load", "--inflight", 1, "--seconds", run.seconds))
        busy = [live_beside_load(run, service) for _ in range(run.pairs)]
    found = []
    for runs, baseline, when in ((ours, theirs, ""), (busy, [], " beside a busy mailbox")):
        for what, key in (("receipt", "receipt"), ("event at the subscriber", "last")):
            for name, member in (("p50", "p50"), ("p99", "p99"), ("p99.9", "p999")):
                member += "Microseconds"
                found.append(Row(
                    f"{what}{when}, {name}", "µs", [line[key][member] for line in runs],
                    [line[member] for line in baseline],
                    "bare round trip and fdatasync" if baseline else ""))
    return found


def live_beside_load(run, service):
    """While another client keeps a thousand commands in flight to one other mailbox."""
    with Prepared(service, "--seconds", run.seconds, tool="live") as live, \
            Prepared(service, "--inflight", 1000, "--seconds", run.seconds + 1) as busy:
        busy.tell()
        line = live.begin()
        busy.result()
    return line


def replay(run):
    """The raw scan and the fold into aggregates, of one mailbox and of a thousand."""
    found = []
    for name, streams in (("one mailbox", 0), ("1,000 mailboxes", 1000)):
        run.say(f"replay, {name}")
        data = run.fill(run.size(2_000_000, 500_000), "--streams", streams, "--new-every", 100)
        # Into the page cache, as it is the reading that is measured, not the disk.
        first = verify(run, data)
        record_bytes = max(1, first["bytes"] // first["records"])
        verified, bare, replayed = run.interleave(
            lambda: verify(run, data), lambda: scan(run, data, record_bytes),
            lambda: run.tool("replay", "--data", data, "--passes", 1))
        for line in verified:
            line["rate"] = line["records"] / line["seconds"] / 1e6
        for line in bare:
            line["rate"] = line["bytes"] / record_bytes / line["seconds"] / 1e6
        beside = "CRC-32C of every byte"
        found += rows(
            verified, bare, beside,
            (f"verified scan, {name}", "M events/s", "rate", Aim("service", at_least=20)))
        for line in replayed:
            line["rate"] = line["readPerSecond"] / 1e6
        found += rows(
            replayed, bare, beside, (f"read through the port, {name}", "M events/s", "rate"))
        found += rows(
            replayed, [], "",
            (f"folded into aggregates, {name}", "M events/s", "foldPerSecond", None, 1e-6),
            (f"  the same per core, {name}", "M events/s", "foldPerCoreSecond",
             Aim("service", at_least=5), 1e-6))
        run.remove(data)
    return found


def verify(run, data):
    return json.loads(
        run.children.run([run.swipestream, "log", "verify", "--data", data, "--json"]))


def scan(run, data, record_bytes):
    segments = sorted((data / "log").glob("*.seg"))
    return json.loads(run.children.run([run.bare, "scan", record_bytes, *segments]))
