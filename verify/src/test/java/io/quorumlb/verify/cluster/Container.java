package io.quorumlb.verify.cluster;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A container of the site. */
final class Container {
    private static final String PREFIX = "quorumlb-";
    private static final long EXEC_SECONDS_MAX = 90;
    private static final int FREEZES_MAX = 3;

    private final DockerClient docker;
    private final String name;

    /**
     * Names a container.
     *
     * @param docker the engine
     * @param host name inside the site, such as n1 or be1
     */
    Container(DockerClient docker, String host) {
        this.docker = docker;
        this.name = PREFIX + host;
    }

    /**
     * What a command said.
     *
     * @param status exit status
     * @param out its standard output
     * @param err its standard error
     */
    record Output(long status, String out, String err) {}

    /** Runs a command to its end and returns its standard output; any status but 0 throws with what it said. */
    String run(String... command) {
        Output output = exec(command);
        if (output.status() != 0) {
            throw new IllegalStateException("%s: '%s' ended with status %d: %s%s"
                    .formatted(name, String.join(" ", command), output.status(), output.err(), output.out()));
        }
        return output.out();
    }

    /** Runs a line of bash to its end and returns its standard output, as {@link #run}. */
    String shell(String line) {
        return run("bash", "-c", line);
    }

    /** Runs a command to its end. */
    Output exec(String... command) {
        String id = docker.execCreateCmd(name)
                .withAttachStdout(true)
                .withAttachStderr(true)
                .withCmd(command)
                .exec()
                .getId();
        var collected = new Collected();
        try {
            if (!docker.execStartCmd(id).exec(collected).awaitCompletion(EXEC_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IllegalStateException("%s: '%s' did not end within %d s"
                        .formatted(name, String.join(" ", command), EXEC_SECONDS_MAX));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name + ": interrupted", e);
        }
        Long status = docker.inspectExecCmd(id).exec().getExitCodeLong();
        return new Output(status == null ? -1 : status, collected.out.toString(), collected.err.toString());
    }

    /** Freezes all processes; the kernel goes on. */
    void pause() {
        for (int attempt = 1; ; attempt++) {
            try {
                docker.pauseContainerCmd(name).exec();
                return;
            } catch (InternalServerErrorException e) {
                // A process that the kernel cannot stop at this moment: the runtime gives up after a few tries and
                // thaws all.
                if (attempt == FREEZES_MAX || !String.valueOf(e.getMessage()).contains("unable to freeze")) {
                    throw e;
                }
            }
        }
    }

    /** Thaws what was frozen; nothing happens if it was not. */
    void unpause() {
        if (Boolean.TRUE.equals(
                docker.inspectContainerCmd(name).exec().getState().getPaused())) {
            docker.unpauseContainerCmd(name).exec();
        }
    }

    /** Stops the container: TERM, and KILL after the seconds. */
    void stop(int seconds) {
        docker.stopContainerCmd(name).withTimeout(seconds).exec();
    }

    /** Starts the container if it does not run. */
    void start() {
        if (!Boolean.TRUE.equals(
                docker.inspectContainerCmd(name).exec().getState().getRunning())) {
            docker.startContainerCmd(name).exec();
        }
    }

    private static final class Collected extends ResultCallback.Adapter<Frame> {
        private final StringBuilder out = new StringBuilder();
        private final StringBuilder err = new StringBuilder();

        @Override
        public void onNext(Frame frame) {
            (frame.getStreamType() == StreamType.STDERR ? err : out)
                    .append(new String(frame.getPayload(), StandardCharsets.UTF_8));
        }
    }
}
