#!/usr/bin/env python3
"""Reads a log without Swipestream, and checks every checksum and digest on the way.

usage: read-log.py [--check] DIR

DIR is a service's data directory, or a folder of segment files. Prints the events, one JSON object
to a line, as `swipestream replay` does (an erased one says so); with --check it only checks. What
is damaged is named on standard error, and the exit status is 1. The layout of the files is in the
documentation of EventLog, article "The log and its files".
"""

import argparse
import datetime
import hashlib
import json
import struct
import sys
from pathlib import Path

HEADER_SIZE, BATCH_SIZE, TRAILER_SIZE, RECORD_SIZE = 4096, 32, 12, 60
ERASED = 1


def make_table():
    """CRC-32C of each byte."""
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


def crc32c(data, crc=0, table=make_table()):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = table[crc & 0xFF ^ byte] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def is_written(data):
    """Whether there is anything but reserved room."""
    return bool(data.lstrip(b"\0"))


class Damage(Exception):
    """Something that is not as it was written, at an offset of the segment being read."""

    def __init__(self, reason, offset, first=None, last=None):
        super().__init__(reason)
        self.reason, self.offset, self.first, self.last = reason, offset, first, last


def need(condition, *place):
    if not condition:
        raise Damage(*place)


class Segment:
    """One file: its header, then its batches."""

    def __init__(self, path):
        self.path = path
        self.bytes = path.read_bytes()
        header = self.bytes[:HEADER_SIZE]
        need(len(header) == HEADER_SIZE and header[:8] == b"SWIPELOG", "no segment of a log", 0)
        need(crc32c(header[:4092]) == struct.unpack_from("<I", header, 4092)[0],
             "the header does not match its checksum", 0)
        version, size = struct.unpack_from("<II", header, 8)
        need((version, size) == (1, HEADER_SIZE), f"format version {version} is unknown", 0)
        self.log = header[16:32]
        self.first, self.previous_first, _, self.previous_time = struct.unpack_from(
            "<QQqq", header, 32)
        self.previous_digest = header[64:96]
        need(path.name == f"{self.first:020}.seg", "the name is not that of the first position", 0)
        # What says which segment this is and what was before it, but not which log's.
        self.hash = hashlib.sha256(header[32:96])
        self.next = self.first
        self.end = HEADER_SIZE

    def batches(self):
        """The offset and length of each batch and the number of its records, as far as they go."""
        while is_written(self.bytes[self.end:self.end + 512]):
            at = self.end
            head = self.bytes[at:at + BATCH_SIZE]
            need(len(head) == BATCH_SIZE and head[:4] == b"BTCH"
                 and crc32c(head[:28]) == struct.unpack_from("<I", head, 28)[0],
                 "no batch, or its header does not match its checksum", at, self.next, self.next)
            length, first, durable, count = struct.unpack_from("<IQQI", head, 4)
            need(first == self.next and count > 0 and durable < first,
                 "the batch does not follow the one before it", at, self.next, self.next)
            last = first + count - 1
            need(at + length <= len(self.bytes), "the batch is cut short", at, first, last)
            yield at, length, first, count
            self.hash.update(head + self.bytes[at + length - TRAILER_SIZE:at + length])
            self.next = last + 1
            self.end = at + length
        need(not is_written(self.bytes[self.end:]), "a batch is missing, though something is behind it",
             self.end, self.next, self.next)

    def records(self):
        """All records, each batch's once the whole batch is checked."""
        for at, length, first, count in self.batches():
            found, chain, offset = [], 0, at + BATCH_SIZE
            limit = at + length - TRAILER_SIZE
            for position in range(first, first + count):
                record = self.record(offset, limit, position)
                chain = crc32c(self.bytes[offset + 8:offset + 12], chain)
                found.append(record)
                offset += record["length"]
            chain = crc32c(self.bytes[at + 28:at + 32], chain)
            trailer = struct.pack("<II", chain, length) + b"DONE"
            need(offset == limit and self.bytes[limit:at + length] == trailer,
                 "the trailer does not match the batch", at, first, first + count - 1)
            yield from found

    def record(self, at, limit, position):
        place = (at, position, position)
        need(at + RECORD_SIZE <= limit, "the record is cut short", *place)
        length, crc, sealed, schema, flags, stream_length = struct.unpack_from(
            "<IIIHBB", self.bytes, at)
        number, revision, time, _, data, meta, kind = struct.unpack_from(
            "<QQqQIIH", self.bytes, at + 16)
        ends = [RECORD_SIZE]
        for part in (stream_length, kind, data, meta):
            ends.append(ends[-1] + part)
        need(length == ends[-1] and at + length <= limit, "the record's lengths are impossible",
             *place)
        need(crc32c(self.bytes[at + 12:at + length]) == crc,
             "the record does not match its checksum", *place)
        need(crc == sealed or flags & ERASED, "the record's two checksums differ", *place)
        need(number == position, "the record is out of order", *place)
        parts = [self.bytes[at + a:at + b].decode() for a, b in zip(ends, ends[1:])]
        return dict(zip(("stream", "type", "data", "meta"), parts), length=length, place=place,
                    position=position, revision=revision, time=time, schema=schema,
                    erased=bool(flags & ERASED))


