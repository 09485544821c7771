"""What the log must hold, by what clients were told of it."""

import collections
import hashlib
import json

from harness import without


class Ledger:
    """Compares the log with receipts and refusals, a part of the log at a time.

    Every command that was acknowledged is there once, where its receipt says; none that was refused
    is there; one that was never answered is there whole or not at all. And what was seen once never
    changes.
    """

    def __init__(self):
        self.head = 0
        self.acknowledged = self.wrote = self.found = self.refused = 0
        self.doubtful_written = self.doubtful_lost = 0
        # Acknowledged, and not in the log as the receipt says.
        self.lost = []
        self._revisions = collections.Counter()
        # By stream and command: (events, last position, last revision).
        self._written = {}
        self._digest = hashlib.sha256()

    def take_events(self, service):
        """Reads what is new in the log."""
        lines = service.cli("replay", "--from", self.head).stdout.splitlines()
        group = []
        for line in lines:
            event = json.loads(line)
            self._digest.update(line.encode())
            self.head += 1
            assert event["position"] == self.head, (event, self.head)
            self._revisions[event["stream"]] += 1
            assert event["revision"] == self._revisions[event["stream"]], event
            group.append(event)
            if "events" in event["meta"]:
                self._take_command(group)
                group = []
        assert not group, f"half a command at the end: {group}"
        assert service.client().head() == self.head

    def _take_command(self, group):
        last = group[-1]
        key = last["stream"], last["meta"]["command"]
        assert key not in self._written, f"written twice: {key}"
        assert last["meta"]["events"] == len(group), f"not whole: {key}"
        for event in group:
            assert (event["stream"], event["meta"]["command"]) == key, event
        self._written[key] = len(group), last["position"], last["revision"]

    def settle(self, stream, receipts, refusals, doubtful):
        """Checks what the clients of one stream were told against the events taken so far."""
        for command, receipt in receipts.items():
            written = self._written.get((stream, command))
            self.acknowledged += 1
            if receipt["events"] == 0:
                assert written is None, (stream, command)
                continue
            self.wrote += 1
            if written == (receipt["events"], receipt["position"], receipt["revision"]):
                self.found += 1
            else:
                self.lost.append((stream, command, receipt, written))
        assert not self.lost, self.lost[:10]
        for command in refusals:
            self.refused += 1
            assert (stream, command) not in self._written, f"refused, yet written: {command}"
        for command in doubtful:
            if (stream, command) in self._written:
                self.doubtful_written += 1
            else:
                self.doubtful_lost += 1

    def check_answers(self, service, stream, receipts, doubtful):
        """The service itself says the same of them."""
        client = service.client()
        for command, receipt in list(receipts.items())[-20:]:
            found = client.request("result", stream=stream, command=command)
            if receipt["events"] == 0:
                assert found["result"] == "unknown"
            else:
                assert found["result"] == "written"
                assert found["receipt"] == without(receipt, "id", "ok", "duplicate")
        for command in list(doubtful)[-20:]:
            found = client.request("result", stream=stream, command=command)
            is_written = (stream, command) in self._written
            assert found["result"] == ("written" if is_written else "unknown"), (command, found)

    def check_unchanged(self, service):
        """What was read part by part is what the whole log says now."""
        whole = hashlib.sha256()
        for line in service.cli("replay").stdout.splitlines():
            whole.update(line.encode())
        assert whole.digest() == self._digest.digest()

    def check_views(self, service):
        """Each view equals the fold of its stream's events."""
        client = service.client()
        for stream in self._revisions:
            view = client.view(stream)
            state = client.request("state", stream=stream)
            # A page's cursor says how its kind of answer goes on.
            assert without(view, "id", "cursor") == without(state, "id", "cursor"), stream

    @property
    def streams(self):
        return list(self._revisions)
