package io.tidemark.kubernetes.http;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.tidemark.time.TaskScheduler;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Gives the Kubernetes client library an HTTP client that notices dead connections: a WebSocket
 * that does not answer a ping ends with an error, and requests that time out with nothing answered
 * meanwhile are followed by new connections. Thread-safe.
 */
public final class LiveConnections extends JdkHttpClientFactory {
  private final TaskScheduler scheduler;
  private final SocketPace pace;

  /**
   * Connects to nothing.
   *
   * @param scheduler looks at each WebSocket
   */
  public LiveConnections(TaskScheduler scheduler, SocketPace pace) {
    this.scheduler = scheduler;
    this.pace = pace;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new LiveBuilder(super.createNewHttpClientBuilder());
  }

  private final class LiveBuilder implements HttpClient.Builder {
    private final HttpClient.Builder builder;

    LiveBuilder(HttpClient.Builder builder) {
      this.builder = builder;
    }

    /** Each method of the other builder returns it. */
    private HttpClient.Builder after(HttpClient.Builder unused) {
      return this;
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookies) {
      return after(builder.cookieHandler(cookies));
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration timeout) {
      return after(builder.connectTimeout(timeout));
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext context) {
      return after(builder.sslContext(context));
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters parameters) {
      return after(builder.sslParameters(parameters));
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      return after(builder.executor(executor));
    }

    @Override
    public HttpClient.Builder followRedirects(HttpClient.Redirect policy) {
      return after(builder.followRedirects(policy));
    }

    @Override
    public HttpClient.Builder version(HttpClient.Version version) {
      return after(builder.version(version));
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      return after(builder.priority(priority));
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector selector) {
      return after(builder.proxy(selector));
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      return after(builder.authenticator(authenticator));
    }

    @Override
    public HttpClient build() {
      return new LiveHttpClient(builder::build, scheduler, pace);
    }
  }
}
