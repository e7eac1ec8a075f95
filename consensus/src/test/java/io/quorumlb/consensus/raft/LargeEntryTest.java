package io.quorumlb.consensus.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.wire.EntryCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeEntryTest {
    /** Nearly as large as an entry may be; its last part is refused, which needs the whole entry to be read. */
    @Test
    void anEntryOfTheLargestSizeIsCommittedOnAllNodes(@TempDir Path directory) throws Exception {
        List<Command.Edit> parts = new ArrayList<>();
        String name = "n".repeat(63);
        int size = 0;
        while (parts.size() < Command.Batch.PARTS_MAX && size < EntryCodec.ENTRY_BYTES_MAX - 4096) {
            Command.Edit part = new Command.DeleteMember(name + "-" + "x".repeat(63), name + parts.size());
            size += EntryCodec.toWire(part).getSerializedSize() + 4;
            parts.add(part);
        }
        Command batch = new Command.Batch(parts);
        int bytes = EntryCodec.toWire(batch).getSerializedSize();
        assertTrue(
                bytes <= EntryCodec.ENTRY_BYTES_MAX && bytes > EntryCodec.ENTRY_BYTES_MAX * 9 / 10, () -> "" + bytes);
        try (TestCluster cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            Outcome outcome = cluster.commit(batch);
            assertTrue(outcome instanceof Outcome.Refused, outcome::toString);
            assertTrue(cluster.commit(TestCluster.segment(1)) instanceof Outcome.Done);
            cluster.stop();
            assertEquals(3, cluster.open().nodes().size());
            assertTrue(cluster.commit(TestCluster.segment(2)) instanceof Outcome.Done(int _, long revision)
                    && revision == 2);
        }
    }
}
