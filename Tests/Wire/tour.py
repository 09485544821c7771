"""The tour in the documentation: its commands, run, and what they print.

A block of the page is what one sees in a terminal: lines that begin with `$ ` are commands, the others
are what they print. A line that is `…` alone stands for any further lines.
"""

import re
import subprocess
from pathlib import Path

import harness

PAGE = harness.REPOSITORY / "Sources" / "Wire" / "Wire.docc" / "Tour.md"
_BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)
# What is another each time: times, ids that the command line made up, what a command's content is.
_CHANGING = [
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"),
    (re.compile(r'"id":"[0-9a-z]{6,}-\d+"'), '"id":"ID"'),
    (re.compile(r'"hash":"[0-9a-f]{16}"'), '"hash":"HASH"'),
]


def blocks(page):
    return _BLOCK.findall(page)


def steps(block):
    """Each command of a block with the lines that it prints."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


class Terminal:
    """Runs a page's commands, as someone would type them."""

    def __init__(self, service):
        path = Path(harness.binary()).parent
        environment = service.environment()
        self._environment = {
            **environment, "PATH": f"{path}:{environment['PATH']}",
            "SWIPESTREAM_EVENTS": service.events}
        self._directory = service.directory

    def run(self, command):
        result = subprocess.run(
            ["bash", "-c", command], env=self._environment, cwd=self._directory, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=harness.DEADLINE_SECONDS)
        return result.stdout.splitlines()


def settled(line):
    for pattern, name in _CHANGING:
        line = pattern.sub(name, line)
    return line


def is_as_shown(printed, shown):
    """Whether a command printed what the page shows."""
    printed = [settled(line) for line in printed]
    shown = [settled(line) for line in shown]
    if "…" not in shown:
        return printed == shown
    cut = shown.index("…")
    head, tail = shown[:cut], shown[cut + 1:]
    return (
        len(printed) >= len(head) + len(tail) and printed[:len(head)] == head
        and (not tail or printed[-len(tail):] == tail))


def rewritten(page, terminal):
    """The page with what its commands print now; where it cuts something, it goes on to."""
    def rewrite(match):
        lines = []
        for command, shown in steps(match.group(1)):
            printed = terminal.run(command)
            lines.append(f"$ {command}")
            if "…" in shown:
                cut = shown.index("…")
                tail = len(shown) - cut - 1
                printed = printed[:cut] + ["…"] + (printed[-tail:] if tail else [])
            lines += printed
        return "```console\n" + "\n".join(lines) + "\n```\n"

    return _BLOCK.sub(rewrite, page)
