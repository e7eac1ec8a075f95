"""A pool member: GET / names the member and the client it saw, /health is quick, /slow?seconds=N is not.

Serves the same on each port of PORTS, over both versions of IP. A datagram to a port of UDP_PORTS is answered with the
same words and what it said; one that says QUIET is not answered. While the file DEAF exists nothing listens for datagrams. One event loop for all connections, so that a
thousand idle ones cost next to nothing. A connection stays open for further requests unless the client asks for
HTTP/1.0 or `Connection: close`, or says nothing for IDLE_SECONDS.
"""

import asyncio
import json
import os
import resource
import socket
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

PORTS = (8080, 8081, 8090, 8091, 8092)
UDP_PORTS = (5353, 5354, 5355)
QUIET = b"quiet"
DEAF = "/run/deaf"
BACKLOG = 256
IDLE_SECONDS = 120
SLOW_SECONDS_MAX = 3600.0
NAME = socket.gethostname()


async def serve(reader, writer):
    """Answers the requests of one connection until either side ends it."""
    try:
        while True:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), IDLE_SECONDS)
            lines = head.decode("latin-1").split("\r\n")
            method, target, version = lines[0].split(" ")
            stays = version == "HTTP/1.1" and "connection: close" not in (line.lower() for line in lines[1:])
            if method == "GET":
                status, body = await answer(urlsplit(target), writer)
            else:
                status, body = 405, {"error": "method is %s, must be GET" % method}
            write(writer, status, body, stays)
            await writer.drain()
            if not stays:
                return
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.TimeoutError, OSError, ValueError):
        return  # the client has gone, says nothing, or does not speak HTTP
    finally:
        writer.close()


async def answer(url, writer):
    """Returns status and body for a path."""
    if url.path == "/":
        return 200, whoami(writer)
    if url.path == "/health":
        return 200, {"member": NAME, "health": "up"}
    if url.path == "/slow":
        return await slow(parse_qs(url.query).get("seconds", ["1"])[-1], writer)
    return 404, {"error": "no such path: " + url.path + "; use /, /health or /slow?seconds=N"}


async def slow(text, writer):
    """Answers after `text` seconds, 0 to SLOW_SECONDS_MAX."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= SLOW_SECONDS_MAX:
        return 400, {"error": "seconds is %r, must be 0 to %d" % (text, SLOW_SECONDS_MAX)}
    await asyncio.sleep(seconds)
    return 200, {**whoami(writer), "seconds": seconds}


def whoami(writer):
    return described(writer.get_extra_info("sockname")[1], writer.get_extra_info("peername"))


def described(port, client):
    host = "[%s]" % client[0] if ":" in client[0] else client[0]
    return {"member": NAME, "port": port, "client": "%s:%d" % (host, client[1])}


class Echo(asyncio.DatagramProtocol):
    """Answers datagrams on one port."""

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, client):
        if data != QUIET:
            port = self.transport.get_extra_info("sockname")[1]
            answer = {**described(port, client), "said": data.decode("latin-1")}
            self.transport.sendto(json.dumps(answer).encode(), client)


def datagram_socket(family, port):
    sock = socket.socket(family, socket.SOCK_DGRAM)
    if family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    sock.bind(("", port))
    return sock


async def listen_for_datagrams():
    """Keeps the UDP ports open, except while DEAF exists: then the kernel calls them unreachable."""
    loop = asyncio.get_running_loop()
    transports = []
    while True:
        if os.path.exists(DEAF):
            while transports:
                transports.pop().close()
        elif not transports:
            for port in UDP_PORTS:
                for family in (socket.AF_INET, socket.AF_INET6):
                    transport, _ = await loop.create_datagram_endpoint(Echo, sock=datagram_socket(family, port))
                    transports.append(transport)
        await asyncio.sleep(0.2)


def write(writer, status, body, stays):
    data = json.dumps(body).encode() + b"\n"
    writer.write(("HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: %s\r\n\r\n"
                  % (status, HTTPStatus(status).phrase, len(data), "keep-alive" if stays else "close")).encode() + data)


async def main():
    servers = [await asyncio.start_server(serve, None, port, backlog=BACKLOG) for port in PORTS]
    await asyncio.gather(listen_for_datagrams(), *(server.serve_forever() for server in servers))


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    asyncio.run(main())
