package io.quorumlb.node.api;

import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MonitorType;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.Protocol;
import io.quorumlb.proto.v1.Segment;

/** Requests for one pool with two members. */
final class Site {
    static final CreateSegmentRequest SEGMENT = CreateSegmentRequest.newBuilder()
            .setSegment(Segment.newBuilder().setName("p2").setPrefix("10.20.0.0/24"))
            .build();
    static final CreatePoolRequest POOL = CreatePoolRequest.newBuilder()
            .setPool(Pool.newBuilder()
                    .setId(77)
                    .setName("web")
                    .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V1)
                    .setSlots(256)
                    .setMonitor(HealthMonitor.newBuilder()
                            .setType(MonitorType.MONITOR_TYPE_HTTP)
                            .setPath("/")
                            .setIntervalMillis(100)
                            .setTimeoutMillis(50)
                            .setRise(1)
                            .setFall(1)
                            .setFastIntervalMillis(20)))
            .build();
    static final CreateListenerRequest LISTENER = CreateListenerRequest.newBuilder()
            .setListener(Listener.newBuilder()
                    .setName("www")
                    .setVip("10.99.0.10")
                    .setProtocol(Protocol.PROTOCOL_TCP)
                    .setPort(80)
                    .setPool("web"))
            .build();

    private Site() {}

    static CreateMemberRequest member(String name, String address) {
        return CreateMemberRequest.newBuilder()
                .setMember(Member.newBuilder()
                        .setName(name)
                        .setPool("web")
                        .setSegment("p2")
                        .setAddress(address)
                        .setWeight(100))
                .build();
    }
}
