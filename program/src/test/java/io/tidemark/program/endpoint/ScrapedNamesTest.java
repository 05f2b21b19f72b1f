package io.tidemark.program.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.IpamMetrics;
import io.tidemark.metrics.TriggerMetrics;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
      count(metering.ipam());
      URI uri = URI.create("http://localhost:" + endpoints.port() + "/metrics");
      scraped =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
    }
  }

  private static void count(IpamMetrics metrics) {
    Duration took = Duration.ofMillis(700);
    metrics.node("worker-a", 10, 4, 2, 6);
    metrics.allocatedIps("used", 4);
    metrics.availableInterfaces(3);
    metrics.interfaceCandidates(2);
    metrics.emptyInterfaceSlots(1);
    metrics.availableIpsPerSubnet("subnet-a", "eu-central-1a", 200);
    metrics.nodes("total", 1);
    metrics.resynced();
    metrics.addressesAllocated("subnet-a", 7);
    metrics.addressesReleased("subnet-a", 2);
    metrics.interfaceCreated("subnet-a");
    metrics.allocationAttempt("allocateIP", "success", "subnet-a", took);
    metrics.releaseAttempt("releaseIP", "success", "subnet-a", took);
    metrics.backgroundSync(true, took);
    metrics.handshakes("released", 1);
    metrics.handshakeAborted("needed");
    metrics.syncConflict();
    metrics.instancesApiReady(true);
    metrics.nodesStuck("SUBNET_EXHAUSTED", 1);
    metrics.oldestDeficit(took);
    metrics.cacheAge(took);
    for (TriggerMetrics trigger :
        List.of(metrics.poolMaintainer(), metrics.k8sSync(), metrics.resync())) {
      trigger.queued();
      trigger.ran(took, took, 1);
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
}
