package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.machine.Command.CommitGeneration.Footing;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.proto.v1.GenerationFooting;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.RefusalCause;

/** Converts enums. From the wire, unspecified and unknown values give an error that names the field. */
final class EnumCodec {
    private EnumCodec() {}

    static HashAlgorithm toWire(HashAlgoVersion version) {
        return switch (version) {
            case V1 -> HashAlgorithm.HASH_ALGORITHM_V1;
            case V2 -> HashAlgorithm.HASH_ALGORITHM_V2;
        };
    }

    static HashAlgoVersion fromWire(String field, HashAlgorithm algorithm) {
        return switch (algorithm) {
            case HASH_ALGORITHM_V1 -> HashAlgoVersion.V1;
            case HASH_ALGORITHM_V2 -> HashAlgoVersion.V2;
            case HASH_ALGORITHM_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, algorithm, "HASH_ALGORITHM_V1 or HASH_ALGORITHM_V2");
        };
    }

    static io.quorumlb.proto.v1.ObjectKind toWire(ObjectKind kind) {
        return switch (kind) {
            case SEGMENT -> io.quorumlb.proto.v1.ObjectKind.OBJECT_KIND_SEGMENT;
            case POOL -> io.quorumlb.proto.v1.ObjectKind.OBJECT_KIND_POOL;
            case MEMBER -> io.quorumlb.proto.v1.ObjectKind.OBJECT_KIND_MEMBER;
            case LISTENER -> io.quorumlb.proto.v1.ObjectKind.OBJECT_KIND_LISTENER;
            case LOAD_BALANCER -> io.quorumlb.proto.v1.ObjectKind.OBJECT_KIND_LOAD_BALANCER;
        };
    }

    static ObjectKind fromWire(String field, io.quorumlb.proto.v1.ObjectKind kind) {
        return switch (kind) {
            case OBJECT_KIND_SEGMENT -> ObjectKind.SEGMENT;
            case OBJECT_KIND_POOL -> ObjectKind.POOL;
            case OBJECT_KIND_MEMBER -> ObjectKind.MEMBER;
            case OBJECT_KIND_LISTENER -> ObjectKind.LISTENER;
            case OBJECT_KIND_LOAD_BALANCER -> ObjectKind.LOAD_BALANCER;
            case OBJECT_KIND_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, kind, "the kind of an object");
        };
    }

    static io.quorumlb.proto.v1.Service toWire(Service service) {
        return switch (service) {
            case IN -> io.quorumlb.proto.v1.Service.SERVICE_IN;
            case OUT -> io.quorumlb.proto.v1.Service.SERVICE_OUT;
        };
    }

    static Service fromWire(String field, io.quorumlb.proto.v1.Service service) {
        return switch (service) {
            case SERVICE_IN -> Service.IN;
            case SERVICE_OUT -> Service.OUT;
            case SERVICE_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, service, "SERVICE_IN or SERVICE_OUT");
        };
    }

    static io.quorumlb.proto.v1.AdminState toWire(AdminState admin) {
        return switch (admin) {
            case ENABLED -> io.quorumlb.proto.v1.AdminState.ADMIN_STATE_ENABLED;
            case DRAINED -> io.quorumlb.proto.v1.AdminState.ADMIN_STATE_DRAINED;
            case RETIRED -> io.quorumlb.proto.v1.AdminState.ADMIN_STATE_RETIRED;
        };
    }

    static AdminState fromWire(String field, io.quorumlb.proto.v1.AdminState admin) {
        return switch (admin) {
            case ADMIN_STATE_ENABLED -> AdminState.ENABLED;
            case ADMIN_STATE_DRAINED -> AdminState.DRAINED;
            case ADMIN_STATE_RETIRED -> AdminState.RETIRED;
            case ADMIN_STATE_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, admin, "ADMIN_STATE_ENABLED or ADMIN_STATE_DRAINED");
        };
    }

    static RefusalCause toWire(Cause cause) {
        return switch (cause) {
            case INVALID -> RefusalCause.REFUSAL_CAUSE_INVALID;
            case NOT_FOUND -> RefusalCause.REFUSAL_CAUSE_NOT_FOUND;
            case ALREADY_EXISTS -> RefusalCause.REFUSAL_CAUSE_ALREADY_EXISTS;
            case IN_USE -> RefusalCause.REFUSAL_CAUSE_IN_USE;
            case STALE -> RefusalCause.REFUSAL_CAUSE_STALE;
            case LIMIT -> RefusalCause.REFUSAL_CAUSE_LIMIT;
            case CHANGED -> RefusalCause.REFUSAL_CAUSE_CHANGED;
            case TOO_MANY -> RefusalCause.REFUSAL_CAUSE_TOO_MANY;
        };
    }

    static Cause fromWire(String field, RefusalCause cause) {
        return switch (cause) {
            case REFUSAL_CAUSE_INVALID -> Cause.INVALID;
            case REFUSAL_CAUSE_NOT_FOUND -> Cause.NOT_FOUND;
            case REFUSAL_CAUSE_ALREADY_EXISTS -> Cause.ALREADY_EXISTS;
            case REFUSAL_CAUSE_IN_USE -> Cause.IN_USE;
            case REFUSAL_CAUSE_STALE -> Cause.STALE;
            case REFUSAL_CAUSE_LIMIT -> Cause.LIMIT;
            case REFUSAL_CAUSE_CHANGED -> Cause.CHANGED;
            case REFUSAL_CAUSE_TOO_MANY -> Cause.TOO_MANY;
            case REFUSAL_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, cause, "a cause of refusal");
        };
    }

    static io.quorumlb.proto.v1.Guard toWire(Guard guard) {
        return switch (guard) {
            case MASS_FAILURE -> io.quorumlb.proto.v1.Guard.GUARD_MASS_FAILURE;
            case DISPUTED -> io.quorumlb.proto.v1.Guard.GUARD_DISPUTED;
            case FLAPPING -> io.quorumlb.proto.v1.Guard.GUARD_FLAPPING;
            case SETTLING -> io.quorumlb.proto.v1.Guard.GUARD_SETTLING;
            case DISRUPTION -> io.quorumlb.proto.v1.Guard.GUARD_DISRUPTION;
        };
    }

    static Guard fromWire(String field, io.quorumlb.proto.v1.Guard guard) {
        return switch (guard) {
            case GUARD_MASS_FAILURE -> Guard.MASS_FAILURE;
            case GUARD_DISPUTED -> Guard.DISPUTED;
            case GUARD_FLAPPING -> Guard.FLAPPING;
            case GUARD_SETTLING -> Guard.SETTLING;
            case GUARD_DISRUPTION -> Guard.DISRUPTION;
            case GUARD_UNSPECIFIED, UNRECOGNIZED -> throw WireField.unknownEnum(field, guard, "a guard");
        };
    }

    static io.quorumlb.proto.v1.GenerationCause toWire(GenerationCause cause) {
        return switch (cause) {
            case UNKNOWN -> io.quorumlb.proto.v1.GenerationCause.GENERATION_CAUSE_UNSPECIFIED;
            case CONFIGURATION -> io.quorumlb.proto.v1.GenerationCause.GENERATION_CAUSE_CONFIGURATION;
            case HEALTH -> io.quorumlb.proto.v1.GenerationCause.GENERATION_CAUSE_HEALTH;
            case MIXED -> io.quorumlb.proto.v1.GenerationCause.GENERATION_CAUSE_MIXED;
            case PANIC -> io.quorumlb.proto.v1.GenerationCause.GENERATION_CAUSE_PANIC;
            case OVERRIDE -> io.quorumlb.proto.v1.GenerationCause.GENERATION_CAUSE_OVERRIDE;
        };
    }

    static GenerationCause fromWire(String field, io.quorumlb.proto.v1.GenerationCause cause) {
        return switch (cause) {
            case GENERATION_CAUSE_UNSPECIFIED -> GenerationCause.UNKNOWN;
            case GENERATION_CAUSE_CONFIGURATION -> GenerationCause.CONFIGURATION;
            case GENERATION_CAUSE_HEALTH -> GenerationCause.HEALTH;
            case GENERATION_CAUSE_MIXED -> GenerationCause.MIXED;
            case GENERATION_CAUSE_PANIC -> GenerationCause.PANIC;
            case GENERATION_CAUSE_OVERRIDE -> GenerationCause.OVERRIDE;
            case UNRECOGNIZED -> throw WireField.unknownEnum(field, cause, "a cause of a generation");
        };
    }

    static GenerationFooting toWire(Footing footing) {
        return switch (footing) {
            case CONFIGURED -> GenerationFooting.GENERATION_FOOTING_UNSPECIFIED;
            case PREVIOUS -> GenerationFooting.GENERATION_FOOTING_PREVIOUS;
        };
    }

    static Footing fromWire(String field, GenerationFooting footing) {
        return switch (footing) {
            case GENERATION_FOOTING_UNSPECIFIED -> Footing.CONFIGURED;
            case GENERATION_FOOTING_PREVIOUS -> Footing.PREVIOUS;
            case UNRECOGNIZED -> throw WireField.unknownEnum(field, footing, "GENERATION_FOOTING_PREVIOUS or none");
        };
    }

    static io.quorumlb.proto.v1.Health toWire(Health health) {
        return switch (health) {
            case UP -> io.quorumlb.proto.v1.Health.HEALTH_UP;
            case DOWN -> io.quorumlb.proto.v1.Health.HEALTH_DOWN;
        };
    }

    static Health fromWire(String field, io.quorumlb.proto.v1.Health health) {
        return switch (health) {
            case HEALTH_UP -> Health.UP;
            case HEALTH_DOWN -> Health.DOWN;
            case HEALTH_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(field, health, "HEALTH_UP or HEALTH_DOWN");
        };
    }

    static io.quorumlb.proto.v1.HashFields toWire(HashFields fields) {
        return switch (fields) {
            case FIVE_TUPLE -> io.quorumlb.proto.v1.HashFields.HASH_FIELDS_FIVE_TUPLE;
            case SOURCE_ADDRESS -> io.quorumlb.proto.v1.HashFields.HASH_FIELDS_SOURCE_ADDRESS;
            case ADDRESSES -> io.quorumlb.proto.v1.HashFields.HASH_FIELDS_ADDRESSES;
        };
    }

    static HashFields fromWire(String field, io.quorumlb.proto.v1.HashFields fields) {
        return switch (fields) {
            case HASH_FIELDS_UNSPECIFIED, HASH_FIELDS_FIVE_TUPLE -> HashFields.FIVE_TUPLE;
            case HASH_FIELDS_SOURCE_ADDRESS -> HashFields.SOURCE_ADDRESS;
            case HASH_FIELDS_ADDRESSES -> HashFields.ADDRESSES;
            case UNRECOGNIZED -> throw WireField.unknownEnum(field, fields, "what a hash reads of a packet");
        };
    }

    static io.quorumlb.proto.v1.SlotFunction toWire(SlotFunction function) {
        return switch (function) {
            case MULTIPATH -> io.quorumlb.proto.v1.SlotFunction.SLOT_FUNCTION_MULTIPATH;
            case DP_HASH -> io.quorumlb.proto.v1.SlotFunction.SLOT_FUNCTION_DP_HASH;
        };
    }

    static SlotFunction fromWire(String field, io.quorumlb.proto.v1.SlotFunction function) {
        return switch (function) {
            case SLOT_FUNCTION_UNSPECIFIED, SLOT_FUNCTION_MULTIPATH -> SlotFunction.MULTIPATH;
            case SLOT_FUNCTION_DP_HASH -> SlotFunction.DP_HASH;
            case UNRECOGNIZED -> throw WireField.unknownEnum(field, function, "a slot function");
        };
    }
}
