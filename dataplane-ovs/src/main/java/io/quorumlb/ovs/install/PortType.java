package io.quorumlb.ovs.install;

/** How a datapath in user space takes frames from a network interface. */
public enum PortType {
    /** By a packet socket: works everywhere, shares the interface with the kernel. */
    AF_PACKET("system"),
    /** By AF_XDP: many times as many packets, for a processor core that is always busy. */
    AF_XDP("afxdp");

    private final String word;

    PortType(String word) {
        this.word = word;
    }

    /** Returns Open vSwitch's word for the interface's type. */
    public String word() {
        return word;
    }
}
