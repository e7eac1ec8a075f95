package io.quorumlb.verify.cluster;

import com.github.dockerjava.api.DockerClient;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.InstallState;
import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.PoolGuards;
import io.quorumlb.proto.v1.PoolStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.testcontainers.DockerClientFactory;

/**
 * The running site. Made by {@code cluster-compose/up} (which leaves a site that is right as it is) and removed again
 * only if it did not exist before; {@code QUORUMLB_KEEP_SITE=1} keeps it. With {@code QUORUMLB_SITE_AS_IS=1} the tests
 * take the site that runs, whatever its images were built from.
 */
final class Site implements AutoCloseable {
    static final List<String> NODES = List.of("n1", "n2", "n3");
    static final List<String> MEMBERS = List.of("be1", "be2", "be3", "be4");

    /** All four members with weight 1 in all pools. */
    static final Tables ALL = new Tables("0a16713c5a9eb94d", "65f16cb21de37719", "8b5de897ec327e0a");

    /** Member be1 is out of all pools. */
    static final Tables WITHOUT_BE1 = new Tables("6c5bb0a164d76e61", "79a09eab725fffd2", "ffb66a8b2929c87f");

    /** Member be1 is out of pool web only. */
    static final Tables WEB_WITHOUT_BE1 = ALL.withWeb(WITHOUT_BE1.web());

    /** Member be2 is out of pool web only. */
    static final Tables WEB_WITHOUT_BE2 = ALL.withWeb("482eb2d115fcc6b5");

    /** Time for the whole site to be right again after any test. */
    static final Duration RECOVERY = Duration.ofSeconds(40);

    private static final Path ROOT =
            Path.of(System.getProperty("quorumlb.root", "..")).toAbsolutePath().normalize();

    private final DockerClient docker = DockerClientFactory.instance().client();
    private final SortedMap<String, NodeApi> apis = new TreeMap<>();
    private final SortedMap<String, PoolGuards> guards = new TreeMap<>();
    private final boolean existed;

    private Site() {
        existed = !docker.listContainersCmd()
                .withNameFilter(List.of("^/quorumlb-n1$"))
                .exec()
                .isEmpty();
        NODES.forEach(node -> apis.put(node, new NodeApi(node)));
    }

    /** Brings the site up and waits until it has converged. */
    static Site up() {
        script("cluster-compose/engine", "start");
        var site = new Site();
        if (site.existed) {
            site.heal();
        }
        if (System.getenv("QUORUMLB_SITE_AS_IS") == null) {
            script("cluster-compose/up");
        }
        site.restoreMembers();
        site.awaitConverged(ALL, RECOVERY);
        site.forgiveFlapping();
        return site;
    }

    /** Uses a site that is up already and takes nothing down. */
    static Site running() {
        var site = new Site();
        if (!site.existed) {
            throw new IllegalStateException("the site is not up; start it: make up");
        }
        site.forgiveFlapping();
        return site;
    }

    /** Lets members fail as often as the tests like; undone at the end if the site stays. */
    private void forgiveFlapping() {
        NodeApi node = api(leader());
        for (SitePool pool : SitePool.values()) {
            guards.put(pool.poolName(), node.guard(pool.poolName(), PoolGuards.getDefaultInstance()));
            node.guard(pool.poolName(), PoolGuards.newBuilder().setFlapLimit(0).build());
        }
    }

    private void guardAsBefore() {
        guards.forEach((pool, before) -> api(leader()).guard(pool, before));
    }

    NodeApi api(String node) {
        return Optional.ofNullable(apis.get(node)).orElseThrow(() -> new IllegalArgumentException("no node " + node));
    }

    Container container(String host) {
        return new Container(docker, host);
    }

    Router router() {
        return new Router(container("router"));
    }

    /** Opens connections to the VIP of pool web, given the arguments of the client's {@code connect}. */
    Traffic traffic(String... arguments) {
        return traffic(SitePool.WEB, arguments);
    }

    /** Opens connections to the VIP of a pool. */
    Traffic traffic(SitePool pool, String... arguments) {
        return Traffic.send(container("client"), pool, arguments);
    }

    /** Starts connections to the VIP of pool web and returns at once. */
    CompletableFuture<Traffic> trafficMeanwhile(String... arguments) {
        CompletableFuture<Traffic> traffic = new CompletableFuture<>();
        Thread.ofVirtual().name("traffic").start(() -> {
            try {
                traffic.complete(traffic(arguments));
            } catch (RuntimeException e) {
                traffic.completeExceptionally(e);
            }
        });
        return traffic;
    }

    SwitchDump dump(String node) {
        return SwitchDump.of(container(node));
    }

    /** Returns all nodes but the given one. */
    static List<String> others(String node) {
        return NODES.stream().filter(other -> !other.equals(node)).toList();
    }

