package io.tidemark.operator.page;

import io.tidemark.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One client's stream of {@link SseMessage}s, at most one per tick. A ping after a while without
 * messages shows both sides whether the other is still there.
 */
final class SseStream implements HttpResponse.Feed {
  static final int QUIET_TICKS = 10;

  private static final String PING = "event: ping\ndata: {}\n\n";
  private static final String RECONNECT = "retry: 2000\n";

  private final PageStreams streams;
  private volatile CompletableFuture<Void> awaited = new CompletableFuture<>();
  private volatile long seen;
  private volatile int quiet;
  private @Nullable SseMessage message;
  private boolean begun;

  /**
   * A stream of which nothing was sent yet.
   *
   * @param seen the version that the client has; -1 for none
   */
  SseStream(PageStreams streams, long seen) {
    this.streams = streams;
    this.seen = seen;
  }

  /** There is this version now; one thread calls, once per tick. */
  void tick(long version) {
    int waited = quiet + 1;
    quiet = waited;
    if (version > seen || waited >= QUIET_TICKS) {
      awaited.complete(null);
    }
  }

  @Override
  public CompletionStage<?> ready() {
    if (!begun || message != null) {
      return CompletableFuture.completedStage(null);
    }
    CompletableFuture<Void> next = new CompletableFuture<>();
    quiet = 0;
    awaited = next;
    return next;
  }

  @Override
  public Optional<String> next() {
    String head = begun ? "" : RECONNECT;
    boolean first = !begun;
    begun = true;
    SseMessage current = message;
    if (current == null) {
      current = streams.message(seen);
      if (!first && current.version() == seen) {
        return Optional.of(PING);
      }
      message = current;
    }
    String piece = current.piece();
    if (current.isOver()) {
      seen = current.version();
      message = null;
    }
    return Optional.of(head + piece);
  }

  @Override
  public void ended() {
    streams.closed(this);
  }
}
