package io.quorumlb.node.main;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The program {@code lbnode}. */
final class Main {
    private static final int DONE = 0;
    private static final int CANNOT_RUN = 1;
    private static final int WRONG_USAGE = 64;

    private Main() {}

    /** What runs a node. */
    interface Runner {
        /**
         * Runs the node until it is stopped.
         *
         * @throws IOException if it cannot start; the message is one sentence for people
         */
        void run(NodeConfiguration configuration) throws IOException, InterruptedException;
    }

    public static void main(String[] arguments) {
        int exit = run(
                List.of(arguments),
                System.out,
                System.err,
                configuration ->
                        // Wall time grows from start to start; peers tell a node whose clock was set back, and it goes
                        // above.
                        Node.run(configuration, Instant.now().toEpochMilli()));
        System.out.flush();
        System.exit(exit);
    }

    /** Does what the arguments ask for and returns the exit code. */
    static int run(List<String> arguments, PrintStream out, PrintStream err, Runner runner) {
        try {
            return switch (CommandLine.parse(arguments)) {
                case CommandLine.Help _ -> {
                    out.println(CommandLine.USAGE);
                    yield DONE;
                }
                case CommandLine.Wrong(String problem) -> {
                    err.println("lbnode: " + problem);
                    err.println(CommandLine.USAGE);
                    yield WRONG_USAGE;
                }
                case CommandLine.Check(var file) -> {
                    NodeConfiguration configuration = ConfigurationFile.load(file);
                    out.printf(
                            "%s is good: node %s of cluster %s%n",
                            file, configuration.self(), configuration.clusterId());
                    yield DONE;
                }
                case CommandLine.Run(var file) -> start(ConfigurationFile.load(file), err, runner);
            };
        } catch (ConfigurationException e) {
            err.println("lbnode: " + e.getMessage());
            return WRONG_USAGE;
        }
    }

    private static int start(NodeConfiguration configuration, PrintStream err, Runner runner) {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        Logger log = LoggerFactory.getLogger(Main.class);
        log.info(
                "quorumlb node {} starting cluster={} nodes={} address={} data={}",
                configuration.self(),
                configuration.clusterId(),
                configuration.nodes().keySet(),
                configuration.address(),
                configuration.data());
        try {
            runner.run(configuration);
            return DONE;
        } catch (IOException e) {
            err.printf("lbnode: node %s cannot run: %s%n", configuration.self(), e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            err.printf("lbnode: node %s was interrupted%n", configuration.self());
        } catch (RuntimeException e) {
            log.error("node stops at a defect", e);
            err.printf("lbnode: node %s stops at a defect, its log says more: %s%n", configuration.self(), e);
        }
        return CANNOT_RUN;
    }
}
