/**
 * Runs in: ipamd.
 *
 * <p>The only package that knows gRPC and protocol buffers: the messages as bytes, the services,
 * and the sockets they are served on.
 *
 * <p>Read {@link io.tidemark.daemon.ipamd.grpc.RpcCodec} first.
 */
@NullMarked
package io.tidemark.daemon.ipamd.grpc;

import org.jspecify.annotations.NullMarked;
