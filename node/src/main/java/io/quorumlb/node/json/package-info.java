/** The unary calls of a gRPC service over HTTP/1.1, as proto3 JSON or binary. */
@NullMarked
package io.quorumlb.node.json;

import org.jspecify.annotations.NullMarked;
