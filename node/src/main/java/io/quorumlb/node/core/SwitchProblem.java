package io.quorumlb.node.core;

/**
 * Something in the switch's configuration that an operator should put right.
 *
 * @param code what kind it is: lower case with dashes; the code of the event that tells it
 * @param sentence what it is and what to do
 */
record SwitchProblem(String code, String sentence) {}
