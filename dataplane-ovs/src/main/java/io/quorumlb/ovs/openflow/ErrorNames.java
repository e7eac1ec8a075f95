package io.quorumlb.ovs.openflow;

import java.util.List;
import java.util.Map;

/** Names of the errors of OpenFlow 1.5.1, 7.5.4, for people. */
final class ErrorNames {
    private static final int OFPET_EXPERIMENTER = 0xffff;

    private record ErrorClass(String type, String prefix, List<String> codes) {}

    private static final Map<Integer, ErrorClass> CLASSES = Map.of(
            0,
            new ErrorClass("HELLO_FAILED", "OFPHFC_", List.of("INCOMPATIBLE", "EPERM")),
            1,
            new ErrorClass(
                    "BAD_REQUEST",
                    "OFPBRC_",
                    List.of(
                            "BAD_VERSION",
                            "BAD_TYPE",
                            "BAD_MULTIPART",
                            "BAD_EXPERIMENTER",
                            "BAD_EXP_TYPE",
                            "EPERM",
                            "BAD_LEN",
                            "BUFFER_EMPTY",
                            "BUFFER_UNKNOWN",
                            "BAD_TABLE_ID",
                            "IS_SLAVE",
                            "BAD_PORT",
                            "BAD_PACKET",
                            "MULTIPART_BUFFER_OVERFLOW",
                            "MULTIPART_REQUEST_TIMEOUT",
                            "MULTIPART_REPLY_TIMEOUT",
                            "MULTIPART_BAD_SCHED",
                            "PIPELINE_FIELDS_ONLY",
                            "UNKNOWN")),
            2,
            new ErrorClass(
                    "BAD_ACTION",
                    "OFPBAC_",
                    List.of(
                            "BAD_TYPE",
                            "BAD_LEN",
                            "BAD_EXPERIMENTER",
                            "BAD_EXP_TYPE",
                            "BAD_OUT_PORT",
                            "BAD_ARGUMENT",
                            "EPERM",
                            "TOO_MANY",
                            "BAD_QUEUE",
                            "BAD_OUT_GROUP",
                            "MATCH_INCONSISTENT",
                            "UNSUPPORTED_ORDER",
                            "BAD_TAG",
                            "BAD_SET_TYPE",
                            "BAD_SET_LEN",
                            "BAD_SET_ARGUMENT",
                            "BAD_SET_MASK",
                            "BAD_METER")),
            3,
            new ErrorClass(
                    "BAD_INSTRUCTION",
                    "OFPBIC_",
                    List.of(
                            "UNKNOWN_INST",
                            "UNSUP_INST",
                            "BAD_TABLE_ID",
                            "UNSUP_METADATA",
                            "UNSUP_METADATA_MASK",
                            "BAD_EXPERIMENTER",
                            "BAD_EXP_TYPE",
                            "BAD_LEN",
                            "EPERM",
                            "DUP_INST")),
            4,
            new ErrorClass(
                    "BAD_MATCH",
                    "OFPBMC_",
                    List.of(
                            "BAD_TYPE",
                            "BAD_LEN",
                            "BAD_TAG",
                            "BAD_DL_ADDR_MASK",
                            "BAD_NW_ADDR_MASK",
                            "BAD_WILDCARDS",
                            "BAD_FIELD",
                            "BAD_VALUE",
                            "BAD_MASK",
                            "BAD_PREREQ",
                            "DUP_FIELD",
                            "EPERM")),
            5,
            new ErrorClass(
                    "FLOW_MOD_FAILED",
                    "OFPFMFC_",
                    List.of(
                            "UNKNOWN",
                            "TABLE_FULL",
                            "BAD_TABLE_ID",
                            "OVERLAP",
                            "EPERM",
                            "BAD_TIMEOUT",
                            "BAD_COMMAND",
                            "BAD_FLAGS",
                            "CANT_SYNC",
                            "BAD_PRIORITY",
                            "IS_SYNC")),
            17,
            new ErrorClass(
                    "BUNDLE_FAILED",
                    "OFPBFC_",
                    List.of(
                            "UNKNOWN",
                            "EPERM",
                            "BAD_ID",
                            "BUNDLE_EXIST",
                            "BUNDLE_CLOSED",
                            "OUT_OF_BUNDLES",
                            "BAD_TYPE",
                            "BAD_FLAGS",
                            "MSG_BAD_LEN",
                            "MSG_BAD_XID",
                            "MSG_UNSUP",
                            "MSG_CONFLICT",
                            "MSG_TOO_MANY",
                            "MSG_FAILED",
                            "TIMEOUT",
                            "BUNDLE_IN_PROGRESS",
                            "SCHED_NOT_SUPPORTED",
                            "SCHED_FUTURE",
                            "SCHED_PAST")));

    private ErrorNames() {}

    /** Returns type and code by name, by number where they have none, for example {@code BAD_MATCH/OFPBMC_BAD_PREREQ}. */
    static String of(Message.Failure failure) {
        if (failure.type() == OFPET_EXPERIMENTER) {
            String vendor = failure.data().length() >= 8 ? failure.data().substring(0, 8) : "unknown";
            return "EXPERIMENTER 0x" + vendor + "/" + failure.code();
        }
        ErrorClass known = CLASSES.get(failure.type());
        if (known == null) {
            return "error type " + failure.type() + "/code " + failure.code();
        }
        return known.type + "/"
                + (failure.code() < known.codes.size()
                        ? known.prefix + known.codes.get(failure.code())
                        : "code " + failure.code());
    }
}
