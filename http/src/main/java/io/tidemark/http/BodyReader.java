package io.tidemark.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request as it comes in, without waiting for it. */
final class BodyReader implements Runnable {
  /** The fate of the body; called once. */
  interface Outcome {
    void complete(byte[] body);

    /** There is more of it than may be; it was not read to its end. */
    void tooLong();

    void failed(Throwable cause);
  }

  private final Request request;
  private final int bytesMax;
  private final Outcome outcome;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();

  BodyReader(Request request, int bytesMax, Outcome outcome) {
    this.request = request;
    this.bytesMax = bytesMax;
    this.outcome = outcome;
  }

  /** Reads what is there; is called again when there is more. */
  @Override
  public void run() {
    if (request.getLength() > bytesMax) {
      outcome.tooLong();
      return;
    }
    while (true) {
      Content.@Nullable Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        outcome.failed(chunk.getFailure());
        return;
      }
      boolean last = chunk.isLast();
      boolean fits = chunk.remaining() <= bytesMax - read.size();
      if (fits) {
        take(chunk.getByteBuffer());
      }
      chunk.release();
      if (!fits) {
        outcome.tooLong();
        return;
      }
      if (last) {
        outcome.complete(read.toByteArray());
        return;
      }
    }
  }

  private void take(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    read.write(bytes, 0, bytes.length);
  }
}
