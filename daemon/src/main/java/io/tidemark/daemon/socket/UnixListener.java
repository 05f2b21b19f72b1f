package io.tidemark.daemon.socket;

import io.tidemark.time.TimeSource;
import io.tidemark.time.WorkerPool;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a Unix socket: each client sends a request, ends its side, reads the answer. One
 * thread serves all of them within {@link SocketLimits}. Thread-safe.
 */
public final class UnixListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnixListener.class);
  private static final Duration SWEEP = Duration.ofMillis(500);
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

  @SuppressWarnings("ArrayRecordComponent") // nobody compares answers
  private record Answer(Connection connection, byte @Nullable [] bytes) {}

  private final Path path;
  private final SocketLimits limits;
  private final TimeSource time;
  private final Exchange exchange;
  private final ServerSocketChannel server;
  private final Selector selector;
  private final SelectionKey accepting;
  private final Set<Connection> connections = new HashSet<>();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final WorkerPool thread = new WorkerPool("socket", 1, 1);
  private volatile boolean closed;
  private volatile boolean serving = true;

  private UnixListener(
      Path path,
      SocketLimits limits,
      TimeSource time,
      Exchange exchange,
      ServerSocketChannel server)
      throws IOException {
    this.path = path;
    this.limits = limits;
    this.time = time;
    this.exchange = exchange;
    this.server = server;
    this.selector = Selector.open();
    this.accepting = server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Listens from now on. Blocks on the file system.
   *
   * @throws io.tidemark.error.IpamException with {@code SOCKET_REFUSED}
   * @throws IOException when the system has no room for a selector
   */
  public static UnixListener start(
      Path path, SocketLimits limits, TimeSource time, Exchange exchange) throws IOException {
    ServerSocketChannel server = SocketFile.listen(path, limits.connections());
    try {
      UnixListener listener = new UnixListener(path, limits, time, exchange, server);
      listener.thread.execute(listener::loop);
      return listener;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** Whether it answers; false once its thread has ended, for whatever reason. */
  public boolean isServing() {
    return serving;
  }

  private void loop() {
    try {
      while (!closed) {
        selector.select(SWEEP.toMillis());
        for (Answer next = answers.poll(); next != null; next = answers.poll()) {
          deliver(next);
        }
        Set<SelectionKey> ready = selector.selectedKeys();
        for (SelectionKey key : ready) {
          serve(key);
        }
        ready.clear();
        closeLate();
        accepting.interestOps(
            connections.size() < limits.connections() ? SelectionKey.OP_ACCEPT : 0);
      }
    } catch (IOException e) {
      LOG.error("The socket {} serves no more", path, e);
    } finally {
      serving = false;
      List.copyOf(connections).forEach(this::drop);
    }
  }

  private void serve(SelectionKey key) {
    if (key == accepting) {
      accept();
      return;
    }
    Connection connection = (Connection) key.attachment();
    try {
      if (key.isValid() && key.isWritable()) {
        if (connection.write()) {
          drop(connection);
        }
      } else if (key.isValid() && key.isReadable()) {
        read(connection);
      }
    } catch (IOException e) {
      LOG.debug("A client has gone", e);
      drop(connection);
    } catch (RuntimeException e) {
      LOG.error("A client is dropped because its request failed", e);
      drop(connection);
    }
  }

  private void accept() {
    try {
      SocketChannel channel = server.accept();
      if (channel != null) {
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Connection connection = new Connection(channel, key, time.nanos());
        key.attach(connection);
        connections.add(connection);
      }
    } catch (IOException e) {
      LOG.warn("A client could not be accepted", e);
    }
  }

  private void read(Connection connection) throws IOException {
    switch (connection.read(limits.requestBytes())) {
      case TOO_LONG -> refuse(connection, exchange.tooLong(limits.requestBytes()));
      case WHOLE -> {
        Object unused =
            exchange
                .answer(connection.take())
                .whenComplete((bytes, thrown) -> answered(connection, bytes));
      }
      case MORE -> {
        if (connections.stream().mapToLong(Connection::held).sum() > limits.heldBytes()) {
          refuse(connection, exchange.busy());
        }
      }
    }
  }

  private void refuse(Connection connection, byte[] answer) {
    connection.forgetRequest();
    connection.answerWith(answer, time.nanos());
  }

  private void answered(Connection connection, byte @Nullable [] bytes) {
    answers.add(new Answer(connection, bytes));
    selector.wakeup();
  }

  private void deliver(Answer answer) {
    if (answer.bytes() == null) {
      drop(answer.connection());
    } else if (connections.contains(answer.connection())) {
      answer.connection().answerWith(answer.bytes(), time.nanos());
    }
  }

  private void closeLate() {
    long now = time.nanos();
    for (Connection each : new ArrayList<>(connections)) {
      if (each.isLate(now, limits.time().toNanos())) {
        if (each.isReading()) {
          refuse(each, exchange.tooSlow(limits.time()));
        } else {
          drop(each);
        }
      }
    }
  }

  private void drop(Connection connection) {
    connections.remove(connection);
    connection.close();
  }

  /** Ends all connections and removes the socket. Waits shortly for its thread. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    selector.wakeup();
    thread.close();
    try {
      if (!thread.awaitClosed(LONGEST_CLOSE)) {
        LOG.warn("The thread of the socket {} does not end", path);
      }
      server.close();
      selector.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("The socket {} stays behind", path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
