package io.tidemark.http;

/**
 * Answers requests. Called on any thread of the listener, several at a time, once a request is
 * complete; what it throws is logged and answered with 500.
 */
@FunctionalInterface
public interface HttpHandler {
  /** Answers now or later, on any thread; whoever never does holds a connection and no thread. */
  void handle(HttpRequest request, HttpReply reply);
}
