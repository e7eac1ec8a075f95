"""OVN's load balancer on an Open vSwitch of its own: one client switch, one router, a switch per member; the balancer sits on the client's switch."""

import time

from forwarders import Forwarder
from lab import (
    BALANCER, BALANCER_ADDRESS, BALANCER_MAC, BULK, CLIENT_ADDRESS, CLIENT_MAC, DIRECTORY, FRAME_SOURCES, MEMBER_WEB, PEER_CORE, SEGMENTS, UPLINK, VIP, WEB,
    run, wait_until,
)
from switch import Switch, process_seconds


class Ovn(Forwarder):
    def __init__(self, port_type):
        self.port_type = port_type
        self.name = "ovn" + ("-xdp" if port_type == "AF_XDP" else "")
        self.label = f"OVN LB {port_type}"

    def start(self, lab):
        self.switch = Switch(lab)
        self.env = self.switch.env | {f"OVN_{kind}": str(DIRECTORY) for kind in ("RUNDIR", "DBDIR", "LOGDIR", "SYSCONFDIR")}
        for database in ("nb", "sb"):
            run("ovsdb-tool", "create", DIRECTORY / f"{database}.db", f"/usr/share/ovn/ovn-{database}.ovsschema")
            lab.start(BALANCER, PEER_CORE, f"ovsdb-{database}", "ovsdb-server", f"--remote=punix:{DIRECTORY}/{database}.sock",
                      f"--unixctl={DIRECTORY}/{database}.ctl", "-vconsole:off", DIRECTORY / f"{database}.db", env=self.env)
            wait_until(f"OVN's {database} database", (DIRECTORY / f"{database}.sock").exists)
        north, south = (f"unix:{DIRECTORY}/{database}.sock" for database in ("nb", "sb"))
        lab.start(BALANCER, PEER_CORE, "ovn-northd", "ovn-northd", f"--ovnnb-db={north}", f"--ovnsb-db={south}", "-vconsole:off", env=self.env)
        self.switch.vsctl("add-br", "br-int", "--", "set", "bridge", "br-int", "datapath_type=netdev", "fail_mode=secure",
                          "--", "set", "Open_vSwitch", ".", f"external_ids:ovn-remote={south}", "external_ids:ovn-encap-type=geneve",
                          "external_ids:ovn-encap-ip=127.0.0.1", "external_ids:system-id=bench", "external_ids:ovn-bridge-datapath-type=netdev")
        self.switch.add_ports("br-int", self.port_type, iface_ids=True)
        lab.start(BALANCER, PEER_CORE, "ovn-controller", "ovn-controller", self.switch.database, "-vconsole:off", env=self.env)
        self._network()
        self.nbctl("--wait=hv", "--timeout=60", "sync")

    def nbctl(self, *arguments):
        return run("ovn-nbctl", f"--db=unix:{DIRECTORY}/nb.sock", *arguments, namespace=BALANCER, env=self.env, timeout=90)

    def _network(self):
        words = ["lr-add", "r"]

        def attach(switch, own_mac, own_address, port, addresses):
            words.extend(f"""-- ls-add {switch} -- lsp-add {switch} {port} -- lrp-add r r-{switch} {own_mac} {own_address}/24
                -- lsp-add {switch} {switch}-r -- lsp-set-type {switch}-r router -- lsp-set-addresses {switch}-r router
                -- lsp-set-options {switch}-r router-port=r-{switch} -- lsp-set-addresses {port}""".split())
            words.append(addresses)

        attach("clients", BALANCER_MAC, BALANCER_ADDRESS, UPLINK, f"{CLIENT_MAC} {CLIENT_ADDRESS}")
        for at in SEGMENTS:
            attach(f"s-{at.port}", at.own_mac, at.own_address, at.port, f"{at.mac} {at.address}")
        words.extend(["--", "lr-route-add", "r", FRAME_SOURCES, CLIENT_ADDRESS])
        self.nbctl(*words)
        self.set_members(SEGMENTS, wait=False)
        self.nbctl("lb-add", "bulk", f"{VIP}:{BULK}", f"{SEGMENTS[0].address}:{BULK}", "tcp",
                   "--", "ls-lb-add", "clients", "web", "--", "ls-lb-add", "clients", "bulk")

    def set_members(self, members, wait=True):
        """Gives the balancer these members and returns, if asked to, when the chassis says that it has them."""
        self.nbctl(*(["--wait=hv"] if wait else []), "--may-exist", "lb-add", "web", f"{VIP}:{WEB}",
                   ",".join(f"{at.address}:{MEMBER_WEB}" for at in members), "tcp")

    def commits(self, count):
        """Returns the milliseconds of changes from three members to four and back, each until the chassis has it."""
        times = []
        for i in range(count):
            start = time.monotonic()
            self.set_members(SEGMENTS[: 3 + i % 2])
            times.append((time.monotonic() - start) * 1000)
        self.set_members(SEGMENTS)
        return times

    def cpu_seconds(self):
        return None if self.port_type == "AF_XDP" else process_seconds(self.switch.daemon.pid)
