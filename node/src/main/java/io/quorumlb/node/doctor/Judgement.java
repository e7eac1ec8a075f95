package io.quorumlb.node.doctor;

/**
 * Something that is wrong.
 *
 * @param node who has it; empty if it is about the cluster as a whole
 * @param code what kind it is
 * @param problem what was found, a sentence with the value
 */
record Judgement(String node, FindingCode code, String problem) {}
