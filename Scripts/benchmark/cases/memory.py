"""What things take in memory: differences of the process's resident memory, and what the service
itself counts for its mailboxes and lists (`aggregateBytes` of its status)."""

import time

from cases.sizes import of_rows as filled
from measure import Row


def memory(run):
    run.say("memory")
    mails, items = run.size(1_000_000, 100_000), run.size(100_000, 20_000)
    return [
        *of_rows(run, "a mail", mails, "mailbox/large", "flag", {"mail": 1}),
        *of_rows(run, "an item", items, "list/large", "edit", {"item": 1, "text": "x"}, "--lists"),
        *of_idle(run), *of_connections(run)]


def of_rows(run, what, count, stream, command, data, *options):
    """A stream comes into memory with its first command."""
    log = filled(run, count, *options)
    with run.service("--aggregate-memory", 1 << 34, directory=log) as service:
        service.wait_for_views()
    # Again, without what building the views took.
    with run.service("--aggregate-memory", 1 << 34, directory=log) as service:
        before = settled(service)
        with service.client() as client:
            client.request("command", stream=stream, command=command, data=data)
            counted = client.request("status")["aggregateBytes"]
        taken = service.resident_bytes() - before
    run.remove(log)
    return [
        Row(f"{what} of {count:,}, as counted", "bytes", [counted / count]),
        Row(f"{what} of {count:,}, resident, with what loading it took", "bytes",
            [taken / count])]


def of_idle(run):
    """Mailboxes of one mail, all in memory."""
    count = run.size(10_000, 2000)
    with run.service() as service:
        before = settled(service)
        service.bench(
            "load", "--kind", "deliver", "--streams", count, "--count", count, "--inflight", 100)
        service.wait_for_views()
        status = service.status()
        taken = service.resident_bytes() - before
    return [
        Row("an idle mailbox with one mail, as counted", "bytes",
            [status["aggregateBytes"] / status["aggregates"]]),
        Row("an idle mailbox with one mail, resident, with all else", "bytes", [taken / count])]


def of_connections(run):
    count = run.size(1000, 200)
    with run.service() as service:
        before = settled(service)
        clients = [service.client() for _ in range(count)]
        for client in clients:
            client.request("ping")
        taken = service.resident_bytes() - before
        for client in clients:
            client.close()
    return [Row(f"a connection of {count:,}", "bytes", [taken / count])]


def settled(service):
    """The resident memory once it does not move any more."""
    last = 0
    while (now := service.resident_bytes()) != last:
        last = now
        time.sleep(0.3)
    return now
