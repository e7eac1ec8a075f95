package io.quorumlb.node.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was read around a node.
 *
 * @param offloads by own interface: true if the interface is to compute checksums
 * @param ports the switch's ports towards networks
 * @param guarded interfaces whose packets the kernel's own stack does not see
 * @param forwarding by name of the setting: its text
 * @param space room of the file system with the data directory
 * @param bird why BIRD cannot be spoken to; empty if it can
 * @param differences how the bridge is made otherwise than configured
 * @param certificateEnd when the certificate that clients see ends; empty without TLS
 * @param step the last step of the wall clock; empty if there was none
 * @param now the wall clock
 */
record Surroundings(
        SortedMap<String, Read<Boolean>> offloads,
        SortedSet<String> ports,
        Read<SortedSet<String>> guarded,
        SortedMap<String, Read<String>> forwarding,
        Read<Space> space,
        Optional<String> bird,
        Read<List<String>> differences,
        Optional<Instant> certificateEnd,
        Optional<Step> step,
        Instant now) {
    Surroundings {
        offloads = Collections.unmodifiableSortedMap(new TreeMap<>(offloads));
        ports = Collections.unmodifiableSortedSet(new TreeSet<>(ports));
        forwarding = Collections.unmodifiableSortedMap(new TreeMap<>(forwarding));
    }

    /**
     * Room of a file system.
     *
     * @param directory in it
     * @param usable bytes that may be written
     * @param total bytes
     */
    record Space(String directory, long usable, long total) {}

    /**
     * A step of the wall clock.
     *
     * @param seen when it was seen, by the new time
     * @param by how far it went forward, negative if it went back
     */
    record Step(Instant seen, Duration by) {}
}
