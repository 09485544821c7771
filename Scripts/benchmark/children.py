"""Processes that a run starts, each of which ends with it, however it ends."""

import ctypes
import signal
import subprocess
import time

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class Failure(Exception):
    """What ends a run, or one case of it, for people."""


def _die_with_parent():
    # Of a run that is killed outright nothing stays behind either.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Children:
    """The processes that are running, ended by their own ids."""

    def __init__(self):
        self._running = []

    def start(self, arguments, **options):
        """Starts a process that runs beside this one."""
        arguments = [str(argument) for argument in arguments]
        process = subprocess.Popen(arguments, preexec_fn=_die_with_parent, **options)
        process.began = time.monotonic()
        self._running.append(process)
        return process

    def run(self, arguments, seconds=600, **options):
        """Runs a program to its end and returns its output."""
        process = self.start(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{words(arguments)} did not end within {seconds} s") from None
        finally:
            self.end(process)
        if process.returncode != 0:
            raise Failure(
                f"{words(arguments)} ended with {process.returncode}: {(errors or output)[-1000:]}")
        return output

    def end(self, process, how=signal.SIGTERM, patience=30):
        """Asks a process to end, insists after a while, and returns its exit status."""
        if process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(patience)
            except subprocess.TimeoutExpired:
                process.kill()
        status = process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()
        if process in self._running:
            self._running.remove(process)
        return status

    def end_all(self):
        """Ends what still runs, the youngest first."""
        for process in reversed(list(self._running)):
            self.end(process, patience=10)


def words(arguments):
    return " ".join(str(argument) for argument in arguments[:4])
