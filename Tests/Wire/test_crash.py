"""kill −9 in the middle of load (promise 1): what was acknowledged is there, once; what was not is
there whole or not at all; the views follow."""

import collections

from harness import MEBIBYTE, Toggler, page_of, wait_until

ROUNDS = 3


def test_kill_in_the_middle_of_load(new_service):
    """Three rounds on one log, with single and bulk commands from several clients."""
    service = new_service(segment_bytes=MEBIBYTE).start()
    acknowledged = {}
    for round_number in range(ROUNDS):
        writers = [
            Toggler(service, f"mailbox/{round_number}-{number}", window=window, bulk=bulk)
            for number, (window, bulk) in enumerate([(200, 1), (500, 1), (50, 10), (5, 100)])]
        for writer in writers:
            writer.start()
        wait_until(lambda: all(len(writer.receipts) > 50 for writer in writers)
                   and sum(len(writer.receipts) for writer in writers) > 2000, "load")
        service.kill()
        for writer in writers:
            writer.finish()
            acknowledged |= {
                (writer.stream, command): receipt for command, receipt in writer.receipts.items()}
        service.start()
        check(service, acknowledged)


def check(service, acknowledged):
    events = service.replayed()
    assert [event["position"] for event in events] == list(range(1, len(events) + 1))
    assert service.client().head() == len(events)
    check_streams(events)
    by_command = collections.defaultdict(list)
    for event in events:
        by_command[event["stream"], event["meta"]["command"]].append(event)
    for key, receipt in acknowledged.items():
        written = by_command[key]
        assert len(written) == receipt["events"], key
        assert written[-1]["position"] == receipt["position"]
        assert written[-1]["revision"] == receipt["revision"]
    check_whole(by_command)
    check_answers(service, acknowledged)
    check_views(service, events)


def check_streams(events):
    """Each stream's revisions count from 1 without gaps."""
    revisions = collections.Counter()
    for event in events:
        revisions[event["stream"]] += 1
        assert event["revision"] == revisions[event["stream"]]


def check_whole(by_command):
    """No half commands: a command's last event says how many there are."""
    for written in by_command.values():
        assert written[-1]["meta"]["events"] == len(written)
        first = written[0]["position"]
        assert [event["position"] for event in written] == list(range(first, first + len(written)))


def check_answers(service, acknowledged):
    """The service knows its receipts still."""
    client = service.client()
    for (stream, command), receipt in list(acknowledged.items())[-200:]:
        found = client.request("result", stream=stream, command=command)
        assert found["result"] == "written"
        assert found["receipt"] == page_of(receipt)


def check_views(service, events):
    """Each view equals the fold of its stream's events."""
    client = service.client()
    for stream in {event["stream"] for event in events}:
        view = page_of(client.view(stream))
        assert view == page_of(client.request("state", stream=stream))
        flagged = set()
        for event in events:
            if event["stream"] == stream:
                if event["type"] == "mail.flagged":
                    flagged.add(event["data"]["mail"])
                elif event["type"] == "mail.unflagged":
                    flagged.discard(event["data"]["mail"])
        assert {row["mail"] for row in view["rows"] if row["flag"]} == flagged
        assert view["counts"]["flagged"] == len(flagged)
