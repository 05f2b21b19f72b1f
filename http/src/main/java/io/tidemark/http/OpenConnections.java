package io.tidemark.http;

import io.tidemark.time.TimeSource;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.component.Graceful;
import org.eclipse.jetty.util.thread.Scheduler;

/** Carries out on Jetty's connections what {@link ConnectionTable} decides. Thread-safe. */
final class OpenConnections extends AbstractLifeCycle implements Connection.Listener, Graceful {
  private static final long SWEEP_MILLIS_MAX = 1000;
  private static final int SWEEPS_PER_TIMEOUT = 4;

  private final ConnectionTable<Connection> table;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final long sweepMillis;
  private volatile boolean shutdown;

  OpenConnections(HttpLimits limits, TimeSource time, Scheduler scheduler) {
    this.table = new ConnectionTable<>(limits, Connection::getBytesIn);
    this.time = time;
    this.scheduler = scheduler;
    long shortest =
        Math.min(
            limits.idle().toMillis(),
            Math.min(limits.request().toMillis(), limits.answer().toMillis()));
    this.sweepMillis = Math.max(1, Math.min(shortest / SWEEPS_PER_TIMEOUT, SWEEP_MILLIS_MAX));
  }

  @Override
  protected void doStart() {
    sweepLater();
  }

  private void sweepLater() {
    scheduler.schedule(this::sweep, sweepMillis, TimeUnit.MILLISECONDS);
  }

  private void sweep() {
    if (isRunning() || isStarting()) {
      table.overdue(time.nanos()).forEach(OpenConnections::end);
      sweepLater();
    }
  }

  @Override
  public void onOpened(Connection connection) {
    SocketAddress remote = connection.getEndPoint().getRemoteSocketAddress();
    if (remote instanceof InetSocketAddress network) {
      opened(connection, Peer.of(network.getAddress()));
    } else if (remote instanceof UnixDomainSocketAddress) {
      opened(connection, Peer.SAME_MACHINE);
    } else {
      end(connection);
    }
  }

  private void opened(Connection connection, Peer peer) {
    table.opened(connection, peer, time.nanos()).ifPresent(OpenConnections::end);
  }

  @Override
  public void onClosed(Connection connection) {
    table.closed(connection);
  }

  /** The request on this connection is complete. */
  void handling(Connection connection) {
    table.handling(connection, time.nanos());
  }

  /** The handler has returned. */
  void returned(Connection connection) {
    table.returned(connection).ifPresent(OpenConnections::end);
  }

  /** The answer begins. */
  void answering(Connection connection) {
    table.answering(connection);
  }

  /** The next piece of the answer is awaited. */
  void awaitingPiece(Connection connection) {
    table.awaitingPiece(connection, time.nanos()).ifPresent(OpenConnections::end);
  }

  /** A piece of the answer is being sent. */
  void sendingPiece(Connection connection) {
    table.sendingPiece(connection, time.nanos());
  }

  /** The answer is complete. */
  void answered(Connection connection) {
    table.answered(connection, time.nanos()).ifPresent(OpenConnections::end);
  }

  /** Closes it without a word; whatever is being read or written on it fails. */
  static void end(Connection connection) {
    connection.getEndPoint().close();
  }

  @Override
  public CompletableFuture<Void> shutdown() {
    shutdown = true;
    table.drain().forEach(OpenConnections::end);
    return table.drained();
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }
}
