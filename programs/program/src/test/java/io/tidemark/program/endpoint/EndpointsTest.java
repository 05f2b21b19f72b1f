package io.tidemark.program.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.http.RawClient;
import io.tidemark.metrics.Metric;
import io.tidemark.testing.Hang;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The endpoints of a running operator")
class EndpointsTest {
  private final Metering metering = Metering.of(new MetricsConfig(true, "tide_ipam_"), "mock");
  private final Told told = new Told();
  private final Endpoints endpoints = started(0, metering);
  private final HttpClient client = HttpClient.newHttpClient();

  /** An operator that says of itself what the test wants. */
  private static final class Told implements Probes {
    private volatile List<String> unhealthy = List.of();
    private volatile List<String> unready = List.of("the nodes were not read yet");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean endless;
    private final CompletableFuture<IOException> readerLost = new CompletableFuture<>();

    @Override
    public List<String> unhealthy() {
      return unhealthy;
    }

    @Override
    public List<String> unready() {
      return unready;
    }

    @Override
    public void status(OutputStream out) throws IOException {
      try {
        out.write("{\"nodes\": ".getBytes(StandardCharsets.UTF_8));
        out.flush();
        begun.countDown();
        goOn.await();
        while (endless) {
          out.write(new byte[10_000]);
        }
        out.write("[]}".getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        readerLost.complete(e);
        throw e;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private Endpoints started(int port, Metering counted) {
    return Endpoints.start(InetAddress.getLoopbackAddress(), port, counted, told);
  }

  @AfterEach
  void close() {
    endpoints.close();
    metering.close();
  }

  private HttpResponse<String> ask(String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://localhost:" + endpoints.port() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("say whether it makes progress")
  void health() throws Exception {
    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(200);
    told.unhealthy = List.of("the timer took no turn for 16 s");
    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(503);
    assertThat(ask("GET", "/healthz").body()).isEqualTo("the timer took no turn for 16 s\n");
  }

  @Test
  @DisplayName("say whether it may change the cloud")
  void readiness() throws Exception {
    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(503);
    assertThat(ask("GET", "/readyz").body()).isEqualTo("the nodes were not read yet\n");
    told.unready = List.of();
    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("publish what was counted, under the wanted prefix")
  void metrics() throws Exception {
    metering.meters().gauge(Metric.INTERFACE_CREATION_OPS, "subnet-a").add(1);
    metering.meters().gauge(Metric.API_RATE, "Describe").set(5);

    HttpResponse<String> answer = ask("GET", "/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue(Metering.CONTENT_TYPE);
    assertThat(answer.body())
        .contains("tide_ipam_interface_creation_ops{subnet_id=\"subnet-a\"} 1.0", "tide_mock_api_")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  @DisplayName("say that metrics are off when they are")
  void metricsOff() throws Exception {
    Metering off = Metering.of(new MetricsConfig(false, "tide_ipam_"), "mock");
    try (Endpoints without = started(0, off)) {
      URI uri = URI.create("http://localhost:" + without.port() + "/metrics");
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).contains("enable-metrics is false");
    }
  }

  @Test
  @DisplayName("write one status at a time, and answer health meanwhile")
  void status() throws Exception {
    CompletableFuture<HttpResponse<String>> first =
        client.sendAsync(
            HttpRequest.newBuilder(URI.create("http://localhost:" + endpoints.port() + "/status"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    told.begun.await();

    assertThat(ask("GET", "/status").statusCode()).isEqualTo(503);
    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(200);

    told.goOn.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(first.get().body()).isEqualTo("{\"nodes\": []}");
    assertThat(first.get().headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(ask("GET", "/status").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("answer health beside a status whose reader is slow")
  void slowStatus() throws Exception {
    try (RawClient reader = RawClient.connect(endpoints.port())) {
      told.endless = true;
      told.goOn.countDown();
      reader.send(RawClient.get("/status"));
      told.begun.await();
      for (int i = 0; i < 5; i++) {
        assertThat(RawClient.ask("127.0.0.1", endpoints.port(), RawClient.get("/healthz")))
            .startsWith("HTTP/1.1 200");
      }
      assertThat(ask("GET", "/status").statusCode()).isEqualTo(503);
    }
    assertThat(told.readerLost.get(Hang.SECONDS, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("serve more pages beside them, to GET and HEAD alone, and list them")
  void more() throws Exception {
    try (Endpoints both =
        Endpoints.start(
            InetAddress.getLoopbackAddress(),
            0,
            metering,
            told,
            Map.of(
                "/",
                (request, reply) ->
                    reply.send(io.tidemark.http.HttpResponse.of(200, "text/html", "a page"))))) {
      assertThat(RawClient.ask("127.0.0.1", both.port(), RawClient.get("/"))).endsWith("a page");
      assertThat(RawClient.ask("127.0.0.1", both.port(), RawClient.get("/else")))
          .endsWith("/metrics /healthz /readyz /status /\n");
      assertThat(RawClient.ask("127.0.0.1", both.port(), RawClient.get("/").replace("GET", "POST")))
          .startsWith("HTTP/1.1 405");
    }
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource({
    "HEAD, /healthz, 200",
    "HEAD, /readyz, 503",
    "HEAD, /metrics, 200",
    "HEAD, /status, 200",
    "HEAD, /else, 404",
    "POST, /healthz, 405",
    "PUT, /metrics, 405",
    "POST, /status, 405",
    "GET, /, 404",
    "GET, /else, 404",
    "GET, /metricsXYZ, 404",
    "GET, /healthz/, 404",
    "GET, /healthz/x, 404",
    "GET, /readyzz, 404",
    "GET, /status/x, 404",
  })
  @DisplayName("answer nothing else")
  void others(String method, String path, int status) throws Exception {
    assertThat(ask(method, path).statusCode()).isEqualTo(status);
  }

  @Test
  @DisplayName("are refused clearly when the port is taken")
  void taken() {
    assertThatThrownBy(() -> started(endpoints.port(), metering))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1022 PORT_TAKEN: port " + endpoints.port());
  }
}
