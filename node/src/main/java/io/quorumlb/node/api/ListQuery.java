package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Configured;
import io.quorumlb.consensus.model.LabelSelector;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import io.quorumlb.proto.v1.ListListenersRequest;
import io.quorumlb.proto.v1.ListLoadBalancersRequest;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Which objects of one kind a request lists, and how many at once. Objects come by id: ids only grow, so that a page goes on
 * after the last object of the one before, whatever has been created and deleted meanwhile. A page's token holds that id and a
 * check of what was listed; any node can go on with it.
 *
 * @param kind what is listed
 * @param scope name of the pool whose members are listed; empty lists all
 * @param selector which labels they must have
 * @param name the only one that is asked for; empty asks for all
 * @param size most objects of a page, 1..{@value #SIZE_MAX}
 * @param after the last id of the page before; 0 begins
 */
record ListQuery(ObjectKind kind, String scope, LabelSelector selector, String name, int size, int after) {
    /** Most objects of a page. */
    static final int SIZE_MAX = 5000;

    /** Objects of a page whose size is not asked for. */
    static final int SIZE_DEFAULT = 1000;

    private static final int TOKEN_LENGTH_MAX = 64;
    private static final Pattern TOKEN = Pattern.compile("([1-9][0-9]{0,8})\\.([0-9a-f]{8})");

    /**
     * Objects of a list.
     *
     * @param objects by id
     * @param next token of the next page; empty if this is the last
     */
    record Listed<T>(List<T> objects, String next) {}

    static ListQuery of(ListSegmentsRequest request) {
        return of(
                ObjectKind.SEGMENT,
                "",
                request.getLabelSelector(),
                request.getName(),
                request.getPageSize(),
                request.getPageToken());
    }

    static ListQuery of(ListPoolsRequest request) {
        return of(
                ObjectKind.POOL,
                "",
                request.getLabelSelector(),
                request.getName(),
                request.getPageSize(),
                request.getPageToken());
    }

    static ListQuery of(ListMembersRequest request) {
        if (!request.getName().isEmpty()) {
            Commands.named("pool", request.getPool());
        }
        return of(
                ObjectKind.MEMBER,
                request.getPool(),
                request.getLabelSelector(),
                request.getName(),
                request.getPageSize(),
                request.getPageToken());
    }

    static ListQuery of(ListListenersRequest request) {
        return of(
                ObjectKind.LISTENER,
                "",
                request.getLabelSelector(),
                request.getName(),
                request.getPageSize(),
                request.getPageToken());
    }

    static ListQuery of(ListLoadBalancersRequest request) {
        return of(
                ObjectKind.LOAD_BALANCER,
                "",
                request.getLabelSelector(),
                request.getName(),
                request.getPageSize(),
                request.getPageToken());
    }

    /** Asks for pools: each has one monitor, so that a page of the one list goes on with a page of the other. */
    static ListQuery of(ListHealthMonitorsRequest request) {
        return of(
                ObjectKind.POOL,
                "",
                request.getLabelSelector(),
                request.getName(),
                request.getPageSize(),
                request.getPageToken());
    }

    private static ListQuery of(
            ObjectKind kind, String scope, String selectorText, String name, int pageSize, String token) {
        LabelSelector selector = selector(selectorText);
        long size = Integer.toUnsignedLong(pageSize);
        if (size > SIZE_MAX) {
            throw Refusals.outside(
                    "page_size", Long.toString(size), "0.." + SIZE_MAX, "; 0 is %d".formatted(SIZE_DEFAULT));
        }
        var begin = new ListQuery(kind, scope, selector, name, size == 0 ? SIZE_DEFAULT : (int) size, 0);
        return token.isEmpty() ? begin : begin.after(token);
    }

    private static LabelSelector selector(String text) {
        try {
            return LabelSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid("label_selector", "label_selector: " + e.getMessage());
        }
    }

    private ListQuery after(String token) {
        if (token.length() <= TOKEN_LENGTH_MAX) {
            try {
                Matcher parts =
                        TOKEN.matcher(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.US_ASCII));
                if (parts.matches() && parts.group(2).equals(check(Integer.parseInt(parts.group(1))))) {
                    return new ListQuery(kind, scope, selector, name, size, Integer.parseInt(parts.group(1)));
                }
            } catch (IllegalArgumentException _) {
                // Said below.
            }
        }
        throw Refusals.invalid(
                "page_token",
                "page_token '%s': the next_page_token of an answer to the same list with the same selector expected, or none to begin"
                        .formatted(token.substring(0, Math.min(token.length(), TOKEN_LENGTH_MAX))
                                .replaceAll("[^ -~]", "?")));
    }

    private String token(int last) {
        String text = last + "." + check(last);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A token of another list would silently leave objects out. */
    private String check(int last) {
        var check = new CRC32();
        check.update("%s|%s|%s|%s|%d"
                .formatted(kind.plural(), scope, name, selector, last)
                .getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(check.getValue());
    }

    /**
     * Returns the page.
     *
     * @param objects all of the kind and the scope, by id
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND if one is asked for by a name that none has
     */
    <T extends Configured> Listed<T> page(List<T> objects) {
        if (!name.isEmpty()
                && objects.stream().noneMatch(object -> object.name().equals(name))) {
            String word = kind.plural().substring(0, kind.plural().length() - 1).replace('_', ' ');
            throw Refusals.notFound(
                    "name",
                    "%s '%s'%s does not exist"
                            .formatted(word, name, scope.isEmpty() ? "" : " of pool '%s'".formatted(scope)));
        }
        Stream<T> left = objects.stream()
                .filter(object -> object.id() > after)
                .filter(object -> name.isEmpty() || object.name().equals(name))
                .filter(object -> selector.chooses(object.meta().labels()));
        // One more than a page has says whether there is another page.
        List<T> found = left.limit(size + 1L).toList();
        return found.size() <= size
                ? new Listed<>(found, "")
                : new Listed<>(found.subList(0, size), token(found.get(size - 1).id()));
    }
}