def read_mark(directory, log):
    """The position that the head mark says was durable; None without a mark of this log."""
    try:
        mark = (directory / "head").read_bytes()[:36]
    except OSError:
        return None
    if len(mark) < 36 or mark[:8] != b"SWIPEHED" or mark[8:24] != log:
        return None
    head, crc = struct.unpack_from("<QI", mark, 24)
    return head if crc32c(mark[:32]) == crc else None


class Log:
    """The segments of a directory, read in order and checked against one another."""

    def __init__(self, directory):
        self.directory = directory
        folder = directory / "log" if (directory / "log").is_dir() else directory
        self.paths = sorted(path for path in folder.iterdir() if path.name.endswith(".seg"))
        self.path = None
        self.revisions = {}
        self.time = None
        self.head = 0
        self.note = None

    def records(self):
        previous, mark = None, None
        for self.path in self.paths:
            segment = Segment(self.path)
            self.check_chain(segment, previous)
            if previous is None:
                mark = read_mark(self.directory, segment.log)
            try:
                for record in segment.records():
                    self.check_order(record)
                    self.head = record["position"]
                    yield record
            except Damage as damage:
                # Behind what was durable, at the end of the log, a write may be unfinished.
                if self.path != self.paths[-1] or mark is None or segment.next <= mark:
                    raise
                self.note = f"behind position {self.head}: {damage.reason}"
            if self.path != self.paths[-1]:
                need(segment.end == len(segment.bytes), "zeros in a sealed segment", segment.end)
            previous = segment
        if mark is not None and self.head < mark:
            raise Damage(f"the log ends with position {self.head}, and {mark} was durable",
                         previous.end, self.head + 1, mark)

    def check_chain(self, segment, previous):
        if previous is None:
            need(segment.first == 1 and segment.previous_first == 0
                 and not any(segment.previous_digest), "the segment before it is missing", 0)
            return
        need(segment.log == previous.log, "it is a segment of another log", 0)
        need((segment.first, segment.previous_first) == (previous.next, previous.first),
             "the segment before it is missing", 0)
        need(segment.previous_digest == previous.hash.digest(),
             f"it does not fit {previous.path.name}, which has another digest", 0,
             previous.first, previous.next - 1)
        need(self.time is None or segment.previous_time == self.time,
             "it does not name the time of the record before it", 0)

    def check_order(self, record):
        need(self.time is None or record["time"] >= self.time, "time goes backwards",
             *record["place"])
        need(record["revision"] == self.revisions.get(record["stream"], 0) + 1,
             "the record is not its stream's next one", *record["place"])
        self.time = record["time"]
        self.revisions[record["stream"]] = record["revision"]


def rfc3339(microseconds):
    epoch = datetime.datetime(1970, 1, 1)
    moment = epoch + datetime.timedelta(microseconds=microseconds)
    return moment.isoformat(timespec="microseconds") + "Z"


def line(record):
    """The event as the service frames it: `data` and `meta` are the stored bytes."""
    head = {name: record[name] for name in ("position", "stream", "revision", "type", "schema")}
    head["time"] = rfc3339(record["time"])
    if record["erased"]:
        head["erased"] = True
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"data":{record["data"]},"meta":{record["meta"]}}}'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="print no events")
    parser.add_argument("directory", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    log = Log(arguments.directory)
    if not log.paths:
        sys.exit(f"there is no log in {arguments.directory}")
    try:
        for record in log.records():
            if not arguments.check:
                print(line(record))
    except Damage as damage:
        positions = "" if damage.first is None else f", positions {damage.first} to {damage.last}"
        sys.exit(f"{log.path.name}, offset {damage.offset}{positions}: {damage.reason}")
    if log.note:
        print(log.note, file=sys.stderr)
    if arguments.check:
        count = len(log.paths)
        print(f"{count} segment{'s' if count > 1 else ''}, positions 1 to {log.head}: all is well")


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        # Nobody reads any more.
        sys.stderr.close()