    /** Returns the node that leads, as soon as all nodes agree on one. */
    String leader() {
        SortedSet<String> leaders = new TreeSet<>();
        Waiting.start().until("all nodes know the same leader", RECOVERY, () -> {
            leaders.clear();
            apis.values().forEach(api -> leaders.add(api.leader()));
            boolean agreed = leaders.size() == 1 && !leaders.first().isEmpty();
            return agreed ? Optional.empty() : Optional.of("they say " + leaders);
        });
        return leaders.first();
    }

    /** Complains unless the node itself says that its switch holds the tables and that they are what is committed. */
    Optional<String> installed(String node, Tables tables) {
        NodeReport report = api(node).report();
        boolean so = report.getPoolsCount() == SitePool.values().length
                && Tables.installed(report).equals(tables)
                && report.getPoolsList().stream()
                        .allMatch(pool -> pool.getExpectedDigest().equals(pool.getInstalledDigest())
                                && pool.getState() == InstallState.INSTALL_STATE_CONVERGED);
        return so ? Optional.empty() : Optional.of(node + " says " + report.getPoolsList());
    }

    /** Waits until each of the nodes says that it has installed the tables, then proves it by their switches. */
    Duration awaitInstalled(Waiting since, List<String> nodes, Tables tables, Duration deadline) {
        Duration took = since.until(
                "tables " + tables + " on " + nodes,
                deadline,
                () -> nodes.stream()
                        .map(node -> installed(node, tables))
                        .flatMap(Optional::stream)
                        .findFirst());
        for (String node : nodes) {
            Tables found = dump(node).tables();
            if (!found.equals(tables)) {
                throw new AssertionError("%s says %s is installed, its switch holds %s".formatted(node, tables, found));
            }
        }
        return took;
    }

    /** Waits until every node answers for its own gateway addresses: one that was away is given them back after a while. */
    void awaitGatewaysAtHome() {
        Waiting.start()
                .until(
                        "all gateways at home",
                        RECOVERY,
                        () -> api(NODES.getFirst()).gatewaysAway());
    }

    /** Waits until every node sees the whole cluster converged on the tables, all announce and the router has all routes. */
    Duration awaitConverged(Tables tables, Duration deadline) {
        var since = Waiting.start();
        since.until(
                "cluster converged on " + tables,
                deadline,
                () -> NODES.stream()
                        .map(node -> unconverged(api(node).status(), tables))
                        .flatMap(Optional::stream)
                        .findFirst());
        since.until("three routes to each VIP", deadline, () -> {
            var hops = router().hops();
            boolean all = hops.values().stream().allMatch(nodes -> nodes.size() == NODES.size());
            return all ? Optional.empty() : Optional.of("only " + hops);
        });
        return awaitInstalled(since, NODES, tables, deadline);
    }

    private static Optional<String> unconverged(GetClusterStatusResponse status, Tables tables) {
        boolean so = status.getConverged()
                && Tables.of(pool -> expected(status, pool)).equals(tables)
                && status.getNodesList().stream()
                        .allMatch(node -> node.getReport().getAnnounced());
        return so
                ? Optional.empty()
                : Optional.of("%s says %s, pools %s"
                        .formatted(status.getAnsweredBy(), status.getVerdict(), status.getPoolsList()));
    }

    private static String expected(GetClusterStatusResponse status, SitePool pool) {
        return status.getPoolsList().stream()
                .filter(one -> one.getName().equals(pool.poolName()) && one.getId() == pool.id())
                .map(PoolStatus::getExpectedDigest)
                .findFirst()
                .orElse("");
    }

    /** Undoes whatever a test, or one that was interrupted, has left behind in the containers. */
    void heal() {
        router().unpin();
        docker.listContainersCmd()
                .withShowAll(true)
                .withNameFilter(List.of("^/quorumlb-"))
                .exec()
                .forEach(container -> {
                    if ("paused".equals(container.getState())) {
                        docker.unpauseContainerCmd(container.getId()).exec();
                    } else if ("exited".equals(container.getState())) {
                        docker.startContainerCmd(container.getId()).exec();
                    }
                });
    }

    /** Enables every member and gives it its weight again, whatever a test has left behind. */
    void restoreMembers() {
        Waiting.start().until("all members are as they were", RECOVERY, () -> {
            NodeApi node = api(leader());
            node.members().forEach(status -> node.restore(status.getMember()));
            return Optional.empty();
        });
    }

    /** Runs a script of the repository to its end and passes on what it says. */
    static void script(String path, String... arguments) {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve(path).toString()));
        command.addAll(List.of(arguments));
        try {
            // The test JVM's own standard output belongs to the build's protocol: nobody else may write to it.
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.inputReader(StandardCharsets.UTF_8).lines().forEach(System.out::println);
            int status = process.waitFor();
            if (status != 0) {
                throw new IllegalStateException("%s ended with status %d".formatted(path, status));
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(path + " was interrupted", e);
        }
    }

    @Override
    public void close() {
        boolean stays = existed || System.getenv("QUORUMLB_KEEP_SITE") != null;
        if (stays) {
            guardAsBefore();
        }
        apis.values().forEach(NodeApi::close);
        if (!stays) {
            script("cluster-compose/down");
        }
    }
}
