"""A client of the service in few lines: ZMTP 3.0 (ZeroMQ RFC 23), the NULL mechanism, one DEALER.

The scripts need no package for it, and a thousand connections cost no more than their sockets."""

import json
import socket
import struct

from children import Failure

_GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
_READY = b"\x05READY" + b"\x0bSocket-Type" + struct.pack(">I", 6) + b"DEALER"


class Client:
    def __init__(self, endpoint, seconds=60):
        host, port = endpoint.removeprefix("tcp://").rsplit(":", 1)
        self._socket = socket.create_connection((host, int(port)), timeout=seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(_GREETING)
        self._take(len(_GREETING))
        self._socket.sendall(bytes([4, len(_READY)]) + _READY)
        self._receive_frame()
        self._requests = 0

    def close(self):
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def request(self, op, **members):
        """The answer to one request; a refusal raises."""
        self._requests += 1
        self._send_frame(json.dumps({"op": op, "id": f"bench-{self._requests}", **members}).encode())
        answer = json.loads(self._receive_frame())
        if not answer.get("ok"):
            raise Failure(f"{op} was refused: {answer}")
        return answer

    def _send_frame(self, content):
        if len(content) < 256:
            header = bytes([0, len(content)])
        else:
            header = b"\x02" + struct.pack(">Q", len(content))
        self._socket.sendall(header + content)

    def _receive_frame(self):
        flags = self._take(1)[0]
        if flags & 2:
            (count,) = struct.unpack(">Q", self._take(8))
        else:
            count = self._take(1)[0]
        return self._take(count)

    def _take(self, count):
        content = b""
        while len(content) < count:
            part = self._socket.recv(count - len(content))
            if not part:
                raise Failure("the service closed the connection")
            content += part
        return content
