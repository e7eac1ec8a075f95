package io.quorumlb.node.doctor;

import io.quorumlb.proto.v1.Finding;
import io.quorumlb.proto.v1.FindingSeverity;

/** Findings on the wire. */
final class FindingCodec {
    private FindingCodec() {}

    static Finding toWire(Judgement judgement) {
        return Finding.newBuilder()
                .setNode(judgement.node())
                .setSeverity(
                        switch (judgement.code().severity()) {
                            case ERROR -> FindingSeverity.FINDING_SEVERITY_ERROR;
                            case WARNING -> FindingSeverity.FINDING_SEVERITY_WARNING;
                        })
                .setCode(judgement.code().code())
                .setProblem(judgement.problem())
                .setRemedy(judgement.code().remedy())
                .build();
    }
}
