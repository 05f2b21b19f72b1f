package io.tidemark.program.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Metric.Prefix;
import io.tidemark.metrics.TestMeters;
import io.tidemark.time.TriggerObserver;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What Prometheus scrapes")
class ScrapedNamesTest {
  private static final String PREFIX = "cilium_operator_ipam_";

  private static String scraped = "";

  /** An operator that is well. */
  private static final class Well implements Probes {
    @Override
    public List<String> unhealthy() {
      return List.of();
    }

    @Override
    public List<String> unready() {
      return List.of();
    }

    @Override
    public void status(OutputStream out) {
      throw new UnsupportedOperationException("not asked for");
    }
  }

  @BeforeAll
  static void scrape() throws Exception {
    try (Metering metering = Metering.of(new MetricsConfig(true, PREFIX), "ec2");
        Endpoints endpoints =
            Endpoints.start(InetAddress.getLoopbackAddress(), 0, metering, new Well())) {
      TestMeters.useAll(metering.meters(), Prefix.IPAM);
      for (String kind : List.of("deficit_resolver", "k8s_sync", "resync")) {
        TriggerObserver trigger = metering.meters().trigger(Prefix.IPAM, kind);
        trigger.queued();
        trigger.ran(Duration.ofSeconds(1), Duration.ofSeconds(1), 1);
      }
      URI uri = URI.create("http://localhost:" + endpoints.port() + "/metrics");
      scraped =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
    }
  }

  @DisplayName("bears the reference's names and labels (node-manager 7), no suffix added")
  @ParameterizedTest(name = "{0} {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          available_ips                        | gauge     | target_node
          used_ips                             | gauge     | target_node
          needed_ips                           | gauge     | target_node
          ips                                  | gauge     | type
          available_interfaces                 | gauge     | -
          interface_candidates                 | gauge     | -
          empty_interface_slots                | gauge     | -
          available_ips_per_subnet             | gauge     | availability_zone subnet_id
          nodes                                | gauge     | category
          resync_total                         | counter   | -
          ip_allocation_ops                    | gauge     | subnet_id
          ip_release_ops                       | gauge     | subnet_id
          interface_creation_ops               | gauge     | subnet_id
          allocation_duration_seconds          | histogram | status subnet_id type
          release_duration_seconds             | histogram | status subnet_id type
          background_sync_duration_seconds     | histogram | status
          deficit_resolver_queued_total        | counter   | -
          deficit_resolver_folds               | gauge     | -
          deficit_resolver_duration_seconds    | histogram | -
          deficit_resolver_latency_seconds     | histogram | -
          k8s_sync_queued_total                | counter   | -
          k8s_sync_folds                       | gauge     | -
          k8s_sync_duration_seconds            | histogram | -
          k8s_sync_latency_seconds             | histogram | -
          resync_queued_total                  | counter   | -
          resync_folds                         | gauge     | -
          resync_duration_seconds              | histogram | -
          resync_latency_seconds               | histogram | -
          node_spare_ips                       | gauge     | target_node
          release_handshake                    | gauge     | state
          handshake_aborted_total              | counter   | reason
          sync_conflicts_total                 | counter   | -
          instances_api_ready                  | gauge     | -
          nodes_stuck                          | gauge     | reason
          oldest_deficit_seconds               | gauge     | -
          cache_age_seconds                    | gauge     | -
          """)
  void names(String name, String type, String labels) {
    assertThat(scraped).contains("# TYPE " + PREFIX + name + " " + type + "\n");
    String sample = PREFIX + name + (type.equals("histogram") ? "_count" : "");
    Matcher line =
        Pattern.compile("^" + sample + "(\\{(.*)\\})? [0-9.]+$", Pattern.MULTILINE)
            .matcher(scraped);
    assertThat(line.find()).as(sample + " in " + scraped).isTrue();
    List<String> found = new ArrayList<>();
    if (line.group(2) != null) {
      Matcher label = Pattern.compile("([a-z_]+)=").matcher(line.group(2));
      while (label.find()) {
        found.add(label.group(1));
      }
    }
    assertThat(String.join(" ", found)).isEqualTo(labels.equals("-") ? "" : labels);
  }

  @Test
  @DisplayName("counts the same things under the same bounds: 0.25, 0.5, then whole seconds to 60")
  void bounds() {
    String bucket = PREFIX + "allocation_duration_seconds_bucket{";
    long buckets = scraped.lines().filter(line -> line.startsWith(bucket)).count();
    assertThat(buckets).isEqualTo(63);
    assertThat(scraped)
        .containsPattern(Pattern.quote(bucket) + ".*le=\"0.25\"\\} 0")
        .containsPattern(Pattern.quote(bucket) + ".*le=\"60.0\"\\} 1");
  }

  @Test
  @DisplayName("Each kind of object has the age of its watch, and goes with it")
  void watches() {
    Map<String, Duration> ages = new HashMap<>();
    ages.put("CiliumNodes", Duration.ofMillis(1500));
    ages.put("Pods", Duration.ofMinutes(5));
    try (Metering metering = Metering.of(new MetricsConfig(true, PREFIX), Optional.empty())) {
      metering.watches(() -> ages);
      assertThat(metering.scrape().orElseThrow())
          .contains(
              "tidemark_watch_age_seconds{kind=\"ciliumnodes\"} 1.5\n",
              "tidemark_watch_age_seconds{kind=\"pods\"} 300.0\n");
      ages.remove("Pods");
      assertThat(metering.scrape().orElseThrow()).contains("ciliumnodes").doesNotContain("pods");
    }
  }
}
