package io.tidemark.http;

import io.tidemark.http.HttpResponse.Feed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a {@link Feed} through Jetty, each piece when the client has taken the last. */
final class JettyFeed {
  private static final Logger LOG = LoggerFactory.getLogger(JettyFeed.class);

  private final Feed feed;
  private final Request request;
  private final Response response;
  private final Callback callback;
  private final Deadline deadline;
  private final Executor threads;

  JettyFeed(Feed feed, Request request, Response response, Callback callback, Deadline deadline) {
    this.feed = feed;
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.deadline = deadline;
    this.threads = request.getComponents().getExecutor();
  }

  void begin() {
    deadline.answer();
    deadline.promised(true);
    feed.ready()
        .handleAsync(
            (ready, thrown) -> {
              if (thrown == null) {
                piece();
              } else {
                failed(thrown);
              }
              return ready;
            },
            threads);
  }

  private void piece() {
    Optional<String> piece;
    try {
      piece = feed.next();
    } catch (RuntimeException defect) {
      failed(defect);
      return;
    }
    deadline.answer();
    deadline.promised(false);
    ByteBuffer bytes = ByteBuffer.wrap(piece.orElse("").getBytes(StandardCharsets.UTF_8));
    Callback taken =
        piece.isPresent()
            ? Callback.from(this::begin, this::failed)
            : Callback.from(this::succeeded, this::failed);
    response.write(piece.isEmpty(), bytes, taken);
  }

  private void succeeded() {
    feed.ended();
    callback.succeeded();
  }

  private void failed(Throwable thrown) {
    feed.ended();
    if (thrown instanceof IOException || thrown instanceof TimeoutException) {
      LOG.debug("A client did not read the response", thrown);
      callback.failed(new EofException(thrown));
    } else {
      LOG.error("The response to {} was cut off", request.getHttpURI().getPath(), thrown);
      callback.failed(thrown);
    }
  }
}
