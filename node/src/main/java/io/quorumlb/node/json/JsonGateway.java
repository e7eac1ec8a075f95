package io.quorumlb.node.json;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.quorumlb.node.http.Answer;
import io.quorumlb.node.http.Request;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unary calls of a gRPC service over HTTP/1.1: {@code POST /<service>/<Method>} with the request as proto3 JSON, or
 * binary as {@code application/x-protobuf}, is answered in the same format. Each call goes to the very handlers that
 * serve gRPC, so a new method needs no line here.
 */
public final class JsonGateway implements Function<Request, Answer> {
    private static final Logger LOG = LoggerFactory.getLogger(JsonGateway.class);

    private final String service;
    private final SortedMap<String, UnaryMethod<?, ?>> methods = new TreeMap<>();
    private final Bodies bodies = new Bodies();

    /** Makes the gateway of all unary methods of a service whose messages are protobuf's. */
    public JsonGateway(ServerServiceDefinition service) {
        this.service = service.getServiceDescriptor().getName();
        service.getMethods().stream()
                .filter(method -> method.getMethodDescriptor().getType() == MethodType.UNARY)
                .forEach(method ->
                        methods.put(String.valueOf(method.getMethodDescriptor().getBareMethodName()), unary(method)));
    }

    @SuppressWarnings("unchecked") // protobuf's marshallers make and read messages only
    private static UnaryMethod<Message, Message> unary(ServerMethodDefinition<?, ?> method) {
        return new UnaryMethod<>((ServerMethodDefinition<Message, Message>) method);
    }

    @Override
    public Answer apply(Request request) {
        BodyFormat format = BodyFormat.ofAnswer(request.header("Content-Type"));
        try {
            return format.answer(call(request, format));
        } catch (Problem problem) {
            return format.refusal(problem);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return format.refusal(Problem.of(Code.UNAVAILABLE, "STOPPING", "this node is stopping: ask another node"));
        } catch (RuntimeException e) {
            LOG.error("call failed by a defect path={}", request.path(), e);
            return format.refusal(Problem.of(
                    Code.INTERNAL, "DEFECT", "the call failed by a defect of this node: its log says where"));
        }
    }

    private Message call(Request request, BodyFormat format) throws Problem, InterruptedException {
        UnaryMethod<?, ?> method = method(request);
        Duration limit = CallTimeout.of(request.header(CallTimeout.HEADER));
        return answer(method, request, format, limit);
    }

    private <Q extends Message, R extends Message> Message answer(
            UnaryMethod<Q, R> method, Request request, BodyFormat format, Duration limit)
            throws Problem, InterruptedException {
        try (OpenCall<Q, R> call = method.open(CallOrigin.headers(request), CallOrigin.attributes(request))) {
            return bodies.read(request, body -> {
                Message.Builder message = method.newRequest();
                if (body.length > 0) {
                    format.check(request.header("Content-Type"));
                    format.read(body, message);
                }
                return call.answer(message, limit);
            });
        }
    }

    private UnaryMethod<?, ?> method(Request request) throws Problem {
        String[] parts = request.path().split("/", -1);
        UnaryMethod<?, ?> method =
                parts.length == 3 && parts[0].isEmpty() && parts[1].equals(service) ? methods.get(parts[2]) : null;
        if (method == null) {
            throw Problem.of(
                            Code.UNIMPLEMENTED,
                            "UNKNOWN_PATH",
                            "known here: POST /%s/METHOD, where METHOD is one of %s"
                                    .formatted(service, String.join(", ", methods.keySet())))
                    .status(HttpStatus.NOT_FOUND);
        }
        if (!request.method().equals("POST")) {
            throw Problem.of(
                            Code.UNIMPLEMENTED,
                            "NOT_POST",
                            "a call is a POST, not a %s".formatted(Problem.excerpt(request.method())))
                    .status(HttpStatus.METHOD_NOT_ALLOWED);
        }
        return method;
    }
}
