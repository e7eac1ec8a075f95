package io.quorumlb.consensus.raft;

import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.proto.v1.ClusterSnapshot;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/** Snapshots of the replicated state, one file each with its MD5 beside it. */
final class SnapshotStore {
    /**
     * The entry that every log begins with, the same on all nodes and part of the first snapshot.
     *
     * <p>Ratis 3.3 takes entry 0 of a follower for committed at the first heartbeat that names no entry before it, also if a
     * candidate that then lost had written it: that node could never be brought up to date.
     */
    private static final TermIndex BEGINNING = TermIndex.valueOf(0, 0);

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();

    /**
     * A snapshot.
     *
     * @param at last entry that the state contains
     * @param state after it
     */
    record Snapshot(TermIndex at, ClusterState state) {}

    SimpleStateMachineStorage storage() {
        return storage;
    }

    /** Opens the directory of a server, which has a snapshot from now on: a log that is new gets its beginning. */
    void init(RaftStorage raftStorage) throws IOException {
        storage.init(raftStorage);
        Path log = raftStorage.getStorageDir().getCurrentDir().toPath();
        if (storage.getLatestSnapshot() == null && isEmpty(log)) {
            save(new Snapshot(BEGINNING, ClusterState.empty()));
        }
    }

    private static boolean isEmpty(Path log) throws IOException {
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(log, "log_*")) {
            return !segments.iterator().hasNext();
        }
    }

    /**
     * Returns the newest snapshot, empty if there is none.
     *
     * @throws IOException if it is damaged; the log before it is gone, so an older one would not do
     */
    Optional<Snapshot> load() throws IOException {
        SingleFileSnapshotInfo info = storage.loadLatestSnapshot();
        if (info == null) {
            return Optional.empty();
        }
        Path file = info.getFile().getPath();
        byte[] bytes = Files.readAllBytes(file);
        MD5Hash expected = info.getFile().getFileDigest();
        if (expected == null || !expected.equals(digest(bytes))) {
            throw new IOException("snapshot %s is damaged: its checksum is not the stored one".formatted(file));
        }
        try {
            ClusterState state = SnapshotCodec.fromWire(ClusterSnapshot.parseFrom(bytes));
            return Optional.of(new Snapshot(info.getTermIndex(), state));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new IOException("snapshot %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Writes a snapshot; a crash in between leaves the previous one in force. */
    void save(Snapshot snapshot) throws IOException {
        byte[] bytes = SnapshotCodec.toWire(snapshot.state()).toByteArray();
        File file =
                storage.getSnapshotFile(snapshot.at().getTerm(), snapshot.at().getIndex());
        Path temporary = file.toPath().resolveSibling(file.getName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        // The checksum first: a snapshot that has its name has its checksum too.
        MD5Hash digest = digest(bytes);
        MD5FileUtil.saveMD5File(file, digest);
        Files.move(temporary, file.toPath(), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(temporary.resolveSibling("."), StandardOpenOption.READ)) {
            directory.force(true);
        }
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file.toPath(), digest), snapshot.at()));
    }

    private static MD5Hash digest(byte[] bytes) {
        return MD5Hash.newInstance(MD5FileUtil.newMD5().digest(bytes));
    }
}
