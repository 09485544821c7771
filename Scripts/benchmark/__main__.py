"""Measures Swipestream beside what bare ZeroMQ, bare SQLite, the disk, and other services give on this
machine, in one run: every case several times, in turns with its baseline. Prints a table, and writes
all runs as JSON. Nothing is asserted about times: it fails only where something errs."""

import argparse
import signal
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import machine
import report
from cases import ALL
from children import Failure
from page import page
from run import Run


def main():
    options = arguments()
    if options.list:
        for case in ALL:
            print(f"{case.name:10}{case.summary}" + ("" if case.is_default else " (only if named)"))
        return 0
    if options.page:
        print(page(options.page))
        return 0
    chosen = choose(options)
    if not options.json.parent.is_dir():
        sys.exit(f"bench: there is no directory {options.json.parent} to write {options.json} in")
    # Both end through what ends the processes.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = Run(options)
    try:
        return measure(run, chosen, options)
    except KeyboardInterrupt:
        return 130
    finally:
        run.close()


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/bench", description=__doc__)
    parser.add_argument("--cases", metavar="LIST", help="only these, separated by commas")
    parser.add_argument("--growth", action="store_true", help="only `growth`; takes ten minutes more")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument(
        "--quick", action="store_true",
        help="a second each, once, and smaller sizes: whether it works rather than how fast")
    parser.add_argument("--seconds", type=positive, help="how long each load runs (default 2)")
    parser.add_argument("--pairs", type=positive, help="how often each is measured (default 3)")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), metavar="FILE",
                        help="where all runs are written (default bench.json here)")
    parser.add_argument("--directory", type=Path, default=Path.cwd(), metavar="DIR",
                        help="on the disk to be measured (default here)")
    parser.add_argument("--page", type=Path, metavar="FILE",
                        help="measure nothing; print a run's ratios as the documentation has them")
    parser.add_argument("--keep", action="store_true", help="leave the data there, and say where")
    parser.add_argument("--binaries", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.seconds = options.seconds or (1 if options.quick else 2)
    options.pairs = options.pairs or (1 if options.quick else 3)
    return options


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return value


def choose(options):
    if options.growth:
        return [case for case in ALL if case.name == "growth"]
    if not options.cases:
        return [case for case in ALL if case.is_default]
    names = options.cases.split(",")
    known = {case.name: case for case in ALL}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"bench: there is no case {unknown[0]}; --list lists them")
    return [known[name] for name in names]


def measure(run, chosen, options):
    began = time.monotonic()
    document = {
        "format": 1, "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "options": {"seconds": run.seconds, "pairs": run.pairs, "quick": run.is_quick},
        "machine": machine.facts(run), "loadBefore": machine.load()}
    run.versions |= machine.versions(run)
    results, failures = [], []
    for case in chosen:
        try:
            results.append((case, case.measure(run)))
        except (Failure, OSError) as failure:
            # The others are worth having.
            run.children.end_all()
            failures.append(f"{case.name}: {failure}")
            run.note(failures[-1])
    document |= {
        "versions": run.versions, "seconds": round(time.monotonic() - began, 1),
        "cases": [
            {"name": case.name, "summary": case.summary, "rows": [row.json() for row in rows]}
            for case, rows in results],
        "skipped": run.skipped, "failed": failures, "notes": run.notes}
    report.write(document, options.json)
    report.print_facts(document)
    print(report.table(results))
    print()
    report.print_rest(document)
    print(f"\nall runs: {options.json} ({document['seconds']:.0f} s)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
