package io.quorumlb.node.api;

import io.grpc.Status;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.AuditCodec;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.gossip.PeerRefusals;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.ListAuditRecordsRequest;
import io.quorumlb.proto.v1.ListAuditRecordsResponse;
import io.quorumlb.proto.v1.SilentNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Who has written what, from the replicated state; and what the nodes have refused, from each of them. */
final class AuditAnswers {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final int PAGE_DEFAULT = 100;
    private static final int PAGE_MAX = 1_000;

    private AuditAnswers() {}

    /**
     * Returns one page, newest first.
     *
     * @param own what this node has refused
     * @throws io.grpc.StatusRuntimeException with INVALID_ARGUMENT naming the field
     */
    static ListAuditRecordsResponse of(
            NodeState state, PeerLinks links, List<AuditRecord> own, ListAuditRecordsRequest request) {
        long size = Integer.toUnsignedLong(request.getPageSize());
        if (size > PAGE_MAX) {
            throw Refusals.outside("page_size", Long.toString(size), "0.." + PAGE_MAX);
        }
        Optional<Place> after = Place.of(request.getPageToken());
        var response = ListAuditRecordsResponse.newBuilder()
                .setAnsweredBy(state.settings().self().value());
        List<Placed> all = new ArrayList<>();
        switch (request.getOutcome()) {
            case AUDIT_OUTCOME_UNSPECIFIED -> {
                done(state, all);
                failed(state, links, own, all, response);
            }
            case AUDIT_OUTCOME_DONE -> done(state, all);
            case AUDIT_OUTCOME_FAILED -> failed(state, links, own, all, response);
            case UNRECOGNIZED ->
                throw Refusals.invalid("outcome", "outcome %d is not known".formatted(request.getOutcomeValue()));
        }
        List<Placed> page = all.stream()
                .filter(wanted(request))
                .filter(placed -> after.isEmpty() || placed.place().compareTo(after.get()) > 0)
                .sorted(Comparator.comparing(Placed::place))
                .limit((size == 0 ? PAGE_DEFAULT : size) + 1)
                .toList();
        int shown = (int) Math.min(page.size(), size == 0 ? PAGE_DEFAULT : size);
        page.subList(0, shown).forEach(placed -> response.addRecords(placed.record()));
        if (page.size() > shown) {
            response.setNextPageToken(page.get(shown - 1).place().token());
        }
        return response.build();
    }

    private static Predicate<Placed> wanted(ListAuditRecordsRequest request) {
        return placed ->
                (request.getCaller().isEmpty() || placed.record().getCaller().equals(request.getCaller()))
                        && Long.compareUnsigned(placed.record().getTimeMillis(), request.getSinceMillis()) >= 0;
    }

    private static void done(NodeState state, List<Placed> into) {
        state.cluster().requests().audit().records().forEach(written -> {
            AuditRecord record = AuditCodec.toWire(written).toBuilder()
                    .setStatus(Status.Code.OK.name())
                    .setCount(1)
                    .build();
            into.add(new Placed(new Place(record.getTimeMillis(), "", record.getSequence()), record));
        });
    }

    private static void failed(
            NodeState state,
            PeerLinks links,
            List<AuditRecord> own,
            List<Placed> into,
            ListAuditRecordsResponse.Builder response) {
        NodeId self = state.settings().self();
        SortedMap<NodeId, CompletableFuture<PeerRefusals>> asked = new TreeMap<>();
        for (NodeId node : state.settings().voters()) {
            asked.put(
                    node,
                    node.equals(self)
                            ? CompletableFuture.completedFuture(new PeerRefusals.Told(own))
                            : links.refusals(node, LIMIT));
        }
        // Each call ends by itself at the limit.
        asked.forEach((node, answer) -> {
            switch (answer.join()) {
                case PeerRefusals.Told(var records) ->
                    records.forEach(record -> into.add(
                            new Placed(new Place(record.getTimeMillis(), node.value(), record.getSequence()), record)));
                case PeerRefusals.Silent(String reason) ->
                    response.addSilent(
                            SilentNode.newBuilder().setNode(node.value()).setReason(reason));
            }
        });
    }

    /** A record and where it stands among all. */
    private record Placed(Place place, AuditRecord record) {}

    /**
     * Where a record stands: the newest first.
     *
     * @param source node whose memory it is in; empty for the replicated state
     */
    private record Place(long millis, String source, long sequence) implements Comparable<Place> {
        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::millis)
                .thenComparing(Place::source)
                .thenComparingLong(Place::sequence)
                .reversed();

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }

        String token() {
            return "%d.%d.%s".formatted(millis, sequence, source);
        }

        static Optional<Place> of(String token) {
            if (token.isEmpty()) {
                return Optional.empty();
            }
            String[] parts = token.split("\\.", -1);
            try {
                if (parts.length == 3) {
                    return Optional.of(new Place(Long.parseLong(parts[0]), parts[2], Long.parseLong(parts[1])));
                }
            } catch (NumberFormatException _) {
                // Said below.
            }
            throw Refusals.invalid("page_token", "page_token is none that a page ended with");
        }
    }
}
