package io.quorumlb.verify.contract;

import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;

/** A real Open vSwitch with the bridge br0 and the dummy ports p1 and p2, wherever it runs. */
interface RealSwitch extends AutoCloseable {
    /** Returns the directory of its sockets, as seen from here. */
    Path directory();

    /** Sets columns or does anything else ovs-vsctl can. */
    void vsctl(String... arguments);

    /** Runs ovs-ofctl with OpenFlow 1.5 on the bridge and returns what it wrote. */
    String ofctl(String verb, String... arguments);

    /** Kills ovs-vswitchd and returns when it is gone. */
    void kill();

    /** Starts ovs-vswitchd again and returns when the bridge is there. */
    void restart();

    @Override
    void close();

    /** That of this machine. */
    record Here(PrivateSwitch ovs) implements RealSwitch {
        @Override
        public Path directory() {
            return ovs.directory();
        }

        @Override
        public void vsctl(String... arguments) {
            ovs.vsctl(arguments);
        }

        @Override
        public String ofctl(String verb, String... arguments) {
            return ovs.ofctl(verb, arguments);
        }

        @Override
        public void kill() {
            ovs.kill();
        }

        @Override
        public void restart() {
            ovs.restart();
        }

        @Override
        public void close() {
            ovs.close();
        }
    }
}
