package io.tidemark.operator.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.MetricsConfig;
import io.tidemark.error.IpamException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The endpoints of a running operator")
class EndpointsTest {
  private final Metering metering = Metering.of(new MetricsConfig(true, "tide_ipam_"), "mock");
  private final AtomicBoolean healthy = new AtomicBoolean(true);
  private final AtomicBoolean ready = new AtomicBoolean();
  private final Endpoints endpoints = Endpoints.start(0, metering, healthy::get, ready::get);
  private final HttpClient client = HttpClient.newHttpClient();

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
    healthy.set(false);
    assertThat(ask("GET", "/healthz").statusCode()).isEqualTo(503);
    assertThat(ask("GET", "/healthz").body()).contains("take no turns");
  }

  @Test
  @DisplayName("say whether it may change the cloud")
  void readiness() throws Exception {
    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(503);
    ready.set(true);
    assertThat(ask("GET", "/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("publish what was counted, under the wanted prefix")
  void metrics() throws Exception {
    metering.ipam().interfaceCreated("subnet-a");
    metering.cloud().rate("Describe", 5);

    HttpResponse<String> answer = ask("GET", "/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue(Metering.CONTENT_TYPE);
    assertThat(answer.body())
        .contains("tide_ipam_interface_creation_ops{subnet_id=\"subnet-a\"} 1.0")
        .contains("tide_mock_api_")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  @DisplayName("say that metrics are off when they are")
  void metricsOff() throws Exception {
    Metering off = Metering.of(new MetricsConfig(false, "tide_ipam_"), "mock");
    try (Endpoints without = Endpoints.start(0, off, () -> true, () -> true)) {
      URI uri = URI.create("http://localhost:" + without.port() + "/metrics");
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.body()).contains("enable-metrics is false");
    }
  }

  @ParameterizedTest(name = "{0} {1} is {2}")
  @CsvSource({
    "HEAD, /healthz, 200",
    "POST, /healthz, 405",
    "GET, /, 404",
    "GET, /else, 404",
  })
  @DisplayName("answer nothing else")
  void others(String method, String path, int status) throws Exception {
    assertThat(ask(method, path).statusCode()).isEqualTo(status);
  }

  @Test
  @DisplayName("are refused clearly when the port is taken")
  void taken() {
    assertThatThrownBy(() -> Endpoints.start(endpoints.port(), metering, () -> true, () -> true))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1022 PORT_TAKEN: port " + endpoints.port());
  }
}
