package io.tidemark.http;

/**
 * Handles requests. Called on any thread of the listener, concurrently, when a request is complete;
 * an exception is logged and answered with 500.
 */
@FunctionalInterface
public interface HttpHandler {
  /** Responds now or later, on any thread; an open request holds a connection but no thread. */
  void handle(HttpRequest request, HttpReply reply);
}
