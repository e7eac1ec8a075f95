"""What can stand between client and members with the kernel's own network: plain routing, nftables, nginx, haproxy."""

from lab import (
    BALANCER, BALANCER_ADDRESS, BULK, CLIENT_ADDRESS, CLIENT_MAC, DIRECTORY, FORWARDER_CORE, FRAME_SOURCES, MEMBER_WEB, SEGMENTS, UPLINK, VIP, WEB,
    nginx_files, run,
)


class Forwarder:
    """A contender. `name` is for the command line, `label` for the table."""

    kernel = False  # forwards by the kernel's network: offloads may be on
    frames = True  # forwards packets one by one, so that bare frames can be counted
    target, port = VIP, WEB
    bulk_target, bulk_port = VIP, BULK
    switch = None  # the Open vSwitch that forwards, if one does

    def start(self, lab):
        """Makes it forward; the lab ends its processes."""
        raise NotImplementedError

    def cpu_seconds(self):
        """Returns the processor time of its processes so far, None if it has none."""
        return None


def addresses(vip_local):
    """Gives the balancer's kernel its addresses and neighbours."""
    for port, own in [(UPLINK, BALANCER_ADDRESS), *((at.port, at.own_address) for at in SEGMENTS)]:
        run("ip", "address", "add", f"{own}/24", "dev", port, namespace=BALANCER)
    run("ip", "neigh", "add", CLIENT_ADDRESS, "lladdr", CLIENT_MAC, "nud", "permanent", "dev", UPLINK, namespace=BALANCER)
    run("ip", "route", "add", FRAME_SOURCES, "via", CLIENT_ADDRESS, namespace=BALANCER)
    for at in SEGMENTS:
        run("ip", "neigh", "add", at.address, "lladdr", at.mac, "nud", "permanent", "dev", at.port, namespace=BALANCER)
    if vip_local:
        run("ip", "address", "add", f"{VIP}/32", "dev", "lo", namespace=BALANCER)
    else:
        run("sysctl", "-qw", "net.ipv4.ip_forward=1", namespace=BALANCER)


class Routing(Forwarder):
    """No load balancer at all: the client asks one member; the most that client and members can do."""

    name, label, kernel = "route", "none (routed to one member)", True
    target, port = SEGMENTS[0].address, MEMBER_WEB
    bulk_target = SEGMENTS[0].address

    def start(self, lab):
        addresses(vip_local=False)


class Nft(Forwarder):
    name, label, kernel = "nft", "nft DNAT", True

    def start(self, lab):
        addresses(vip_local=False)
        members = ", ".join(f"{i} : {at.address}" for i, at in enumerate(SEGMENTS))
        rule = f"iifname {UPLINK} ip daddr {VIP} tcp dport"
        run("nft", "-f", "-", namespace=BALANCER, stdin=f"""
            table ip bench {{ chain pre {{ type nat hook prerouting priority dstnat;
              {rule} {WEB} dnat to jhash ip saddr . tcp sport mod {len(SEGMENTS)} map {{ {members} }} : {MEMBER_WEB};
              {rule} {BULK} dnat to {SEGMENTS[0].address} : {BULK}; }}
            }}""")


class Nginx(Forwarder):
    name, label, kernel, frames = "nginx", "nginx stream", True, False

    def start(self, lab):
        addresses(vip_local=True)
        servers = " ".join(f"server {at.address}:{MEMBER_WEB};" for at in SEGMENTS)
        command = nginx_files("nginx", f"""stream {{ upstream web {{ {servers} }} upstream bulk {{ server {SEGMENTS[0].address}:{BULK}; }}
            server {{ listen {VIP}:{WEB} backlog=8192; proxy_pass web; }} server {{ listen {VIP}:{BULK}; proxy_pass bulk; }} }}""",
            modules="load_module /usr/lib/nginx/modules/ngx_stream_module.so;")
        lab.start(BALANCER, FORWARDER_CORE, "nginx", *command)


class Haproxy(Forwarder):
    name, label, kernel, frames = "haproxy", "haproxy TCP", True, False

    def start(self, lab):
        addresses(vip_local=True)
        servers = "\n".join(f"  server {at.port} {at.address}:{MEMBER_WEB}" for at in SEGMENTS)
        (DIRECTORY / "haproxy.cfg").write_text(f"""global
  nbthread 1
  maxconn 8192
defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen web
  bind {VIP}:{WEB} backlog 8192
  balance roundrobin
{servers}
listen bulk
  bind {VIP}:{BULK}
  server m1 {SEGMENTS[0].address}:{BULK}
""")
        lab.start(BALANCER, FORWARDER_CORE, "haproxy", "haproxy", "-db", "-f", DIRECTORY / "haproxy.cfg")
