"""Starting and ending the service (§7, §8): one process per directory, SIGINT and SIGTERM."""

import json
import os
import signal
import socket
import time

import pytest

from harness import DEADLINE_SECONDS, INBOX, Subscription, Toggler

# The promise is five seconds; the rest is for a busy machine.
STOP_SECONDS = 5 + 3


def stop(service, how=signal.SIGTERM):
    """Asks the service to end: it does so in time, and in order."""
    began = time.monotonic()
    service.process.send_signal(how)
    assert service.process.wait(DEADLINE_SECONDS) == 0
    assert time.monotonic() - began < STOP_SECONDS


def raw_connection(service, endpoint=None):
    host, port = (endpoint or service.commands).removeprefix("tcp://").split(":")
    return service.closing(socket.create_connection((host, int(port)), timeout=DEADLINE_SECONDS))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_ends(service, how):
    client = service.client()
    client.deliver(10)
    stop(service, how)
    assert service.start().client().head() == 10


def test_it_prints_where_it_is(service):
    told = dict(line.split(None, 1) for line in service.printed)
    assert told["data"] == str(service.directory / "data")
    assert told["commands"].startswith("tcp://127.0.0.1:")
    assert told["events"].startswith("tcp://127.0.0.1:")
    assert "head 0" in told["log"]


def test_one_process_per_directory(new_service, service):
    """A second one says so and exits 1; the first goes on."""
    service.client().deliver()
    second = new_service(directory=service.directory).launch()
    assert second.process.wait(DEADLINE_SECONDS) == 1
    message = second.errors.next()
    assert message.startswith("swipestream: ")
    assert str(service.directory) in message
    assert service.client().deliver(first=2)["position"] == 2


def test_the_directory_is_free_after_a_crash(service):
    service.client().deliver()
    service.kill()
    assert service.start().client().head() == 1


def test_a_taken_port(new_service, service):
    """Exit status 1, and a message, not a crash; the directory stays usable."""
    second = new_service(commands=service.commands).launch()
    assert second.process.wait(DEADLINE_SECONDS) == 1
    assert second.errors.next().startswith("swipestream: cannot listen")


def test_a_directory_that_cannot_be_written(new_service, tmp_path):
    blocked = tmp_path / "data"
    blocked.write_text("a file")
    service = new_service(directory=tmp_path).launch()
    assert service.process.wait(DEADLINE_SECONDS) == 1
    assert service.errors.next().startswith("swipestream: ")


def test_with_silent_connections(service):
    """Peers that connected and never said a word do not hold it up."""
    for endpoint in (service.commands, service.events):
        for _ in range(20):
            raw_connection(service, endpoint)
    service.client().deliver()
    stop(service)
    assert service.start().client().head() == 1


def test_with_a_peer_that_hangs(service):
    """A subscriber that is stopped with its queue full of events does not hold it up."""
    client = service.client()
    client.deliver()
    tail = service.cli_process("tail", "--from", "start")
    assert json.loads(tail.lines.next())["position"] == 1
    os.kill(tail.process.pid, signal.SIGSTOP)
    head = client.fill(20_000, stream="mailbox/other")
    client.request("ping")
    stop(service)
    assert service.start().client().head() == head


def test_with_queries_that_wait(service):
    """A query for a position that never comes is let go."""
    client = service.client()
    client.deliver()
    client.send({"op": "query", "view": "mailbox", "stream": INBOX, "atLeast": 1000,
                 "timeout": 60_000})
    client.request("ping")
    stop(service)


def test_under_load(service):
    """What was acknowledged is there after the restart, once; what was refused is not."""
    writers = [Toggler(service, f"mailbox/{name}", window=500) for name in "abc"]
    subscription = Subscription(service.client(), **{"from": 0, "credit": 10})
    for writer in writers:
        writer.start()
    subscription.next()
    while min(len(writer.receipts) for writer in writers) < 500:
        time.sleep(0.01)
    stop(service)
    for writer in writers:
        writer.finish()
    service.start()
    recorded = {}
    for event in service.client().events():
        recorded.setdefault((event["stream"], event["meta"]["command"]), []).append(event)
    for writer in writers:
        for command, receipt in writer.receipts.items():
            event, = recorded[(writer.stream, command)]
            assert (event["position"], event["revision"]) == (
                receipt["position"], receipt["revision"])


def test_restarting_many_times(service):
    """Five starts on one log: the same log id, nothing lost, nothing added."""
    log = service.client().request("status")["log"]
    for number in range(5):
        client = service.client()
        assert client.deliver(first=number)["position"] == number + 1
        assert client.request("status")["log"] == log
        service.restart()
    assert len(service.replayed()) == 5


def test_it_ends_with_slow_requests_waiting(service):
    """What waits for views and history is not waited for."""
    writer = service.client()
    writer.fill(20_000)
    clients = [service.client(receive_queue=10) for _ in range(10)]
    for client in clients:
        for _ in range(30):
            client.send({"op": "state", "stream": INBOX})
            client.send({
                "op": "query", "view": "mailbox", "stream": INBOX, "atLeast": 10**9,
                "timeout": 60_000})
    writer.request("ping")
    stop(service)


def test_an_empty_directory_name_is_refused(service):
    refused = service.cli("serve", "--data", "", status=2)
    assert "--data" in refused.stderr
