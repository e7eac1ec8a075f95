package io.quorumlb.node.api;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Compaction;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.node.core.ClusterViews;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.CompactPoolRequest;
import io.quorumlb.proto.v1.CompactPoolResponse;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.CreateListenerResponse;
import io.quorumlb.proto.v1.CreateLoadBalancerRequest;
import io.quorumlb.proto.v1.CreateLoadBalancerResponse;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreateMemberResponse;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreatePoolResponse;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.CreateSegmentResponse;
import io.quorumlb.proto.v1.DeleteListenerRequest;
import io.quorumlb.proto.v1.DeleteListenerResponse;
import io.quorumlb.proto.v1.DeleteLoadBalancerRequest;
import io.quorumlb.proto.v1.DeleteLoadBalancerResponse;
import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DeleteMemberResponse;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DeletePoolResponse;
import io.quorumlb.proto.v1.DeleteSegmentRequest;
import io.quorumlb.proto.v1.DeleteSegmentResponse;
import io.quorumlb.proto.v1.DiagnoseRequest;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.DiffGenerationsRequest;
import io.quorumlb.proto.v1.DiffGenerationsResponse;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.DrainMemberResponse;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.EnableMemberResponse;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.ExplainMemberRequest;
import io.quorumlb.proto.v1.ExplainMemberResponse;
import io.quorumlb.proto.v1.ExportRequest;
import io.quorumlb.proto.v1.ExportResponse;
import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.GetNodeStatusRequest;
import io.quorumlb.proto.v1.GetNodeStatusResponse;
import io.quorumlb.proto.v1.GetPoolPlanRequest;
import io.quorumlb.proto.v1.GetPoolPlanResponse;
import io.quorumlb.proto.v1.GetPoolSlotsRequest;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.HoldMemberRequest;
import io.quorumlb.proto.v1.HoldMemberResponse;
import io.quorumlb.proto.v1.ListAuditRecordsRequest;
import io.quorumlb.proto.v1.ListAuditRecordsResponse;
import io.quorumlb.proto.v1.ListChangesRequest;
import io.quorumlb.proto.v1.ListChangesResponse;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.ListListenersRequest;
import io.quorumlb.proto.v1.ListListenersResponse;
import io.quorumlb.proto.v1.ListLoadBalancersRequest;
import io.quorumlb.proto.v1.ListLoadBalancersResponse;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.ListNeighboursRequest;
import io.quorumlb.proto.v1.ListNeighboursResponse;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.OverrideGuardsRequest;
import io.quorumlb.proto.v1.OverrideGuardsResponse;
import io.quorumlb.proto.v1.ReleaseMemberRequest;
import io.quorumlb.proto.v1.ReleaseMemberResponse;
import io.quorumlb.proto.v1.RollbackPoolRequest;
import io.quorumlb.proto.v1.RollbackPoolResponse;
import io.quorumlb.proto.v1.SetHealthMonitorRequest;
import io.quorumlb.proto.v1.SetHealthMonitorResponse;
import io.quorumlb.proto.v1.SetLabelsRequest;
import io.quorumlb.proto.v1.SetLabelsResponse;
import io.quorumlb.proto.v1.SetListenerWhenEmptyRequest;
import io.quorumlb.proto.v1.SetListenerWhenEmptyResponse;
import io.quorumlb.proto.v1.SetLoadBalancerRequest;
import io.quorumlb.proto.v1.SetLoadBalancerResponse;
import io.quorumlb.proto.v1.SetMemberCeilingRequest;
import io.quorumlb.proto.v1.SetMemberCeilingResponse;
import io.quorumlb.proto.v1.SetMemberMacRequest;
import io.quorumlb.proto.v1.SetMemberMacResponse;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.SetMemberWeightResponse;
import io.quorumlb.proto.v1.SetPoolGuardsRequest;
import io.quorumlb.proto.v1.SetPoolGuardsResponse;
import io.quorumlb.proto.v1.SetPoolMinEligibleRequest;
import io.quorumlb.proto.v1.SetPoolMinEligibleResponse;
import io.quorumlb.proto.v1.SetSlotFunctionRequest;
import io.quorumlb.proto.v1.SetSlotFunctionResponse;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracePacketResponse;
import io.quorumlb.proto.v1.TracedPacket;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import io.quorumlb.proto.v1.WatchRequest;
import io.quorumlb.proto.v1.WatchResponse;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service for orchestration and the command line. Any node answers: writes go to the leader, all else is answered
 * from what this node has applied and heard.
 */
