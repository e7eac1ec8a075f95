package io.quorumlb.ovs.linux;

/** Names of the error numbers that the calls made here can give (asm-generic/errno.h, equal on x86 and ARM). */
final class Errno {
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EPROTO = 71;
    static final int ENOBUFS = 105;

    private Errno() {}

    static String describe(int errno) {
        String name = switch (errno) {
            case 1 -> "EPERM, not permitted";
            case EINTR -> "EINTR, interrupted";
            case 6 -> "ENXIO, the interface is gone";
            case EAGAIN -> "EAGAIN, no answer in time";
            case 12 -> "ENOMEM, out of memory";
            case 13 -> "EACCES, permission denied";
            case 16 -> "EBUSY, busy";
            case 19 -> "ENODEV, no such interface";
            case 22 -> "EINVAL, invalid argument";
            case 23 -> "ENFILE, too many files on this machine";
            case 24 -> "EMFILE, too many files in this process";
            case EPROTO -> "EPROTO, the answer has a wrong form";
            case 93 -> "EPROTONOSUPPORT, protocol not supported";
            case 95 -> "EOPNOTSUPP, the interface cannot tell";
            case 97 -> "EAFNOSUPPORT, address family not supported";
            case 100 -> "ENETDOWN, the interface is down";
            case ENOBUFS -> "ENOBUFS, no buffer space";
            default -> "see errno(3)";
        };
        return "errno " + errno + " (" + name + ")";
    }
}
