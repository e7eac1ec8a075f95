package io.quorumlb.verify.contract;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The newer Open vSwitch of the site's image keeps the contract of the switch. */
@Tag("cluster")
class NewerDatapathContractIT extends OvsContract {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static OvsSwitchBench ovs;

    @BeforeAll
    static void start() {
        ovs = new OvsSwitchBench(new ContainerSwitch(directory));
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
