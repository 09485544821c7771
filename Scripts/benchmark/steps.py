"""The file that `bare-loop rows` reads: statements with their parameters; its form is said in
Sources/bare-loop/rows.c."""

import struct

# In place of a statement's number.
_COMMIT = 255


class Steps:
    def __init__(self, file, tables, statements):
        self._write = file.write
        self._write(text(tables) + struct.pack("=I", len(statements)))
        for statement in statements:
            self._write(text(statement))

    def add(self, statement, *parameters):
        self._write(bytes((statement, len(parameters))) + b"".join(map(parameter, parameters)))

    def commit(self):
        self._write(bytes((_COMMIT,)))


def parameter(value):
    if value is None:
        return b"\0"
    if isinstance(value, int):
        return b"\1" + struct.pack("=q", value)
    return b"\2" + text(value)


def text(value):
    content = value.encode()
    return struct.pack("=I", len(content)) + content
