"""The real process, and clients of it, as the tests in this folder use them.

Nothing here knows a fixed port: the service picks free ones and prints them. Whatever is waited for
has the same generous deadline; a test that is right never comes near it.
"""

import collections
import contextlib
import ctypes
import itertools
import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import zmq

DEADLINE_SECONDS = 30
MEBIBYTE = 1 << 20
REPOSITORY = Path(__file__).resolve().parents[2]
INBOX = "mailbox/inbox"

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
_ids = itertools.count(1)


def binary():
    """The executable under test, from the environment."""
    return str(Path(os.environ["SWIPESTREAM"]).resolve())


def corpus(*parts):
    """A file of the mail corpus beside the repository; None where there is no corpus."""
    root = os.environ.get("SWIPESTREAM_CORPUS", REPOSITORY.parent / "shared" / "corpus")
    path = Path(root).joinpath(*parts)
    return path if path.exists() else None


def new_id(prefix="t"):
    """An id that no other request of this run has."""
    return f"{prefix}-{os.getpid()}-{next(_ids)}"


def wait_until(condition, what):
    """Polls until `condition` gives something true, and returns that."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"not within {DEADLINE_SECONDS} s: {what}")


def _die_with_parent():
    # A test run that is killed leaves no process behind. The signal comes when the starting
    # thread ends, so what is to outlive a thread is not started by it.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def start_process(arguments, **options):
    """A child that dies with this process."""
    return subprocess.Popen(arguments, preexec_fn=_die_with_parent, **options)


class Lines:
    """A child's output, line by line, with a deadline."""

    def __init__(self, stream):
        self._lines = queue.Queue()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def next(self):
        """The next line; None at the end of the output."""
        try:
            return self._lines.get(timeout=DEADLINE_SECONDS)
        except queue.Empty:
            raise AssertionError(f"no line within {DEADLINE_SECONDS} s") from None

    def take(self, count):
        return [self.next() for _ in range(count)]


