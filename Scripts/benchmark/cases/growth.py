"""How figures grow with what they may depend on. Each row compares a size with the smallest."""

import math

from measure import Aim, Row
from cases.sizes import of_rows as one_stream
from cases.start import SMALL, one_start, prepared

# Beside what a logarithm allows, for the noise.
TOLERANCE = 1.25


def growth(run):
    return [*of_log(run), *of_streams(run), *of_rows(run), *of_subscribers(run)]


def compared(name, unit, figures):
    """Rows from the figures by size; more is worse, and worse than logarithmic misses the aim."""
    sizes = sorted(figures)
    smallest = sizes[0]
    found = [Row(f"{name}, {smallest:,}", unit, figures[smallest])]
    for size in sizes[1:]:
        found.append(Row(
            f"{name}, {size:,}", unit, figures[size],
            figures[smallest], f"{smallest:,}",
            Aim("ratio", at_most=round(logarithmic(smallest, size) * TOLERANCE, 2))))
    return found


def logarithmic(smallest, size):
    """How much larger a figure may be that grows as the logarithm: log(1 + n), so that it is defined
    for 0 and 1."""
    return math.log(2 + size) / math.log(2 + smallest)


def of_log(run):
    starts, receipts, cycles = {}, {}, {}
    tails = {}
    for events in (10_000, 1_000_000, run.size(10_000_000, 1_000_000)):
        run.say(f"growth: a log of {events:,}")
        data = prepared(run, events)
        starts[events] = [one_start(run, data, SMALL)["seconds"] for _ in range(run.pairs)]
        with run.service(directory=data) as service:
            # Sooner there than by catching up.
            service.bench("rebuild")
            lines = [
                service.bench("load", "--inflight", 1, "--seconds", run.seconds)
                for _ in range(run.pairs)]
            receipts[events] = [line["p50Microseconds"] for line in lines]
            lines = [
                service.bench("load", "--seconds", run.seconds) for _ in range(run.pairs)]
            cycles[events] = [1e6 / line["perSecond"] for line in lines]
            head = service.status()["head"]
            lines = [
                service.bench("tail", "--from", max(0, head - 500_000)) for _ in range(run.pairs)]
            tails[events] = [1e6 / line["perSecond"] for line in lines]
        run.remove(data)
    return [
        *compared("start to first receipt, events in the log", "s", starts),
        *compared("one in flight p50, events in the log", "µs", receipts),
        *compared("a command of 10,000 in flight, events in the log", "µs", cycles),
        *compared("a tailed event, events in the log", "µs", tails)]


def of_streams(run):
    receipts, costs = {}, {}
    for streams in (1, 100, 10_000, run.size(100_000, 20_000)):
        run.say(f"growth: {streams:,} streams")
        options = ("--streams", streams, "--rows", 2, "--kind", "swipe")
        with run.service("--aggregate-memory", 1 << 34) as service:
            receipts[streams] = [
                service.bench("load", "--inflight", 1, "--seconds", run.seconds, *options)[
                    "p50Microseconds"] for _ in range(run.pairs)]
            costs[streams] = [
                1e6 / service.bench("load", "--seconds", run.seconds, *options)["perSecond"]
                for _ in range(run.pairs)]
    return [
        *compared("one in flight p50, streams", "µs", receipts),
        *compared("a command of 10,000 in flight, streams", "µs", costs)]


def of_rows(run):
    found = []
    for what, stream, sizes, kinds, options in (
            ("mails", "mailbox/large", (1000, 30_000, run.size(1_000_000, 100_000)),
             ("flag", "page"), ()),
            ("items", "list/large", (1000, 10_000, run.size(100_000, 20_000)),
             ("reorder", "page"), ("--lists",))):
        figures = {}
        for size in sizes:
            run.say(f"growth: {size:,} {what}")
            data = one_stream(run, size, *options)
            with run.service("--aggregate-memory", 1 << 34, directory=data) as service:
                service.wait_for_views()
                for kind in kinds:
                    service.bench(
                        "load", "--kind", kind, "--inflight", 1, "--stream", stream, "--rows", size,
                        "--count", 2)
                    for _ in range(run.pairs):
                        line = service.bench(
                            "load", "--kind", kind, "--inflight", 1, "--stream", stream,
                            "--rows", size, "--seconds", run.seconds)
                        for share in ("p50", "p99"):
                            figures.setdefault((kind, share), {}).setdefault(size, []).append(
                                line[f"{share}Microseconds"])
            run.remove(data)
        for (kind, share), by_size in figures.items():
            found += compared(f"{kind} {share}, {what}", "µs", by_size)
    return found


def of_subscribers(run):
    """Every subscriber gets every event, so the last one waits for a message to each: in proportion,
    and that is stated, not aimed at. What it must not do is hold up the receipt."""
    receipts, last = {}, {}
    for subscribers in (0, 1, 10, 100):
        run.say(f"growth: {subscribers} subscribers")
        with run.service() as service:
            lines = [
                service.bench("live", "--subscribers", subscribers, "--seconds", run.seconds)
                for _ in range(run.pairs)]
        receipts[subscribers] = [line["receipt"]["p50Microseconds"] for line in lines]
        if subscribers:
            last[subscribers] = [line["last"]["p50Microseconds"] for line in lines]
    found = compared("receipt p50, subscribers", "µs", receipts)
    found += [
        Row(f"event at the last of {subscribers}, p50", "µs", runs, last[1] if subscribers > 1 else [],
            "1" if subscribers > 1 else "")
        for subscribers, runs in last.items()]
    return found
