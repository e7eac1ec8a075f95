"""What is measured of one contender. Each function takes laboratory, forwarder and plan and returns figures, one per run."""

import json
import re
import subprocess
import time

from lab import CLIENT, CLIENT_MAC, BALANCER_MAC, MEMBERS, PEER_CORE, BenchError, run

CONNECTIONS = 64  # open at a time when as many new ones as possible are made
LATENCY_RATE = 500  # new connections per second
FRAME_FLOWS = 1000
LOSS_MAX = 0.005
RATES = [round(5000 * 1.25**step) for step in range(26)]  # 5,000 to 1.3 million frames per second
FIRST_RATE = 6
FLOWS, FLOWS_QUICK, FLOW_RATE = 200_000, 20_000, 30_000
OVN_COMMITS = 50


def new_connections(lab, forwarder, plan):
    """New connections per second, one request each."""
    rates, errors = [], 0
    for seconds in [1] + [plan.seconds] * plan.runs:  # the first warms up
        out = run("taskset", "-c", PEER_CORE, "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-H", "Connection: close",
                  f"http://{forwarder.target}:{forwarder.port}/", namespace=CLIENT, timeout=seconds + 30)
        rate = [line for line in out.splitlines() if line.startswith("Requests/sec:")]
        if not rate:
            raise BenchError(f"wrk says: {out.strip()[-300:]}")
        rates.append(float(rate[0].split()[1]))
        # "Socket errors: connect 0, read 0, write 0, timeout 3"
        errors += sum(int(word) for line in out.splitlines() if "Socket errors" in line for word in re.findall(r"\d+", line))
    if not max(rates):
        raise BenchError(f"no connection to {forwarder.target}:{forwarder.port} was answered")
    return {"rates": rates[1:], "errors": errors}


def latency(lab, forwarder, plan):
    """p50 and p99 of new connections at a fixed rate, microseconds; and how many failed of how many."""
    out = run("taskset", "-c", PEER_CORE, *plan.java, "-Djdk.virtualThreadScheduler.parallelism=1", "io.quorumlb.verify.bench.OpenLoop",
              forwarder.target, forwarder.port, LATENCY_RATE, plan.seconds, plan.runs, namespace=CLIENT, timeout=60 + 4 * plan.seconds * plan.runs)
    lines = [[int(word) for word in line.split()] for line in out.splitlines()]
    if any(p50 < 0 for _, _, p50, _ in lines):
        raise BenchError(f"all connections failed at {LATENCY_RATE}/s")
    return {"p50": [line[2] for line in lines], "p99": [line[3] for line in lines],
            "failed": sum(line[1] for line in lines), "of": sum(line[0] for line in lines)}


class Sender:
    """The frame sender in the client's namespace, kept running: it is asked line by line."""

    def __init__(self, lab, forwarder, plan):
        self.lab = lab
        self.process = lab.start(CLIENT, PEER_CORE, "sender", *plan.java, "io.quorumlb.verify.bench.SendFrames", "eth0", CLIENT_MAC,
                                 BALANCER_MAC, forwarder.target, forwarder.port, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lab.end(self.process)

    def send(self, kind, first, flows, rate, frames):
        """Sends and returns frames sent, their true rate, and how many the members received."""
        before = self.lab.frames_received()
        self.process.stdin.write(f"{kind} {first} {flows} {rate} {frames}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            self.lab.check_alive()
            raise BenchError(f"the frame sender says: {answer}")
        time.sleep(0.3)  # what is still in queues
        sent, micros = map(int, answer)
        return {"sent": sent, "rate": sent / micros * 1e6, "received": self.lab.frames_received() - before}


def packets(lab, forwarder, plan):
    """The highest rate of frames with less than 0.5 % lost, and the most that arrived at any rate, frames per second."""
    tried = []
    with Sender(lab, forwarder, plan) as sender:
        for _ in range(2):
            sender.send("ack", 0, FRAME_FLOWS, 5000, 2 * FRAME_FLOWS)  # every flow is known from here on

        def good(step):
            return attempt(step) or attempt(step)  # twice: one hiccup of the machine is no limit of the forwarder

        def attempt(step):
            wanted = RATES[step]
            got = sender.send("ack", 0, FRAME_FLOWS, wanted, round(wanted * plan.step_seconds))
            got |= {"wanted": wanted, "loss": 1 - got["received"] / max(got["sent"], 1)}
            tried.append(got)
            # A sender that cannot keep up has shown nothing about this rate.
            return got["loss"] < LOSS_MAX and got["rate"] > 0.9 * wanted

        best = [search(good, FIRST_RATE)]
        while len(best) < plan.runs:
            best.append(search(good, max(best[-1], 0)))
            lab.check_alive()
    passed = [RATES[step] if step >= 0 else 0 for step in best]
    seconds = plan.step_seconds
    most = max(got["received"] / max(seconds, got["sent"] / got["rate"]) for got in tried)
    return {"passed": passed, "most": [most], "limited_by_sender": max(got["rate"] for got in tried) < 1.1 * max(passed), "tried": tried}


def search(good, start):
    """Returns the highest step that is good, -1 if none: by doubling strides from the start, then by halving them."""
    low, high, stride = -1, len(RATES), 1
    step = start
    while high - low > 1:
        if good(step):
            low = step
        else:
            high = step
        if low >= 0 and high < len(RATES):
            step = (low + high) // 2
        else:
            step = min(low + stride, high - 1) if low >= 0 else max(high - stride, 0)
            stride *= 2
    return low


def flows(lab, forwarder, plan):
    """Sends the first packets of many connections and returns what that made of the switch's cached decisions."""
    count = FLOWS_QUICK if plan.quick else FLOWS
    switch = forwarder.switch
    with Sender(lab, forwarder, plan) as sender:
        sender.send("syn", 0, 1, 100, 20)
        before, cpu = switch.counters(), forwarder.cpu_seconds()
        got = sender.send("syn", 1_000_000, count, FLOW_RATE, count)
        after = switch.counters()
        if cpu is not None:
            cpu = forwarder.cpu_seconds() - cpu
    return {"flows": count, "megaflows": after["megaflows"], "upcalls": after["upcalls"] - before["upcalls"],
            "lost": 100 * (1 - got["received"] / max(got["sent"], 1)), "cpu": cpu and 1e6 * cpu / count, "rate": got["rate"]}


def bulk(lab, forwarder, plan):
    """Megabits per second of two connections, forward and reverse."""
    result = {"forward": [], "reverse": []}
    for _ in range(plan.runs):
        for direction, options in (("forward", []), ("reverse", ["-R"])):
            out = run("taskset", "-c", PEER_CORE, "iperf3", "-J", "-P2", "-t", plan.seconds, "--connect-timeout", 5000, "-c", forwarder.bulk_target,
                      "-p", forwarder.bulk_port, *options, namespace=CLIENT, check=False, timeout=plan.seconds + 30)
            answer = json.loads(out)
            if "error" in answer:
                raise BenchError(f"iperf3 {direction}: {answer['error']}")
            result[direction].append(answer["end"]["sum_received"]["bits_per_second"] / 1e6)
    return result


def ovn_commits(lab, forwarder, plan):
    """Milliseconds of changes of OVN's load balancer until its chassis has them."""
    forwarder.commits(4)  # warm
    return forwarder.commits(6 if plan.quick else OVN_COMMITS)
