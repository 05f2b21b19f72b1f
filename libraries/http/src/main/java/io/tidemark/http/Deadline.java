package io.tidemark.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes one connection whose request or response takes too long, whatever bytes move: Jetty's idle
 * timeout begins again with each of them. Thread-safe.
 */
final class Deadline {
  private static final String ATTRIBUTE = Deadline.class.getName();
  private static final Scheduler.Task NONE = () -> false;

  private final EndPoint endPoint;
  private final Scheduler scheduler;
  private final HttpLimits limits;
  private final AtomicReference<Scheduler.Task> end = new AtomicReference<>(NONE);
  private volatile boolean promised;

  private Deadline(EndPoint endPoint, Scheduler scheduler, HttpLimits limits) {
    this.endPoint = endPoint;
    this.scheduler = scheduler;
    this.limits = limits;
  }

  /** Gives each new connection a deadline. */
  static Connection.Listener onConnections(Scheduler scheduler, HttpLimits limits) {
    return new Connection.Listener() {
      @Override
      public void onOpened(Connection connection) {
        Deadline deadline = new Deadline(connection.getEndPoint(), scheduler, limits);
        ((ConnectionMetaData) connection).setAttribute(ATTRIBUTE, deadline);
        deadline.in(limits.request());
      }

      @Override
      public void onClosed(Connection connection) {
        of((ConnectionMetaData) connection).end(NONE);
      }
    };
  }

  /** That of the request's connection. */
  static Deadline of(Request request) {
    return of(request.getConnectionMetaData());
  }

  private static Deadline of(ConnectionMetaData connection) {
    return (Deadline) connection.getAttribute(ATTRIBUTE);
  }

  /** The request is complete, or a piece of the response is to be sent or awaited. */
  void answer() {
    in(limits.answer());
  }

  /** The response is complete. The next request has its time after that of an idle connection. */
  void answered() {
    in(limits.idle().plus(limits.request()));
  }

  /** Whether the connection waits for the handler alone, which has returned. */
  void promised(boolean waits) {
    promised = waits;
  }

  /** The server stops: nobody waits for a promise. */
  void stopping() {
    if (promised) {
      endPoint.close();
    }
  }

  private void in(Duration limit) {
    end(scheduler.schedule(endPoint::close, limit));
    if (!endPoint.isOpen()) {
      end(NONE);
    }
  }

  private void end(Scheduler.Task next) {
    end.getAndSet(next).cancel();
  }
}
