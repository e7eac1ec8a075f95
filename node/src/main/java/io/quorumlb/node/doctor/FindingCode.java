package io.quorumlb.node.doctor;

/** Every kind of finding; docs/runbook.md has the same codes and remedies. The order is that in which they are shown. */
enum FindingCode {
    SWITCH_UNREACHABLE(
            "switch-unreachable",
            Severity.ERROR,
            "Look whether ovs-vswitchd runs and at its log; the supervisor restarts it."),
    BRIDGE_MISSING(
            "bridge-missing",
            Severity.ERROR,
            "Make the bridge with ovs-vsctl add-br, or name the right one in the node's configuration (ovs.bridge)."),
    OPENFLOW_VERSION(
            "openflow-version",
            Severity.ERROR,
            "Run ovs-vsctl set bridge BRIDGE protocols=OpenFlow15: the controller speaks no other version."),
    PORT_MISSING(
            "port-missing",
            Severity.ERROR,
            "Add the port with ovs-vsctl add-port, or the interface and its address; restarting the node's container"
                    + " does both."),
    PORT_FAILED(
            "port-failed",
            Severity.ERROR,
            "Look at 'ovs-vsctl get interface PORT error' and at the cable or the device behind the port."),
    FAIL_MODE(
            "fail-mode",
            Severity.ERROR,
            "Take the node out of traffic, then run ovs-vsctl set-fail-mode BRIDGE secure: that empties the bridge"
                    + " once."),
    SECOND_CONTROLLER(
            "second-controller",
            Severity.ERROR,
            "Take the node out of traffic, then run ovs-vsctl del-controller BRIDGE: that empties the bridge once."),
    FLOWS_CONTESTED(
            "flows-contested",
            Severity.ERROR,
            "Find the other controller or script that writes into the switch and stop it."),
    SLOT_FUNCTION(
            "slot-function",
            Severity.ERROR,
            "Bring the node's Open vSwitch to the version of the others, or choose another function with lbctl cluster"
                    + " slot-function."),
    OFFLOAD_ON(
            "offload-on",
            Severity.ERROR,
            "Run ethtool -K INTERFACE tx off: what leaves by it has wrong checksums, and neither probes nor BGP get"
                    + " through."),
    GUARD_MISSING(
            "guard-missing",
            Severity.ERROR,
            "Load the nft ingress guard again (restarting the node's container does): the kernel answers clients"
                    + " beside the switch."),
    IP_FORWARD_ON(
            "ip-forward-on",
            Severity.ERROR,
            "Run sysctl -w NAME=0: the kernel may forward what only the switch should."),
    BIRD_DOWN(
            "bird-down",
            Severity.ERROR,
            "Look whether BIRD runs and at its log: without it the node gets no traffic; the supervisor restarts it."),
    ANNOUNCER(
            "announcer-trouble",
            Severity.ERROR,
            "Do what the sentence says; until then the node's VIPs are not announced as they should be."),
    DISK_NEARLY_FULL(
            "disk-nearly-full",
            Severity.ERROR,
            "Make room in the file system of the data directory: without room the node stops."),
    CERTIFICATE_ENDED(
            "certificate-ended",
            Severity.ERROR,
            "Put another certificate and key in the place of the old ones: no restart is needed. Until then clients refuse the"
                    + " node."),
    DEAF_LEADER(
            "deaf-leader",
            Severity.ERROR,
            "Mend the control network around the leader: it cannot decide who is up. It gives its office away by"
                    + " itself."),
    BLIND_NODE(
            "blind-node",
            Severity.ERROR,
            "Look at the node's cables and addresses towards the members: the members are up for the others."),
    DATABASE_UNREACHABLE(
            "database-unreachable",
            Severity.WARNING,
            "Look whether ovsdb-server runs and at its log; forwarding goes on."),
    DATAPLANE_DIFFERS(
            "dataplane-differs",
            Severity.WARNING,
            "Make bridge and ports as the node's configuration says (dataplane), or change the configuration."),
    SWITCH_SETTING(
            "switch-setting",
            Severity.WARNING,
            "Set it as the supervisor does: ovs-vsctl set Open_vSwitch . other_config:NAME=1."),
    IN_BAND(
            "in-band",
            Severity.WARNING,
            "Run ovs-vsctl set bridge BRIDGE other_config:disable-in-band=true: with a controller in its database the switch"
                    + " would add flows above ours that no dump shows."),
    FLOWS_ALTERED(
            "flows-altered",
            Severity.WARNING,
            "Find out who writes into the switch: the flows are right again. This is shown for an hour after the last"
                    + " time."),
    FOREIGN_FLOWS(
            "foreign-flows",
            Severity.WARNING,
            "Find out whose flows they are and delete them with ovs-ofctl del-flows: they are never touched from"
                    + " here."),
    CERTIFICATE_ENDS(
            "certificate-ends",
            Severity.WARNING,
            "Put another certificate and key in the place of the old ones before that: no restart is needed."),
    CLOCK_STEP(
            "clock-step",
            Severity.WARNING,
            "Have the clock slewed and not stepped (chronyd without makestep): times in logs are wrong around it."
                    + " This is shown for an hour."),
    CLOCK_DIFFERS(
            "clock-differs",
            Severity.WARNING,
            "Have both nodes follow the same time servers: times in logs and of repeated writes do not fit together."),
    MIXED_VERSIONS(
            "mixed-versions",
            Severity.WARNING,
            "Bring all nodes to one version; between two of them this is what an upgrade looks like."),
    MIXED_SWITCHES("mixed-switches", Severity.WARNING, "Bring Open vSwitch to one version on all nodes."),
    MIXED_SLOTS(
            "mixed-slots",
            Severity.ERROR,
            "Bring Open vSwitch to one version on all nodes: with different hashes a connection changes its member"
                    + " with its node."),
    NOT_EXAMINED(
            "not-examined",
            Severity.WARNING,
            "Give the controller the rights that the sentence names (it needs NET_ADMIN), then ask again.");

    private final String code;
    private final Severity severity;
    private final String remedy;

    FindingCode(String code, Severity severity, String remedy) {
        this.code = code;
        this.severity = severity;
        this.remedy = remedy;
    }

    /** How bad it is, worst first. */
    enum Severity {
        ERROR,
        WARNING
    }

    /** Returns the word for it, lower case with dashes. */
    String code() {
        return code;
    }

    Severity severity() {
        return severity;
    }

    /** Returns what to do about it, a sentence. */
    String remedy() {
        return remedy;
    }
}
