package io.quorumlb.ovs.testbed;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Inputs for whoever decodes bytes: random ones, and real ones that were bent. Each is a function of the seed and of its
 * number alone; a failure names both.
 */
public final class Fuzz {
    /** Bytes a decoder may allocate whatever the input, for what it says of a refusal too. */
    private static final long ALLOCATED_BYTES_MIN = 128 << 10;

    /** In how many calls in a row something may be made for the first time. */
    private static final int ONCE_MAX = 3;

    private static final long ALLOCATED_PER_BYTE = 64;
    private static final int NOISE_BYTES_MAX = 300;
    private static final int[] LENGTHS = {0, 1, 0x7f, 0xff, 0x7fff, 0x8000, 0xffff};
    private static final com.sun.management.ThreadMXBean MEMORY =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Fuzz() {}

    /** Who decodes. */
    @FunctionalInterface
    public interface Decoder {
        /**
         * Decodes an input.
         *
         * @return false if the input was refused in the way the decoder promises; whatever is thrown is a defect
         */
        boolean accepts(byte[] input) throws Exception;
    }

    /**
     * What came of the inputs.
     *
     * @param accepted inputs that were decoded
     * @param refused inputs that were refused
     */
    public record Tally(int accepted, int refused) {}

    /**
     * Gives a decoder the inputs of one seed.
     *
     * @param seed which inputs
     * @param count number of inputs
     * @param real what to bend; each must be accepted as it is
     * @param decoder under test
     */
    public static Tally run(long seed, int count, List<byte[]> real, Decoder decoder) {
        for (byte[] whole : real) {
            decode(decoder, whole, "what was recorded");
        }
        int accepted = 0;
        for (int number = 0; number < count; number++) {
            byte[] input = input(seed, number, real);
            accepted += check(decoder, input, seed, number) ? 1 : 0;
        }
        return new Tally(accepted, count - accepted);
    }

    private static boolean check(Decoder decoder, byte[] input, long seed, int number) {
        long most = ALLOCATED_BYTES_MIN + ALLOCATED_PER_BYTE * input.length;
        String name = "seed " + seed + ", input " + number;
        long before = MEMORY.getCurrentThreadAllocatedBytes();
        boolean accepted = decode(decoder, input, name);
        long allocated = MEMORY.getCurrentThreadAllocatedBytes() - before;
        // What is made once only, such as a class or the code of a method handle, is not of the input.
        for (int again = 0; allocated > most && again < ONCE_MAX; again++) {
            before = MEMORY.getCurrentThreadAllocatedBytes();
            accepted = decode(decoder, input, name);
            allocated = MEMORY.getCurrentThreadAllocatedBytes() - before;
        }
        if (allocated > most) {
            throw new AssertionError("%s: %d bytes of input took %d bytes of memory: %s"
                    .formatted(name, input.length, allocated, HexFormat.of().formatHex(input)));
        }
        return accepted;
    }

    private static boolean decode(Decoder decoder, byte[] input, String name) {
        try {
            return decoder.accepts(input);
        } catch (Exception | StackOverflowError | OutOfMemoryError | AssertionError defect) {
            throw new AssertionError(name + ": " + HexFormat.of().formatHex(input), defect);
        }
    }

    /** Returns the input of a number: a fourth noise, the rest bent. */
    public static byte[] input(long seed, int number, List<byte[]> real) {
        var random = new Random(seed * 1_000_003 + number);
        return random.nextInt(4) == 0 ? noise(random) : bent(random, real);
    }

    private static byte[] noise(Random random) {
        byte[] noise = new byte[random.nextInt(NOISE_BYTES_MAX)];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] bent(Random random, List<byte[]> real) {
        byte[] bytes = real.get(random.nextInt(real.size())).clone();
        for (int change = 1 + random.nextInt(3); change > 0; change--) {
            bytes = bent(random, bytes, real);
        }
        return bytes;
    }

    private static byte[] bent(Random random, byte[] bytes, List<byte[]> real) {
        if (bytes.length < 2) {
            return noise(random);
        }
        int from = random.nextInt(bytes.length);
        int to = from + random.nextInt(bytes.length - from + 1);
        switch (random.nextInt(8)) {
            case 0 -> bytes[from] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            case 1 -> bytes[from] = (byte) random.nextInt();
            case 2 -> {
                // A length field, wherever there is one.
                int length = LENGTHS[random.nextInt(LENGTHS.length)];
                bytes[from] = (byte) (length >>> Byte.SIZE);
                bytes[Math.min(from + 1, bytes.length - 1)] = (byte) length;
            }
            case 3 -> {
                return Arrays.copyOf(bytes, from);
            }
            case 4 -> {
                return joined(bytes, 0, to, bytes, from, bytes.length);
            }
            case 5 -> {
                return joined(bytes, 0, from, bytes, to, bytes.length);
            }
            case 6 -> {
                byte[] other = real.get(random.nextInt(real.size()));
                return joined(bytes, 0, from, other, random.nextInt(other.length + 1), other.length);
            }
            default -> {
                byte[] rest = joined(bytes, to, bytes.length, bytes, from, to);
                return joined(bytes, 0, from, rest, 0, rest.length);
            }
        }
        return bytes;
    }

    private static byte[] joined(byte[] first, int from, int to, byte[] second, int secondFrom, int secondTo) {
        var joined = new ByteArrayOutputStream();
        joined.write(first, from, to - from);
        joined.write(second, secondFrom, secondTo - secondFrom);
        return joined.toByteArray();
    }
}
