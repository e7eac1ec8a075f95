package io.quorumlb.node.gossip;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.Stamp;
import io.quorumlb.node.wire.GossipCodec;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.ExamineRequest;
import io.quorumlb.proto.v1.ExamineResponse;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetNodeCountersRequest;
import io.quorumlb.proto.v1.GetNodeCountersResponse;
import io.quorumlb.proto.v1.GetNodeProbesRequest;
import io.quorumlb.proto.v1.GetNodeProbesResponse;
import io.quorumlb.proto.v1.GossipRequest;
import io.quorumlb.proto.v1.GossipResponse;
import io.quorumlb.proto.v1.ListRefusalsRequest;
import io.quorumlb.proto.v1.ListRefusalsResponse;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.PeerServiceGrpc;
import io.quorumlb.proto.v1.ProposeRequest;
import io.quorumlb.proto.v1.ProposeResponse;
import io.quorumlb.proto.v1.TraceRequest;
import io.quorumlb.proto.v1.TraceResponse;
import io.quorumlb.proto.v1.TracedPacket;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What this node answers its peers. Every message names its caller: one of another cluster, not in the node list, or
 * of this node's own name is refused with PERMISSION_DENIED; one that cannot be read with INVALID_ARGUMENT. Both are
 * counted and end the stream.
 */
public final class PeerEndpoint extends PeerServiceGrpc.PeerServiceImplBase {
    /** Largest message that is read, in bytes. */
    public static final int MESSAGE_BYTES_MAX = 4 << 20;

    private final Doorkeeper doorkeeper;
    private final BiConsumer<NodeId, GossipMessage> messages;
    private final GenerationLog log;
    private final Function<GetCountersRequest, NodeCounters> counters;
    private final PeerTally tally;
    private final Function<TracedPacket, NodeTrace> tracer;
    private final IntFunction<NodeProbes> probes;
    private final Supplier<List<AuditRecord>> refusals;
    private final Supplier<Examination> examiner;

    /**
     * Makes the endpoint.
     *
     * @param settings who belongs to the cluster
     * @param messages takes each message and its sender; called from many threads, must not block
     * @param log where proposals of peers go; they are never forwarded further
     * @param counters answers what this node's switch has counted
     * @param tracer says what this node would do with a packet; throws IllegalArgumentException for one that is wrong
     * @param probes answers what this node's own probes have found of the member with the id
     * @param refusals says what calls of clients this node has refused
     * @param examiner says what this node finds wrong around itself; may take a second
     * @param tally counts what comes
     */
    public PeerEndpoint(
            NodeSettings settings,
            BiConsumer<NodeId, GossipMessage> messages,
            GenerationLog log,
            Function<GetCountersRequest, NodeCounters> counters,
            Function<TracedPacket, NodeTrace> tracer,
            IntFunction<NodeProbes> probes,
            Supplier<List<AuditRecord>> refusals,
            Supplier<Examination> examiner,
            PeerTally tally) {
        this.doorkeeper = new Doorkeeper(settings, tally);
        this.messages = messages;
        this.log = log;
        this.counters = counters;
        this.tally = tally;
        this.tracer = tracer;
        this.probes = probes;
        this.refusals = refusals;
        this.examiner = examiner;
    }

    @Override
    public StreamObserver<GossipRequest> gossip(StreamObserver<GossipResponse> response) {
        return new Inbound(response);
    }

