"""Redis Streams: XADD of one entry an event, each synced before it is answered."""

import subprocess
from pathlib import Path

from peers import accepts, free_port, program

STREAM = "events"


class Redis:
    payload_bytes = 0

    def __init__(self, run):
        self._run = run
        self._server = program("redis-server")
        self._benchmark = program("redis-benchmark")

    def __enter__(self):
        self._port = free_port()
        directory = self._run.directory("redis")
        self._process = self._run.children.start(
            [self._server, "--port", self._port, "--bind", "127.0.0.1", "--dir", directory,
             "--appendonly", "yes", "--appendfsync", "always", "--save", "",
             "--auto-aof-rewrite-percentage", "0"],
            stdout=subprocess.DEVNULL)
        self._run.wait(lambda: accepts(self._port), "redis-server")
        return self

    def __exit__(self, *_):
        self._run.children.end(self._process)

    def version(self):
        words = self._run.children.run([self._server, "--version"]).split()
        return next(word.removeprefix("v=") for word in words if word.startswith("v="))

    def load(self, clients, pipeline, count):
        """Entries a second, of so many clients with so many commands each in flight."""
        # Whole pipelines; the stream is emptied so that it stays in memory.
        count = max(1, count // (clients * pipeline)) * clients * pipeline
        output = self._run.children.run(
            [self._benchmark, "-p", self._port, "-c", clients, "-P", pipeline, "-n", count, "--csv",
             "XADD", STREAM, "*", "data", "x" * self.payload_bytes])
        self._command("DEL", STREAM)
        header, values = (
            [cell.strip('"') for cell in line.split('","')]
            for line in output.strip().splitlines()[-2:])
        figures = dict(zip(header, values))
        return {
            "perSecond": float(figures["rps"]),
            "p50Microseconds": float(figures["p50_latency_ms"]) * 1000,
            "p99Microseconds": float(figures["p99_latency_ms"]) * 1000}

    def _command(self, *words):
        cli = program("redis-cli", str(Path(self._benchmark).parent))
        self._run.children.run([cli, "-p", self._port, *words])
