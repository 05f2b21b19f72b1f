/**
 * Runs in: node daemon.
 *
 * <p>A Unix socket on which short requests are answered: one request and one answer per connection.
 * One thread reads and writes for all clients, so that a slow one delays nobody, and whoever waits
 * for an answer holds no thread.
 *
 * <p>Read {@link io.tidemark.daemon.socket.UnixListener} first.
 */
@NullMarked
package io.tidemark.daemon.socket;

import org.jspecify.annotations.NullMarked;
