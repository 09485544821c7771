"""NATS JetStream: one message an event, acknowledged once it is stored; a client of its protocol."""

import socket
import subprocess
import time

from children import Failure
from peers import accepts, free_port, program

STREAM, SUBJECT, INBOX = "EVENTS", "events", "_INBOX.bench"
_MESSAGES_PER_SEND = 500
_MARK = b"MSG " + INBOX.encode()


class Nats:
    payload_bytes = 0

    def __init__(self, run):
        self._run = run
        self._server = program("nats-server")

    def __enter__(self):
        directory = self._run.directory("nats")
        self._port = free_port()
        configuration = directory / "server.conf"

        def write(extra):
            configuration.write_text(
                f"listen: 127.0.0.1:{self._port}\n"
                f"jetstream {{ store_dir: \"{directory}\"{extra} }}\n")
            return subprocess.run(
                [self._server, "-c", str(configuration), "-t"], capture_output=True,
                check=False).returncode == 0

        #: whether it syncs each message before it acknowledges it; releases before 2.10 cannot
        self.is_synced = write(", sync_interval: always")
        if not self.is_synced:
            write("")
        self._process = self._run.children.start(
            [self._server, "-c", configuration], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self._run.wait(lambda: accepts(self._port), "nats-server")
        self._client = _Client(self._port)
        self._client.request(
            f"$JS.API.STREAM.CREATE.{STREAM}",
            f'{{"name":"{STREAM}","subjects":["{SUBJECT}"],"storage":"file"}}')
        return self

    def __exit__(self, *_):
        self._client.close()
        self._run.children.end(self._process)

    def version(self):
        return self._run.children.run([self._server, "--version"]).split("v")[-1].strip()

    def load(self, in_flight, seconds):
        """Messages a second with so many unacknowledged."""
        step = min(_MESSAGES_PER_SEND, in_flight)
        message = b"PUB %s %s.p %d\r\n%s\r\n" % (
            SUBJECT.encode(), INBOX.encode(), self.payload_bytes, b"x" * self.payload_bytes)
        acknowledged = self._client.publish(message, step, in_flight, seconds)
        self._client.request(f"$JS.API.STREAM.PURGE.{STREAM}", "")
        return {"perSecond": acknowledged}


class _Client:
    """Few cycles a message, as the processors are shared with the server."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(
            b'CONNECT {"verbose":false,"pedantic":false}\r\nSUB ' + INBOX.encode() + b".* 1\r\n")

    def close(self):
        self._socket.close()

    def request(self, subject, content):
        content = content.encode()
        self._socket.sendall(
            b"PUB %s %s.r %d\r\n%s\r\n" % (subject.encode(), INBOX.encode(), len(content), content))
        answer = b""
        while _MARK not in answer or not answer.endswith(b"\r\n"):
            answer += self._received()
        if b'"error"' in answer:
            raise Failure(f"{subject} was refused: {answer[:500]}")

    def publish(self, message, step, in_flight, seconds):
        """Keeps so many under way, in steps, and gives the acknowledged ones a second."""
        messages = message * step
        sent = acknowledged = 0
        rest = b""
        start = time.monotonic()
        while True:
            while time.monotonic() - start < seconds and sent + step - acknowledged <= in_flight:
                self._socket.sendall(messages)
                sent += step
            if acknowledged == sent:
                return acknowledged / (time.monotonic() - start)
            received = rest + self._received()
            acknowledged += received.count(_MARK)
            if b'"error"' in received:
                raise Failure(f"a message was refused: {received[:500]}")
            # A mark may be cut in two.
            rest = received[1 - len(_MARK):] if not received.endswith(b"\n") else b""
            if _MARK in rest:
                rest = b""

    def _received(self):
        received = self._socket.recv(1 << 20)
        if not received:
            raise Failure("nats-server closed the connection")
        if b"PING\r\n" in received:
            self._socket.sendall(b"PONG\r\n")
        return received
