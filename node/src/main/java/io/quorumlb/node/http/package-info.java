/** The HTTP/1.1 server of the node, and its pages: metrics, health and readiness. */
@NullMarked
package io.quorumlb.node.http;

import org.jspecify.annotations.NullMarked;
