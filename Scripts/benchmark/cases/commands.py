"""Durable commands, beside the bare loop that writes and syncs as many bytes and replies."""

from bare import BareRouter
from loads import load_together
from measure import Aim, rows

BESIDE = "bare ROUTER and fdatasync"


def in_flight(run):
    found = []
    for count in (1, 100, 10_000, 50_000):
        run.say(f"commands, {count:,} in flight")
        service, bare = beside_bare(run, "--inflight", count)
        aim = Aim("ratio", at_least=0.5) if count == 10_000 else None
        found += rows(
            service, bare, BESIDE, (f"{count:,} in flight", "1/s", "perSecond", aim))
        if count == 1:
            found += rows(
                service, bare, BESIDE,
                ("  receipt p50", "µs", "p50Microseconds", Aim("ratio", at_most=1.5)),
                ("  receipt p99", "µs", "p99Microseconds"))
        elif count == 10_000:
            found += rows(service, bare, BESIDE, ("  receipt p99", "µs", "p99Microseconds"))
    return found


def kinds(run):
    found = []
    for name, *options in (
            ("deliver", "--kind", "deliver"),
            ("flag, one mailbox", "--kind", "flag"),
            ("flag, 10,000 mailboxes", "--kind", "flag", "--streams", 10_000, "--rows", 10),
            ("swipe", "--kind", "swipe"),
            ("reorder in a list of 1,000", "--kind", "reorder")):
        run.say(f"commands, {name}")
        service, bare = beside_bare(run, "--inflight", 10_000, *options)
        found += rows(service, bare, BESIDE, (f"{name}, 10,000 in flight", "1/s", "perSecond"))
    return found


def beside_bare(run, *options):
    """Loads of a service of its own and of the bare loop, with the same requests."""
    # Warms up, and tells how many bytes a command takes in the log and its receipt on the wire.
    with run.service() as service:
        first = service.bench("load", "--seconds", 1, *options)
        with BareRouter(run, first["logBytes"], first["replyBytes"]) as bare:
            bare.bench("load", "--seconds", 1, *options)
            return run.interleave(
                lambda: service.bench("load", "--seconds", run.seconds, *options),
                lambda: bare.bench("load", "--seconds", run.seconds, *options))


def clients(run, count=16):
    """As many in flight together as one client has in the other cases."""
    found = []
    for in_flight in (count, 10_000):
        run.say(f"commands from {count} processes, {in_flight:,} in flight together")
        options = ("--inflight", in_flight // count, "--rows", 100)
        with run.service() as service:
            first = service.bench("load", "--seconds", 1, *options)
            with BareRouter(run, first["logBytes"], first["replyBytes"]) as bare:
                timed = (*options, "--seconds", run.seconds)
                ours, theirs = run.interleave(
                    lambda: load_together(service, count, *timed),
                    lambda: load_together(bare, count, *timed))
        found += rows(
            ours, theirs, BESIDE,
            (f"{count} processes, {in_flight:,} in flight", "1/s", "perSecond"),
            ("  the slowest client's p99", "µs", "p99Microseconds"))
    return found
