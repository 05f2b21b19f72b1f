package io.tidemark.it.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Alerts and dashboard of deploy/monitoring")
class MonitoringTest {
  private static final DocumentedMetrics DOCUMENTED = DocumentedMetrics.read();

  /** Labels that Prometheus and its operator add, and the bounds of a histogram. */
  private static final Set<String> ADDED =
      Set.of("__name__", "cluster", "job", "namespace", "instance", "pod", "le");

  private static final Pattern SHOWN = Pattern.compile("\\$labels\\.(\\w+)|\\{\\{(\\w+)}}");

  static Stream<Query> queries() {
    return Stream.concat(
        Alert.all().stream().map(Alert::query), Dashboard.read().queries().stream());
  }

  private static Set<String> labelsOf(Query query) {
    Set<String> labels = new TreeSet<>(ADDED);
    query
        .metrics()
        .forEach(each -> labels.addAll(DOCUMENTED.labels().getOrDefault(each, Set.of())));
    return labels;
  }

  private static Set<String> shown(String template) {
    return SHOWN
        .matcher(template)
        .results()
        .map(each -> each.group(1) == null ? each.group(2) : each.group(1))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("queries")
  @DisplayName("A query asks for metrics and labels of docs/metrics.md")
  void documented(Query query) {
    assertThat(query.metrics()).isNotEmpty().isSubsetOf(DOCUMENTED.labels().keySet());
    assertThat(labelsOf(query)).containsAll(query.labels());
  }

  @Test
  @DisplayName("The texts of alerts and the legends show labels that there are")
  void shown() {
    for (Alert each : Alert.all()) {
      assertThat(labelsOf(each.query())).as(each.name()).containsAll(shown(each.texts()));
    }
    for (JsonNode panel : Dashboard.read().panels()) {
      for (JsonNode target : panel.path("targets")) {
        Query query = new Query(panel.path("title").asText(), target.path("expr").asText());
        assertThat(labelsOf(query))
            .as(query.where())
            .containsAll(shown(target.path("legendFormat").asText()));
      }
    }
  }

  @Test
  @DisplayName("The dashboard shows every metric of Tidemark's own")
  void complete() {
    Set<String> queried = new HashSet<>();
    Dashboard.read().queries().forEach(each -> queried.addAll(each.metrics()));
    assertThat(DOCUMENTED.series())
        .hasSizeGreaterThan(100)
        .allSatisfy(
            (metric, series) ->
                assertThat(series)
                    .as(metric)
                    .matches(
                        any ->
                            metric.matches("(jvm|process|system)_.*")
                                || any.stream().anyMatch(queried::contains)));
  }

  @Test
  @DisplayName(
      "Each alert has one entry of docs/runbook.md, with meaning, cause, remedy and command")
  void runbook() {
    List<String> sections =
        List.of(Repository.text("docs/runbook.md").split("(?m)^(?=#{2,3} )")).stream()
            .filter(each -> each.startsWith("### "))
            .toList();
    List<String> entries =
        sections.stream().map(each -> each.lines().findFirst().orElseThrow().substring(4)).toList();
    assertThat(Alert.all().stream().map(Alert::name)).containsExactlyElementsOf(entries);
    assertThat(sections)
        .allSatisfy(
            each ->
                assertThat(each)
                    .containsSubsequence(
                        "- **Meaning:** ", "- **Cause:** ", "- **Do:** ", "- **Command:** ", "`"));
    for (Alert each : Alert.all()) {
      assertThat(each.annotations().get("runbook"))
          .isEqualTo("docs/runbook.md#" + each.name().toLowerCase(Locale.ROOT));
      assertThat(each.severity()).isIn("critical", "warning");
    }
  }

  @Test
  @Tag("process")
  @DisplayName(
      "The command of docs/runbook.md makes the rules of a Prometheus without its operator")
  void plainRules() throws IOException {
    Matcher command =
        Pattern.compile("`(sed [^`]*) > rules.yaml`").matcher(Repository.text("docs/runbook.md"));
    assertThat(command.find()).isTrue();
    Process process =
        new ProcessBuilder("sh", "-c", command.group(1))
            .directory(Repository.root().toFile())
            .start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo(Alert.plainRules());
  }

  @Test
  @DisplayName("Each alert is tested: that it fires, and that it does not fire too early")
  void tested() {
    Set<String> fires = new TreeSet<>();
    Set<String> waits = new TreeSet<>();
    Object tests = Alert.load(Repository.text("deploy/monitoring/rules-test.yaml"));
    for (Object test : Alert.list(Alert.map(tests).get("tests"))) {
      for (Object each : Alert.list(Alert.map(test).get("alert_rule_test"))) {
        boolean expected = Alert.map(each).containsKey("exp_alerts");
        (expected ? fires : waits).add(String.valueOf(Alert.map(each).get("alertname")));
      }
    }
    assertThat(fires).isEqualTo(waits);
    assertThat(Alert.all().stream().map(Alert::name)).containsExactlyInAnyOrderElementsOf(fires);
  }

  @Test
  @DisplayName(
      "A panel says what it shows, in which unit, of the chosen data source; none overlaps")
  void panels() {
    List<JsonNode> all = Dashboard.read().rowsAndPanels();
    assertThat(all).extracting(each -> each.path("id").asInt()).doesNotHaveDuplicates();
    List<String> cells = new ArrayList<>();
    for (JsonNode each : all) {
      JsonNode grid = each.path("gridPos");
      int right = grid.path("x").asInt() + grid.path("w").asInt();
      assertThat(right).isLessThanOrEqualTo(24);
      if (each.path("type").asText().equals("row")) {
        continue;
      }
      String title = each.path("title").asText();
      assertThat(each.path("description").asText()).as(title).endsWith(".");
      assertThat(each.at("/fieldConfig/defaults/unit").asText()).as(title).isNotEmpty();
      assertThat(each.at("/datasource/uid").asText()).isEqualTo("${datasource}");
    }
    for (JsonNode each : Dashboard.read().json().path("panels")) {
      JsonNode grid = each.path("gridPos");
      for (int x = 0; x < grid.path("w").asInt(); x++) {
        for (int y = 0; y < grid.path("h").asInt(); y++) {
          cells.add((grid.path("x").asInt() + x) + ", " + (grid.path("y").asInt() + y));
        }
      }
    }
    assertThat(cells).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("The panel of the days left computes what its alert does, for a longer time")
  void daysLeft() {
    Stream<Query> alerts = Alert.all().stream().map(Alert::query);
    String alert = computed("TidemarkSubnetExhaustedSoon", alerts);
    String panel = computed("Days left A", Dashboard.read().queries().stream());
    assertThat(alert.replace("<=7", "<=90")).startsWith(panel);
  }

  private static String computed(String where, Stream<Query> queries) {
    return queries
        .filter(each -> each.where().equals(where))
        .findFirst()
        .orElseThrow()
        .text()
        .replaceAll("\\{.*?}|max (by|without) \\(.*?\\)|\\s", "");
  }

  @Test
  @DisplayName("Variables that queries use are those of the dashboard")
  void variables() {
    Set<String> defined = new TreeSet<>();
    for (JsonNode each : Dashboard.read().json().at("/templating/list")) {
      defined.add(each.path("name").asText());
    }
    Set<String> used =
        Dashboard.read().queries().stream()
            .flatMap(each -> Pattern.compile("\\$\\{?([a-z]+)").matcher(each.text()).results())
            .map(MatchResult::group)
            .map(each -> each.replaceAll("\\W", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    used.add("datasource");
    assertThat(defined).isEqualTo(used);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "base/deployment.yaml, tidemark-operator",
    "node-cidr/deployment.yaml, tidemark-node-cidr",
    "node-id/deployment.yaml, tidemark-node-id",
    "ipamd/daemonset.yaml, tidemark-ipamd",
    "monitoring/agent/kustomization.yaml, tidemark-agent"
  })
  @DisplayName("The PodMonitor selects the Pods of every folder, and their port")
  void scraped(String file, String application) {
    assertThat(Repository.text("deploy/" + file))
        .contains("name: " + application + '\n', "- name: metrics\n");
    Object monitor = Alert.load(Repository.text("deploy/monitoring/podmonitor.yaml"));
    assertThat(Alert.map(Alert.map(monitor).get("spec")).toString())
        .contains("key=app.kubernetes.io/name", application, "port=metrics");
  }
}
