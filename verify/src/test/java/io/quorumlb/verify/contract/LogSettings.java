package io.quorumlb.verify.contract;

import io.quorumlb.consensus.machine.StateMachine;
import java.time.Duration;
import java.util.function.IntUnaryOperator;

/**
 * How the model of the log behaves.
 *
 * @param electionMin shortest silence of a leader after which a follower asks for votes
 * @param electionMax longest such silence; also the silence of a majority after which a leader gives up
 * @param heartbeat time between two messages of an idle leader
 * @param proposeTimeout after it a proposal without an answer is unknown
 * @param readTimeout after it a barrier without an answer is false
 * @param handOverTimeout after it leadership that nobody took over stays
 * @param applyMax longest time between commit and apply; each node draws its own each time
 * @param snapshotEntries applied entries after which a node writes a snapshot, at least 1
 * @param keptEntries entries before the snapshot that stay in the log
 * @param applier how commands are applied, the same on all nodes
 * @param quorum number of voters to number that must agree; anything but a majority plants a fault
 */
public record LogSettings(
        Duration electionMin,
        Duration electionMax,
        Duration heartbeat,
        Duration proposeTimeout,
        Duration readTimeout,
        Duration handOverTimeout,
        Duration applyMax,
        long snapshotEntries,
        long keptEntries,
        Applier applier,
        IntUnaryOperator quorum) {
    /** Returns what the site uses: elections after 300 to 600 ms. */
    public static LogSettings product() {
        return new LogSettings(
                Duration.ofMillis(300),
                Duration.ofMillis(600),
                Duration.ofMillis(150),
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                Duration.ofMillis(3),
                3_000,
                1_000,
                StateMachine::apply,
                voters -> voters / 2 + 1);
    }

    /** Returns these settings with snapshots after so many entries, and as many kept before. */
    public LogSettings withSnapshots(long entries, long kept) {
        return new LogSettings(
                electionMin,
                electionMax,
                heartbeat,
                proposeTimeout,
                readTimeout,
                handOverTimeout,
                applyMax,
                entries,
                kept,
                applier,
                quorum);
    }

    /** Returns these settings with another way to apply. */
    public LogSettings with(Applier other) {
        return new LogSettings(
                electionMin,
                electionMax,
                heartbeat,
                proposeTimeout,
                readTimeout,
                handOverTimeout,
                applyMax,
                snapshotEntries,
                keptEntries,
                other,
                quorum);
    }

    /** Returns these settings with another rule of how many must agree. */
    public LogSettings withQuorum(IntUnaryOperator other) {
        return new LogSettings(
                electionMin,
                electionMax,
                heartbeat,
                proposeTimeout,
                readTimeout,
                handOverTimeout,
                applyMax,
                snapshotEntries,
                keptEntries,
                applier,
                other);
    }
}
