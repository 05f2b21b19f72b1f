package io.tidemark.http;

/** Takes the response to one request. The first call counts; later ones do nothing. */
public interface HttpReply {
  /**
   * Sends this response. Blocks only for a body that is a {@link HttpResponse.Stream}; a client
   * that is gone or too slow ends it without a word.
   */
  void send(HttpResponse response);

  /** Closes the connection without a response. */
  void breakOff();
}
