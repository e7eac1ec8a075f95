"""Sends frames of invented stations: questions for the node's address, announcements of foreign addresses, answers that
nobody asked for, and connections to the VIP. Usage: flood.py INTERFACE COUNT NODE_ADDRESS NODE_MAC VIP"""
import socket
import struct
import sys
import time

PACE = 10_000  # frames per second


def mac(number):
    return b"\x02\xee" + struct.pack("!I", number)


def arp(source, operation, sender, target, target_mac, destination):
    head = destination + source + b"\x08\x06" + struct.pack("!HHBBH", 1, 0x0800, 6, 4, operation)
    return (head + source + sender + target_mac + target).ljust(60, b"\0")


def tcp(source, sender, node_mac, target, number):
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40, number & 0xFFFF, 0, 64, 6, 0, sender, target)
    words = struct.unpack("!10H", ip)
    total = sum(words)
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    ip = ip[:10] + struct.pack("!H", ~total & 0xFFFF) + ip[12:]
    segment = struct.pack("!HHIIBBHHH", 1024 + number % 60000, 80, 1, 0, 0x50, 2, 1000, 0, 0)
    return (node_mac + source + b"\x08\x00" + ip + segment).ljust(60, b"\0")


def main():
    interface, count = sys.argv[1], int(sys.argv[2])
    node, vip = socket.inet_aton(sys.argv[3]), socket.inet_aton(sys.argv[5])
    node_mac = bytes.fromhex(sys.argv[4].replace(":", ""))
    everybody = b"\xff" * 6
    out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    out.bind((interface, 0))
    start = time.monotonic()
    sent = 0
    for number in range(count):
        source = mac(number)
        sender = struct.pack("!I", 0xC6130100 + number)  # 198.19.1.0 onwards
        for frame in (
            arp(source, 1, sender, node, b"\0" * 6, everybody),
            arp(source, 1, sender, sender, b"\0" * 6, everybody),
            arp(source, 2, sender, node, node_mac, node_mac),
            tcp(source, sender, node_mac, vip, number),
        ):
            out.send(frame)
            sent += 1
        behind = start + sent / PACE - time.monotonic()
        if behind > 0:
            time.sleep(behind)
    print(f"{sent} frames in {time.monotonic() - start:.1f} s")


main()
