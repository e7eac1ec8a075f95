package io.quorumlb.ovs.install;

/** What forwards packets under the switch. */
public enum DatapathType {
    /** In user space, in the process of ovs-vswitchd. */
    NETDEV("netdev"),
    /** In the kernel, by the module openvswitch. */
    SYSTEM("system");

    private final String word;

    DatapathType(String word) {
        this.word = word;
    }

    /** Returns Open vSwitch's word for it. */
    public String word() {
        return word;
    }
}
