package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.InstallState;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.PoolReport;
import io.quorumlb.proto.v1.PoolStatus;
import io.quorumlb.proto.v1.SlotFunction;
import io.quorumlb.proto.v1.SwitchReport;
import io.quorumlb.proto.v1.TimedMember;
import java.util.List;
import java.util.Optional;

/** The cluster on one page: verdict, nodes, pools on each node, problems. */
final class StatusView implements View<GetClusterStatusResponse> {
    private static final int DIGEST_DIGITS = 16;

    @Override
    public void show(GetClusterStatusResponse status, Page page) {
        page.line(new Cell(status.getVerdict(), status.getConverged() ? Cell.Tone.GOOD : Cell.Tone.BAD));
        page.line("cluster %s, answered by %s, revision %d%s"
                .formatted(status.getClusterId(), status.getAnsweredBy(), status.getRevision(), slotFunction(status)));
        page.gap().table(NodeRows.table(status.getNodesList()));
        page.gap().table(pools(status));
        empty(status, page);
        holds(status, page);
        timed(status, page);
        problems(status, page);
    }

    private static String slotFunction(GetClusterStatusResponse status) {
        return status.getSlotFunction() == SlotFunction.SLOT_FUNCTION_UNSPECIFIED
                ? ""
                : ", slot function "
                        + EnumWord.lower(SlotFunction.getDescriptor(), status.getSlotFunctionValue())
                                .replace('_', '-');
    }

    /** Returns the digits of a digest that people compare, all of a shorter one. */
    static String digest(String hex) {
        return hex.length() > DIGEST_DIGITS ? hex.substring(0, DIGEST_DIGITS) : hex;
    }

    private static Table pools(GetClusterStatusResponse status) {
        Table table = new Table(
                "POOL",
                "NODE",
                ">GENERATION",
                "ALGORITHM",
                "EXPECTED",
                "BUILT",
                "INSTALLED",
                "STATE",
                ">AGE",
                "DETAIL");
        for (PoolStatus pool : status.getPoolsList()) {
            String algorithm = EnumWord.lower(HashAlgorithm.getDescriptor(), pool.getAlgorithmValue());
            for (NodeStatus node : status.getNodesList()) {
                Optional<PoolReport> report = node.getReport().getPoolsList().stream()
                        .filter(candidate -> candidate.getPoolId() == pool.getId())
                        .findFirst();
                Cell name = Cell.of(pool.getName());
                Cell at = Cell.of(node.getNode());
                report.ifPresentOrElse(
                        known -> table.row(
                                name,
                                at,
                                Cell.of(known.getGeneration()),
                                Cell.of(algorithm),
                                Cell.of(digest(known.getExpectedDigest())),
                                beside(known.getBuiltDigest(), known),
                                beside(known.getInstalledDigest(), known),
                                state(pool, node, known),
                                Cell.of(read(node)),
                                Cell.of(detail(pool, node, known))),
                        () -> table.row(
                                name,
                                at,
                                Cell.of(""),
                                Cell.of(algorithm),
                                Cell.of(digest(pool.getExpectedDigest())),
                                Cell.of(""),
                                Cell.of(""),
                                new Cell("UNREPORTED", Cell.Tone.BAD),
                                Cell.of(""),
                                Cell.of("nothing heard of this pool from " + node.getNode())));
            }
        }
        return table;
    }

    /** Returns a digest, loud if it is not the one that is expected. */
    private static Cell beside(String digest, PoolReport report) {
        Cell cell = Cell.of(digest(digest));
        return digest.equals(report.getExpectedDigest()) ? cell : cell.toned(Cell.Tone.BAD);
    }

    /** Returns how long ago the switch was read; what is known of its node may itself be old. */
    private static String read(NodeStatus node) {
        SwitchReport datapath = node.getReport().getDatapath();
        return datapath.getConnected() ? Age.ofMillis(node.getAgeMillis() + datapath.getReadBackAgeMillis()) : "";
    }

