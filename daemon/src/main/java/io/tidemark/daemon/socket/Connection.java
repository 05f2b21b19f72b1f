package io.tidemark.daemon.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One client: reads its request, waits for the answer, writes it. On the socket's thread. */
final class Connection {
  /** The result of a read. */
  enum Progress {
    /** There may be more. */
    MORE,
    /** The request is whole. */
    WHOLE,
    /** It is longer than allowed. */
    TOO_LONG
  }

  private static final int FIRST_BYTES = 4 << 10;

  private final SocketChannel channel;
  private final SelectionKey key;
  private byte[] request = new byte[FIRST_BYTES];
  private int length;
  private @Nullable ByteBuffer answer;
  private long sinceNanos;
  private boolean waiting;

  Connection(SocketChannel channel, SelectionKey key, long now) {
    this.channel = channel;
    this.key = key;
    this.sinceNanos = now;
  }

  /** Bytes of its request that are held. */
  int held() {
    return length;
  }

  /** Whether the client has been waited for longer than {@code limitNanos}. */
  boolean isLate(long now, long limitNanos) {
    return !waiting && now - sinceNanos > limitNanos;
  }

  boolean isReading() {
    return answer == null && !waiting;
  }

  Progress read(int bytesMax) throws IOException {
    while (true) {
      if (length == request.length) {
        if (length > bytesMax) {
          return Progress.TOO_LONG;
        }
        request = Arrays.copyOf(request, Math.min(2 * length, bytesMax + 1));
      }
      int read = channel.read(ByteBuffer.wrap(request, length, request.length - length));
      if (read < 0) {
        return length > bytesMax ? Progress.TOO_LONG : Progress.WHOLE;
      }
      if (read == 0) {
        return length > bytesMax ? Progress.TOO_LONG : Progress.MORE;
      }
      length += read;
    }
  }

  /** The whole request, which is not held here any more. */
  byte[] take() {
    waiting = true;
    key.interestOps(0);
    byte[] whole = Arrays.copyOf(request, length);
    forgetRequest();
    return whole;
  }

  void forgetRequest() {
    request = new byte[0];
    length = 0;
  }

  void answerWith(byte[] bytes, long now) {
    waiting = false;
    sinceNanos = now;
    answer = ByteBuffer.wrap(bytes);
    key.interestOps(SelectionKey.OP_WRITE);
  }

  /** Writes what the client takes; true when that was all. */
  boolean write() throws IOException {
    if (answer == null) {
      return false;
    }
    channel.write(answer);
    return !answer.hasRemaining();
  }

  void close() {
    key.cancel();
    try {
      channel.close();
    } catch (IOException e) {
      // The client is gone; there is nothing else to give back.
      key.cancel();
    }
  }
}