class Service:
    """`swipestream serve` on a data directory of its own."""

    def __init__(
            self, directory=None, commands="tcp://127.0.0.1:*", segment_bytes=8 * MEBIBYTE,
            options=(), environment=None):
        self._owned = directory is None
        self.directory = Path(directory or tempfile.mkdtemp(prefix="swipestream-test-"))
        self._commands = commands
        self._segment_bytes = segment_bytes
        # Further options of `serve`.
        self.options = options
        # What the process has in its environment besides this one's.
        self._environment = environment or {}
        self._open = []
        self.context = zmq.Context()
        self.process = None
        self.commands = self.events = None
        self.printed = []

    # Starting and ending

    def launch(self):
        """Starts the process without waiting for it to be ready."""
        self.process = start_process(
            [binary(), "serve", "--data", str(self.data_directory),
             "--commands", self._commands, "--events", "tcp://127.0.0.1:*",
             "--segment-bytes", str(self._segment_bytes), *self.options],
            env=os.environ | self._environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._output = Lines(self.process.stdout)
        self.errors = Lines(self.process.stderr)
        return self

    def start(self):
        """Starts the process and waits until it is ready."""
        self.launch()
        self.printed = []
        while (line := self._output.next()) != "ready":
            if line is None:
                code = self.process.wait(DEADLINE_SECONDS)
                raise AssertionError(f"serve ended with {code}: {self.errors.next()}")
            self.printed.append(line)
        told = dict(line.split(None, 1) for line in self.printed)
        self.commands, self.events = told["commands"], told["events"]
        return self

    def stop(self):
        """Asks the process to end, and returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(DEADLINE_SECONDS)

    def kill(self):
        """Ends the process with no chance to tidy up."""
        self.process.kill()
        self.process.wait(DEADLINE_SECONDS)

    def restart(self):
        """Ends the process in order and starts it on the same data; ports may differ."""
        assert self.stop() == 0
        return self.start()

    def again(self):
        """Starts the process, which has ended, where it was before."""
        self._commands = self.commands
        return self.start()

    def close(self):
        """Ends everything that this service and its tests have opened."""
        for resource in reversed(self._open):
            with contextlib.suppress(Exception):
                resource.close()
        if self.process and self.process.poll() is None:
            self.kill()
        self.context.destroy(linger=0)
        if self._owned:
            shutil.rmtree(self.directory, ignore_errors=True)

    # What it looks like from outside

    @property
    def data_directory(self):
        return self.directory / "data"

    @property
    def log_directory(self):
        return self.data_directory / "log"

    def resident_bytes(self):
        """The process's resident memory."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("the process tells no VmRSS")

    # Clients

    def client(self, **options):
        return self.closing(Client(self.context, self.commands, **options))

    def listener(self, *prefixes):
        return self.closing(Listener(self.context, self.events, prefixes))

    def closing(self, resource):
        """Closes `resource` when the test is over."""
        self._open.append(resource)
        return resource

    def environment(self):
        return {**os.environ, "SWIPESTREAM_ENDPOINT": self.commands or "", "NO_COLOR": "1"}

    def cli(self, *arguments, status=0, input=None, **options):
        """Runs a subcommand against this service and checks its exit status."""
        return run_cli(
            *arguments, status=status, input=input, env=self.environment(), **options)

    def cli_json(self, *arguments, **options):
        """The one JSON object that a subcommand prints."""
        return json.loads(self.cli(*arguments, **options).stdout)

    def cli_process(self, *arguments):
        """A subcommand that goes on; ended with the test."""
        return self.closing(RunningCommand(arguments, self.environment()))

    def replayed(self, *arguments):
        """The events that `replay` prints."""
        return [json.loads(line) for line in self.cli("replay", *arguments).stdout.splitlines()]


def run_cli(*arguments, status=0, input=None, env=None, **options):
    """Runs a subcommand to its end and checks its exit status."""
    result = subprocess.run(
        [binary(), *map(str, arguments)], input=input, capture_output=True, text=True,
        timeout=4 * DEADLINE_SECONDS, env=env, preexec_fn=_die_with_parent, **options)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    return result


class RunningCommand:
    """A subcommand that goes on until it is ended."""

    def __init__(self, arguments, environment):
        self.process = start_process(
            [binary(), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env=environment)
        self.lines = Lines(self.process.stdout)

    def close(self):
        self.process.kill()
        self.process.wait(DEADLINE_SECONDS)


class Client:
    """A DEALER (or another kind of) socket that finds each answer by its request's id."""

    def __init__(self, context, endpoint, kind=zmq.DEALER, routing_id=None, receive_queue=100_000):
        self.socket = context.socket(kind)
        self.socket.linger = 0
        self.socket.sndhwm = 200_000
        self.socket.rcvhwm = receive_queue
        if routing_id is not None:
            self.socket.routing_id = routing_id
        self.socket.connect(endpoint)
        self._replies = {}
        self._messages = collections.deque()

    def close(self):
        self.socket.close()

    def disconnections(self):
        """A function that tells how often the connection was lost since this call."""
        monitor = self.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        lost = []

        def count():
            while monitor.poll(0):
                lost.append(monitor.recv_multipart())
            return len(lost)

        return count

    # Frames

    def send_frames(self, *frames):
        self.socket.send_multipart(list(frames))

    def receive_frames(self, seconds=DEADLINE_SECONDS):
        if not self.socket.poll(seconds * 1000):
            raise AssertionError(f"no message within {seconds} s")
        return self.socket.recv_multipart()

    def receive(self):
        """The next message, whatever it is."""
        return json.loads(self.receive_frames()[-1])

    def forget_messages(self):
        """Drops the subscriptions' messages that have come so far."""
        self._messages.clear()

    def is_silent(self, milliseconds):
        """Whether no message comes for a while."""
        return not self._messages and not self.socket.poll(milliseconds)

    # Requests

    def send(self, request):
        """Sends a request, with an id of its own where it has none, and returns the id."""
        request = {"id": new_id(), **request}
        self.socket.send(json.dumps(request).encode())
        return request["id"]

    def reply(self, request_id):
        """The answer to a request; what else comes meanwhile is kept."""
        while request_id not in self._replies:
            self._take()
        return self._replies.pop(request_id)

    def _take(self):
        message = self.receive()
        if "sub" in message and "id" not in message:
            self._messages.append(message)
        else:
            self._replies[message["id"]] = message

    def message(self):
        """The next message of a subscription."""
        while not self._messages:
            self._take()
        return self._messages.popleft()

    def ask(self, op, **members):
        """Sends a request and returns the answer, a refusal too."""
        return self.reply(self.send({"op": op, **members}))

    def request(self, op, **members):
        """Sends a request that must be granted."""
        reply = self.ask(op, **members)
        assert reply["ok"] is True, reply
        return reply

    def refused(self, op, **members):
        """Sends a request that must be refused, and returns the error."""
        return error_of(self.ask(op, **members))

    # Commands

    def send_command(self, stream, command, data, **more):
        return self.send(
            {"op": "command", "stream": stream, "command": command, "data": data, **more})

    def command(self, stream, command, data, **more):
        """Sends a command and returns the receipt, a refusal too."""
        return self.reply(self.send_command(stream, command, data, **more))

    def done(self, stream, command, data, **more):
        """Sends a command that must be carried out."""
        receipt = self.command(stream, command, data, **more)
        assert receipt["ok"] is True, receipt
        return receipt

    def rejected(self, stream, command, data, **more):
        """Sends a command that must be refused, and returns the error."""
        return error_of(self.command(stream, command, data, **more))

    def deliver(self, count=1, stream=INBOX, first=1):
        """Delivers mails, pipelined, and returns the last receipt."""
        sent = [
            self.send_command(stream, "deliver", mail(number))
            for number in range(first, first + count)]
        receipts = [self.reply(request_id) for request_id in sent]
        assert all(receipt["ok"] for receipt in receipts), receipts
        return receipts[-1]

    def create_list(self, stream="list/todo", template="todo", items=()):
        self.done(stream, "create", {"title": "Things", "template": template})
        for text in items:
            self.done(stream, "add", {"text": text})

    def head(self):
        return self.request("status")["head"]

    def events(self):
        """The whole log, page by page."""
        events, position = [], 0
        while True:
            page = self.request("read", **{"from": position, "limit": 1000})
            events += page["events"]
            position = page["next"]
            if position >= page["head"]:
                return events

    def view(self, stream=INBOX, **members):
        """The stream's view with everything in it that is durable now."""
        return self.request(
            "query", view=stream.split("/")[0], stream=stream, atLeast=self.head(), **members)

    def fill(self, events, stream=INBOX, mails=1000):
        """Makes the log longer by about `events` events, quickly: by bulk commands."""
        if events < mails:
            return self.deliver(events, stream)["position"]
        position = self.deliver(mails, stream)["position"]
        everything = {"mails": list(range(1, mails + 1))}
        sent = [
            self.send_command(stream, "flag" if number % 2 == 0 else "unflag", everything)
            for number in range(events // mails - 1)]
        for request_id in sent:
            position = self.reply(request_id)["position"]
        return position


class Subscription:
    """A subscription on a client, which reads nothing else meanwhile."""

    def __init__(self, client, **members):
        self.client = client
        self.granted = members.get("credit", 1000)
        self.reply = client.request("subscribe", **members)
        self.id = self.reply["sub"]
        self.received = 0

    def next(self):
        message = self.client.message()
        assert message["sub"] == self.id
        self.received += len(message.get("events", ()))
        return message

    def grant(self, count):
        self.granted += count
        return self.client.request("credit", sub=self.id, add=count)

    def events_until(self, position, grants=True):
        """Events up to and with the one at `position`, granting credit for what was taken."""
        events = []
        while not events or events[-1]["position"] < position:
            news = self.next().get("events", [])
            events += news
            if news and grants:
                self.client.send({"op": "credit", "sub": self.id, "add": len(news)})
        return events

    def until_live(self):
        """All messages up to and with the one that says `live`."""
        messages = [self.next()]
        while "live" not in messages[-1]:
            messages.append(self.next())
        return messages


class Listener:
    """A SUB socket on the feed."""

    def __init__(self, context, endpoint, prefixes):
        self.socket = context.socket(zmq.SUB)
        self.socket.linger = 0
        for prefix in prefixes:
            self.socket.subscribe(prefix)
        self.socket.connect(endpoint)

    def close(self):
        self.socket.close()

    def receive(self):
        """Topic and content of the next message."""
        if not self.socket.poll(DEADLINE_SECONDS * 1000):
            raise AssertionError(f"no message within {DEADLINE_SECONDS} s")
        frames = self.socket.recv_multipart()
        assert len(frames) == 2
        return frames[0].decode(), json.loads(frames[1])

    def receive_event(self):
        """The next message that is no beat."""
        while True:
            topic, content = self.receive()
            if topic != "~head":
                return topic, content

    def wait_for_beat(self):
        """Until the service has this listener in its books."""
        while True:
            topic, content = self.receive()
            if topic == "~head":
                return content


class Toggler(threading.Thread):
    """Writes to one mailbox without pause: flags and unflags its mails, pipelined.

    Every command of it writes; `bulk` mails change with each.
    """

    def __init__(self, service, stream, window=100, bulk=1, count=None):
        super().__init__(daemon=True)
        self.stream = stream
        self.receipts = {}
        self.failure = None
        self._client = service.client()
        self._window, self._bulk, self._count = window, bulk, count
        self._stopping = threading.Event()
        self._prefix = new_id("toggle")
        self._client.deliver(bulk, stream)

    def run(self):
        try:
            self._run()
        except Exception as failure:  # Told to the test, which joins this thread.
            self.failure = failure

    def _run(self):
        target = {"mail": 1} if self._bulk == 1 else {"mails": list(range(1, self._bulk + 1))}
        sent = answered = 0
        while True:
            is_over = self._stopping.is_set() or sent == self._count
            while not is_over and sent - answered < self._window and sent != self._count:
                command = "flag" if sent % 2 == 0 else "unflag"
                self._client.send_command(
                    self.stream, command, target, id=f"{self._prefix}-{sent}")
                sent += 1
            if is_over and answered == sent:
                return
            if not self._client.socket.poll(200):
                if self._stopping.is_set():
                    return
                continue
            receipt = self._client.receive()
            assert receipt["ok"], receipt
            self.receipts[receipt["id"]] = receipt
            answered += 1

    def finish(self):
        """Sends no more, and waits for the answers that still come."""
        self._stopping.set()
        self.join(DEADLINE_SECONDS)
        assert not self.is_alive()
        if self.failure:
            raise self.failure


# What tests write and compare


def mail(number, **more):
    """A mail's data for `deliver`."""
    return {
        "from": f"Sender {number}", "subject": f"Subject {number}", "message": f"Text {number}",
        "date": f"2026-01-01T{number // 60 % 24:02}:{number % 60:02}:00Z", **more}


def error_of(reply):
    assert reply["ok"] is False, reply
    assert set(reply) == {"id", "ok", "error"}
    assert isinstance(reply["error"]["message"], str) and reply["error"]["message"]
    return reply["error"]


def code_of(reply):
    return error_of(reply)["code"]


def positions(events):
    return [event["position"] for event in events]


def assert_chained(events, start):
    """Each event's `prev` is the event before it, the first one's the position begun at."""
    previous = start
    for event in events:
        assert event["prev"] == previous
        assert event["position"] > previous
        previous = event["position"]


def without(reply, *members):
    return {key: value for key, value in reply.items() if key not in members}


def page_of(reply):
    """A reply's content without its frame."""
    return without(reply, "id", "ok")
