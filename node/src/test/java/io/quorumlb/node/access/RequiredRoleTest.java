package io.quorumlb.node.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.proto.v1.AccessProto;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.CompactPoolRequest;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The proto file says which role each call takes. */
class RequiredRoleTest {
    private static final Pattern READ = Pattern.compile("(List|Get|Export|Watch|WaitFor|Explain|Diff|Diagnose).*");

    static Stream<MethodDescriptor> methods() {
        return ControlServiceGrpc.getServiceDescriptor().getMethods().stream().map(RequiredRole::method);
    }

    private static MethodDescriptor method(String name) {
        return methods().filter(one -> one.getName().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void everyCallSaysItsRole(MethodDescriptor method) {
        assertTrue(method.getOptions().hasExtension(AccessProto.requiredRole), method.getName());
        Role role = RequiredRole.of(method);
        assertEquals(READ.matcher(method.getName()).matches(), role == Role.VIEWER, method.getName() + " " + role);
        boolean writes = method.getInputType().findFieldByName("options") != null;
        assertTrue(!writes || role.covers(Role.OPERATOR), method.getName());
    }

    @Test
    void whatDeletesWhatServesClientsTakesAnAdministrator() {
        for (String name :
                new String[] {"DeletePool", "DeleteListener", "DeleteSegment", "DeleteLoadBalancer", "SetSlotFunction"
                }) {
            assertEquals(Role.ADMIN, RequiredRole.of(method(name)), name);
        }
        assertEquals(Role.OPERATOR, RequiredRole.of(method("DrainMember")));
    }

    @Test
    void fieldsRaiseAndLowerIt() {
        assertEquals(Role.OPERATOR, apply(ApplyRequest.newBuilder()));
        assertEquals(Role.ADMIN, apply(ApplyRequest.newBuilder().setPrune(true)));
        assertEquals(Role.VIEWER, apply(ApplyRequest.newBuilder().setDryRun(true)));
        assertEquals(
                Role.VIEWER, apply(ApplyRequest.newBuilder().setDryRun(true).setPrune(true)));
        assertEquals(
                Role.VIEWER,
                RequiredRole.of(
                        method("CompactPool"),
                        CompactPoolRequest.newBuilder().setDryRun(true).build()));
    }

    private static Role apply(Message.Builder request) {
        return RequiredRole.of(method("Apply"), request.build());
    }

    @Test
    void theDocumentHasTheSameTable() throws IOException {
        SortedMap<String, String> said = new TreeMap<>();
        Matcher row = Pattern.compile("(?m)^\\| (viewer|operator|admin) \\| ([^|]*) \\|")
                .matcher(Files.readString(Path.of("..", "docs", "api.md")));
        while (row.find()) {
            Matcher call = Pattern.compile("`(\\w+)`").matcher(row.group(2));
            while (call.find()) {
                said.put(call.group(1), row.group(1));
            }
        }
        SortedMap<String, String> is = new TreeMap<>();
        methods()
                .forEach(method ->
                        is.put(method.getName(), RequiredRole.of(method).word()));
        assertEquals(is, said);
    }
}
