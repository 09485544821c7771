"""What a start costs: from starting the process to the first receipt."""

import time

from measure import Aim, Row

SMALL, LARGE = "mailbox/m1", "mailbox/large"


def start(run):
    found = []
    medians = {}
    for events in (10_000, run.size(10_000_000, 1_000_000)):
        run.say(f"start with {events:,} events")
        data = prepared(run, events)
        runs = [one_start(run, data, SMALL) for _ in range(run.pairs + 1)][1:]
        medians[events] = runs
        found += [
            Row(f"{events:,} events, a short stream", "s", [line["seconds"] for line in runs],
                aim=Aim("service", at_most=1)),
            Row("  memory then", "MiB", [line["resident"] for line in runs])]
        large = [one_start(run, data, LARGE) for _ in range(run.pairs)]
        found.append(Row(
            f"  a stream of {events // 4:,}, with its snapshot", "s",
            [line["seconds"] for line in large]))
        without = [one_start(run, data, LARGE, without_snapshots=True) for _ in range(run.pairs)]
        found.append(Row(
            "  the same without its snapshot", "s", [line["seconds"] for line in without]))
        run.remove(data)
    small, large = medians.values()
    found.append(Row(
        "the long log beside the short one", "s", [line["seconds"] for line in large],
        [line["seconds"] for line in small], "10,000 events"))
    return found


def prepared(run, events):
    """A log as a service that has run would have left it: indexes intact, snapshots there. Only the
    views of a long one are behind, and catch up during the starts, which makes those no faster."""
    data = run.fill(events)
    with run.service(directory=data) as service:
        for stream in (SMALL, LARGE):
            first_receipt(service, stream)
        # The large stream was replayed from the log, so it gets one.
        run.wait(lambda: any(data.glob("snapshots/*.snap")), "a snapshot")
    return data


def one_start(run, data, stream, without_snapshots=False):
    if without_snapshots:
        run.remove(data / "snapshots")
    service = run.service(directory=data)
    began = time.monotonic()
    with service:
        first_receipt(service, stream)
        seconds = time.monotonic() - began
        resident = service.resident_bytes() / (1 << 20)
        if without_snapshots:
            run.wait(lambda: service.status()["snapshots"]["written"] > 0, "a snapshot")
    return {"seconds": seconds, "resident": resident}


def first_receipt(service, stream):
    with service.client() as client:
        receipt = client.request(
            "command", stream=stream, command="deliver",
            data={"from": "Benchmark", "subject": "One more", "message": "The first command."})
        assert receipt["events"] == 1, receipt
