/**
 * Runs in: anywhere.
 *
 * <p>A bounded HTTP/1.1 server. A client that sends or reads slowly holds a connection, never a
 * thread, and that connection for a bounded time.
 *
 * <p>Read {@link io.tidemark.http.HttpListener} first.
 */
@NullMarked
package io.tidemark.http;

import org.jspecify.annotations.NullMarked;
