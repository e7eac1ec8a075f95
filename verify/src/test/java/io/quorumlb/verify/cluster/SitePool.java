package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.ArrayList;
import java.util.List;

/** The site's pools: the same four members with weight 1, on a port and behind a VIP of its own each. */
enum SitePool {
    /** Under version 1 of the slot table. */
    WEB(1, "web", HashAlgoVersion.V1, "10.99.0.10", 8080, 1),
    /** Under version 2. */
    WEB2(2, "web2", HashAlgoVersion.V2, "10.99.0.11", 8081, 5),
    /** Under version 2, over IPv6. */
    WEB6(3, "web6", HashAlgoVersion.V2, "fd00:99::10", 8080, 9);

    static final int SLOTS = 1024;
    static final int VIP_PORT = 80;
    private static final List<String> ADDRESSES = List.of("10.20.0.2", "10.30.0.2", "10.20.0.3", "10.30.0.3");
    private static final List<String> ADDRESSES6 = List.of("fd00:20::2", "fd00:30::2", "fd00:20::3", "fd00:30::3");

    private final int id;
    private final String poolName;
    private final HashAlgoVersion version;
    private final String vip;
    private final int memberPort;
    private final int firstMember;

    SitePool(int id, String poolName, HashAlgoVersion version, String vip, int memberPort, int firstMember) {
        this.id = id;
        this.poolName = poolName;
        this.version = version;
        this.vip = vip;
        this.memberPort = memberPort;
        this.firstMember = firstMember;
    }

    int id() {
        return id;
    }

    String poolName() {
        return poolName;
    }

    HashAlgoVersion version() {
        return version;
    }

    String vip() {
        return vip;
    }

    IpFamily family() {
        return IpAddress.parse(vip).family();
    }

    /** Returns where clients connect, address:port. */
    String target() {
        return target(VIP_PORT);
    }

    /** Returns another port of the VIP, address:port. */
    String target(int port) {
        return family() == IpFamily.IPV6 ? "[%s]:%d".formatted(vip, port) : "%s:%d".formatted(vip, port);
    }

    /** Returns the address that the site's client has in the pool's version of IP. */
    String client() {
        return family() == IpFamily.IPV6 ? "fd00:40::10" : "10.40.0.10";
    }

    /** Returns the address of a member. */
    IpAddress address(String member) {
        List<String> addresses = family() == IpFamily.IPV6 ? ADDRESSES6 : ADDRESSES;
        return IpAddress.parse(addresses.get(Site.MEMBERS.indexOf(member)));
    }

    /** Returns the id that the cluster gave the member: ids go up over all pools in the order of creation. */
    int memberId(String member) {
        return firstMember + Site.MEMBERS.indexOf(member);
    }

    /** Returns the name of the member with the id, or a text that says there is none. */
    String memberName(int memberId) {
        int index = memberId - firstMember;
        return index >= 0 && index < Site.MEMBERS.size() ? Site.MEMBERS.get(index) : "no member " + memberId;
    }

    /** Builds the table in which all members take traffic but those that are gone. */
    SlotTable tableWithout(List<String> gone) {
        List<TableMember> members = new ArrayList<>();
        for (String member : Site.MEMBERS) {
            MemberKey key = new MemberKey(address(member), memberPort);
            members.add(new TableMember(memberId(member), key, 1, gone.contains(member) ? 0 : 1));
        }
        return SlotTable.build(version, id, SLOTS, members);
    }
}
