"""Serves on all addresses of this host until its input ends: says who was asked by whom, on which port.

usage: member.py ADDRESS[=PROTOCOL]... -- TCPPORT... -- UDPPORT...
An address with a protocol number serves that IP protocol there.
"""
import selectors
import socket
import sys

addresses, tcp_ports, udp_ports = [part.split() for part in " ".join(sys.argv[1:]).split("--")]
selector = selectors.DefaultSelector()


def family(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def said(own, peer):
    return f"{own[0]} {own[1]} {peer[0]} {peer[1]}".encode()


def accept(listening):
    connection, peer = listening.accept()
    connection.settimeout(5)
    connection.recv(100)
    connection.sendall(said(connection.getsockname(), peer))
    connection.close()


def answer(datagrams):
    _, peer = datagrams.recvfrom(9000)
    datagrams.sendto(said(datagrams.getsockname(), peer), peer)


def answer_protocol(raw):
    _, peer = raw.recvfrom(9000)
    raw.sendto(said(raw.getsockname(), peer), (peer[0], 0))


def register(kind, address, number, handler):
    if kind == socket.SOCK_RAW:
        opened = socket.socket(family(address), kind, number)
        opened.bind((address, 0))
    else:
        opened = socket.socket(family(address), kind)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((address, number))
    if kind == socket.SOCK_STREAM:
        opened.listen(128)
    selector.register(opened, selectors.EVENT_READ, handler)


for given in addresses:
    address, _, protocol = given.partition("=")
    for port in tcp_ports:
        register(socket.SOCK_STREAM, address, int(port), accept)
    for port in udp_ports:
        register(socket.SOCK_DGRAM, address, int(port), answer)
    if protocol:
        register(socket.SOCK_RAW, address, int(protocol), answer_protocol)
selector.register(sys.stdin, selectors.EVENT_READ, sys.exit)
print("ready", flush=True)
while True:
    for key, _ in selector.select():
        key.data(key.fileobj)
