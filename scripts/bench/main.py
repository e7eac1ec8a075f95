"""Benchmarks of the data plane: each forwarder in turn between the same client and members, on the same cores. See scripts/bench-dataplane."""

import argparse
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import lab
import measure
import report
import site_commits
from forwarders import Haproxy, Nft, Nginx, Routing
from lab import BenchError, Lab
from ovn import Ovn
from switch import Ours

ROOT = Path(__file__).resolve().parents[2]
MEASURES = ("connections", "latency", "packets", "flows", "bulk", "bulk-offloads", "commits")


class Plan:
    """How long and how often."""

    def __init__(self, seconds, runs, quick, java):
        self.seconds, self.runs, self.quick, self.java = seconds, runs, quick, java
        self.step_seconds = 0.5 if quick else 1.5


def contenders(java):
    ours = [Ours(form, port_type, java) for port_type in ("AF_PACKET", "AF_XDP") for form in ("dp-hash", "multipath")]
    return [*ours, Nginx(), Haproxy(), Nft(), Ovn("AF_PACKET"), Ovn("AF_XDP"), Routing()]


def measures_of(forwarder):
    """Returns what can be measured of it, in order."""
    wanted = ["connections", "latency"]
    wanted += ["packets"] if forwarder.frames else []
    wanted += ["flows"] if not forwarder.kernel else []
    wanted += ["bulk"] + (["bulk-offloads"] if forwarder.kernel else [])
    return wanted + (["commits"] if forwarder.name == "ovn" else [])


def measure_one(forwarder, what, bench, plan):
    if what == "bulk-offloads":
        bench.offloads("on")
        return measure.bulk(bench, forwarder, plan)
    function = {"connections": measure.new_connections, "latency": measure.latency, "packets": measure.packets, "flows": measure.flows,
                "bulk": measure.bulk, "commits": measure.ovn_commits}[what]
    return function(bench, forwarder, plan)


def run_contender(forwarder, wanted, plan, rows, failures, raw):
    """Measures one forwarder in a laboratory of its own; what goes wrong is a failure of that figure and stops no other."""
    start = time.monotonic()
    try:
        with Lab() as bench:
            bench.offloads("off")
            forwarder.start(bench)
            bench.await_answer(forwarder.target, forwarder.port)
            for what in wanted:
                print(f"{time.monotonic() - start:5.0f} s  {forwarder.label}: {what}", file=sys.stderr)
                try:
                    result = measure_one(forwarder, what, bench, plan)
                    bench.check_alive()
                except BenchError as failed:
                    failures[forwarder.label, what] = str(failed)
                    print(f"         failed: {failed}", file=sys.stderr)
                    continue
                raw[f"{forwarder.name} {what}"] = result
                rows += report.rows_of(forwarder, what, result)
    except BenchError as failed:
        failures[forwarder.label, "start"] = str(failed)
        print(f"         failed: {failed}", file=sys.stderr)


def measure_site(plan, rows, failures):
    try:
        rows += site_commits.commits(10 if plan.quick else 100)
    except BenchError as failed:
        failures[site_commits.LABEL, "commits"] = str(failed)


def machine():
    """Describes what the figures were taken on."""

    def first_line(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
        except (OSError, IndexError):
            return "unknown"

    cpu = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return {
        "cpu": cpu[0] if cpu else "unknown", "cores": os.cpu_count(), "kernel": platform.release(),
        "load_before": os.getloadavg()[0], "open_vswitch": first_line("ovs-vswitchd", "--version"), "ovn": first_line("ovn-controller", "--version"),
        "nginx": first_line("sh", "-c", "nginx -v 2>&1"), "haproxy": first_line("haproxy", "-v"), "nft": first_line("nft", "--version"),
    }


NOTES = f"""forwarder's processes on core {lab.FORWARDER_CORE}, client and members on core {lab.PEER_CORE}. The kernel's share of receiving (all of the forwarding of nft and of plain
routing) is steered to the same cores by RPS. For AF_XDP that is impossible: its kernel half runs on the sender's core, its polling thread takes the whole core {lab.FORWARDER_CORE}.
new connections: wrk, {measure.CONNECTIONS} at a time, one request each; latency: {measure.LATENCY_RATE} new connections/s on schedule, from due time to the whole answer;
packets: 60-byte TCP frames of {measure.FRAME_FLOWS} connections; bulk: iperf3, two connections to one member, checksum offload off unless the row says on."""


def arguments():
    names = [forwarder.name for forwarder in contenders([])]
    parser = argparse.ArgumentParser(prog="bench-dataplane", description="Measures forwarders in turn between the same client and members.")
    parser.add_argument("--only", action="append", metavar="NAME", choices=names, help=f"this forwarder only; again for more: {', '.join(names)}")
    parser.add_argument("--measure", action="append", choices=MEASURES, help="this measurement only; again for more")
    parser.add_argument("--quick", action="store_true", help="one run of one second each, 20,000 connections: shows that all works, figures mean little")
    parser.add_argument("--clean", action="store_true", help="remove what an interrupted run left behind")
    return parser.parse_args()


def main():
    chosen = arguments()
    if chosen.clean:
        lab.clean()
        return 0
    lab.refuse_leftovers()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    java = os.environ["BENCH_JAVA"].split()
    seconds = int(os.environ.get("BENCH_SECONDS", 1 if chosen.quick else 3))
    runs = int(os.environ.get("BENCH_RUNS", 1 if chosen.quick else 3))
    plan = Plan(seconds, runs, chosen.quick, java)
    described = machine()
    if described["load_before"] > 0.5:
        print(f"load {described['load_before']:.1f} on {described['cores']} cores: figures of a busy machine mean little", file=sys.stderr)
    with_site = site_commits.runs()
    if with_site and chosen.measure != ["commits"]:
        print("the site's containers run and slow everything down: make down", file=sys.stderr)
    rows, failures, raw = [], {}, {}
    try:
        for forwarder in contenders(java):
            wanted = [what for what in measures_of(forwarder) if not chosen.measure or what in chosen.measure]
            if wanted and (not chosen.only or forwarder.name in chosen.only):
                run_contender(forwarder, wanted, plan, rows, failures, raw)
        if with_site and "commits" in (chosen.measure or ["commits"]):
            measure_site(plan, rows, failures)
    except KeyboardInterrupt:
        print("interrupted; everything is removed", file=sys.stderr)
        return 130
    described["load_after"] = os.getloadavg()[0]
    verdicts = report.targets(rows)
    print("\n".join(f"{name}: {value}" for name, value in described.items()))
    print(f"seconds per run: {seconds}, runs: {runs}\n{NOTES}\n")
    report.show(rows, failures)
    if not with_site:
        print(site_commits.HOW)
    print()
    for text, verdict in verdicts:
        print(f"{verdict:<7} {text}")
    settings = {"seconds": seconds, "runs": runs, "quick": chosen.quick}
    report.write(ROOT / "target/bench-dataplane.json", described, settings, rows, failures, verdicts, raw)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as failed:
        print(f"bench-dataplane: {failed}", file=sys.stderr)
        sys.exit(1)
