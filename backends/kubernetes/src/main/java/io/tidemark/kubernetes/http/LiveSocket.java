package io.tidemark.kubernetes.http;

import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket that ends with an error when its connection is dead. The JDK does not say so of a
 * silent one, nor of one that ended right behind a message. Thread-safe; no lock is held while
 * another is called.
 */
final class LiveSocket implements WebSocket, WebSocket.Listener {
  /** The JDK's code for a connection that ended. */
  private static final int CLOSED_ABNORMALLY = 1006;

  private final Listener listener;
  private final TaskScheduler scheduler;
  private final SocketPace pace;
  private final AtomicBoolean answers;
  private final SocketPulse pulse;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile @Nullable WebSocket socket;

  /**
   * Not open yet.
   *
   * @param listener is told what the socket says, and its end
   * @param answers whether the server has ever answered a ping; set when it does
   */
  LiveSocket(Listener listener, TaskScheduler scheduler, SocketPace pace, AtomicBoolean answers) {
    this.listener = listener;
    this.scheduler = scheduler;
    this.pace = pace;
    this.answers = answers;
    this.pulse = new SocketPulse(pace, scheduler.time().nanos());
  }

  private WebSocket socket() {
    WebSocket open = socket;
    if (open == null) {
      throw new IllegalStateException("the socket is not open");
    }
    return open;
  }

  // ---- what it says

  @Override
  public void onOpen(WebSocket opened) {
    socket = opened;
    listener.onOpen(this);
    look();
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket any, CharSequence text, boolean last) {
    return takes() ? listener.onText(this, text, last) : null;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket any, ByteBuffer bytes, boolean last) {
    return takes() ? listener.onBinary(this, bytes, last) : null;
  }

  @Override
  public @Nullable CompletionStage<?> onPing(WebSocket any, ByteBuffer bytes) {
    return takes() ? listener.onPing(this, bytes) : null;
  }

  /** The answer to a ping of ours, which the listener did not send. */
  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket any, ByteBuffer bytes) {
    answers.set(true);
    synchronized (pulse) {
      pulse.answered();
    }
    socket().request(1);
    return null;
  }

  /** A connection that ends without a word has not closed the watch: that is an error. */
  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket any, int code, String reason) {
    if (code == CLOSED_ABNORMALLY) {
      die("it ended without a close message");
      return null;
    }
    return ended.compareAndSet(false, true) ? listener.onClose(this, code, reason) : null;
  }

  @Override
  public void onError(WebSocket any, Throwable thrown) {
    if (ended.compareAndSet(false, true)) {
      listener.onError(this, thrown);
    }
  }

  private boolean takes() {
    synchronized (pulse) {
      pulse.message();
    }
    return !ended.get();
  }

  // ---- whether it lives

  private void look() {
    if (ended.get()) {
      return;
    }
    SocketPulse.Step step;
    synchronized (pulse) {
      step = pulse.look(scheduler.time().nanos(), answers.get());
    }
    switch (step) {
      case NOTHING -> {}
      case PING -> ping();
      case END ->
          die("the other end has not answered for " + pace.patience().toSeconds() + " seconds");
    }
    scheduler.after(pace.look(), this::look);
  }

  private void ping() {
    socket()
        .sendPing(ByteBuffer.allocate(0))
        .whenComplete(
            (sent, thrown) -> {
              // an IllegalStateException: the ping before is still on its way
              if (thrown instanceof IOException) {
                die(String.valueOf(thrown.getMessage()));
              }
            });
  }

  private void die(String why) {
    if (ended.compareAndSet(false, true)) {
      socket().abort();
      listener.onError(this, new IOException("the connection of a watch is dead: " + why));
    }
  }

  // ---- what the listener asks of it

  @Override
  public void request(long messages) {
    synchronized (pulse) {
      pulse.wants(messages, scheduler.time().nanos());
    }
    socket().request(messages);
  }

  @Override
  public CompletableFuture<WebSocket> sendText(CharSequence text, boolean last) {
    return asOurs(socket().sendText(text, last));
  }

  @Override
  public CompletableFuture<WebSocket> sendBinary(ByteBuffer bytes, boolean last) {
    return asOurs(socket().sendBinary(bytes, last));
  }

  @Override
  public CompletableFuture<WebSocket> sendPing(ByteBuffer bytes) {
    return asOurs(socket().sendPing(bytes));
  }

  @Override
  public CompletableFuture<WebSocket> sendPong(ByteBuffer bytes) {
    return asOurs(socket().sendPong(bytes));
  }

  /** A dead other end does not answer: the socket ends all the same. */
  @Override
  public CompletableFuture<WebSocket> sendClose(int code, String reason) {
    scheduler.after(pace.patience(), () -> die("it was closed and does not end"));
    return asOurs(socket().sendClose(code, reason));
  }

  private CompletableFuture<WebSocket> asOurs(CompletableFuture<WebSocket> sent) {
    return sent.thenApply(any -> this);
  }

  @Override
  public String getSubprotocol() {
    return socket().getSubprotocol();
  }

  @Override
  public boolean isOutputClosed() {
    return socket().isOutputClosed();
  }

  @Override
  public boolean isInputClosed() {
    return socket().isInputClosed();
  }

  @Override
  public void abort() {
    ended.set(true);
    socket().abort();
  }
}
