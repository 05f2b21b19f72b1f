package io.tidemark.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides which connections must close. It knows of each open one whom it belongs to, what it waits
 * for and since when; it closes none itself, so that no lock is held meanwhile. Thread-safe.
 *
 * <p>A connection too many takes the place of another one: of the one that has waited longest for
 * its client to send a request or to take an answer, of the same peer when the peer has too many,
 * else of all. So a client that sends its request at once is answered however many wait. Where
 * every connection waits for the server, the new one is refused.
 *
 * @param <C> a connection, compared by {@code equals}
 */
final class ConnectionTable<C> {
  /** The phase that a connection waits for. */
  private enum Phase {
    /** The client, to send a request or the rest of one. */
    REQUEST,
    /** The handler, which is running. */
    HANDLER,
    /** An answer that the handler promised, or that never comes. */
    PROMISE,
    /** The client, to take the answer. */
    READER
  }

  private static final class Entry {
    final Peer peer;
    Phase phase = Phase.REQUEST;
    long since;

    /** Of the connection, when the last answer was complete; empty while a request is coming in. */
    Optional<Long> bytesWhenIdle = Optional.empty();

    Entry(Peer peer, long since) {
      this.peer = peer;
      this.since = since;
    }

    boolean waitsForClient() {
      return phase == Phase.REQUEST || phase == Phase.READER;
    }
  }

  private final HttpLimits limits;
  private final ToLongFunction<C> bytesReceived;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private boolean draining;

  /** In the order of {@code since}. */
  private final Map<C, Entry> entries = new LinkedHashMap<>();

  private final Map<Peer, Integer> perPeer = new HashMap<>();

  /**
   * @param bytesReceived how many bytes a connection has taken in since it was opened
   */
  ConnectionTable(HttpLimits limits, ToLongFunction<C> bytesReceived) {
    this.limits = limits;
    this.bytesReceived = bytesReceived;
  }

  /** A client has connected; returns the connection to close for it, which may be this one. */
  synchronized Optional<C> opened(C connection, Peer peer, long now) {
    if (draining) {
      return Optional.of(connection);
    }
    Optional<C> victim = Optional.empty();
    if (perPeer.getOrDefault(peer, 0) >= limits.connectionsPerPeer()) {
      victim = Optional.of(victim(entry -> entry.peer.equals(peer)).orElse(connection));
    } else if (entries.size() >= limits.connections()) {
      victim = Optional.of(victim(entry -> true).orElse(connection));
    }
    victim.ifPresent(this::closed);
    if (victim.filter(connection::equals).isEmpty()) {
      entries.put(connection, new Entry(peer, now));
      perPeer.merge(peer, 1, Integer::sum);
    }
    return victim;
  }

  /** The first in the table has waited longest. */
  private Optional<C> victim(Predicate<Entry> candidate) {
    return entries.entrySet().stream()
        .filter(row -> row.getValue().waitsForClient() && candidate.test(row.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The request is complete. */
  synchronized void handling(C connection, long now) {
    move(connection, Phase.HANDLER, now);
  }

  /**
   * The handler has returned; without an answer unless one is being sent. Returns the connection
   * when it is to close: nobody waits for a promise while the server stops.
   */
  synchronized Optional<C> returned(C connection) {
    @Nullable Entry entry = entries.get(connection);
    if (entry == null || entry.phase != Phase.HANDLER) {
      return Optional.empty();
    }
    entry.phase = Phase.PROMISE;
    if (!draining) {
      return Optional.empty();
    }
    closed(connection);
    return Optional.of(connection);
  }

  /** The answer begins; its time has run since the request was complete. */
  synchronized void answering(C connection) {
    @Nullable Entry entry = entries.get(connection);
    if (entry != null) {
      entry.phase = Phase.READER;
    }
  }

  /**
   * The handler promised a next piece of the answer, whose time runs from now; returns the
   * connection when it is to close.
   */
  synchronized Optional<C> awaitingPiece(C connection, long now) {
    move(connection, Phase.PROMISE, now);
    if (!draining) {
      return Optional.empty();
    }
    closed(connection);
    return Optional.of(connection);
  }

  /** The client is to take the next piece of the answer, from now on. */
  synchronized void sendingPiece(C connection, long now) {
    move(connection, Phase.READER, now);
  }

  /** The answer is complete; returns the connection when it is to close. */
  synchronized Optional<C> answered(C connection, long now) {
    if (draining) {
      closed(connection);
      return Optional.of(connection);
    }
    move(connection, Phase.REQUEST, now);
    @Nullable Entry entry = entries.get(connection);
    if (entry != null) {
      entry.bytesWhenIdle = Optional.of(bytesReceived.applyAsLong(connection));
    }
    return Optional.empty();
  }

  /** The connection is gone, whoever closed it. */
  synchronized void closed(C connection) {
    @Nullable Entry entry = entries.remove(connection);
    if (entry != null) {
      perPeer.computeIfPresent(entry.peer, (peer, count) -> count == 1 ? null : count - 1);
      checkDrained();
    }
  }

  /** Connections whose time is over; to be asked regularly. */
  synchronized List<C> overdue(long now) {
    List<C> begun = new ArrayList<>();
    List<C> over = new ArrayList<>();
    entries.forEach(
        (connection, entry) -> {
          if (entry
              .bytesWhenIdle
              .filter(bytes -> bytes != bytesReceived.applyAsLong(connection))
              .isPresent()) {
            begun.add(connection);
          } else if (now - entry.since > allowed(entry).toNanos()) {
            over.add(connection);
          }
        });
    begun.forEach(connection -> move(connection, Phase.REQUEST, now));
    over.forEach(this::closed);
    return over;
  }

  /**
   * Takes no more connections; returns those to close now. The others are to close when they are
   * answered.
   */
  synchronized List<C> drain() {
    draining = true;
    List<C> waiting =
        entries.entrySet().stream()
            .filter(row -> !isBusy(row.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    waiting.forEach(this::closed);
    checkDrained();
    return waiting;
  }

  /** Complete when no connection is being answered any more, after {@link #drain}. */
  CompletableFuture<Void> drained() {
    return drained;
  }

  synchronized int size() {
    return entries.size();
  }

  private Duration allowed(Entry entry) {
    if (entry.phase != Phase.REQUEST) {
      return limits.answer();
    }
    return entry.bytesWhenIdle.isPresent() ? limits.idle() : limits.request();
  }

  private static boolean isBusy(Entry entry) {
    return entry.phase == Phase.HANDLER || entry.phase == Phase.READER;
  }

  private void checkDrained() {
    if (draining && entries.values().stream().noneMatch(ConnectionTable::isBusy)) {
      drained.complete(null);
    }
  }

  private void move(C connection, Phase phase, long now) {
    @Nullable Entry entry = entries.remove(connection);
    if (entry != null) {
      entry.phase = phase;
      entry.since = now;
      entry.bytesWhenIdle = Optional.empty();
      entries.put(connection, entry);
    }
  }
}
