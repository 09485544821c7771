"""The service under measurement."""

import subprocess
import time
from pathlib import Path

from children import Failure
from zmtp import Client


class Service:
    """`swipestream serve` on a data directory, and the measuring tools of the same executable."""

    def __init__(self, run, directory, *options):
        self.run = run
        self.directory = Path(directory)
        self._options = options
        self.process = None
        self.endpoint = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def start(self):
        self.process = self.run.children.start(
            [self.run.swipestream, "serve", "--data", self.directory,
             "--commands", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*", *self._options],
            stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            name, _, value = line.strip().partition(" ")
            if name == "commands":
                self.endpoint = value.strip()
            if name == "ready":
                return self
        raise Failure(f"serve ended with {self.process.wait()} before it was ready")

    def stop(self):
        status = self.run.children.end(self.process)
        if status != 0:
            self.run.note(f"a service ended with status {status}")

    def bench(self, tool, *options):
        """What one of the measuring tools says about this service."""
        return self.run.tool(tool, "--endpoint", self.endpoint, *options)

    def client(self):
        return Client(self.endpoint)

    def status(self):
        with self.client() as client:
            return client.request("status")

    def wait_for_views(self):
        while True:
            status = self.status()
            if all(view["position"] >= status["head"] for view in status["views"]):
                return status
            time.sleep(0.05)

    def resident_bytes(self):
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise Failure("the service tells no VmRSS")
