"""The laboratory: a client, a load balancer and four members, each in a network namespace of its own, joined by veth pairs.

Everything that forwards runs on one core, client and members on another. Nothing leaves the machine: no namespace has a way out.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

CLIENT, BALANCER = "qlbb-client", "qlbb-lb"
MEMBERS = ["qlbb-m1", "qlbb-m2", "qlbb-m3", "qlbb-m4"]
NAMESPACES = [CLIENT, BALANCER, *MEMBERS]
DIRECTORY = Path("/run/quorumlb-bench")

FORWARDER_CORE, PEER_CORE = 0, 1

VIP, WEB, BULK, MEMBER_WEB = "10.99.0.10", 80, 5201, 8080
UPLINK = "front"
CLIENT_ADDRESS, BALANCER_ADDRESS = "10.10.0.1", "10.10.0.11"
CLIENT_MAC, BALANCER_MAC = "02:51:55:00:00:01", "02:51:55:00:00:0b"
# Frames of the packet and flow measurements come from here; members count and drop them.
FRAME_SOURCES = "198.18.0.0/15"


class Segment:
    """A member with its network: the balancer's port, and the addresses of both ends."""

    def __init__(self, number):
        self.namespace = MEMBERS[number - 1]
        self.port = f"m{number}"
        self.own_address, self.own_mac = f"10.2{number}.0.1", f"02:51:55:00:{number:02x}:01"
        self.address, self.mac = f"10.2{number}.0.2", f"02:51:55:00:{number:02x}:02"


SEGMENTS = [Segment(number) for number in (1, 2, 3, 4)]


class BenchError(Exception):
    """Something that the person at the terminal can act on."""


def run(*command, namespace=None, check=True, timeout=60, env=None, stdin=None):
    """Runs a command to its end and returns what it wrote; BenchError with its words if it fails."""
    words = [*(["ip", "netns", "exec", namespace] if namespace else []), *map(str, command)]
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=timeout, env=env, input=stdin, stdin=None if stdin else subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        raise BenchError(f"took more than {timeout} s: {shortened(words)}") from None
    if check and done.returncode:
        raise BenchError(f"status {done.returncode}: {shortened(words)}: {' '.join((done.stderr or done.stdout).split())[-400:]}")
    return done.stdout


def shortened(words):
    """Returns a command for people: without the class path."""
    return " ".join(word for word in words if len(word) < 200)


