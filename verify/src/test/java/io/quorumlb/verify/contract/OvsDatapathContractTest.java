package io.quorumlb.verify.contract;

import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** This machine's Open vSwitch keeps the contract of the switch. */
class OvsDatapathContractTest extends OvsContract {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static OvsSwitchBench ovs;

    @BeforeAll
    static void start() {
        ovs = new OvsSwitchBench(new RealSwitch.Here(new PrivateSwitch(directory)));
    }

    @AfterAll
    static void end() {
        if (ovs != null) {
            ovs.close();
        }
    }

    @Override
    OvsSwitchBench bench() {
        return ovs;
    }
}
