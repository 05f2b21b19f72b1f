package io.tidemark.kubernetes.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.HandScheduler;
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
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A client whose requests share a connection")
class LiveHttpClientTest {
  private final HandScheduler time = new HandScheduler();
  private final List<Sent> sent = new ArrayList<>();
  private int made;
  private final LiveHttpClient client =
      new LiveHttpClient(() -> new Answering(++made), time, SocketPace.USUAL);

  /** A request, and which client it went through. */
  private record Sent(int client, CompletableFuture<HttpResponse<String>> answer) {}

  private Sent send() {
    time.advance(Duration.ofSeconds(1));
    client.sendAsync(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1/")).build(), BodyHandlers.ofString());
    time.advance(Duration.ofSeconds(1));
    return sent.get(sent.size() - 1);
  }

  private static void fail(Sent request, IOException how) {
    request.answer().completeExceptionally(how);
  }

  @Test
  @DisplayName("connects anew when a request timed out and nothing was answered meanwhile")
  void silent() {
    Sent first = send();
    Sent second = send();
    fail(first, new HttpTimeoutException("request timed out"));
    fail(second, new HttpTimeoutException("request timed out"));
    assertThat(send().client()).isEqualTo(2);
  }

  @Test
  @DisplayName("keeps its connection when others are answered, or the request failed otherwise")
  void kept() {
    Sent slow = send();
    Sent quick = send();
    quick.answer().complete(null);
    fail(slow, new HttpTimeoutException("request timed out"));
    fail(send(), new HttpConnectTimeoutException("connect timed out"));
    fail(send(), new IOException("reset"));
    assertThat(send().client()).isEqualTo(1);
  }

  private final class Answering extends HttpClient {
    private final int number;

    Answering(int number) {
      this.number = number;
    }

    @Override
    @SuppressWarnings("unchecked") // the test asks for text alone
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, BodyHandler<T> handler) {
      CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();
      sent.add(
          new Sent(
              number, (CompletableFuture<HttpResponse<String>>) (CompletableFuture<?>) answer));
      return answer;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushed) {
      return sendAsync(request, handler);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
      return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
      return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
      return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
      return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SSLParameters sslParameters() {
      return new SSLParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
      return Optional.empty();
    }

    @Override
    public Version version() {
      return Version.HTTP_2;
    }

    @Override
    public Optional<Executor> executor() {
      return Optional.empty();
    }
  }
}