    private static Cell state(PoolStatus pool, NodeStatus node, PoolReport report) {
        boolean current = node.getReachable() && report.getGeneration() == pool.getGeneration();
        Cell.Tone tone = switch (report.getState()) {
            case INSTALL_STATE_CONVERGED -> current ? Cell.Tone.GOOD : Cell.Tone.DOUBTFUL;
            case INSTALL_STATE_INSTALLING,
                    INSTALL_STATE_WAITING_NEIGHBOUR,
                    INSTALL_STATE_LAGGING,
                    INSTALL_STATE_FROZEN -> Cell.Tone.DOUBTFUL;
            case INSTALL_STATE_UNSPECIFIED,
                    INSTALL_STATE_MISMATCH,
                    INSTALL_STATE_DIVERGED,
                    INSTALL_STATE_NOT_SERVING,
                    INSTALL_STATE_NO_SWITCH,
                    UNRECOGNIZED -> Cell.Tone.BAD;
        };
        return new Cell(EnumWord.upper(InstallState.getDescriptor(), report.getStateValue()), tone);
    }

    private static String detail(PoolStatus pool, NodeStatus node, PoolReport report) {
        StringBuilder detail = new StringBuilder();
        if (!node.getReachable()) {
            detail.append("as of ").append(Age.ofMillis(node.getAgeMillis())).append(" ago; ");
        }
        if (report.getGeneration() != pool.getGeneration()) {
            detail.append("committed is ").append(pool.getGeneration()).append("; ");
        }
        detail.append(report.getDetail());
        String text = detail.toString();
        return text.endsWith("; ") ? text.substring(0, text.length() - 2) : text;
    }

    private static void empty(GetClusterStatusResponse status, Page page) {
        List<PoolStatus> empty = status.getPoolsList().stream()
                .filter(pool -> pool.getEmptySince() != 0)
                .toList();
        if (empty.isEmpty()) {
            return;
        }
        page.gap();
        empty.forEach(pool -> page.line(new Cell(
                "pool %s counts as empty since generation %s: its listeners do what 'lbctl listener list' says"
                        .formatted(pool.getName(), Long.toUnsignedString(pool.getEmptySince())),
                Cell.Tone.BAD)));
    }

    private static void holds(GetClusterStatusResponse status, Page page) {
        boolean any = status.getNodesList().stream()
                .flatMap(node -> node.getReport().getPoolsList().stream())
                .anyMatch(report -> report.getHoldsCount() > 0);
        if (!any) {
            return;
        }
        page.gap().line(new Cell("held by guards ('lbctl pool plan POOL' says more):", Cell.Tone.HEADING));
        for (PoolStatus pool : status.getPoolsList()) {
            for (NodeStatus node : status.getNodesList()) {
                node.getReport().getPoolsList().stream()
                        .filter(report -> report.getPoolId() == pool.getId())
                        .flatMap(report -> report.getHoldsList().stream())
                        .forEach(hold -> page.line(new Cell(
                                "pool %s: %s: %s".formatted(pool.getName(), hold.getCode(), hold.getDetail()),
                                Cell.Tone.DOUBTFUL)));
            }
        }
    }

    /** What an operator asked for is shown loudly if it overrules what the nodes see. */
    private static void timed(GetClusterStatusResponse status, Page page) {
        if (status.getTimedMembersCount() == 0) {
            return;
        }
        page.gap().line(new Cell("by an operator's word, for a time:", Cell.Tone.HEADING));
        for (TimedMember member : status.getTimedMembersList()) {
            TimersText.phrases(member.getTimers())
                    .forEach(phrase -> page.line(new Cell(
                            "%s/%s: %s".formatted(member.getPool(), member.getMember(), phrase),
                            member.getTimers().hasHold() ? Cell.Tone.BAD : Cell.Tone.DOUBTFUL)));
        }
    }

    private static void problems(GetClusterStatusResponse status, Page page) {
        boolean any =
                status.getNodesList().stream().anyMatch(node -> node.getReport().getProblemsCount() > 0);
        if (!any) {
            return;
        }
        page.gap().line(new Cell("problems:", Cell.Tone.HEADING));
        for (NodeStatus node : status.getNodesList()) {
            node.getReport()
                    .getProblemsList()
                    .forEach(problem -> page.line("%s: %s".formatted(node.getNode(), problem)));
        }
    }
}
