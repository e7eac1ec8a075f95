package io.quorumlb.node.access;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.consensus.wire.AuditCodec;
import io.quorumlb.proto.v1.AccessProto;
import java.util.Map;

/** Which role a call takes, as the proto files say; where they say nothing it is the highest. */
final class RequiredRole {
    private RequiredRole() {}

    static MethodDescriptor method(io.grpc.MethodDescriptor<?, ?> method) {
        if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
            return proto.getMethodDescriptor();
        }
        throw new IllegalArgumentException("method %s is in no proto file".formatted(method.getFullMethodName()));
    }

    /** Returns the role that a call takes by itself. */
    static Role of(MethodDescriptor method) {
        return role(method.getOptions().getExtension(AccessProto.requiredRole));
    }

    /** Returns the role that a call with this request takes. */
    static Role of(MethodDescriptor method, Message request) {
        Role needed = of(method);
        for (Map.Entry<FieldDescriptor, Object> field : request.getAllFields().entrySet()) {
            var options = field.getKey().getOptions();
            if (options.hasExtension(AccessProto.loweredRole)) {
                return role(options.getExtension(AccessProto.loweredRole));
            }
            if (options.hasExtension(AccessProto.raisedRole)) {
                Role raised = role(options.getExtension(AccessProto.raisedRole));
                needed = needed.covers(raised) ? needed : raised;
            }
        }
        return needed;
    }

    private static Role role(io.quorumlb.proto.v1.Role role) {
        return switch (role) {
            case ROLE_VIEWER, ROLE_OPERATOR -> AuditCodec.role("required_role", role);
            case ROLE_ADMIN, ROLE_UNSPECIFIED, UNRECOGNIZED -> Role.ADMIN;
        };
    }
}