public final class ControlEndpoint extends ControlServiceGrpc.ControlServiceImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(ControlEndpoint.class);
    private static final int CALLS_MAX = 512;

    private final StateWatch watch;
    private final LongSupplier nanoTime;
    private final PeerLinks links;
    private final Writes writes;
    private final GenerationWait waits;
    private final Applying applying;
    private final RollingBack rollingBack;
    private final Function<TracedPacket, NodeTrace> tracer;
    private final Supplier<Examination> examiner;
    private final Watching watching;
    private final Supplier<List<AuditRecord>> refusals;
    private final ChangePages pages;
    private final Semaphore free = new Semaphore(CALLS_MAX);

    /**
     * Makes the endpoint. Its calls block: the server must run each on a virtual thread.
     *
     * @param watch the node's state
     * @param log where commands are proposed first
     * @param links the way to the other nodes
     * @param journal what the cluster commits
     * @param tracer says what this node would do with a packet; throws IllegalArgumentException for one that is wrong
     * @param refusals says what calls of clients this node has refused
     * @param examiner says what this node finds wrong around itself; may take a second
     * @param nanoTime the clock that the state's times come from, in nanoseconds
     */
    public ControlEndpoint(
            StateWatch watch,
            GenerationLog log,
            PeerLinks links,
            ChangeJournal journal,
            Function<TracedPacket, NodeTrace> tracer,
            Supplier<List<AuditRecord>> refusals,
            Supplier<Examination> examiner,
            LongSupplier nanoTime) {
        this.watch = watch;
        this.nanoTime = nanoTime;
        this.links = links;
        this.writes = new Writes(watch, log, links, nanoTime);
        this.waits = new GenerationWait(watch, nanoTime);
        this.applying = new Applying(watch, writes, nanoTime);
        this.rollingBack = new RollingBack(watch, writes, nanoTime);
        this.tracer = tracer;
        this.examiner = examiner;
        this.watching = new Watching(journal);
        this.refusals = refusals;
        this.pages = new ChangePages(journal);
    }

    @Override
    public void createSegment(CreateSegmentRequest request, StreamObserver<CreateSegmentResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return CreateSegmentResponse.newBuilder()
                    .setId(done.id())
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void listSegments(ListSegmentsRequest request, StreamObserver<ListSegmentsResponse> response) {
        answer(response, () -> Listings.segments(watch.current(), ListQuery.of(request)));
    }

    @Override
    public void deleteSegment(DeleteSegmentRequest request, StreamObserver<DeleteSegmentResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return DeleteSegmentResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void createPool(CreatePoolRequest request, StreamObserver<CreatePoolResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return CreatePoolResponse.newBuilder()
                    .setId(done.id())
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void listPools(ListPoolsRequest request, StreamObserver<ListPoolsResponse> response) {
        answer(response, () -> Listings.pools(watch.current(), ListQuery.of(request)));
    }

    @Override
    public void deletePool(DeletePoolRequest request, StreamObserver<DeletePoolResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return DeletePoolResponse.newBuilder().setRevision(done.revision()).build();
        });
    }

    @Override
    public void getPoolSlots(GetPoolSlotsRequest request, StreamObserver<GetPoolSlotsResponse> response) {
        answer(response, () -> Listings.slots(watch.current(), Commands.named("pool", request.getPool())));
    }

    @Override
    public void listGenerations(ListGenerationsRequest request, StreamObserver<ListGenerationsResponse> response) {
        answer(response, () -> GuardAnswers.generations(watch.current(), request));
    }

    @Override
    public void getPoolPlan(GetPoolPlanRequest request, StreamObserver<GetPoolPlanResponse> response) {
        answer(response, () -> GuardAnswers.plan(watch.current(), Commands.named("pool", request.getPool()), now()));
    }

    @Override
    public void setPoolGuards(SetPoolGuardsRequest request, StreamObserver<SetPoolGuardsResponse> response) {
        answer(response, () -> {
            Pool pool = Listings.pool(watch.current(), "pool", Commands.named("pool", request.getPool()));
            Command.SetPoolGuards command = Commands.of(request, pool.guards());
            return GuardAnswers.changed(command, writes.commit(command, request.getOptions()));
        });
    }

    @Override
    public void overrideGuards(OverrideGuardsRequest request, StreamObserver<OverrideGuardsResponse> response) {
        answer(response, () -> {
            NodeState before = watch.current();
            Pool pool = Listings.pool(before, "pool", Commands.named("pool", request.getPool()));
            Command.OverrideGuards command =
                    Commands.of(request, before.cluster().generationNumber(pool.id()));
            return GuardAnswers.overridden(command, writes.commit(command, request.getOptions()));
        });
    }

    @Override
    public void createMember(CreateMemberRequest request, StreamObserver<CreateMemberResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return CreateMemberResponse.newBuilder()
                    .setId(done.id())
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void listMembers(ListMembersRequest request, StreamObserver<ListMembersResponse> response) {
        answer(response, () -> Listings.members(watch.current(), ListQuery.of(request), now()));
    }

    @Override
    public void deleteMember(DeleteMemberRequest request, StreamObserver<DeleteMemberResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return DeleteMemberResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void drainMember(DrainMemberRequest request, StreamObserver<DrainMemberResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Timings.of(request), request.getOptions());
            return DrainMemberResponse.newBuilder().setRevision(done.revision()).build();
        });
    }

    @Override
    public void enableMember(EnableMemberRequest request, StreamObserver<EnableMemberResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Timings.of(request), request.getOptions());
            return EnableMemberResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void setMemberWeight(SetMemberWeightRequest request, StreamObserver<SetMemberWeightResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Timings.of(request), request.getOptions());
            return SetMemberWeightResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void setMemberCeiling(SetMemberCeilingRequest request, StreamObserver<SetMemberCeilingResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return SetMemberCeilingResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void setMemberMac(SetMemberMacRequest request, StreamObserver<SetMemberMacResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return SetMemberMacResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void listNeighbours(ListNeighboursRequest request, StreamObserver<ListNeighboursResponse> response) {
        answer(response, () -> NeighbourListing.of(watch.current(), new MonotonicTime(nanoTime.getAsLong())));
    }

    @Override
    public void getCounters(GetCountersRequest request, StreamObserver<GetCountersResponse> response) {
        answer(response, () -> CounterAnswers.of(watch.current(), links, request, now()));
    }

    @Override
    public void compactPool(CompactPoolRequest request, StreamObserver<CompactPoolResponse> response) {
        answer(response, () -> {
            NodeState before = watch.current();
            Pool pool = Listings.pool(before, "pool", Commands.named("pool", request.getPool()));
            Command command = Commands.of(request, pool.slots());
            if (request.getDryRun()) {
                return Listings.compaction(before, pool.name());
            }
            Outcome.Done done = writes.commit(command, request.getOptions());
            return Listings.compacted(Compaction.of(before.cluster(), pool), done.revision());
        });
    }

    @Override
    public void createListener(CreateListenerRequest request, StreamObserver<CreateListenerResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request, watch.current()), request.getOptions());
            return CreateListenerResponse.newBuilder()
                    .setId(done.id())
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void listListeners(ListListenersRequest request, StreamObserver<ListListenersResponse> response) {
        answer(response, () -> Listings.listeners(watch.current(), ListQuery.of(request)));
    }

    @Override
    public void setListenerWhenEmpty(
            SetListenerWhenEmptyRequest request, StreamObserver<SetListenerWhenEmptyResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return SetListenerWhenEmptyResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void setPoolMinEligible(
            SetPoolMinEligibleRequest request, StreamObserver<SetPoolMinEligibleResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return SetPoolMinEligibleResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void deleteListener(DeleteListenerRequest request, StreamObserver<DeleteListenerResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return DeleteListenerResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void setSlotFunction(SetSlotFunctionRequest request, StreamObserver<SetSlotFunctionResponse> response) {
        answer(response, () -> {
            Command.SetSlotFunction command = Commands.of(request);
            NodeState state = watch.current();
            state.obstacle(command.function(), now()).ifPresent(reason -> {
                throw Refusals.refused(new Outcome.Refused(Outcome.Cause.LIMIT, "slot_function", reason));
            });
            Outcome.Done done = writes.commit(command, request.getOptions());
            return SetSlotFunctionResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void apply(ApplyRequest request, StreamObserver<ApplyResponse> response) {
        answer(response, () -> applying.answer(request));
    }

    @Override
    public void export(ExportRequest request, StreamObserver<ExportResponse> response) {
        answer(response, () -> Sites.export(watch.current().cluster()));
    }

    @Override
    public void getClusterStatus(GetClusterStatusRequest request, StreamObserver<GetClusterStatusResponse> response) {
        answer(response, () -> ClusterStatus.of(watch.current(), now()));
    }

    @Override
    public void waitForGeneration(
            WaitForGenerationRequest request, StreamObserver<WaitForGenerationResponse> response) {
        answer(response, () -> waits.answer(request));
    }

    @Override
    public void tracePacket(TracePacketRequest request, StreamObserver<TracePacketResponse> response) {
        answer(response, () -> Tracing.of(watch.current().settings(), links, tracer, request));
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> response) {
        watching.start(request, (ServerCallStreamObserver<WatchResponse>) response);
    }

    @Override
    public void setLabels(SetLabelsRequest request, StreamObserver<SetLabelsResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return SetLabelsResponse.newBuilder().setRevision(done.revision()).build();
        });
    }

    @Override
    public void createLoadBalancer(
            CreateLoadBalancerRequest request, StreamObserver<CreateLoadBalancerResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(LoadBalancerCalls.create(request, watch.current()), request.getOptions());
            return CreateLoadBalancerResponse.newBuilder()
                    .setId(done.id())
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void listLoadBalancers(
            ListLoadBalancersRequest request, StreamObserver<ListLoadBalancersResponse> response) {
        answer(response, () -> Listings.loadBalancers(watch.current(), ListQuery.of(request)));
    }

    @Override
    public void setLoadBalancer(SetLoadBalancerRequest request, StreamObserver<SetLoadBalancerResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(LoadBalancerCalls.set(request), request.getOptions());
            return SetLoadBalancerResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void deleteLoadBalancer(
            DeleteLoadBalancerRequest request, StreamObserver<DeleteLoadBalancerResponse> response) {
        answer(response, () -> {
            var command = new Command.DeleteLoadBalancer(Commands.named("name", request.getName()));
            Outcome.Done done = writes.commit(command, request.getOptions());
            return DeleteLoadBalancerResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void explainMember(ExplainMemberRequest request, StreamObserver<ExplainMemberResponse> response) {
        answer(response, () -> Explaining.of(watch.current(), links, request, now()));
    }

    @Override
    public void holdMember(HoldMemberRequest request, StreamObserver<HoldMemberResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Timings.of(request), request.getOptions());
            return HoldMemberResponse.newBuilder().setRevision(done.revision()).build();
        });
    }

    @Override
    public void releaseMember(ReleaseMemberRequest request, StreamObserver<ReleaseMemberResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Timings.of(request), request.getOptions());
            return ReleaseMemberResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void diffGenerations(DiffGenerationsRequest request, StreamObserver<DiffGenerationsResponse> response) {
        answer(response, () -> GenerationDiff.of(watch.current(), request));
    }

    @Override
    public void rollbackPool(RollbackPoolRequest request, StreamObserver<RollbackPoolResponse> response) {
        answer(response, () -> rollingBack.answer(request));
    }

    @Override
    public void listAuditRecords(ListAuditRecordsRequest request, StreamObserver<ListAuditRecordsResponse> response) {
        answer(response, () -> AuditAnswers.of(watch.current(), links, refusals.get(), request));
    }

    @Override
    public void diagnose(DiagnoseRequest request, StreamObserver<DiagnoseResponse> response) {
        answer(response, () -> {
            NodeState state = watch.current();
            return Diagnosing.of(
                    state.settings().self(),
                    state.settings().voters(),
                    links,
                    examiner,
                    () -> ClusterViews.of(watch.current(), now()));
        });
    }

    @Override
    public void listChanges(ListChangesRequest request, StreamObserver<ListChangesResponse> response) {
        answer(response, () -> pages.answer(request));
    }

    @Override
    public void listHealthMonitors(
            ListHealthMonitorsRequest request, StreamObserver<ListHealthMonitorsResponse> response) {
        answer(response, () -> Listings.monitors(watch.current(), ListQuery.of(request)));
    }

    @Override
    public void setHealthMonitor(SetHealthMonitorRequest request, StreamObserver<SetHealthMonitorResponse> response) {
        answer(response, () -> {
            Outcome.Done done = writes.commit(Commands.of(request), request.getOptions());
            return SetHealthMonitorResponse.newBuilder()
                    .setRevision(done.revision())
                    .build();
        });
    }

    @Override
    public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<GetNodeStatusResponse> response) {
        answer(response, () -> ClusterStatus.of(watch.current(), request, now()));
    }

    /** One call's work. */
    private interface Call<T> {
        T get() throws InterruptedException;
    }

    private <T> void answer(StreamObserver<T> response, Call<T> call) {
        // With a handler, an answer to a caller that has given up is dropped instead of thrown back.
        ((ServerCallStreamObserver<T>) response).setOnCancelHandler(() -> {});
        if (!free.tryAcquire()) {
            response.onError(Refusals.busy(CALLS_MAX));
            return;
        }
        try {
            response.onNext(call.get());
            response.onCompleted();
        } catch (StatusRuntimeException e) {
            response.onError(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            response.onError(Refusals.stopping());
        } catch (RuntimeException e) {
            LOG.error("call failed by a defect", e);
            response.onError(Refusals.defect());
        } finally {
            free.release();
        }
    }

    private MonotonicTime now() {
        return new MonotonicTime(nanoTime.getAsLong());
    }
}
