package io.quorumlb.verify.bench;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends frames at a rate. Reads a request per line, {@code KIND FIRST FLOWS RATE FRAMES}: frames of that kind, of FLOWS connections from number FIRST on,
 * again from the first when all had their turn, at RATE frames per second. Answers with {@code FRAMES MICROSECONDS}: how many the kernel took, in which time.
 */
public final class SendFrames {
    private static final long PARK_NANOS_MIN = 200_000;

    private final PacketSocket socket;
    private final Frames frames;

    private SendFrames(PacketSocket socket, Frames frames) {
        this.socket = socket;
        this.frames = frames;
    }

    /** Arguments: interface, own MAC address, MAC address of the load balancer, VIP, port. */
    public static void main(String[] arguments) throws IOException {
        var frames = new Frames(
                MacAddress.parse(arguments[1]),
                MacAddress.parse(arguments[2]),
                Ipv4Address.parse(arguments[3]),
                Integer.parseInt(arguments[4]));
        try (var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                String[] words = line.split(" ", -1);
                // A socket per request: its memory for frames goes with it.
                try (var socket = new PacketSocket(arguments[0])) {
                    System.out.println(new SendFrames(socket, frames)
                            .send(
                                    Frames.Kind.valueOf(words[0].toUpperCase(Locale.ROOT)),
                                    Integer.parseInt(words[1]),
                                    Integer.parseInt(words[2]),
                                    Double.parseDouble(words[3]),
                                    Long.parseLong(words[4])));
                }
            }
        }
    }

    private String send(Frames.Kind kind, int first, int flows, double rate, long wanted) throws IOException {
        MemorySegment memory = socket.frames(flows);
        var buffer = memory.asByteBuffer();
        for (int flow = 0; flow < flows; flow++) {
            frames.write(buffer, kind, first + flow);
        }
        double nanosPerFrame = 1e9 / rate;
        long start = System.nanoTime();
        long offered = 0;
        long taken = 0;
        while (offered < wanted) {
            await(start + Math.round(offered * nanosPerFrame));
            int next = (int) (offered % flows);
            int count = (int) Math.min(Math.min(PacketSocket.BATCH, flows - next), wanted - offered);
            int sent = socket.send(memory, next, count);
            taken += sent;
            // A frame that the kernel had no room for is skipped, else one connection would be sent again and again.
            offered += Math.max(sent, 1);
        }
        return taken + " " + (System.nanoTime() - start) / 1000;
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > PARK_NANOS_MIN) {
                LockSupport.parkNanos(left - PARK_NANOS_MIN / 2);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
