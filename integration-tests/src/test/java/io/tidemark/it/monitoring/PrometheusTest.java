package io.tidemark.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.kubernetes.server.Eventually;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("monitoring")
@DisplayName("A real Prometheus that scrapes running programs")
class PrometheusTest {
  private static final String CLOUD = "mock";

  /** Why these programs do not publish metrics, by the beginning of their names. */
  private static final Map<String, List<String>> NOT_PUBLISHED =
      Map.of(
          "no claim of an id is lost",
          List.of("tidemark_node_id_reasserted_total"),
          "only providers of real clouds have them",
          List.of(
              "cilium_operator_mock_api_remaining_requests",
              "cilium_operator_mock_eni_gc_",
              "cilium_operator_mock_etag_conflicts_total",
              "cilium_operator_mock_limits_source",
              "cilium_operator_mock_lro_duration_seconds",
              "cilium_operator_mock_prefix_fallback_total",
              "cilium_operator_mock_release_quarantined_addresses",
              "cilium_operator_mock_subnet_"),
          "nothing goes wrong",
          List.of(
              "awscni_checkpoint_failures_total",
              "cilium_operator_ipam_handshake_aborted_total",
              "cilium_operator_ipam_offered_not_taken_ips",
              "cilium_operator_ipam_resync_",
              "cilium_operator_ipam_second_owner",
              "cilium_operator_ipam_sync_conflicts_total",
              "cilium_operator_ipam_used_ips_gone",
              "cilium_operator_mock_api_retries_total"),
          "nothing is released so soon, or used again",
          List.of(
              "awscni_reuse_distance_seconds",
              "cilium_ipam_reuse_distance_seconds",
              "cilium_operator_ipam_ip_release_ops",
              "cilium_operator_ipam_release_duration_seconds"),
          "a folder has no Kubernetes Nodes and Pods",
          List.of(
              "cilium_operator_ipam_address_wait_seconds",
              "cilium_operator_ipam_node_max_pods",
              "cilium_operator_ipam_node_pod_capacity",
              "cilium_operator_ipam_nodes_tainted"),
          "a folder is not watched through a server",
          List.of("tidemark_watch_age_seconds"),
          "the pools do not follow demand",
          List.of(
              "awscni_lead_time_seconds",
              "awscni_spare_target_ips",
              "cilium_operator_ipam_lead_time_seconds",
              "cilium_operator_ipam_spare_target_ips"),
          "ipamd does not ask EC2 when the interfaces are those of a file",
          List.of(
              "awscni_eni_max",
              "awscni_ip_max",
              "awscni_ipamd_",
              "awscni_plan_",
              "awscni_reconcile_count"),
          "the agent has a CIDR and no pool",
          List.of(
              "cilium_ipam_offer",
              "cilium_ipam_pending",
              "cilium_ipam_quarantined",
              "cilium_ipam_sync_"));

  /** Parts of queries that find nothing although there is the metric, and why. */
  private static final Map<String, String> FINDS_NOTHING =
      Map.of(
          "response_code=~\"requestLimit|", "the mock cloud throttles nothing",
          "command=\"ADD\", code!=\"0\"", "the agent refuses no pod");

  @TempDir private static Path folder;

  @AutoClose private static RunningPrograms programs;
  private static PrometheusServer prometheus;
  private static Set<String> published = Set.of();

  @BeforeAll
  static void start() throws IOException {
    programs = RunningPrograms.start(folder);
    prometheus = PrometheusServer.start(folder, programs);
    try {
      Eventually.holds(
          "all programs are scraped, three times at least",
          () ->
              prometheus.series("count_over_time(up[1m]) >= 3 and max_over_time(up[1m]) == 1")
                      == programs.ports().size()
                  && prometheus.series(
                          "min_over_time(cilium_operator_ipam_nodes{category=\"total\"}[3s]) == 3")
                      == 1);
    } catch (AssertionError e) {
      throw new AssertionError(programs.logs(), e);
    }
    published = prometheus.names();
  }

  static Stream<Query> queries() {
    return MonitoringTest.queries().map(each -> each.filledIn(CLOUD));
  }

  private static String promtool(String... arguments) throws Exception {
    Path out = folder.resolve("promtool.txt");
    Process process =
        new ProcessBuilder(
                Stream.concat(Stream.of(PrometheusServer.binary("promtool")), Stream.of(arguments))
                    .toList())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    return Files.readString(out);
  }

  @Test
  @DisplayName("its promtool finds nothing to say of the alerts, and all their tests pass")
  void promtool() throws Exception {
    Files.writeString(
        folder.resolve("rules-test.yaml"), Repository.text("deploy/monitoring/rules-test.yaml"));
    assertThat(promtool("check", "rules", "--lint=all", "--lint-fatal", "rules.yaml"))
        .contains("SUCCESS: " + Alert.all().size() + " rules found");
    assertThat(promtool("test", "rules", "rules-test.yaml")).contains("SUCCESS");
  }

  @Test
  @DisplayName("evaluates every alert without an error")
  void rules() {
    Eventually.holds(
        "every rule was evaluated, and is in order",
        () -> {
          int healthy = 0;
          for (JsonNode group : prometheus.get("rules", Map.of()).path("groups")) {
            for (JsonNode rule : group.path("rules")) {
              assertThat(rule.path("lastError").asText()).isEmpty();
              healthy += rule.path("health").asText().equals("ok") ? 1 : 0;
            }
          }
          return healthy == Alert.all().size();
        });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("queries")
  @DisplayName("answers every query, with data if its metrics are published")
  void answered(Query query) throws IOException {
    int series = prometheus.series(query.text());
    boolean all = true;
    for (String each : query.selectors()) {
      if (FINDS_NOTHING.keySet().stream().noneMatch(each::contains)) {
        boolean there = isPublished(each);
        assertThat(prometheus.series(each) > 0).as(each).isEqualTo(there);
        all &= there;
      }
    }
    if (all && !query.compares()) {
      assertThat(series).as(query.text()).isPositive();
    }
  }

  /** Whether a program publishes a metric of the selector. */
  private static boolean isPublished(String selector) {
    Pattern name =
        Pattern.compile(
            selector.startsWith("{")
                ? selector.replaceFirst("\\{__name__=~\"([^\"]*)\"(?s:.*)", "$1")
                : selector.replaceFirst("\\{(?s:.*)", ""));
    return published.stream().anyMatch(each -> name.matcher(each).matches());
  }

  @Test
  @DisplayName("reads every metric that an alert or a panel asks for, but a list with reasons")
  void read() {
    Set<String> missing = new TreeSet<>();
    queries().forEach(each -> missing.addAll(each.metrics()));
    missing.removeAll(published);
    List<String> allowed = NOT_PUBLISHED.values().stream().flatMap(List::stream).toList();
    missing.removeIf(each -> allowed.stream().anyMatch(each::startsWith));
    // Alerts choose any cloud by a pattern.
    missing.removeIf(each -> each.startsWith("cilium_operator_" + Query.CLOUD));
    assertThat(missing).isEmpty();
  }
}
