"""What the figures were measured on."""

import json
import os
import platform
import re
import subprocess
from pathlib import Path


def facts(run):
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text())
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": processor[1] if processor else platform.machine(),
        "memoryBytes": int(memory[1]) * 1024 if memory else None,
        "kernel": f"{platform.system()} {platform.release()}",
        "fileSystem": output("df", "--output=fstype", run.work).split("\n")[-1].strip()}


def versions(run):
    found = {
        "swipestream": output(run.swipestream, "version"),
        "commit": output(
            "git", "-C", Path(__file__).parent, "describe", "--always", "--dirty"),
        "swift": output("swift", "--version").split("\n")[0],
        **json.loads(run.children.run([run.bare, "versions"]))}
    return {name: version for name, version in found.items() if version}


def load():
    """How busy the machine is: whatever else it does takes its share of the figures."""
    return os.getloadavg()[0]


def output(*command):
    """A program's output, empty where there is none."""
    try:
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
