"""Measures what a start costs on logs of several sizes: the time until the service is ready and until
its first receipt, its memory, and the first receipt of a stream with many events with and without
its snapshot. Run by Scripts/bench-start; prints one JSON object for each log."""

import argparse
import json
import shutil
import subprocess
import time
from pathlib import Path

from harness import Service, binary, mail, wait_until

SMALL, LARGE = "mailbox/m1", "mailbox/large"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("events", type=int, nargs="*", default=[10_000, 10_000_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="keep the logs here, and use those that are there")
    options = parser.parse_args()
    for events in options.events:
        directory = options.keep / str(events) if options.keep else None
        if directory:
            directory.mkdir(parents=True, exist_ok=True)
        service = Service(directory=directory, segment_bytes=64 << 20)
        try:
            print(json.dumps(measure(service, events, options.runs)), flush=True)
        finally:
            service.close()


def measure(service, events, runs):
    data = service.directory / "data"
    if not data.exists():
        subprocess.run(
            [binary(), "bench", "fill", "--data", str(data), "--events", str(events)],
            check=True, stdout=subprocess.DEVNULL)
    # Indexes are intact and snapshots there, as a service that has run would have left them.
    service.start()
    for stream in (SMALL, LARGE):
        first_receipt(service, stream)
    # The small stream is too short for one, unless the log is long.
    wait_until(lambda: list(data.glob("snapshots/*.snap")), "a snapshot")
    assert service.stop() == 0
    figures = {"events": events, "logBytes": sum(f.stat().st_size for f in data.glob("log/*"))}
    for name, stream in (("small", SMALL), ("large", LARGE)):
        figures[name] = best(start(service, stream) for _ in range(runs))
    figures["largeWithoutSnapshot"] = best(
        start(service, LARGE, without_snapshots=True) for _ in range(runs))
    return figures


def best(runs):
    return min(runs, key=lambda run: run["firstReceiptSeconds"])


def start(service, stream, without_snapshots=False):
    """One start, one command."""
    if without_snapshots:
        shutil.rmtree(service.directory / "data" / "snapshots")
    began = time.monotonic()
    service.start()
    ready = time.monotonic()
    first_receipt(service, stream)
    answered = time.monotonic()
    status = service.client().request("status")
    figures = {
        "readySeconds": round(ready - began, 3),
        "firstReceiptSeconds": round(answered - began, 3),
        "afterReadySeconds": round(answered - ready, 3),
        "residentMebibytes": service.resident_bytes() >> 20,
        "aggregateMebibytes": round(status["aggregateBytes"] / (1 << 20), 1)}
    if without_snapshots:
        wait_until(
            lambda: service.client().request("status")["snapshots"]["written"] > 0, "a snapshot")
    assert service.stop() == 0
    return figures


def first_receipt(service, stream):
    receipt = service.client().done(stream, "deliver", mail(1))
    assert receipt["events"] == 1


if __name__ == "__main__":
    main()
