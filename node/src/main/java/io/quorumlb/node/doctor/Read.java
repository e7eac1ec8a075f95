package io.quorumlb.node.doctor;

/** What came of reading something of the machine. */
sealed interface Read<T> {
    /** It was read. */
    record Known<T>(T value) implements Read<T> {}

    /** It could not be read, and why. */
    record Unknown<T>(String reason) implements Read<T> {}
}
