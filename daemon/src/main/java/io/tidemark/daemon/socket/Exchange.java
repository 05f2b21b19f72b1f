package io.tidemark.daemon.socket;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The exchange on a socket. Called on the socket's thread: must not block. */
public interface Exchange {
  /**
   * The answer to a request that arrived whole.
   *
   * @return ends with the answer, from any thread; one that ends exceptionally closes the
   *     connection
   */
  CompletionStage<byte[]> answer(byte[] request);

  /** The answer to a request of more than {@code bytesMax} bytes, of which no more is read. */
  byte[] tooLong(int bytesMax);

  /** The answer to a request that did not end within {@code limit}. */
  byte[] tooSlow(Duration limit);

  /** The answer to a request for which there is no room, because others fill it. */
  byte[] busy();
}
