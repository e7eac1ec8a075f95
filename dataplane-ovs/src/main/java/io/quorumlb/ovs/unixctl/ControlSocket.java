package io.quorumlb.ovs.unixctl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the control socket of a running daemon: its name holds the process id, which the pid file tells. */
public final class ControlSocket {
    private ControlSocket() {}

    /**
     * Returns the path of the control socket.
     *
     * @param runDirectory directory of the daemon's pid file and sockets
     * @param daemon name of the daemon, for example {@code ovs-vswitchd}
     * @throws UnixControlException if the pid file cannot be read or holds no number
     */
    public static Path of(Path runDirectory, String daemon) throws UnixControlException {
        Path pidFile = runDirectory.resolve(daemon + ".pid");
        try {
            long pid = Long.parseLong(Files.readString(pidFile).strip());
            return runDirectory.resolve(daemon + "." + pid + ".ctl");
        } catch (IOException unreadable) {
            throw new UnixControlException("cannot read " + pidFile + "; is " + daemon + " running?", unreadable);
        } catch (NumberFormatException wrong) {
            throw new UnixControlException(pidFile + " must hold a process id: " + wrong.getMessage(), wrong);
        }
    }
}
