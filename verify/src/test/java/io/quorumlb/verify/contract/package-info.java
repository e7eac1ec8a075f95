/**
 * Models of the replicated log and of the switch on virtual time, and the contracts that each shares with its real
 * counterpart: one abstract class of tests, run against both.
 */
@NullMarked
package io.quorumlb.verify.contract;

import org.jspecify.annotations.NullMarked;
