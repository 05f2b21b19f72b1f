/**
 * Runs in: the build alone.
 *
 * <p>Messages as bytes, written and read by {@code Wire} without a library, and calls of a gRPC
 * client on real sockets.
 */
@NullMarked
package io.tidemark.daemon.ipamd.grpc;

import org.jspecify.annotations.NullMarked;