    @Override
    public void propose(ProposeRequest request, StreamObserver<ProposeResponse> response) {
        try {
            doorkeeper.admit(request.getCaller());
            Command command = stamped(command(request));
            // With a handler, an answer to a caller that has given up is dropped instead of thrown back.
            ((ServerCallStreamObserver<ProposeResponse>) response).setOnCancelHandler(() -> {});
            var _ = log.propose(command).thenAccept(outcome -> {
                response.onNext(ProposeCodec.toWire(outcome));
                response.onCompleted();
            });
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    /** Only a leader's proposal is committed: the time of a write is the leader's. */
    private static Command stamped(Command command) {
        return command instanceof Command.Requested write ? write.stamped(System.currentTimeMillis()) : command;
    }

    @Override
    public void getNodeCounters(GetNodeCountersRequest request, StreamObserver<GetNodeCountersResponse> response) {
        try {
            doorkeeper.admit(request.getCaller());
            ((ServerCallStreamObserver<GetNodeCountersResponse>) response).setOnCancelHandler(() -> {});
            response.onNext(GetNodeCountersResponse.newBuilder()
                    .setCounters(counters.apply(request.getWanted()))
                    .build());
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    @Override
    public void trace(TraceRequest request, StreamObserver<TraceResponse> response) {
        try {
            doorkeeper.admit(request.getCaller());
            // With a handler, an answer to a caller that has given up is dropped instead of thrown back.
            ((ServerCallStreamObserver<TraceResponse>) response).setOnCancelHandler(() -> {});
            response.onNext(TraceResponse.newBuilder()
                    .setTrace(tracer.apply(request.getPacket()))
                    .build());
            response.onCompleted();
        } catch (IllegalArgumentException e) {
            response.onError(doorkeeper.malformed(request.getCaller(), e));
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    @Override
    public void getNodeProbes(GetNodeProbesRequest request, StreamObserver<GetNodeProbesResponse> response) {
        try {
            doorkeeper.admit(request.getCaller());
            ((ServerCallStreamObserver<GetNodeProbesResponse>) response).setOnCancelHandler(() -> {});
            response.onNext(GetNodeProbesResponse.newBuilder()
                    .setProbes(probes.apply(request.getMemberId()))
                    .build());
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    @Override
    public void listRefusals(ListRefusalsRequest request, StreamObserver<ListRefusalsResponse> response) {
        try {
            doorkeeper.admit(request.getCaller());
            ((ServerCallStreamObserver<ListRefusalsResponse>) response).setOnCancelHandler(() -> {});
            response.onNext(ListRefusalsResponse.newBuilder()
                    .addAllRecords(refusals.get())
                    .build());
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    @Override
    public void examine(ExamineRequest request, StreamObserver<ExamineResponse> response) {
        try {
            doorkeeper.admit(request.getCaller());
            // With a handler, an answer to a caller that has given up is dropped instead of thrown back.
            ((ServerCallStreamObserver<ExamineResponse>) response).setOnCancelHandler(() -> {});
            response.onNext(
                    ExamineResponse.newBuilder().setExamination(examiner.get()).build());
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        }
    }

    private Command command(ProposeRequest request) {
        try {
            return EntryCodec.fromWire(request.getEntry());
        } catch (IllegalArgumentException e) {
            throw doorkeeper.malformed(request.getCaller(), e);
        }
    }

    private GossipMessage read(GossipRequest message) {
        doorkeeper.admit(message.getCaller());
        GossipMessage read;
        try {
            read = GossipCodec.fromWire(message);
        } catch (IllegalArgumentException e) {
            throw doorkeeper.malformed(message.getCaller(), e);
        }
        Stream.of(
                        read.beats().stream().map(Beat::owner),
                        read.deltas().stream().map(Delta::owner),
                        read.held().stream().map(Stamp::owner),
                        read.wanted().stream().map(Stamp::owner))
                .flatMap(owners -> owners)
                .forEach(owner -> doorkeeper.admitOwner(message.getCaller(), owner));
        return read;
    }

    /** One peer's stream of messages. */
    private final class Inbound implements StreamObserver<GossipRequest> {
        private final StreamObserver<GossipResponse> response;
        private boolean refused;

        Inbound(StreamObserver<GossipResponse> response) {
            this.response = response;
        }

        @Override
        public void onNext(GossipRequest message) {
            if (refused) {
                // Was on its way when the stream was ended.
                return;
            }
            try {
                GossipMessage read = read(message);
                if (!read.isEmpty()) {
                    tally.received();
                    messages.accept(new NodeId(message.getCaller().getNode()), read);
                }
            } catch (StatusRuntimeException e) {
                refused = true;
                response.onError(e);
            }
        }

        @Override
        public void onError(Throwable cause) {
            // The peer went away; it opens a new stream when it is back, and its side logs the change.
        }

        @Override
        public void onCompleted() {
            if (!refused) {
                response.onNext(GossipResponse.getDefaultInstance());
                response.onCompleted();
            }
        }
    }
}
