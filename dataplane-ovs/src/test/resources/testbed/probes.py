"""Client and members of a switch under test, in one network namespace with a link to each of its ports.

Sends TCP SYNs to the VIP at a steady rate from changing client ports; whoever gets one as a member answers with a SYN-ACK
whose sequence number is its own address. Until standard input ends. Then writes one line per answer: number of the probe,
client port, time sent, address of the member, time received (nanoseconds of the monotonic clock); then the number sent.

Arguments: client's link, members' links (comma), node's MAC on the uplink, node's MACs on the members' links (comma),
VIP, probes per second, number of client ports, client address
"""
import select
import socket
import struct
import sys
import threading
import time

ROUTER = bytes.fromhex("02000000aa01")
ETH_IP = 0x0800
SYN, SYN_ACK = 0x02, 0x12
FIRST_PORT = 10000

client_link, member_links, node_mac, node_macs, vip, rate, ports, client = sys.argv[1:]
member_links = member_links.split(",")
node_mac = bytes.fromhex(node_mac.replace(":", ""))
node_macs = [bytes.fromhex(mac.replace(":", "")) for mac in node_macs.split(",")]
rate, ports = float(rate), int(ports)
vip, client = socket.inet_aton(vip), socket.inet_aton(client)
stop = threading.Event()
sent, answers, damaged = [], [], []


def total(data):
    s = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    s = (s & 0xFFFF) + (s >> 16)
    return (s & 0xFFFF) + (s >> 16)


def frame(dst_mac, src_mac, src, dst, sport, dport, seq, ack, flags):
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40, 0, 0x4000, 64, 6, 0, src, dst)
    ip = ip[:10] + struct.pack("!H", 0xFFFF ^ total(ip)) + ip[12:]
    tcp = struct.pack("!HHIIBBHHH", sport, dport, seq, ack, 0x50, flags, 1024, 0, 0)
    sum_ = 0xFFFF ^ total(src + dst + struct.pack("!HH", 6, 20) + tcp)
    tcp = tcp[:16] + struct.pack("!H", sum_) + tcp[18:]
    return dst_mac + src_mac + struct.pack("!H", ETH_IP) + ip + tcp


def link(name):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_IP))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    s.bind((name, ETH_IP))
    return s


def read(s):
    data, where = s.recvfrom(2048)
    if where[2] == socket.PACKET_OUTGOING or len(data) < 54 or data[23] != 6:
        return None
    return data


def members():
    links = {link(name): mac for name, mac in zip(member_links, node_macs)}
    while not stop.is_set():
        for s in select.select(list(links), [], [], 0.1)[0]:
            data = read(s)
            if data and data[47] == SYN:
                src, dst = data[26:30], data[30:34]
                sport, dport, seq = struct.unpack("!HHI", data[34:42])
                mine = struct.unpack("!I", dst)[0]
                s.send(frame(links[s], data[0:6], dst, src, dport, sport, mine, (seq + 1) & 0xFFFFFFFF, SYN_ACK))


def receive(s):
    while not stop.is_set():
        if not select.select([s], [], [], 0.1)[0]:
            continue
        data = read(s)
        now = time.monotonic_ns()
        if data and data[47] == SYN_ACK and data[26:30] == vip:
            member, ack = struct.unpack("!II", data[38:46])
            answers.append((ack - 1, member, now))
            if total(data[26:34] + struct.pack("!HH", 6, 20) + data[34:54]) != 0xFFFF:
                damaged.append(ack - 1)


def send(s):
    start = time.monotonic()
    while not stop.is_set():
        number = len(sent)
        wait = start + number / rate - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        sent.append(time.monotonic_ns())
        try:
            s.send(frame(node_mac, ROUTER, client, vip, FIRST_PORT + number % ports, 80, number, 0, SYN))
        except OSError:
            pass  # no buffer: it counts as lost


uplink = link(client_link)
threads = [threading.Thread(target=members), threading.Thread(target=receive, args=(link(client_link),))]
for thread in threads:
    thread.start()
time.sleep(0.2)
sender = threading.Thread(target=send, args=(uplink,))
sender.start()
print("ready", flush=True)
sys.stdin.read()
count = len(sent)
time.sleep(0.3)
stop.set()
sender.join()
for thread in threads:
    thread.join()
out = []
for number, member, at in answers:
    out.append("%d %d %d %s %d" % (
        number, FIRST_PORT + number % ports, sent[number], socket.inet_ntoa(struct.pack("!I", member)), at))
out.append("sent %d damaged %d" % (count, len(damaged)))
sys.stdout.write("\n".join(out) + "\n")
