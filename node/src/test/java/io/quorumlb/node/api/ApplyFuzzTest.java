package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.ExportRequest;
import io.quorumlb.proto.v1.ExportResponse;
import io.quorumlb.proto.v1.Site;
import io.quorumlb.proto.v1.WriteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The examples, and whatever becomes of them by bending: applied whole, or refused without a trace. */
class ApplyFuzzTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples");

    /** What a caller may do wrong; never a defect. */
    private static final Set<Code> REFUSALS =
            EnumSet.of(Code.INVALID_ARGUMENT, Code.NOT_FOUND, Code.ALREADY_EXISTS, Code.FAILED_PRECONDITION);

    private static List<Path> examples() {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Site site(Path example) {
        Site.Builder site = Site.newBuilder();
        try {
            JsonFormat.parser()
                    .merge(new YAMLMapper().readTree(example.toFile()).toString(), site);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(example.toString(), e);
        }
        return site.build();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleIsAppliedAndExported(Path example) throws IOException {
        Site site = site(example);
        try (LoneNode node = LoneNode.leading()) {
            ApplyResponse response =
                    node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
            assertEquals(
                    site.getSegmentsCount()
                            + site.getPoolsCount()
                            + site.getMembersCount()
                            + site.getListenersCount()
                            + site.getLoadBalancersCount(),
                    response.getChangesCount());
            assertEquals(1, response.getRevision());
            comesBack(node);
        }
    }

    private static void comesBack(LoneNode node) {
        ExportResponse exported = node.api().export(ExportRequest.getDefaultInstance());
        ApplyResponse again = node.api()
                .apply(ApplyRequest.newBuilder()
                        .setSite(exported.getSite())
                        .setPrune(true)
                        .setOptions(WriteOptions.newBuilder().setExpectedRevision(exported.getRevision()))
                        .build());
        assertEquals(List.of(), again.getChangesList());
        assertEquals(exported.getRevision(), again.getRevision());
    }

    private static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void bentSitesAreAppliedWholeOrNotAtAll(long seed) throws IOException {
        Random random = new Random(seed);
        List<Site> sites = examples().stream().map(ApplyFuzzTest::site).toList();
        int done = 0;
        int refused = 0;
        try (LoneNode node = LoneNode.leading()) {
            for (int i = 0; i < 150; i++) {
                Site bent = (Site) bent(sites.get(random.nextInt(sites.size())), random, 1 + random.nextInt(2));
                ClusterState before = node.watch.current().cluster();
                try {
                    ApplyResponse response = node.api()
                            .apply(ApplyRequest.newBuilder()
                                    .setSite(bent)
                                    .setPrune(random.nextInt(3) > 0)
                                    .setDryRun(random.nextInt(10) == 0)
                                    .build());
                    assertTrue(response.getRevision() - before.revision() <= 1);
                    comesBack(node);
                    done++;
                } catch (StatusRuntimeException e) {
                    assertTrue(REFUSALS.contains(e.getStatus().getCode()), () -> e + " for " + bent);
                    ClusterState after = node.watch.current().cluster();
                    assertEquals(before.model(), after.model());
                    assertEquals(before.revision(), after.revision());
                    refused++;
                }
            }
        }
        assertTrue(done > 5 && refused > 5, done + " done, " + refused + " refused");
    }

    /** Changes some fields, deep or not: to another value, to that of another object, away, or there twice. */
    private static Message bent(Message message, Random random, int times) {
        Message.Builder bent = message.toBuilder();
        for (int i = 0; i < times; i++) {
            List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
            FieldDescriptor field = fields.get(random.nextInt(fields.size()));
            if (field.isRepeated()) {
                bendList(bent, field, random);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                bent.setField(field, bent((Message) bent.getField(field), random, 1));
            } else if (random.nextInt(5) == 0) {
                bent.clearField(field);
            } else {
                bent.setField(field, value(field, random));
            }
        }
        return bent.build();
    }

    private static void bendList(Message.Builder bent, FieldDescriptor field, Random random) {
        List<Object> entries = new ArrayList<>((List<?>) bent.getField(field));
        if (entries.isEmpty()) {
            return;
        }
        int at = random.nextInt(entries.size());
        Object entry = entries.get(at);
        switch (random.nextInt(6)) {
            case 0 -> entries.remove(at);
            case 1 -> entries.add(entry);
            default -> entries.set(at, entry instanceof Message part ? bent(part, random, 1) : value(field, random));
        }
        bent.setField(field, entries);
    }

    private static Object value(FieldDescriptor field, Random random) {
        List<String> texts = List.of(
                "",
                "web",
                "dns",
                "be1",
                "be2",
                "p2",
                "p3",
                "n1",
                "n9",
                "Web",
                "10.20.0.2:8080",
                "10.20.0.77:80",
                "10.30.0.9:80",
                "[fd00:20::2]:5353",
                "[fd00:20::77]:1",
                "10.99.0.10",
                "10.99.0.77",
                "fd00:99::10",
                "10.20.0.0/24",
                "10.20.0.0/8",
                "fd00:20::/64",
                "10.20.0.9",
                "127.0.0.1",
                "02:00:0a:14:00:02",
                "\u0000",
                "x".repeat(70));
        return switch (field.getType()) {
            case STRING -> texts.get(random.nextInt(texts.size()));
            case UINT32 ->
                List.of(0, 1, 53, 80, 100, 256, 1000, 1024, -1, 65_536, 2_000_000_000)
                        .get(random.nextInt(11));
            case UINT64 -> random.nextLong();
            case BOOL -> random.nextBoolean();
            case BYTES -> ByteString.copyFrom(new byte[random.nextInt(3) * 700]);
            case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(7));
            default -> throw new IllegalStateException(field.toString());
        };
    }
}
