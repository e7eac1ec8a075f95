/** What is wrong with a node's surroundings and between nodes: read where it is, judged as plain values. */
@NullMarked
package io.quorumlb.node.doctor;

import org.jspecify.annotations.NullMarked;
