"""Other services, started on loopback with their data in the run's directory, for comparison."""

import shutil
import socket
from pathlib import Path


class Absent(Exception):
    """Why a peer cannot be measured here."""


def program(name, *folders):
    """Where a program is."""
    for folder in folders:
        for path in sorted(Path("/").glob(folder.strip("/") + "/" + name), reverse=True):
            return str(path)
    path = shutil.which(name)
    if not path:
        raise Absent(f"there is no {name}; `Scripts/setup --with-bench-peers` installs it")
    return path


def free_port():
    """A port of loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
