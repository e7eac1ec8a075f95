package io.quorumlb.ovs.linux;

/** Network interfaces of this network namespace. */
public final class NetworkInterfaces {
    private NetworkInterfaces() {}

    /**
     * Returns the kernel's number of an interface.
     *
     * @param name interface name, for example {@code hcif-p2}
     * @throws LinuxException if there is none of that name
     */
    public static int index(String name) throws LinuxException {
        return Libc.ifNametoindex(name);
    }
}
