package io.quorumlb.consensus.model;

/** What a probe asks of a member. */
public enum MonitorType {
    /** GET of a path over HTTP/1.1; any 2xx or 3xx status is a success. */
    HTTP,
    /**
     * A TCP connection that opens. It cannot see a frozen process: the kernel still completes handshakes until the
     * listen backlog is full.
     */
    TCP
}
