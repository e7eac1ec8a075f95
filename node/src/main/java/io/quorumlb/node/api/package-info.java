/** The gRPC services for orchestration and the command line, and the servers that carry them. */
@NullMarked
package io.quorumlb.node.api;

import org.jspecify.annotations.NullMarked;
