package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.wire.EntryCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis' configuration. */
final class RatisProperties {
    private static final SizeInBytes MESSAGE_MAX = SizeInBytes.valueOf(8L << 20);
    private static final SizeInBytes SNAPSHOT_CHUNK = SizeInBytes.valueOf(1L << 20);
    /** Takes an entry of the largest size, with what Ratis puts around it; the write buffer must be larger. */
    private static final SizeInBytes APPEND_BATCH = SizeInBytes.valueOf(EntryCodec.ENTRY_BYTES_MAX + (512L << 10));

    private static final SizeInBytes WRITE_BUFFER = SizeInBytes.valueOf(4L << 20);
    private static final SizeInBytes FREE_SPACE_MIN = SizeInBytes.valueOf(64L << 20);
    private static final int PURGE_GAP = 10;
    private static final int SNAPSHOTS_KEPT = 2;
    private static final int PENDING_MAX = 1024;
    /** So many times longer does a peer wait for a leader before its first election than before others. */
    private static final int FIRST_ELECTION = 4;

    private static final Duration NEVER = Duration.ofDays(30);

    private RatisProperties() {}

    static RaftProperties of(RaftSettings settings, RaftTuning tuning, Duration readTimeout) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(settings.directory().toFile()));
        RaftServerConfigKeys.setStorageFreeSpaceMin(properties, FREE_SPACE_MIN);
        // A frozen process must take part again when it wakes; by default the server closes itself after 60 s.
        RaftServerConfigKeys.setCloseThreshold(properties, millis(NEVER));
        elections(properties, settings);
        reads(properties, readTimeout);
        log(properties, tuning);
        snapshots(properties, tuning);
        // All services share one port on the control address.
        GrpcConfigKeys.Server.setHost(properties, settings.host());
        GrpcConfigKeys.Server.setPort(properties, settings.port());
        GrpcConfigKeys.setMessageSizeMax(properties, MESSAGE_MAX);
        return properties;
    }

    private static void elections(RaftProperties properties, RaftSettings settings) {
        TimeDuration min = millis(settings.electionMin());
        TimeDuration max = millis(settings.electionMax());
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, min);
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, max);
        // A node that starts has a leader nearly always, and must only let it find the way; elections cost it more than
        // all else.
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, min.multiply(FIRST_ELECTION));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, max.multiply(FIRST_ELECTION));
        RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
        // After losing its majority a leader stays out of elections for this long (10 s by default): too long when the
        // peers that return lack its entries. A leader that was frozen for longer steps down when it wakes.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
                properties, millis(settings.electionMax().multipliedBy(2)));
    }

    private static void reads(RaftProperties properties, Duration timeout) {
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, true);
        RaftServerConfigKeys.Read.setTimeout(properties, millis(timeout));
    }

    private static void log(RaftProperties properties, RaftTuning tuning) {
        SizeInBytes segment = SizeInBytes.valueOf(tuning.segmentBytes());
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, segment);
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, segment);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, WRITE_BUFFER);
        RaftServerConfigKeys.Log.setCorruptionPolicy(properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, PURGE_GAP);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, APPEND_BATCH);
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(properties, SNAPSHOT_CHUNK);
        // Commits are few: send each at once instead of gathering for 10 ms.
        RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO);
        // By default a leader calls a peer that was away for half a minute every 5 s only: so long would it wait when
        // it is back.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,10, 200ms,1000000000");
        RaftServerConfigKeys.Write.setElementLimit(properties, PENDING_MAX);
    }

    private static void snapshots(RaftProperties properties, RaftTuning tuning) {
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, tuning.snapshotEntries());
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, tuning.snapshotEntries());
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
        // Stopping must be quick; the log recovers the rest.
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
    }

    private static TimeDuration millis(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
