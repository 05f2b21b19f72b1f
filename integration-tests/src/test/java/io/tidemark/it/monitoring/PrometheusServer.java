package io.tidemark.it.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kubernetes.server.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A real Prometheus on loopback, from the binaries in {@code TIDEMARK_PROMETHEUS_BIN}
 * (.ci/monitoring), that scrapes once per second.
 */
final class PrometheusServer {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  private PrometheusServer(int port) {
    this.port = port;
  }

  /** The program {@code promtool} or {@code prometheus}. */
  static String binary(String name) {
    String bin = System.getenv("TIDEMARK_PROMETHEUS_BIN");
    if (bin == null) {
      throw new IllegalStateException(
          "TIDEMARK_PROMETHEUS_BIN is not set; run the tests through .ci/monitoring/run");
    }
    return Path.of(bin, name).toString();
  }

  /** Starts one that ends with the programs which it scrapes. */
  static PrometheusServer start(Path folder, RunningPrograms programs) throws IOException {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), Alert.plainRules());
    StringBuilder jobs = new StringBuilder();
    programs.ports().forEach((job, port) -> jobs.append(job(job, port)));
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yaml"),
            "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n"
                + "rule_files: ['"
                + rules
                + "']\nscrape_configs:\n"
                + jobs);
    int port = FreePorts.next();
    programs.start(
        "prometheus",
        List.of(
            binary("prometheus"),
            "--config.file=" + config,
            "--storage.tsdb.path=" + folder.resolve("tsdb"),
            "--web.listen-address=127.0.0.1:" + port));
    return new PrometheusServer(port);
  }

  private static String job(String name, int port) {
    return "- {job_name: "
        + name
        + ", static_configs: [{targets: ['127.0.0.1:"
        + port
        + "'], labels: {namespace: kube-system}}]}\n";
  }

  /**
   * The answer of its API; fails unless that is a success.
   *
   * @throws IOException when it does not serve yet, so that the caller can ask again
   */
  JsonNode get(String path, Map<String, String> parameters) throws IOException {
    StringBuilder query = new StringBuilder();
    parameters.forEach(
        (key, value) ->
            query
                .append(query.isEmpty() ? '?' : '&')
                .append(key)
                .append('=')
                .append(URLEncoder.encode(value, UTF_8)));
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path + query);
    try {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() == 503) {
        throw new IOException("it is not ready: " + response.body());
      }
      if (response.statusCode() != 200) {
        throw new AssertionError(response.body() + " for " + parameters);
      }
      return MAPPER.readTree(response.body()).path("data");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** How many series a query shows now. */
  int series(String query) throws IOException {
    return get("query", Map.of("query", query)).path("result").size();
  }

  /** The names of all metrics. */
  Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    get("label/__name__/values", Map.of()).forEach(each -> names.add(each.asText()));
    return names;
  }
}
