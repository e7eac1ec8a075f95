package io.quorumlb.consensus.machine;

/**
 * What a configuration cannot have.
 *
 * @param subject the object whose change brought it in
 * @param refused why
 */
record Finding(Subject subject, Outcome.Refused refused) {}
