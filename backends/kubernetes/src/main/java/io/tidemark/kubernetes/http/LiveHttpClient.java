package io.tidemark.kubernetes.http;

import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's client with {@link LiveSocket}s, and with new connections when the old ones are silent:
 * all requests share one over HTTP/2, and the JDK keeps it when they time out. Thread-safe.
 */
final class LiveHttpClient extends HttpClient {
  private final Supplier<HttpClient> maker;
  private final TaskScheduler scheduler;
  private final SocketPace pace;
  private final AtomicBoolean answersPings = new AtomicBoolean();
  private final AtomicReference<Connections> current;

  private static final class Connections {
    private final HttpClient client;
    private volatile long answeredAt;

    Connections(HttpClient client, long now) {
      this.client = client;
      this.answeredAt = now;
    }
  }

  /**
   * Connects to nothing yet.
   *
   * @param maker makes the JDK's client, more than once
   */
  LiveHttpClient(Supplier<HttpClient> maker, TaskScheduler scheduler, SocketPace pace) {
    this.maker = maker;
    this.scheduler = scheduler;
    this.pace = pace;
    this.current = new AtomicReference<>(new Connections(maker.get(), now()));
  }

  private long now() {
    return scheduler.time().nanos();
  }

  private Connections connections() {
    return Objects.requireNonNull(current.get());
  }

  private HttpClient client() {
    return connections().client;
  }

  // ---- requests

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, handler, null);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
    Connections used = connections();
    long sentAt = now();
    CompletableFuture<HttpResponse<T>> answer =
        pushed == null
            ? used.client.sendAsync(request, handler)
            : used.client.sendAsync(request, handler, pushed);
    answer.whenComplete((response, thrown) -> ended(used, sentAt, thrown));
    return answer;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return client().send(request, handler);
  }

  private void ended(Connections used, long sentAt, @Nullable Throwable thrown) {
    if (thrown == null) {
      used.answeredAt = now();
    } else if (isUnanswered(thrown) && used.answeredAt - sentAt < 0) {
      renew(used);
    }
  }

  private static boolean isUnanswered(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return cause instanceof HttpTimeoutException && !(cause instanceof HttpConnectTimeoutException);
  }

  /** Nothing was answered since a request that timed out: what is sent from now on connects. */
  private void renew(Connections silent) {
    if (current.get() == silent) {
      current.compareAndSet(silent, new Connections(maker.get(), now()));
    }
  }

  // ---- sockets

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return new SocketBuilder(client().newWebSocketBuilder());
  }

  private final class SocketBuilder implements WebSocket.Builder {
    private final WebSocket.Builder builder;

    SocketBuilder(WebSocket.Builder builder) {
      this.builder = builder;
    }

    @Override
    public WebSocket.Builder header(String name, String value) {
      builder.header(name, value);
      return this;
    }

    @Override
    public WebSocket.Builder connectTimeout(Duration timeout) {
      builder.connectTimeout(timeout);
      return this;
    }

    @Override
    public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
      builder.subprotocols(mostPreferred, lesserPreferred);
      return this;
    }

    @Override
    public CompletableFuture<WebSocket> buildAsync(URI address, WebSocket.Listener listener) {
      LiveSocket live = new LiveSocket(listener, scheduler, pace, answersPings);
      return builder.buildAsync(address, live).thenApply(open -> live);
    }
  }

  // ---- how it is set up

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client().cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client().connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client().followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client().proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client().sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client().sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client().authenticator();
  }

  @Override
  public Version version() {
    return client().version();
  }

  @Override
  public Optional<Executor> executor() {
    return client().executor();
  }
}