def wait_until(what, condition, seconds=20):
    """Returns once the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise BenchError(f"{what}: not within {seconds} s")
        time.sleep(0.05)


def leftovers():
    """Names what an earlier run left behind."""
    found = [line.split()[0] for line in run("ip", "netns", "list").splitlines() if line.split()[0] in NAMESPACES]
    return found + ([str(DIRECTORY)] if DIRECTORY.exists() else [])


def refuse_leftovers():
    present = leftovers()
    if present:
        raise BenchError(f"an earlier run was killed, or another one runs now: {', '.join(present)} is there; if none runs: scripts/bench-dataplane --clean")


def clean():
    """Ends every process in our namespaces, by its id, and removes the namespaces and the directory."""
    present = leftovers()
    for namespace in [name for name in present if name in NAMESPACES]:
        for pid in run("ip", "netns", "pids", namespace).split():
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        run("ip", "netns", "delete", namespace)
    shutil.rmtree(DIRECTORY, ignore_errors=True)


class Lab:
    """Namespaces, links and members; `with Lab() as lab` undoes all of it, whatever happens."""

    def __init__(self):
        self.processes = []
        self.member_pids = []

    def __enter__(self):
        refuse_leftovers()
        DIRECTORY.mkdir(parents=True)
        try:
            self._links()
            self._members()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # A second Ctrl-C must not leave half of it behind.
        before = {signum: signal.signal(signum, signal.SIG_IGN) for signum in (signal.SIGINT, signal.SIGTERM)}
        for process in reversed(self.processes):
            self.end(process)
        clean()
        for signum, handler in before.items():
            signal.signal(signum, handler)

    # ---- processes

    def start(self, namespace, core, name, *command, env=None, **popen):
        """Starts a process of its own session on that core; its words go to NAME.log."""
        popen.setdefault("stdout", open(DIRECTORY / f"{name}.log", "ab"))
        process = subprocess.Popen(
            ["ip", "netns", "exec", namespace, "taskset", "-c", str(core), *map(str, command)],
            stderr=open(DIRECTORY / f"{name}.log", "ab"),
            env=env,
            start_new_session=True,
            **({"stdin": subprocess.DEVNULL} | popen),
        )
        process.bench_name = name
        self.processes.append(process)
        return process

    def end(self, process):
        """Ends a process and all that it started."""
        for signum, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            try:
                os.killpg(process.pid, signum)
                process.wait(seconds)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        if process in self.processes:
            self.processes.remove(process)

    def check_alive(self):
        """Names a process that has ended by itself, with its last words."""
        for process in self.processes:
            if process.poll() is not None:
                words = (DIRECTORY / f"{process.bench_name}.log").read_text(errors="replace").strip()[-400:]
                raise BenchError(f"{process.bench_name} ended with status {process.returncode}: {words}")

    def await_answer(self, address, port):
        """Returns once the client can connect."""
        def connects():
            self.check_alive()
            return run("timeout", "1", "bash", "-c", f"exec 3<> /dev/tcp/{address}/{port} && echo yes", namespace=CLIENT, check=False)
        wait_until(f"a first connection to {address}:{port}", connects)

    # ---- network

    def _links(self):
        for namespace in NAMESPACES:
            run("ip", "netns", "add", namespace)
            run("ip", "link", "set", "lo", "up", namespace=namespace)
            run("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1", "net.ipv4.ip_forward=0",
                "net.ipv4.ip_local_port_range=1024 65535", "net.ipv4.tcp_tw_reuse=1", "net.core.somaxconn=8192", namespace=namespace)
        self._link(CLIENT, CLIENT_MAC, f"{CLIENT_ADDRESS}/24", UPLINK, BALANCER_MAC)
        run("ip", "neigh", "add", BALANCER_ADDRESS, "lladdr", BALANCER_MAC, "nud", "permanent", "dev", "eth0", namespace=CLIENT)
        run("ip", "route", "add", "10.0.0.0/8", "via", BALANCER_ADDRESS, namespace=CLIENT)
        for at in SEGMENTS:
            self._link(at.namespace, at.mac, f"{at.address}/24", at.port, at.own_mac)
            run("ip", "neigh", "add", at.own_address, "lladdr", at.own_mac, "nud", "permanent", "dev", "eth0", namespace=at.namespace)
            run("ip", "route", "add", "10.0.0.0/8", "via", at.own_address, namespace=at.namespace)
            run("nft", "-f", "-", namespace=at.namespace, stdin=f"""
                table netdev bench {{ chain in {{ type filter hook ingress device eth0 priority -500;
                  ip saddr {FRAME_SOURCES} counter drop; }}
                }}""")

    def _link(self, namespace, mac, address, port, port_mac):
        run("ip", "link", "add", "eth0", "netns", namespace, "address", mac, "type", "veth",
            "peer", "name", port, "netns", BALANCER, "address", port_mac)
        run("ip", "link", "set", port, "up", namespace=BALANCER)
        run("ip", "address", "add", address, "dev", "eth0", namespace=namespace)
        run("ip", "link", "set", "eth0", "up", namespace=namespace)
        self._steer(namespace, "eth0", PEER_CORE)
        self._steer(BALANCER, port, FORWARDER_CORE)

    def _steer(self, namespace, interface, core):
        """Lets the kernel's share of receiving run on that core; it would run on the sender's."""
        path = f"/sys/class/net/{interface}/queues/rx-0/rps_cpus"
        run("sh", "-c", f"echo {1 << core:x} > {path}", namespace=namespace)

    def offloads(self, state):
        """Turns checksum and segmentation offload on or off at both ends of every link; Open vSwitch's ports need it off."""
        ends = [(CLIENT, "eth0"), (BALANCER, UPLINK)]
        ends += [end for at in SEGMENTS for end in ((at.namespace, "eth0"), (BALANCER, at.port))]
        for namespace, interface in ends:
            run("ethtool", "-K", interface, "tx", state, "tso", state, "gso", state, "gro", state, namespace=namespace, check=state == "off")

    # ---- members

    def _members(self):
        for at in SEGMENTS:
            web = nginx_files(f"member-{at.port}", f"""
                http {{ access_log off; {temporary(f"member-{at.port}")}
                  server {{ listen {MEMBER_WEB} backlog=8192; location / {{ return 204; }} }} }}""")
            self.member_pids.append(self.start(at.namespace, PEER_CORE, f"member-{at.port}", *web).pid)
        self.start(SEGMENTS[0].namespace, PEER_CORE, "iperf-server", "iperf3", "-s", "-p", BULK)

    def frames_received(self):
        """Returns how many frames the members' interfaces have received together."""
        total = 0
        for pid in self.member_pids:
            for line in Path(f"/proc/{pid}/net/dev").read_text().splitlines():
                if line.strip().startswith("eth0:"):
                    total += int(line.split(":")[1].split()[1])
        return total


def temporary(name):
    """Returns nginx directives that keep its temporary files in our directory."""
    return " ".join(
        f"{kind}_temp_path {DIRECTORY}/{name}-{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )


def nginx_files(name, body, modules=""):
    """Writes an nginx configuration with one worker and returns the command."""
    path = DIRECTORY / f"{name}.conf"
    path.write_text(f"""{modules} user root; worker_processes 1; daemon off; pid {DIRECTORY}/{name}.pid; error_log {DIRECTORY}/{name}.log;
        worker_rlimit_nofile 65536; events {{ worker_connections 16384; multi_accept on; }} {body}""")
    return ["nginx", "-e", f"{DIRECTORY}/{name}.log", "-c", path]
