"""An Open vSwitch of its own in the balancer's namespace, and ours: the product's flows in it."""

import os
import re
from pathlib import Path

from forwarders import Forwarder
from lab import (
    BALANCER, BALANCER_ADDRESS, BALANCER_MAC, BULK, CLIENT_MAC, DIRECTORY, FORWARDER_CORE, MEMBER_WEB, PEER_CORE, SEGMENTS, UPLINK, VIP, WEB,
    BenchError, run, wait_until,
)

PORTS = [UPLINK, *(at.port for at in SEGMENTS)]
SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
PORT_TYPES = {
    "AF_PACKET": [],
    "AF_XDP": ["type=afxdp", "options:n_rxq=1", "options:xdp-mode=native"],
}


class Switch:
    """ovsdb-server and ovs-vswitchd in a run directory of their own."""

    def __init__(self, lab):
        self.lab = lab
        self.env = os.environ | {f"OVS_{kind}": str(DIRECTORY) for kind in ("RUNDIR", "DBDIR", "LOGDIR", "SYSCONFDIR")}
        run("ovsdb-tool", "create", DIRECTORY / "conf.db", SCHEMA)
        self.database = f"unix:{DIRECTORY}/db.sock"
        lab.start(BALANCER, PEER_CORE, "ovsdb-server", "ovsdb-server", f"--remote=p{self.database}", "--pidfile", "-vconsole:off",
                  DIRECTORY / "conf.db", env=self.env)
        wait_until("ovsdb-server", (DIRECTORY / "db.sock").exists)
        self.vsctl("--no-wait", "init", "--", "set", "Open_vSwitch", ".", "other_config:n-handler-threads=1",
                   "other_config:n-revalidator-threads=1", f"other_config:pmd-cpu-mask={1 << FORWARDER_CORE:x}")
        self._guard()
        self.daemon = lab.start(BALANCER, FORWARDER_CORE, "ovs-vswitchd", "ovs-vswitchd", "--pidfile", "--log-file", "-vconsole:off",
                                "-vsyslog:off", self.database, env=self.env)

    def _guard(self):
        """The kernel must not see what the switch's ports receive: it would answer."""
        devices = ", ".join(PORTS)
        run("nft", "-f", "-", namespace=BALANCER, stdin=f"""
            table netdev guard {{ chain in {{ type filter hook ingress devices = {{ {devices} }} priority -500; policy drop; }}
            }}""")

    def vsctl(self, *arguments):
        return run("ovs-vsctl", "--timeout=30", f"--db={self.database}", *arguments, namespace=BALANCER, env=self.env)

    def appctl(self, *arguments):
        return run("ovs-appctl", "-t", f"{DIRECTORY}/ovs-vswitchd.{self.daemon.pid}.ctl", *arguments, env=self.env)

    def ofctl(self, bridge, verb, *arguments):
        return run("ovs-ofctl", "-O", "OpenFlow15", verb, f"unix:{DIRECTORY}/{bridge}.mgmt", *arguments, env=self.env)

    def add_ports(self, bridge, port_type, iface_ids=False):
        """Adds the links to the bridge and returns when each of them works."""
        for port in PORTS:
            settings = [*PORT_TYPES[port_type], *([f"external_ids:iface-id={port}"] if iface_ids else [])]
            self.vsctl("add-port", bridge, port, *(["--", "set", "interface", port, *settings] if settings else []))
        for port in PORTS:
            error = self.vsctl("get", "interface", port, "error").strip()
            if error != "[]" or self.vsctl("get", "interface", port, "ofport").strip() == "-1":
                raise BenchError(f"Open vSwitch refuses port {port} as {port_type}: {error}; see {DIRECTORY}/ovs-vswitchd.log")

    def counters(self):
        """Returns cached decisions now, and how many packets met none (upcalls) and were lost on the way so far."""
        shown = self.appctl("dpctl/show")
        lookups = re.search(r"hit:(\d+) missed:(\d+) lost:(\d+)", shown)
        flows = re.search(r"flows: (\d+)", shown)
        return {"megaflows": int(flows[1]), "upcalls": int(lookups[2]), "lost": int(lookups[3])}


class Ours(Forwarder):
    """The product's flows, installed by the product."""

    def __init__(self, form, port_type, java):
        self.form, self.port_type, self.java = form, port_type, java
        self.name = f"ours-{form}" + ("-xdp" if port_type == "AF_XDP" else "")
        self.label = f"quorumlb {form.replace('-', '_')} {port_type}"

    def start(self, lab):
        self.switch = Switch(lab)
        self.switch.vsctl("add-br", "br-lb", "--", "set", "bridge", "br-lb", "datapath_type=netdev", "fail_mode=secure",
                          "protocols=OpenFlow15", "other_config:disable-in-band=true")
        self.switch.add_ports("br-lb", self.port_type)
        bulk = SEGMENTS[0]
        plan = [f"uplink {UPLINK} {BALANCER_MAC} {BALANCER_ADDRESS} {CLIENT_MAC}"]
        plan += [f"segment {at.port} {at.own_mac} {at.own_address} {at.mac}" for at in SEGMENTS]
        plan += [f"pool {VIP}:{WEB} " + " ".join(f"{at.port} {at.address}:{MEMBER_WEB}" for at in SEGMENTS)]
        plan += [f"pool {VIP}:{BULK} {bulk.port} {bulk.address}:{BULK}"]
        command = [*self.java, "io.quorumlb.verify.bench.InstallPipeline", str(DIRECTORY), "br-lb", self.form]
        run(*command, stdin="\n".join(plan) + "\n", env=self.switch.env)

    def cpu_seconds(self):
        # A port of type AF_XDP is polled: its thread always takes a whole core.
        return None if self.port_type == "AF_XDP" else process_seconds(self.switch.daemon.pid)


def process_seconds(pid):
    """Returns the processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
