/**
 * Runs in: agent.
 *
 * <p>A Unix socket on which short requests are answered: one request and one answer per connection.
 * One thread reads and writes for all clients, so a slow client delays no other, and a client that
 * waits for an answer holds no thread.
 *
 * <p>Read {@link io.tidemark.daemon.socket.UnixListener} first.
 */
@NullMarked
package io.tidemark.daemon.socket;

import org.jspecify.annotations.NullMarked;
