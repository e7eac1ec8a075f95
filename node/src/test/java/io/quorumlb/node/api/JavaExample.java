package io.quorumlb.node.api;

import com.google.protobuf.util.JsonFormat;
import io.grpc.Channel;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The example in Java of docs/api.md; {@link ClientsPageTest} compares the two. */
final class JavaExample {
    private JavaExample() {}

    // The page's example begins here.
    static void deploy(Channel channel, Path site) throws IOException {
        var apply = ApplyRequest.newBuilder();
        JsonFormat.parser().merge(Files.readString(site), apply);
        awaitProof(channel, node(channel).apply(apply.build()).getRevision());

        var drain = DrainMemberRequest.newBuilder().setPool("shop").setMember("be1");
        drain.getOptionsBuilder().setRequestId("deploy-10-drain");
        awaitProof(channel, node(channel).drainMember(drain.build()).getRevision());

        // be1 takes no traffic: deploy.
        var enable = EnableMemberRequest.newBuilder().setPool("shop").setMember("be1");
        enable.getOptionsBuilder().setRequestId("deploy-10-enable");
        awaitProof(channel, node(channel).enableMember(enable.build()).getRevision());
    }

    private static void awaitProof(Channel channel, long revision) {
        var wait = WaitForGenerationRequest.newBuilder().setPool("shop").setRevision(revision);
        var proof = node(channel).waitForGeneration(wait.build());
        if (!proof.getProven()) {
            throw new IllegalStateException("not proven: " + proof.getMissingList());
        }
    }

    private static ControlServiceBlockingStub node(Channel channel) {
        return ControlServiceGrpc.newBlockingStub(channel).withDeadlineAfter(15, TimeUnit.SECONDS);
    }
    // The page's example ends here.
}
