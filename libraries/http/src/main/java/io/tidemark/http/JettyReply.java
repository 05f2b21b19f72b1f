package io.tidemark.http;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one answer through Jetty. Thread-safe. */
final class JettyReply implements HttpReply {
  private static final Logger LOG = LoggerFactory.getLogger(JettyReply.class);
  private static final int STREAM_BUFFER_BYTES = 1 << 16;

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final Deadline deadline;
  private final AtomicBoolean answered = new AtomicBoolean();

  /** The request is complete. */
  JettyReply(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.deadline = Deadline.of(request);
    this.callback = Callback.from(deadline::answered, callback);
    deadline.answer();
  }

  /** The handler has returned; a response that it has not sent is a promise. */
  void handlerReturned() {
    if (!answered.get()) {
      deadline.promised(true);
    }
  }

  @Override
  public void send(HttpResponse answer) {
    if (!answered.compareAndSet(false, true)) {
      return;
    }
    deadline.promised(false);
    response.setStatus(answer.status());
    answer.headers().forEach(response.getHeaders()::put);
    boolean head = HttpMethod.HEAD.is(request.getMethod());
    if (answer.body() instanceof HttpResponse.Text text) {
      byte[] bytes = text.bytes();
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
      response.write(true, ByteBuffer.wrap(head ? new byte[0] : bytes), callback);
    } else if (head) {
      callback.succeeded();
    } else if (answer.body() instanceof HttpResponse.Stream stream) {
      write(stream);
    } else if (answer.body() instanceof HttpResponse.Feed feed) {
      new JettyFeed(feed, request, response, callback, deadline).begin();
    }
  }

  private void write(HttpResponse.Stream stream) {
    // Closed at its end only: closing is what tells the client that nothing is missing.
    OutputStream out =
        new BufferedOutputStream(Content.Sink.asOutputStream(response), STREAM_BUFFER_BYTES);
    try {
      stream.write(out);
      out.close();
    } catch (IOException e) {
      LOG.debug("A client did not read the response", e);
      callback.failed(new EofException(e));
      return;
    } catch (RuntimeException defect) {
      LOG.error("The response to {} was cut off", request.getHttpURI().getPath(), defect);
      callback.failed(defect);
      return;
    }
    callback.succeeded();
  }

  @Override
  public void breakOff() {
    if (answered.compareAndSet(false, true)) {
      request.getConnectionMetaData().getConnection().getEndPoint().close();
      callback.failed(new EofException("broken off"));
    }
  }
}
