/** Metrics, health and readiness over HTTP. */
@NullMarked
package io.quorumlb.node.http;

import org.jspecify.annotations.NullMarked;
