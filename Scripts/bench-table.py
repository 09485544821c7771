"""Makes the table of Scripts/bench from the JSON lines that its runs left in a directory."""

import json
import statistics
import sys
from pathlib import Path

results = Path(sys.argv[1])


def runs(name):
    return [json.loads(line) for line in (results / name).read_text().splitlines()]


def number(value):
    if value is None:
        return "–"
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def row(what, service, bare=None, target=""):
    """Medians of both, and the median of the ratios of runs that followed one another."""
    cells = [what, number(statistics.median(service))]
    if bare:
        ratios = [s / b for s, b in zip(service, bare, strict=True)]
        cells += [
            number(statistics.median(bare)),
            f"{statistics.median(ratios):.2f}",
            f"{min(ratios):.2f}–{max(ratios):.2f}",
        ]
    else:
        cells += ["–", "–", "–"]
    return [*cells, target]


def members(lines, key, scale=1.0):
    return [line[key] * scale for line in lines]


def megabytes(lines):
    return [line["bytes"] / line["seconds"] / 1e6 for line in lines]


rows = [["", "service", "bare", "ratio", "its range", "aim"]]
for in_flight in (1, 100, 10000):
    service = runs(f"load-{in_flight}-service")
    bare = runs(f"load-{in_flight}-bare")
    rows.append(
        row(
            f"durable commands/s, {in_flight:,} in flight",
            members(service, "perSecond"),
            members(bare, "perSecond"),
            "≥ 0.5" if in_flight == 10000 else "",
        )
    )
    if in_flight == 1:
        for key, name, target in (("p50", "p50", "≤ 1.5"), ("p99", "p99", "")):
            rows.append(
                row(
                    f"  {name} of one in flight, µs",
                    members(service, f"{key}Microseconds"),
                    members(bare, f"{key}Microseconds"),
                    target,
                )
            )
log_bytes = statistics.median(members(runs("load-10000-service"), "logBytes"))
loads = runs("load-10000-service")

tail, pull = runs("tail-service"), runs("tail-bare")
rows.append(row("tail of history, MB/s", megabytes(tail), megabytes(pull), "≥ 0.5"))
rows.append(row("  events/s", members(tail, "perSecond")))
replay, rebuild = runs("replay"), runs("rebuild")
rows.append(row("replay: read and verified, M events/s", members(replay, "readPerSecond", 1e-6)))
rows.append(row("  and folded into mailboxes", members(replay, "foldPerSecond", 1e-6), target="≥ 5"))
rows.append(row("rebuild of the views, events/s", members(rebuild, "perSecond")))

print()
print((results / "machine").read_text(), end="")
print(f"log         {log_bytes:.1f} bytes per event, {replay[0]['events']:,} events")
print(
    f"messages    request {loads[0]['requestBytes']} bytes, receipt {loads[0]['replyBytes']:.0f},"
    f" tail {sum(members(tail, 'bytes')) / sum(members(tail, 'messages')):,.0f}"
)
print()
widths = [max(len(cells[column]) for cells in rows) for column in range(len(rows[0]))]
for cells in rows:
    aligned = [cells[0].ljust(widths[0])]
    aligned += [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)]
    print("  ".join(aligned).rstrip())
print(
    """
Medians; each ratio is service / bare of runs that followed one another. Bare is a C loop on libzmq:
for commands ROUTER with as many bytes written and one fdatasync for all that is there, for the tail
PUSH and PULL with messages of the same size. Replay and rebuild have no baseline yet."""
)
