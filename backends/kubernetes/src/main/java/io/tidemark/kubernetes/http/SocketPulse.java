package io.tidemark.kubernetes.http;

/**
 * Whether a WebSocket is alive, from what is heard of it. Nothing is expected while its listener is
 * busy with a message: the socket is not read then. Not thread-safe.
 */
final class SocketPulse {
  private final SocketPace pace;
  private long demand;
  private long readSince;
  private long lastPing;
  private long unansweredSince;
  private boolean unanswered;
  private boolean heard = true;

  enum Step {
    NOTHING,
    PING,
    /** The other end does not answer: the connection is dead. */
    END
  }

  /** Of a socket that was opened at {@code now}. */
  SocketPulse(SocketPace pace, long now) {
    this.pace = pace;
    this.readSince = now;
  }

  /** The listener can take so many more messages. */
  void wants(long messages, long now) {
    if (demand == 0) {
      readSince = now;
    }
    demand = demand + messages < 0 ? Long.MAX_VALUE : demand + messages;
  }

  void message() {
    demand = Math.max(0, demand - 1);
    answered();
  }

  void answered() {
    unanswered = false;
    heard = true;
  }

  /**
   * The action at {@code now}; it is called once for each look.
   *
   * @param answers whether this server has ever answered a ping: something between us and it may
   *     keep them back
   */
  Step look(long now, boolean answers) {
    if (demand == 0) {
      return Step.NOTHING;
    }
    if (unanswered) {
      long waits = Math.min(now - unansweredSince, now - readSince);
      if (answers && waits > pace.patience().toNanos()) {
        return Step.END;
      }
    } else if (!heard && now - lastPing < pace.calm().toNanos()) {
      return Step.NOTHING;
    } else {
      unanswered = true;
      unansweredSince = now;
    }
    heard = false;
    lastPing = now;
    return Step.PING;
  }
}
