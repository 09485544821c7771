"""Clients that write a random mix of commands without pause, and remember what they were told."""

import random
import threading

from harness import DEADLINE_SECONDS, mail, new_id


class MixedWriter(threading.Thread):
    """Writes to one stream, pipelined, until it is stopped or the service is gone.

    A command ends up in one of `receipts`, `refusals` (code by id) and `doubtful`: sent, and never
    answered. The latter are what a client sends again under the same id.
    """

    def __init__(self, service, stream, seed, window, resend=(), known=0):
        super().__init__(daemon=True)
        self.stream = stream
        self.receipts = {}
        self.refusals = {}
        self.doubtful = {}
        self.failure = None
        # How many mails or items the stream has had, as far as the receipts tell.
        self.known = known
        self._service = service
        self._client = service.client()
        self._random = random.Random(seed)
        self._window = window
        self._resend = list(resend)
        self._prefix = new_id("mix")
        self._sent = 0
        self._stopping = threading.Event()

    def run(self):
        try:
            while not self._stopping.is_set():
                while len(self.doubtful) < self._window:
                    self._send(*self._next())
                if self._client.socket.poll(100):
                    self._take()
            while self.doubtful and self._client.socket.poll(200):
                self._take()
        except Exception as failure:  # Told to whoever joins this thread.
            self.failure = failure

    def finish(self):
        """Sends no more, takes the answers that still come, and lets go of the connection."""
        self._stopping.set()
        self.join(DEADLINE_SECONDS)
        assert not self.is_alive()
        self._client.close()
        if self.failure:
            raise self.failure

    def _next(self):
        if self._resend:
            return self._resend.pop()
        self._sent += 1
        make = self._mailbox if self.stream.startswith("mailbox/") else self._list
        return f"{self._prefix}-{self._sent}", *make()

    def _send(self, command_id, command, data):
        self.doubtful[command_id] = (command, data)
        self._client.send_command(self.stream, command, data, id=command_id)

    def _take(self):
        answer = self._client.receive()
        self.doubtful.pop(answer["id"])
        if not answer["ok"]:
            self.refusals[answer["id"]] = answer["error"]["code"]
            return
        self.receipts[answer["id"]] = answer
        number = answer["outcome"].get("mail") or answer["outcome"].get("item") or 0
        self.known = max(self.known, number)

    # What is sent: some of it is refused, and some of it changes nothing.

    def _one(self):
        return self._random.randint(1, max(self.known, 1))

    def _some(self):
        return sorted({self._one() for _ in range(self._random.choice([1, 2, 5, 40]))})

    def _mailbox(self):
        dice = self._random.random()
        if self.known == 0 or dice < 0.15:
            number = self._sent
            more = {"messageID": f"{self._prefix}-{number}@example.org"} if dice < 0.1 else {}
            return "deliver", mail(number, **more)
        if dice < 0.75:
            return self._random.choice(
                ["flag", "unflag", "mark-read", "mark-unread"]), {"mails": self._some()}
        if dice < 0.85:
            return "reorder", {"mail": self._one(), "after": self._one()}
        if dice < 0.9:
            return "swipe", {
                "mail": self._one(), "direction": "left-to-right",
                "extent": self._random.choice([0.4, 1.5, 2.5])}
        return self._random.choice(["trash", "restore", "trash", "purge"]), {"mail": self._one()}

    def _list(self):
        dice = self._random.random()
        if self._sent == 1:
            return "create", {"title": "Things", "template": "todo"}
        if self.known == 0 or dice < 0.2:
            return "add", {"text": f"Thing {self._sent} " + "x" * self._random.choice([1, 50, 3000])}
        if dice < 0.5:
            return self._random.choice(["complete", "reopen"]), {"items": self._some()}
        if dice < 0.8:
            place = self._random.choice([{"first": True}, {"last": True}, {"after": self._one()}])
            return "reorder", {"item": self._one(), **place}
        if dice < 0.9:
            return "edit", {"item": self._one(), "text": f"Edited {self._sent}"}
        return self._random.choice(["delete", "restore", "delete", "purge"]), {"item": self._one()}
