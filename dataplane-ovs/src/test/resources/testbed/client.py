"""Asks, one line per answer: the own port, then what was answered, or "nothing" after half a second.

usage: client.py tcp|udp SOURCE DESTINATION PORT COUNT [PAYLOAD_BYTES]
       client.py ip SOURCE DESTINATION PROTOCOL COUNT
       client.py ping SOURCE DESTINATION PAYLOAD_BYTES COUNT
       client.py steady SOURCE DESTINATION PORT SECONDS   (UDP, ten a second; prints how many were answered of how many)
       client.py flood SOURCE DESTINATION PORT COUNT      (UDP, 5000 a second; prints how many, and in how many seconds)
"""
import os
import socket
import struct
import sys
import time

kind, source, destination, number, count, *more = sys.argv[1:]
family = socket.AF_INET6 if ":" in source else socket.AF_INET
number, count = int(number), int(count)
payload = b"x" * (int(more[0]) if more else 8)


def opened(socket_kind, protocol=0):
    made = socket.socket(family, socket_kind, protocol)
    made.settimeout(0.5)
    made.bind((source, 0))
    return made


def header_length(packet):
    return (packet[0] & 15) * 4 if family == socket.AF_INET else 0


def tcp():
    with opened(socket.SOCK_STREAM) as s:
        s.connect((destination, number))
        s.sendall(payload)
        return s.getsockname()[1], s.recv(200).decode()


def udp():
    with opened(socket.SOCK_DGRAM) as s:
        s.connect((destination, number))
        s.send(payload)
        return s.getsockname()[1], s.recv(200).decode()


def ip():
    with opened(socket.SOCK_RAW, number) as s:
        s.sendto(payload, (destination, 0))
        packet, peer = s.recvfrom(9000)
        if peer[0] != destination:
            raise OSError(f"answered by {peer[0]}")
        return 0, packet[header_length(packet):].decode()


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def ping():
    v4 = family == socket.AF_INET
    request, reply = (8, 0) if v4 else (128, 129)
    body = os.urandom(number)
    identity = os.getpid() & 0xFFFF
    with opened(socket.SOCK_RAW, socket.IPPROTO_ICMP if v4 else socket.IPPROTO_ICMPV6) as s:
        plain = struct.pack("!BBHHH", request, 0, 0, identity, 1) + body
        s.sendto(plain[:2] + struct.pack("!H", checksum(plain)) + plain[4:], (destination, 0))
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            packet, peer = s.recvfrom(9000)
            message = packet[header_length(packet):]
            if peer[0] == destination and message[0] == reply and message[4:6] == struct.pack("!H", identity):
                right = message[8:] == body and (not v4 or checksum(message) == 0)
                return 0, "echoed" if right else "damaged"
        raise TimeoutError


def steady():
    answered = 0
    with opened(socket.SOCK_DGRAM) as s:
        s.connect((destination, number))
        for _ in range(count * 10):
            s.send(payload)
            try:
                s.recv(200)
                answered += 1
            except TimeoutError:
                pass
            time.sleep(0.1)
    print(f"{answered} of {count * 10}")


def flood():
    start = time.monotonic()
    with opened(socket.SOCK_DGRAM) as s:
        for sent in range(count):
            s.sendto(payload, (destination, number))
            time.sleep(max(0, start + sent / 5000 - time.monotonic()))
    print(count, time.monotonic() - start)


if kind == "steady":
    steady()
elif kind == "flood":
    flood()
else:
    for _ in range(count):
        try:
            port, answer = {"tcp": tcp, "udp": udp, "ip": ip, "ping": ping}[kind]()
            print(port, answer)
        except OSError as failed:
            print("nothing", type(failed).__name__, failed)
