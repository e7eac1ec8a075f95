package io.quorumlb.node.doctor;

import io.quorumlb.node.announce.BirdLook;
import io.quorumlb.node.doctor.Surroundings.Space;
import io.quorumlb.ovs.linux.IngressGuards;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.TransmitChecksums;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Reads what is around a node; changes nothing. */
final class SurroundingsReader {
    private static final Duration BIRD_LIMIT = Duration.ofMillis(500);
    private static final List<String> FORWARDING = List.of("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding");

    private final Doctor.Places places;

    SurroundingsReader(Doctor.Places places) {
        this.places = places;
    }

    /** Returns what there is now. */
    Surroundings read(Optional<Surroundings.Step> step, Instant now) {
        SortedMap<String, Read<Boolean>> offloads = new TreeMap<>();
        places.interfaces().forEach(name -> offloads.put(name, offload(name)));
        SortedMap<String, Read<String>> forwarding = new TreeMap<>();
        FORWARDING.forEach(name -> forwarding(name).ifPresent(setting -> forwarding.put(name, setting)));
        return new Surroundings(
                offloads,
                places.ports(),
                guards(),
                forwarding,
                space(places.data()),
                BirdLook.trouble(places.birdSocket(), BIRD_LIMIT),
                differences(),
                places.certificateEnds().get(),
                step,
                now);
    }

    private static Read<Boolean> offload(String name) {
        try {
            return new Read.Known<>(TransmitChecksums.offloaded(name));
        } catch (LinuxException e) {
            return new Read.Unknown<>(e.getMessage());
        }
    }

    private static Read<SortedSet<String>> guards() {
        try {
            return new Read.Known<>(IngressGuards.read());
        } catch (LinuxException e) {
            return new Read.Unknown<>(e.getMessage());
        }
    }

    /** A kernel without a version of IP has no setting for it, and forwards nothing of it. */
    private Optional<Read<String>> forwarding(String name) {
        Path file = places.sysctl().resolve(name.replace('.', '/'));
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Read.Known<>(Files.readString(file).strip()));
        } catch (IOException e) {
            return Optional.of(new Read.Unknown<>(reason(e)));
        }
    }

    private static Read<Space> space(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return new Read.Known<>(new Space(directory.toString(), store.getUsableSpace(), store.getTotalSpace()));
        } catch (IOException e) {
            return new Read.Unknown<>(reason(e));
        }
    }

    private Read<List<String>> differences() {
        try {
            return new Read.Known<>(places.differences().call());
        } catch (Exception e) {
            return new Read.Unknown<>(String.valueOf(e.getMessage()));
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }
}
